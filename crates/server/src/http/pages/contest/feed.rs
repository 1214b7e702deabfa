//! What has happened lately, in the words that everybody may hear: who tried and what came of it, never an answer.

use std::ops::ControlFlow;

use assize_kernel::{Audience, Moment};
use assize_ledger::{Depth, Scan};
use maud::{Markup, html};
use serde_json::Value;

use super::Seen;
use crate::http::pages::parts::{points, time_of_day};
use crate::http::problem::Problem;
use crate::http::{App, blocking};

/// So many records are looked through for it.
const LOOKED_THROUGH: u64 = 300;
const SHOWN: usize = 16;

/// Something that everybody may know.
pub(super) struct News {
    position: u64,
    at: Moment,
    told: Value,
}

/// The latest first.
pub(super) async fn news(app: &App, seen: &Seen) -> Result<Vec<News>, Problem> {
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
            news.extend(told.map(|told| News { position: record.position, at: record.at, told }));
            ControlFlow::Continue(())
        })?;
        news.reverse();
        Ok(news)
    };
    blocking(app, look).await
}

/// The list, and the latest of it for whoever listens to the page.
pub(super) fn feed(seen: &Seen, news: &[News]) -> Markup {
    let lines = news.iter().filter_map(|each| Some((each, line(seen, &each.told)?))).take(SHOWN);
    html! {
        ol class="feed" reversed {
            @for (each, line) in lines {
                li data-key=(format!("news-{}", each.position)) { (time_of_day(each.at)) (line) }
            }
        }
    }
}

/// The latest in words, for screen readers.
pub(super) fn latest(seen: &Seen, news: &[News]) -> Markup {
    let line = news.iter().find_map(|each| line(seen, &each.told));
    html! { @if let Some(line) = line { (line) } }
}

/// None for what is not worth a line in the hall.
fn line(seen: &Seen, told: &Value) -> Option<Markup> {
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

/// While the board is frozen it is not said what came of it.
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
