//! Compatibility with the AIC scoring server: one contest at the root, without tokens, so that tools written
//! for that server keep working. An organiser opens a contest to these routes; the contest court records and
//! judges it.

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

/// The routes with their OpenAPI descriptions.
pub(crate) fn routes() -> OpenApiRouter<App> {
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
