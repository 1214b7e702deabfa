//! What is wanted of a bench and what happens there: commands and events.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::assessing::answers::{Answers, Struck};
use crate::court::Event;
use crate::rulebook::RulebookRef;
use crate::verdict::{Assessor, Reason};
use crate::{Digest, Moment, SmolStr};

/// What a person is called as an assessor; which one stands in the version.
pub const PERSON: &str = "person";
/// What several assessors are called together; which ones stand in the version.
pub const PANEL: &str = "panel";

/// What somebody wants to happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum BenchCommand {
    /// Takes a submission in.
    Receive {
        /// What is to be judged.
        document: String,
        /// Who is asked.
        panel: Panel,
        /// The digest under which the document is kept apart, where it is personal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        personal: Option<Digest>,
        /// Where the verdict is wanted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        destination: Option<Destination>,
    },
    /// Gives a submission to an assessor for so long.
    Begin {
        /// Which one.
        id: u64,
        /// To whom: the name of a model, or a person as `role:name`.
        assessor: SmolStr,
        /// Whether that is a person.
        #[serde(default)]
        person: bool,
        /// Until when.
        until: Moment,
    },
    /// Ends a lease that nobody came back from: the clock's command.
    Lapse {
        /// Of which submission.
        id: u64,
        /// Of whom.
        assessor: SmolStr,
    },
    /// Gives a submission back.
    GiveBack {
        /// Which one.
        id: u64,
        /// Who.
        assessor: SmolStr,
    },
    /// Takes a submission out that cannot be judged any more, such as one whose text was erased.
    Withdraw {
        /// Which one.
        id: u64,
        /// Why.
        reason: String,
    },
    /// Notes that what was found is where it is wanted, or why it cannot get there.
    Deliver {
        /// Which submission.
        id: u64,
        /// Why not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
    },
    /// Says what an assessor has come to.
    Report {
        /// Of which submission.
        id: u64,
        /// The document, as it was received.
        document: String,
        /// What there is to say.
        testimony: Box<Testimony>,
    },
}

/// Where the verdict on a submission is wanted: a place in a stream of its court.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Destination {
    /// The stream, such as that of a run.
    pub stream: SmolStr,
    /// What it is there: the name of a summary, a session or a quest.
    pub item: SmolStr,
    /// What else belongs to it: who wrote the summary, which turn of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<SmolStr>,
}

/// Who is asked about a submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// Models, by their names here.
    #[serde(default)]
    pub assessors: Vec<SmolStr>,
    /// How many people.
    #[serde(default)]
    pub people: u32,
    /// Farther apart than this, from 0 to 1, and a person is asked.
    #[serde(default = "usual_threshold")]
    pub threshold: f64,
}

const fn usual_threshold() -> f64 {
    0.25
}

/// What an assessor has come to, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Testimony {
    /// Who: a model by its name here with what it is, or a person.
    pub assessor: Assessor,
    /// Their answer, as JSON; none when there is none that could be used.
    #[serde(default)]
    pub answer: Option<Value>,
    /// Why there is none.
    #[serde(default)]
    pub problem: Option<String>,
    /// What was said, word for word, in order.
    #[serde(default)]
    pub exchanges: Vec<Exchange>,
    /// The digest under which that is kept apart, where it is personal.
    #[serde(default)]
    pub personal: Option<Digest>,
    /// What it took.
    #[serde(default)]
    pub usage: Usage,
    /// What the same question to the same model is known by.
    #[serde(default)]
    pub question: Option<Digest>,
    /// The record whose answer this is, when the same was asked before.
    #[serde(default)]
    pub known_from: Option<u64>,
}

/// One question to a model, and what it answered, word for word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The body of the request.
    pub request: String,
    /// The body of the answer.
    pub answer: String,
}

/// What asking took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Requests.
    pub calls: u32,
    /// Tokens of the questions.
    pub tokens_in: u64,
    /// Tokens of the answers.
    pub tokens_out: u64,
    /// By the table of prices.
    pub cost: f64,
}

/// What has happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum BenchEvent {
    /// A submission has come in.
    SubmissionReceived {
        /// What is to be judged; none where it is kept apart.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        document: Option<String>,
        /// The digest under which it is kept apart.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        personal: Option<Digest>,
        /// What the document is known by.
        digest: Digest,
        /// Who is asked.
        panel: Panel,
        /// What the bench judges by; with its first submission only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rulebook: Option<RulebookRef>,
        /// Where the verdict is wanted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        destination: Option<Destination>,
    },
    /// An assessor has it.
    AssessmentBegun {
        /// Which submission.
        id: u64,
        /// Who.
        assessor: SmolStr,
        /// Until when.
        until: Moment,
    },
    /// An assessor has it no longer.
    AssessmentGivenBack {
        /// Which submission.
        id: u64,
        /// Who.
        assessor: SmolStr,
        /// Whether by the clock.
        lapsed: bool,
    },
    /// An assessor has reported.
    FindingsReported {
        /// On which submission.
        id: u64,
        /// Who.
        assessor: Assessor,
        /// What they answered, checked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answers: Option<Answers>,
        /// What was struck from it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        struck: Vec<Struck>,
        /// Why nothing can be done with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
        /// What was said, word for word.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        exchanges: Vec<Exchange>,
        /// The digest under which that is kept apart.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        personal: Option<Digest>,
        /// What it took.
        usage: Usage,
        /// What the same question to the same model is known by.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question: Option<Digest>,
        /// The record whose answer this is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        known_from: Option<u64>,
    },
    /// The assessors are too far apart: a person is asked.
    SubmissionReferred {
        /// Which one.
        id: u64,
        /// How far, from 0 to 1.
        disagreement: f64,
    },
    /// It is not judged any more.
    SubmissionWithdrawn {
        /// Which one.
        id: u64,
        /// Why.
        reason: String,
    },
    /// It is judged.
    SubmissionJudged {
        /// Which one.
        id: u64,
        /// The document with the findings: replay computes with these.
        document: String,
        /// What is said about the assessors.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<Reason>,
    },
    /// What was found is where it is wanted, or cannot get there.
    SubmissionDelivered {
        /// Which one.
        id: u64,
        /// Why it cannot.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
    },
}

impl Event for BenchEvent {
    fn kind(&self) -> &'static str {
        match self {
            Self::SubmissionReceived { .. } => "SubmissionReceived",
            Self::AssessmentBegun { .. } => "AssessmentBegun",
            Self::AssessmentGivenBack { .. } => "AssessmentGivenBack",
            Self::FindingsReported { .. } => "FindingsReported",
            Self::SubmissionReferred { .. } => "SubmissionReferred",
            Self::SubmissionWithdrawn { .. } => "SubmissionWithdrawn",
            Self::SubmissionJudged { .. } => "SubmissionJudged",
            Self::SubmissionDelivered { .. } => "SubmissionDelivered",
        }
    }
}

impl Testimony {
    /// Of this assessor, who has not said anything yet.
    #[must_use]
    pub fn of(assessor: Assessor) -> Self {
        Self {
            assessor,
            answer: None,
            problem: None,
            exchanges: Vec::new(),
            personal: None,
            usage: Usage::default(),
            question: None,
            known_from: None,
        }
    }
}

impl Default for Panel {
    fn default() -> Self {
        Self { assessors: Vec::new(), people: 0, threshold: usual_threshold() }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, more: Self) {
        self.calls += more.calls;
        self.tokens_in += more.tokens_in;
        self.tokens_out += more.tokens_out;
        self.cost += more.cost;
    }
}
