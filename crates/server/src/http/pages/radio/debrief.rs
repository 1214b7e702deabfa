//! A session on paper, for the talk after it: how it went, what went wrong most often, every turn in its order, and
//! room for remarks.

use std::collections::BTreeMap;

use assize_courts::radio::SessionSummary;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::class::{outcome, share_of};
use super::progress::over_time;
use super::turns::{Judged, judged, one};
use crate::http::App;
use crate::http::address::Address;
use crate::http::pages::guest::Guest;
use crate::http::pages::layout::Page;
use crate::http::pages::parts::{clock_text, moment, scrolling};
use crate::http::pages::why::plain;
use crate::http::problem::Problem;
use crate::http::radio::sessions::seen_session;

/// The debrief of a session.
pub(in crate::http) async fn read_debrief(
    State(app): State<App>,
    Address((class, session)): Address<(String, String)>,
    guest: Guest,
) -> Result<Response, Problem> {
    let caller = guest.must_be_known()?;
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
    Ok(Page::new(&guest, format!("Debrief of {session}")).show(&content))
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

/// What was wrong, the most frequent first; as it was first heard, whatever was seen otherwise later.
fn most_often(turns: &[Judged]) -> Markup {
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
