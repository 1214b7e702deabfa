//! A match history: every log with its badges, what it earned, and the steps to that.

use assize_courts::quest::LogView;
use axum::Json;
use axum::extract::State;
use maud::{Markup, html};

use super::{steps, words};
use crate::http::App;
use crate::http::address::Address;
use crate::http::hunters::logs::{History, Which, list_hunter_logs, read_hunter_log};
use crate::http::pages::guest::Guest;
use crate::http::pages::parts::{empty, moment};
use crate::http::pages::why;
use crate::http::problem::Problem;
use crate::http::query::Asked;

/// So many on a page: each is reckoned through.
const PAGE: u32 = 10;

/// A page of it, from the query's offset on.
pub(super) async fn history(
    app: &App,
    hunter: &str,
    mut which: Which,
    guest: &Guest,
) -> Result<Markup, Problem> {
    which.window.at_most(PAGE);
    let first = which.window.offset();
    let address = Address(hunter.to_owned());
    let caller = guest.must_be_known().cloned();
    let Json(History { total, logs }) =
        list_hunter_logs(State(app.clone()), address, Asked(which), caller).await?;
    if logs.is_empty() {
        return Ok(empty("Nothing has been logged yet.", &html! { "Logs come in with the hunter's app." }));
    }
    let mut lines = Vec::with_capacity(logs.len());
    for log in &logs {
        lines.push(line(app, hunter, log, guest).await?);
    }
    let next = first + logs.len();
    Ok(html! {
        ol class="matches" { @for line in lines { (line) } }
        @if next < total {
            p { a class="button second" href=(format!("/hunters/{hunter}?offset={next}")) { "Earlier" } " " span class="soft" { (total - next) " more" } }
        }
    })
}

async fn line(app: &App, hunter: &str, log: &LogView, guest: &Guest) -> Result<Markup, Problem> {
    let place = Address((hunter.to_owned(), log.quest.to_string()));
    let Json(shown) = read_hunter_log(State(app.clone()), place, guest.must_be_known().cloned()).await?;
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
