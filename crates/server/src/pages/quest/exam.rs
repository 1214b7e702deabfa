//! Exam of a hunter: offered, running with a countdown, or waiting to be granted.

use assize_courts::quest::{ExamView, HunterView};
use assize_kernel::Moment;
use maud::{Markup, html};

use crate::pages::countdown::{CountdownLabels, countdown};
use crate::pages::guest::PageContext;
use crate::pages::parts::{self, empty, hidden, moment};

/// The exam; empty when none is offered or running.
pub(super) fn exam(context: &PageContext, hunter: &HunterView, own: bool, now: Moment) -> Markup {
    match (&hunter.exam, hunter.exam_offered) {
        (Some(exam), _) => {
            html! { h2 { "Exam for rank " (exam.to_rank.as_str()) } (under_way(exam, own, now)) }
        }
        (None, Some(rank)) => html! {
            h2 { "Exam for rank " (rank.as_str()) }
            @if own { (accepting(context, hunter)) } @else { p { "It is offered and has not been accepted yet." } }
        },
        (None, None) => html! {},
    }
}

fn accepting(context: &PageContext, hunter: &HunterView) -> Markup {
    let id = format!("exam-{}-{}", hunter.rank.as_str(), hunter.logs).to_lowercase();
    let form =
        html! { (hidden("do", "accept-exam")) (hidden("id", &id)) button { "Accept it: the clock starts" } };
    empty(
        "You have reached the level for it.",
        &html! {
            "From then on you have a day. A hand sign is drawn for this attempt, to be seen in the proof. "
            (parts::inline_form(context, &format!("/hunters/{}", hunter.hunter), &form))
        },
    )
}

fn under_way(exam: &ExamView, own: bool, now: Moment) -> Markup {
    html! {
        @if exam.pending {
            @match exam.grant_at {
                Some(at) => {
                    (countdown(&CountdownLabels { what: "Granted by itself", running: "in", over: "at any moment" }, exam.accepted_at, at, now))
                    p { "It was submitted and passed every check. Unless somebody doubts it, it is granted " (moment(at)) "; a judge may do so earlier." }
                }
                None => {
                    div class="note" { p { "It was submitted, and somebody doubts it: a judge looks at it before anything is decided." } }
                }
            }
        } @else {
            (countdown(&CountdownLabels { what: "To be submitted", running: "within", over: "is over" }, exam.accepted_at, exam.due, now))
            @if own { p { "Record it, show both signs at the start, and submit the log of quest " code { (exam.quest) } " with your app." } }
        }
        dl class="facts" {
            dt { "Quest" } dd { (exam.quest) }
            dt { "Sign of the exam" } dd { (exam.hand_sign) }
            dt { "Sign drawn for this attempt" } dd { (exam.drawn_sign) }
            dt { "Accepted" } dd { (moment(exam.accepted_at)) }
        }
    }
}
