//! The reading: a rule-based assessor that compares an article and its summary without a language model.
//!
//! Both texts become sentences and tokens; a token has a concept, the same for all forms of a word and for
//! words that mean the same. A claim of the summary is aligned with the one or two sentences of the article
//! that support most of it; then its numbers, names, negations and opposites are checked against them.

mod alignment;
mod astray;
mod claims;
mod clauses;
mod contradictions;
mod copies;
mod drift;
mod index;
mod key_points;
mod language;
mod lexicon;
mod manner;
mod nearest;
mod negations;
mod opposites;
mod particulars;
mod passages;
mod questions;
mod restored;
mod salience;
mod scanning;
mod searching;
mod segments;
mod stems;
mod swapped;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod vocabulary;
mod words;

use assize_kernel::Assessor;

use super::TextPair;
use super::findings::{ClaimLabel, Findings, Passage, ReadingNote};
use super::refusals::SummaryRefusal;
use super::rules::SummaryRules;
use alignment::ClaimAligner;
use claims::ReadClause;
use contradictions::ContradictionChecks;
use copies::CopiedSentences;
use index::{ABSENT, ConceptIndex, ConceptMatch, is_same};
use lexicon::flag;
use manner::ToneCounts;
use passages::of_tokens;
use questions::AnswerSearch;
use salience::ConceptSalience;
use text::{TextToken, TokenizedText, place};
use vocabulary::TextVocabulary;

/// The name and version of the reading in verdicts.
pub(super) const ASSESSOR: Assessor =
    Assessor { name: std::borrow::Cow::Borrowed("reading"), version: std::borrow::Cow::Borrowed("1") };

/// Reads both texts.
///
/// # Errors
/// A refusal when a text has no words, or is not English.
pub(super) fn read(rules: &SummaryRules, texts: TextPair<'_>) -> Result<Findings, SummaryRefusal> {
    let mut vocabulary = TextVocabulary::new();
    let summary = TokenizedText::read(texts.summary, &mut vocabulary);
    let article = TokenizedText::read(texts.article, &mut vocabulary);
    for (field, text) in [("article", &article), ("summary", &summary)] {
        if text.tokens.is_empty() {
            return Err(SummaryRefusal::Empty(field));
        }
        if let Some(language) = language::foreign(text) {
            return Err(SummaryRefusal::NotEnglish { field, language });
        }
    }
    let article = ReadArticle::new(article, &vocabulary, rules);
    let reading = Reading::new(&article, summary, &vocabulary, CopiedSentences::find);
    let mut findings = reading.findings(rules);
    let near = &reading.copies.near;
    for restored in restored::summaries(&reading.summary, &article.text, near) {
        let summary = TokenizedText::read(&restored, &mut vocabulary);
        let other = Reading::new(&article, summary, &vocabulary, CopiedSentences::exact).findings(rules);
        restored::bound(&mut findings, other, rules.questions as usize);
    }
    Ok(findings)
}

/// Names and numbers of the article, shared with the summary.
struct SharedConcepts {
    /// For each concept, by how much it is a name more often than not.
    names: Vec<i32>,
    /// Numbers by their value, with the concept that stands for them.
    numbers: Vec<(f64, u32)>,
}

impl SharedConcepts {
    fn of(article: &mut TokenizedText<'_>, concepts: usize) -> Self {
        let mut names = vec![0_i32; concepts];
        for token in article.tokens.iter().filter(|token| token.is_content() && !token.is(place::FIRST)) {
            if let Some(vote) = names.get_mut(token.concept as usize) {
                *vote += if token.is(place::NAME) { 1 } else { -1 };
            }
        }
        let mut known = Self { names, numbers: Vec::new() };
        known.numbers = known.share(article);
        known
    }

