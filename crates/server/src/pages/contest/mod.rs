//! Contest pages: public board, team page, organiser's console and set-up, judges' queue, re-judging.

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

use super::guest::PageContext;
use crate::http::App;
use crate::http::access::Act;
use crate::http::contest::contests::{read_contest, stream_of};
use crate::http::path::PathParams;
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

/// Public view of a contest at one moment, shared by its pages.
struct ContestPage {
    id: String,
    stream: StreamId,
    now: Moment,
    view: ContestView,
}

impl ContestPage {
    async fn of(app: &App, contest: &str) -> Result<Self, Problem> {
        let axum::Json(seen) = read_contest(State(app.clone()), PathParams(contest.to_owned())).await?;
        Ok(Self { id: contest.to_owned(), stream: stream_of(contest)?, now: seen.now, view: seen.contest })
    }

    /// Topics that the contest's pages subscribe to.
    fn topics(&self) -> [String; 2] {
        [self.stream.to_string(), format!("board/{}", self.stream)]
    }

    /// A team's name, or its id without one.
    fn team_name<'a>(&'a self, team: &'a str) -> &'a str {
        let found = self.view.teams.iter().find(|known| known.team == team);
        found.and_then(|known| known.name.as_deref()).unwrap_or(team)
    }

    /// A path below the contest's.
    fn place(&self, below: &str) -> String {
        format!("/contests/{}{below}", self.id)
    }

    /// Navigation between the pages of the contest that the caller may see.
    fn tabs(&self, context: &PageContext, here: &str) -> Markup {
        let runs = context.may(Act::RunTask, &self.stream);
        let judges = context.may(Act::JudgeAnswers, &self.stream);
        let caller =
            context.caller.as_ref().filter(|caller| caller.actor.role == assize_kernel::Role::Participant);
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
