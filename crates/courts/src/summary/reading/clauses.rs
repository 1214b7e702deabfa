//! Splitting of sentences into clauses and parts of clauses.

use std::ops::Range;

use super::text::{Sentence, TokenizedText};

/// Clauses with fewer content words are joined to their neighbours.
const CLAUSE_WORDS: usize = 4;
/// The same limit for parts of clauses.
const PART_WORDS: usize = 2;

/// A sentence, cut where another statement begins: at a semicolon, or at a comma and a conjunction.
pub(super) fn of(text: &TokenizedText<'_>, sentence: &Sentence) -> Vec<Range<usize>> {
    cut(text, sentence.tokens.clone(), CLAUSE_WORDS, |between, word| {
        between.contains(';') || between.contains(',') && is_one_of(&CONJUNCTIONS, word)
    })
}

/// A clause, cut finer: at every comma, bracket, colon or dash, and at every word that joins.
pub(super) fn parts(text: &TokenizedText<'_>, clause: Range<usize>) -> Vec<Range<usize>> {
    cut(text, clause, PART_WORDS, |between, word| {
        between.contains([',', '(', ':']) || between == " - " || is_one_of(&JOINING, word)
    })
}

const CONJUNCTIONS: [&str; 9] =
    ["and", "but", "while", "although", "though", "whereas", "who", "which", "before"];
const JOINING: [&str; 15] = [
    "and", "but", "or", "while", "although", "though", "whereas", "who", "which", "that", "because", "when",
    "where", "so", "if",
];

fn is_one_of(known: &[&str], word: &str) -> bool {
    word.len() <= 8 && known.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Cuts these tokens before each that `begins` another piece, by what stands between it and the one before and by its
/// word; not where a piece on either side would have fewer than `least` words that say something.
fn cut(
    text: &TokenizedText<'_>,
    tokens: Range<usize>,
    least: usize,
    begins: impl Fn(&str, &str) -> bool,
) -> Vec<Range<usize>> {
    let content = |range: Range<usize>| {
        text.tokens.get(range).unwrap_or_default().iter().filter(|token| token.is_content()).count()
    };
    let mut pieces = Vec::new();
    let mut start = tokens.start;
    let mut said = 0;
    let mut left = content(tokens.clone());
    for (at, pair) in text.tokens.get(tokens.clone()).unwrap_or_default().windows(2).enumerate() {
        let [before, token] = pair else { continue };
        let is_content = usize::from(before.is_content());
        said += is_content;
        left -= is_content;
        if left < least {
            break;
        }
        let between = || text.words(before.end as usize..token.start as usize);
        let word = || text.words(token.start as usize..token.end as usize);
        if said >= least && begins(between(), word()) {
            let end = tokens.start + at + 1;
            pieces.push(start..end);
            start = end;
            said = 0;
        }
    }
    pieces.push(start..tokens.end);
    pieces
}
