//! A team's submissions with their verdicts, for the team itself and for judges.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use assize_courts::contest::{ContestEvent, SubmittedAnswer};
use assize_engine::Courts;
use assize_kernel::{Moment, RECORD_REVISED, Record, RecordRef, RecordRevised, Verdict};
use assize_ledger::{Depth, Scan};
use maud::{Markup, html};

use super::ContestPage;
use crate::http::caller::Caller;
use crate::http::problem::Problem;
use crate::http::{App, blocking};
use crate::pages::parts::{empty, time_of_day};
use crate::pages::why;

/// How many of the contest's latest records are scanned, and how many submissions are shown.
const LOOKED_THROUGH: u64 = 5_000;
const SHOWN: usize = 50;

/// One submission.
pub(super) struct AttemptRow {
    position: u64,
    at: Moment,
    task: String,
    answer: String,
    state: AttemptState,
    /// State after a revision.
    revised: Option<AttemptState>,
}

impl AttemptRow {
    fn new(
        position: u64,
        at: Moment,
        task: impl Into<String>,
        answers: &[SubmittedAnswer],
        state: AttemptState,
    ) -> Self {
        Self { position, at, task: task.into(), answer: written(answers), state, revised: None }
    }
}

/// State of a submission.
enum AttemptState {
    Waits,
    SetAside,
    Judged(Box<Verdict>),
}

/// The team's submissions that the caller may see, latest first.
pub(super) async fn attempts(
    app: &App,
    seen: &ContestPage,
    caller: &Caller,
    team: &str,
) -> Result<Vec<AttemptRow>, Problem> {
    let stream = seen.stream.clone();
    let caller = caller.clone();
    let team = team.to_owned();
    let look = move |app: &App| {
        let after = app.ledger.version(stream.as_str())?.saturating_sub(LOOKED_THROUGH);
        let scan = Scan { stream: Some(stream.as_str()), after, limit: LOOKED_THROUGH, depth: Depth::Whole };
        let mut found = AttemptScan::default();
        app.ledger.scan(scan, &mut |record| {
            if may_concern(&record, &team)
                && let Ok(record) = record.to_record()
            {
                found.take(&record, &app.courts, &caller, &team);
            }
            ControlFlow::Continue(())
        })?;
        Ok(found.attempts)
    };
    let mut attempts: Vec<_> = blocking(app, look).await?.into_values().collect();
    attempts.sort_by_key(|attempt| std::cmp::Reverse(attempt.position));
    attempts.truncate(SHOWN);
    Ok(attempts)
}

/// Cheap filter before parsing: most records concern other teams.
fn may_concern(record: &RecordRef<'_>, team: &str) -> bool {
    match record.kind {
        RECORD_REVISED => true,
        "AnswerJudged" | "AnswerReceived" | "AnswerSetAside" => record.body.contains(team),
        _ => false,
    }
}

#[derive(Default)]
struct AttemptScan {
    attempts: BTreeMap<u64, AttemptRow>,
    /// Positions of answers that wait for a judge, by answer number.
    waiting: BTreeMap<u64, u64>,
}

impl AttemptScan {
    fn take(&mut self, record: &Record, courts: &Courts, caller: &Caller, team: &str) {
        if let Ok(revised) = RecordRevised::read(&record.view()) {
            let state = verdict(record).map_or(AttemptState::SetAside, AttemptState::Judged);
            if let Some(attempt) = self.attempts.get_mut(&revised.position) {
                attempt.revised = Some(state);
            }
            return;
        }
        let Ok(event) = serde_json::from_str(&record.draft.body) else { return };
        let may_see = || caller.may_see_answer(courts, &record.draft, team);
        match event {
            ContestEvent::AnswerJudged { task, team: of, answers, decided, .. } if of == team => {
                let waited = decided
                    .and_then(|decided| decided.answer)
                    .and_then(|number| self.waiting.remove(&number));
                // An answer that waited moves to the record of its verdict, which can be overruled.
                let at = waited.and_then(|place| self.attempts.remove(&place)).map(|attempt| attempt.at);
                let state = verdict(record).map_or(AttemptState::SetAside, AttemptState::Judged);
                let at = at.unwrap_or(record.draft.at);
                let attempt = AttemptRow::new(record.position, at, task, &answers, state);
                if may_see() {
                    self.attempts.insert(attempt.position, attempt);
                }
            }
            ContestEvent::AnswerReceived { answer, task, team: of, answers, .. } if of == team => {
                self.waiting.insert(answer, record.position);
                let attempt =
                    AttemptRow::new(record.position, record.draft.at, task, &answers, AttemptState::Waits);
                if may_see() {
                    self.attempts.insert(attempt.position, attempt);
                }
            }
            ContestEvent::AnswerSetAside { answer, team: of, .. } if of == team => {
                let place = self.waiting.remove(&answer).and_then(|place| self.attempts.get_mut(&place));
                if let Some(attempt) = place {
                    attempt.state = AttemptState::SetAside;
                }
            }
            _ => {}
        }
    }
}

fn verdict(record: &Record) -> Option<Box<Verdict>> {
    record.draft.verdict.as_deref().and_then(why::read).map(Box::new)
}

/// An answer as it was submitted, on one line.
pub(super) fn written(answers: &[SubmittedAnswer]) -> String {
    let one = |answer: &SubmittedAnswer| {
        let mark = |mark: &Option<_>| mark.as_ref().map(ToString::to_string);
        let marks = [mark(&answer.start), mark(&answer.end)];
        let span = marks.into_iter().flatten().collect::<Vec<_>>().join("-");
        [answer.text.clone(), answer.media_item_name.clone(), Some(span)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
            .trim()
            .to_owned()
    };
    answers.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The list. Each submission expands to its verdict and links to its record, where judges can overrule it.
pub(super) fn list(attempts: &[AttemptRow], own: bool) -> Markup {
    if attempts.is_empty() {
        let next = if own {
            "What you submit here, or with your tool, appears here with its verdict."
        } else {
            "It has not tried yet."
        };
        return empty("No submissions yet.", &html! { (next) });
    }
    html! {
        ul class="attempts" {
            @for attempt in attempts {
                li data-key=(format!("attempt-{}", attempt.position)) {
                    p {
                        (time_of_day(attempt.at)) " " strong { (attempt.task) } " " code { (attempt.answer) } " "
                        a class="small" href=(format!("/records/{}", attempt.position)) { "record " (attempt.position) }
                    }
                    @if let Some(revised) = &attempt.revised {
                        p class="small soft" { "This was revised. It counts as:" }
                        (state(revised, &format!("why-{}-now", attempt.position)))
                        p class="small soft" { "It was judged at first as:" }
                    }
                    (state(&attempt.state, &format!("why-{}", attempt.position)))
                }
            }
        }
    }
}

fn state(state: &AttemptState, id: &str) -> Markup {
    match state {
        AttemptState::Waits => html! { p { span class="badge" { "waits for a judge" } } },
        AttemptState::SetAside => html! { p { span class="badge" { "counts nothing" } } },
        AttemptState::Judged(verdict) => why::folded(&why::outcome(verdict), verdict, id),
    }
}
