//! Response types of the DRES API, field by field as in its public document.

use assize_kernel::{Role, to_json};
use serde::Serialize;
use utoipa::ToSchema;

/// The response of an operation that succeeded.
#[derive(Serialize, ToSchema)]
#[schema(as = DresSuccess)]
pub(super) struct SuccessStatus {
    /// Always true.
    status: bool,
    description: String,
}

/// The response of an operation that failed.
#[derive(Serialize, ToSchema)]
#[schema(as = DresError)]
pub(crate) struct ErrorStatus {
    /// Always false.
    status: bool,
    description: String,
}

/// The response to a submission.
#[derive(Serialize, ToSchema)]
#[schema(as = DresSubmission)]
pub(super) struct SubmissionStatus {
    /// Always true.
    pub(super) status: bool,
    pub(super) submission: VerdictStatus,
    pub(super) description: String,
}

/// The result of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = DresVerdict)]
pub(super) enum VerdictStatus {
    /// The answer earned points.
    Correct,
    /// A wrong attempt.
    Wrong,
    /// The answer waits for a judge.
    Indeterminate,
    /// A judge could not decide the answer.
    Undecidable,
}

/// A user with a session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DresUser)]
pub(super) struct DresUser {
    pub(super) id: String,
    pub(super) username: String,
    pub(super) role: DresRole,
    /// The secret of the session, to be sent as the query parameter `session` with every request.
    pub(super) session_id: String,
}

/// The role of a user, in the terms of DRES.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = DresRole)]
pub(super) enum DresRole {
    Viewer,
    Participant,
    Judge,
    Admin,
}

/// The server's time.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DresTime)]
pub(super) struct CurrentTime {
    /// Milliseconds since 1970.
    pub(super) time_stamp: i64,
}

/// A contest.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DresEvaluation)]
pub(super) struct EvaluationInfo {
    pub(super) id: String,
    pub(super) name: String,
    /// Always `SYNCHRONOUS`: all teams have the same task at the same time.
    #[serde(rename = "type")]
    pub(super) evaluation_type: &'static str,
    /// Always `ACTIVE`: a contest accepts answers whenever one of its tasks is running.
    pub(super) status: &'static str,
    /// The same as `id`.
    pub(super) template_id: String,
    /// The display names of the teams; the id of a team that has none.
    pub(super) teams: Vec<String>,
    pub(super) task_templates: Vec<TaskInfo>,
}

/// A task.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DresTask)]
pub(super) struct TaskInfo {
    pub(super) name: String,
    /// `KIS`, `QA` or `TR`.
    pub(super) task_group: &'static str,
    /// The same as `taskGroup`.
    pub(super) task_type: &'static str,
    /// The time limit in seconds, rounded up.
    pub(super) duration: i64,
}

/// The state of a contest.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DresState)]
pub(super) struct EvaluationState {
    pub(super) evaluation_id: String,
    pub(super) evaluation_status: &'static str,
    /// The current task and its round, as `task:round`; absent before the first start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) task_id: Option<String>,
    pub(super) task_status: TaskStatus,
    /// The current task; absent before the first start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) task_template_id: Option<String>,
    /// The seconds until the time limit; 0 unless a task is running.
    pub(super) time_left: i64,
    /// The seconds since the start; 0 unless a task is running.
    pub(super) time_elapsed: i64,
}

/// The status of the current task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = DresTaskStatus)]
pub(super) enum TaskStatus {
    /// No task has been started yet.
    NoTask,
    /// The countdown before the task is running.
    Preparing,
    Running,
    Ended,
}

impl SuccessStatus {
    pub(super) fn new(description: impl Into<String>) -> Self {
        Self { status: true, description: description.into() }
    }
}

/// An error response as JSON.
pub(crate) fn error_status(description: &str) -> String {
    to_json(&ErrorStatus { status: false, description: description.to_owned() })
}

impl From<Role> for DresRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Admin => Self::Admin,
            Role::Judge => Self::Judge,
            Role::Participant => Self::Participant,
            // No operation of this API is for roles that register others.
            Role::App | Role::Viewer | Role::System => Self::Viewer,
        }
    }
}
