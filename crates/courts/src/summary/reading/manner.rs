//! Stance and tone of a text, and biased or toxic wording.

use super::copies::CopiedSentences;
use super::index::ConceptIndex;
use super::lexicon::flag;
use super::passages::of_tokens;
use super::text::{TextToken, TokenizedText};
use crate::summary::findings::{Issue, IssueKind, SummaryTone};

/// Counts of the words that decide the tone of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ToneCounts {
    approving: u32,
    disapproving: u32,
    /// Words that say something.
    content: u32,
    /// Hostile ones, and slurs beside them.
    hostile: u32,
    attacking: u32,
    taking_sides: u32,
}

impl ToneCounts {
    pub(super) fn of(text: &TokenizedText<'_>) -> Self {
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
        let approving = f64::from(self.approving);
        let disapproving = f64::from(self.disapproving);
        (approving - disapproving) / (approving + disapproving + 2.0)
    }

    pub(super) fn stance_word(self) -> &'static str {
        match self.stance() {
            value if value > 0.3 => "favourable",
            value if value < -0.3 => "grave",
            _ => "balanced",
        }
    }

    pub(super) const fn tone(self) -> SummaryTone {
        match () {
            () if self.content < 3 => SummaryTone::Unclear,
            () if self.attacking >= 2 => SummaryTone::Hostile,
            () if self.taking_sides >= 1 || self.hostile == 1 => SummaryTone::Subjective,
            () => SummaryTone::Neutral,
        }
    }
}

/// Words that count for the tone.
const HEARD: u32 =
    flag::POSITIVE | flag::NEGATIVE | flag::HOSTILE | flag::SLUR | flag::SUBJECTIVE | flag::BIASED;

/// Biased or toxic words of the summary; words that the article has too are marked as quoted.
pub(super) fn issues(
    summary: &TokenizedText<'_>,
    article: &ConceptIndex,
    copies: &CopiedSentences,
) -> Vec<Issue> {
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
fn stereotype(
    summary: &TokenizedText<'_>,
    start: usize,
    tokens: &[TextToken],
    article: &ConceptIndex,
) -> Option<Issue> {
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
