//! Segments of the summary and their overlap with the article.

use std::ops::Range;

use super::copies::CopiedSentences;
use super::index::ConceptIndex;
use super::passages::{of_tokens, words_of_tokens};
use super::table::length;
use super::text::TokenizedText;
use crate::summary::findings::Segment;

/// Shorter segments are ignored.
const LEAST_TOKENS: usize = 6;

/// The segments, and whether all were too short so that the whole summary is one.
pub(super) fn read(
    summary: &TokenizedText<'_>,
    index: &ConceptIndex,
    copies: &CopiedSentences,
) -> (Vec<Segment>, bool) {
    let parts = parts(summary);
    let long = |part: &Range<usize>| is_long(summary, part);
    let segments: Vec<Segment> =
        parts.into_iter().filter(long).map(|part| segment(summary, part, index, copies)).collect();
    if segments.is_empty() {
        return (vec![segment(summary, 0..summary.tokens.len(), index, copies)], true);
    }
    (segments, false)
}

/// Cut at full stops, semicolons and line breaks.
fn parts(summary: &TokenizedText<'_>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for sentence in &summary.sentences {
        for at in sentence.tokens.clone().skip(1) {
            let before = at.checked_sub(1).and_then(|before| summary.tokens.get(before));
            let between = before.zip(summary.tokens.get(at)).map(|(before, token)| before.end..token.start);
            let between = between.map(|bytes| summary.words(bytes.start as usize..bytes.end as usize));
            if between.is_some_and(|between| between.contains(';')) {
                parts.push(start..at);
                start = at;
            }
        }
        // An exclamation or a question goes on to the next full stop.
        if !summary.words(sentence.bytes.clone()).ends_with(['!', '?']) {
            parts.push(start..sentence.tokens.end);
            start = sentence.tokens.end;
        }
    }
    parts.push(start..summary.tokens.len());
    parts.retain(|part| !part.is_empty());
    parts
}

fn is_long(summary: &TokenizedText<'_>, part: &Range<usize>) -> bool {
    words_of_tokens(summary, part.clone()).split_whitespace().nth(LEAST_TOKENS - 1).is_some()
}

fn segment(
    summary: &TokenizedText<'_>,
    part: Range<usize>,
    index: &ConceptIndex,
    copies: &CopiedSentences,
) -> Segment {
    let mut seen = Vec::new();
    let mut shared = 0_u32;
    for token in summary.tokens.get(part.clone()).unwrap_or_default() {
        if token.is_content() && !seen.contains(&token.concept) {
            seen.push(token.concept);
            shared += u32::from(!index.places(token.concept).is_empty());
        }
    }
    let own = length(seen.len());
    let all = length(index.distinct()) + own - shared;
    let share = |of: u32| if of == 0 { 0.0 } else { f64::from(shared) / f64::from(of) };
    // Copied function words count neither for nor against the overlap.
    let containment = if copies.has(part.clone()) { 1.0 } else { share(own) };
    Segment { segment: of_tokens(summary, part), containment, jaccard: share(all) }
}
