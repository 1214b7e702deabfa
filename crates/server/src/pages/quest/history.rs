//! Match history of a hunter: every log with its badges, its XP and the steps to it.

use assize_courts::quest::LogView;
use axum::Json;
use axum::extract::State;
use maud::{Markup, html};

use super::{steps, words};
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::QueryParams;
use crate::http::quest::logs::{HistoryQuery, LogHistory, list_hunter_logs, read_hunter_log};
use crate::pages::guest::PageContext;
use crate::pages::parts::{empty, moment};
use crate::pages::why;

/// Page size; small because every log on a page is shown with its verdict.
const PAGE: u32 = 10;

/// A page of the history, from the query's offset.
pub(super) async fn history(
    app: &App,
    hunter: &str,
    mut which: HistoryQuery,
    context: &PageContext,
) -> Result<Markup, Problem> {
    which.window.at_most(PAGE);
    let first = which.window.offset();
    let address = PathParams(hunter.to_owned());
    let caller = context.require_caller().cloned();
    let Json(LogHistory { total, logs }) =
        list_hunter_logs(State(app.clone()), address, QueryParams(which), caller).await?;
    if logs.is_empty() {
        return Ok(empty("Nothing has been logged yet.", &html! { "Logs come in with the hunter's app." }));
    }
    let mut lines = Vec::with_capacity(logs.len());
    for log in &logs {
        lines.push(line(app, hunter, log, context).await?);
    }
    let next = first + logs.len();
    Ok(html! {
        ol class="matches" { @for line in lines { (line) } }
        @if next < total {
            p { a class="button second" href=(format!("/hunters/{hunter}?offset={next}")) { "Earlier" } " " span class="soft" { (total - next) " more" } }
        }
    })
}

async fn line(app: &App, hunter: &str, log: &LogView, context: &PageContext) -> Result<Markup, Problem> {
    let place = PathParams((hunter.to_owned(), log.quest.to_string()));
    let Json(shown) = read_hunter_log(State(app.clone()), place, context.require_caller().cloned()).await?;
    let verdict = why::read(shown.verdict.get());
    let id = format!("log-{}", log.quest);
    Ok(html! {
        li data-key=(log.quest) data-value=(log.xp) {
            div class="match" {
                a href=(format!("/hunters/{hunter}/logs/{}", log.quest)) { strong { (log.quest) } }
                span class="soft small" { (log.quest_type.as_str()) " · " (moment(log.at)) }
                span { (words::status(log)) " " (words::proof(log)) " " (words::doubts(log)) @if log.private { " " span class="badge" { "private" } } }
                span class="xp" { strong class="figure" { (log.xp) } " XP" }
            }
            @if let Some(verdict) = &verdict {
                details class="why" id=(id) { summary { "From base to final XP" } (steps::steps(verdict)) (why::reasons(verdict)) }
            }
        }
    })
}
