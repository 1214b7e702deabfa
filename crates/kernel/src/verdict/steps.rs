//! A derivation that is written as JSON while it is computed: most of it is constant text.

use super::Input;
use super::json::{Derivation, write_input};
use crate::json_writer::JsonWriter;

/// The steps of a derivation as JSON; [`step!`](crate::step) adds one.
#[derive(Debug)]
pub struct Steps(JsonWriter);

impl Steps {
    /// No steps yet, with capacity for about `steps`.
    #[must_use]
    pub fn with_room(steps: usize) -> Self {
        Self(JsonWriter::with_room(192 * steps))
    }

    /// Writes a step: the constant text before each input, the inputs, and the value.
    pub fn add<const N: usize>(&mut self, before: [&'static str; N], inputs: [Input; N], value: f64) {
        let Self(out) = self;
        out.put(if out.as_str().is_empty() { "[" } else { "," });
        for (before, input) in before.into_iter().zip(&inputs) {
            write_input(out.put(before), input);
        }
        out.put("},\"value\":").number(value);
        out.put("}");
    }
}

impl Derivation for Steps {
    fn room(&self) -> usize {
        self.0.as_str().len()
    }

    fn write(&self, out: &mut JsonWriter) {
        let written = self.0.as_str();
        out.put(if written.is_empty() { "[" } else { written }).put("]");
    }
}

/// Adds a step to [`Steps`]: its name, its formula, its inputs in the order of the formula, and the value.
/// Names and formulas are not escaped, so they must not contain quotation marks or backslashes.
#[macro_export]
macro_rules! step {
    ($steps:expr, $term:literal, $formula:literal,
     { $first:literal: $input:expr $(, $other:literal: $next:expr)* $(,)? }, $value:expr) => {
        $steps.add(
            [
                concat!("{\"term\":\"", $term, "\",\"formula\":\"", $formula, "\",\"inputs\":{\"", $first, "\":"),
                $(concat!(",\"", $other, "\":")),*
            ],
            [$crate::Input::from($input) $(, $crate::Input::from($next))*],
            $value,
        )
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Term;

    #[test]
    fn steps_are_written_as_terms_are() {
        let mut steps = Steps::with_room(0);
        crate::step!(steps, "share", "matched ÷ all", { "matched": 3_u32, "all": 4_u32, "task": "TR" }, 0.75);
        crate::step!(steps, "points", "share × most", { "share": 0.75 }, 7.0);
        let inputs = [("matched", 3_u32.into()), ("all", 4_u32.into()), ("task", "TR".into())];
        let terms = vec![
            Term::new("share", "matched ÷ all", inputs, 0.75),
            Term::new("points", "share × most", [("share", 0.75.into())], 7.0),
        ];
        let mut out = JsonWriter::default();
        steps.write(&mut out);
        assert_eq!(out.as_str(), serde_json::to_string(&terms).unwrap());
    }

    #[test]
    fn no_steps_are_an_empty_list() {
        let mut out = JsonWriter::default();
        Steps::with_room(0).write(&mut out);
        assert_eq!(out.as_str(), "[]");
    }
}
