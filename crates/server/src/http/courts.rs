//! Courts over HTTP: the available courts and rulebooks, and stateless judging.

use std::sync::Arc;

use assize_kernel::{AnyCourt, AnyRulebook, DecideError, Verdict};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::App;
use super::access::Act;
use super::assessments::no_assessor;
use super::caller::Caller;
use super::input::TextBody;
use super::openapi::{Forbidden, Unknown};
use super::path::PathParams;
use super::problem::Problem;
use super::query::{FromQuery, QueryParams};
use super::schemas::documents::JudgeDocument;
use super::schemas::{AnyObject, Id};

/// The courts of this server.
#[derive(Serialize, ToSchema)]
pub(crate) struct CourtList {
    courts: Vec<CourtView>,
}

/// A court with its rulebooks.
#[derive(Serialize, ToSchema)]
#[schema(as = Court)]
pub(crate) struct CourtView {
    #[schema(value_type = Id)]
    court: &'static str,
    /// The version of the court's code; increased when the same input may be judged or stored differently.
    edition: u32,
    /// The shipped rulebooks, the default first.
    rulebooks: Vec<assize_kernel::RulebookRef>,
}

/// Query parameters of stateless judging.
#[derive(Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct JudgeQuery {
    /// The name of a shipped rulebook; defaults to the court's default rulebook.
    #[param(value_type = Option<Id>)]
    rulebook: Option<String>,
    /// The model to ask, by its configured name; by default the court reads the document itself.
    #[param(value_type = Option<Id>)]
    assessor: Option<String>,
}

/// Lists the courts with their rulebooks.
#[utoipa::path(
    get,
    path = "/api/v1/courts",
    tag = "courts",
    responses((status = 200, description = "The courts, by name", body = CourtList))
)]
pub(crate) async fn list_courts(State(app): State<App>) -> Json<CourtList> {
    let courts = app.courts.names().filter_map(|court| {
        let rulebooks = app.courts.rulebooks(court).iter().map(|book| book.reference.clone()).collect();
        Some(CourtView { court, edition: app.courts.get(court)?.edition(), rulebooks })
    });
    Json(CourtList { courts: courts.collect() })
}

/// Reads the text of a shipped rulebook.
#[utoipa::path(
    get,
    path = "/api/v1/rulebooks/{court}/{name}",
    tag = "courts",
    params(
        ("court" = Id, Path, description = "The court"),
        ("name" = Id, Path, description = "The rulebook"),
    ),
    responses(
        (status = 200, description = "The text of the rulebook", body = String, content_type = "application/toml"),
        Unknown
    )
)]
pub(crate) async fn read_rulebook(
    State(app): State<App>,
    PathParams((court, name)): PathParams<(String, String)>,
) -> Result<Response, Problem> {
    let book = app.courts.rulebook(&court, &name);
    let book = book.ok_or_else(|| Problem::not_found(format!("there is no rulebook `{court}/{name}`")))?;
    Ok(([(header::CONTENT_TYPE, "application/toml")], book.text.to_string()).into_response())
}

/// Judges a document without storing anything.
#[utoipa::path(
    post,
    path = "/api/v1/judge/{court}",
    tag = "courts",
    params(("court" = Id, Path, description = "The court"), JudgeQuery),
    request_body = JudgeDocument,
    responses(
        (status = 200, description = "The verdict", body = Verdict<AnyObject>),
        Forbidden, Unknown
    ),
    security(("bearer" = []))
)]
pub(crate) async fn judge_document(
    State(app): State<App>,
    PathParams(name): PathParams<String>,
    QueryParams(JudgeQuery { rulebook, assessor }): QueryParams<JudgeQuery>,
    caller: Caller,
    TextBody(document): TextBody,
) -> Result<Response, Problem> {
    let verdict = match assessor {
        None => judged_document(&app, &caller, &name, rulebook.as_deref(), document).await?,
        Some(assessor) => {
            caller.must_have_role_for(Act::AskAssessors)?;
            let (_, book) = court_and_book(&app, &name, rulebook.as_deref())?;
            let model = app.assessing.models().get(&assessor).ok_or_else(|| no_assessor(&app, &assessor))?;
            app.assessing.judge(&name, &book, &document, model).await?.0.verdict.into_string()
        }
    };
    Ok(([(header::CONTENT_TYPE, "application/json")], verdict).into_response())
}

/// Judges a document; the verdict as JSON.
pub(crate) async fn judged_document(
    app: &App,
    caller: &Caller,
    name: &str,
    rulebook: Option<&str>,
    document: String,
) -> Result<String, Problem> {
    let (court, book) = court_and_book(app, name, rulebook)?;
    let size = document.len();
    let judge = move || court.judge(&book, &document).map_err(Problem::from);
    app.heavy_work.run(caller.token, size, judge).await
}

/// A court with its rulebook of this name, or its default rulebook.
fn court_and_book(
    app: &App,
    name: &str,
    rulebook: Option<&str>,
) -> Result<(Arc<dyn AnyCourt>, AnyRulebook), Problem> {
    let court = app.courts.get(name).cloned();
    let court = court.ok_or_else(|| Problem::not_found(format!("there is no court `{name}`")))?;
    let book = match rulebook {
        Some(rulebook) => rulebook_of(app, name, rulebook)?,
        None => app.courts.default_rulebook(name).cloned().ok_or_else(|| no_rulebook(name))?,
    };
    Ok((court, book))
}

/// A rulebook of a court by the name given in a body or a query.
pub(crate) fn rulebook_of(app: &App, court: &str, name: &str) -> Result<AnyRulebook, Problem> {
    let found = app.courts.rulebook(court, name).cloned();
    found.ok_or_else(|| {
        let known: Vec<_> =
            app.courts.rulebooks(court).iter().map(|book| book.reference.name.as_ref()).collect();
        Problem::malformed(format!("there is no rulebook `{name}`; there is {}", known.join(", ")))
    })
}

fn no_rulebook(court: &str) -> Problem {
    Problem::internal(&format!("the court {court} has no rulebook"))
}

impl From<DecideError> for Problem {
    fn from(unheard: DecideError) -> Self {
        match unheard {
            DecideError::Refused(refusal) => refusal.into(),
            DecideError::Broken(problem) => Self::internal(&problem),
        }
    }
}

impl FromQuery for JudgeQuery {
    const KNOWN: &'static str = "there are `rulebook` and `assessor`";

    fn take(&mut self, name: &str, value: &str) -> Result<bool, Problem> {
        match name {
            "rulebook" => self.rulebook = Some(value.to_owned()),
            "assessor" => self.assessor = Some(value.to_owned()),
            _ => return Ok(false),
        }
        Ok(true)
    }
}
