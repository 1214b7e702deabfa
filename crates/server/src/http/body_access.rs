//! Role check before a request body is read: the permission of every POST operation with a body.
//!
//! The handlers check scope and role again with everything they know; this check keeps callers without the
//! role from sending large bodies. A test sends the head of every operation with a body and no body.

use axum::extract::{MatchedPath, Request};
use axum::http::Method;

use super::access::{Act, check_role};
use super::problem::Problem;
use super::request_context::RequestContext;

/// The permission of each route, the most frequent first.
const PERMISSIONS: &[(&str, Act)] = &[
    ("/api/v1/contests/{contest}/tasks/{task}/submissions", Act::SubmitAnswer),
    ("/api/v1/hunters/{hunter}/quests/{quest}/log", Act::SpeakForHunter),
    ("/api/v1/radio/classes/{class}/sessions/{session}/turns", Act::SubmitAnswer),
    ("/api/v1/contests/{contest}/door/open", Act::IssueTokens),
    ("/api/v1/contests/{contest}/door/close", Act::IssueTokens),
    ("/api/v1/assessments/{court}", Act::AskAssessors),
    ("/api/v1/assessments/{court}/take", Act::AssessByHand),
    ("/api/v1/assessments/{court}/{id}/give-back", Act::AssessByHand),
    ("/api/v1/assessments/{court}/{id}/findings", Act::AssessByHand),
    ("/api/v1/contests", Act::OpenContest),
    ("/api/v1/contests/{contest}/tasks", Act::AddTask),
    ("/api/v1/contests/{contest}/tasks/{task}/start", Act::RunTask),
    ("/api/v1/contests/{contest}/tasks/{task}/stop", Act::RunTask),
    ("/api/v1/contests/{contest}/tasks/import", Act::AddTask),
    ("/api/v1/contests/{contest}/media", Act::AddTask),
    ("/api/v1/contests/{contest}/queue/take", Act::JudgeAnswers),
    ("/api/v1/contests/{contest}/queue/{answer}/renew", Act::JudgeAnswers),
    ("/api/v1/contests/{contest}/queue/{answer}/give-back", Act::JudgeAnswers),
    ("/api/v1/contests/{contest}/queue/{answer}/decide", Act::JudgeAnswers),
    ("/api/v1/contests/{contest}/submissions/{position}/overrule", Act::Revise),
    ("/api/v1/contests/{contest}/tasks/{task}/adjust", Act::RunTask),
    ("/api/v1/contests/{contest}/boards/freeze", Act::RunTask),
    ("/api/v1/contests/{contest}/boards/unfreeze", Act::RunTask),
    ("/api/v1/contests/{contest}/boards/reveal", Act::RunTask),
    ("/api/v1/contests/{contest}/programme", Act::RunTask),
    ("/api/v1/contests/{contest}/teams", Act::RegisterTeam),
    ("/api/v1/contests/{contest}/teams/{team}/tokens", Act::IssueTeamToken),
    ("/api/v1/contests/{contest}/teams/{team}/users", Act::ManageTeamUsers),
    ("/api/v1/contests/{contest}/teams/{team}/users/{user}/password", Act::ManageTeamUsers),
    ("/api/v1/contests/{contest}/teams/{team}/users/{user}/disable", Act::ManageTeamUsers),
    ("/api/v1/hunters", Act::RegisterHunter),
    ("/api/v1/hunters/{hunter}/tokens", Act::RegisterHunter),
    ("/api/v1/hunters/{hunter}/class", Act::SpeakForHunter),
    ("/api/v1/hunters/{hunter}/zone", Act::SpeakForHunter),
    ("/api/v1/hunters/{hunter}/exercises", Act::GuideHunter),
    ("/api/v1/hunters/{hunter}/quests", Act::GuideHunter),
    ("/api/v1/hunters/{hunter}/logs/{quest}/proof", Act::SpeakForHunter),
    ("/api/v1/hunters/{hunter}/media", Act::SpeakForHunter),
    ("/api/v1/hunters/{hunter}/logs/{quest}/reports", Act::SpeakForHunter),
    ("/api/v1/hunters/{hunter}/logs/{quest}/assess", Act::AskAssessors),
    ("/api/v1/hunters/{hunter}/logs/{quest}/reports/{reporter}/assess", Act::Moderate),
    ("/api/v1/hunters/{hunter}/logs/{quest}/reports/{reporter}/decision", Act::Moderate),
    ("/api/v1/hunters/{hunter}/logs/{quest}/proof/review", Act::Moderate),
    ("/api/v1/hunters/{hunter}/status", Act::Moderate),
    ("/api/v1/hunters/{hunter}/exam", Act::SpeakForHunter),
    ("/api/v1/hunters/{hunter}/exam/decision", Act::Moderate),
    ("/api/v1/hunters/{hunter}/erase", Act::SpeakForHunter),
    ("/api/v1/radio/classes", Act::RunClass),
    ("/api/v1/radio/classes/{class}/sessions", Act::SubmitAnswer),
    ("/api/v1/radio/classes/{class}/sessions/{session}/turns/{turn}/overrule", Act::OverruleTurn),
    ("/api/v1/radio/classes/{class}/sessions/{session}/turns/{turn}/assess", Act::OverruleTurn),
    ("/api/v1/streams/{court}/{name}/rejudge", Act::Revise),
    ("/api/v1/streams/{court}/{name}/revisions", Act::Revise),
    ("/api/v1/summary/runs", Act::RunEvaluation),
    ("/api/v1/summary/runs/{run}/items", Act::RunEvaluation),
    ("/api/v1/users", Act::ManagePeople),
    ("/api/v1/users/{user}/password", Act::ManagePeople),
    ("/api/v1/users/{user}/disable", Act::ManagePeople),
    ("/api/v1/users/{user}/enable", Act::ManagePeople),
    ("/api/v1/tokens", Act::IssueTokens),
    ("/api/v1/webhooks", Act::ManageWebhooks),
    ("/api/v1/webhooks/{webhook}/pause", Act::ManageWebhooks),
    ("/api/v1/webhooks/{webhook}/resume", Act::ManageWebhooks),
    ("/api/v1/webhooks/{webhook}/test", Act::ManageWebhooks),
    ("/api/v1/webhooks/{webhook}/dead/{delivery}/retry", Act::ManageWebhooks),
];

/// Checks the role of the caller, if the request has been authenticated and its route needs a permission.
pub(crate) fn check(request: &Request) -> Result<(), Problem> {
    let Some(role) = RequestContext::current(RequestContext::known_role).flatten() else { return Ok(()) };
    let route = request.extensions().get::<MatchedPath>().filter(|_| request.method() == Method::POST);
    let Some(route) = route.map(MatchedPath::as_str) else { return Ok(()) };
    let found = PERMISSIONS.iter().find(|(path, _)| *path == route);
    found.map_or(Ok(()), |(_, act)| check_role(role, *act))
}
