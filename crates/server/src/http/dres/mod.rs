//! The client API of DRES, the server of other video-retrieval contests, so that tools written for it run
//! unchanged: a contest is an evaluation, and the login of a team takes part in it.
//!
//! Terms and responses are those of DRES: a response has only fields that its public document names, and an
//! error is `{"status": false, "description"}`.

mod entering;
mod evaluations;
mod guest;
mod logging;
mod meant;
mod said;
mod submitting;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) use said::{ErrorStatus, error_status};

use super::App;

/// The URL prefix of this API.
pub(crate) const PLACE: &str = "/api/v2/";

/// The routes with their OpenAPI descriptions.
pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(entering::enter_dres))
        .routes(routes!(entering::leave_dres))
        .routes(routes!(entering::read_dres_user))
        .routes(routes!(evaluations::read_dres_time))
        .routes(routes!(evaluations::list_evaluations))
        .routes(routes!(evaluations::read_current_task))
        .routes(routes!(evaluations::read_evaluation_state))
        .routes(routes!(submitting::submit_to_evaluation))
        .routes(routes!(logging::log_queries))
        .routes(routes!(logging::log_results))
}
