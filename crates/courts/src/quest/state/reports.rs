//! Reports about a hunter and reports that a hunter has filed.

use std::collections::{BTreeMap, VecDeque};

use assize_kernel::{Digest, Millis, Moment, SmolStr};
use serde::{Deserialize, Serialize};

use crate::quest::reading::Reading;
use crate::quest::words::ReadingPriority;

const DAY: Millis = Millis(86_400_000);

/// Reports about a hunter's logs, unique by quest and reporter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct HunterReports(#[serde(with = "as_list")] pub(crate) BTreeMap<ReportKey, LogReport>);

/// The quest of the log and the reporter.
pub(crate) type ReportKey = (SmolStr, SmolStr);

/// One report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LogReport {
    pub(crate) at: Moment,
    pub(crate) reason: SmolStr,
    pub(crate) weight: f64,
    pub(crate) note: Option<Digest>,
    pub(crate) standing: ReportStanding,
    /// An external assessor's reading; `None` if the word list's applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) words: Option<Box<ReportWords>>,
}

/// An external assessor's reading of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReportWords {
    pub(crate) taken: ReadingPriority,
    pub(crate) reading: Reading,
}

/// The state of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReportStanding {
    /// Waits for a judge; counts.
    Waiting,
    /// Confirmed by a judge; counts fully.
    Confirmed,
    /// Dismissed by a judge; does not count.
    Dismissed,
}

/// Reports that a hunter has filed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FiledReports {
    /// The times of the reports of the last 24 hours.
    pub(crate) recent: VecDeque<Moment>,
    /// All filed reports, by reported hunter and quest.
    #[serde(with = "as_list")]
    pub(crate) all: BTreeMap<(SmolStr, SmolStr), FiledReport>,
    pub(crate) right: u32,
    pub(crate) wrong: u32,
}

/// A report that was filed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FiledReport {
    /// The ledger position.
    pub(crate) position: u64,
    /// Whether the decision of a judge is recorded.
    pub(crate) decided: bool,
}

impl HunterReports {
    /// The sum over reporters, each counted once with the highest weight among their reports that were not
    /// dismissed.
    pub(crate) fn tally(&self, weighted: bool) -> f64 {
        let mut reporters: BTreeMap<&str, f64> = BTreeMap::new();
        for ((_, reporter), report) in &self.0 {
            let weight = match report.standing {
                ReportStanding::Dismissed => continue,
                ReportStanding::Confirmed => 1.0,
                ReportStanding::Waiting if weighted => report.weight,
                ReportStanding::Waiting => 1.0,
            };
            let counted = reporters.entry(reporter).or_insert(0.0);
            *counted = counted.max(weight);
        }
        assize_kernel::round(reporters.values().sum(), 6)
    }

    /// Whether a report that was not dismissed holds back the quest's exam.
    pub(crate) fn hold(&self, quest: &str) -> bool {
        self.of(quest).any(|(_, report)| report.standing != ReportStanding::Dismissed)
    }

    pub(crate) fn of<'a>(&'a self, quest: &'a str) -> impl Iterator<Item = (&'a SmolStr, &'a LogReport)> {
        let all = self.0.range((quest.into(), SmolStr::default())..);
        all.take_while(move |((of, _), _)| of == quest).map(|((_, reporter), report)| (reporter, report))
    }
}

impl LogReport {
    pub(crate) fn is_waiting(&self) -> bool {
        self.standing == ReportStanding::Waiting
    }
}

impl FiledReports {
    /// When the next report may be filed; `None` if now.
    pub(crate) fn next_at(&self, per_day: u32, now: Moment) -> Option<Moment> {
        let young = self.recent.iter().filter(|at| **at + DAY > now);
        let count = young.clone().count();
        let over = count.checked_sub(usize::try_from(per_day).unwrap_or(usize::MAX))?;
        young.copied().nth(over).map(|at| at + DAY)
    }

    /// The reporter's weight: the share of confirmed reports, smoothed so that a newcomer has one half.
    pub(crate) fn weight(&self) -> f64 {
        let right = f64::from(self.right);
        let wrong = f64::from(self.wrong);
        assize_kernel::round((1.0 + right) / (2.0 + right + wrong), 6)
    }

    /// Records whether a report was confirmed.
    pub(crate) fn note(&mut self, hunter: &SmolStr, quest: &SmolStr, confirmed: bool) {
        if let Some(filed) = self.all.get_mut(&(hunter.clone(), quest.clone())) {
            filed.decided = true;
        }
        let counted = if confirmed { &mut self.right } else { &mut self.wrong };
        *counted = counted.saturating_add(1);
    }

    pub(crate) fn add(&mut self, hunter: &SmolStr, quest: &SmolStr, at: Moment, position: u64) {
        while self.recent.front().is_some_and(|first| *first + DAY <= at) {
            self.recent.pop_front();
        }
        self.recent.push_back(at);
        let filed = FiledReport { position, decided: false };
        self.all.insert((hunter.clone(), quest.clone()), filed);
    }
}

/// Serialises a map with pairs as keys as a JSON list.
mod as_list {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Vec::<(K, V)>::deserialize(deserializer)?.into_iter().collect())
    }
}
