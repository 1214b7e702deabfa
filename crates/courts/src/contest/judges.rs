//! What judges do with waiting answers: take the next, hold it longer, give it back, say how right it is.

use std::collections::BTreeSet;

use assize_kernel::{Decision, Moment, Occasion, Rulebook, Ruling, SmolStr, Stamp};

use super::deciding::{Decided as Ruled, fact, hidden_if_frozen};
use super::fingerprint::Fingerprint;
use super::messages::{ContestEvent, Outcome};
use super::people::{Decided, Received, judged};
use super::queue::{Queued, next, queue};
use super::refusals::ContestRefusal;
use super::rules::{ContestRules, Scoring};
use super::state::{ContestState, Task, evolve};
use super::submission::SubmittedAnswer;
use super::task::TaskType;

/// The longest note, in characters.
const LONGEST_NOTE: usize = 1000;

pub(super) fn take(book: &Rulebook<ContestRules>, state: &ContestState, occasion: Occasion<'_>) -> Ruled {
    let by = occasion.actor.to_string();
    let queued = next(state, &by, occasion.at).ok_or(ContestRefusal::QueueEmpty)?;
    hold(book, &queued, by, occasion.at)
}

pub(super) fn renew(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    answer: u64,
    occasion: Occasion<'_>,
) -> Ruled {
    let by = occasion.actor.to_string();
    hold(book, &held(state, answer, &by)?, by, occasion.at)
}

pub(super) fn give_back(state: &ContestState, answer: u64, occasion: Occasion<'_>) -> Ruled {
    let queued = held(state, answer, &occasion.actor.to_string())?;
    let (task, round) = (queued.name.clone(), queued.round.number);
    fact(ContestEvent::AnswerGivenBack { task, round, answer })
}

/// The verdict on an answer, and then on everything that waited for it: equal answers, and those that came later.
pub(super) fn decide(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    answer: u64,
    (outcome, note): (Outcome, Option<String>),
    occasion: Occasion<'_>,
) -> Ruled {
    let by = occasion.actor.to_string();
    let queued = held(state, answer, &by)?;
    let note = checked_note(outcome, note)?;
    let partly =
        queued.task.spec.task_type == TaskType::Tr && matches!(book.rules.scoring(), Scoring::Timed(..));
    if outcome == Outcome::Partial && !partly {
        let problem =
            "only an answer to a TR task can be partly right, and not where being near earns points";
        return Err(ContestRefusal::JudgementInvalid(problem.to_owned()));
    }
    let decided = Decided { outcome, by, note, answer: Some(answer), like: None };
    let mut bench = Bench { book, state: state.clone(), decisions: Vec::new(), at: occasion.at };
    bench.judge(answer, decided);
    bench.follow(queued.name);
    Ok(Ruling::Decided(bench.decisions))
}

/// An answer to a task that people judge: it waits, unless it has been judged before and nothing of the team waits.
pub(super) fn receive(
    book: &Rulebook<ContestRules>,
    state: &ContestState,
    received: &Received<'_>,
    fingerprint: Fingerprint,
) -> Ruled {
    let Received { name, task, round, team, answers, elapsed } = *received;
    let remembered = task.remembered.get(&fingerprint).filter(|_| !round.waits(team));
    let decision = remembered.and_then(|remembered| judged(book, received, remembered.word(None)));
    match decision {
        Some(decision) => Ok(hidden_if_frozen(decision, state).into()),
        None => fact(ContestEvent::AnswerReceived {
            answer: state.received + 1,
            task: name.clone(),
            round: round.number,
            team: team.clone(),
            answers: answers.to_vec(),
            fingerprint,
            elapsed_ms: elapsed.0,
        }),
    }
}

/// A state in which one verdict after the other is given, so that each knows of those before it.
struct Bench<'a> {
    book: &'a Rulebook<ContestRules>,
    state: ContestState,
    decisions: Vec<Decision<ContestEvent>>,
    at: Moment,
}

