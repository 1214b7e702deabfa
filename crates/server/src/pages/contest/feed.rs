//! Event feed of a contest, built from public notices: attempts and their outcomes, never answers.

use std::ops::ControlFlow;

use assize_kernel::{Audience, Moment};
use assize_ledger::{Depth, Scan};
use maud::{Markup, html};
use serde_json::Value;

use super::ContestPage;
use crate::http::problem::Problem;
use crate::http::{App, blocking};
use crate::pages::parts::{points, time_of_day};

/// How many of the latest records are scanned.
const LOOKED_THROUGH: u64 = 300;
const SHOWN: usize = 16;

/// A public notice, with the position and time of its record.
pub(super) struct FeedEntry {
    position: u64,
    at: Moment,
    told: Value,
}

/// The public notices, latest first.
pub(super) async fn news(app: &App, seen: &ContestPage) -> Result<Vec<FeedEntry>, Problem> {
    let stream = seen.stream.clone();
    let look = move |app: &App| {
        let Some(court) = app.courts.get(stream.court()) else { return Ok(Vec::new()) };
        let after = app.ledger.version(stream.as_str())?.saturating_sub(LOOKED_THROUGH);
        let scan = Scan { stream: Some(stream.as_str()), after, limit: LOOKED_THROUGH, depth: Depth::Facts };
        let mut news = Vec::new();
        app.ledger.scan(scan, &mut |record| {
            let notice = court.notice(&record).ok().flatten();
            let notice = notice.filter(|notice| notice.audience == Audience::Everyone);
            let told = notice.and_then(|notice| serde_json::from_str(&notice.data).ok());
            news.extend(told.map(|told| FeedEntry { position: record.position, at: record.at, told }));
            ControlFlow::Continue(())
        })?;
        news.reverse();
        Ok(news)
    };
    blocking(app, look).await
}

/// The feed as a list.
pub(super) fn feed(seen: &ContestPage, news: &[FeedEntry]) -> Markup {
    let lines = news.iter().filter_map(|each| Some((each, line(seen, &each.told)?))).take(SHOWN);
    html! {
        ol class="feed" reversed {
            @for (each, line) in lines {
                li data-key=(format!("news-{}", each.position)) { (time_of_day(each.at)) (line) }
            }
        }
    }
}

/// The latest entry, announced by screen readers.
pub(super) fn latest(seen: &ContestPage, news: &[FeedEntry]) -> Markup {
    let line = news.iter().find_map(|each| line(seen, &each.told));
    html! { @if let Some(line) = line { (line) } }
}

/// The text of a notice; none for kinds that the feed leaves out.
fn line(seen: &ContestPage, told: &Value) -> Option<Markup> {
    let text = |name: &str| told.get(name).and_then(Value::as_str).unwrap_or_default();
    let team = seen.team_name(text("team"));
    let plain = |line: Markup| Some(html! { span class="aside" { (line) } span {} });
    match text("kind") {
        "AnswerJudged" => Some(attempt(team, text("task"), told)),
        "TaskStarted" => plain(html! { strong { (text("task")) } " started" }),
        "TaskStopped" => plain(html! { strong { (text("task")) } " was stopped" }),
        "TaskClosed" => plain(html! { strong { (text("task")) } " is over" }),
        "TaskAdjusted" => {
            let by = told.get("by_seconds").and_then(Value::as_f64).unwrap_or_default();
            let longer = if by < 0.0 { "shorter" } else { "longer" };
            plain(html! { strong { (text("task")) } " runs " (by.abs()) " s " (longer) })
        }
        "HintShown" => plain(html! { "A hint for " strong { (text("task")) } }),
        "BoardsFrozen" => plain(html! { "The board is frozen" }),
        "BoardsUnfrozen" => plain(html! { "The board shows everything again" }),
        "TeamRevealed" => plain(html! { strong { (team) } " is revealed" }),
        "TeamRegistered" => plain(html! { strong { (team) } " takes part" }),
        "HistoryRevised" => plain(html! { "Earlier verdicts were revised" }),
        _ => None,
    }
}

/// An attempt; while the board is frozen the notice has no outcome.
fn attempt(team: &str, task: &str, told: &Value) -> Markup {
    let outcome = told.get("outcome").and_then(Value::as_str);
    let earned = told.get("points").and_then(Value::as_f64);
    html! {
        span { strong { (team) } " " span class="soft" { (task) } }
        @match (outcome, earned) {
            (Some("full" | "partial"), Some(earned)) if earned > 0.0 => { span class="badge right" { "+" (points(earned)) } }
            (Some("full" | "partial"), _) => { span class="badge right" { "right" } }
            (Some("incorrect"), _) => { span class="badge" { "wrong" } }
            (Some("undecided"), _) => { span class="badge" { "undecided" } }
            _ => { span class="badge" { "tried" } }
        }
    }
}
