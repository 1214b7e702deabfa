//! The state of a bench: waiting submissions, leases, and the most recent verdicts.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::messages::{BenchEvent, Destination, PERSON, Panel};
use crate::assessing::agreement::Confusion;
use crate::assessing::answers::{Answers, Struck};
use crate::court::RecordedAt;
use crate::rulebook::RulebookRef;
use crate::verdict::Assessor;
use crate::{Digest, Moment, SmolStr};

/// The most judged submissions kept in the state; older ones are in the ledger.
const MOST_JUDGED: usize = 50_000;
/// The most answered questions kept for reuse.
const MOST_KNOWN: usize = 20_000;
/// The most refused deliveries whose reason is kept.
const MOST_REFUSED: usize = 1_000;

/// The state of a bench.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchState {
    /// The rulebook; none before the first submission.
    pub rulebook: Option<RulebookRef>,
    /// Waiting submissions by the position of their record, so the oldest first. The documents are in the
    /// ledger.
    pub waiting: BTreeMap<u64, Waiting>,
    /// The current leases.
    pub begun: Vec<Begun>,
    /// Judged submissions with the position of their verdict, the newest last.
    pub judged: VecDeque<(u64, u64)>,
    /// Answered questions with the position of the answer, the newest last.
    pub known: VecDeque<(Digest, u64)>,
    /// Agreement between people on the same submissions, by kind of item.
    pub people: BTreeMap<String, Confusion>,
    /// Verdicts that are still to be delivered, by submission.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub undelivered: BTreeMap<u64, Undelivered>,
    /// Verdicts that their destination refused, with the reason, the newest last.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub refused: VecDeque<(u64, String)>,
    /// The number of submissions received.
    pub received: u64,
    /// The number of submissions judged.
    pub finished: u64,
}

/// A submission that is not judged yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    /// When it was received.
    pub at: Moment,
    /// The digest of the document.
    pub digest: Digest,
    /// The assessors to be asked.
    pub panel: Panel,
    /// The reports so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<Reported>,
    /// Whether the assessors disagree too much and a person is asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub referred: bool,
    /// Where the verdict is to be delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<Destination>,
}

/// A verdict that is still to be delivered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undelivered {
    /// Where it is to be delivered.
    pub destination: Destination,
    /// The position of the verdict.
    pub judged: u64,
}

/// The report of one assessor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reported {
    /// The assessor.
    pub assessor: Assessor,
    /// The validated answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answers>,
    /// Quotations that were struck.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub struck: Vec<Struck>,
    /// Why the answer is not usable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A lease: an assessor has a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// The submission.
    pub id: u64,
    /// The assessor.
    pub assessor: SmolStr,
    /// When the lease ends.
    pub until: Moment,
}

/// The progress of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Received; no assessor has begun.
    Received,
    /// At least one assessor has it.
    BeingAssessed,
    /// Waiting for a person.
    Referred,
    /// Judged.
    Judged,
}

impl BenchState {
    /// The progress of a submission; none when the bench does not know it.
    #[must_use]
    pub fn phase(&self, id: u64) -> Option<Phase> {
        let Some(waiting) = self.waiting.get(&id) else {
            return self.verdict_of(id).map(|_| Phase::Judged);
        };
        let held = self.begun.iter().any(|begun| begun.id == id);
        Some(match (held, waiting.referred) {
            (true, _) => Phase::BeingAssessed,
            (false, true) => Phase::Referred,
            (false, false) => Phase::Received,
        })
    }

    /// The position of the verdict on a submission, while it is kept.
    #[must_use]
    pub fn verdict_of(&self, id: u64) -> Option<u64> {
        self.judged.iter().rev().find(|(judged, _)| *judged == id).map(|(_, position)| *position)
    }

    /// The position of the answer to the same question, if it is kept.
    #[must_use]
    pub fn known_answer(&self, question: &Digest) -> Option<u64> {
        self.known.iter().rev().find(|(known, _)| known == question).map(|(_, position)| *position)
    }

    /// Why the destination refused the verdict on a submission.
    #[must_use]
    pub fn refused_there(&self, id: u64) -> Option<&str> {
        self.refused.iter().find(|(refused, _)| *refused == id).map(|(_, problem)| problem.as_str())
    }

    /// The submission whose verdict is still to be delivered there.
    #[must_use]
    pub fn on_its_way_to(&self, destination: &Destination) -> Option<u64> {
        let waiting =
            self.waiting.iter().filter_map(|(id, waiting)| Some((id, waiting.destination.as_ref()?)));
        let judged = self.undelivered.iter().map(|(id, undelivered)| (id, &undelivered.destination));
        let mut all = waiting.chain(judged);
        all.find(|(_, known)| *known == destination).map(|(id, _)| *id)
    }

