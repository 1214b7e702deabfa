//! HTTP: reads requests, hands them to the clerk, and writes down what came of them.

mod access;
mod address;
mod answers;
mod assessments;
mod attend;
mod audit;
mod boards;
mod body;
mod caller;
mod client_address;
mod contest_list;
mod contests;
mod cookie;
mod courts;
mod dead_letters;
mod document;
mod dres;
mod events;
mod export;
mod forgery;
mod headers;
mod health;
mod hearing;
mod hunters;
mod import;
mod input;
mod judging;
mod known_media;
mod known_tokens;
mod limits;
mod logs;
mod media;
mod metrics;
mod object;
mod open_door;
mod opened;
mod overruling;
mod pages;
mod people;
mod problem;
mod programme;
mod query;
mod radio;
mod range;
mod records;
mod revisions;
mod routes;
mod session;
mod settings;
#[allow(dead_code, reason = "these types are described, never made")]
mod shapes;
mod summaries;
mod team_users;
mod teams;
mod throttle;
mod tokens;
mod viewer;
mod visit;
mod webhooks;
mod within;

use std::ops::Deref;
use std::sync::Arc;

use assize_assessors::{Models, Neighbours};
use assize_ledger::Ledger;
use axum::Router;
use axum::http::{Method, Uri, header};
use axum::routing::get;

use attend::Front;
pub use client_address::Network;
pub use document::openapi_document;
use known_media::KnownMedia;
use known_tokens::KnownTokens;
use problem::Problem;
use routes::routes;
pub use settings::{Audience, HttpSettings, Origin};
use throttle::Throttle;
use tokio::sync::Semaphore;

use crate::{Assessing, AssessingTask, Clerk, Closing, Courts, HookSettings, Hooks, Hub, MediaStore};

/// How many send a picture or a video at once: each is held in memory until it is kept.
const UPLOADS: usize = 4;

/// What every handler works with; cheap to clone.
#[derive(Clone)]
pub struct App {
    shared: Arc<Shared>,
}

/// What an [`App`] shares with its clones: there are several in every request.
#[derive(Clone)]
pub struct Shared {
    courts: Arc<Courts>,
    ledger: Arc<dyn Ledger>,
    clerk: Clerk,
    tokens: Arc<KnownTokens>,
    /// Of hints, those that were asked for lately.
    shown: Arc<KnownMedia>,
    throttle: Arc<Throttle>,
    /// Places for those whose passwords are being looked at.
    passwords: Arc<Semaphore>,
    /// Ends what would otherwise go on for ever: event streams, work in the background.
    closing: Closing,
    front: Arc<Front>,
    hooks: Hooks,
    /// Where pictures and videos are kept, where they are.
    media: Option<MediaStore>,
    /// Places for those who send one.
    uploads: Arc<Semaphore>,
    /// Who else can be asked for findings.
    assessing: Assessing,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

impl App {
    /// Served by this clerk over this ledger.
    #[must_use]
    pub fn new(courts: Arc<Courts>, ledger: Arc<dyn Ledger>, clerk: Clerk) -> Self {
        let front = Arc::new(Front::new(HttpSettings::default(), &clerk));
        let closing = Closing::default();
        let hooks = hooks(&courts, &ledger, &clerk, &closing, HookSettings::default());
        let shared = Shared {
            courts,
            ledger,
            clerk,
            tokens: Arc::default(),
            shown: Arc::default(),
            throttle: Arc::default(),
            passwords: Arc::new(Semaphore::new(session::AT_ONCE)),
            closing,
            front,
            hooks,
            media: None,
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            assessing: Assessing::new(Models::default(), Neighbours::default()),
        };
        Self { shared: Arc::new(shared) }
    }

    /// With these settings instead of the usual ones.
    #[must_use]
    pub fn with_settings(self, settings: HttpSettings) -> Self {
        let front = Arc::new(Front::new(settings, &self.clerk));
        Self { shared: Arc::new(Shared { front, ..self.shared.as_ref().clone() }) }
    }

    /// Keeping pictures and videos there.
    #[must_use]
    pub fn with_media(self, media: Option<MediaStore>) -> Self {
        Self { shared: Arc::new(Shared { media, ..self.shared.as_ref().clone() }) }
    }

    /// With these models to be asked, and these neighbours told of it.
    #[must_use]
    pub fn with_assessors(self, models: Models, neighbours: Neighbours) -> Self {
        let assessing = Assessing::new(models, neighbours);
        Self { shared: Arc::new(Shared { assessing, ..self.shared.as_ref().clone() }) }
    }

    /// Begins to ask them about what waits; needs a runtime. `alone` says that no other process serves this ledger.
    #[must_use]
    pub fn start_assessing(&self, alone: bool) -> AssessingTask {
        let Shared { assessing, courts, ledger, clerk, closing, .. } = self.shared.as_ref().clone();
        AssessingTask::start((assessing, closing), (courts, ledger, clerk), alone)
    }

    /// With webhooks sent in this way instead of the usual one.
    #[must_use]
    pub fn with_hooks(self, settings: HookSettings) -> Self {
        let hooks = hooks(&self.courts, &self.ledger, &self.clerk, &self.closing, settings);
        Self { shared: Arc::new(Shared { hooks, ..self.shared.as_ref().clone() }) }
    }

    /// What delivers webhooks, once it is started.
    #[must_use]
    pub fn hooks(&self) -> &Hooks {
        &self.hooks
    }

    /// To be begun when the server is asked to stop.
    #[must_use]
    pub fn closing(&self) -> Closing {
        self.closing.clone()
    }

    /// Whoever listens to what happens: to be closed when the server stops.
    #[must_use]
    pub fn live(&self) -> Arc<Hub> {
        self.clerk.live().clone()
    }

    /// Everything that is served.
    pub fn router(self) -> Router {
        let (router, document) = document::with_document(routes());
        let document: Arc<str> = document.into();
        let json = [(header::CONTENT_TYPE, "application/json")];
        router
            .route(document::PLACE, get(async move || (json, document.to_string())))
            .merge(viewer::pages())
            .merge(pages::pages())
            .fallback(unknown_route)
            .method_not_allowed_fallback(wrong_method)
            .layer(axum::middleware::from_fn_with_state(self.front.clone(), attend::attend))
            .with_state(self)
    }
}

fn hooks(
    courts: &Arc<Courts>,
    ledger: &Arc<dyn Ledger>,
    clerk: &Clerk,
    closing: &Closing,
    settings: HookSettings,
) -> Hooks {
    Hooks::new(courts.clone(), ledger.clone(), clerk.clone(), closing.clone(), settings)
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
