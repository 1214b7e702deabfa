//! Every operation, court by court, with what the OpenAPI document says of it.

use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{
    App, answers, assessments, audit, boards, contest_list, contests, courts, dead_letters, document, dres,
    events, export, health, hunters, import, judging, logs, media, metrics, open_door, overruling, people,
    programme, radio, records, revisions, session, summaries, team_users, teams, tokens, webhooks,
};

/// All of them.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(document::Preamble::openapi())
        .merge(of_every_court())
        .merge(of_people())
        .merge(of_contests())
        .merge(of_hunters())
        .merge(of_radio())
        .merge(of_summaries())
        .merge(dres::routes())
        .merge(open_door::routes())
}

/// What every court has: health, courts and judging, records and their revisions, assessments, events, webhooks.
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

/// Who may come in.
fn of_people() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(session::read_session, session::log_in, session::log_out))
        .routes(routes!(session::change_password))
        .routes(routes!(people::list_users, people::add_user))
        .routes(routes!(people::set_password))
        .routes(routes!(people::disable_user))
        .routes(routes!(tokens::list_tokens, tokens::issue_token))
        .routes(routes!(tokens::revoke_token))
        .routes(routes!(audit::read_audit))
}

/// Contests.
fn of_contests() -> OpenApiRouter<App> {
    OpenApiRouter::new()
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
}

/// Hunters.
fn of_hunters() -> OpenApiRouter<App> {
    OpenApiRouter::new()
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
        .routes(routes!(hunters::assessing::assess_log))
        .routes(routes!(hunters::media::upload_media))
        .routes(routes!(hunters::media::read_media))
        .routes(routes!(hunters::reports::report_log))
        .routes(routes!(hunters::exams::accept_exam))
        .routes(routes!(hunters::personal::export_hunter))
        .routes(routes!(hunters::personal::erase_hunter))
        .routes(routes!(hunters::moderation::list_moderation))
        .routes(routes!(hunters::moderation::review_proof))
        .routes(routes!(hunters::moderation::decide_report))
        .routes(routes!(hunters::assessing::assess_report))
        .routes(routes!(hunters::moderation::rule_status))
        .routes(routes!(hunters::exams::decide_exam))
}

/// Radio classes.
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

/// Runs of summaries.
fn of_summaries() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(summaries::list_summary_runs, summaries::open_summary_run))
        .routes(routes!(summaries::read_summary_run))
        .routes(routes!(summaries::items::list_summaries, summaries::items::add_summary))
        .routes(routes!(summaries::items::read_summary))
        .routes(routes!(summaries::export_summary_run))
}
