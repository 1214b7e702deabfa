//! What an assessor reports of a summary: the same from the reading, a language model or a person.

use assize_kernel::round;
use serde::{Deserialize, Serialize};

/// Everything the frameworks are computed from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Findings {
    /// The essential points of the article, none of which is another.
    pub key_points: Vec<KeyPoint>,
    /// Words of the summary that the article does not carry.
    #[serde(default)]
    pub extraneous: Vec<Passage>,
    /// What the summary claims, at most ten.
    pub claims: Vec<Claim>,
    /// Asked from the article, answered from the summary.
    pub article_questions: Vec<Question>,
    /// Asked from the summary, answered from the article.
    pub summary_questions: Vec<Question>,
    /// The parts of the summary, with what they share with the article.
    pub segments: Vec<Segment>,
    /// What the article is about, in one sentence.
    pub theme: String,
    /// The article's intent, stance and tone in a few words.
    pub intent: String,
    /// Where the summary drifts away from them.
    #[serde(default)]
    pub deviations: Vec<Deviation>,
    /// How the summary sounds.
    pub tone: Tone,
    /// What is unfair or uncivil in it.
    #[serde(default)]
    pub issues: Vec<Issue>,
    /// How well the article carries the summary, from 0 to 1; none when the assessor does not measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support: Option<f64>,
    /// How much of the article's weight the summary carries, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    /// What was unusual about the reading, such as an article too short for its key points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl Findings {
    /// With every number to six decimals: as many as come back from a record the same, to the last bit.
    pub(super) fn rounded(mut self) -> Self {
        let six = |number: f64| round(number, 6);
        (self.support, self.recall) = (self.support.map(six), self.recall.map(six));
        for segment in &mut self.segments {
            (segment.containment, segment.jaccard) = (six(segment.containment), six(segment.jaccard));
        }
        self
    }
}

/// Words with their place, as byte offsets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// The words.
    pub text: String,
    /// Where they begin and end; none when that was not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(usize, usize)>,
}

/// An essential point of the article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyPoint {
    /// The point, in the article's words.
    pub point: Passage,
    /// How much of it the summary has.
    pub coverage: Coverage,
    /// Where the summary has it.
    #[serde(default)]
    pub evidence: Vec<Passage>,
}

/// How much of a key point the summary has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Coverage {
    /// All of it.
    Fully,
    /// A part of it.
    Partial,
    /// None of it.
    Not,
}

/// Something the summary says as a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The claim, in the summary's words.
    pub claim: Passage,
    /// Whether the article backs it.
    pub label: Label,
    /// Where the article backs it, or says otherwise.
    #[serde(default)]
    pub evidence: Vec<Passage>,
    /// What speaks against it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Objection>,
}

/// Whether the article backs a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Label {
    /// All of it.
    Supported,
    /// A part of it, or not clearly.
    Partially,
    /// No.
    Unsupported,
}

/// One thing that speaks against a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objection {
    /// What is wrong, in words.
    pub problem: String,
    /// The words of the summary.
    pub summary: Passage,
    /// The words of the article that say otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<Passage>,
}

/// A question, and how it was answered from the other text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The question: a fact with its answer taken out.
    pub question: String,
    /// What belongs there.
    pub answer: String,
    /// Whether the other text answers it so.
    pub status: Status,
    /// The words of the other text that answer it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Passage>,
}

/// Whether a question was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// As it should be.
    Correct,
    /// In part, or not clearly.
    Partial,
    /// Otherwise, or not at all.
    Wrong,
}

/// A part of the summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Its words.
    pub segment: Passage,
    /// How many of its content words stand in the article, from 0 to 1.
    pub containment: f64,
    /// Shared content words ÷ all content words of the two, from 0 to 1.
    pub jaccard: f64,
}

/// Where the summary drifts away from the article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// In what.
    pub aspect: Aspect,
    /// How far.
    pub degree: Degree,
    /// What was seen, in words.
    pub description: String,
    /// The words of the summary.
    #[serde(default)]
    pub evidence: Vec<Passage>,
}

/// In what a summary can drift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aspect {
    /// What is said to be so.
    Meaning,
    /// How it sounds.
    Tone,
    /// What is put in front.
    Focus,
}

/// How far it drifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Degree {
    /// A little.
    Mild,
    /// Clearly.
    Moderate,
    /// To the opposite.
    Severe,
}

/// How a summary sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// It reports.
    Neutral,
    /// It has an opinion.
    Subjective,
    /// It attacks.
    Hostile,
    /// It cannot be told.
    Unclear,
}

impl Tone {
    /// As it is written.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Subjective => "subjective",
            Self::Hostile => "hostile",
            Self::Unclear => "unclear",
        }
    }
}

/// Something unfair or uncivil.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    /// What it is.
    pub kind: IssueKind,
    /// The words of the summary.
    pub words: Passage,
    /// Whether the article has the same words: shown, not charged.
    #[serde(default)]
    pub quoted: bool,
}

/// What can be unfair or uncivil.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueKind {
    /// Words that take a side.
    BiasedWording,
    /// A trait given to a whole group.
    Stereotype,
    /// Words of contempt.
    Insult,
    /// Coarse words.
    Profanity,
    /// A strong slur.
    Slur,
}

/// What was unusual about the reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// The article has fewer sentences than key points are wanted.
    ArticleShort,
    /// Every segment was too short, so the whole summary is one.
    SegmentsShort,
    /// Fewer questions could be made than are wanted.
    QuestionsFew,
    /// A sentence is the article's but for a few words, and would have counted for more than the article's own.
    NearlyCopied,
}
