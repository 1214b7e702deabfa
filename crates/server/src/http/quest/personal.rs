//! Personal data of one hunter over HTTP: exporting all of it, and erasing the personal texts.

use std::ops::ControlFlow;

use assize_kernel::{Moment, Verdict};
use assize_ledger::{Depth, Scan};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::super::caller::Caller;
use super::super::contest::contests::Nothing;
use super::super::input::Input;
use super::super::openapi::{Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::records::raw;
use super::super::schemas::{AnyObject, Id};
use super::super::{App, blocking};
use super::{look, stream_of, subject};

/// The stored data of a hunter.
#[derive(Serialize, ToSchema)]
pub(crate) struct HunterExport {
    #[schema(value_type = Id)]
    hunter: String,
    /// The records of the hunter's stream, in order.
    records: Vec<ExportedRecord>,
}

/// A record of the hunter's stream, with its personal texts.
#[derive(Serialize, ToSchema)]
#[schema(as = Exported)]
pub(crate) struct ExportedRecord {
    #[schema(minimum = 1)]
    position: u64,
    at: Moment,
    kind: String,
    #[schema(value_type = AnyObject)]
    event: Box<RawValue>,
    #[schema(value_type = Option<Verdict<AnyObject>>, required = true)]
    verdict: Option<Box<RawValue>>,
    texts: Vec<String>,
}

/// The amount of erased data.
#[derive(Serialize, ToSchema)]
#[schema(as = Erased)]
pub(crate) struct HunterErased {
    /// The number of erased personal texts.
    texts: usize,
    /// The number of records whose origin was erased.
    origins: u64,
}

/// Exports the stored data of a hunter, for the hunter, their app and admins.
#[utoipa::path(
    get, path = "/api/v1/hunters/{hunter}/export", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter")),
    responses((status = 200, description = "The data of the hunter", body = HunterExport), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn export_hunter(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
) -> Result<Json<HunterExport>, Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    look(&app, &hunter, |_| ()).await?;
    let whose = subject(&hunter);
    let records = blocking(&app, move |app| {
        let mut found = Vec::new();
        app.ledger.scan(Scan::stream(stream.as_str(), 0, Depth::Whole), &mut |record| {
            found.extend(record.to_record().ok());
            ControlFlow::Continue(())
        })?;
        found.into_iter().map(|record| exported(app, &whose, &record)).collect()
    });
    Ok(Json(HunterExport { hunter, records: records.await? }))
}

fn exported(app: &App, whose: &str, record: &assize_kernel::Record) -> Result<ExportedRecord, Problem> {
    let position = record.position;
    let texts = app.ledger.personal_of(position, position)?.into_iter();
    // Texts of reporters about this hunter belong to the reporters.
    let texts = texts.filter(|(_, personal)| personal.subject == whose).map(|(_, personal)| personal.text);
    let draft = &record.draft;
    Ok(ExportedRecord {
        position,
        at: draft.at,
        kind: draft.kind.to_string(),
        event: raw(&without_reporter(&draft.body))?,
        verdict: draft.verdict.as_deref().map(raw).transpose()?,
        texts: texts.collect(),
    })
}

/// Removes the reporter's name, which the export of the reported hunter must not contain.
fn without_reporter(body: &str) -> String {
    let Ok(mut event) = serde_json::from_str::<serde_json::Value>(body) else { return body.to_owned() };
    for kind in ["ReportReceived", "ReportRead", "ReportDecided"] {
        if let Some(fields) = event.get_mut(kind).and_then(serde_json::Value::as_object_mut) {
            fields.remove("reporter");
        }
    }
    event.to_string()
}

/// Erases the personal data of a hunter: texts, display name, pictures and videos, and origins of requests.
///
/// The verdicts stay.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/erase", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter")),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The data was erased", body = HunterErased), Forbidden, Unknown),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn erase_hunter(
    State(app): State<App>,
    PathParams(hunter): PathParams<String>,
    caller: Caller,
    _: Input<Nothing>,
) -> Result<Json<HunterErased>, Problem> {
    let stream = stream_of(&hunter)?;
    caller.acts_as(&stream, &hunter)?;
    let media = look(&app, &hunter, assize_courts::quest::Hunter::media).await?;
    if let Some(store) = &app.media {
        for digest in &media {
            store.delete(digest).await?;
        }
    }
    let whose = subject(&hunter);
    let at = app.clerk.now();
    let erased =
        blocking(&app, move |app| Ok(assize_ledger::erase(&*app.ledger, &whose, at, &caller.actor)?)).await?;
    Ok(Json(HunterErased { texts: erased.texts, origins: erased.origins }))
}
