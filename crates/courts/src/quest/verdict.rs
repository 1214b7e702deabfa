//! The `detail` of quest verdicts, as apps read it.

use assize_kernel::{Detail, JsonWriter};
use serde::{Deserialize, Serialize};

use super::profile::{HunterStatus, Rank};

/// What came of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = LogStatus))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// The log counts.
    Approved,
    /// The log does not count.
    Rejected,
    /// The log counts in part until there is proof.
    Flagged,
    /// The exam is in its review period.
    PendingVerification,
}

/// How far a log has been looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[allow(clippy::upper_case_acronyms, reason = "these are words")]
pub enum VerificationStatus {
    /// No verification was required.
    #[serde(rename = "Auto_Approved")]
    AutoApproved,
    /// Waits for proof or review.
    Pending,
    /// A judge has verified the proof.
    Verified,
    /// The log was rejected.
    Rejected,
}

/// The `detail` of a verdict on a log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct JudgeVerdict<'a> {
    pub(super) status: Status,
    pub(super) base_xp: f64,
    pub(super) multipliers: XpMultipliers,
    pub(super) final_xp: f64,
    pub(super) integrity_score: f64,
    pub(super) safety_score: f64,
    pub(super) cheat_probability: f64,
    pub(super) proof_required: bool,
    pub(super) proof_provided: bool,
    pub(super) verification_status: VerificationStatus,
    pub(super) system_message: &'a str,
    pub(super) stat_updates: StatUpdates,
    /// For exams only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exam_result: Option<RankUpExamResult<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct XpMultipliers {
    pub(super) integrity: f64,
    pub(super) effort: f64,
    pub(super) synergy: f64,
    pub(super) safety: f64,
    pub(super) streak: f64,
    pub(super) hunter_status: f64,
    pub(super) proof_bonus: f64,
}

/// The stats that a log adds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct StatUpdates {
    /// Strength.
    pub strength_add: f64,
    /// Agility.
    pub agility_add: f64,
    /// Stamina.
    pub stamina_add: f64,
}

/// The result of an exam.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct RankUpExamResult<'a> {
    pub(super) passed: bool,
    pub(super) reason: &'a str,
    pub(super) new_rank: Option<Rank>,
}

/// The effect of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ReportAction<'a> {
    pub(super) user_status_change: Option<HunterStatus>,
    pub(super) log_action: LogAction,
    pub(super) notification: Option<&'a str>,
}

/// The effect of a report on its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogAction {
    /// No effect.
    None,
    /// The log is flagged.
    Flag,
    /// The log is removed by a judge.
    Remove,
}

impl Detail for JudgeVerdict<'_> {
    fn write(&self, out: &mut JsonWriter) {
        out.field("{\"status\":", self.status.as_str());
        out.put(",\"base_xp\":").float(self.base_xp);
        out.put(",\"multipliers\":{\"integrity\":").float(self.multipliers.integrity);
        out.put(",\"effort\":").float(self.multipliers.effort);
        out.put(",\"synergy\":").float(self.multipliers.synergy);
        out.put(",\"safety\":").float(self.multipliers.safety);
        out.put(",\"streak\":").float(self.multipliers.streak);
        out.put(",\"hunter_status\":").float(self.multipliers.hunter_status);
        out.put(",\"proof_bonus\":").float(self.multipliers.proof_bonus);
        out.put("},\"final_xp\":").float(self.final_xp);
        out.put(",\"integrity_score\":").float(self.integrity_score);
        out.put(",\"safety_score\":").float(self.safety_score);
        out.put(",\"cheat_probability\":").float(self.cheat_probability);
        out.put(",\"proof_required\":").truth(self.proof_required);
        out.put(",\"proof_provided\":").truth(self.proof_provided);
        out.field(",\"verification_status\":", self.verification_status.as_str());
        out.field(",\"system_message\":", self.system_message);
        out.put(",\"stat_updates\":{\"strength_add\":").float(self.stat_updates.strength_add);
        out.put(",\"agility_add\":").float(self.stat_updates.agility_add);
        out.put(",\"stamina_add\":").float(self.stat_updates.stamina_add);
        out.put("}");
        if let Some(result) = &self.exam_result {
            out.put(",\"exam_result\":").serde(result);
        }
        out.put("}");
    }
}

impl Detail for RankUpExamResult<'_> {}

impl Detail for ReportAction<'_> {}

impl XpMultipliers {
    pub(super) fn product(&self) -> f64 {
        self.integrity
            * self.effort
            * self.synergy
            * self.safety
            * self.streak
            * self.hunter_status
            * self.proof_bonus
    }
}

impl Status {
    /// The serialised name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "APPROVED",
            Self::Rejected => "REJECTED",
            Self::Flagged => "FLAGGED",
            Self::PendingVerification => "PENDING_VERIFICATION",
        }
    }
}

impl VerificationStatus {
    /// The serialised name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AutoApproved => "Auto_Approved",
            Self::Pending => "Pending",
            Self::Verified => "Verified",
            Self::Rejected => "Rejected",
        }
    }
}

impl LogAction {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Flag => "Flag",
            Self::Remove => "Remove",
        }
    }
}

#[test]
fn a_verdict_on_a_log_is_written_as_serde_would() {
    let multipliers = XpMultipliers {
        integrity: 0.5,
        effort: 1.2,
        synergy: 1.1,
        safety: 1.0,
        streak: 1.02,
        hunter_status: 0.8,
        proof_bonus: 1.05,
    };
    let exam_result =
        |new_rank| RankUpExamResult { passed: new_rank != Some(Rank::S), reason: "so\nit is", new_rank };
    let cases = [
        (VerificationStatus::AutoApproved, None),
        (VerificationStatus::Pending, Some(exam_result(None))),
        (VerificationStatus::Verified, Some(exam_result(Some(Rank::D)))),
        (VerificationStatus::Rejected, None),
    ];
    for (verification_status, exam_result) in cases {
        let verdict = JudgeVerdict {
            status: Status::PendingVerification,
            base_xp: 300.0,
            multipliers,
            final_xp: 0.0,
            integrity_score: 0.6,
            safety_score: 1.0 / 3.0,
            cheat_probability: 0.4,
            proof_required: true,
            proof_provided: false,
            verification_status,
            system_message: "a \"good\" one",
            stat_updates: StatUpdates { strength_add: 1.5, ..StatUpdates::default() },
            exam_result,
        };
        let mut out = JsonWriter::default();
        verdict.write(&mut out);
        assert_eq!(out.as_str(), serde_json::to_string(&verdict).unwrap());
    }
}
