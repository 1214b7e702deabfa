//! Property tests: the parser accepts any text.

use proptest::prelude::*;

use super::classes;
use crate::radio::reading::{ParsedExchange, read_exchange};

/// Radio keywords, to reach deeper than random text does.
const WORDS: [&str; 34] = [
    "runway", "left", "right", "two", "7", "118.35", "thousand", "hundred", "decimal", "FL", "heading",
    "squawk", "Alpha", "cleared", "to", "land", "take", "off", "behind", "the", "via", "holding", "point",
    ",", ".", "Swiss", "go", "around", "ninety", "wind", "knots", "VH-ABC", "27L", "or",
];

fn spans_are_inside(read: &ParsedExchange, controller: &str, pilot: &str) {
    for (call, text) in [(&read.controller, controller), (&read.pilot, pilot)] {
        for item in &call.items {
            assert!(text.get(item.span.0..item.span.1).is_some(), "{:?} in `{text}`", item.span);
        }
    }
    for finding in &read.findings {
        assert!(pilot.get(finding.span.0..finding.span.1).is_some(), "{:?} in `{pilot}`", finding.span);
    }
}

proptest! {
    #[test]
    fn any_text_is_read(controller in "\\PC{0,200}", pilot in "\\PC{0,200}") {
        spans_are_inside(&read_exchange(&classes(), &controller, &pilot), &controller, &pilot);
    }

    #[test]
    fn any_row_of_words_is_read(
        controller in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..60),
        pilot in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..60),
    ) {
        let controller = controller.join(" ");
        let pilot = pilot.join(" ");
        spans_are_inside(&read_exchange(&classes(), &controller, &pilot), &controller, &pilot);
    }

    #[test]
    fn a_readback_of_itself_is_never_a_wrong_value(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..40)) {
        let text = words.join(" ");
        let read = read_exchange(&classes(), &text, &text);
        let wrong = read.findings.iter().find(|finding| finding.kind.name() == "left_right");
        prop_assert!(wrong.is_none(), "{wrong:?} in `{text}`");
    }
}
