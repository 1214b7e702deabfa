//! The key points of the article, and how much of each the summary has.

use super::Reading;
use super::alignment::{Aligner, words_of};
use super::index::Met;
use super::passages::of_sentence;
use crate::summary::findings::{Coverage, KeyPoint};

/// Up to this share a point is not covered, up to the next in part: on the edge, the lower.
const NOT: f64 = 0.25;
const PARTIAL: f64 = 0.75;

/// `met` says what each token of the article is in the summary.
pub(super) fn read(reading: &Reading<'_>, sentences: &[usize], met: &[Met]) -> Vec<KeyPoint> {
    let mut aligner = Aligner::new(&reading.summary, &reading.summary_index);
    let points = sentences.iter().filter_map(|number| reading.article.text.sentences.get(*number));
    let read = points.map(|sentence| {
        let tokens = reading.article.text.of(sentence);
        let met = met.get(sentence.tokens.clone()).unwrap_or_default();
        let carriers = aligner.carriers(&words_of(tokens, met));
        let coverage = match carriers.in_both {
            share if share <= NOT + 1e-9 => Coverage::Not,
            share if share <= PARTIAL + 1e-9 => Coverage::Partial,
            _ => Coverage::Fully,
        };
        let found = carriers.sentences.iter().filter_map(|number| reading.summary.sentences.get(*number));
        let evidence = found.filter(|_| coverage != Coverage::Not);
        KeyPoint {
            point: of_sentence(&reading.article.text, sentence),
            coverage,
            evidence: evidence.map(|sentence| of_sentence(&reading.summary, sentence)).collect(),
        }
    });
    read.collect()
}
