//! Form that judges a pasted article and summary. Nothing is stored.

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
use crate::http::problem::Problem;
use crate::pages::form::SubmittedForm;
use crate::pages::guest::PageContext;
use crate::pages::layout::{FormOutcome, HtmlPage};
use crate::pages::parts::{empty, hidden_csrf};

/// The two pasted texts.
#[derive(Default)]
pub(super) struct PastedTexts {
    pub(super) article: String,
    pub(super) summary: String,
}

/// Shows the form and the stored runs.
pub(crate) async fn read_summaries(
    State(app): State<App>,
    context: PageContext,
) -> Result<Response, Problem> {
    let content = html! { (head()) (form(&context, &PastedTexts::default())) (runs(&app, &context).await?) };
    Ok(HtmlPage::new(&context, "Summaries").at("/summaries").show(&content))
}

/// Judges the pasted texts through the API's function; requires a login, as the API does.
pub(crate) async fn post_summary(State(app): State<App>, form: SubmittedForm) -> Result<Response, Problem> {
    let caller = form.caller()?;
    let text = |name: &str| form.text(name).replace("\r\n", "\n").trim().to_owned();
    let pasted = PastedTexts { article: text("article"), summary: text("summary") };
    let document = json!({ "article": pasted.article, "summary": pasted.summary }).to_string();
    let (said, result) = match judged_document(&app, &caller, "summary", None, document).await {
        Ok(verdict) => (FormOutcome::Nothing, Some(read(&verdict)?)),
        Err(problem) => (FormOutcome::Problem(problem), None),
    };
    let content = html! {
        (head())
        @if let Some(verdict) = &result { (shown(&pasted, verdict)) h2 { "Judge another one" } }
        (self::form(&form.context, &pasted))
    };
    Ok(HtmlPage::new(&form.context, "Summaries").at("/summaries").saying(&said).show(&content))
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

/// Without `data-quiet`: the response keeps the pasted texts, to be edited and judged again.
fn form(context: &PageContext, pasted: &PastedTexts) -> Markup {
    if context.caller.is_none() {
        return empty(
            "Judging is for those who have logged in.",
            &html! { a href="/login?to=/summaries" { "Log in" } "; any account will do." },
        );
    }
    html! {
        form method="post" action="/summaries" {
            (hidden_csrf(context))
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

/// The whole verdict.
pub(super) fn shown(pasted: &PastedTexts, verdict: &Verdict<SummaryDetail>) -> Markup {
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
