//! Setting a contest up: tasks one by one or from a table, teams, and how they get in.

use assize_courts::contest::{ContestState, TaskSpec};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::{Seen, people};
use crate::http::access::Act;
use crate::http::address::Address;
use crate::http::contests::stream_of;
use crate::http::input::TextInput;
use crate::http::pages::form::Form;
use crate::http::pages::go_to;
use crate::http::pages::guest::Guest;
use crate::http::pages::layout::{Page, Said};
use crate::http::pages::parts::{self, Field, choice, count, empty, heads, hidden, scrolling};
use crate::http::problem::Problem;
use crate::http::{App, contests, import};

/// Everything that is set up before a contest begins.
pub(in crate::http) async fn read_setup(
    State(app): State<App>,
    Address(contest): Address<String>,
    guest: Guest,
) -> Result<Response, Problem> {
    show(&app, &contest, &guest, &Said::Nothing, "").await
}

/// Does what the form's `do` says, by the API's own function.
pub(in crate::http) async fn post_setup(
    State(app): State<App>,
    Address(contest): Address<String>,
    form: Form,
) -> Result<Response, Problem> {
    form.caller()?.may(Act::AddTask, &stream_of(&contest)?)?;
    match act(&app, &contest, &form).await {
        // A secret is shown in the answer itself: it is nowhere else.
        Ok(Some(shown)) => show(&app, &contest, &form.guest, &Said::Done(shown), "").await,
        Ok(None) => go_to(&format!("/contests/{contest}/setup")),
        Err(problem) => show(&app, &contest, &form.guest, &Said::Problem(problem), form.text("csv")).await,
    }
}

async fn act(app: &App, contest: &str, form: &Form) -> Result<Option<Markup>, Problem> {
    let (state, here) = (State(app.clone()), Address(contest.to_owned()));
    match form.text("do") {
        "task" => {
            let input = form.input(task(form)?)?;
            contests::add_task(state, here, form.caller()?, input).await.map(|_| None)
        }
        "import" => {
            let csv = TextInput(form.keyed(form.text("csv").to_owned()));
            let (_, Json(imported)) = import::import_tasks(state, here, form.caller()?, csv).await?;
            let tasks = count(imported.tasks.len(), "task was added", "tasks were added");
            Ok(Some(html! { p { (tasks) "." } }))
        }
        _ => people::act(app, contest, form).await,
    }
}

fn task(form: &Form) -> Result<Value, Problem> {
    let hint = form.text("hint").trim();
    let at = if form.text("hint_at").is_empty() { json!(0) } else { form.number("hint_at")? };
    let hints = if hint.is_empty() {
        json!(null)
    } else {
        json!([{ "at_seconds": at, "kind": "text", "content": hint }])
    };
    Ok(json!({
        "id": form.text("id"),
        "type": form.text("type"),
        "video_id": form.optional("video_id"),
        "points": form.optional("points"),
        "answer": form.optional("answer"),
        "time_limit_seconds": form.number("time_limit_seconds")?,
        "hints": hints,
        "rehearsal": form.ticked("rehearsal"),
    }))
}

async fn show(app: &App, contest: &str, guest: &Guest, said: &Said, csv: &str) -> Result<Response, Problem> {
    let seen = Seen::of(app, contest).await?;
    guest.must_be_known()?.may(Act::AddTask, &seen.stream)?;
    let specs = app.clerk.inspect(seen.stream.clone(), |state: &ContestState| {
        state.tasks().map(|(name, task)| (name.to_owned(), task.spec.clone())).collect::<Vec<_>>()
    });
    let specs = specs.await?;
    let content = html! {
        (seen.tabs(guest, "/setup"))
        h1 { "Set-up" }
        p class="lead" { (seen.view.name) }
        (mistakes(said))
        h2 { "Teams" }
        (people::teams(app, &seen, guest).await?)
        h2 { "Tasks" }
        div data-live="tasks" { (tasks(&specs)) }
        (adding(&seen, guest))
        (importing(&seen, guest, csv))
    };
    let page = Page::new(guest, format!("Set-up · {}", seen.view.name)).at(seen.place("/setup"));
    Ok(page.follows(seen.topics(), seen.now).saying(said).show(&content))
}

