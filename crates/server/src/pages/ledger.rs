//! Ledger page for admins: all records in order, filtered by stream or actor, with pagination.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::guest::PageContext;
use super::layout::HtmlPage;
use super::parts::{FormField, empty, heads, moment, scrolling};
use crate::http::App;
use crate::http::audit::{AuditPage, read_audit};
use crate::http::problem::Problem;
use crate::http::query::Named;

/// A page of the ledger.
pub(crate) async fn read_ledger(
    State(app): State<App>,
    context: PageContext,
    parameters: Named,
) -> Result<Response, Problem> {
    let caller = context.require_caller()?.clone();
    let [after, stream, actor] = parameters.take(["after", "stream", "actor"])?;
    let given = |value: Option<String>| value.filter(|value| !value.is_empty());
    let after = given(after);
    let stream = given(stream);
    let actor = given(actor);
    let asked = [("after", &after), ("stream", &stream), ("actor", &actor)];
    let asked = asked.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)));
    let latest = app.clerk.views().position().saturating_sub(100);
    let Json(page) = read_audit(State(app), caller, Named::of(asked.collect())).await?;
    let stream = stream.unwrap_or_default();
    let actor = actor.unwrap_or_default();
    let content = html! {
        h1 { "Ledger" }
        p class="lead" { "Everything that was decided, in the order in which it was decided." }
        form method="get" action="/ledger" {
            div class="fields" {
                (FormField::text("stream", "Stream").value(&stream).help("Such as contest/spring").show("ledger"))
                (FormField::text("actor", "Who").value(&actor).help("Such as admin:organiser").show("ledger"))
                (FormField::text("after", "After position").show("ledger"))
            }
            button { "Show" } " " a class="button second" href=(format!("/ledger?after={latest}")) { "The latest" }
        }
        (records(&page))
        @if let Some(next) = page.next {
            @let further = format!("/ledger?stream={}&actor={}&after={next}", escaped(&stream), escaped(&actor));
            p { a class="button second" rel="next" href=(further) { "Further" } }
        }
    };
    Ok(HtmlPage::new(&context, "Ledger").show(&content))
}

fn records(page: &AuditPage) -> Markup {
    if page.changes.is_empty() {
        return empty(
            "There is nothing here.",
            &html! { "Perhaps the stream or the name is written otherwise." },
        );
    }
    let table = html! {
        table {
            (heads(&["#Position", "When", "Stream", "What", "Who", "From"]))
            tbody {
                @for change in &page.changes {
                    tr {
                        td class="number" { a href=(format!("/records/{}", change.position)) { (change.position) } }
                        td { (moment(change.at)) }
                        td class="long" { a href=(format!("/ledger?stream={}", escaped(&change.stream))) { (change.stream) } }
                        td { (change.kind) }
                        td { (change.actor) }
                        td class="soft" { @if let Some(origin) = &change.origin { (origin.address) } }
                    }
                }
            }
        }
    };
    scrolling("Records", &table)
}

/// Percent-encodes a text for a query string.
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/:".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[test]
fn texts_stand_in_addresses_as_they_should() {
    assert_eq!(escaped("contest/spring&x=ä"), "contest/spring%26x%3D%C3%A4");
}
