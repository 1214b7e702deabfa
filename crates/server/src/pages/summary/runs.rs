//! Stored runs: their models, best first, their summaries, and one summary with all its evidence.

use assize_courts::summary::{SummaryEvent, SummaryItemsView, SummaryRunView};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::judge::{PastedTexts, read, shown};
use crate::http::App;
use crate::http::access::Act;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::{Pagination, QueryParams};
use crate::http::summary::items::{list_summaries, read_summary};
use crate::http::summary::{SummaryRunList, list_summary_runs, read_summary_run};
use crate::pages::guest::PageContext;
use crate::pages::layout::HtmlPage;
use crate::pages::parts::{count, empty, moment, scrolling};
use crate::pages::why::plain;

/// List of runs; empty for callers without the permission.
pub(super) async fn runs(app: &App, context: &PageContext) -> Result<Markup, Problem> {
    let Some(caller) =
        context.caller.as_ref().filter(|caller| caller.must_have_role_for(Act::RunEvaluation).is_ok())
    else {
        return Ok(html! {});
    };
    let Json(SummaryRunList { runs, .. }) =
        list_summary_runs(State(app.clone()), QueryParams(Pagination::default()), caller.clone()).await?;
    Ok(html! {
        h2 { "Runs" }
        @if runs.is_empty() { (empty("There are no runs yet.", &html! { "Programs open them and send summaries; " a href="/api/docs/" { "the API" } " says how." })) }
        ul class="cards" {
            @for run in &runs {
                li class="card" {
                    h3 { a href=(format!("/summaries/{}", run.id)) { (run.name) } }
                    p class="soft small" { (run.rulebook.name) " · opened " (moment(run.opened_at)) }
                }
            }
        }
    })
}

/// Shows a run, with pagination of its summaries.
pub(crate) async fn read_run(
    State(app): State<App>,
    PathParams(run): PathParams<String>,
    QueryParams(window): QueryParams<Pagination>,
    context: PageContext,
) -> Result<Response, Problem> {
    let caller = context.require_caller()?;
    let Json(view) = read_summary_run(State(app.clone()), PathParams(run.clone()), caller.clone()).await?;
    let Json(items) =
        list_summaries(State(app.clone()), PathParams(run.clone()), QueryParams(window), caller.clone())
            .await?;
    let content = html! {
        p class="small" { a href="/summaries" { "Summaries" } }
        h1 { (view.name) }
        p class="lead" data-live="lead" { (count(view.items, "summary", "summaries")) " by " (count(view.models.len(), "model", "models")) }
        h2 { "Models, best first" }
        div data-live="models" { (models(&view)) }
        h2 { "Summaries" }
        div data-live="items" { (list(&run, &items, window)) }
        p { a class="button second" href=(format!("/api/v1/summary/runs/{run}/export")) { "Export all of it" } }
    };
    let page = HtmlPage::new(&context, view.name.clone()).at(context.place.clone());
    Ok(page
        .follows([format!("summary/{run}"), format!("board/summary/{run}")], app.clerk.now())
        .show(&content))
}

fn models(view: &SummaryRunView) -> Markup {
    if view.models.is_empty() {
        return empty("Nothing has been judged yet.", &html! { "Models appear with their first summary." });
    }
    let table = html! {
        table class="grid" {
            thead { tr { th scope="col" class="number" { "Rank" } th scope="col" { "Model" } th scope="col" class="number" { "Summaries" } th scope="col" { "Mean of Judge-Lock" } } }
            tbody { @for model in &view.models {
                tr data-key=(model.model) data-value=(model.mean) {
                    td class="number rank" { (model.rank) } th scope="row" class="team" { (model.model) } td class="number" { (model.items) }
                    td { span class="share" { meter aria-label="Mean" min="0" max="10" value=(model.mean) {} " " strong class="figure" { (plain(model.mean)) } } }
                }
            } }
        }
    };
    scrolling("Models, best first", &table)
}

fn list(run: &str, items: &SummaryItemsView, window: Pagination) -> Markup {
    let next = window.offset() + items.items.len();
    let table = html! {
        table {
            thead { tr { th scope="col" { "Summary" } th scope="col" { "Model" } th scope="col" class="number" { "Twin-Lock" } th scope="col" class="number" { "Judge-Lock" } } }
            tbody { @for item in &items.items {
                tr data-key=(item.item) {
                    th scope="row" { a href=(format!("/summaries/{run}/{}", item.item)) { (item.item) } }
                    td { (item.model.as_deref().unwrap_or("unnamed")) } td class="number" { (plain(item.twin_lock)) } td class="number" { (plain(item.judge_lock)) }
                }
            } }
        }
    };
    html! {
        (scrolling("Summaries of the run", &table))
        @if !items.items.is_empty() && next < items.total { p { a class="button second" href=(format!("/summaries/{run}?offset={next}")) { "Further" } } }
    }
}

/// Shows one summary of a run with its verdict.
pub(crate) async fn read_item(
    State(app): State<App>,
    PathParams((run, item)): PathParams<(String, String)>,
    context: PageContext,
) -> Result<Response, Problem> {
    let caller = context.require_caller()?.clone();
    let place = PathParams((run.clone(), item.clone()));
    let Json(record) = read_summary(State(app.clone()), place, caller).await?;
    let event: Option<SummaryEvent> = serde_json::from_str(record.event.get()).ok();
    let Some(SummaryEvent::SummaryJudged { article, summary, model, .. }) = event else {
        return Err(Problem::internal("the record of a summary has no texts"));
    };
    let later = record.revision.as_ref().and_then(|revision| revision.verdict.as_ref());
    let counts = later
        .or(record.verdict.as_ref())
        .ok_or_else(|| Problem::internal("the record of a summary has no verdict"))?;
    let verdict = read(counts.get())?;
    let content = html! {
        p class="small" { a href=(format!("/summaries/{run}")) { "The run" } }
        h1 { (item) }
        p class="lead" { "By " (model.as_deref().unwrap_or("somebody who is not named")) @if later.is_some() { ", as it was judged again" } }
        (shown(&PastedTexts { article, summary }, &verdict))
    };
    Ok(HtmlPage::new(&context, item).show(&content))
}
