//! Reports: filed in the reporter's stream, received in the reported hunter's stream, decided by judges.

use assize_kernel::{
    Actor, Assessor, CommandContext, Decision, Digest, Moment, Reason, Rulebook, Ruling, Severity, SmolStr,
    Term, Verdict,
};

use super::{HunterContext, QuestRuling, fact};
use crate::quest::events::QuestEvent;
use crate::quest::profile::HunterStatus;
use crate::quest::refusals::QuestRefusal;
use crate::quest::rules::QuestRules;
use crate::quest::state::{Hunter, HunterReports, LogReport, ReportStanding};
use crate::quest::verdict::{LogAction, ReportAction, Status};

impl HunterContext<'_> {
    /// Runs in the reporter's stream, which enforces the daily rate limit.
    pub(super) fn file_report(self, target: &SmolStr, quest: &SmolStr, reason: &SmolStr) -> QuestRuling {
        let hunter = self.hunter;
        let rules = &self.book.rules.reports;
        if *target == hunter.id {
            return Err(QuestRefusal::OwnReport);
        }
        check_reason(self.book, reason)?;
        // A retry after a lost response is delivered again but counts once.
        if let Some(filed) = hunter.filed.all.get(&(target.clone(), quest.clone())) {
            return Ok(Ruling::AsBefore(filed.position));
        }
        if let Some(next) = hunter.filed.next_at(rules.per_day, self.context.at) {
            return Err(QuestRefusal::TooManyReports(rules.per_day, next));
        }
        let weight = if rules.weighted { hunter.filed.weight() } else { 1.0 };
        let (hunter, quest, reason) = (target.clone(), quest.clone(), reason.clone());
        fact(QuestEvent::ReportFiled { hunter, quest, reason, weight })
    }

    pub(super) fn receive_report(
        self,
        reporter: &SmolStr,
        quest: &SmolStr,
        reason: &SmolStr,
        weight: f64,
        note: Option<Digest>,
    ) -> QuestRuling {
        let hunter = self.hunter;
        if *reporter == hunter.id {
            return Err(QuestRefusal::OwnReport);
        }
        check_reason(self.book, reason)?;
        self.seen_log(quest)?;
        if hunter.reports.0.contains_key(&(quest.clone(), reporter.clone())) {
            let (reporter, quest) = (reporter.clone(), quest.clone());
            return Err(QuestRefusal::ReportRepeated { reporter, quest });
        }
        Ok(self.received(reporter, quest, reason, weight, note).into())
    }

    /// Checks that there is a public log of the quest.
    pub(super) fn seen_log(&self, quest: &SmolStr) -> Result<(), QuestRefusal> {
        let seen = self.hunter.logs.get(quest).filter(|entry| !entry.private);
        seen.map(drop).ok_or_else(|| QuestRefusal::LogUnknown(quest.clone()))
    }

    fn received(
        self,
        reporter: &SmolStr,
        quest: &SmolStr,
        reason: &SmolStr,
        weight: f64,
        note: Option<Digest>,
    ) -> Decision<QuestEvent> {
        let hunter = self.hunter;
        let rules = &self.book.rules;
        let mut reports = hunter.reports.clone();
        let (at, standing) = (Moment::default(), ReportStanding::Waiting);
        let report = LogReport { at, reason: reason.clone(), weight, note, standing, words: None };
        reports.0.insert((quest.clone(), reporter.clone()), report);
        let tally = reports.tally(rules.reports.weighted);
        let status = self.status(tally, hunter.ruled_corrupted, hunter.verified_logs);
        let queued = self.queued(tally);
        let action = action(rules, tally, status);
        let verdict = report_verdict(self.book, &reports, tally, &action);
        let event = QuestEvent::ReportReceived {
            hunter: hunter.id.clone(),
            reporter: reporter.clone(),
            quest: quest.clone(),
            reason: reason.clone(),
            weight,
            note,
            log_action: action.log_action,
            notification: action.notification.map(str::to_owned),
            status,
            queued,
        };
        Decision::judged(event, &verdict)
    }

    /// Whether the status goes to the moderation queue: the rulebook leaves Corrupted to a judge and the
    /// tally is high.
    fn queued(&self, tally: f64) -> bool {
        let rules = &self.book.rules.reports;
        let enough = tally >= rules.corrupted_at;
        enough && !rules.corrupt_without_judge && !self.hunter.ruled_corrupted
    }

    pub(super) fn decide_report(
        self,
        reporter: &SmolStr,
        quest: &SmolStr,
        confirmed: bool,
        remove_log: bool,
        note: Option<Digest>,
    ) -> QuestRuling {
        self.must_not_be(&[reporter])?;
        self.waiting_report(reporter, quest)?;
        fact(self.decided(reporter, quest, confirmed, remove_log, note))
    }

    /// A report that waits for a judge's decision.
    pub(super) fn waiting_report(
        &self,
        reporter: &SmolStr,
        quest: &SmolStr,
    ) -> Result<&LogReport, QuestRefusal> {
        let report = self.hunter.reports.0.get(&(quest.clone(), reporter.clone()));
        let waiting = report.filter(|report| report.standing == ReportStanding::Waiting);
        waiting.ok_or_else(|| {
            let (reporter, quest) = (reporter.clone(), quest.clone());
            QuestRefusal::ReportUnknown { reporter, quest }
        })
    }

    fn decided(
        &self,
        reporter: &SmolStr,
        quest: &SmolStr,
        confirmed: bool,
        remove_log: bool,
        note: Option<Digest>,
    ) -> QuestEvent {
        let hunter = self.hunter;
        let key = (quest.clone(), reporter.clone());
        let mut reports = hunter.reports.clone();
        if let Some(report) = reports.0.get_mut(&key) {
            report.standing = if confirmed { ReportStanding::Confirmed } else { ReportStanding::Dismissed };
        }
        let tally = reports.tally(self.book.rules.reports.weighted);
        let entry = hunter.logs.get(quest).filter(|entry| confirmed && remove_log && !entry.removed);
        let paid = entry.filter(|entry| entry.status != Status::PendingVerification);
        let xp_difference = -paid.map_or(0, |entry| entry.xp.cast_signed());
        QuestEvent::ReportDecided {
            hunter: hunter.id.clone(),
            reporter: reporter.clone(),
            quest: quest.clone(),
            confirmed,
            removed: entry.is_some(),
            xp_difference,
            level: self.level(xp_difference),
            note,
            status: self.status(tally, hunter.ruled_corrupted, hunter.verified_logs),
            queued: self.queued(tally) && hunter.queued_since.is_some(),
        }
    }

    /// Runs in the reporter's stream: records whether the report was confirmed.
    pub(super) fn note_report(self, hunter: &SmolStr, quest: &SmolStr, confirmed: bool) -> QuestRuling {
        let filed = self.hunter.filed.all.get(&(hunter.clone(), quest.clone()));
        if filed.is_none_or(|filed| filed.decided) {
            let (reporter, quest) = (self.hunter.id.clone(), quest.clone());
            return Err(QuestRefusal::ReportUnknown { reporter, quest });
        }
        fact(QuestEvent::ReportNoted { hunter: hunter.clone(), quest: quest.clone(), confirmed })
    }

    pub(super) fn rule_status(self, corrupted: bool, note: Option<Digest>) -> QuestRuling {
        self.must_not_be(&[])?;
        let hunter = self.hunter;
        // Rejecting a queued status is a decision too.
        if corrupted == hunter.ruled_corrupted && (corrupted || hunter.queued_since.is_none()) {
            let message = if corrupted {
                "the hunter is Corrupted already"
            } else {
                "no judge has said so, and none was asked"
            };
            return Err(QuestRefusal::StatusUnchanged(message));
        }
        fact(self.ruled(corrupted, note))
    }

    fn ruled(&self, corrupted: bool, note: Option<Digest>) -> QuestEvent {
        let hunter = self.hunter;
        let tally = hunter.reports.tally(self.book.rules.reports.weighted);
        let status = self.status(tally, corrupted, hunter.verified_logs);
        QuestEvent::StatusRuled { hunter: hunter.id.clone(), corrupted, note, status }
    }
}

