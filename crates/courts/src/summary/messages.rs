//! Commands and events of a run of summaries.

use assize_kernel::{Assessor, Event, Reason, RulebookRef, SmolStr};
use serde::{Deserialize, Serialize};

use super::findings::Findings;

/// A command to a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SummaryCommand {
    /// Opens the run under the current rulebook.
    OpenRun {
        /// The display name of the run.
        name: String,
    },
    /// Judges a summary and records it.
    JudgeSummary {
        /// The name of the item in the run.
        item: SmolStr,
        /// The model that wrote the summary.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<SmolStr>,
        /// The article.
        article: String,
        /// The summary.
        summary: String,
        /// The findings of an assessor; the court reads the texts itself when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        findings: Option<Box<Findings>>,
        /// The author of the findings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        assessor: Option<Assessor>,
        /// Reasons about the assessors, from the bench that asked them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remarks: Vec<Reason>,
    },
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SummaryEvent {
    /// The run is open.
    RunOpened {
        /// The display name of the run.
        name: String,
        /// The rulebook of the run.
        rulebook: RulebookRef,
    },
    /// A summary was judged.
    SummaryJudged {
        /// The name of the item in the run.
        item: SmolStr,
        /// The model that wrote the summary.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<SmolStr>,
        /// The article.
        article: String,
        /// The summary.
        summary: String,
        /// The findings; replay computes the verdict from them.
        findings: Box<Findings>,
        /// The author of the findings.
        assessor: Assessor,
        /// The total of Twin-Lock.
        twin_lock: f64,
        /// The total of Judge-Lock.
        judge_lock: f64,
        /// Reasons about the assessors.
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
