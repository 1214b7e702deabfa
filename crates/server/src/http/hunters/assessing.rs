//! What hunters write, read by others: the word list has read it at once, and models or people are asked when somebody
//! wants them to be.

use assize_courts::quest::{Basis, QuestState};
use assize_kernel::{Destination, StreamId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::super::access::Act;
use super::super::address::Address;
use super::super::assessments::placing::{AskedOf, AssessmentReceived, Wanted, book_of, may_ask, place};
use super::super::caller::Caller;
use super::super::document::{Conflict, Forbidden, Unknown};
use super::super::input::{IdempotencyKey, Input};
use super::super::problem::Problem;
use super::super::shapes::Id;
use super::super::{App, blocking};
use super::{look, stream_of, subject};
use crate::RequestKey;
use crate::assessing::{Written, written};

/// Has somebody else read what a hunter wrote beside a log: when they have answered, the log is judged again with what
/// they read. That may lower its safety score and ask for a look, and moves no XP.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/logs/{quest}/assess", tag = "hunters",
    params(("hunter" = Id, Path, description = "The hunter"), ("quest" = Id, Path, description = "The quest"), IdempotencyKey),
    request_body = AskedOf,
    responses((status = 202, description = "It waits", body = AssessmentReceived), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn assess_log(
    State(app): State<App>,
    Address((hunter, quest)): Address<(String, String)>,
    caller: Caller,
    input: Input<AskedOf>,
) -> Result<(StatusCode, Json<AssessmentReceived>), Problem> {
    may_ask(&caller, &stream_of(&hunter)?)?;
    let key = input.key(&caller);
    let words = Words { hunter, quest, reporter: None };
    Ok((StatusCode::ACCEPTED, Json(words.have_read(&app, &caller, input.value, key).await?)))
}

/// Has somebody else read a report's text: what they read in it is shown to judges beside it, and changes nothing.
#[utoipa::path(
    post, path = "/api/v1/hunters/{hunter}/logs/{quest}/reports/{reporter}/assess", tag = "moderation",
    params(
        ("hunter" = Id, Path, description = "Whose log"),
        ("quest" = Id, Path, description = "The quest"),
        ("reporter" = Id, Path, description = "Who reports"),
        IdempotencyKey,
    ),
    request_body = AskedOf,
    responses((status = 202, description = "It waits", body = AssessmentReceived), Forbidden, Unknown, Conflict),
    security(("bearer" = []), ("session" = []))
)]
pub(in super::super) async fn assess_report(
    State(app): State<App>,
    Address((hunter, quest, reporter)): Address<(String, String, String)>,
    caller: Caller,
    input: Input<AskedOf>,
) -> Result<(StatusCode, Json<AssessmentReceived>), Problem> {
    caller.may(Act::Moderate, &stream_of(&hunter)?)?;
    let key = input.key(&caller);
    let words = Words { hunter, quest, reporter: Some(reporter) };
    Ok((StatusCode::ACCEPTED, Json(words.have_read(&app, &caller, input.value, key).await?)))
}

/// What was written beside a log, by its hunter or by whoever reports it.
struct Words {
    hunter: String,
    quest: String,
    reporter: Option<String>,
}

impl Words {
    async fn have_read(
        self,
        app: &App,
        caller: &Caller,
        readers: AskedOf,
        key: Option<RequestKey>,
    ) -> Result<AssessmentReceived, Problem> {
        let stream = stream_of(&self.hunter)?;
        let (basis, text) = self.find(app, &stream).await?;
        let (quest, by_reporter) = (self.quest.clone(), self.reporter.is_some());
        let look = move |state: &QuestState| {
            let document =
                state.hunter().and_then(|hunter| hunter.document(&quest, &basis, &text, by_reporter));
            state.rulebook().map(|rulebook| rulebook.hash).zip(document)
        };
        let found = app.clerk.inspect(stream.clone(), look).await?;
        let (hash, document) = found.ok_or_else(|| self.unknown())?;
        let writer = self.reporter.as_ref().unwrap_or(&self.hunter);
        let subject = Some(subject(writer));
        let (item, part) = (self.quest.into(), self.reporter.map(Into::into));
        let destination = Some(Destination { stream: stream.as_str().into(), item, part });
        let panel = readers.panel();
        let book = book_of(app, "quest", hash).await?;
        place(app, caller, ("quest", book), Wanted { document, panel, destination, subject }, key).await
    }

    /// What the log was judged by, and the text.
    async fn find(&self, app: &App, stream: &StreamId) -> Result<(Basis, String), Problem> {
        let (of, quest) = (stream.clone(), self.quest.clone());
        let found = blocking(app, move |app| Ok(written(&*app.ledger, &of, &quest)?)).await?;
        let Written { basis, feedback } = found.ok_or_else(|| self.unknown())?;
        let digest = match &self.reporter {
            None => feedback,
            Some(reporter) => {
                let (quest, by) = (self.quest.clone(), reporter.clone());
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
