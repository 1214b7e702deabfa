//! What the article is about and how it says it, and where the summary drifts away from that.

use super::Reading;
use super::claims::Read;
use super::contradictions::Against;
use super::index::Index;
use super::manner::Sound;
use super::passages::of_tokens;
use super::salience::{Salience, concepts};
use super::table::length;
use super::text::Text;
use crate::summary::findings::{Aspect, Coverage, Degree, Deviation, KeyPoint, Label, Passage, Tone};

/// The most important sentence, as it stands.
pub(super) fn theme(article: &Text<'_>, sentences: &[usize]) -> String {
    let first = sentences.first().copied().unwrap_or_default();
    let sentence = article.sentences.get(first);
    sentence.map(|sentence| article.words(sentence.bytes.clone())).unwrap_or_default().to_owned()
}

/// What the article wants, how it stands to it and how it sounds, in a few words.
pub(super) fn intent(
    article: &Text<'_>,
    index: &Index,
    salience: &Salience,
    sentences: &[usize],
    sound: Sound,
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
    let (stance, tone) = (sound.stance_word(), sound.tone().as_str());
    format!("intent: inform about {}; stance: {stance}; tone: {tone}", words.join(", "))
}

/// Where the summary drifts in meaning, tone and focus.
pub(super) fn deviations(
    reading: &Reading<'_>,
    claims: &[Read],
    key_points: &[KeyPoint],
    sounds: (Sound, Sound),
) -> Vec<Deviation> {
    let mut deviations: Vec<Deviation> =
        claims.iter().filter_map(|claim| turned_round(reading, claim)).take(3).collect();
    let foreign: Vec<&Read> = claims.iter().filter(|claim| claim.label == Label::Unsupported).collect();
    if deviations.is_empty() && foreign.len() * 2 >= claims.len() && !foreign.is_empty() {
        deviations.push(Deviation {
            aspect: Aspect::Meaning,
            degree: Degree::Moderate,
            description: format!("{} of {} claims are not in the article", foreign.len(), claims.len()),
            evidence: foreign.iter().map(|claim| of_tokens(&reading.summary, claim.tokens.clone())).collect(),
        });
    }
    deviations.extend(tone(reading, sounds));
    let missed = key_points.iter().filter(|point| point.coverage == Coverage::Not).count();
    if missed == key_points.len() && missed > 0 {
        let description = "none of the article's key points is there".to_owned();
        deviations.push(Deviation {
            aspect: Aspect::Focus,
            degree: Degree::Mild,
            description,
            evidence: Vec::new(),
        });
    }
    deviations
}

/// A claim that says the opposite of what the article says.
fn turned_round(reading: &Reading<'_>, claim: &Read) -> Option<Deviation> {
    const TURNED: [Against; 4] =
        [Against::Negation, Against::NegationLost, Against::Opposite, Against::TurnedRound];
    let found = claim.against.iter().find(|found| TURNED.contains(&found.against))?;
    let word = |text: &Text<'_>, token: &super::Token| {
        text.words(token.start as usize..token.end as usize).to_owned()
    };
    let other = found.other.map(|other| word(&reading.article.text, &other));
    let description = found.against.problem(&word(&reading.summary, &found.token), other.as_deref());
    let evidence: Vec<Passage> = vec![of_tokens(&reading.summary, claim.tokens.clone())];
    Some(Deviation { aspect: Aspect::Meaning, degree: Degree::Moderate, description, evidence })
}

/// A summary that sounds another way than its article.
fn tone(reading: &Reading<'_>, (article, summary): (Sound, Sound)) -> Option<Deviation> {
    let away = (article.stance() - summary.stance()).abs();
    let sounds = (article.tone(), summary.tone());
    let words = length(reading.summary.tokens.len());
    let (degree, description) = match sounds {
        (Tone::Neutral | Tone::Subjective, Tone::Hostile) => {
            (Degree::Severe, "hostile where the article is not".to_owned())
        }
        (Tone::Neutral, Tone::Subjective) => {
            (Degree::Mild, "subjective where the article is neutral".to_owned())
        }
        _ if away > 0.9 && words > 5 => (
            Degree::Mild,
            format!("{} where the article is {}", summary.stance_word(), article.stance_word()),
        ),
        _ => return None,
    };
    Some(Deviation { aspect: Aspect::Tone, degree, description, evidence: Vec::new() })
}
