//! API token page for admins: issue, list and revoke tokens.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::json;

use super::contest::secret;
use super::form::SubmittedForm;
use super::guest::PageContext;
use super::layout::{FormOutcome, HtmlPage};
use super::parts::{self, FormField, choice, empty, heads, hidden, inline_form, moment, scrolling};
use crate::http::App;
use crate::http::path::PathParams;
use crate::http::problem::Problem;
use crate::http::query::Named;
use crate::http::tokens::{self, TokenPage, TokenView};

const ROLES: [(&str, &str); 5] = [
    ("judge", "judge"),
    ("admin", "admin"),
    ("participant", "participant"),
    ("app", "app"),
    ("viewer", "viewer"),
];

/// Lists the issued tokens, with pagination.
pub(crate) async fn read_tokens(
    State(app): State<App>,
    context: PageContext,
    parameters: Named,
) -> Result<Response, Problem> {
    let [after] = parameters.take(["after"])?;
    show(&app, &context, &FormOutcome::Nothing, after).await
}

/// Issues or revokes a token through the API handlers.
pub(crate) async fn post_tokens(State(app): State<App>, form: SubmittedForm) -> Result<Response, Problem> {
    let said = act(&app, &form).await.map_or_else(FormOutcome::Problem, FormOutcome::Done);
    show(&app, &form.context, &said, None).await
}

async fn act(app: &App, form: &SubmittedForm) -> Result<Markup, Problem> {
    let state = State(app.clone());
    let caller = form.caller()?;
    match form.text("do") {
        "issue" => {
            let body = json!({
                "name": form.text("name"),
                "role": form.text("role"),
                "scope": form.optional("scope"),
                "label": form.optional("label"),
            });
            let (_, Json(done)) = tokens::issue_token(state, caller, form.input(body)?).await?;
            let shown = done.token.map(|token| secret("The token", &token));
            Ok(shown.unwrap_or_else(|| html! { p { "This token was given out and shown before." } }))
        }
        "revoke" => {
            let id = form.text("id").to_owned();
            drop(tokens::revoke_token(state, PathParams(id.clone()), caller).await?);
            Ok(html! { p { "Token " code { (id) } " is not good any more." } })
        }
        other => Err(Problem::malformed(format!("`{other}` is nothing that can be done here"))),
    }
}

async fn show(
    app: &App,
    context: &PageContext,
    said: &FormOutcome,
    after: Option<String>,
) -> Result<Response, Problem> {
    let caller = context.require_caller()?.clone();
    let asked = after.map(|after| ("after".to_owned(), after)).into_iter().collect();
    let Json(TokenPage { tokens, next }) =
        tokens::list_tokens(State(app.clone()), caller, Named::of(asked)).await?;
    let content = html! {
        h1 { "Tokens" }
        p class="lead" { "What programs get in with. A token is shown once; only its digest is kept." }
        div data-live="tokens" {
            @if tokens.is_empty() {
                (empty("There are no tokens.", &html! { "Give one out below." }))
            } @else {
                (table(context, &tokens))
            }
            @if let Some(next) = next {
                p { a class="button second" rel="next" href=(format!("/tokens?after={next}")) { "Further" } }
            }
        }
        h2 { "Give out a token" }
        (issuing(context))
    };
    Ok(HtmlPage::new(context, "Tokens").at("/tokens").saying(said).show(&content))
}

fn table(context: &PageContext, tokens: &[TokenView]) -> Markup {
    let revoke = |token: &TokenView| {
        let label = format!("Take back {}", token.id);
        let fields = html! {
            (hidden("do", "revoke")) (hidden("id", &token.id))
            button class="danger" aria-label=(label) { "Take back" }
        };
        inline_form(context, "/tokens", &fields)
    };
    let table = html! {
        table {
            (heads(&["Token", "Lets in", "For", "What for", "Since", "Until", "Do"]))
            tbody {
                @for token in tokens {
                    tr {
                        th scope="row" { code { (token.id) } }
                        td { (token.actor) }
                        td { @if token.scope.is_empty() { "everything" } @else { (token.scope) } }
                        td { (token.label) }
                        td { (moment(token.issued)) }
                        td { @match token.expires { Some(end) => (moment(end)), None => { "no end" } } }
                        td class="acts" {
                            @if token.revoked.is_some() { span class="badge" { "taken back" } } @else { (revoke(token)) }
                        }
                    }
                }
            }
        }
    };
    scrolling("Tokens", &table)
}

fn issuing(context: &PageContext) -> Markup {
    let fields = html! {
        (hidden("do", "issue"))
        div class="fields" {
            (FormField::text("name", "Name").help("What its owner is called in the records").required().show("issue"))
            (choice("issue", "role", "Role", &ROLES, "judge"))
            (FormField::text("scope", "For").help("Such as contest/spring; everything when empty").show("issue"))
            (FormField::text("label", "What for").show("issue"))
        }
        button { "Make the token" }
    };
    parts::form(context, "/tokens", &fields)
}
