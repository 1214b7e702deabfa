//! Findings: what an assessor reports about a summary, in one shape for the reading, a language model or a
//! person.
//!
//! Parse errors show the names of these structs to the caller, so the names are part of the interface.

use assize_kernel::round;
use serde::{Deserialize, Serialize};

/// The input of both frameworks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Findings {
    /// The essential points of the article, without duplicates.
    pub key_points: Vec<KeyPoint>,
    /// Passages of the summary without support in the article.
    #[serde(default)]
    pub extraneous: Vec<Passage>,
    /// The claims of the summary, at most as many as the rulebook allows.
    pub claims: Vec<Claim>,
    /// Questions made from the article and answered from the summary.
    pub article_questions: Vec<Question>,
    /// Questions made from the summary and answered from the article.
    pub summary_questions: Vec<Question>,
    /// The segments of the summary with their overlap with the article.
    pub segments: Vec<Segment>,
    /// The theme of the article, in one sentence.
    pub theme: String,
    /// The article's intent, stance and tone in a few words.
    pub intent: String,
    /// Where the summary deviates from the article's intent, stance and tone.
    #[serde(default)]
    pub deviations: Vec<Deviation>,
    /// The tone of the summary.
    pub tone: SummaryTone,
    /// Biased or toxic wording in the summary.
    #[serde(default)]
    pub issues: Vec<Issue>,
    /// How well the article supports the summary, from 0 to 1; none when the assessor does not measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support: Option<f64>,
    /// The share of the article's important content that the summary has, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    /// Remarks about the reading itself, such as an article too short for its key points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<ReadingNote>,
}

impl Findings {
    /// Rounds every number to six decimals, so that it survives being written and read without a change.
    pub(super) fn rounded(mut self) -> Self {
        let six = |number: f64| round(number, 6);
        self.support = self.support.map(six);
        self.recall = self.recall.map(six);
        for segment in &mut self.segments {
            segment.containment = six(segment.containment);
            segment.jaccard = six(segment.jaccard);
        }
        self
    }
}

/// A passage of a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// The text of the passage.
    pub text: String,
    /// The byte offsets of its start and end; none when the assessor gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(usize, usize)>,
}

/// An essential point of the article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyPoint {
    /// The point, in the article's words.
    pub point: Passage,
    /// How much of the point the summary has.
    pub coverage: PointCoverage,
    /// The passages of the summary that have the point.
    #[serde(default)]
    pub evidence: Vec<Passage>,
}

/// How much of a key point the summary has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PointCoverage {
    /// All of it.
    Fully,
    /// A part of it.
    Partial,
    /// None of it.
    Not,
}

/// A statement of fact in the summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The claim, in the summary's words.
    pub claim: Passage,
    /// Whether the article supports the claim.
    pub label: ClaimLabel,
    /// The passages of the article that support or contradict the claim.
    #[serde(default)]
    pub evidence: Vec<Passage>,
    /// The objections to the claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Objection>,
}

/// Whether the article supports a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClaimLabel {
    /// All of it.
    Supported,
    /// A part of it, or not clearly.
    Partially,
    /// None of it.
    Unsupported,
}

/// An objection to a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objection {
    /// A description of the problem.
    pub problem: String,
    /// The passage of the summary.
    pub summary: Passage,
    /// The passage of the article that contradicts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<Passage>,
}

/// A question, and how it was answered from the other text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The question: a fact with its answer taken out.
    pub question: String,
    /// The expected answer.
    pub answer: String,
    /// Whether the other text gives the expected answer.
    pub status: AnswerStatus,
    /// The passage of the other text that answers the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Passage>,
}

/// How a question was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnswerStatus {
    /// As expected.
    Correct,
    /// In part, or not clearly.
    Partial,
    /// Differently, or not at all.
    Wrong,
}

/// A segment of the summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// The text of the segment.
    pub segment: Passage,
    /// The share of its content words that the article has, from 0 to 1.
    pub containment: f64,
    /// Shared content words ÷ all content words of the two, from 0 to 1.
    pub jaccard: f64,
}

/// A deviation of the summary from the article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// The aspect that deviates.
    pub aspect: DriftAspect,
    /// The degree of the deviation.
    pub degree: DriftDegree,
    /// A description of the deviation.
    pub description: String,
    /// The passage of the summary.
    #[serde(default)]
    pub evidence: Vec<Passage>,
}

/// An aspect of a summary that can deviate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DriftAspect {
    /// The facts.
    Meaning,
    /// The tone.
    Tone,
    /// The emphasis.
    Focus,
}

/// The degree of a deviation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DriftDegree {
    /// A slight deviation.
    Mild,
    /// A clear deviation.
    Moderate,
    /// The opposite of the article.
    Severe,
}

/// The tone of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SummaryTone {
    /// The summary reports.
    Neutral,
    /// The summary takes a position.
    Subjective,
    /// The summary attacks.
    Hostile,
    /// The tone cannot be determined.
    Unclear,
}

impl SummaryTone {
    /// The name in JSON.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Subjective => "subjective",
            Self::Hostile => "hostile",
            Self::Unclear => "unclear",
        }
    }
}

/// Biased or toxic wording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    /// The kind of issue.
    pub kind: IssueKind,
    /// The passage of the summary.
    pub words: Passage,
    /// Whether the article has the same words; such an issue costs nothing.
    #[serde(default)]
    pub quoted: bool,
}

/// The kinds of biased or toxic wording.
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

/// A remark about the reading itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadingNote {
    /// The article has fewer sentences than the rulebook asks for key points.
    ArticleShort,
    /// Every segment was too short, so the whole summary is one segment.
    SegmentsShort,
    /// Fewer questions could be made than the rulebook asks for.
    QuestionsFew,
    /// A sentence is a near copy of the article's and would have scored higher than the original.
    NearlyCopied,
}
