//! A team's last answers: whoever sends one of them again, because its verdict never came, is given that verdict.

use std::collections::VecDeque;

use assize_kernel::{Millis, Moment, SmolStr, Stamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fingerprint::Fingerprint;

/// The answers of one team that are young enough to be repeated, in the order in which they were recorded.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Recent {
    answers: VecDeque<Answered>,
    /// Theirs once more, close together: every new answer is compared with all of them.
    fingerprints: VecDeque<Fingerprint>,
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
            self.fingerprints.pop_front();
        }
        let (at, position) = (stamp.at, stamp.position);
        self.answers.push_back(Answered { task: task.clone(), round, fingerprint, at, position });
        self.fingerprints.push_back(fingerprint);
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
            (answered.task.as_str(), answered.round) == (task, round) && young(answered.at)
        };
        let alike = self.fingerprints.iter().enumerate().filter(|(_, known)| **known == fingerprint);
        let mut alike = alike.filter_map(|(at, _)| self.answers.get(at));
        alike.find(same).map(|answered| answered.position)
    }

    /// The answer recorded at `waited` has its verdict at `settled`: whoever repeats it now gets that.
    pub(super) fn settle(&mut self, waited: u64, settled: u64) {
        if let Some(answered) = self.answers.iter_mut().find(|answered| answered.position == waited) {
            answered.position = settled;
        }
    }
}

impl Serialize for Recent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.answers.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Recent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let answers = VecDeque::<Answered>::deserialize(deserializer)?;
        let fingerprints = answers.iter().map(|answered| answered.fingerprint).collect();
        Ok(Self { answers, fingerprints })
    }
}
