//! The pages of a contest: for the hall, for its teams, for whoever runs and judges it.

mod attempts;
mod board;
mod clock;
mod console;
mod feed;
pub(super) mod list;
mod people;
mod queue;
mod revisions;
mod setup;
mod standings;
mod team;

use assize_courts::contest::ContestView;
use assize_kernel::{Moment, StreamId};
use axum::Router;
use axum::extract::State;
use axum::routing::get;
use maud::{Markup, html};

use super::guest::Guest;
use crate::http::App;
use crate::http::access::Act;
use crate::http::address::Address;
use crate::http::contests::{read_contest, stream_of};
use crate::http::problem::Problem;

pub(super) use people::secret;

pub(super) fn pages() -> Router<App> {
    Router::new()
        .route("/contests", get(list::read_contests).post(list::post_contest))
        .route("/contests/{contest}", get(board::read_board))
        .route("/contests/{contest}/console", get(console::read_console).post(console::post_console))
        .route("/contests/{contest}/setup", get(setup::read_setup).post(setup::post_setup))
        .route("/contests/{contest}/queue", get(queue::read_queue).post(queue::post_queue))
        .route(
            "/contests/{contest}/revisions",
            get(revisions::read_revisions).post(revisions::post_revisions),
        )
        .route("/contests/{contest}/teams/{team}", get(team::read_team).post(team::post_answer))
}

/// A contest as everybody may see it, and when.
struct Seen {
    id: String,
    stream: StreamId,
    now: Moment,
    view: ContestView,
}

impl Seen {
    async fn of(app: &App, contest: &str) -> Result<Self, Problem> {
        let axum::Json(seen) = read_contest(State(app.clone()), Address(contest.to_owned())).await?;
        Ok(Self { id: contest.to_owned(), stream: stream_of(contest)?, now: seen.now, view: seen.contest })
    }

    /// What its pages follow.
    fn topics(&self) -> [String; 2] {
        [self.stream.to_string(), format!("board/{}", self.stream)]
    }

    /// What a team is called.
    fn team_name<'a>(&'a self, team: &'a str) -> &'a str {
        let found = self.view.teams.iter().find(|known| known.team == team);
        found.and_then(|known| known.name.as_deref()).unwrap_or(team)
    }

    /// An address below the contest's.
    fn place(&self, below: &str) -> String {
        format!("/contests/{}{below}", self.id)
    }

    /// From one page of the contest to the others that somebody may see.
    fn tabs(&self, guest: &Guest, here: &str) -> Markup {
        let runs = guest.may(Act::RunTask, &self.stream);
        let judges = guest.may(Act::JudgeAnswers, &self.stream);
        let caller =
            guest.caller.as_ref().filter(|caller| caller.actor.role == assize_kernel::Role::Participant);
        let team = caller.map(|caller| caller.actor.name.clone());
        let team = team.filter(|team| self.view.teams.iter().any(|known| known.team == *team));
        let tab = |below: &str, name: &str| {
            html! { a href=(self.place(below)) aria-current=[(below == here).then_some("page")] { (name) } }
        };
        if !runs && !judges && team.is_none() {
            return html! {};
        }
        html! {
            nav class="tabs" aria-label="This contest" {
                (tab("", "Board"))
                @if let Some(team) = team { (tab(&format!("/teams/{team}"), "Your team")) }
                @if runs { (tab("/console", "Console")) (tab("/setup", "Set-up")) }
                @if judges { (tab("/queue", "Judging")) (tab("/revisions", "Re-judge")) }
            }
        }
    }
}
