//! What has come of a bench so far: who waits, who has what, and where finished ones are.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::messages::{BenchEvent, Destination, PERSON, Panel};
use crate::assessing::agreement::Confusion;
use crate::assessing::answers::{Answers, Struck};
use crate::court::RecordedAt;
use crate::rulebook::RulebookRef;
use crate::verdict::Assessor;
use crate::{Digest, Moment, SmolStr};

/// As many finished ones are remembered here; the others are in the ledger.
const MOST_JUDGED: usize = 50_000;
/// As many questions are known again.
const MOST_KNOWN: usize = 20_000;
/// Of as many that were refused elsewhere the reason is at hand.
const MOST_REFUSED: usize = 1_000;

/// A bench.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchState {
    /// What it judges by; none before its first submission.
    pub rulebook: Option<RulebookRef>,
    /// What waits, by the position of its record: the oldest first. The documents are in the ledger.
    pub waiting: BTreeMap<u64, Waiting>,
    /// Who has what.
    pub begun: Vec<Begun>,
    /// Finished ones with the position of their verdict, the newest last.
    pub judged: VecDeque<(u64, u64)>,
    /// Questions that were answered, with the position of the answer, the newest last.
    pub known: VecDeque<(Digest, u64)>,
    /// What people have said of the same submissions, by kind of item.
    pub people: BTreeMap<String, Confusion>,
    /// Judged ones whose verdict is wanted elsewhere and is not there yet.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub undelivered: BTreeMap<u64, Undelivered>,
    /// Those that were refused where they are wanted, with the reason, the newest last.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub refused: VecDeque<(u64, String)>,
    /// How many were received.
    pub received: u64,
    /// How many were judged.
    pub finished: u64,
}

/// A submission that is not judged yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    /// Since when.
    pub at: Moment,
    /// What its document is known by.
    pub digest: Digest,
    /// Who is asked.
    pub panel: Panel,
    /// Who has reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<Reported>,
    /// Whether a person is asked because the others are too far apart.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub referred: bool,
    /// Where the verdict is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<Destination>,
}

/// A verdict that is wanted elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undelivered {
    /// Where.
    pub destination: Destination,
    /// The position of the verdict.
    pub judged: u64,
}

/// What one assessor has reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reported {
    /// Who.
    pub assessor: Assessor,
    /// What they answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answers>,
    /// What was struck from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub struck: Vec<Struck>,
    /// Why nothing can be done with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Somebody has a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// Which one.
    pub id: u64,
    /// Who.
    pub assessor: SmolStr,
    /// Until when.
    pub until: Moment,
}

/// How far a submission has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It is there, and nobody has begun.
    Received,
    /// Somebody has it.
    BeingAssessed,
    /// It waits for a person.
    Referred,
    /// It is judged.
    Judged,
}

impl BenchState {
    /// How far a submission has come; none when it is not known here.
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

    /// The position of the verdict on a submission, where it is remembered.
    #[must_use]
    pub fn verdict_of(&self, id: u64) -> Option<u64> {
        self.judged.iter().rev().find(|(judged, _)| *judged == id).map(|(_, position)| *position)
    }

    /// The answer that the same question had before.
    #[must_use]
    pub fn known_answer(&self, question: &Digest) -> Option<u64> {
        self.known.iter().rev().find(|(known, _)| known == question).map(|(_, position)| *position)
    }

    /// Why the verdict on a submission was refused where it is wanted.
    #[must_use]
    pub fn refused_there(&self, id: u64) -> Option<&str> {
        self.refused.iter().find(|(refused, _)| *refused == id).map(|(_, problem)| problem.as_str())
    }

    /// The submission whose verdict is wanted there and is not there yet.
    #[must_use]
    pub fn on_its_way_to(&self, destination: &Destination) -> Option<u64> {
        let waiting =
            self.waiting.iter().filter_map(|(id, waiting)| Some((id, waiting.destination.as_ref()?)));
        let judged = self.undelivered.iter().map(|(id, undelivered)| (id, &undelivered.destination));
        let mut all = waiting.chain(judged);
        all.find(|(_, known)| *known == destination).map(|(id, _)| *id)
    }

    /// Submissions that a model is to be asked about next, the oldest first.
    pub fn next_for<'a>(&'a self, assessor: &'a str) -> impl Iterator<Item = (u64, &'a Waiting)> {
        let next = self.waiting.iter().filter(move |(id, waiting)| self.wants_model(**id, waiting, assessor));
        next.map(|(id, waiting)| (*id, waiting))
    }

    /// Submissions that a person is to be asked about next, the oldest first.
    pub fn next_for_person<'a>(&'a self, person: &'a str) -> impl Iterator<Item = (u64, &'a Waiting)> {
        let next = self.waiting.iter().filter(move |(id, waiting)| self.wants_person(**id, waiting, person));
        next.map(|(id, waiting)| (*id, waiting))
    }

    /// Whether somebody has a submission.
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

    /// Takes an event in.
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
    /// What people have reported.
    pub(super) fn people(&self) -> impl Iterator<Item = &Reported> {
        self.reports.iter().filter(|report| report.assessor.is_person())
    }

    /// How many people are asked.
    pub(super) fn people_wanted(&self) -> usize {
        usize::try_from(self.panel.people).unwrap_or(usize::MAX).saturating_add(usize::from(self.referred))
    }

    /// Whether all who are asked have reported.
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
