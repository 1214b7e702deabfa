//! Set-up page of a contest: adds tasks one by one or by CSV import, registers teams and issues credentials.

use assize_courts::contest::{ContestState, TaskSpec};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::{ContestPage, people};
use crate::http::App;
use crate::http::access::Act;
use crate::http::contest::contests::stream_of;
use crate::http::contest::{contests, import};
use crate::http::input::TextInput;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::pages::form::SubmittedForm;
use crate::pages::go_to;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{self, FormField, choice, count, empty, heads, hidden, scrolling};

/// Shows the set-up page.
pub(crate) async fn read_setup(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &contest, &context, &FormOutcome::Nothing, "").await
}

/// Runs the action in the form's `do` field through its API handler.
pub(crate) async fn post_setup(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    form.caller()?.may(Act::AddTask, &stream_of(&contest)?)?;
    match act(&app, &contest, &form).await {
        // A secret is shown in this response, since it is not stored.
        Ok(Some(shown)) => show(&app, &contest, &form.context, &FormOutcome::Done(shown), "").await,
        Ok(None) => go_to(&format!("/contests/{contest}/setup")),
        Err(problem) => {
            show(&app, &contest, &form.context, &FormOutcome::Problem(problem), form.text("csv")).await
        }
    }
}

async fn act(app: &App, contest: &str, form: &SubmittedForm) -> Result<Option<Markup>, Problem> {
    let state = State(app.clone());
    let here = PathParams(contest.to_owned());
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

fn task(form: &SubmittedForm) -> Result<Value, Problem> {
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

async fn show(
    app: &App,
    contest: &str,
    context: &PageContext,
    said: &FormOutcome,
    csv: &str,
) -> Result<Response, Problem> {
    let seen = ContestPage::of(app, contest).await?;
    context.require_caller()?.may(Act::AddTask, &seen.stream)?;
    let specs = app.clerk.inspect(seen.stream.clone(), |state: &ContestState| {
        state.tasks().map(|(name, task)| (name.to_owned(), task.spec.clone())).collect::<Vec<_>>()
    });
    let specs = specs.await?;
    let content = html! {
        (seen.tabs(context, "/setup"))
        h1 { "Set-up" }
        p class="lead" { (seen.view.name) }
        (mistakes(said))
        h2 { "Teams" }
        (people::teams(app, &seen, context).await?)
        h2 { "Tasks" }
        div data-live="tasks" { (tasks(&specs)) }
        (adding(&seen, context))
        (importing(&seen, context, csv))
    };
    let page = HtmlPage::new(context, format!("Set-up · {}", seen.view.name)).at(seen.place("/setup"));
    Ok(page.follows(seen.topics(), seen.now).saying(said).show(&content))
}

/// Errors of an import by line and column.
fn mistakes(said: &FormOutcome) -> Markup {
    let faults = match said {
        FormOutcome::Problem(problem) => problem.fact("errors").and_then(Value::as_array),
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

fn adding(seen: &ContestPage, context: &PageContext) -> Markup {
    let types =
        [("KIS", "KIS: find the moments"), ("QA", "QA: answer a question"), ("TR", "TR: find the sequence")];
    let fields = html! {
        (hidden("do", "task"))
        div class="fields" {
            (FormField::text("id", "Short name").required().show("task"))
            (choice("task", "type", "Type", &types, "KIS"))
            (FormField::text("video_id", "Video").help("Where the answer is").show("task"))
            (FormField::text("points", "Boundaries").help("Such as 4890-5000-5001-5020; empty when people judge").show("task"))
            (FormField::text("answer", "Answer text").help("QA only").show("task"))
            (FormField::number("time_limit_seconds", "Time limit, seconds").help("What the rules say when empty").show("task"))
            (FormField::text("hint", "Hint").help("Shown in the hall").show("task"))
            (FormField::number("hint_at", "Hint after, seconds").show("task"))
        }
        label class="tick" {
            input type="checkbox" name="rehearsal" value="yes"; "A rehearsal: tries out connections, scores nothing"
        }
        p { button { "Add the task" } }
    };
    html! { h3 { "Add a task" } (parts::form(context, &seen.place("/setup"), &fields)) }
}

fn importing(seen: &ContestPage, context: &PageContext, csv: &str) -> Markup {
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
    html! { h3 { "Import tasks" } (parts::form(context, &seen.place("/setup"), &fields)) }
}
