//! The contest that is open to all, and everybody who comes in by it.

use assize_courts::contest::{ContestState, Task};
use assize_kernel::{Moment, StreamId};
use serde_json::{Number, Value};

use super::detail::Refused;
use crate::Scope;
use crate::access::NOBODY;
use crate::http::App;
use crate::http::caller::{Admitted, Caller, by_hash};
use crate::http::client_address::ClientAddress;

const CLOSED: &str = "no contest is open to all; an admin opens one with \
                      `POST /api/v1/contests/{contest}/door/open`, or the server is started with \
                      `assize serve --open-contest FILE.csv`";

/// The contest that is open to all.
pub(super) struct Door {
    pub(super) stream: StreamId,
    admitted: Admitted,
}

impl Door {
    /// The open contest, or how to open one.
    pub(super) async fn find(app: &App) -> Result<Self, Refused> {
        let admitted = by_hash(app, NOBODY).await?;
        let open = admitted.and_then(|admitted| match &admitted.scope {
            Scope::Stream(stream) => Some(Self { stream: stream.clone(), admitted }),
            _ => None,
        });
        open.ok_or_else(|| Refused::not_found(CLOSED))
    }

    /// Somebody of whom nothing is known but where they come from.
    pub(super) fn guest(&self, ClientAddress(address): ClientAddress) -> Caller {
        Caller::unseen(self.admitted.clone(), address)
    }

    /// Looks at the contest.
    pub(super) async fn look<T: Send + 'static>(
        &self,
        app: &App,
        look: impl FnOnce(&ContestState) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        Ok(app.clerk.inspect(self.stream.clone(), look).await?)
    }

    /// Looks at one question.
    pub(super) async fn look_at<T: Send + 'static>(
        &self,
        app: &App,
        question: &str,
        look: impl FnOnce(&Task) -> T + Send + 'static,
    ) -> Result<T, Refused> {
        let name = question.to_owned();
        let seen = self.look(app, move |state| state.task(&name).map(look)).await?;
        seen.ok_or_else(|| Refused::not_found(format!("there is no question `{}`", shown(question))))
    }

    /// The question that is named, or the one that runs.
    pub(super) async fn question(&self, app: &App, named: Option<String>) -> Result<String, Refused> {
        if let Some(named) = named {
            return Ok(named);
        }
        let now = app.clerk.now();
        let open = self.look(app, move |state| open_questions(state, now)).await?;
        match open.as_slice() {
            [only] => Ok(only.clone()),
            [] => {
                Err(Refused::malformed("no question is running; say which one is meant with `question_id`"))
            }
            _ => Err(Refused::malformed(
                "several questions are running; say which one is meant with `question_id`",
            )),
        }
    }
}

/// The questions that take answers now.
pub(super) fn open_questions(state: &ContestState, now: Moment) -> Vec<String> {
    let open = state.tasks().filter(|(_, task)| {
        task.round.as_ref().is_some_and(|round| round.started_at <= now && now <= round.open_until())
    });
    open.map(|(name, _)| name.to_owned()).collect()
}

/// A question's id as tools know it: a number where it is one.
pub(super) fn question_id(id: &str) -> Value {
    match id.parse::<u64>() {
        Ok(number) if number.to_string() == id => number.into(),
        _ => id.into(),
    }
}

/// Seconds that people have chosen: whole ones are written as such.
pub(super) fn chosen_seconds(seconds: f64) -> Number {
    #[allow(clippy::cast_possible_truncation, reason = "whole, and bounded where it came in")]
    let whole = (seconds.fract() == 0.0).then_some(seconds as i64);
    whole.map(Number::from).or_else(|| Number::from_f64(seconds)).unwrap_or_else(|| 0.into())
}

/// As much of a foreign text as a message can bear.
fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}
