//! What may be told of what happens on a bench: how far a submission has come, never what is in it.

use serde::Serialize;

use super::messages::BenchEvent;
use crate::SmolStr;
use crate::court::{Audience, Notice, to_json};

#[derive(Serialize)]
enum Told<'a> {
    SubmissionReceived { assessors: &'a [SmolStr], people: u32 },
    AssessmentBegun { id: u64, assessor: &'a str },
    AssessmentGivenBack { id: u64, assessor: &'a str, lapsed: bool },
    FindingsReported { id: u64, assessor: &'a str, usable: bool },
    SubmissionReferred { id: u64, disagreement: f64 },
    SubmissionWithdrawn { id: u64 },
    SubmissionJudged { id: u64 },
}

pub(super) fn of(event: &BenchEvent) -> Notice {
    let told = match event {
        BenchEvent::SubmissionReceived { panel, .. } => {
            Told::SubmissionReceived { assessors: &panel.assessors, people: panel.people }
        }
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
    };
    Notice { audience: Audience::Judges, data: to_json(&told) }
}
