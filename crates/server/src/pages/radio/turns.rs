//! Turns of a session: the controller's call, the student's highlighted answer, its score and verdict.

use assize_courts::radio::{SessionView, TurnScore, TurnView};
use assize_kernel::{StreamId, Verdict};
use axum::Json;
use axum::extract::State;
use maud::{Markup, html};

use super::call::{CallDetail, marked, missing};
use super::class::share_of;
use super::overruling::overruling;
use super::progress::{DIMENSIONS, counts};
use crate::http::App;
use crate::http::access::Act;
use crate::http::caller::Caller;
use crate::http::path::PathParams;
use crate::http::records::read_record;
use crate::pages::guest::PageContext;
use crate::pages::layout::sentence;
use crate::pages::parts::time_of_day;
use crate::pages::why;

/// A turn, with its verdicts where the caller may read their records.
pub(super) struct JudgedTurn {
    pub(super) turn: TurnView,
    first: Option<Verdict>,
    /// The overruling's verdict, which counts instead.
    later: Option<Verdict>,
}

impl JudgedTurn {
    /// Detail of the first verdict, the only one with spans: an instructor marks no words.
    pub(super) fn heard(&self) -> CallDetail {
        read(self.first.as_ref())
    }

    /// Detail of the verdict that counts.
    pub(super) fn counts(&self) -> CallDetail {
        read(self.later.as_ref().or(self.first.as_ref()))
    }
}

fn read(verdict: Option<&Verdict>) -> CallDetail {
    verdict.and_then(|verdict| serde_json::from_value(verdict.detail.clone()).ok()).unwrap_or_default()
}

/// Loads the turns' verdicts; none for a record that the caller may not read.
pub(super) async fn judged(app: &App, view: &SessionView, caller: &Caller) -> Vec<JudgedTurn> {
    let mut turns = Vec::with_capacity(view.line.len());
    for turn in &view.line {
        let first = verdict(app, turn.position, caller).await;
        let later = match &turn.overruled {
            Some(overruled) => verdict(app, overruled.position, caller).await,
            None => None,
        };
        turns.push(JudgedTurn { turn: turn.clone(), first, later });
    }
    turns
}

async fn verdict(app: &App, position: u64, caller: &Caller) -> Option<Verdict> {
    let address = PathParams(position.to_string());
    let Json(record) = read_record(State(app.clone()), address, caller.clone()).await.ok()?;
    why::read(record.verdict.as_ref()?.get())
}

/// The turns, latest first.
pub(super) fn list(
    context: &PageContext,
    stream: &StreamId,
    view: &SessionView,
    turns: &[JudgedTurn],
    place: &str,
) -> Markup {
    let instructs = context.may(Act::OverruleTurn, stream);
    html! {
        ol class="turns" reversed {
            @for judged in turns.iter().rev() {
                li id=(format!("turn-{}", judged.turn.turn)) data-key=(judged.turn.turn) {
                    (one(judged, &view.callsign))
                    @if instructs { (overruling(context, judged, place)) }
                }
            }
        }
    }
}

/// One turn with everything about it.
pub(super) fn one(judged: &JudgedTurn, callsign: &str) -> Markup {
    let turn = &judged.turn;
    let heard = judged.heard();
    let score = counts(turn);
    html! {
        p class="soft small" { (time_of_day(turn.at)) " · " (turn.phase) }
        @if let Some(words) = turn.controller.as_ref().or(turn.cue.as_ref()) { p class="asked" { (words) } }
        p class="hidden" { (callsign) " answered:" }
        (marked(&turn.text, &heard))
        (missing(&heard))
        p class="score" {
            @if score.blocked { span class="badge wrong" { "say again" } } @else { span class="badge right" { "accepted" } }
            " " strong class="figure" { (signed(score.score_delta)) }
            @if score.safety_flag { " " span class="badge wrong" { "safety" } }
        }
        (dimensions(score))
        @if let Some(reason) = &heard.block_reason { p class="wrong-text" { (sentence(reason)) } }
        @if let Some(corrected) = heard.corrected.as_ref().filter(|_| turn.score.normalized < 1.0) { p { "It should have been: " q class="corrected" { (corrected) } } }
        @if let Some(overruled) = &turn.overruled {
            div class="note" { p { "An instructor saw it otherwise: " q { (overruled.reason) } " At first it was worth " (signed(turn.score.score_delta)) "." } }
        }
        @if let Some(verdict) = judged.later.as_ref().or(judged.first.as_ref()) {
            (why::folded(&html! { "Why" }, verdict, &format!("why-{}", turn.turn)))
        }
    }
}

/// The four dimensions, each with its share.
fn dimensions(score: &TurnScore) -> Markup {
    html! { dl class="gauges" { @for (name, of) in DIMENSIONS { @if let Some(share) = of(score) { dt { (name) } dd { (share_of(Some(share))) } } } } }
}

fn signed(delta: f64) -> String {
    if delta > 0.0 { format!("+{}", why::plain(delta)) } else { why::plain(delta).replace('-', "−") }
}
