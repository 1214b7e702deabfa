//! Commands and events of a bench.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::assessing::answers::{Answers, Struck};
use crate::court::Event;
use crate::rulebook::RulebookRef;
use crate::verdict::{Assessor, Reason};
use crate::{Digest, Moment, SmolStr};

/// The assessor name of every person; the version says who it is.
pub const PERSON: &str = "person";
/// The assessor name of a panel; the version lists its members.
pub const PANEL: &str = "panel";

/// A command of a bench.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum BenchCommand {
    /// Submits a document for assessment.
    Receive {
        /// The document to be judged.
        document: String,
        /// The assessors to be asked.
        panel: Panel,
        /// The digest of the document where it is personal and stored outside the ledger.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        personal: Option<Digest>,
        /// Where the verdict is to be delivered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        destination: Option<Destination>,
    },
    /// Leases a submission to an assessor.
    Begin {
        /// The submission.
        id: u64,
        /// The name of a model, or a person as `role:name`.
        assessor: SmolStr,
        /// Whether the assessor is a person.
        #[serde(default)]
        person: bool,
        /// When the lease ends.
        until: Moment,
    },
    /// Ends an expired lease; issued by the deadline.
    Lapse {
        /// The submission.
        id: u64,
        /// The assessor who held the lease.
        assessor: SmolStr,
    },
    /// Returns a submission before its lease ends.
    GiveBack {
        /// The submission.
        id: u64,
        /// The assessor who held the lease.
        assessor: SmolStr,
    },
    /// Removes a submission that cannot be judged any more, such as one whose text was erased.
    Withdraw {
        /// The submission.
        id: u64,
        /// Why it is withdrawn.
        reason: String,
    },
    /// Records that the verdict was delivered, or why it was refused there.
    Deliver {
        /// The submission.
        id: u64,
        /// Why the destination refused it; none if it was delivered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
    },
    /// Reports an assessor's answers.
    Report {
        /// The submission.
        id: u64,
        /// The document as it was received.
        document: String,
        /// The answers and how they were obtained.
        testimony: Box<Testimony>,
    },
}

/// Where a verdict is to be delivered: an item in a stream of the same court.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Destination {
    /// The stream, such as that of a run.
    pub stream: SmolStr,
    /// The item in that stream: a summary, a session or a quest.
    pub item: SmolStr,
    /// The part of the item: the model that wrote the summary, or the turn of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<SmolStr>,
}

/// The assessors of a submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// Models, by their configured names.
    #[serde(default)]
    pub assessors: Vec<SmolStr>,
    /// The number of people.
    #[serde(default)]
    pub people: u32,
    /// The disagreement, from 0 to 1, above which a person is asked.
    #[serde(default = "usual_threshold")]
    pub threshold: f64,
}

const fn usual_threshold() -> f64 {
    0.25
}

/// An assessor's answer, with the evidence of how it was obtained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Testimony {
    /// The assessor: a model with its version, or a person.
    pub assessor: Assessor,
    /// The answer as JSON; none when no usable answer was obtained.
    #[serde(default)]
    pub answer: Option<Value>,
    /// Why there is no answer.
    #[serde(default)]
    pub problem: Option<String>,
    /// The requests and responses, verbatim and in order.
    #[serde(default)]
    pub exchanges: Vec<Exchange>,
    /// The digest of the exchanges where they are personal and stored outside the ledger.
    #[serde(default)]
    pub personal: Option<Digest>,
    /// The cost of asking.
    #[serde(default)]
    pub usage: Usage,
    /// The cache key: the digest of the question and the model.
    #[serde(default)]
    pub question: Option<Digest>,
    /// The position of the record whose answer was reused.
    #[serde(default)]
    pub known_from: Option<u64>,
}

/// One request to a model and its response, verbatim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The request body.
    pub request: String,
    /// The response body.
    pub answer: String,
}

/// The resources used by asking a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// The number of requests.
    pub calls: u32,
    /// Tokens of the requests.
    pub tokens_in: u64,
    /// Tokens of the responses.
    pub tokens_out: u64,
    /// The cost, computed from the price table.
    pub cost: f64,
}

/// An event of a bench.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum BenchEvent {
    /// A submission was received.
    SubmissionReceived {
        /// The document; none where it is stored outside the ledger.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        document: Option<String>,
        /// The digest under which a personal document is stored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        personal: Option<Digest>,
        /// The digest of the document.
        digest: Digest,
        /// The assessors to be asked.
        panel: Panel,
        /// The rulebook of the bench; only with its first submission.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rulebook: Option<RulebookRef>,
        /// Where the verdict is to be delivered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        destination: Option<Destination>,
    },
    /// A submission was leased to an assessor.
    AssessmentBegun {
        /// The submission.
        id: u64,
        /// The assessor.
        assessor: SmolStr,
        /// When the lease ends.
        until: Moment,
    },
    /// A lease ended without a report.
    AssessmentGivenBack {
        /// The submission.
        id: u64,
        /// The assessor.
        assessor: SmolStr,
        /// Whether the lease expired.
        lapsed: bool,
    },
    /// An assessor has reported.
    FindingsReported {
        /// The submission.
        id: u64,
        /// The assessor.
        assessor: Assessor,
        /// The validated answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answers: Option<Answers>,
        /// Quotations that were struck.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        struck: Vec<Struck>,
        /// Why the answer is not usable.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
        /// The requests and responses, verbatim.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        exchanges: Vec<Exchange>,
        /// The digest under which personal exchanges are stored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        personal: Option<Digest>,
        /// The cost of asking.
        usage: Usage,
        /// The cache key: the digest of the question and the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question: Option<Digest>,
        /// The position of the record whose answer was reused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        known_from: Option<u64>,
    },
    /// The assessors disagree too much: a person is asked.
    SubmissionReferred {
        /// The submission.
        id: u64,
        /// The disagreement, from 0 to 1.
        disagreement: f64,
    },
    /// A submission was withdrawn.
    SubmissionWithdrawn {
        /// The submission.
        id: u64,
        /// Why.
        reason: String,
    },
    /// A submission was judged.
    SubmissionJudged {
        /// The submission.
        id: u64,
        /// The document with the findings; replay judges it again without asking an assessor.
        document: String,
        /// Reasons that concern the assessors.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<Reason>,
    },
    /// The verdict was delivered, or its destination refused it.
    SubmissionDelivered {
        /// The submission.
        id: u64,
        /// Why the destination refused it; none if it was delivered.
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
    /// An empty testimony of this assessor.
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
