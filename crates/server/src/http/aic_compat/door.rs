//! The contest that is open at the root, and the anonymous callers of its routes.

use assize_courts::contest::{ContestState, ContestTask};
use assize_kernel::{Moment, StreamId};
use serde_json::{Number, Value};

use super::detail::ErrorResponse;
use crate::http::App;
use crate::http::caller::{AccessGrant, Caller, by_hash};
use crate::http::client_address::ClientAddress;
use assize_engine::Scope;
use assize_engine::access::NOBODY;

const CLOSED: &str = "no contest is open to all; an admin opens one with \
                      `POST /api/v1/contests/{contest}/door/open`, or the server is started with \
                      `assize serve --open-contest FILE.csv`";

/// The open contest.
pub(super) struct OpenContest {
    pub(super) stream: StreamId,
    admitted: AccessGrant,
}

impl OpenContest {
    /// The open contest; the error says how to open one.
    pub(super) async fn find(app: &App) -> Result<Self, ErrorResponse> {
        let admitted = by_hash(app, NOBODY).await?;
        let open = admitted.and_then(|admitted| match &admitted.scope {
            Scope::Stream(stream) => Some(Self { stream: stream.clone(), admitted }),
            _ => None,
        });
        open.ok_or_else(|| ErrorResponse::not_found(CLOSED))
    }

    /// An anonymous caller, identified only by the client address.
    pub(super) fn guest(&self, ClientAddress(address): ClientAddress) -> Caller {
        Caller::unseen(self.admitted.clone(), address)
    }

    /// Reads the state of the contest.
    pub(super) async fn look<T: Send + 'static>(
        &self,
        app: &App,
        look: impl Fn(&ContestState) -> T + Send + 'static,
    ) -> Result<T, ErrorResponse> {
        Ok(app.clerk.inspect(self.stream.clone(), look).await?)
    }

    /// Reads the state of one question.
    pub(super) async fn look_at<T: Send + 'static>(
        &self,
        app: &App,
        question: &str,
        look: impl Fn(&ContestTask) -> T + Send + 'static,
    ) -> Result<T, ErrorResponse> {
        let name = question.to_owned();
        let seen = self.look(app, move |state| state.task(&name).map(&look)).await?;
        seen.ok_or_else(|| ErrorResponse::not_found(format!("there is no question `{}`", shown(question))))
    }

    /// The named question, or the running one.
    pub(super) async fn question(&self, app: &App, named: Option<String>) -> Result<String, ErrorResponse> {
        if let Some(named) = named {
            return Ok(named);
        }
        let now = app.clerk.now();
        let open = self.look(app, move |state| open_questions(state, now)).await?;
        match open.as_slice() {
            [only] => Ok(only.clone()),
            [] => Err(ErrorResponse::malformed(
                "no question is running; say which one is meant with `question_id`",
            )),
            _ => Err(ErrorResponse::malformed(
                "several questions are running; say which one is meant with `question_id`",
            )),
        }
    }
}

/// The questions that accept answers now.
pub(super) fn open_questions(state: &ContestState, now: Moment) -> Vec<String> {
    let open = state.tasks().filter(|(_, task)| {
        task.round.as_ref().is_some_and(|round| round.started_at <= now && now <= round.open_until())
    });
    open.map(|(name, _)| name.to_owned()).collect()
}

/// A question's id as the tools expect it: a number where it is one.
pub(super) fn question_id(id: &str) -> Value {
    match id.parse::<u64>() {
        Ok(number) if number.to_string() == id => number.into(),
        _ => id.into(),
    }
}

/// Configured seconds: whole numbers are written without decimals.
pub(super) fn chosen_seconds(seconds: f64) -> Number {
    #[allow(clippy::cast_possible_truncation, reason = "whole, and bounded where it came in")]
    let whole = (seconds.fract() == 0.0).then_some(seconds as i64);
    whole.map(Number::from).or_else(|| Number::from_f64(seconds)).unwrap_or_else(|| 0.into())
}

/// Truncates a client's text for use in a message.
fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}
