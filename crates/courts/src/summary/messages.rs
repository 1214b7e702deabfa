//! What is wanted of a run of summaries and what happens in it: commands and events.

use assize_kernel::{Assessor, Event, Reason, RulebookRef, SmolStr};
use serde::{Deserialize, Serialize};

use super::findings::Findings;

/// What somebody wants to happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SummaryCommand {
    /// Opens the run under the rulebook at hand.
    OpenRun {
        /// What people call it.
        name: String,
    },
    /// Judges a summary and keeps it.
    JudgeSummary {
        /// Its name in the run.
        item: SmolStr,
        /// The model that wrote it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<SmolStr>,
        /// The article.
        article: String,
        /// The summary.
        summary: String,
        /// Those of a language model or a person; the reading's otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        findings: Option<Box<Findings>>,
        /// Whose findings they are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        assessor: Option<Assessor>,
        /// What is said about the assessors, where a bench has asked them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<Reason>,
    },
}

/// What has happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SummaryEvent {
    /// The run is open.
    RunOpened {
        /// What people call it.
        name: String,
        /// What it is judged by.
        rulebook: RulebookRef,
    },
    /// A summary was judged.
    SummaryJudged {
        /// Its name in the run.
        item: SmolStr,
        /// The model that wrote it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<SmolStr>,
        /// The article.
        article: String,
        /// The summary.
        summary: String,
        /// What was found: replay computes with these.
        findings: Box<Findings>,
        /// Who found it.
        assessor: Assessor,
        /// The total of Twin-Lock.
        twin_lock: f64,
        /// The total of Judge-Lock.
        judge_lock: f64,
        /// What is said about the assessors.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<Reason>,
    },
}

impl Event for SummaryEvent {
    fn kind(&self) -> &'static str {
        match self {
            Self::RunOpened { .. } => "RunOpened",
            Self::SummaryJudged { .. } => "SummaryJudged",
        }
    }
}
