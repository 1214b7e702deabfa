//! A progress bar on a terminal, silence in a pipe.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of `total` steps; hidden when nobody would see it.
pub(crate) fn bar(total: u64, what: &'static str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} {eta}");
    let bar = ProgressBar::new(total).with_message(what);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
