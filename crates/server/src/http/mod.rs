//! HTTP: reads requests, hands them to the clerk, and writes down what came of them.

mod address;
mod boards;
mod caller;
mod contests;
mod input;
mod problem;
mod records;
mod teams;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use assize_kernel::Digest;
use assize_ledger::{Ledger, Token};
use axum::Router;
use axum::http::{Method, Uri};
use axum::routing::{get, post};

pub use caller::issue_token;
use problem::Problem;

use crate::{Clerk, Courts};

/// What every handler works with; cheap to clone.
#[derive(Clone)]
pub struct App {
    courts: Arc<Courts>,
    ledger: Arc<dyn Ledger>,
    clerk: Clerk,
    tokens: Arc<RwLock<HashMap<Digest, Token>>>,
}

impl App {
    /// Served by this clerk over this ledger.
    #[must_use]
    pub fn new(courts: Arc<Courts>, ledger: Arc<dyn Ledger>, clerk: Clerk) -> Self {
        Self { courts, ledger, clerk, tokens: Arc::default() }
    }

    /// Every route.
    pub fn router(self) -> Router {
        Router::new()
            .route("/healthz", get(|| async { "ok" }))
            .route("/api/v1/contests", post(contests::open_contest))
            .route("/api/v1/contests/{contest}", get(contests::read_contest))
            .route("/api/v1/contests/{contest}/board", get(boards::read_board))
            .route("/api/v1/contests/{contest}/teams", get(teams::list_teams).post(teams::register_team))
            .route("/api/v1/contests/{contest}/teams/{team}/tokens", post(teams::issue_team_token))
            .route("/api/v1/contests/{contest}/tasks", post(contests::add_task))
            .route("/api/v1/contests/{contest}/tasks/{task}/start", post(contests::start_task))
            .route("/api/v1/contests/{contest}/tasks/{task}/stop", post(contests::stop_task))
            .route("/api/v1/contests/{contest}/tasks/{task}/submissions", post(contests::submit_answer))
            .route("/api/v1/records/{position}", get(records::read_record))
            .fallback(unknown_route)
            .method_not_allowed_fallback(wrong_method)
            .with_state(self)
    }

    fn known_token(&self, hash: &Digest) -> Option<Token> {
        self.tokens.read().unwrap_or_else(PoisonError::into_inner).get(hash).cloned()
    }

    fn remember(&self, token: &Token) {
        self.tokens.write().unwrap_or_else(PoisonError::into_inner).insert(token.hash, token.clone());
    }
}

/// Runs what waits for the store on a thread that may wait.
async fn blocking<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let app = app.clone();
    let done = tokio::task::spawn_blocking(move || work(&app)).await;
    done.unwrap_or_else(|error| Err(Problem::internal(&error.to_string())))
}

async fn unknown_route(uri: Uri) -> Problem {
    Problem::not_found(format!("there is nothing at `{}`", uri.path()))
}

async fn wrong_method(method: Method, uri: Uri) -> Problem {
    let status = axum::http::StatusCode::METHOD_NOT_ALLOWED;
    Problem::new(status, "request.wrong_method", format!("`{}` does not take {method}", uri.path()))
}
