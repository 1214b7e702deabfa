//! Progress bars, hidden unless standard error is a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of `total` steps.
pub(crate) fn bar(total: u64, what: &'static str) -> ProgressBar {
    shown(ProgressBar::new(total), "{msg} {wide_bar} {human_pos}/{human_len} {eta}", what)
}

/// A counter, for an unknown number of steps.
pub(crate) fn count(what: &'static str) -> ProgressBar {
    shown(ProgressBar::no_length(), "{spinner} {msg} {human_pos}", what)
}

fn shown(bar: ProgressBar, template: &str, what: &'static str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = bar.with_message(what);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
