//! Board of hunters by earned XP, filtered by rank and class, with pagination.

use assize_courts::quest::{Class, Rank, board_name};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use crate::http::App;
use crate::http::problem::Problem;
use crate::http::query::QueryParams;
use crate::http::quest::profile::{HunterBoard, HunterFilter, list_hunters};
use crate::pages::guest::PageContext;
use crate::pages::layout::HtmlPage;
use crate::pages::parts::{count, empty, scrolling};

/// Shows the board.
pub(crate) async fn read_hunters(
    State(app): State<App>,
    QueryParams(among): QueryParams<HunterFilter>,
    context: PageContext,
) -> Result<Response, Problem> {
    let rank = among.rank;
    let class = among.class;
    let first = among.window.offset();
    let topic = format!("board/{}", board_name(rank, class));
    let Json(board) = list_hunters(State(app.clone()), QueryParams(among)).await;
    let content = html! {
        h1 { "Hunters" }
        p class="lead" data-live="lead" {
            (count(board.hunters, "hunter", "hunters")) " by what they have earned"
            @if let Some(rank) = rank { ", of rank " (rank.as_str()) } @if let Some(class) = class { ", " (class.as_str()) }
        }
        (filters(rank, class))
        div data-live="board" { (table(&board, first)) }
        (further(&board, first, rank, class))
    };
    Ok(HtmlPage::new(&context, "Hunters").follows([topic], app.clerk.now()).show(&content))
}

/// Path of the board with these filters.
fn place(rank: Option<Rank>, class: Option<Class>) -> String {
    let rank = rank.map(|rank| format!("rank={}", rank.as_str()));
    let class = class.map(|class| format!("class={}", class.as_str()));
    let query: Vec<String> = rank.into_iter().chain(class).collect();
    if query.is_empty() { "/hunters".into() } else { format!("/hunters?{}", query.join("&")) }
}

fn filters(rank: Option<Rank>, class: Option<Class>) -> Markup {
    let link = |to: String, name: &str, current: bool| html! { a href=(to) aria-current=[current.then_some("true")] { (name) } };
    html! {
        nav class="tabs" aria-label="Ranks" {
            (link(place(None, class), "All ranks", rank.is_none()))
            @for each in Rank::ALL { (link(place(Some(each), class), each.as_str(), rank == Some(each))) }
        }
        nav class="tabs" aria-label="Classes" {
            (link(place(rank, None), "All classes", class.is_none()))
            @for each in Class::ALL { (link(place(rank, Some(each)), each.as_str(), class == Some(each))) }
        }
    }
}

fn table(board: &HunterBoard, first: usize) -> Markup {
    if board.rows.is_empty() {
        let next = if first > 0 {
            html! { a href="/hunters" { "Back to the first" } "." }
        } else {
            html! { "Apps register hunters; " a href="/hunters" { "all of them" } " are on one board." }
        };
        return empty("There is nobody here.", &next);
    }
    let table = html! {
        table class="grid" {
            thead { tr {
                th scope="col" class="number" { "Place" } th scope="col" { "Hunter" } th scope="col" class="number" { "XP" }
            } }
            tbody {
                @for row in &board.rows {
                    tr data-key=(row.hunter) data-value=(row.xp) {
                        td class="number rank" { (row.place) }
                        th scope="row" class="team" {
                            a href=(format!("/hunters/{}", row.hunter)) { (row.hunter) }
                            @if row.flagged { " " span class="badge" { "under review" } }
                        }
                        td class="number total" { (row.xp) }
                    }
                }
            }
        }
    };
    scrolling("Hunters by what they have earned", &table)
}

fn further(board: &HunterBoard, first: usize, rank: Option<Rank>, class: Option<Class>) -> Markup {
    let next = first + board.rows.len();
    let to = place(rank, class);
    let joint = if to.contains('?') { '&' } else { '?' };
    html! {
        @if !board.rows.is_empty() && next < board.hunters {
            p { a class="button second" href=(format!("{to}{joint}offset={next}")) { "Further down" } }
        }
    }
}

#[test]
fn parts_of_the_board_have_addresses() {
    assert_eq!(place(None, None), "/hunters");
    assert_eq!(place(Some(Rank::E), None), "/hunters?rank=E");
    assert_eq!(place(Some(Rank::D), Some(Class::Tank)), "/hunters?rank=D&class=Tank");
}