    /// Submissions for a model to assess next, the oldest first.
    pub fn next_for<'a>(&'a self, assessor: &'a str) -> impl Iterator<Item = (u64, &'a Waiting)> {
        let next = self.waiting.iter().filter(move |(id, waiting)| self.wants_model(**id, waiting, assessor));
        next.map(|(id, waiting)| (*id, waiting))
    }

    /// Submissions for a person to assess next, the oldest first.
    pub fn next_for_person<'a>(&'a self, person: &'a str) -> impl Iterator<Item = (u64, &'a Waiting)> {
        let next = self.waiting.iter().filter(move |(id, waiting)| self.wants_person(**id, waiting, person));
        next.map(|(id, waiting)| (*id, waiting))
    }

    /// Whether an assessor has the submission.
    #[must_use]
    pub fn holds(&self, id: u64, assessor: &str) -> bool {
        self.begun.iter().any(|begun| begun.id == id && begun.assessor == assessor)
    }

    pub(super) fn wants_model(&self, id: u64, waiting: &Waiting, assessor: &str) -> bool {
        waiting.panel.assessors.iter().any(|asked| asked == assessor)
            && !waiting.has_reported(assessor)
            && !self.holds(id, assessor)
    }

    pub(super) fn wants_person(&self, id: u64, waiting: &Waiting, person: &str) -> bool {
        let is_model = |begun: &&Begun| waiting.panel.assessors.contains(&begun.assessor);
        let others = self.begun.iter().filter(|begun| begun.id == id && begun.assessor != person);
        let holding = others.filter(|begun| !is_model(begun)).count();
        !waiting.reported_by_person(person) && waiting.people().count() + holding < waiting.people_wanted()
    }

    /// Takes an event into the state.
    pub(super) fn take(&mut self, event: &BenchEvent, recorded_at: RecordedAt) {
        match event {
            BenchEvent::SubmissionReceived { digest, panel, rulebook, destination, .. } => {
                self.rulebook = self.rulebook.take().or_else(|| rulebook.clone());
                let (at, digest, panel) = (recorded_at.at, *digest, panel.clone());
                let (reports, referred, destination) = (Vec::new(), false, destination.clone());
                let waiting = Waiting { at, digest, panel, reports, referred, destination };
                self.waiting.insert(recorded_at.position, waiting);
                self.received += 1;
            }
            BenchEvent::AssessmentBegun { id, assessor, until } => {
                self.let_go(*id, assessor);
                self.begun.push(Begun { id: *id, assessor: assessor.clone(), until: *until });
            }
            BenchEvent::AssessmentGivenBack { id, assessor, .. } => self.let_go(*id, assessor),
            BenchEvent::FindingsReported { .. } => self.take_report(event, recorded_at),
            BenchEvent::SubmissionReferred { id, .. } => {
                if let Some(waiting) = self.waiting.get_mut(id) {
                    waiting.referred = true;
                }
            }
            BenchEvent::SubmissionWithdrawn { id, .. } => {
                self.begun.retain(|begun| begun.id != *id);
                self.waiting.remove(id);
            }
            BenchEvent::SubmissionJudged { id, .. } => self.finish(*id, recorded_at),
            BenchEvent::SubmissionDelivered { id, problem } => {
                self.undelivered.remove(id);
                if let Some(problem) = problem {
                    push(&mut self.refused, (*id, problem.clone()), MOST_REFUSED);
                }
            }
        }
    }

    fn take_report(&mut self, event: &BenchEvent, recorded_at: RecordedAt) {
        let BenchEvent::FindingsReported {
            id, assessor, answers, struck, problem, question, known_from, ..
        } = event
        else {
            return;
        };
        let holder = if assessor.name == PERSON { &assessor.version } else { &assessor.name };
        self.let_go(*id, holder);
        if let (Some(question), None, Some(_)) = (question, known_from, answers) {
            push(&mut self.known, (*question, recorded_at.position), MOST_KNOWN);
        }
        if let Some(waiting) = self.waiting.get_mut(id) {
            let (assessor, answers) = (assessor.clone(), answers.clone());
            let (struck, problem) = (struck.clone(), problem.clone());
            waiting.reports.push(Reported { assessor, answers, struck, problem });
        }
    }

    fn finish(&mut self, id: u64, recorded_at: RecordedAt) {
        self.begun.retain(|begun| begun.id != id);
        push(&mut self.judged, (id, recorded_at.position), MOST_JUDGED);
        self.finished += 1;
        let Some(waiting) = self.waiting.remove(&id) else { return };
        if let Some(destination) = waiting.destination.clone() {
            self.undelivered.insert(id, Undelivered { destination, judged: recorded_at.position });
        }
        let answers: Vec<&Answers> = waiting.people().filter_map(|report| report.answers.as_ref()).collect();
        for (number, first) in answers.iter().enumerate() {
            for second in answers.iter().skip(number + 1) {
                Confusion::compare(first, second, &mut self.people);
            }
        }
    }

    fn let_go(&mut self, id: u64, assessor: &str) {
        self.begun.retain(|begun| begun.id != id || begun.assessor != assessor);
    }
}

impl Waiting {
    /// Reports by people.
    pub(super) fn people(&self) -> impl Iterator<Item = &Reported> {
        self.reports.iter().filter(|report| report.assessor.is_person())
    }

    /// The number of people to be asked.
    pub(super) fn people_wanted(&self) -> usize {
        usize::try_from(self.panel.people).unwrap_or(usize::MAX).saturating_add(usize::from(self.referred))
    }

    /// Whether all assessors have reported.
    pub(super) fn is_complete(&self) -> bool {
        self.panel.assessors.iter().all(|assessor| self.has_reported(assessor))
            && self.people().count() >= self.people_wanted()
    }

    pub(super) fn has_reported(&self, assessor: &str) -> bool {
        self.reports.iter().any(|report| report.assessor.name == assessor)
    }

    pub(super) fn reported_by_person(&self, person: &str) -> bool {
        self.people().any(|report| report.assessor.version == person)
    }
}

fn push<T>(kept: &mut VecDeque<T>, new: T, most: usize) {
    if kept.len() >= most {
        kept.pop_front();
    }
    kept.push_back(new);
}
