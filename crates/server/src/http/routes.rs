//! The route table, court by court, with the OpenAPI descriptions.

use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    App, aic_compat, assessments, audit, boards, courts, dead_letters, dres, events, health, metrics,
    openapi, people, quest, radio, records, revisions, session, summary, tokens, webhooks,
};
use crate::http::contest::{
    answers, contests, export, import, judging, list, logs, media, overruling, programme, team_users, teams,
};

/// All routes.
pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::ApiDescription::openapi())
        .merge(of_every_court())
        .merge(of_access())
        .merge(of_contest())
        .merge(of_quest())
        .merge(of_radio())
        .merge(of_summary())
        .merge(dres::routes())
        .merge(aic_compat::routes())
}

/// Routes independent of a court: health, courts and judging, records and revisions, assessments, events,
/// webhooks.
fn of_every_court() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health::check_health))
        .routes(routes!(health::check_readiness))
        .routes(routes!(metrics::read_metrics))
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
        .routes(routes!(courts::list_courts))
        .routes(routes!(courts::read_rulebook))
        .routes(routes!(courts::judge_document))
        .routes(routes!(assessments::shown::list_assessors))
        .routes(routes!(assessments::shown::read_bench, assessments::submit_assessment))
        .routes(routes!(assessments::people::take_assessment))
        .routes(routes!(assessments::shown::read_assessment))
        .routes(routes!(assessments::people::give_back_assessment))
        .routes(routes!(assessments::people::report_findings))
}

/// Routes for login, users and tokens.
fn of_access() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(session::read_session, session::log_in, session::log_out))
        .routes(routes!(session::change_password))
        .routes(routes!(people::list_users, people::add_user))
        .routes(routes!(people::set_password))
        .routes(routes!(people::disable_user))
        .routes(routes!(people::enable_user))
        .routes(routes!(tokens::list_tokens, tokens::issue_token))
        .routes(routes!(tokens::revoke_token))
        .routes(routes!(audit::read_audit))
}

/// Routes of contests.
fn of_contest() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list::list_contests, contests::open_contest))
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
}

/// Routes of hunters.
fn of_quest() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(quest::profile::list_hunters, quest::profile::register_hunter))
        .routes(routes!(quest::profile::read_hunter))
        .routes(routes!(quest::profile::issue_hunter_token))
        .routes(routes!(quest::profile::change_class))
        .routes(routes!(quest::profile::change_zone))
        .routes(routes!(quest::profile::add_exercise))
        .routes(routes!(quest::quests::list_quests, quest::quests::assign_quest))
        .routes(routes!(quest::logs::submit_log))
        .routes(routes!(quest::logs::list_hunter_logs))
        .routes(routes!(quest::logs::read_hunter_log))
        .routes(routes!(quest::logs::add_proof))
        .routes(routes!(quest::assessing::assess_log))
        .routes(routes!(quest::media::upload_media))
        .routes(routes!(quest::media::read_media))
        .routes(routes!(quest::reports::report_log))
        .routes(routes!(quest::exams::accept_exam))
        .routes(routes!(quest::personal::export_hunter))
        .routes(routes!(quest::personal::erase_hunter))
        .routes(routes!(quest::moderation::list_moderation))
        .routes(routes!(quest::moderation::review_proof))
        .routes(routes!(quest::moderation::decide_report))
        .routes(routes!(quest::assessing::assess_report))
        .routes(routes!(quest::moderation::rule_status))
        .routes(routes!(quest::exams::decide_exam))
}

/// Routes of radio classes.
fn of_radio() -> OpenApiRouter<App> {
    OpenApiRouter::new()
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
}

/// Routes of summary runs.
fn of_summary() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(summary::list_summary_runs, summary::open_summary_run))
        .routes(routes!(summary::read_summary_run))
        .routes(routes!(summary::items::list_summaries, summary::items::add_summary))
        .routes(routes!(summary::items::read_summary))
        .routes(routes!(summary::export_summary_run))
}