/// Each mistake of an import by its line and column.
fn mistakes(said: &Said) -> Markup {
    let faults = match said {
        Said::Problem(problem) => problem.fact("errors").and_then(Value::as_array),
        _ => None,
    };
    let text = |fault: &Value, name: &str| match fault.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    html! {
        div data-live="mistakes" {
            @if let Some(faults) = faults {
                table class="mistakes" {
                    caption class="hidden" { "What is wrong in the table" }
                    (heads(&["#Line", "Column", "What is wrong"]))
                    tbody {
                        @for fault in faults {
                            tr {
                                td class="number" { (text(fault, "line")) }
                                td { (text(fault, "column")) }
                                td { (text(fault, "problem")) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn tasks(specs: &[(String, TaskSpec)]) -> Markup {
    if specs.is_empty() {
        return empty("There are no tasks yet.", &html! { "Add one below, or import a whole table." });
    }
    let table = html! {
        table {
            (heads(&["Task", "Type", "Video", "Boundaries", "Answer", "#Hints"]))
            tbody {
                @for (name, spec) in specs {
                    tr {
                        th scope="row" { (name) @if spec.rehearsal { " " span class="badge" { "rehearsal" } } }
                        td { (spec.task_type.as_str()) }
                        td { (spec.video_id) }
                        td {
                            @if spec.is_judged_by_people() { span class="badge" { "people judge" } }
                            @else { (spec.points.iter().map(u64::to_string).collect::<Vec<_>>().join("-")) }
                        }
                        td { (spec.answer.as_deref().unwrap_or_default()) }
                        td class="number" { (spec.hints.len()) }
                    }
                }
            }
        }
    };
    scrolling("Tasks", &table)
}

fn adding(seen: &Seen, guest: &Guest) -> Markup {
    let types =
        [("KIS", "KIS: find the moments"), ("QA", "QA: answer a question"), ("TR", "TR: find the sequence")];
    let fields = html! {
        (hidden("do", "task"))
        div class="fields" {
            (Field::text("id", "Short name").required().show("task"))
            (choice("task", "type", "Type", &types, "KIS"))
            (Field::text("video_id", "Video").help("Where the answer is").show("task"))
            (Field::text("points", "Boundaries").help("Such as 4890-5000-5001-5020; empty when people judge").show("task"))
            (Field::text("answer", "Answer text").help("QA only").show("task"))
            (Field::number("time_limit_seconds", "Time limit, seconds").help("What the rules say when empty").show("task"))
            (Field::text("hint", "Hint").help("Shown in the hall").show("task"))
            (Field::number("hint_at", "Hint after, seconds").show("task"))
        }
        label class="tick" {
            input type="checkbox" name="rehearsal" value="yes"; "A rehearsal: tries out connections, scores nothing"
        }
        p { button { "Add the task" } }
    };
    html! { h3 { "Add a task" } (parts::form(guest, &seen.place("/setup"), &fields)) }
}

fn importing(seen: &Seen, guest: &Guest, csv: &str) -> Markup {
    let fields = html! {
        (hidden("do", "import"))
        div class="field" {
            label for="csv" { "Table" }
            textarea id="csv" name="csv" spellcheck="false" aria-describedby="csv-help" required { (csv) }
            p class="help" id="csv-help" {
                "The first line is " code { "id,type,scene_id,video_id,points" } " with " code { ",answer" }
                " where there are answers; then a line for each task. All of them are added, or none."
            }
        }
        div class="field" data-needs-script hidden {
            label for="file" { "Or choose a file" }
            input id="file" type="file" accept=".csv,text/csv" data-into="csv";
        }
        button { "Import the tasks" }
    };
    html! { h3 { "Import tasks" } (parts::form(guest, &seen.place("/setup"), &fields)) }
}
