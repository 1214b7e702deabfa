//! Reads the ledger directly and compares it with the responses that clients received.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use assize_kernel::RecordRef;
use assize_ledger::{Depth, Ledger, Scan, verify};
use serde_json::Value;

use super::hunt::{Sent, TASK};

/// The ledger's own word on a contest.
#[derive(Default)]
pub(crate) struct Evidence {
    pub(super) head: u64,
    hash: String,
    /// In order of registration.
    pub(super) teams: Vec<String>,
    /// In order of the ledger.
    pub(super) answers: Vec<Judged>,
}

/// A recorded answer.
pub(super) struct Judged {
    pub(super) team: String,
    pub(super) points: f64,
    pub(super) elapsed_ms: i64,
    pub(super) wrong: bool,
    start: u64,
    receipt: (u64, String),
    wrong_attempts: u64,
}

impl Evidence {
    /// Reads on from where it stopped: what was read before cannot have changed when the chain is whole and the
    /// hash at that place is the same.
    pub(super) fn read_on(&mut self, ledger: &dyn Ledger) {
        let again_from = Scan::all(self.head.saturating_sub(1), Depth::Whole);
        let each = &mut |record: RecordRef<'_>| {
            let again = record.position == self.head;
            assert!(!again || record.hash.to_string() == self.hash, "record {} has changed", self.head);
            if !again {
                self.take(&record);
            }
            ControlFlow::Continue(())
        };
        ledger.scan(again_from, each).unwrap();
        let checked = verify(ledger, &mut |_| {}).unwrap();
        assert_eq!((checked.problems, checked.records), (Vec::new(), self.head));
    }

    /// Answers by team, in order.
    pub(super) fn by_team(&self) -> BTreeMap<&str, Vec<&Judged>> {
        let mut teams: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
        self.answers.iter().for_each(|judged| teams.entry(&judged.team).or_default().push(judged));
        teams
    }

    fn take(&mut self, record: &RecordRef<'_>) {
        (self.head, self.hash) = (record.position, record.hash.to_string());
        let body: Value = serde_json::from_str(record.body).unwrap();
        if let Some(registered) = body.get("TeamRegistered") {
            self.teams.push(registered["team"].as_str().unwrap().to_owned());
        }
        let Some(judged) = body.get("AnswerJudged") else { return };
        assert_eq!(judged["task"], TASK);
        let verdict: Value = serde_json::from_str(record.verdict.unwrap()).unwrap();
        assert_eq!(verdict["points"], judged["points"]);
        self.answers.push(Judged {
            team: judged["team"].as_str().unwrap().to_owned(),
            points: verdict["points"].as_f64().unwrap(),
            elapsed_ms: judged["elapsed_ms"].as_i64().unwrap(),
            wrong: verdict["outcome"] == "incorrect",
            start: judged["answers"][0]["start"].as_u64().unwrap(),
            receipt: (record.position, record.hash.to_string()),
            wrong_attempts: verdict["detail"]["wrong_attempts"].as_u64().unwrap(),
        });
    }

    /// Everything that was sent is there once, where its receipt says, and nothing else is.
    pub(super) fn holds(&self, sent: &[Sent]) {
        let mut there: BTreeMap<(&str, u64), Vec<&Judged>> = BTreeMap::new();
        for judged in &self.answers {
            there.entry((&judged.team, judged.start)).or_default().push(judged);
        }
        for Sent { team, start, receipt, .. } in sent {
            let found = there.remove(&(team.as_str(), *start)).unwrap_or_default();
            let found: Vec<_> = found.into_iter().map(|judged| Some(judged.receipt.clone())).collect();
            assert_eq!(found, std::slice::from_ref(receipt), "the answer of {team} at {start}");
        }
        let more: Vec<_> = there.keys().collect();
        assert!(more.is_empty(), "nobody sent {more:?}");
    }

    /// Every verdict counts the wrong answers of its team that stand before it, and no ghost.
    pub(super) fn counts_wrong_attempts(&self) {
        for (team, answers) in self.by_team() {
            let mut wrong = 0;
            for judged in answers {
                wrong += u64::from(judged.wrong);
                assert_eq!(judged.wrong_attempts, wrong, "{team} at record {}", judged.receipt.0);
            }
        }
    }
}
