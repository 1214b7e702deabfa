//! Organiser's console: start and stop tasks, freeze and reveal the board, set the programme.

use assize_courts::contest::TaskView;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::board::{CellLinks, grid};
use super::standings::lines;
use super::{ContestPage, clock};
use crate::http::App;
use crate::http::access::Act;
use crate::http::contest::{contests, programme};
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::pages::form::SubmittedForm;
use crate::pages::go_to;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{self, FormField, choice, count, empty, heads, hidden, scrolling};

/// Shows the console.
pub(crate) async fn read_console(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &contest, &context, &FormOutcome::Nothing).await
}

/// Runs the action in the form's `do` field through its API handler.
pub(crate) async fn post_console(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    match act(&app, &contest, &form).await {
        Ok(()) => go_to(&format!("/contests/{contest}/console")),
        Err(problem) => show(&app, &contest, &form.context, &FormOutcome::Problem(problem)).await,
    }
}

async fn act(app: &App, contest: &str, form: &SubmittedForm) -> Result<(), Problem> {
    let state = State(app.clone());
    let caller = form.caller()?;
    let here = PathParams(contest.to_owned());
    let task = PathParams((contest.to_owned(), form.text("task").to_owned()));
    match form.text("do") {
        "start" => {
            let body = json!({
                "time_limit_seconds": form.number("time_limit_seconds")?,
                "buffer_seconds": form.number("buffer_seconds")?,
                "countdown_seconds": form.number("countdown_seconds")?,
            });
            contests::start_task(state, task, caller, form.input(body)?).await.map(drop)
        }
        "stop" => contests::stop_task(state, task, caller, form.input(json!({}))?).await.map(drop),
        "adjust" => {
            let body = json!({ "by_seconds": form.number("by_seconds")? });
            programme::adjust_task(state, task, caller, form.input(body)?).await.map(drop)
        }
        "programme" => {
            let body = json!({ "pause_seconds": form.number("pause_seconds")? });
            programme::set_programme(state, here, caller, form.input(body)?).await.map(drop)
        }
        "freeze" => programme::freeze_boards(state, here, caller, form.input(json!({}))?).await.map(drop),
        "unfreeze" => programme::unfreeze_boards(state, here, caller, form.input(json!({}))?).await.map(drop),
        "reveal" => programme::reveal_team(state, here, caller, form.input(json!({}))?).await.map(drop),
        other => Err(Problem::malformed(format!("`{other}` is nothing that can be done here"))),
    }
}

async fn show(
    app: &App,
    contest: &str,
    context: &PageContext,
    said: &FormOutcome,
) -> Result<Response, Problem> {
    let seen = ContestPage::of(app, contest).await?;
    context.require_caller()?.may(Act::RunTask, &seen.stream)?;
    let lines = lines(app, &seen, true);
    let why = CellLinks::of(app, &seen, context, true).await?;
    let waiting: usize = seen.view.tasks.iter().filter_map(|task| task.round.as_ref()?.waiting).sum();
    let content = html! {
        (seen.tabs(context, "/console"))
        div class="top" {
            h1 { (seen.view.name) }
            div data-live="clock" { (clock::clocks(&seen)) }
        }
        div data-live="waiting" {
            @if waiting > 0 {
                div class="note" {
                    p { (count(waiting, "answer waits", "answers wait")) " for a judge. " a href=(seen.place("/queue")) { "Judge" } }
                }
            }
        }
        h2 { "Tasks" }
        div data-live="tasks" { (tasks(&seen, context)) }
        @if !seen.view.tasks.is_empty() { (starting(&seen, context)) }
        h2 { "Board" }
        div data-live="freeze" { (freezing(&seen, context)) }
        div data-live="grid" { (grid(&seen, &lines, &why)) }
        h2 { "Programme" }
        (pausing(&seen, context))
    };
    let page = HtmlPage::new(context, format!("Console · {}", seen.view.name)).at(seen.place("/console"));
    Ok(page.follows(seen.topics(), seen.now).saying(said).show(&content))
}

fn tasks(seen: &ContestPage, context: &PageContext) -> Markup {
    if seen.view.tasks.is_empty() {
        let next = html! { "Add them one by one or from a table under " a href=(seen.place("/setup")) { "Set-up" } "." };
        return empty("There are no tasks yet.", &next);
    }
    let idle = clock::running(seen).next().is_none();
    let next = seen.view.tasks.iter().find(|task| task.round.is_none()).filter(|_| idle);
    let table = html! {
        table {
            (heads(&["Task", "Do", "State", "Type", "#Teams", "#Done"]))
            tbody { @for task in &seen.view.tasks { (row(seen, context, task)) } }
        }
    };
    html! { @if let Some(next) = next { (starting_next(seen, context, next)) } (scrolling("Tasks", &table)) }
}

