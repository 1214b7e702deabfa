//! Components shared by pages: forms and fields, numbers, times, scrollable tables, empty states.

use assize_kernel::Moment;
use maud::{Markup, html};

use super::guest::PageContext;
use crate::http::tokens::new_secret;

/// A POST form with CSRF token and idempotency key, so that submitting it twice has one effect.
pub(super) fn form(context: &PageContext, action: &str, content: &Markup) -> Markup {
    html! {
        form method="post" action=(action) data-quiet {
            (hidden_csrf(context)) (once()) (content)
        }
    }
}

/// The same, displayed inline.
pub(super) fn inline_form(context: &PageContext, action: &str, content: &Markup) -> Markup {
    html! {
        form class="inline" method="post" action=(action) data-quiet {
            (hidden_csrf(context)) (once()) (content)
        }
    }
}

/// A hidden field.
pub(super) fn hidden(name: &str, value: &str) -> Markup {
    html! { input type="hidden" name=(name) value=(value); }
}

/// The CSRF token as a hidden field.
pub(super) fn hidden_csrf(context: &PageContext) -> Markup {
    html! { @if let Some(csrf) = &context.csrf { input type="hidden" name="csrf" value=(csrf.reveal()); } }
}

/// A new idempotency key as a hidden field.
fn once() -> Markup {
    let key = new_secret().map(|secret| secret.reveal().to_owned());
    html! { @if let Ok(key) = key { input type="hidden" name="once" value=(key); } }
}

/// An input field with label and help text.
pub(super) struct FormField<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) kind: &'a str,
    pub(super) value: &'a str,
    pub(super) help: &'a str,
    pub(super) required: bool,
}

impl<'a> FormField<'a> {
    pub(super) const fn text(name: &'a str, label: &'a str) -> Self {
        Self { name, label, kind: "text", value: "", help: "", required: false }
    }

    pub(super) const fn number(name: &'a str, label: &'a str) -> Self {
        Self { kind: "number", ..Self::text(name, label) }
    }

    pub(super) const fn value(self, value: &'a str) -> Self {
        Self { value, ..self }
    }

    pub(super) const fn help(self, help: &'a str) -> Self {
        Self { help, ..self }
    }

    pub(super) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// `within` is the prefix of the id, which must be unique on the page.
    pub(super) fn show(&self, within: &str) -> Markup {
        let id = format!("{within}-{}", self.name);
        let help = (!self.help.is_empty()).then(|| format!("{id}-help"));
        let value = Some(self.value).filter(|value| !value.is_empty());
        let step = (self.kind == "number").then_some("any");
        html! {
            div class="field" {
                label for=(id) { (self.label) }
                input id=(id) name=(self.name) type=(self.kind) value=[value] step=[step] required[self.required]
                    autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby=[help.as_deref()];
                @if let Some(help) = help { p class="help" id=(help) { (self.help) } }
            }
        }
    }
}

/// A select field.
pub(super) fn choice(
    within: &str,
    name: &str,
    label: &str,
    options: &[(&str, &str)],
    chosen: &str,
) -> Markup {
    let id = format!("{within}-{name}");
    html! {
        div class="field" {
            label for=(id) { (label) }
            select id=(id) name=(name) {
                @for (value, shown) in options {
                    option value=(value) selected[*value == chosen] { (shown) }
                }
            }
        }
    }
}

/// Empty state of a list, with what to do next.
pub(super) fn empty(what: &str, next: &Markup) -> Markup {
    html! { div class="empty" { p { strong { (what) } } p { (next) } } }
}

/// A scrollable region for a wide table; focusable, so that the keyboard can scroll it.
pub(super) fn scrolling(label: &str, table: &Markup) -> Markup {
    html! { div class="scrolling" role="region" aria-label=(label) tabindex="0" { (table) } }
}

/// Table header; `#Points` is a numeric column.
pub(super) fn heads(names: &[&str]) -> Markup {
    html! {
        thead { tr {
            @for name in names {
                @match name.strip_prefix('#') {
                    Some(name) => { th scope="col" class="number" { (name) } }
                    None => { th scope="col" { (name) } }
                }
            }
        } }
    }
}

/// Date and time in UTC; the script converts them to local time.
pub(super) fn moment(at: Moment) -> Markup {
    let text = at.to_string();
    let shown = text.get(..19).map_or_else(|| text.clone(), |text| format!("{} UTC", text.replace('T', " ")));
    html! { time datetime=(text) data-local="full" { (shown) } }
}

/// Time of day in UTC; the script converts it to local time.
pub(super) fn time_of_day(at: Moment) -> Markup {
    let text = at.to_string();
    let shown = text.get(11..19).unwrap_or_default().to_owned();
    html! { time datetime=(text) data-local="time" { (shown) } }
}

/// A duration as a clock shows it: `4:05`, `1:00:00`.
pub(super) fn clock_text(millis: i64) -> String {
    let seconds = millis.max(0) / 1000;
    let hours = seconds / 3600;
    let minutes = seconds / 60 % 60;
    let seconds = seconds % 60;
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// A duration with tenths of a second, which break ties.
pub(super) fn taken_text(millis: i64) -> String {
    format!("{}.{}", clock_text(millis), millis.max(0) / 100 % 10)
}

/// Points with one decimal, or with two where one would round.
pub(super) fn points(value: f64) -> String {
    let tenths = value * 10.0;
    if (tenths - tenths.round()).abs() < 1e-6 { format!("{value:.1}") } else { format!("{value:.2}") }
}

/// A count with its noun: `1 team`, `2 teams`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_read_like_a_clock() {
        let shown = [0, 999, 1_000, 65_000, 3_600_000, -5].map(clock_text);
        assert_eq!(shown, ["0:00", "0:00", "0:01", "1:05", "1:00:00", "0:00"]);
    }

    #[test]
    fn times_that_break_ties_show_tenths() {
        assert_eq!([0, 1_340, 65_999].map(taken_text), ["0:00.0", "0:01.3", "1:05.9"]);
    }

    #[test]
    fn points_have_as_many_decimals_as_they_need() {
        assert_eq!([97.5, 100.0, 99.99, 0.0].map(points), ["97.5", "100.0", "99.99", "0.0"]);
    }
}
