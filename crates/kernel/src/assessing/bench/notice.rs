//! Public notices of a bench: the progress of a submission, never its content.

use serde::Serialize;

use super::messages::{BenchEvent, Destination};
use crate::SmolStr;
use crate::court::{Audience, Notice, to_json};

#[derive(Serialize)]
enum Told<'a> {
    SubmissionReceived {
        assessors: &'a [SmolStr],
        people: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        destination: Option<&'a Destination>,
    },
    AssessmentBegun {
        id: u64,
        assessor: &'a str,
    },
    AssessmentGivenBack {
        id: u64,
        assessor: &'a str,
        lapsed: bool,
    },
    FindingsReported {
        id: u64,
        assessor: &'a str,
        usable: bool,
    },
    SubmissionReferred {
        id: u64,
        disagreement: f64,
    },
    SubmissionWithdrawn {
        id: u64,
    },
    SubmissionJudged {
        id: u64,
    },
    SubmissionDelivered {
        id: u64,
    },
}

pub(super) fn of(event: &BenchEvent) -> Notice {
    let told = match event {
        BenchEvent::SubmissionReceived { panel, destination, .. } => Told::SubmissionReceived {
            assessors: &panel.assessors,
            people: panel.people,
            destination: destination.as_ref(),
        },
        BenchEvent::AssessmentBegun { id, assessor, .. } => Told::AssessmentBegun { id: *id, assessor },
        BenchEvent::AssessmentGivenBack { id, assessor, lapsed } => {
            Told::AssessmentGivenBack { id: *id, assessor, lapsed: *lapsed }
        }
        BenchEvent::FindingsReported { id, assessor, answers, .. } => {
            Told::FindingsReported { id: *id, assessor: &assessor.name, usable: answers.is_some() }
        }
        BenchEvent::SubmissionReferred { id, disagreement } => {
            Told::SubmissionReferred { id: *id, disagreement: *disagreement }
        }
        BenchEvent::SubmissionWithdrawn { id, .. } => Told::SubmissionWithdrawn { id: *id },
        BenchEvent::SubmissionJudged { id, .. } => Told::SubmissionJudged { id: *id },
        BenchEvent::SubmissionDelivered { id, .. } => Told::SubmissionDelivered { id: *id },
    };
    Notice { audience: Audience::Judges, data: to_json(&told) }
}
