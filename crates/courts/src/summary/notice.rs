//! Notices of a run: names and scores without the texts, for judges only.

use assize_kernel::{Audience, Notice, SmolStr, to_json};
use serde::Serialize;

use super::messages::SummaryEvent;

#[derive(Serialize)]
#[serde(tag = "kind")]
enum SummaryNotice<'a> {
    RunOpened { name: &'a str },
    SummaryJudged { item: &'a SmolStr, model: Option<&'a SmolStr>, twin_lock: f64, judge_lock: f64 },
}

pub(super) fn of(event: &SummaryEvent) -> Notice {
    let told = match event {
        SummaryEvent::RunOpened { name, .. } => SummaryNotice::RunOpened { name },
        SummaryEvent::SummaryJudged { item, model, twin_lock, judge_lock, .. } => {
            SummaryNotice::SummaryJudged {
                item,
                model: model.as_ref(),
                twin_lock: *twin_lock,
                judge_lock: *judge_lock,
            }
        }
    };
    Notice { audience: Audience::Judges, data: to_json(&told) }
}
