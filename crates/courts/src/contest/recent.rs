//! A team's last answers: whoever sends one of them again, because its verdict never came, is given that verdict.

use std::collections::VecDeque;

use assize_kernel::{Millis, Moment, SmolStr, Stamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fingerprint::Fingerprint;

/// The answers of one team that are young enough to be repeated, in the order in which they were recorded.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Recent {
    answers: VecDeque<Answered>,
    /// Their marks, close together: every new answer is compared with all of them.
    marks: VecDeque<u16>,
}

/// What was said, where and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Answered {
    task: SmolStr,
    round: u32,
    fingerprint: Fingerprint,
    at: Moment,
    position: u64,
}

impl Recent {
    /// Keeps an answer in mind, and forgets those that are too old for it: in one contest all are known equally long.
    pub(super) fn note(
        &mut self,
        (task, round): (&SmolStr, u32),
        fingerprint: Fingerprint,
        stamp: Stamp,
        repeat: Millis,
    ) {
        let oldest = stamp.at - repeat;
        while self.answers.front().is_some_and(|first| first.at < oldest) {
            self.answers.pop_front();
            self.marks.pop_front();
        }
        let (at, position) = (stamp.at, stamp.position);
        self.answers.push_back(Answered { task: task.clone(), round, fingerprint, at, position });
        self.marks.push_back(fingerprint.mark());
    }

    /// Where the same answer stands in the ledger, when it is young enough.
    pub(super) fn same(
        &self,
        (task, round): (&str, u32),
        fingerprint: Fingerprint,
        at: Moment,
        repeat: Millis,
    ) -> Option<u64> {
        let young = |first: Moment| (at - first).0.abs() <= repeat.0;
        let same = |answered: &&Answered| {
            answered.fingerprint == fingerprint
                && (answered.task.as_str(), answered.round) == (task, round)
                && young(answered.at)
        };
        let (older, newer) = self.marks.as_slices();
        let newer = places(newer, fingerprint.mark()).map(|place| older.len() + place);
        let mut alike =
            places(older, fingerprint.mark()).chain(newer).filter_map(|place| self.answers.get(place));
        alike.find(same).map(|answered| answered.position)
    }

    /// The answer recorded at `waited` has its verdict at `settled`: whoever repeats it now gets that.
    pub(super) fn settle(&mut self, waited: u64, settled: u64) {
        if let Some(answered) = self.answers.iter_mut().find(|answered| answered.position == waited) {
            answered.position = settled;
        }
    }
}

/// Where a mark stands among others. Runs of them are looked at to the end, without a branch, so that many are looked
/// at at once.
fn places(marks: &[u16], wanted: u16) -> impl Iterator<Item = usize> {
    const RUN: usize = 64;
    let runs = marks.chunks(RUN).enumerate();
    let runs = runs.filter(move |(_, run)| run.iter().fold(false, |found, mark| found | (*mark == wanted)));
    runs.flat_map(move |(number, run)| {
        let found = run.iter().enumerate().filter(move |(_, mark)| **mark == wanted);
        found.map(move |(place, _)| number * RUN + place)
    })
}

impl Serialize for Recent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.answers.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Recent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let answers = VecDeque::<Answered>::deserialize(deserializer)?;
        let marks = answers.iter().map(|answered| answered.fingerprint.mark()).collect();
        Ok(Self { answers, marks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPEAT: Millis = Millis(10_000);

    /// The fingerprint that is read from this number.
    fn fingerprint(number: u128) -> Fingerprint {
        Fingerprint::read(&format!("{number:032x}")).unwrap()
    }

    fn at(millis: i64) -> Moment {
        Moment::from_millis(millis)
    }

    #[test]
    fn an_answer_is_found_among_many_that_look_like_it() {
        let (task, mut recent) = (SmolStr::from("one"), Recent::default());
        // Every third has the same mark; the first hundred grow too old, so that what is kept wraps around.
        let number = |answer: u64| u128::from(answer) << 16 | u128::from(answer % 3);
        for answer in 0..1_100_u64 {
            let stamp = Stamp { position: answer + 1, at: at(i64::try_from(answer).unwrap() * 10) };
            recent.note((&task, 1), fingerprint(number(answer)), stamp, REPEAT);
        }
        let same = |answer| recent.same(("one", 1), fingerprint(number(answer)), at(10_990), REPEAT);
        assert_eq!(same(98), None, "too old");
        for answer in 99..1_100 {
            assert_eq!(same(answer), Some(answer + 1));
        }
        assert_eq!(same(1_100), None);
        let elsewhere = |place| recent.same(place, fingerprint(number(500)), at(10_990), REPEAT);
        assert_eq!((elsewhere(("one", 2)), elsewhere(("two", 1))), (None, None));
    }
}
