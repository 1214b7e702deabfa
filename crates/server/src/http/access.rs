//! Who may do what: every operation that not everybody may do, and who may.
//!
//! Two questions are asked of a caller: does their role do such things, and does what they touch lie within the
//! scope of their token or login. Nothing else in here decides about access.

use assize_kernel::Role::{Admin, App, Judge, Participant};
use assize_kernel::{Draft, Role, StreamId};

use super::caller::Caller;
use super::problem::Problem;
use crate::Scope;
use crate::live::Ear;

/// What somebody may want to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    OpenContest,
    ExportContest,
    AddTask,
    RunTask,
    RegisterTeam,
    IssueTeamToken,
    ManageTeamUsers,
    ListTeams,
    SubmitAnswer,
    JudgeAnswers,
    RegisterHunter,
    GuideHunter,
    SpeakForHunter,
    Moderate,
    Revise,
    SeeEveryRecord,
    SeeOrigins,
    IssueTokens,
    ManagePeople,
    ReadLogs,
    ReadAudit,
    ReadMetrics,
    ManageWebhooks,
    RunClass,
    OverruleTurn,
    RunEvaluation,
    AskAssessors,
    AssessByHand,
}

/// The rules. Whoever has a role that is not named may not.
const RULES: &[(Act, &[Role])] = &[
    (Act::OpenContest, &[Admin]),
    (Act::ExportContest, &[Admin]),
    (Act::AddTask, &[Admin]),
    (Act::RunTask, &[Admin]),
    (Act::RegisterTeam, &[Admin, App]),
    (Act::IssueTeamToken, &[Admin, App]),
    (Act::ManageTeamUsers, &[Admin, App]),
    (Act::ListTeams, &[Admin]),
    (Act::SubmitAnswer, &[Admin, App, Participant]),
    (Act::JudgeAnswers, &[Admin, Judge]),
    (Act::RegisterHunter, &[Admin, App]),
    (Act::GuideHunter, &[Admin, App]),
    (Act::SpeakForHunter, &[Admin, App, Participant]),
    (Act::Moderate, &[Admin, Judge]),
    (Act::Revise, &[Admin, Judge]),
    (Act::SeeEveryRecord, &[Admin, Judge]),
    (Act::SeeOrigins, &[Admin]),
    (Act::IssueTokens, &[Admin]),
    (Act::ManagePeople, &[Admin]),
    (Act::ReadLogs, &[Admin, Judge]),
    (Act::ReadAudit, &[Admin]),
    (Act::ReadMetrics, &[Admin]),
    (Act::ManageWebhooks, &[Admin]),
    (Act::RunClass, &[Admin, Judge]),
    (Act::OverruleTurn, &[Admin, Judge]),
    (Act::RunEvaluation, &[Admin, Judge, App]),
    (Act::AskAssessors, &[Admin, Judge, App]),
    (Act::AssessByHand, &[Admin, Judge]),
];

impl Caller {
    /// Whether this caller may do something in a stream.
    pub(super) fn may(&self, act: Act, stream: &StreamId) -> Result<(), Problem> {
        self.must_have_role_for(act)?;
        if self.scope.covers(stream.as_str()) {
            Ok(())
        } else {
            Err(Problem::forbidden(format!("this token is not for {stream}")))
        }
    }

    /// Whether this caller may do something that concerns the whole server.
    pub(super) fn may_everywhere(&self, act: Act) -> Result<(), Problem> {
        self.must_have_role_for(act)?;
        match &self.scope {
            Scope::Everything => Ok(()),
            scope => Err(Problem::forbidden(format!("this token is for {scope} only"))),
        }
    }

    /// Whether a record may be shown: to admins and judges, and to whoever did it. The engine's own are for admins.
    pub(super) fn may_see(&self, record: &Draft) -> bool {
        let within = self.scope.covers(record.stream.as_str());
        // What begins a session holds the whole scenario: its student must not read the answers there.
        let answers = record.stream.court() == "radio" && record.kind == "SessionOpened";
        let own = record.actor == self.actor.to_string() && !answers;
        let of_engine = record.stream.court() == "assize";
        within
            && (own || (self.has_role_for(Act::SeeEveryRecord) && (!of_engine || self.actor.role == Admin)))
    }

