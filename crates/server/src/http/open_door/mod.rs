//! One contest at the root, without tokens: what the AIC scoring server serves, so that tools written for it go on
//! working. An organiser has to open a contest to it; what is sent, recorded and judged is the contest court's.

mod admin;
mod answer;
mod detail;
mod door;
mod gate;
mod reading;
mod settings;
mod switch;
mod timing;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::App;

/// Every operation, with what the OpenAPI document says of it.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(switch::open_door))
        .routes(routes!(switch::close_door))
        .routes(routes!(answer::submit_openly))
        .routes(routes!(admin::start_question))
        .routes(routes!(admin::stop_question))
        .routes(routes!(admin::reset_questions))
        .routes(routes!(admin::list_sessions))
        .routes(routes!(reading::read_question_status))
        .routes(routes!(reading::read_leaderboard))
        .routes(routes!(settings::read_configuration))
}
