//! The client interface of DRES, the server of other video-retrieval contests, so that tools written for it run
//! unchanged: a contest is an evaluation, whoever logs in for a team takes part in it.
//!
//! Its words are its own, and so are its answers: no field that its public document does not name is ever sent, and
//! what goes wrong is told as `{"status": false, "description"}`.

mod entering;
mod evaluations;
mod guest;
mod logging;
mod meant;
mod said;
mod submitting;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) use said::{ErrorStatus, error_status};

use super::App;

/// Where all of it is.
pub(super) const PLACE: &str = "/api/v2/";

/// Every operation, with what the OpenAPI document says of it.
pub(super) fn routes() -> OpenApiRouter<App> {
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