/// Judges a recorded report, report decision or status ruling again.
pub(super) fn again(
    book: &Rulebook<QuestRules>,
    hunter: &Hunter,
    event: &QuestEvent,
) -> Option<Decision<QuestEvent>> {
    let actor = Actor::clock();
    let context = CommandContext { at: Moment::default(), actor: &actor, position: 0 };
    let bench = HunterContext { book, hunter, context };
    match event {
        QuestEvent::ReportReceived { reporter, quest, reason, weight, note, .. } => {
            Some(bench.received(reporter, quest, reason, *weight, *note))
        }
        QuestEvent::ReportDecided { reporter, quest, confirmed, removed, note, .. } => {
            let decided = bench.decided(reporter, quest, *confirmed, *removed, *note);
            Some(Decision::fact(decided))
        }
        QuestEvent::StatusRuled { corrupted, note, .. } => {
            Some(Decision::fact(bench.ruled(*corrupted, *note)))
        }
        _ => None,
    }
}

fn check_reason(book: &Rulebook<QuestRules>, given: &SmolStr) -> Result<(), QuestRefusal> {
    let known = &book.rules.reports.reasons;
    if known.contains(given) {
        return Ok(());
    }
    let known = known.iter().map(SmolStr::to_string).collect();
    Err(QuestRefusal::ReasonUnknown { given: given.chars().take(40).collect::<String>().into(), known })
}

fn action<'a>(rules: &'a QuestRules, tally: f64, status: HunterStatus) -> ReportAction<'a> {
    let (change, notification) = match status {
        HunterStatus::Corrupted => (Some(status), Some(rules.messages.report_corrupted.as_str())),
        HunterStatus::Flagged => (Some(status), Some(rules.messages.report_flagged.as_str())),
        _ => (None, None),
    };
    let flagged = tally >= rules.reports.flagged_at;
    let log_action = if flagged { LogAction::Flag } else { LogAction::None };
    ReportAction { user_status_change: change, log_action, notification }
}

fn report_verdict<'a>(
    book: &Rulebook<QuestRules>,
    reports: &HunterReports,
    tally: f64,
    action: &ReportAction<'a>,
) -> Verdict<ReportAction<'a>> {
    let rules = &book.rules.reports;
    let reason = match action.notification {
        Some(notification) => Reason::new("quest.report.counted", Severity::Major, notification),
        None => Reason::new("quest.report.counted", Severity::Info, "the report is noted"),
    };
    let standing = reports.0.values().filter(|report| report.standing != ReportStanding::Dismissed).count();
    let inputs = [
        ("standing", u32::try_from(standing).unwrap_or(u32::MAX).into()),
        ("flagged_at", rules.flagged_at.into()),
        ("corrupted_at", rules.corrupted_at.into()),
    ];
    let formula = if rules.weighted {
        "distinct reporters with a standing report, each by their weight"
    } else {
        "distinct reporters with a standing report"
    };
    Verdict {
        court: "quest".into(),
        rulebook: book.reference.clone(),
        assessor: Assessor { name: "reporters".into(), version: "1".into() },
        outcome: action.log_action.as_str().into(),
        points: tally,
        reasons: vec![reason],
        derivation: vec![Term::new("reporters", formula, inputs, tally)],
        detail: action.clone(),
    }
}
