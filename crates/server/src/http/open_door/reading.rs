//! What everybody may read at the root: how a question stands, and who stands where in it.

use assize_courts::contest::{Attempts, ContestState};
use assize_kernel::{BoardName, Millis, Row};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::Uri;
use serde::Serialize;
use serde_json::{Number, Value};
use utoipa::{IntoParams, ToSchema};

use super::detail::{Otherwise, Refused};
use super::door::{Door, chosen_seconds, question_id};
use super::timing::{Counts, Timing};
use crate::http::App;
use crate::http::address::Address;
use crate::http::problem::Problem;
use crate::http::shapes::Id;
use crate::http::shapes::contest::TextOrNumber;

/// How a question stands.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorStatus)]
pub(super) struct Status {
    #[schema(value_type = TextOrNumber)]
    question_id: Value,
    /// Whether answers are taken.
    is_active: bool,
    elapsed_time: f64,
    remaining_time: f64,
    #[schema(value_type = f64)]
    time_limit: Number,
    #[schema(value_type = f64)]
    buffer_time: Number,
    total_teams_submitted: u64,
    /// Null while the boards are frozen.
    #[schema(required = true)]
    completed_teams: Option<u64>,
}

/// Who has scored in a question, best first.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorLeaderboard)]
pub(super) struct Leaderboard {
    #[schema(value_type = TextOrNumber)]
    question_id: Value,
    total_ranked: usize,
    rankings: Vec<Ranking>,
}

/// A team that has scored.
#[derive(Serialize, ToSchema)]
#[schema(as = DoorRanking)]
pub(super) struct Ranking {
    #[schema(value_type = Id)]
    team_id: String,
    score: f64,
    /// Seconds after the start.
    time_taken: f64,
    /// Null while the boards are frozen, for a team that goes on trying.
    #[schema(required = true)]
    submit_count: Option<u32>,
    /// Null while the boards are frozen, for a team that goes on trying.
    #[schema(required = true)]
    wrong_count: Option<u32>,
    /// 1, 2, 2, 4: equal standings share a rank.
    rank: usize,
}

/// Which question.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "described here, read below")]
pub(super) struct Which {
    /// The one that runs otherwise.
    #[param(nullable = false)]
    question_id: Option<String>,
}

/// How a question stands.
#[utoipa::path(
    get, path = "/question/{question}/status", tag = "open door",
    params(("question" = String, Path, description = "The question")),
    responses((status = 200, description = "Its clock and its counts", body = Status), Otherwise)
)]
pub(in crate::http) async fn read_question_status(
    State(app): State<App>,
    question: Result<Address<String>, Problem>,
) -> Result<Json<Status>, Refused> {
    let door = Door::find(&app).await?;
    let (Address(question), now) = (question?, app.clerk.now());
    let frozen = is_frozen(&app, &door);
    let name = question.clone();
    let status = door.look_at(&app, &question, move |task| {
        let round = task.round.as_ref()?;
        let (Timing { is_active, elapsed, remaining }, counts) = (Timing::of(round, now), Counts::of(round));
        Some(Status {
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
    let not_started = || Refused::not_found(format!("question {question} has not been started"));
    status.await?.map(Json).ok_or_else(not_started)
}

/// Who stands where in a question; while the boards are frozen, as they stood then.
#[utoipa::path(
    get, path = "/leaderboard", tag = "open door",
    params(Which),
    responses((status = 200, description = "Those who have scored, best first", body = Leaderboard), Otherwise)
)]
pub(in crate::http) async fn read_leaderboard(
    State(app): State<App>,
    uri: Uri,
) -> Result<Json<Leaderboard>, Refused> {
    let door = Door::find(&app).await?;
    let question = door.question(&app, asked(&uri)?).await?;
    door.look_at(&app, &question, |_| ()).await?;
    let board = BoardName::of(&door.stream).part(&question);
    let (frozen, rows) = {
        let views = app.clerk.views();
        let board = views.public_board(&board).map(|view| view.board());
        let rows = board.into_iter().flat_map(|board| board.rows(0, usize::MAX));
        // Whoever has not scored comes after all who have, and is not ranked.
        (
            views.is_frozen(&BoardName::of(&door.stream)),
            rows.filter(|row| row.standing.ties[0] == 0).collect::<Vec<_>>(),
        )
    };
    let name = question.clone();
    let rank = move |state: &ContestState| {
        let rows = rows.into_iter();
        rows.map(|row| ranking(&row, state.attempts(&name, &row.participant), frozen)).collect::<Vec<_>>()
    };
    let rankings = door.look(&app, rank).await?;
    Ok(Json(Leaderboard { question_id: question_id(&question), total_ranked: rankings.len(), rankings }))
}

fn is_frozen(app: &App, door: &Door) -> bool {
    app.clerk.views().is_frozen(&BoardName::of(&door.stream))
}

/// While the boards are frozen, only the counts of a team that was done by then are known to be as they were.
fn ranking(row: &Row, attempts: Option<&Attempts>, frozen: bool) -> Ranking {
    let [_, millis] = row.standing.ties;
    let as_then = |attempts: &&Attempts| {
        let same = attempts.best.is_some_and(|best| best.elapsed == Millis(millis));
        !frozen || (attempts.completed_at.is_some() && same)
    };
    let attempts = attempts.filter(as_then);
    Ranking {
        team_id: row.participant.to_string(),
        score: row.standing.points,
        time_taken: Millis(millis).as_seconds(),
        submit_count: attempts.map(|attempts| attempts.submissions),
        wrong_count: attempts.map(|attempts| attempts.wrong),
        rank: row.rank,
    }
}

/// The question in an address; what else stands there is nobody's business.
fn asked(uri: &Uri) -> Result<Option<String>, Refused> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
    let Query(pairs) = pairs
        .map_err(|_| Refused::malformed("the query cannot be read; expected `question_id=<question>`"))?;
    let named = pairs.into_iter().find(|(name, _)| name == "question_id");
    Ok(named.map(|(_, question)| question).filter(|question| !question.is_empty()))
}
