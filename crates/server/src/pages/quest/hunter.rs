//! Hunter page: profile, exam in progress, open quests and match history.

use assize_courts::quest::{HunterView, QuestView};
use assize_kernel::Moment;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::exam::exam;
use super::history::history;
use super::words;
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::QueryParams;
use crate::http::quest::exams::accept_exam;
use crate::http::quest::logs::HistoryQuery;
use crate::http::quest::profile::{self, HunterNow};
use crate::http::quest::quests::list_quests;
use crate::http::quest::stream_of;
use crate::pages::form::SubmittedForm;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{count, moment};
use crate::pages::{go_to, is_closed};

/// Shows a hunter's page.
pub(crate) async fn read_hunter(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    QueryParams(which): QueryParams<HistoryQuery>,
    context: PageContext,
) -> Result<Response, Problem> {
    show(&app, &hunter, which, &context, &FormOutcome::Nothing).await
}

/// Accepts the offered exam through the API handler.
pub(crate) async fn post_hunter(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    form: SubmittedForm,
) -> Result<Response, Problem> {
    let caller = form.caller()?;
    let done = match form.input(json!({ "id": form.text("id") })) {
        Ok(input) => {
            accept_exam(State(app.clone()), PathParams(hunter.clone()), caller, input).await.map(drop)
        }
        Err(problem) => Err(problem),
    };
    match done {
        Ok(()) => go_to(&format!("/hunters/{hunter}")),
        Err(problem) if is_closed(&problem) => Err(problem),
        Err(problem) => {
            show(&app, &hunter, HistoryQuery::default(), &form.context, &FormOutcome::Problem(problem)).await
        }
    }
}

async fn show(
    app: &App,
    name: &str,
    which: HistoryQuery,
    context: &PageContext,
    said: &FormOutcome,
) -> Result<Response, Problem> {
    let stream = stream_of(name)?;
    let Json(HunterNow { name: called, hunter }) =
        profile::read_hunter(State(app.clone()), PathParams(name.to_owned())).await?;
    let caller = context.caller.as_ref();
    let own = caller.is_some_and(|caller| caller.acts_as(&stream, name).is_ok());
    let quests = match caller.filter(|caller| caller.sees_private(&stream, name)) {
        Some(caller) => {
            list_quests(State(app.clone()), PathParams(name.to_owned()), caller.clone()).await?.0.quests
        }
        None => Vec::new(),
    };
    let now = app.clerk.now();
    let title = called.unwrap_or_else(|| name.to_owned());
    let content = html! {
        p class="small" { a href="/hunters" { "All hunters" } }
        div data-live="head" { (head(&title, &hunter)) }
        div data-live="exam" { (exam(context, &hunter, own, now)) }
        div data-live="quests" { (open_quests(&quests, now)) }
        h2 { "Match history" }
        div data-live="history" { (history(app, name, which, context).await?) }
    };
    let topics = [stream.to_string(), format!("board/{}", assize_courts::quest::HUNTERS)];
    let page = HtmlPage::new(context, title).at(context.place.clone());
    Ok(page.follows(topics, now).saying(said).show(&content))
}

fn head(title: &str, hunter: &HunterView) -> Markup {
    let stats = [
        ("Strength", hunter.stats.strength),
        ("Agility", hunter.stats.agility),
        ("Stamina", hunter.stats.stamina),
    ];
    let most = stats.iter().map(|(_, value)| *value).fold(1.0_f64, f64::max);
    html! {
        div class="top" {
            div {
                h1 { (title) }
                p class="lead" {
                    "Rank " strong { (hunter.rank.as_str()) } ", level " strong { (hunter.level) } ", " (hunter.class.as_str())
                    @if let Some(word) = words::standing(hunter.status) { " " span class="badge" { (word) } }
                }
            }
            p class="figures" { span { strong class="figure" { (hunter.xp) } " XP" } span { strong class="figure" { (hunter.streak_days) } " " (if hunter.streak_days == 1 { "day" } else { "days" }) " in a row" } }
        }
        dl class="gauges" {
            @for (name, value) in stats {
                dt { (name) } dd { meter aria-label=(name) min="0" max=(most) value=(value) {} " " span class="figure" { (crate::pages::why::plain(value)) } }
            }
        }
        p class="soft small" {
            (count(hunter.logs, "log", "logs")) " to be seen, " (hunter.verified_logs) " with proof that a judge has verified; longest streak "
            (count(usize::try_from(hunter.longest_streak_days).unwrap_or_default(), "day", "days")) "; days in " (hunter.zone)
        }
    }
}

fn open_quests(quests: &[QuestView], now: Moment) -> Markup {
    html! {
        @if !quests.is_empty() {
            h2 { "Waiting for a log" }
            ul class="cards" {
                @for quest in quests {
                    li class="card" {
                        h3 { (quest.quest) }
                        p class="soft small" { (quest.quest_type.as_str()) ", until " (moment(quest.expires_at)) @if quest.expires_at <= now { ", over" } }
                        ul { @for exercise in &quest.plan.exercises {
                            li { (exercise.name) @if let Some(sets) = &exercise.sets { ", " (sets) " ×" } @if let Some(reps) = &exercise.reps { " " (reps) } }
                        } }
                    }
                }
            }
        }
    }
}
