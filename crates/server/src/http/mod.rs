//! HTTP: reads requests, hands them to the clerk, and writes down what came of them.

mod address;
mod attend;
mod boards;
mod caller;
mod client_address;
mod contests;
mod input;
mod problem;
mod records;
mod settings;
mod teams;
mod visit;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use assize_kernel::Digest;
use assize_ledger::{Ledger, Token};
use axum::Router;
use axum::http::{Method, Uri};
use axum::routing::{get, post};

pub use caller::issue_token;
pub use client_address::Network;
use problem::Problem;
pub use settings::HttpSettings;

use crate::{Clerk, Closing, Courts};

/// What every handler works with; cheap to clone.
#[derive(Clone)]
pub struct App {
    courts: Arc<Courts>,
    ledger: Arc<dyn Ledger>,
    clerk: Clerk,
    tokens: Arc<RwLock<HashMap<Digest, Token>>>,
    /// Ends what would otherwise go on for ever: event streams, work in the background.
    closing: Closing,
    settings: Arc<HttpSettings>,
}

impl App {
    /// Served by this clerk over this ledger.
    #[must_use]
    pub fn new(courts: Arc<Courts>, ledger: Arc<dyn Ledger>, clerk: Clerk) -> Self {
        let (tokens, closing, settings) = (Arc::default(), Closing::default(), Arc::default());
        Self { courts, ledger, clerk, tokens, closing, settings }
    }

    /// With these settings instead of the usual ones.
    #[must_use]
    pub fn with_settings(self, settings: HttpSettings) -> Self {
        Self { settings: Arc::new(settings), ..self }
    }

    /// To be begun when the server is asked to stop.
    #[must_use]
    pub fn closing(&self) -> Closing {
        self.closing.clone()
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
            .layer(axum::middleware::from_fn_with_state(self.clone(), attend::attend))
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
