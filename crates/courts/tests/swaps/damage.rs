//! Damaged copies of a text, with one word changed in each.

/// What is damaged in a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DamageKind {
    Number,
    Name,
    Negation,
    Direction,
    /// A word is left out.
    Drop,
    /// A word and the next change places.
    Exchange,
    /// Any other word of the article.
    Other,
}

/// Kinds of damage that turn a true sentence into a false one.
pub(crate) const FALSE: [DamageKind; 4] =
    [DamageKind::Number, DamageKind::Name, DamageKind::Negation, DamageKind::Direction];
/// Kinds of damage that make a sentence worse or leave its meaning as it is.
pub(crate) const SPOILT: [DamageKind; 3] = [DamageKind::Drop, DamageKind::Exchange, DamageKind::Other];

const DIRECTIONS: [(&str, &str); 12] = [
    ("rose", "fell"),
    ("increased", "decreased"),
    ("won", "lost"),
    ("opened", "closed"),
    ("approved", "rejected"),
    ("more", "less"),
    ("higher", "lower"),
    ("before", "after"),
    ("praised", "criticised"),
    ("accepted", "refused"),
    ("largest", "smallest"),
    ("started", "stopped"),
];

const AUXILIARIES: [&str; 10] = ["was", "were", "is", "are", "will", "would", "has", "have", "had", "could"];

/// Every copy of `summary` with one damage of this kind.
pub(crate) fn damaged(kind: DamageKind, article: &str, summary: &str) -> Vec<String> {
    let words: Vec<&str> = summary.split(' ').collect();
    let mut copies = Vec::new();
    for at in 0..words.len() {
        let swapped = match kind {
            DamageKind::Number => number(words[at]),
            DamageKind::Name => name(article, summary, &words, at),
            DamageKind::Negation if words.get(at + 1) == Some(&"not") => None,
            DamageKind::Negation => negation(words[at]),
            DamageKind::Direction => direction(words[at]),
            DamageKind::Drop => Some(words[at].replace(char::is_alphanumeric, "")),
            DamageKind::Exchange => exchanged(&words, at),
            DamageKind::Other => other(article, words[at], at),
        };
        if let Some(swapped) = swapped {
            let mut words = words.clone();
            words[at] = &swapped;
            if kind == DamageKind::Exchange {
                words.remove(at + 1);
            }
            copies.push(words.join(" ").replace("  ", " "));
        }
    }
    copies
}

fn number(word: &str) -> Option<String> {
    let digits: String = word.chars().filter(char::is_ascii_digit).collect();
    let number: u64 = digits.parse().ok()?;
    Some(word.replace(&digits, &(number + 7).to_string())).filter(|swapped| swapped != word)
}

/// Another name of the article, or a foreign one where it has none.
fn name(article: &str, summary: &str, words: &[&str], at: usize) -> Option<String> {
    let is_name = |word: &str| {
        let bare = word.trim_matches(|char: char| !char.is_alphanumeric());
        bare.len() > 3
            && bare.chars().next().is_some_and(char::is_uppercase)
            && bare.chars().skip(1).all(char::is_lowercase)
    };
    let first = at == 0 || words[at - 1].ends_with('.');
    if first || !is_name(words[at]) {
        return None;
    }
    let bare = |word: &str| word.trim_matches(|char: char| !char.is_alphanumeric()).to_owned();
    let all: Vec<&str> = article.split(' ').collect();
    let others =
        all.windows(2).filter(|pair| !pair[0].ends_with('.') && is_name(pair[1])).map(|pair| bare(pair[1]));
    let other = others
        .into_iter()
        .find(|other| !summary.contains(other.as_str()))
        .unwrap_or_else(|| "Zoltan".to_owned());
    Some(words[at].replace(&bare(words[at]), &other))
}

fn exchanged(words: &[&str], at: usize) -> Option<String> {
    let bare = |word: &str| word.chars().all(char::is_alphanumeric);
    let next = words.get(at + 1).filter(|next| bare(next) && bare(words[at]))?;
    Some(format!("{next} {}", words[at]))
}

fn other(article: &str, word: &str, at: usize) -> Option<String> {
    let bare = |word: &'_ str| word.trim_matches(|char: char| !char.is_alphanumeric()).to_owned();
    let all: Vec<&str> = article.split(' ').collect();
    let other = bare(all[(at * 17 + word.len() * 5) % all.len()]);
    Some(word.replace(&bare(word), &other)).filter(|swapped| swapped != word)
}

/// Inserts `not` after an auxiliary verb, or removes it.
fn negation(word: &str) -> Option<String> {
    if word == "not" {
        return Some(String::new());
    }
    AUXILIARIES.contains(&word).then(|| format!("{word} not"))
}

fn direction(word: &str) -> Option<String> {
    let bare = word.trim_matches(|char: char| !char.is_alphanumeric());
    let pair = DIRECTIONS.iter().find(|(one, other)| *one == bare || *other == bare)?;
    let other = if pair.0 == bare { pair.1 } else { pair.0 };
    Some(word.replace(bare, other))
}
