//! Plays a story like the clerk: deadlines first, then the step, then the boards. Replays it afterwards.

use std::collections::BTreeMap;

use serde_json::Value;

use super::compare::{Difference, compare, compare_refusal, compare_verdict};
use super::format::{CaseFile, Expected, Step};
use super::values::compare_values;
use crate::any_court::{AnyCourt, AnyRulebook, AnyStream, Comparison, DecideError};
use crate::court::{CommandContext, Ruling};
use crate::revision::{HISTORY_REVISED, RECORD_REVISED};
use crate::{
    Actor, Board, Draft, Head, Millis, Moment, PlacedChange, Record, RecordRef, StandingChange, StreamId,
};

/// Every story begins at 2026-01-01T00:00:00Z.
const START: Moment = Moment::from_millis(1_767_225_600_000);

pub(super) struct Story<'a> {
    pub(super) court: &'a dyn AnyCourt,
    pub(super) book: AnyRulebook,
    /// All rulebooks used so far: a revision may add one.
    pub(super) books: Vec<AnyRulebook>,
    pub(super) any_stream: Box<dyn AnyStream>,
    pub(super) head: Head,
    pub(super) records: Vec<Record>,
    /// The position of the first record of each step.
    pub(super) positions: Vec<u64>,
    boards: BTreeMap<String, Board>,
}

pub(super) fn play(
    court: &dyn AnyCourt,
    book: &AnyRulebook,
    case: &CaseFile,
) -> Result<Vec<Difference>, String> {
    let stream = StreamId::new(court.name(), "case").map_err(|error| error.to_string())?;
    let mut story = Story {
        court,
        book: book.clone(),
        books: vec![book.clone()],
        any_stream: court.empty(stream),
        head: Head::START,
        records: Vec::new(),
        positions: Vec::new(),
        boards: BTreeMap::new(),
    };
    let mut differences = Vec::new();
    for (index, step) in case.steps.iter().enumerate() {
        let found = story.step(step, case.assessor.as_ref());
        let found = found.map_err(|problem| format!("step {}: {problem}", index + 1))?;
        let step = format!("step {}", index + 1);
        differences.extend(found.into_iter().map(|difference| difference.within(&step, "steps", index)));
    }
    for (index, expected) in case.boards.iter().enumerate() {
        let rows: Vec<_> = story
            .boards
            .get(&expected.board)
            .into_iter()
            .flat_map(|board| board.rows(0, usize::MAX))
            .collect();
        let rows: Value = serde_json::from_str(&crate::to_json(&rows)).map_err(|error| error.to_string())?;
        let mut found = Vec::new();
        compare(&format!("board {}", expected.board), &["rows"], &expected.rows, &rows, &mut found);
        differences.extend(found.into_iter().map(|difference| difference.below("boards", index)));
    }
    story.replay()?;
    Ok(differences)
}

impl Story<'_> {
    fn step(&mut self, step: &Step, assessor: Option<&Value>) -> Result<Vec<Difference>, String> {
        let at = START + Millis::from_seconds(step.at);
        while self.any_stream.deadline().is_some_and(|due| due <= at) {
            let drafts = self.any_stream.fire(&self.book, self.head.position + 1);
            self.record(drafts.map_err(|error| error.to_string())?);
        }
        let position = self.head.position + 1;
        self.positions.push(position);
        let actor = step.actor.as_deref().unwrap_or("admin:organiser");
        let actor: Actor = actor.parse().map_err(|error| format!("actor: {error}"))?;
        if let Some(revise) = &step.revise {
            return self.revise(revise, step, at, &actor, assessor);
        }
        let command = self.court.read_command(step.command.clone().unwrap_or_default());
        let command = command.map_err(|error| format!("command: {error}"))?;
        let decided =
            self.any_stream.decide(&self.book, &command, CommandContext { at, actor: &actor, position });
        self.judge(step, assessor, decided)
    }

    fn judge(
        &mut self,
        step: &Step,
        assessor: Option<&Value>,
        decided: Result<Ruling<Draft>, DecideError>,
    ) -> Result<Vec<Difference>, String> {
        match (decided, step.expected()) {
            (Err(DecideError::Broken(problem)), _) => Err(format!("our fault: {problem}")),
            (Err(DecideError::Refused(refusal)), Expected::Refusal(expected)) => {
                Ok(compare_refusal(expected, &refusal))
            }
            (Err(DecideError::Refused(refusal)), _) => Err(format!("refused: {refusal}")),
            (Ok(_), Expected::Refusal(_)) => Err("expected a refusal, was accepted".to_owned()),
            (Ok(Ruling::AsBefore(position)), Expected::SameAs(step)) => {
                let first = step.checked_sub(1).and_then(|index| self.positions.get(index));
                if first == Some(&position) {
                    return Ok(Vec::new());
                }
                Err(format!("expected the answer of step {step}, got that of record {position}"))
            }
            (Ok(Ruling::AsBefore(position)), _) => Err(format!("got the answer of record {position} again")),
            (Ok(Ruling::Decided(_)), Expected::SameAs(step)) => {
                Err(format!("expected the answer of step {step}, was decided anew"))
            }
            (Ok(Ruling::Decided(drafts)), expected) => {
                let verdict = drafts.iter().find_map(|draft| draft.verdict.clone());
                self.record(drafts);
                match (expected, verdict) {
                    (Expected::Verdict(expected), Some(verdict)) => {
                        compare_verdict(expected, assessor, &verdict)
                    }
                    (Expected::Values(expected), Some(verdict)) => compare_values(expected, &verdict),
                    (Expected::Verdict(_) | Expected::Values(_), None) => {
                        Err("expected a verdict, got none".to_owned())
                    }
                    _ => Ok(Vec::new()),
                }
            }
        }
    }

    fn record(&mut self, drafts: Vec<Draft>) {
        self.seal(drafts);
        let mut changes = Vec::new();
        self.any_stream.take_changes(&mut changes);
        self.show(changes.into_iter().map(|PlacedChange { change, .. }| change));
    }

    pub(super) fn seal(&mut self, drafts: Vec<Draft>) {
        for draft in drafts {
            self.records.push(self.head.seal([0; 16], draft));
        }
    }

    pub(super) fn show(&mut self, changes: impl IntoIterator<Item = StandingChange>) {
        for StandingChange { board, participant, standing } in changes {
            self.boards.entry(board.to_string()).or_default().set(&participant, standing);
        }
    }

    /// Replays the records; the verdicts and the state must be the same.
    fn replay(&self) -> Result<(), String> {
        let mut again = self.court.empty(self.any_stream.stream().clone());
        for record in &self.records {
            let view = record.view();
            if record.draft.kind == HISTORY_REVISED {
                again = self.replay_revised(record.position)?;
                continue;
            }
            self.compare(&*again, &view)?;
            again.follow(&view).map_err(|error| error.to_string())?;
        }
        if again.snapshot() == self.any_stream.snapshot() {
            return Ok(());
        }
        Err("replay ends in another state".to_owned())
    }

    /// Judges a record again on the state just before it; the verdict must be the same.
    pub(super) fn compare(&self, state: &dyn AnyStream, record: &RecordRef<'_>) -> Result<(), String> {
        let book = self.books.iter().find(|book| state.rulebook() == Some(&book.reference));
        let Some(book) = book.filter(|_| record.kind != RECORD_REVISED) else { return Ok(()) };
        match state.compare(book, record).map_err(|error| error.to_string())? {
            Comparison::Different(differences) => {
                Err(format!("replay of record {}: {}", record.position, differences.join("; ")))
            }
            _ => Ok(()),
        }
    }
}
