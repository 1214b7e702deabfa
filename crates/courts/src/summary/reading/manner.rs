//! How the texts sound: stance, tone, and words that are unfair or uncivil.

use super::copies::Copies;
use super::index::Index;
use super::lexicon::flag;
use super::passages::of_tokens;
use super::text::{Text, Token};
use crate::summary::findings::{Issue, IssueKind, Tone};

/// How a text sounds, by how many of its words are what.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sound {
    approving: u32,
    disapproving: u32,
    /// Words that say something.
    content: u32,
    /// Hostile ones, and slurs beside them.
    hostile: u32,
    attacking: u32,
    taking_sides: u32,
}

impl Sound {
    pub(super) fn of(text: &Text<'_>) -> Self {
        let mut sound = Self::default();
        for token in &text.tokens {
            sound.content += u32::from(token.is_content());
            if token.is(HEARD) {
                sound.approving += u32::from(token.is(flag::POSITIVE));
                sound.disapproving += u32::from(token.is(flag::NEGATIVE));
                sound.hostile += u32::from(token.is(flag::HOSTILE));
                sound.attacking += u32::from(token.is(flag::HOSTILE | flag::SLUR));
                sound.taking_sides += u32::from(token.is(flag::SUBJECTIVE | flag::BIASED));
            }
        }
        sound
    }

    /// From −1 (all disapprove) to 1 (all approve); 0 when there are hardly any such words.
    pub(super) fn stance(self) -> f64 {
        let (one, other) = (f64::from(self.approving), f64::from(self.disapproving));
        (one - other) / (one + other + 2.0)
    }

    pub(super) fn stance_word(self) -> &'static str {
        match self.stance() {
            value if value > 0.3 => "favourable",
            value if value < -0.3 => "grave",
            _ => "balanced",
        }
    }

    pub(super) const fn tone(self) -> Tone {
        match () {
            () if self.content < 3 => Tone::Unclear,
            () if self.attacking >= 2 => Tone::Hostile,
            () if self.taking_sides >= 1 || self.hostile == 1 => Tone::Subjective,
            () => Tone::Neutral,
        }
    }
}

/// Words that sound like anything.
const HEARD: u32 =
    flag::POSITIVE | flag::NEGATIVE | flag::HOSTILE | flag::SLUR | flag::SUBJECTIVE | flag::BIASED;

/// Words of the summary that are unfair or uncivil; those that the article has too are marked.
pub(super) fn issues(summary: &Text<'_>, article: &Index, copies: &Copies) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (at, token) in summary.tokens.iter().enumerate() {
        let kind = match () {
            () if token.is(flag::SLUR) => IssueKind::Slur,
            () if token.is(flag::PROFANE) => IssueKind::Profanity,
            () if token.is(flag::HOSTILE) => IssueKind::Insult,
            () if token.is(flag::BIASED) => IssueKind::BiasedWording,
            () => continue,
        };
        let known = token.is_content() && !article.places(token.concept).is_empty();
        let quoted = known || copies.place(at).is_some();
        issues.push(Issue { kind, words: of_tokens(summary, at..at + 1), quoted });
    }
    issues.extend(
        summary
            .sentences
            .iter()
            .filter_map(|sentence| stereotype(summary, sentence.tokens.start, summary.of(sentence), article)),
    );
    issues
}

/// `women are emotional`: a group, a form of to be, a trait.
fn stereotype(summary: &Text<'_>, start: usize, tokens: &[Token], article: &Index) -> Option<Issue> {
    let group = tokens.iter().position(|token| token.is(flag::GROUP))?;
    let rest = tokens.get(group + 1..)?;
    let is = rest.iter().position(|token| {
        matches!(
            summary.words(token.start as usize..token.end as usize),
            "are" | "is" | "were" | "always" | "all"
        )
    })?;
    let found = rest.iter().enumerate().skip(is + 1).take(5).find(|(_, token)| token.is(flag::TRAIT))?;
    let quoted = !article.places(found.1.concept).is_empty();
    let words = of_tokens(summary, start + group..start + group + 2 + found.0);
    Some(Issue { kind: IssueKind::Stereotype, words, quoted })
}
