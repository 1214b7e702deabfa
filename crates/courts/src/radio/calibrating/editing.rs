//! Text editing at byte spans, for seeding errors.

/// A word or digit with its byte span.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextPiece<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The words and single digits within a span.
pub(super) fn pieces(text: &str, span: (usize, usize)) -> Vec<TextPiece<'_>> {
    let (from, to) = span;
    let mut pieces = Vec::new();
    let mut at = from;
    while at < to {
        let Some(next) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
        let start = at;
        at += next.len_utf8();
        if next.is_alphabetic() {
            while let Some(more) =
                text.get(at..to).and_then(|rest| rest.chars().next()).filter(|more| more.is_alphabetic())
            {
                at += more.len_utf8();
            }
        } else if !next.is_ascii_digit() {
            continue;
        }
        pieces.push(TextPiece { text: text.get(start..at).unwrap_or_default(), start, end: at });
    }
    pieces
}

/// Replaces a span of the text.
pub(super) fn replace(text: &str, span: (usize, usize), with: &str) -> String {
    let before = text.get(..span.0).unwrap_or_default();
    let after = text.get(span.1..).unwrap_or_default();
    format!("{before}{with}{after}")
}

/// Removes a span of the text, together with the comma or full stop left behind.
pub(super) fn remove(text: &str, span: (usize, usize)) -> String {
    let before = text.get(..span.0).unwrap_or_default().trim_end();
    let after = text.get(span.1..).unwrap_or_default().trim_start();
    let after = if before.is_empty() || before.ends_with([',', '.']) {
        after.trim_start_matches([',', '.']).trim_start()
    } else {
        after
    };
    let gap = if before.is_empty() || after.starts_with([',', '.']) || after.is_empty() { "" } else { " " };
    format!("{before}{gap}{after}")
}

/// Span of the clause around an offset, delimited by commas and full stops.
pub(super) fn clause(text: &str, at: usize) -> (usize, usize) {
    let is_pause = |(place, byte): &(usize, u8)| {
        let digit_follows = text.as_bytes().get(place + 1).is_some_and(u8::is_ascii_digit);
        *byte == b',' || (*byte == b'.' && !digit_follows)
    };
    let bytes = || text.bytes().enumerate();
    let from = bytes().take(at).rev().find(is_pause).map_or(0, |(place, _)| place + 1);
    let to = bytes().skip(at).find(is_pause).map_or(text.len(), |(place, _)| place);
    (from, to)
}

const WORDS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/// The digit that a word stands for.
pub(super) fn digit(word: &str) -> Option<usize> {
    let lower = word.to_ascii_lowercase();
    match lower.as_str() {
        "niner" => Some(9),
        "tree" => Some(3),
        "fife" => Some(5),
        other => WORDS.iter().position(|known| *known == other).or_else(|| match other.as_bytes() {
            [byte] if byte.is_ascii_digit() => Some(usize::from(byte - b'0')),
            _ => None,
        }),
    }
}

/// Writes a digit in the same form as `word`: as a figure, or spelled out.
pub(super) fn digit_like(word: &str, digit: usize) -> String {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return digit.to_string();
    }
    let written = WORDS.get(digit).copied().unwrap_or("zero");
    let capital = word.starts_with(|first: char| first.is_uppercase());
    if capital { capitalised(written) } else { written.to_owned() }
}

/// Capitalises the first letter.
pub(super) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}