/// Button that starts the next task after a short countdown.
fn starting_next(seen: &ContestPage, context: &PageContext, next: &TaskView) -> Markup {
    let fields = html! {
        (hidden("do", "start")) (hidden("task", &next.task)) (hidden("countdown_seconds", "5"))
        button id="next" { "Start " (next.task) " in 5 seconds" }
    };
    parts::form(context, &seen.place("/console"), &fields)
}

fn row(seen: &ContestPage, context: &PageContext, task: &TaskView) -> Markup {
    let round = task.round.as_ref();
    let running = round.is_some_and(|round| round.running);
    let state = match round {
        None => "not started".to_owned(),
        Some(round) if round.running => format!("round {} runs", round.round),
        Some(round) => format!("round {} is over", round.round),
    };
    html! {
        tr {
            th scope="row" { (task.task) @if task.rehearsal { " " span class="badge" { "rehearsal" } } }
            td class="acts" {
                @if running {
                    (act_on(seen, context, task, "stop", "Stop", &[]))
                    (act_on(seen, context, task, "adjust", "+30 s", &[("by_seconds", "30")]))
                    (act_on(seen, context, task, "adjust", "−30 s", &[("by_seconds", "-30")]))
                } @else {
                    (act_on(seen, context, task, "start", if round.is_some() { "Start again" } else { "Start" }, &[]))
                }
            }
            td class="line" { span class=(if running { "badge lively" } else { "" }) { (state) } }
            td { (task.task_type.as_str()) @if task.judged_by_people { " " span class="badge" { "people judge" } } }
            td class="number" { @if let Some(round) = round { (round.teams_submitted) } }
            td class="number" { @if let Some(done) = round.and_then(|round| round.teams_completed) { (done) } }
        }
    }
}

fn act_on(
    seen: &ContestPage,
    context: &PageContext,
    task: &TaskView,
    act: &str,
    name: &str,
    more: &[(&str, &str)],
) -> Markup {
    let label = format!("{name}: {}", task.task);
    let id = format!("{act}{}-{}", more.first().map_or("", |(_, value)| value), task.task);
    let fields = html! {
        (hidden("do", act)) (hidden("task", &task.task)) @for (name, value) in more { (hidden(name, value)) }
        button class="second" aria-label=(label) id=(id) { (name) }
    };
    parts::inline_form(context, &seen.place("/console"), &fields)
}

fn starting(seen: &ContestPage, context: &PageContext) -> Markup {
    let tasks: Vec<_> = seen.view.tasks.iter().map(|task| (task.task.as_str(), task.task.as_str())).collect();
    let next = seen.view.tasks.iter().find(|task| task.round.is_none());
    let next = next.map_or("", |task| task.task.as_str());
    let fields = html! {
        (hidden("do", "start"))
        div class="fields" {
            (choice("start", "task", "Task", &tasks, next))
            (FormField::number("countdown_seconds", "Countdown, seconds").help("At once when empty").show("start"))
            (FormField::number("time_limit_seconds", "Time limit, seconds").help("What task or rules say when empty").show("start"))
            (FormField::number("buffer_seconds", "Buffer, seconds").help("Last answers are taken so much later").show("start"))
        }
        button { "Start" }
    };
    html! {
        details {
            summary { "Start with a countdown or another time limit" }
            (parts::form(context, &seen.place("/console"), &fields))
        }
    }
}

fn freezing(seen: &ContestPage, context: &PageContext) -> Markup {
    let button = |act: &str, name: &str| {
        let fields = html! { (hidden("do", act)) button class="second" id=(act) { (name) } };
        parts::inline_form(context, &seen.place("/console"), &fields)
    };
    html! {
        @if seen.view.frozen {
            p { "The hall sees the board as it was when it was frozen; below is how it is." }
            (button("reveal", "Reveal the next team")) (button("unfreeze", "Show everything"))
        } @else {
            p { "The hall sees what you see." }
            (button("freeze", "Freeze the board"))
        }
    }
}

fn pausing(seen: &ContestPage, context: &PageContext) -> Markup {
    let pause = seen.view.pause_seconds.map(|pause| pause.to_string()).unwrap_or_default();
    let help = "Between the end of a task and the start of the next; empty when people start them";
    let fields = html! {
        (hidden("do", "programme"))
        div class="fields" { (FormField::number("pause_seconds", "Pause, seconds").value(&pause).help(help).show("programme")) }
        button { "Set the programme" }
    };
    parts::form(context, &seen.place("/console"), &fields)
}
