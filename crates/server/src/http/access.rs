//! Authorization: the permission table of every restricted operation.
//!
//! An operation is allowed when the caller's role has the permission and the resource lies within the scope
//! of the caller's token or login. No other module decides about access.

use assize_kernel::Role::{Admin, App, Judge, Participant};
use assize_kernel::{Draft, Role, StreamId};

use super::caller::Caller;
use super::problem::Problem;
use assize_engine::live::Visibility;
use assize_engine::{Courts, Scope};

/// An operation that needs a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
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

/// Which roles have which permission; a role that is not listed has none.
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
    /// Checks a permission in a stream.
    pub(crate) fn may(&self, act: Act, stream: &StreamId) -> Result<(), Problem> {
        self.must_have_role_for(act)?;
        if self.scope.covers(stream.as_str()) {
            Ok(())
        } else {
            Err(Problem::forbidden(format!("this token is not for {stream}")))
        }
    }

    /// Checks a permission that concerns the whole server.
    pub(crate) fn may_everywhere(&self, act: Act) -> Result<(), Problem> {
        self.must_have_role_for(act)?;
        match &self.scope {
            Scope::Everything => Ok(()),
            scope => Err(Problem::forbidden(format!("this token is for {scope} only"))),
        }
    }

    /// Whether the caller may read a record: admins and judges, and the actor who caused it. Engine records
    /// are for admins only.
    pub(crate) fn may_see(&self, courts: &Courts, record: &Draft) -> bool {
        let within = self.scope.covers(record.stream.as_str());
        let court = courts.get(record.stream.court());
        let is_hidden = court.is_some_and(|court| court.is_hidden_from_actor(&record.kind));
        let own = record.actor == self.actor.to_string() && !is_hidden;
        let of_engine = record.stream.court() == "assize";
        within
            && (own || (self.has_role_for(Act::SeeEveryRecord) && (!of_engine || self.actor.role == Admin)))
    }

    /// Whether the caller may see the outcome of a participant's answer: the participant may, even though a
    /// judge caused the record.
    pub(crate) fn may_see_answer(&self, courts: &Courts, record: &Draft, participant: &str) -> bool {
        let own = self.actor.role == Participant && self.actor.name == participant;
        (own && self.scope.covers(record.stream.as_str())) || self.may_see(courts, record)
    }

    /// Whether the caller may see the origin (client address and request id) of a record.
    pub(crate) fn may_see_origin(&self, record: &Draft) -> bool {
        self.has_role_for(Act::SeeOrigins) && self.scope.covers(record.stream.as_str())
    }

    /// Whether the caller may see what a stream hides from the public.
    pub(crate) fn judges(&self, stream: &StreamId) -> bool {
        self.has_role_for(Act::SeeEveryRecord) && self.scope.covers(stream.as_str())
    }

    /// Whether the caller may see what a court hides from the public in all of its streams.
    pub(crate) fn judges_court(&self, court: &str) -> bool {
        let within = match &self.scope {
            Scope::Everything => true,
            Scope::Court(own) => own == court,
            Scope::Stream(_) | Scope::Participant(..) => false,
        };
        within && self.has_role_for(Act::SeeEveryRecord)
    }

    /// How much of the events of a stream the caller may receive.
    pub(crate) fn ear(&self, stream: &StreamId) -> Visibility {
        let within = self.scope.covers(stream.as_str());
        match self.actor.role {
            Participant if within => Visibility::Participant(self.actor.name.as_str().into()),
            _ if within && self.has_role_for(Act::SeeEveryRecord) => Visibility::All,
            _ => Visibility::Public,
        }
    }

    /// The participant for whom the caller submits in a stream: itself, or the one that an admin or an app
    /// names.
    pub(crate) fn acts_for(&self, stream: &StreamId, named: Option<&str>) -> Result<String, Problem> {
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

    /// Checks that the caller may act in a hunter's name: the hunter, their app, or an admin.
    pub(crate) fn acts_as(&self, stream: &StreamId, hunter: &str) -> Result<(), Problem> {
        self.may(Act::SpeakForHunter, stream)?;
        if self.actor.role == Participant && self.actor.name != hunter {
            return Err(Problem::forbidden(format!("this token is not `{hunter}`'s")));
        }
        Ok(())
    }

    /// Whether the caller may see a hunter's private data.
    pub(crate) fn sees_private(&self, stream: &StreamId, hunter: &str) -> bool {
        self.acts_as(stream, hunter).is_ok() || self.may(Act::Moderate, stream).is_ok()
    }

    /// Like `sees_private`, with an error when the caller may not.
    pub(crate) fn must_see_private(&self, stream: &StreamId, hunter: &str) -> Result<(), Problem> {
        if self.sees_private(stream, hunter) { Ok(()) } else { self.acts_as(stream, hunter) }
    }

    /// The reporter of a report: the calling hunter, or the one that an app or an admin names.
    pub(crate) fn reports_as(&self, named: Option<&str>) -> Result<String, Problem> {
        match (self.actor.role, named) {
            (Participant, None) => Ok(self.actor.name.clone()),
            (Participant, Some(named)) if named != self.actor.name => {
                Err(Problem::forbidden(format!("this token is not `{named}`'s")))
            }
            (_, Some(named)) => Ok(named.to_owned()),
            (_, None) => Err(Problem::malformed("`reporter` is missing: this token is no hunter's")),
        }
    }

    /// Checks only the role, not the scope.
    pub(crate) fn must_have_role_for(&self, act: Act) -> Result<(), Problem> {
        check_role(self.actor.role, act)
    }

    fn has_role_for(&self, act: Act) -> bool {
        roles(act).contains(&self.actor.role)
    }
}

/// Checks that a role has a permission.
pub(crate) fn check_role(role: Role, act: Act) -> Result<(), Problem> {
    if roles(act).contains(&role) {
        return Ok(());
    }
    let named: Vec<_> = roles(act).iter().map(|role| with_article(*role)).collect();
    Err(Problem::forbidden(format!("this needs {} token", named.join(" or "))))
}

fn roles(act: Act) -> &'static [Role] {
    RULES.iter().find(|(ruled, _)| *ruled == act).map_or(&[], |(_, roles)| *roles)
}

fn with_article(role: Role) -> String {
    let article = if matches!(role, Admin | App) { "an" } else { "a" };
    format!("{article} {}'s", role.as_str())
}