    /// A word that is a name somewhere is one at the start of a sentence and without a capital too; `three` and `3` are
    /// one concept, that of the first. Given back are all numbers known then.
    fn share(&self, text: &mut TokenizedText<'_>) -> Vec<(f64, u32)> {
        let is_name = |concept: u32| self.names.get(concept as usize).is_some_and(|votes| *votes > 0);
        let mut known = self.numbers.clone();
        for token in text.tokens.iter_mut().filter(|token| token.is_content()) {
            if token.is(flag::NUMBER) {
                match known.iter().find(|(value, _)| is_same(*value, token.value)) {
                    Some((_, concept)) => token.concept = *concept,
                    None => known.push((token.value, token.concept)),
                }
            } else if !token.is(flag::DATE | flag::VAGUE) && is_name(token.concept) {
                token.flags |= place::NAME;
            }
        }
        known
    }
}

/// The article, prepared for comparison with a summary.
struct ReadArticle<'a> {
    text: TokenizedText<'a>,
    index: ConceptIndex,
    known: SharedConcepts,
    salience: ConceptSalience,
    /// Its key sentences, the most important first.
    sentences: Vec<usize>,
    sound: ToneCounts,
    theme: String,
    intent: String,
}

impl<'a> ReadArticle<'a> {
    fn new(mut text: TokenizedText<'a>, vocabulary: &TextVocabulary, rules: &SummaryRules) -> Self {
        let known = SharedConcepts::of(&mut text, vocabulary.len());
        let index = ConceptIndex::new(&text, vocabulary);
        let salience = ConceptSalience::new(&text, &index, vocabulary.len());
        let sentences = salience.key_sentences(&text, rules.judge_lock.key_point_tokens as usize);
        let sound = ToneCounts::of(&text);
        let theme = drift::theme(&text, &sentences);
        let intent = drift::intent(&text, &index, &salience, &sentences, sound);
        Self { text, index, known, salience, sentences, sound, theme, intent }
    }
}

struct Reading<'a> {
    article: &'a ReadArticle<'a>,
    summary: TokenizedText<'a>,
    vocabulary: &'a TextVocabulary,
    summary_index: ConceptIndex,
    /// What each token of the summary is in the article.
    met: Vec<ConceptMatch>,
    copies: CopiedSentences,
}

impl<'a> Reading<'a> {
    fn new(
        article: &'a ReadArticle<'a>,
        mut summary: TokenizedText<'a>,
        vocabulary: &'a TextVocabulary,
        copies: fn(&TokenizedText<'_>, &TokenizedText<'_>, &ConceptIndex) -> CopiedSentences,
    ) -> Self {
        article.known.share(&mut summary);
        let met: Vec<ConceptMatch> =
            summary.tokens.iter().map(|token| article.index.meet(token, vocabulary)).collect();
        astray::mark(&mut summary, &met, &article.index);
        let summary_index = ConceptIndex::new(&summary, vocabulary);
        let copies = copies(&summary, &article.text, &article.index);
        Self { article, summary, vocabulary, summary_index, met, copies }
    }

    fn findings(&self, rules: &SummaryRules) -> Findings {
        let ReadArticle { text: article, index, salience, sentences, theme, intent, .. } = self.article;
        let mut aligner = ClaimAligner::new(article, index);
        let checks = ContradictionChecks { article, index, vocabulary: self.vocabulary };
        let claims = claims::read(&self.summary, &self.met, &self.copies, &mut aligner, &checks);
        let met_in_summary = self.met_in_summary(sentences);
        let key_points = key_points::read(self, sentences, &met_in_summary);
        let (segments, segments_short) = segments::read(&self.summary, index, &self.copies);
        let wanted = rules.questions as usize;
        let article_questions = self.ask_article(sentences, &met_in_summary, wanted);
        let summary_questions = self.ask_summary(&claims, wanted);
        let short = key_points.len() < rules.judge_lock.key_points_min as usize;
        let few = article_questions.len() < wanted || summary_questions.len() < wanted;
        let sounds = (self.article.sound, ToneCounts::of(&self.summary));
        let notes = [
            (ReadingNote::ArticleShort, short),
            (ReadingNote::SegmentsShort, segments_short),
            (ReadingNote::QuestionsFew, few),
        ];
        Findings {
            extraneous: self.extraneous(&claims),
            claims: claims::reported(&claims, rules.claims as usize, &self.summary, article),
            article_questions,
            summary_questions,
            segments,
            theme: theme.clone(),
            intent: intent.clone(),
            deviations: drift::deviations(self, &claims, &key_points, sounds),
            tone: sounds.1.tone(),
            issues: manner::issues(&self.summary, index, &self.copies),
            support: Some(support(&claims)),
            recall: Some(salience.recall(article, &claims)),
            notes: notes.into_iter().filter(|(_, holds)| *holds).map(|(note, _)| note).collect(),
            key_points,
        }
    }

