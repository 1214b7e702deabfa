//! Assessment of texts in logs and reports: the word list reads them at once, models or people on request.

use assize_courts::quest::{Basis, LoggedText, QuestState};
use assize_kernel::{Destination, StreamId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::super::access::Act;
use super::super::assessments::placing::{
    AssessmentReceived, AssessmentRequest, AssessorChoice, book_of, may_ask, place,
};
use super::super::caller::Caller;
use super::super::input::{IdempotencyKey, Input};
use super::super::openapi::{Conflict, Forbidden, Unknown};
use super::super::path::PathParams;
use super::super::problem::Problem;
use super::super::schemas::Id;
use super::super::{App, blocking};
use super::{look, stream_of, subject};
use assize_engine::RequestKey;
use assize_engine::assessing::records_of_kinds;

/// Asks assessors to read the feedback of a log.
///
/// When they have answered, the log is judged again with their reading. That may lower its safety score and
/// request a review; it never changes XP.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/logs/{quest}/assess", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), ("quest" = Id, Path, description = "The quest"), IdempotencyKey),
    request_body = AssessorChoice,
    responses((status = 202, description = "The feedback waits for its assessors", body = AssessmentReceived), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn assess_log(
    State(app): State<App>,
    PathParams((hunter, quest)): PathParams<(String, String)>,
    caller: Caller,
    input: Input<AssessorChoice>,
) -> Result<(StatusCode, Json<AssessmentReceived>), Problem> {
    may_ask(&caller, &stream_of(&hunter)?)?;
    let key = input.key(&caller);
    let words = WrittenText { hunter, quest, reporter: None };
    Ok((StatusCode::ACCEPTED, Json(words.have_read(&app, &caller, input.value, key).await?)))
}

/// Asks assessors to read the text of a report.
///
/// Their reading is shown to judges beside the report, and changes nothing else.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/logs/{quest}/reports/{reporter}/assess", tag = "moderation",
    params(
        ("hunter" = Id, Path, description = "The hunter of the log"),
        ("quest" = Id, Path, description = "The quest"),
        ("reporter" = Id, Path, description = "The reporter"),
        IdempotencyKey,
    ),
    request_body = AssessorChoice,
    responses((status = 202, description = "The report waits for its assessors", body = AssessmentReceived), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(crate) async fn assess_report(
    State(app): State<App>,
    PathParams((hunter, quest, reporter)): PathParams<(String, String, String)>,
    caller: Caller,
    input: Input<AssessorChoice>,
) -> Result<(StatusCode, Json<AssessmentReceived>), Problem> {
    caller.may(Act::Moderate, &stream_of(&hunter)?)?;
    let key = input.key(&caller);
    let words = WrittenText { hunter, quest, reporter: Some(reporter) };
    Ok((StatusCode::ACCEPTED, Json(words.have_read(&app, &caller, input.value, key).await?)))
}

/// A text beside a log, written by its hunter or by a reporter.
struct WrittenText {
    hunter: String,
    quest: String,
    reporter: Option<String>,
}

impl WrittenText {
    async fn have_read(
        self,
        app: &App,
        caller: &Caller,
        readers: AssessorChoice,
        key: Option<RequestKey>,
    ) -> Result<AssessmentReceived, Problem> {
        let stream = stream_of(&self.hunter)?;
        let (basis, text) = self.find(app, &stream).await?;
        let quest = self.quest.clone();
        let by_reporter = self.reporter.is_some();
        let look = move |state: &QuestState| {
            let document =
                state.hunter().and_then(|hunter| hunter.document(&quest, &basis, &text, by_reporter));
            state.rulebook().map(|rulebook| rulebook.hash).zip(document)
        };
        let found = app.clerk.inspect(stream.clone(), look).await?;
        let (hash, document) = found.ok_or_else(|| self.unknown())?;
        let writer = self.reporter.as_ref().unwrap_or(&self.hunter);
        let subject = Some(subject(writer));
        let item = self.quest.into();
        let part = self.reporter.map(Into::into);
        let destination = Some(Destination { stream: stream.as_str().into(), item, part });
        let panel = readers.panel();
        let book = book_of(app, "quest", hash).await?;
        place(app, caller, "quest", book, AssessmentRequest { document, panel, destination, subject }, key)
            .await
    }

    /// The basis on which the log was judged, and the text.
    async fn find(&self, app: &App, stream: &StreamId) -> Result<(Basis, String), Problem> {
        let of = stream.clone();
        let read = move |app: &App| Ok(records_of_kinds(&*app.ledger, &of, LoggedText::RECORDS)?);
        let records = blocking(app, read).await?;
        let LoggedText { basis, feedback } =
            LoggedText::find(&records, &self.quest).ok_or_else(|| self.unknown())?;
        let digest = match &self.reporter {
            None => feedback,
            Some(reporter) => {
                let quest = self.quest.clone();
                let by = reporter.clone();
                let report = look(app, &self.hunter, move |seen| seen.report(&quest, &by)).await?;
                report.ok_or_else(|| self.unknown())?.1
            }
        };
        let read = move |app: &App| Ok(digest.map(|digest| app.ledger.personal(&digest)).transpose()?);
        let text = blocking(app, read).await?.flatten().map(|kept| kept.text);
        let nothing = "nothing was written here, or it was erased: there is nothing to read";
        Ok((basis, text.ok_or_else(|| Problem::malformed(nothing))?))
    }

    fn unknown(&self) -> Problem {
        let Self { quest, reporter, .. } = self;
        Problem::not_found(match reporter {
            None => format!("there is no log of quest `{quest}`"),
            Some(reporter) => format!("there is no report by `{reporter}` on quest `{quest}`"),
        })
    }
}
