//! Deduplication of a team's recent answers: a retry after a lost response gets the original verdict.

use std::collections::VecDeque;

use assize_kernel::{Millis, Moment, RecordedAt, SmolStr};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fingerprint::AnswerFingerprint;

/// The answers of one team within the repeat window, in the order of recording.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RecentAnswers {
    answers: VecDeque<RecentAnswer>,
    /// The marks of the answers in contiguous memory, because every new answer is compared with all of them.
    marks: VecDeque<u16>,
}

/// A recorded answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct RecentAnswer {
    task: SmolStr,
    round: u32,
    fingerprint: AnswerFingerprint,
    at: Moment,
    position: u64,
}

impl RecentAnswers {
    /// Adds an answer and drops those outside the repeat window, which is the same for all answers of a
    /// contest.
    pub(super) fn note(
        &mut self,
        task: &SmolStr,
        round: u32,
        fingerprint: AnswerFingerprint,
        recorded_at: RecordedAt,
        repeat: Millis,
    ) {
        let oldest = recorded_at.at - repeat;
        while self.answers.front().is_some_and(|first| first.at < oldest) {
            self.answers.pop_front();
            self.marks.pop_front();
        }
        self.answers.push_back(RecentAnswer {
            task: task.clone(),
            round,
            fingerprint,
            at: recorded_at.at,
            position: recorded_at.position,
        });
        self.marks.push_back(fingerprint.mark());
    }

    /// The position of an equal answer to the same round within the repeat window.
    pub(super) fn same(
        &self,
        task: &str,
        round: u32,
        fingerprint: AnswerFingerprint,
        at: Moment,
        repeat: Millis,
    ) -> Option<u64> {
        let young = |first: Moment| (at - first).0.abs() <= repeat.0;
        let same = |answered: &&RecentAnswer| {
            answered.fingerprint == fingerprint
                && answered.task == task
                && answered.round == round
                && young(answered.at)
        };
        let (older, newer) = self.marks.as_slices();
        let newer = places(newer, fingerprint.mark()).map(|place| older.len() + place);
        let mut alike =
            places(older, fingerprint.mark()).chain(newer).filter_map(|place| self.answers.get(place));
        alike.find(same).map(|answered| answered.position)
    }

    /// Points the answer recorded at `waited` to its verdict at `settled`, so that a retry gets the verdict.
    pub(super) fn settle(&mut self, waited: u64, settled: u64) {
        if let Some(answered) = self.answers.iter_mut().find(|answered| answered.position == waited) {
            answered.position = settled;
        }
    }
}

/// The indices of a mark. Compares whole chunks without branches, so that the compiler vectorises the
/// comparison.
fn places(marks: &[u16], wanted: u16) -> impl Iterator<Item = usize> {
    const RUN: usize = 64;
    let runs = marks.chunks(RUN).enumerate();
    let runs = runs.filter(move |(_, run)| run.iter().fold(false, |found, mark| found | (*mark == wanted)));
    runs.flat_map(move |(number, run)| {
        let found = run.iter().enumerate().filter(move |(_, mark)| **mark == wanted);
        found.map(move |(place, _)| number * RUN + place)
    })
}

impl Serialize for RecentAnswers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.answers.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RecentAnswers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let answers = VecDeque::<RecentAnswer>::deserialize(deserializer)?;
        let marks = answers.iter().map(|answered| answered.fingerprint.mark()).collect();
        Ok(Self { answers, marks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPEAT: Millis = Millis(10_000);

    /// The fingerprint that is read from this number.
    fn fingerprint(number: u128) -> AnswerFingerprint {
        AnswerFingerprint::read(&format!("{number:032x}")).unwrap()
    }

    fn at(millis: i64) -> Moment {
        Moment::from_millis(millis)
    }

    #[test]
    fn an_answer_is_found_among_many_that_look_like_it() {
        let task = SmolStr::from("one");
        let mut recent = RecentAnswers::default();
        // Every third has the same mark; the first hundred grow too old, so that what is kept wraps around.
        let number = |answer: u64| u128::from(answer) << 16 | u128::from(answer % 3);
        for answer in 0..1_100_u64 {
            let recorded_at =
                RecordedAt { position: answer + 1, at: at(i64::try_from(answer).unwrap() * 10) };
            recent.note(&task, 1, fingerprint(number(answer)), recorded_at, REPEAT);
        }
        let same = |answer| recent.same("one", 1, fingerprint(number(answer)), at(10_990), REPEAT);
        assert_eq!(same(98), None, "too old");
        for answer in 99..1_100 {
            assert_eq!(same(answer), Some(answer + 1));
        }
        assert_eq!(same(1_100), None);
        let elsewhere = |task, round| recent.same(task, round, fingerprint(number(500)), at(10_990), REPEAT);
        assert_eq!(elsewhere("one", 2), None);
        assert_eq!(elsewhere("two", 1), None);
    }
}