impl Bench<'_> {
    fn judge(&mut self, answer: u64, decided: Decided) {
        let queued = queue(&self.state).into_iter().find(|queued| queued.answer == answer);
        let decision = queued.and_then(|queued| judged(self.book, &queued.received(), decided));
        if let Some(decision) = decision {
            let decision = hidden_if_frozen(decision, &self.state);
            self.record(decision);
        }
    }

    /// In the order of receipt: what is known by now is judged, what is not holds up the rest of its team.
    fn follow(&mut self, name: &SmolStr) {
        let waiting: Vec<(u64, SmolStr, Fingerprint)> = queue(&self.state)
            .iter()
            .filter(|queued| queued.name == name)
            .map(|queued| (queued.answer, queued.waiting.team.clone(), queued.waiting.fingerprint))
            .collect();
        let mut held_up = BTreeSet::new();
        for (answer, team, fingerprint) in waiting {
            if held_up.contains(&team) {
                continue;
            }
            let Some(task) = self.state.tasks.get(name) else { return };
            let round = task.round.as_ref();
            let attempts = round.and_then(|round| round.attempts.get(&team));
            if attempts.is_some_and(|attempts| attempts.completed_at.is_some()) {
                let round = round.map_or(0, |round| round.number);
                let event = ContestEvent::AnswerSetAside { task: name.clone(), round, team, answer };
                self.record(Decision::fact(event));
            } else if let Some(remembered) = task.remembered.get(&fingerprint) {
                let decided = remembered.word(Some(answer));
                self.judge(answer, decided);
            } else {
                held_up.insert(team);
            }
        }
    }

    fn record(&mut self, decision: Decision<ContestEvent>) {
        // Nothing that follows depends on where it will stand.
        evolve(&mut self.state, &decision.event, Stamp { position: 0, at: self.at });
        self.decisions.push(decision);
    }
}

impl Task {
    /// What was said of an answer, as it stands now: of an equal one it may have been said anew since.
    pub(super) fn word_again(&self, fingerprint: Fingerprint, said: &Decided) -> Decided {
        let remembered = said.like.and_then(|_| self.remembered.get(&fingerprint));
        remembered.map_or_else(|| said.clone(), |remembered| remembered.word(said.answer))
    }
}

impl super::queue::Remembered {
    /// The same word on another answer.
    fn word(&self, answer: Option<u64>) -> Decided {
        let Self { outcome, by, note, answer: like } = self.clone();
        Decided { outcome, by, note, answer, like: Some(like) }
    }
}

impl<'a> Queued<'a> {
    fn received(&self) -> Received<'a> {
        let Self { name, task, round, waiting, .. } = *self;
        let (team, answers): (_, &[SubmittedAnswer]) = (&waiting.team, &waiting.answers);
        Received { name, task, round, team, answers, elapsed: waiting.elapsed }
    }
}

fn hold(book: &Rulebook<ContestRules>, queued: &Queued<'_>, by: String, at: Moment) -> Ruled {
    let (task, round, answer) = (queued.name.clone(), queued.round.number, queued.answer);
    fact(ContestEvent::AnswerTaken { task, round, answer, by, until: at + book.rules.judging.lease() })
}

/// A waiting answer that this judge has taken, and nobody after them.
fn held<'a>(state: &'a ContestState, answer: u64, by: &str) -> Result<Queued<'a>, ContestRefusal> {
    let Some(queued) = queue(state).into_iter().find(|queued| queued.answer == answer) else {
        let settled = state.fate(answer).is_some_and(|fate| fate.settled.is_some());
        return Err(match settled {
            true => ContestRefusal::AnswerDecided(answer),
            false => ContestRefusal::AnswerUnknown(answer),
        });
    };
    match &queued.waiting.lease {
        Some(lease) if lease.by == by => Ok(queued),
        _ => Err(ContestRefusal::AnswerNotHeld(answer)),
    }
}

fn checked_note(outcome: Outcome, note: Option<String>) -> Result<Option<String>, ContestRefusal> {
    let note = note.map(|note| note.trim().to_owned()).filter(|note| !note.is_empty());
    let wrong = |problem: String| Err(ContestRefusal::JudgementInvalid(problem));
    match &note {
        None if outcome == Outcome::Undecided => wrong("say in `note` why it cannot be decided".to_owned()),
        Some(long) if long.chars().count() > LONGEST_NOTE => {
            wrong(format!("`note` must be at most {LONGEST_NOTE} characters"))
        }
        _ => Ok(note),
    }
}
