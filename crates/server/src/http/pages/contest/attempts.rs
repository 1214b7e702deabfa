//! What a team has submitted, with its verdicts: for the team itself, and for judges.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use assize_courts::contest::{ContestEvent, SubmittedAnswer};
use assize_kernel::{Moment, RECORD_REVISED, Record, RecordRef, RecordRevised, Verdict};
use assize_ledger::{Depth, Scan};
use maud::{Markup, html};

use super::Seen;
use crate::http::caller::Caller;
use crate::http::pages::parts::{empty, time_of_day};
use crate::http::pages::why;
use crate::http::problem::Problem;
use crate::http::{App, blocking};

/// So many records of the contest are looked through, and so many submissions shown.
const LOOKED_THROUGH: u64 = 5_000;
const SHOWN: usize = 50;

/// One submission.
pub(super) struct Attempt {
    position: u64,
    at: Moment,
    task: String,
    answer: String,
    fate: Fate,
    /// What a revision says in its place.
    revised: Option<Fate>,
}

/// What has become of it.
enum Fate {
    Waits,
    SetAside,
    Judged(Box<Verdict>),
}

/// The latest first.
pub(super) async fn attempts(
    app: &App,
    seen: &Seen,
    caller: &Caller,
    team: &str,
) -> Result<Vec<Attempt>, Problem> {
    let (stream, caller, team) = (seen.stream.clone(), caller.clone(), team.to_owned());
    let look = move |app: &App| {
        let after = app.ledger.version(stream.as_str())?.saturating_sub(LOOKED_THROUGH);
        let scan = Scan { stream: Some(stream.as_str()), after, limit: LOOKED_THROUGH, depth: Depth::Whole };
        let mut found = Found::default();
        app.ledger.scan(scan, &mut |record| {
            if may_concern(&record, &team)
                && let Ok(record) = record.to_record()
            {
                found.take(&record, &caller, &team);
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

/// Most records are about others, which is seen without reading them.
fn may_concern(record: &RecordRef<'_>, team: &str) -> bool {
    match record.kind {
        RECORD_REVISED => true,
        "AnswerJudged" | "AnswerReceived" | "AnswerSetAside" => record.body.contains(team),
        _ => false,
    }
}

#[derive(Default)]
struct Found {
    attempts: BTreeMap<u64, Attempt>,
    /// Where an answer that had to wait stands, by its number.
    waiting: BTreeMap<u64, u64>,
}

impl Found {
    fn take(&mut self, record: &Record, caller: &Caller, team: &str) {
        if let Ok(revised) = RecordRevised::read(&record.view()) {
            let fate = verdict(record).map_or(Fate::SetAside, Fate::Judged);
            if let Some(attempt) = self.attempts.get_mut(&revised.position) {
                attempt.revised = Some(fate);
            }
            return;
        }
        let Ok(event) = serde_json::from_str(&record.draft.body) else { return };
        match event {
            ContestEvent::AnswerJudged { task, team: of, answers, decided, .. } if of == team => {
                let waited = decided
                    .and_then(|decided| decided.answer)
                    .and_then(|number| self.waiting.remove(&number));
                // One that had to wait stands where it was judged: that is the record which can be overruled.
                let at = waited.and_then(|place| self.attempts.remove(&place)).map(|attempt| attempt.at);
                let fate = verdict(record).map_or(Fate::SetAside, Fate::Judged);
                self.add(record, caller, team, (at, &task, &answers), fate);
            }
            ContestEvent::AnswerReceived { answer, task, team: of, answers, .. } if of == team => {
                self.waiting.insert(answer, record.position);
                self.add(record, caller, team, (None, &task, &answers), Fate::Waits);
            }
            ContestEvent::AnswerSetAside { answer, team: of, .. } if of == team => {
                let place = self.waiting.remove(&answer).and_then(|place| self.attempts.get_mut(&place));
                if let Some(attempt) = place {
                    attempt.fate = Fate::SetAside;
                }
            }
            _ => {}
        }
    }

    fn add(
        &mut self,
        record: &Record,
        caller: &Caller,
        team: &str,
        (at, task, answers): (Option<Moment>, &str, &[SubmittedAnswer]),
        fate: Fate,
    ) {
        if !caller.may_see_answer(&record.draft, team) {
            return;
        }
        let position = record.position;
        let (at, task, answer) = (at.unwrap_or(record.draft.at), task.to_owned(), written(answers));
        self.attempts.insert(position, Attempt { position, at, task, answer, fate, revised: None });
    }
}

fn verdict(record: &Record) -> Option<Box<Verdict>> {
    record.draft.verdict.as_deref().and_then(why::read).map(Box::new)
}

/// An answer as it was submitted, on one line.
pub(super) fn written(answers: &[SubmittedAnswer]) -> String {
    let one = |answer: &SubmittedAnswer| {
        let mark = |mark: &Option<_>| mark.as_ref().map(ToString::to_string);
        let (video, start, end) = (answer.media_item_name.clone(), mark(&answer.start), mark(&answer.end));
        let span = [start, end].into_iter().flatten().collect::<Vec<_>>().join("-");
        [answer.text.clone(), video, Some(span)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
            .trim()
            .to_owned()
    };
    answers.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Each opens to why; judges get to the record, where it can be overruled.
pub(super) fn list(attempts: &[Attempt], own: bool) -> Markup {
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
                        (fate(revised, &format!("why-{}-now", attempt.position)))
                        p class="small soft" { "It was judged at first as:" }
                    }
                    (fate(&attempt.fate, &format!("why-{}", attempt.position)))
                }
            }
        }
    }
}

fn fate(fate: &Fate, id: &str) -> Markup {
    match fate {
        Fate::Waits => html! { p { span class="badge" { "waits for a judge" } } },
        Fate::SetAside => html! { p { span class="badge" { "counts nothing" } } },
        Fate::Judged(verdict) => why::folded(&why::outcome(verdict), verdict, id),
    }
}
