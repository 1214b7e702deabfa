//! Where one statement of a sentence ends and another begins.

use std::ops::Range;

use super::text::{Sentence, Text};

/// Clauses with fewer words that say something stay with their neighbours.
const CLAUSE_WORDS: usize = 4;
/// And so do parts of clauses.
const PART_WORDS: usize = 2;

/// A sentence, cut where another statement begins: at a semicolon, or at a comma and a conjunction.
pub(super) fn of(text: &Text<'_>, sentence: &Sentence) -> Vec<Range<usize>> {
    cut(text, sentence.tokens.clone(), CLAUSE_WORDS, |between, word| {
        between.contains(';') || between.contains(',') && is_one_of(&CONJUNCTIONS, word)
    })
}

/// A clause, cut finer: at every comma, bracket, colon or dash, and at every word that joins.
pub(super) fn parts(text: &Text<'_>, clause: Range<usize>) -> Vec<Range<usize>> {
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
    text: &Text<'_>,
    tokens: Range<usize>,
    least: usize,
    begins: impl Fn(&str, &str) -> bool,
) -> Vec<Range<usize>> {
    let content = |range: Range<usize>| {
        text.tokens.get(range).unwrap_or_default().iter().filter(|token| token.is_content()).count()
    };
    let mut pieces = Vec::new();
    let (mut start, mut said, mut left) = (tokens.start, 0, content(tokens.clone()));
    for (at, pair) in text.tokens.get(tokens.clone()).unwrap_or_default().windows(2).enumerate() {
        let [before, token] = pair else { continue };
        let is_content = usize::from(before.is_content());
        (said, left) = (said + is_content, left - is_content);
        if left < least {
            break;
        }
        let between = || text.words(before.end as usize..token.start as usize);
        let word = || text.words(token.start as usize..token.end as usize);
        if said >= least && begins(between(), word()) {
            let end = tokens.start + at + 1;
            pieces.push(start..end);
            (start, said) = (end, 0);
        }
    }
    pieces.push(start..tokens.end);
    pieces
}
