//! Theme and intent of the article, and deviations of the summary from them.

use super::Reading;
use super::claims::ReadClause;
use super::contradictions::ContradictionKind;
use super::index::ConceptIndex;
use super::manner::ToneCounts;
use super::passages::of_tokens;
use super::salience::{ConceptSalience, concepts};
use super::table::length;
use super::text::TokenizedText;
use crate::summary::findings::{
    ClaimLabel, Deviation, DriftAspect, DriftDegree, KeyPoint, Passage, PointCoverage, SummaryTone,
};

/// The most important sentence, as it stands.
pub(super) fn theme(article: &TokenizedText<'_>, sentences: &[usize]) -> String {
    let first = sentences.first().copied().unwrap_or_default();
    let sentence = article.sentences.get(first);
    sentence.map(|sentence| article.words(sentence.bytes.clone())).unwrap_or_default().to_owned()
}

/// The intent, stance and tone of the article in a few words.
pub(super) fn intent(
    article: &TokenizedText<'_>,
    index: &ConceptIndex,
    salience: &ConceptSalience,
    sentences: &[usize],
    sound: ToneCounts,
) -> String {
    let mut about: Vec<u32> =
        sentences.iter().take(3).flat_map(|number| concepts(article, *number)).collect();
    about.sort_by(|one, other| salience.of(*other).total_cmp(&salience.of(*one)).then(one.cmp(other)));
    about.dedup();
    let word = |concept: &u32| {
        let token = article.tokens.get(*index.places(*concept).first()? as usize)?;
        Some(article.words(token.start as usize..token.end as usize))
    };
    let words: Vec<&str> = about.iter().take(5).filter_map(word).collect();
    let stance = sound.stance_word();
    let tone = sound.tone().as_str();
    format!("intent: inform about {}; stance: {stance}; tone: {tone}", words.join(", "))
}

/// The deviations of the summary in meaning, tone and focus.
pub(super) fn deviations(
    reading: &Reading<'_>,
    claims: &[ReadClause],
    key_points: &[KeyPoint],
    sounds: (ToneCounts, ToneCounts),
) -> Vec<Deviation> {
    let mut deviations: Vec<Deviation> =
        claims.iter().filter_map(|claim| turned_round(reading, claim)).take(3).collect();
    let foreign: Vec<&ReadClause> =
        claims.iter().filter(|claim| claim.label == ClaimLabel::Unsupported).collect();
    if deviations.is_empty() && foreign.len() * 2 >= claims.len() && !foreign.is_empty() {
        deviations.push(Deviation {
            aspect: DriftAspect::Meaning,
            degree: DriftDegree::Moderate,
            description: format!("{} of {} claims are not in the article", foreign.len(), claims.len()),
            evidence: foreign.iter().map(|claim| of_tokens(&reading.summary, claim.tokens.clone())).collect(),
        });
    }
    deviations.extend(tone(reading, sounds.0, sounds.1));
    let missed = key_points.iter().filter(|point| point.coverage == PointCoverage::Not).count();
    if missed == key_points.len() && missed > 0 {
        let description = "none of the article's key points is there".to_owned();
        deviations.push(Deviation {
            aspect: DriftAspect::Focus,
            degree: DriftDegree::Mild,
            description,
            evidence: Vec::new(),
        });
    }
    deviations
}

/// A claim that says the opposite of what the article says.
fn turned_round(reading: &Reading<'_>, claim: &ReadClause) -> Option<Deviation> {
    const TURNED: [ContradictionKind; 4] = [
        ContradictionKind::Negation,
        ContradictionKind::NegationLost,
        ContradictionKind::Opposite,
        ContradictionKind::TurnedRound,
    ];
    let found = claim.against.iter().find(|found| TURNED.contains(&found.against))?;
    let word = |text: &TokenizedText<'_>, token: &super::TextToken| {
        text.words(token.start as usize..token.end as usize).to_owned()
    };
    let other = found.other.map(|other| word(&reading.article.text, &other));
    let description = found.against.problem(&word(&reading.summary, &found.token), other.as_deref());
    let evidence: Vec<Passage> = vec![of_tokens(&reading.summary, claim.tokens.clone())];
    Some(Deviation { aspect: DriftAspect::Meaning, degree: DriftDegree::Moderate, description, evidence })
}

/// A deviation when the tone of the summary differs from the article's.
fn tone(reading: &Reading<'_>, article: ToneCounts, summary: ToneCounts) -> Option<Deviation> {
    let away = (article.stance() - summary.stance()).abs();
    let sounds = (article.tone(), summary.tone());
    let words = length(reading.summary.tokens.len());
    let (degree, description) = match sounds {
        (SummaryTone::Neutral | SummaryTone::Subjective, SummaryTone::Hostile) => {
            (DriftDegree::Severe, "hostile where the article is not".to_owned())
        }
        (SummaryTone::Neutral, SummaryTone::Subjective) => {
            (DriftDegree::Mild, "subjective where the article is neutral".to_owned())
        }
        _ if away > 0.9 && words > 5 => (
            DriftDegree::Mild,
            format!("{} where the article is {}", summary.stance_word(), article.stance_word()),
        ),
        _ => return None,
    };
    Some(Deviation { aspect: DriftAspect::Tone, degree, description, evidence: Vec::new() })
}
