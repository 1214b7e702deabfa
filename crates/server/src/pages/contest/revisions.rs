//! Re-judging page: previews another rulebook or a corrected ground truth, before and after, and adopts it.

use assize_kernel::{BoardMoves, ChangedVerdict, Place, RevisionReport};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::ContestPage;
use crate::http::access::Act;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::{App, revisions};
use crate::pages::form::SubmittedForm;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{self, FormField, choice, count, empty, heads, hidden, moment, points, scrolling};

/// Fields of a proposed revision.
#[derive(Default)]
struct RevisionForm {
    rulebook: String,
    task: String,
    video_id: String,
    points: String,
    answer: String,
}

impl RevisionForm {
    fn of(form: &SubmittedForm) -> Self {
        let text = |name: &str| form.text(name).trim().to_owned();
        Self {
            rulebook: text("rulebook"),
            task: text("task"),
            video_id: text("video_id"),
            points: text("points"),
            answer: text("answer"),
        }
    }

    /// The request body of the API.
    fn body(&self) -> Value {
        let given = |text: &str| if text.is_empty() { Value::Null } else { text.into() };
        let mut correction = serde_json::Map::from_iter([("task".to_owned(), given(&self.task))]);
        for (name, value) in
            [("video_id", &self.video_id), ("points", &self.points), ("answer", &self.answer)]
        {
            if !value.is_empty() {
                correction.insert(name.to_owned(), given(value));
            }
        }
        let amendments = if self.task.is_empty() {
            json!([])
        } else {
            json!([{ "CorrectTask": Value::Object(correction) }])
        };
        json!({ "rulebook": given(&self.rulebook), "amendments": amendments })
    }
}

/// Shows the form.
pub(crate) async fn read_revisions(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &contest, &context, &FormOutcome::Nothing, &RevisionForm::default(), None).await
}

/// Previews the revision, or adopts it.
pub(crate) async fn post_revisions(
    State(app): State<App>,
    PathParams(contest): PathParams<String>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    let wish = RevisionForm::of(&form);
    let state = State(app.clone());
    let stream = PathParams(("contest".to_owned(), contest.clone()));
    let done = match form.text("do") {
        "look" => match form.input(wish.body()) {
            Ok(input) => revisions::rejudge_stream(state, stream, form.caller()?, input).await.map(Some),
            Err(problem) => Err(problem),
        },
        _ => adopt(&app, &contest, &form, &wish).await.map(|()| None),
    };
    match done {
        Ok(Some(Json(report))) => {
            show(&app, &contest, &form.context, &FormOutcome::Nothing, &wish, Some(&report)).await
        }
        Ok(None) => {
            let said =
                FormOutcome::Done(html! { p { "It counts from now on. What stood before stays readable." } });
            show(&app, &contest, &form.context, &said, &RevisionForm::default(), None).await
        }
        Err(problem) => {
            show(&app, &contest, &form.context, &FormOutcome::Problem(problem), &wish, None).await
        }
    }
}

async fn adopt(app: &App, contest: &str, form: &SubmittedForm, wish: &RevisionForm) -> Result<(), Problem> {
    let mut body = wish.body();
    if let Some(body) = body.as_object_mut() {
        body.insert("reason".to_owned(), form.text("reason").into());
        let seen = form.text("seen").parse::<u64>();
        body.insert("seen".to_owned(), seen.map_or(Value::Null, Value::from));
    }
    let stream = PathParams(("contest".to_owned(), contest.to_owned()));
    revisions::revise_stream(State(app.clone()), stream, form.caller()?, form.input(body)?).await.map(drop)
}

async fn show(
    app: &App,
    contest: &str,
    context: &PageContext,
    said: &FormOutcome,
    wish: &RevisionForm,
    report: Option<&RevisionReport>,
) -> Result<Response, Problem> {
    let seen = ContestPage::of(app, contest).await?;
    context.require_caller()?.may(Act::Revise, &seen.stream)?;
    let content = html! {
        (seen.tabs(context, "/revisions"))
        h1 { "Re-judge" }
        p class="lead" { "Judge the whole history again with something different, see who moves, and then adopt it or not." }
        div data-live="report" { @if let Some(report) = report { (changes(&seen, context, wish, report)) } }
        h2 { "What would be different" }
        (asking(app, &seen, context, wish))
    };
    let page = HtmlPage::new(context, format!("Re-judge · {}", seen.view.name)).at(seen.place("/revisions"));
    Ok(page.saying(said).show(&content))
}