    /// What the tokens of these sentences of the article are in the summary; the others stay absent.
    fn met_in_summary(&self, sentences: &[usize]) -> Vec<ConceptMatch> {
        let mut met = vec![ABSENT; self.article.text.tokens.len()];
        let article = &self.article.text;
        for sentence in sentences.iter().filter_map(|number| article.sentences.get(*number)) {
            for at in sentence.tokens.clone() {
                if let (Some(known), Some(token)) = (met.get_mut(at), article.tokens.get(at)) {
                    *known = self.summary_index.meet(token, self.vocabulary);
                }
            }
        }
        met
    }

    fn ask_article(
        &self,
        sentences: &[usize],
        met: &[ConceptMatch],
        wanted: usize,
    ) -> Vec<super::findings::Question> {
        let passages: Vec<_> = sentences
            .iter()
            .filter_map(|number| self.article.text.sentences.get(*number))
            .map(|found| found.tokens.clone())
            .collect();
        let answering =
            AnswerSearch { text: &self.summary, index: &self.summary_index, met, least: 0.1, copies: None };
        questions::ask(&self.article.text, &passages, &answering, &|_| false, wanted)
    }

    fn ask_summary(&self, claims: &[ReadClause], wanted: usize) -> Vec<super::findings::Question> {
        let passages: Vec<_> = claims.iter().map(|claim| claim.tokens.clone()).collect();
        // In another connection is half an answer here: what is wrong with a claim has been said already.
        let ReadArticle { text, index, .. } = self.article;
        let answering = AnswerSearch { text, index, met: &self.met, least: 0.0, copies: Some(&self.copies) };
        let against =
            || claims.iter().flat_map(|claim| &claim.against).filter(|found| found.against.credit() < 0.5);
        let doubted = |token: &TextToken| against().any(|found| found.token.start == token.start);
        questions::ask(&self.summary, &passages, &answering, &doubted, wanted)
    }

    /// Words of claims that are not wholly backed: those that speak against them and those that are not there.
    fn extraneous(&self, claims: &[ReadClause]) -> Vec<Passage> {
        let mut passages = Vec::new();
        for claim in claims.iter().filter(|claim| claim.label != ClaimLabel::Supported) {
            if claim.label == ClaimLabel::Unsupported && claim.against.is_empty() {
                passages.push(of_tokens(&self.summary, claim.tokens.clone()));
                continue;
            }
            for at in claim.tokens.clone() {
                let Some(token) = self.summary.tokens.get(at) else { continue };
                let accused = claim.against.iter().any(|found| found.token.start == token.start);
                let absent = claim
                    .words
                    .iter()
                    .any(|word| word.token.start == token.start && word.met.presence == 0.0);
                if accused || absent {
                    passages.push(of_tokens(&self.summary, at..at + 1));
                }
            }
        }
        passages
    }
}

/// How well the article carries the summary: the claims by their weight, and then the worst that speaks against one.
fn support(claims: &[ReadClause]) -> f64 {
    let all: f64 = claims.iter().map(ReadClause::weight).sum();
    let carried: f64 = claims.iter().map(|claim| claim.weight() * claim.alignment.carried()).sum();
    let worst = claims.iter().map(ReadClause::credit).fold(1.0, f64::min);
    if all > 0.0 { (carried / all * worst).clamp(0.0, 1.0) } else { 0.0 }
}
