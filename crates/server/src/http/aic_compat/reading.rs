//! Public reads at the root: the status of a question, and its leaderboard.

use assize_courts::contest::{ContestState, TeamAttempts, scoring_time};
use assize_kernel::{BoardName, Millis, Row};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::Uri;
use serde::Serialize;
use serde_json::{Number, Value};
use utoipa::{IntoParams, ToSchema};

use super::detail::{ErrorResponse, ErrorResponses};
use super::door::{OpenContest, chosen_seconds, question_id};
use super::timing::{QuestionClock, SubmissionCounts};
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::schemas::Id;
use crate::http::schemas::TextOrNumber;

/// The status of a question.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorStatus)]
pub(super) struct QuestionStatus {
    #[schema(value_type = TextOrNumber)]
    question_id: Value,
    /// Whether answers are accepted, including during the buffer.
    is_active: bool,
    elapsed_time: f64,
    remaining_time: f64,
    #[schema(value_type = f64)]
    time_limit: Number,
    #[schema(value_type = f64)]
    buffer_time: Number,
    total_teams_submitted: u64,
    /// The number of teams that have completed the question; null while the boards are frozen.
    #[schema(required = true)]
    completed_teams: Option<u64>,
}

/// The teams that have scored in a question, best first.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorLeaderboard)]
pub(super) struct Leaderboard {
    #[schema(value_type = TextOrNumber)]
    question_id: Value,
    total_ranked: usize,
    rankings: Vec<LeaderboardRow>,
}

/// A team that has scored.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorRanking)]
pub(super) struct LeaderboardRow {
    #[schema(value_type = Id)]
    team_id: String,
    score: f64,
    /// Seconds from the start to the scoring answer.
    time_taken: f64,
    /// The number of submissions; null while the boards are frozen, unless the team had completed the
    /// question before.
    #[schema(required = true)]
    submit_count: Option<u32>,
    /// The number of wrong attempts; null while the boards are frozen, unless the team had completed the
    /// question before.
    #[schema(required = true)]
    wrong_count: Option<u32>,
    /// 1, 2, 2, 4: equal standings share a rank.
    rank: usize,
}

/// Query parameters of the leaderboard.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "described here, read below")]
pub(super) struct LeaderboardQuery {
    /// The question; defaults to the running one.
    #[param(nullable = false)]
    question_id: Option<String>,
}

/// Reads the status of a question.
#[utoipa::path(
    get, path = "/question/{question}/status", tag = "open door",
    params(("question" = String, Path, description = "The question")),
    responses((status = 200, description = "The clock and the counts of the question", body = QuestionStatus), ErrorResponses)
)]
pub(crate) async fn read_question_status(
    State(app): State<App>,
    question: Result<PathParams<String>, Problem>,
) -> Result<Json<QuestionStatus>, ErrorResponse> {
    let door = OpenContest::find(&app).await?;
    let PathParams(question) = question?;
    let now = app.clerk.now();
    let frozen = is_frozen(&app, &door);
    let name = question.clone();
    let status = door.look_at(&app, &question, move |task| {
        let round = task.round.as_ref()?;
        let QuestionClock { is_active, elapsed, remaining } = QuestionClock::of(round, now);
        let counts = SubmissionCounts::of(round);
        Some(QuestionStatus {
            question_id: question_id(&name),
            is_active,
            elapsed_time: elapsed,
            remaining_time: remaining,
            time_limit: chosen_seconds(round.time_limit.as_seconds()),
            buffer_time: chosen_seconds(round.buffer.as_seconds()),
            total_teams_submitted: counts.teams,
            completed_teams: (!frozen).then_some(counts.completed),
        })
    });
    let not_started = || ErrorResponse::not_found(format!("question {question} has not been started"));
    status.await?.map(Json).ok_or_else(not_started)
}

/// Reads the leaderboard of a question; while the boards are frozen, it shows the frozen standings.
#[utoipa::path(
    get, path = "/leaderboard", tag = "open door",
    params(LeaderboardQuery),
    responses((status = 200, description = "The teams that have scored, best first", body = Leaderboard), ErrorResponses)
)]
pub(crate) async fn read_leaderboard(
    State(app): State<App>,
    uri: Uri,
) -> Result<Json<Leaderboard>, ErrorResponse> {
    let door = OpenContest::find(&app).await?;
    let question = door.question(&app, asked(&uri)?).await?;
    door.look_at(&app, &question, |_| ()).await?;
    let board = BoardName::of(&door.stream).part(&question);
    let (frozen, rows) = {
        let views = app.clerk.views();
        let board = views.public_board(&board).map(|view| view.board());
        let rows = board.into_iter().flat_map(|board| board.rows(0, usize::MAX));
        // Teams without a score come last and have no rank.
        (
            views.is_frozen(&BoardName::of(&door.stream)),
            rows.filter(|row| scoring_time(&row.standing).is_some()).collect::<Vec<_>>(),
        )
    };
    let name = question.clone();
    let rank = move |state: &ContestState| {
        let rows = rows.iter();
        rows.map(|row| ranking(row, state.attempts(&name, &row.participant), frozen)).collect::<Vec<_>>()
    };
    let rankings = door.look(&app, rank).await?;
    Ok(Json(Leaderboard { question_id: question_id(&question), total_ranked: rankings.len(), rankings }))
}

fn is_frozen(app: &App, door: &OpenContest) -> bool {
    app.clerk.views().is_frozen(&BoardName::of(&door.stream))
}

/// A row of the leaderboard. While boards are frozen, counts are shown only for teams that were done before
/// the freeze.
fn ranking(row: &Row, attempts: Option<&TeamAttempts>, frozen: bool) -> LeaderboardRow {
    let elapsed = scoring_time(&row.standing).unwrap_or(Millis(0));
    let as_then = |attempts: &&TeamAttempts| {
        let same = attempts.best.is_some_and(|best| best.elapsed == elapsed);
        !frozen || (attempts.completed_at.is_some() && same)
    };
    let attempts = attempts.filter(as_then);
    LeaderboardRow {
        team_id: row.participant.to_string(),
        score: row.standing.points,
        time_taken: elapsed.as_seconds(),
        submit_count: attempts.map(|attempts| attempts.submissions),
        wrong_count: attempts.map(|attempts| attempts.wrong),
        rank: row.rank,
    }
}

/// The question in the query; other parameters are ignored.
fn asked(uri: &Uri) -> Result<Option<String>, ErrorResponse> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
    let Query(pairs) = pairs.map_err(|_| {
        ErrorResponse::malformed("the query cannot be read; expected `question_id=<question>`")
    })?;
    let named = pairs.into_iter().find(|(name, _)| name == "question_id");
    Ok(named.map(|(_, question)| question).filter(|question| !question.is_empty()))
}
