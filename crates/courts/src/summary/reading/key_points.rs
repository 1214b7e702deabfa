//! Key points of the article and their coverage by the summary.

use super::Reading;
use super::alignment::{ClaimAligner, words_of};
use super::index::ConceptMatch;
use super::passages::of_sentence;
use crate::summary::findings::{KeyPoint, PointCoverage};

/// Upper limits, inclusive, of the share of a point that counts as not covered and as partly covered.
const NOT: f64 = 0.25;
const PARTIAL: f64 = 0.75;

/// `met` says what each token of the article is in the summary.
pub(super) fn read(reading: &Reading<'_>, sentences: &[usize], met: &[ConceptMatch]) -> Vec<KeyPoint> {
    let mut aligner = ClaimAligner::new(&reading.summary, &reading.summary_index);
    let points = sentences.iter().filter_map(|number| reading.article.text.sentences.get(*number));
    let read = points.map(|sentence| {
        let tokens = reading.article.text.of(sentence);
        let met = met.get(sentence.tokens.clone()).unwrap_or_default();
        let carriers = aligner.carriers(&words_of(tokens, met));
        let coverage = match carriers.in_both {
            share if share <= NOT + 1e-9 => PointCoverage::Not,
            share if share <= PARTIAL + 1e-9 => PointCoverage::Partial,
            _ => PointCoverage::Fully,
        };
        let found = carriers.sentences.iter().filter_map(|number| reading.summary.sentences.get(*number));
        let evidence = found.filter(|_| coverage != PointCoverage::Not);
        KeyPoint {
            point: of_sentence(&reading.article.text, sentence),
            coverage,
            evidence: evidence.map(|sentence| of_sentence(&reading.summary, sentence)).collect(),
        }
    });
    read.collect()
}
