//! The HTTP API: parses requests, submits commands to the clerk, and writes responses.

pub(crate) mod access;
pub(crate) mod path;

pub(crate) mod assessments;
pub(crate) mod audit;
pub(crate) mod boards;
pub(crate) mod body;
pub(crate) mod body_access;
pub(crate) mod caller;
pub(crate) mod client_address;
pub(crate) mod contest;
pub(crate) mod middleware;

pub(crate) mod cookie;
pub(crate) mod courts;
pub(crate) mod dead_letters;
pub(crate) mod dres;
pub(crate) mod events;
pub(crate) mod openapi;

pub(crate) mod csrf;
pub(crate) mod headers;
pub(crate) mod health;
pub(crate) mod heavy_work;
pub(crate) mod quest;
pub(crate) mod submit;

pub(crate) mod input;

pub(crate) mod rate_limit;
pub(crate) mod token_cache;

pub(crate) mod aic_compat;
pub(crate) mod list_streams;
pub(crate) mod metrics;
pub(crate) mod object;

pub(crate) mod password_queue;
pub(crate) mod people;
pub(crate) mod problem;

pub(crate) mod query;
pub(crate) mod radio;
pub(crate) mod range;
pub(crate) mod records;
pub(crate) mod revisions;
pub(crate) mod routes;
#[allow(dead_code, reason = "these types are described, never made")]
pub(crate) mod schemas;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod summary;

pub(crate) mod request_context;
pub(crate) mod throttle;
pub(crate) mod timeout;
pub(crate) mod tokens;
pub(crate) mod viewer;
pub(crate) mod webhooks;

use std::ops::Deref;
use std::sync::Arc;

use assize_assessors::{Models, TraceExporter};
use assize_ledger::Ledger;
use axum::Router;
use axum::http::{Method, Uri, header};
use axum::routing::get;

pub use client_address::Network;
use contest::media_cache::MediaCache;
use heavy_work::HeavyWork;
use middleware::Front;
pub use openapi::openapi_document;
use password_queue::PasswordQueue;
use problem::Problem;
use routes::routes;
pub use settings::{HttpSettings, MetricsAudience, Origin};
use throttle::LoginThrottle;
use token_cache::TokenCache;
use tokio::sync::Semaphore;

use assize_engine::{
    Assessing, AssessingTask, Clerk, Courts, Hub, MediaStore, Shutdown, WebhookSettings, Webhooks,
};

/// Maximum number of concurrent uploads: each file is held in memory until it is stored.
const UPLOADS: usize = 4;

/// The state of all handlers; cheap to clone.
#[derive(Clone)]
pub struct App {
    shared: Arc<AppState>,
}

/// State shared by the clones of an [`App`]; every request clones several.
#[derive(Clone)]
pub struct AppState {
    pub(crate) courts: Arc<Courts>,
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) clerk: Clerk,
    pub(crate) tokens: Arc<TokenCache>,
    /// Cache of hint media.
    pub(crate) shown: Arc<MediaCache>,
    pub(crate) throttle: Arc<LoginThrottle>,
    pub(crate) passwords: Arc<PasswordQueue>,
    /// Shutdown signal: ends event streams and background tasks.
    pub(crate) closing: Shutdown,
    pub(crate) front: Arc<Front>,
    pub(crate) hooks: Webhooks,
    /// The store of hunters' media, if configured.
    pub(crate) media: Option<MediaStore>,
    /// Permits for uploads.
    pub(crate) uploads: Arc<Semaphore>,
    /// Limits for long documents.
    pub(crate) heavy_work: HeavyWork,
    /// The assessors that can be asked for findings.
    pub(crate) assessing: Assessing,
}

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.shared
    }
}