    /// Whether what has become of a participant's answer may be shown: also to them, whoever has judged it.
    pub(super) fn may_see_answer(&self, record: &Draft, participant: &str) -> bool {
        let own = self.actor.role == Participant && self.actor.name == participant;
        (own && self.scope.covers(record.stream.as_str())) || self.may_see(record)
    }

    /// Whether this caller may know from where a record came.
    pub(super) fn may_see_origin(&self, record: &Draft) -> bool {
        self.has_role_for(Act::SeeOrigins) && self.scope.covers(record.stream.as_str())
    }

    /// Whether they may see what the public may not, in a stream.
    pub(super) fn judges(&self, stream: &StreamId) -> bool {
        self.has_role_for(Act::SeeEveryRecord) && self.scope.covers(stream.as_str())
    }

    /// How much of what is told of a stream they may hear.
    pub(super) fn ear(&self, stream: &StreamId) -> Ear {
        let within = self.scope.covers(stream.as_str());
        match self.actor.role {
            Participant if within => Ear::Participant(self.actor.name.as_str().into()),
            _ if within && self.has_role_for(Act::SeeEveryRecord) => Ear::All,
            _ => Ear::Public,
        }
    }

    /// The participant this caller submits for in a stream: itself, or whom an admin or an app names.
    pub(super) fn acts_for(&self, stream: &StreamId, named: Option<&str>) -> Result<String, Problem> {
        self.may(Act::SubmitAnswer, stream)?;
        match (self.actor.role, named) {
            (Participant, None) => Ok(self.actor.name.clone()),
            (Participant, Some(named)) if named != self.actor.name => {
                Err(Problem::forbidden(format!("this token is not `{named}`'s")))
            }
            (_, Some(named)) => Ok(named.to_owned()),
            (role, None) => {
                let whose = if role == Admin { "an admin's" } else { "an app's" };
                Err(Problem::malformed(format!("`team_id` is missing: {whose} token is no team's")))
            }
        }
    }

    /// Whether this caller does things in a hunter's name: the hunter, their app, an admin.
    pub(super) fn acts_as(&self, stream: &StreamId, hunter: &str) -> Result<(), Problem> {
        self.may(Act::SpeakForHunter, stream)?;
        if self.actor.role == Participant && self.actor.name != hunter {
            return Err(Problem::forbidden(format!("this token is not `{hunter}`'s")));
        }
        Ok(())
    }

    /// Whether they may see what a hunter does not show to everybody.
    pub(super) fn sees_private(&self, stream: &StreamId, hunter: &str) -> bool {
        self.acts_as(stream, hunter).is_ok() || self.may(Act::Moderate, stream).is_ok()
    }

    /// The same, as something that is asked for.
    pub(super) fn must_see_private(&self, stream: &StreamId, hunter: &str) -> Result<(), Problem> {
        if self.sees_private(stream, hunter) { Ok(()) } else { self.acts_as(stream, hunter) }
    }

    /// Who reports: a hunter in their own name, or whom an app or an admin names.
    pub(super) fn reports_as(&self, named: Option<&str>) -> Result<String, Problem> {
        match (self.actor.role, named) {
            (Participant, None) => Ok(self.actor.name.clone()),
            (Participant, Some(named)) if named != self.actor.name => {
                Err(Problem::forbidden(format!("this token is not `{named}`'s")))
            }
            (_, Some(named)) => Ok(named.to_owned()),
            (_, None) => Err(Problem::malformed("`reporter` is missing: this token is no hunter's")),
        }
    }

    /// Whether their role does such things, wherever it is.
    pub(super) fn must_have_role_for(&self, act: Act) -> Result<(), Problem> {
        if self.has_role_for(act) {
            return Ok(());
        }
        let named: Vec<_> = roles(act).iter().map(|role| with_article(*role)).collect();
        Err(Problem::forbidden(format!("this needs {} token", named.join(" or "))))
    }

    fn has_role_for(&self, act: Act) -> bool {
        roles(act).contains(&self.actor.role)
    }
}

fn roles(act: Act) -> &'static [Role] {
    RULES.iter().find(|(ruled, _)| *ruled == act).map_or(&[], |(_, roles)| *roles)
}

fn with_article(role: Role) -> String {
    let article = if matches!(role, Admin | App) { "an" } else { "a" };
    format!("{article} {}'s", role.as_str())
}
