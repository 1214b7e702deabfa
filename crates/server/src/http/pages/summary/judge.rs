//! Paste an article and a summary of it, and see what the court makes of it. Nothing is kept.

use assize_courts::summary::SummaryDetail;
use assize_kernel::Verdict;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::runs::runs;
use super::{claims, gauges, sides};
use crate::http::App;
use crate::http::courts::judged_document;
use crate::http::pages::form::Form;
use crate::http::pages::guest::Guest;
use crate::http::pages::layout::{Page, Said};
use crate::http::pages::parts::{empty, hidden_csrf};
use crate::http::problem::Problem;

/// Two texts as they were pasted.
#[derive(Default)]
pub(super) struct Pasted {
    pub(super) article: String,
    pub(super) summary: String,
}

/// The form.
pub(in crate::http) async fn read_summaries(
    State(app): State<App>,
    guest: Guest,
) -> Result<Response, Problem> {
    let content = html! { (head()) (form(&guest, &Pasted::default())) (runs(&app, &guest).await?) };
    Ok(Page::new(&guest, "Summaries").at("/summaries").show(&content))
}

/// Judges what was pasted, by the API's own function; for whoever has logged in, as there.
pub(in crate::http) async fn post_summary(State(app): State<App>, form: Form) -> Result<Response, Problem> {
    form.caller()?;
    let text = |name: &str| form.text(name).replace("\r\n", "\n").trim().to_owned();
    let pasted = Pasted { article: text("article"), summary: text("summary") };
    let document = json!({ "article": pasted.article, "summary": pasted.summary }).to_string();
    let (said, result) = match judged_document(&app, "summary", None, document).await {
        Ok(verdict) => (Said::Nothing, Some(read(&verdict)?)),
        Err(problem) => (Said::Problem(problem), None),
    };
    let content = html! {
        (head())
        @if let Some(verdict) = &result { (shown(&pasted, verdict)) h2 { "Judge another one" } }
        (self::form(&form.guest, &pasted))
    };
    Ok(Page::new(&form.guest, "Summaries").at("/summaries").saying(&said).show(&content))
}

pub(super) fn read(verdict: &str) -> Result<Verdict<SummaryDetail>, Problem> {
    serde_json::from_str(verdict)
        .map_err(|error| Problem::internal(&format!("a verdict cannot be read: {error}")))
}

fn head() -> Markup {
    html! {
        h1 { "Summaries" }
        p class="lead" { "Is a summary true to its article? Every point of the answer is tied to words on the page. What you paste is not kept." }
    }
}

/// Not sent quietly: what was pasted stays to be changed and judged again.
fn form(guest: &Guest, pasted: &Pasted) -> Markup {
    if guest.caller.is_none() {
        return empty(
            "Judging is for those who have logged in.",
            &html! { a href="/login?to=/summaries" { "Log in" } "; any account will do." },
        );
    }
    html! {
        form method="post" action="/summaries" {
            (hidden_csrf(guest))
            div class="pair" {
                (area("article", "Article", &pasted.article, 14))
                (area("summary", "Summary", &pasted.summary, 8))
            }
            button { "Judge it" }
        }
    }
}

fn area(name: &str, label: &str, text: &str, rows: u32) -> Markup {
    html! {
        div class="field" {
            label for=(name) { (label) }
            // The first line break after the tag is not a part of the text.
            textarea id=(name) name=(name) class="prose" rows=(rows) required { "\n" (text) }
        }
    }
}

/// Everything about a verdict.
pub(super) fn shown(pasted: &Pasted, verdict: &Verdict<SummaryDetail>) -> Markup {
    html! {
        section aria-label="The verdict" {
            (gauges::gauges(&verdict.detail))
            (gauges::caps(verdict))
            h2 { "Side by side" }
            p class="soft" { "A claim of the summary and the words of the article that carry it have the same number and colour; what speaks against it is marked with ✗." }
            (sides::sides(pasted, &verdict.detail.findings))
            h2 { "Claims" }
            (claims::claims(&verdict.detail.findings))
            (claims::key_points(&verdict.detail.findings))
            h2 { "Every step" }
            details id="steps" { summary { "How each number came to be" } (gauges::derivation(verdict)) }
        }
    }
}
