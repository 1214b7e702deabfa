//! HTTP: reads requests, hands them to the clerk, and writes down what came of them.

mod access;
mod address;
mod answers;
mod assessments;
mod attend;
mod audit;
mod boards;
mod body;
mod by_name;
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

use std::ops::Deref;
use std::sync::Arc;

use assize_assessors::{Models, Neighbours};
use assize_ledger::Ledger;
use axum::Router;
use axum::http::{Method, Uri, header};
use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use attend::Front;
pub use client_address::Network;
pub use document::openapi_document;
use known_media::KnownMedia;
use known_tokens::KnownTokens;
use problem::Problem;
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

/// Every operation, with what the OpenAPI document says of it.
fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(document::Preamble::openapi())
        .routes(routes!(health::check_health))
        .routes(routes!(health::check_readiness))
        .routes(routes!(metrics::read_metrics))
        .routes(routes!(contest_list::list_contests, contests::open_contest))
        .routes(routes!(contests::read_contest))
        .routes(routes!(export::export_contest))
        .routes(routes!(boards::read_board))
        .routes(routes!(teams::list_teams, teams::register_team))
        .routes(routes!(teams::issue_team_token))
        .routes(routes!(team_users::list_team_users, team_users::add_team_user))
        .routes(routes!(team_users::set_team_user_password))
        .routes(routes!(team_users::disable_team_user))
        .routes(routes!(contests::add_task))
        .routes(routes!(import::import_tasks))
        .routes(routes!(media::upload_hint_media))
        .routes(routes!(media::read_hint_media))
        .routes(routes!(contests::start_task))
        .routes(routes!(contests::stop_task))
        .routes(routes!(programme::adjust_task))
        .routes(routes!(programme::set_programme))
        .routes(routes!(programme::freeze_boards))
        .routes(routes!(programme::unfreeze_boards))
        .routes(routes!(programme::reveal_team))
        .routes(routes!(contests::submit_answer))
        .routes(routes!(logs::list_logs))
        .routes(routes!(judging::read_queue))
        .routes(routes!(judging::take_answer))
        .routes(routes!(judging::renew_answer))
        .routes(routes!(judging::give_back_answer))
        .routes(routes!(judging::decide_answer))
        .routes(routes!(answers::read_answer))
        .routes(routes!(hunters::profile::list_hunters, hunters::profile::register_hunter))
        .routes(routes!(hunters::profile::read_hunter))
        .routes(routes!(hunters::profile::issue_hunter_token))
        .routes(routes!(hunters::profile::change_class))
        .routes(routes!(hunters::profile::change_zone))
        .routes(routes!(hunters::profile::add_exercise))
        .routes(routes!(hunters::quests::list_quests, hunters::quests::assign_quest))
        .routes(routes!(hunters::logs::submit_log))
        .routes(routes!(hunters::logs::list_hunter_logs))
        .routes(routes!(hunters::logs::read_hunter_log))
        .routes(routes!(hunters::logs::add_proof))
        .routes(routes!(hunters::media::upload_media))
        .routes(routes!(hunters::media::read_media))
        .routes(routes!(hunters::reports::report_log))
        .routes(routes!(hunters::exams::accept_exam))
        .routes(routes!(hunters::personal::export_hunter))
        .routes(routes!(hunters::personal::erase_hunter))
        .routes(routes!(hunters::moderation::list_moderation))
        .routes(routes!(hunters::moderation::review_proof))
        .routes(routes!(hunters::moderation::decide_report))
        .routes(routes!(hunters::moderation::rule_status))
        .routes(routes!(hunters::exams::decide_exam))
        .routes(routes!(events::follow_events))
        .routes(routes!(records::read_record))
        .routes(routes!(overruling::overrule_answer))
        .routes(routes!(revisions::rejudge_stream))
        .routes(routes!(revisions::revise_stream))
        .routes(routes!(webhooks::list_webhooks, webhooks::add_webhook))
        .routes(routes!(webhooks::remove_webhook))
        .routes(routes!(webhooks::pause_webhook))
        .routes(routes!(webhooks::resume_webhook))
        .routes(routes!(webhooks::test_webhook))
        .routes(routes!(dead_letters::list_dead_letters))
        .routes(routes!(dead_letters::retry_dead_letter))
        .routes(routes!(radio::list_scenarios))
        .routes(routes!(radio::classes::list_classes, radio::open_class))
        .routes(routes!(radio::read_class))
        .routes(routes!(radio::read_class_board))
        .routes(routes!(radio::export_class))
        .routes(routes!(radio::sessions::open_radio_session))
        .routes(routes!(radio::sessions::read_radio_session))
        .routes(routes!(radio::turns::transmit_call))
        .routes(routes!(radio::turns::overrule_turn))
        .routes(routes!(radio::turns::assess_turn))
        .routes(routes!(summaries::list_summary_runs, summaries::open_summary_run))
        .routes(routes!(summaries::read_summary_run))
        .routes(routes!(summaries::items::list_summaries, summaries::items::add_summary))
        .routes(routes!(summaries::items::read_summary))
        .routes(routes!(summaries::export_summary_run))
        .routes(routes!(courts::list_courts))
        .routes(routes!(courts::read_rulebook))
        .routes(routes!(courts::judge_document))
        .routes(routes!(assessments::shown::list_assessors))
        .routes(routes!(assessments::shown::read_bench, assessments::submit_assessment))
        .routes(routes!(assessments::people::take_assessment))
        .routes(routes!(assessments::shown::read_assessment))
        .routes(routes!(assessments::people::give_back_assessment))
        .routes(routes!(assessments::people::report_findings))
        .routes(routes!(session::read_session, session::log_in, session::log_out))
        .routes(routes!(session::change_password))
        .routes(routes!(people::list_users, people::add_user))
        .routes(routes!(people::set_password))
        .routes(routes!(people::disable_user))
        .routes(routes!(tokens::list_tokens, tokens::issue_token))
        .routes(routes!(tokens::revoke_token))
        .routes(routes!(audit::read_audit))
        .merge(dres::routes())
        .merge(open_door::routes())
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