fn asking(app: &App, seen: &ContestPage, context: &PageContext, wish: &RevisionForm) -> Markup {
    let books = app.courts.rulebooks("contest").iter().map(|book| book.reference.name.as_str());
    let books: Vec<_> = std::iter::once(("", "as before")).chain(books.map(|name| (name, name))).collect();
    let tasks = seen.view.tasks.iter().map(|task| (task.task.as_str(), task.task.as_str()));
    let tasks: Vec<_> = std::iter::once(("", "none")).chain(tasks).collect();
    let fields = html! {
        (hidden("do", "look"))
        div class="fields" {
            (choice("look", "rulebook", "Rules", &books, &wish.rulebook))
            (choice("look", "task", "Correct the truth of", &tasks, &wish.task))
            (FormField::text("video_id", "Video").value(&wish.video_id).help("As before when empty").show("look"))
            (FormField::text("points", "Boundaries").value(&wish.points).help("As before when empty").show("look"))
            (FormField::text("answer", "Answer text").value(&wish.answer).help("QA only; as before when empty").show("look"))
        }
        button { "See what would change" }
    };
    parts::form(context, &seen.place("/revisions"), &fields)
}

fn changes(
    seen: &ContestPage,
    context: &PageContext,
    wish: &RevisionForm,
    report: &RevisionReport,
) -> Markup {
    let looked =
        format!("{} of {}", report.changed.len(), count(to_usize(report.verdicts), "verdict", "verdicts"));
    html! {
        h2 { "What would change" }
        @if report.revised == 0 {
            (empty("Nothing would change.", &html! { "All " (report.verdicts) " verdicts come out as they stand." }))
        } @else {
            p { (looked) " would come out otherwise." }
            (verdicts(seen, &report.changed))
            @for board in &report.boards { (moves(seen, board)) }
            div class="card" { h3 { "Adopt it" } (adopting(seen, context, wish, report)) }
            p { a href=(seen.place("/revisions")) { "Drop it" } ": nothing has been changed." }
        }
    }
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn verdicts(seen: &ContestPage, changed: &[ChangedVerdict]) -> Markup {
    let table = html! {
        table {
            (heads(&["Team", "When", "Before", "After", "Record"]))
            tbody {
                @for each in changed.iter().take(200) {
                    tr {
                        th scope="row" { (seen.team_name(each.participant.as_deref().unwrap_or_default())) }
                        td { (moment(each.at)) }
                        td { (each.before.outcome) " " (points(each.before.points)) }
                        td { strong { (each.after.outcome) " " (points(each.after.points)) } }
                        td { a href=(format!("/records/{}", each.position)) { (each.position) } }
                    }
                }
            }
        }
    };
    html! {
        (scrolling("Verdicts", &table))
        @if changed.len() > 200 { p class="soft" { "And " (changed.len() - 200) " more." } }
    }
}

fn moves(seen: &ContestPage, board: &BoardMoves) -> Markup {
    let place = |place: Option<Place>| {
        html! {
            @match place {
                Some(place) => { (place.rank) " with " (points(place.points)) }
                None => { span class="soft" { "not on it" } }
            }
        }
    };
    let name = board.board.strip_prefix(seen.stream.as_str()).unwrap_or(&board.board).trim_start_matches('/');
    let table = html! {
        table {
            (heads(&["Team", "Rank before", "Rank after"]))
            tbody {
                @for each in &board.moves {
                    tr {
                        th scope="row" { (seen.team_name(&each.participant)) }
                        td { (place(each.before)) }
                        td { strong { (place(each.after)) } }
                    }
                }
            }
        }
    };
    html! { h3 { "On the board" @if !name.is_empty() { " of " (name) } } (scrolling("Who moves", &table)) }
}

fn adopting(
    seen: &ContestPage,
    context: &PageContext,
    wish: &RevisionForm,
    report: &RevisionReport,
) -> Markup {
    let RevisionForm { rulebook, task, video_id, points, answer } = wish;
    let fields = html! {
        (hidden("do", "adopt")) (hidden("seen", &report.position.to_string()))
        (hidden("rulebook", rulebook)) (hidden("task", task))
        (hidden("video_id", video_id)) (hidden("points", points)) (hidden("answer", answer))
        (FormField::text("reason", "Reason").help("Recorded, and shown to those it concerns").required().show("adopt"))
        button { "Adopt it" }
    };
    parts::form(context, &seen.place("/revisions"), &fields)
}
