//! Countdown clock: rendered with the time left now, updated by the script.

use assize_kernel::Moment;
use maud::{Markup, html};

use super::parts::clock_text;

/// Labels beside the clock.
pub(super) struct CountdownLabels<'a> {
    pub(super) what: &'a str,
    pub(super) running: &'a str,
    pub(super) over: &'a str,
}

/// Renders a countdown from `begins` to `ends`.
pub(super) fn countdown(said: &CountdownLabels<'_>, begins: Moment, ends: Moment, now: Moment) -> Markup {
    let begins = begins.as_millis();
    let ends = ends.as_millis();
    let now = now.as_millis();
    #[allow(clippy::cast_precision_loss, reason = "a part of a bar")]
    let done = ((now - begins) as f64 / (ends - begins).max(1) as f64).clamp(0.0, 1.0);
    let left = if now < ends { clock_text(ends - now + 999) } else { clock_text(0) };
    let phase = if now < ends { said.running } else { said.over };
    html! {
        div class="clock" data-begins=(begins) data-ends=(ends) data-closes=(ends)
            data-before="" data-running=(said.running) data-buffer=(said.over) data-over=(said.over) {
            p class="what" { strong { (said.what) } " " span data-phase { (phase) } }
            p class="left" role="timer" data-left { (left) }
            progress max="1" value=(format!("{done:.3}")) aria-label=(format!("{}: time that has passed", said.what)) {}
        }
    }
}
