//! Printable debrief of a session: result, most frequent errors, all turns in order, and room for remarks.

use std::collections::BTreeMap;

use assize_courts::radio::SessionSummary;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::class::{outcome, share_of};
use super::progress::over_time;
use super::turns::{JudgedTurn, judged, one};
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::radio::sessions::seen_session;
use crate::pages::guest::PageContext;
use crate::pages::layout::HtmlPage;
use crate::pages::parts::{clock_text, moment, scrolling};
use crate::pages::why::plain;

/// Shows the debrief of a session.
pub(crate) async fn read_debrief(
    State(app): State<App>,
    PathParams((class, session)): PathParams<(String, String)>,
    context: PageContext,
) -> Result<Response, Problem> {
    let caller = context.require_caller()?;
    let view = seen_session(&app, &class, &session, caller).await?;
    let turns = judged(&app, &view, caller).await;
    let place = format!("/radio/{class}/sessions/{session}");
    let content = html! {
        p class="small unprinted" { a href=(place) { "The session" } }
        h1 { "Debrief: " (view.title) }
        p class="lead" { (view.callsign) ", " (view.aircraft) ", " (view.airfield) ", runway " (view.runway) "; " (view.weather) }
        (facts(&class, &view.summary))
        p class="unprinted" data-needs-script hidden { button type="button" class="second" data-print { "Print" } }
        (over_time(&view))
        (most_often(&turns))
        h2 { "Turn by turn" }
        ol class="turns" { @for judged in &turns { li { (one(judged, &view.callsign)) } } }
        h2 { "Remarks" }
        div class="remarks" {}
    };
    Ok(HtmlPage::new(&context, format!("Debrief of {session}")).show(&content))
}

fn facts(class: &str, session: &SessionSummary) -> Markup {
    let took = session.total_time.map(|took| clock_text(assize_kernel::Millis::from_seconds(took).0));
    html! {
        dl class="facts" {
            dt { "Student" } dd { (session.student) }
            dt { "Class" } dd { (class) }
            dt { "Begun" } dd { (moment(session.opened_at)) }
            @if let Some(took) = took { dt { "Took" } dd { (took) } }
            dt { "Outcome" } dd { (outcome(session.outcome)) }
            dt { "Points" } dd { strong { (plain(session.score_total)) } " in " (session.turns) " turns, " (session.retries) " said again" }
            dt { "How well" } dd { (share_of(session.average_normalized)) }
        }
    }
}

/// Errors by frequency, from the first verdict of each turn; overrulings are not considered.
fn most_often(turns: &[JudgedTurn]) -> Markup {
    let mut times: BTreeMap<(String, String), usize> = BTreeMap::new();
    for judged in turns {
        for wrong in judged.heard().wrongs() {
            *times.entry(wrong).or_default() += 1;
        }
    }
    let mut ordered: Vec<_> = times.into_iter().collect();
    ordered.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let table = html! {
        table {
            thead { tr { th scope="col" { "What" } th scope="col" { "How" } th scope="col" class="number" { "Times" } } }
            tbody { @for ((item, kind), times) in &ordered { tr { th scope="row" { (item) } td { (kind) } td class="number" { (times) } } } }
        }
    };
    html! {
        h2 { "To work on" }
        @if ordered.is_empty() { p { "Nothing was wrong in any call." } } @else { (scrolling("To work on", &table)) }
    }
}
