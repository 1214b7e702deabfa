//! A tokenizer for Rust without comments and literals, enough to see which module uses what.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::str::CharIndices;

/// The words and signs of a text in order; `::` is one word.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        let follows = |sign: &str| text[start..].starts_with(sign);
        if follows("//") {
            skip_until(&mut rest, |char| char == '\n');
        } else if follows("/*") {
            let end = text[start..].find("*/").map_or(text.len(), |length| start + length + 2);
            skip_to(&mut rest, end);
        } else if let Some(end) = literal_end(text, start) {
            skip_to(&mut rest, end);
        } else if is_part(first) {
            skip_until(&mut rest, |char| !is_part(char));
            let end = rest.peek().map_or(text.len(), |(end, _)| *end);
            words.push(&text[start..end]);
        } else if follows("::") {
            rest.next();
            words.push(&text[start..start + 2]);
        } else if !first.is_whitespace() {
            words.push(&text[start..start + first.len_utf8()]);
        }
    }
    words
}

/// Every path in a text that begins with `root`, groups taken apart: `std::{fs, io::Read}` is two.
pub(crate) fn paths(words: &[&str], root: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for index in 0..words.len() {
        let begins = words[index] == root && words.get(index + 1) == Some(&"::");
        if begins && (index == 0 || words[index - 1] != "::") {
            follow(words, index + 1, root.to_owned(), &mut found);
        }
    }
    found
}

/// What is called on something: the words between a dot and an opening parenthesis.
pub(crate) fn methods<'a>(words: &[&'a str]) -> BTreeSet<&'a str> {
    words.windows(3).filter(|three| three[0] == "." && three[2] == "(").map(|three| three[1]).collect()
}

/// Follows a path from the `::` at `index`; returns where it ends.
fn follow(words: &[&str], index: usize, so_far: String, found: &mut BTreeSet<String>) -> usize {
    if words.get(index) != Some(&"::") {
        found.insert(so_far);
        return index;
    }
    match words.get(index + 1) {
        Some(&"{") => {
            let mut at = index + 2;
            while at < words.len() && words[at] != "}" {
                at = follow(words, at + 1, format!("{so_far}::{}", words[at]), found);
                // `name as other`, then the comma.
                while at < words.len() && !matches!(words[at], "," | "}") {
                    at += 1;
                }
                at += usize::from(words.get(at) == Some(&","));
            }
            at + 1
        }
        Some(name) => follow(words, index + 2, format!("{so_far}::{name}"), found),
        None => index,
    }
}

/// Where the text or character that begins here ends; none when none does.
fn literal_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    let plain = rest.trim_start_matches('b');
    let marks = plain.strip_prefix('r').map(|raw| raw.len() - raw.trim_start_matches('#').len());
    if let Some(marks) = marks
        && plain[1 + marks..].starts_with('"')
    {
        let opened = start + (rest.len() - plain.len()) + marks + 2;
        let closing = format!("\"{}", "#".repeat(marks));
        return text[opened..].find(&closing).map(|length| opened + length + closing.len());
    }
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    if quote == '\'' && !rest[1..].starts_with('\\') && rest.chars().nth(2) != Some('\'') {
        return None; // a lifetime
    }
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|(_, char)| {
        let ends = *char == quote && !escaped;
        escaped = *char == '\\' && !escaped;
        ends
    });
    end.map(|(end, _)| start + end + 1)
}

fn is_part(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

fn skip_until(rest: &mut Peekable<CharIndices<'_>>, stop: impl Fn(char) -> bool) {
    while rest.next_if(|(_, char)| !stop(*char)).is_some() {}
}

fn skip_to(rest: &mut Peekable<CharIndices<'_>>, end: usize) {
    while rest.next_if(|(index, _)| *index < end).is_some() {}
}

#[test]
fn comments_and_literals_are_no_words() {
    let text = r##"a::b("std::fs", 'x', '\'', r#"c"d"#) // f
        /* g */ fn h<'i>()"##;
    let expected = ["a", "::", "b", "(", ",", ",", ",", ")", "fn", "h", "<", "'", "i", ">", "(", ")"];
    assert_eq!(words(text), expected);
}

#[test]
fn groups_are_taken_apart() {
    let text = "use std::{fs, time::{Duration, Instant as Now}, io}; std::env::var(x); mystd::net; a::std::b";
    let found: Vec<String> = paths(&words(text), "std").into_iter().collect();
    assert_eq!(found, ["std::env::var", "std::fs", "std::io", "std::time::Duration", "std::time::Instant"]);
}
