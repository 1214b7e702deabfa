//! Countdown clocks of the running tasks, and the hints shown so far.

use assize_courts::contest::{HintKind, RoundView, TaskHint, TaskView};
use assize_kernel::Millis;
use maud::{Markup, html};

use super::ContestPage;
use crate::pages::parts::clock_text;

/// A clock for each running task, or the next task when none runs.
pub(super) fn clocks(seen: &ContestPage) -> Markup {
    let running: Vec<_> = running(seen).collect();
    let next = seen.view.tasks.iter().find(|task| task.round.is_none());
    html! {
        div class="clocks" {
            @for (task, round) in &running { (clock(seen, task, round)) }
            @if running.is_empty() {
                div class="clock" {
                    p class="what" { "No task is running" }
                    @if let Some(next) = next { p class="soft" { "Next: " strong { (next.task) } } }
                }
            }
        }
    }
}

/// The running tasks, each with its round.
pub(super) fn running(seen: &ContestPage) -> impl Iterator<Item = (&TaskView, &RoundView)> {
    let rounds = seen.view.tasks.iter().filter_map(|task| Some((task, task.round.as_ref()?)));
    rounds.filter(|(_, round)| round.running)
}

/// Rendered with the time left now; the script updates it.
fn clock(seen: &ContestPage, task: &TaskView, round: &RoundView) -> Markup {
    let begins = round.started_at.as_millis();
    let closes = round.closes_at.as_millis();
    let ends = closes - Millis::from_seconds(round.buffer_seconds).0;
    let now = seen.now.as_millis();
    let (phase, left) = match now {
        now if now < begins => (BEFORE, begins - now),
        now if now < ends => (RUNNING, ends - now),
        _ => (BUFFER, closes - now),
    };
    #[allow(clippy::cast_precision_loss, reason = "a part of a bar")]
    let done = ((now - begins) as f64 / (ends - begins).max(1) as f64).clamp(0.0, 1.0);
    let name = format!("{} {}", task.task, task.task_type.as_str());
    html! {
        div class="clock" data-begins=(begins) data-ends=(ends) data-closes=(closes)
            data-before=(BEFORE) data-running=(RUNNING) data-buffer=(BUFFER) data-over=(OVER) {
            p class="what" {
                strong { (name) } @if task.rehearsal { " rehearsal" } " " span data-phase { (phase) }
            }
            p class="left" role="timer" data-left { (clock_text(left + 999)) }
            progress max="1" value=(format!("{done:.3}")) aria-label=(format!("Time of {} that has passed", task.task)) {}
        }
    }
}

const BEFORE: &str = "starts in";
const RUNNING: &str = "time left";
const BUFFER: &str = "last answers";
const OVER: &str = "is over";

/// Hints of the running tasks shown so far.
pub(super) fn hints(seen: &ContestPage) -> Markup {
    let shown: Vec<_> = running(seen).flat_map(|(_, round)| &round.hints).collect();
    html! {
        @if !shown.is_empty() {
            h2 class="hidden" { "Hints" }
            ul class="hints" { @for each in shown { li { (hint(each)) } } }
        }
    }
}

/// Embeds images and videos of this server. Those of other hosts are linked, as the CSP forbids loading them.
pub(super) fn hint(hint: &TaskHint) -> Markup {
    let ours = hint.content.starts_with('/') && !hint.content.starts_with("//");
    match hint.kind {
        HintKind::Text => html! { (hint.content) },
        HintKind::Image if ours => {
            html! { img src=(hint.content) alt="A picture that helps to find the answer"; }
        }
        HintKind::Video if ours => html! { video src=(hint.content) controls preload="metadata" {} },
        HintKind::Image | HintKind::Video => html! {
            a href=(hint.content) rel="noreferrer noopener" target="_blank" { (hint.content) }
        },
    }
}