impl App {
    /// An application with this clerk and ledger, and default settings.
    #[must_use]
    pub fn new(courts: Arc<Courts>, ledger: Arc<dyn Ledger>, clerk: Clerk) -> Self {
        let front = Arc::new(Front::new(HttpSettings::default(), &clerk));
        let closing = Shutdown::default();
        let hooks = hooks(&courts, &ledger, &clerk, &closing, WebhookSettings::default());
        let shared = AppState {
            courts,
            ledger,
            clerk,
            tokens: Arc::default(),
            shown: Arc::default(),
            throttle: Arc::default(),
            passwords: Arc::default(),
            closing,
            front,
            hooks,
            media: None,
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            heavy_work: HeavyWork::new(),
            assessing: Assessing::new(Models::default(), TraceExporter::default()),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Replaces the settings.
    #[must_use]
    pub fn with_settings(self, settings: HttpSettings) -> Self {
        let front = Arc::new(Front::new(settings, &self.clerk));
        Self { shared: Arc::new(AppState { front, ..self.shared.as_ref().clone() }) }
    }

    /// Sets the store of hunters' media.
    #[must_use]
    pub fn with_media(self, media: Option<MediaStore>) -> Self {
        Self { shared: Arc::new(AppState { media, ..self.shared.as_ref().clone() }) }
    }

    /// Sets the models, and the exporter of their traces.
    #[must_use]
    pub fn with_assessors(self, models: Models, trace_exporter: TraceExporter) -> Self {
        let assessing = Assessing::new(models, trace_exporter);
        Self { shared: Arc::new(AppState { assessing, ..self.shared.as_ref().clone() }) }
    }

    /// Spawns the assessing task; needs a runtime. `alone` says that no other process serves this ledger.
    #[must_use]
    pub fn start_assessing(&self, alone: bool) -> AssessingTask {
        let AppState { assessing, courts, ledger, clerk, closing, .. } = self.shared.as_ref().clone();
        AssessingTask::start(assessing, closing, courts, ledger, clerk, alone)
    }

    /// Replaces the webhook settings.
    #[must_use]
    pub fn with_hooks(self, settings: WebhookSettings) -> Self {
        let hooks = hooks(&self.courts, &self.ledger, &self.clerk, &self.closing, settings);
        Self { shared: Arc::new(AppState { hooks, ..self.shared.as_ref().clone() }) }
    }

    /// The webhook delivery, which has to be started separately.
    #[must_use]
    pub fn hooks(&self) -> &Webhooks {
        &self.hooks
    }

    /// The shutdown signal, to be triggered when the server stops.
    #[must_use]
    pub fn closing(&self) -> Shutdown {
        self.closing.clone()
    }

    /// The live event subscriptions, to be closed when the server stops.
    #[must_use]
    pub fn live(&self) -> Arc<Hub> {
        self.clerk.live().clone()
    }

    /// The router with all routes and the middleware.
    pub fn router(self) -> Router {
        let (router, document) = openapi::with_document(routes());
        let document: Arc<str> = document.into();
        let json = [(header::CONTENT_TYPE, "application/json")];
        router
            .route(openapi::PLACE, get(async move || (json, document.to_string())))
            .merge(viewer::pages())
            .merge(crate::pages::pages())
            .fallback(unknown_route)
            .method_not_allowed_fallback(wrong_method)
            .layer(axum::middleware::from_fn_with_state(self.front.clone(), middleware::attend))
            .with_state(self)
    }
}

pub(crate) fn hooks(
    courts: &Arc<Courts>,
    ledger: &Arc<dyn Ledger>,
    clerk: &Clerk,
    closing: &Shutdown,
    settings: WebhookSettings,
) -> Webhooks {
    Webhooks::new(courts.clone(), ledger.clone(), clerk.clone(), closing.clone(), settings)
}

/// Runs a blocking call to the store on the blocking thread pool.
pub(crate) async fn blocking<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let app = app.clone();
    let done = tokio::task::spawn_blocking(move || work(&app)).await;
    done.unwrap_or_else(|error| Err(Problem::internal(&error.to_string())))
}

pub(crate) async fn unknown_route(uri: Uri) -> Problem {
    Problem::not_found(format!("there is nothing at `{}`", uri.path()))
}

pub(crate) async fn wrong_method(method: Method, uri: Uri) -> Problem {
    let status = axum::http::StatusCode::METHOD_NOT_ALLOWED;
    Problem::new(status, "request.wrong_method", format!("`{}` does not take {method}", uri.path()))
}
