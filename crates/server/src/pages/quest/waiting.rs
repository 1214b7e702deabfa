//! One item of the moderation queue: the question, its evidence and the two decisions.

use maud::{Markup, html};

use super::words;
use crate::http::quest::moderation::ModerationEntry;
use crate::pages::guest::PageContext;
use crate::pages::parts::{self, FormField, hidden, moment};

/// Renders an item of the queue.
pub(super) fn waiting(context: &PageContext, thing: &ModerationEntry) -> Markup {
    let quest = thing.quest.as_deref().unwrap_or_default();
    let reporter = thing.reporter.as_deref().unwrap_or_default();
    let key = format!("{}-{}-{quest}-{reporter}", thing.kind, thing.hunter);
    html! {
        li class="card" data-key=(key) {
            h3 { (question(thing)) }
            p class="soft small" { "Since " (moment(thing.since)) }
            (evidence(thing))
            (deciding(context, thing, &key))
        }
    }
}

fn question(thing: &ModerationEntry) -> Markup {
    let hunter = html! { a href=(format!("/hunters/{}", thing.hunter)) { (thing.hunter) } };
    match thing.kind.as_str() {
        "report" => html! { "A doubt about a log of " (hunter) },
        "exam" => html! { "An exam of " (hunter) },
        "proof" => html! { "A proof of " (hunter) },
        _ => html! { "Whether " (hunter) " stays on the board" },
    }
}

fn evidence(thing: &ModerationEntry) -> Markup {
    html! {
        dl class="facts" {
            @if let Some(quest) = &thing.quest {
                dt { "Log" } dd {
                    a href=(format!("/hunters/{}/logs/{quest}", thing.hunter)) { (quest) }
                    @if let Some(log) = &thing.log { ", " (log.xp) " XP " (words::status(log)) " " (words::proof(log)) }
                }
            }
            @if let Some(reason) = &thing.reason { dt { "Because" } dd { (words::reason(reason)) } }
            @if let Some(text) = &thing.text { dt { "In their words" } dd { q { (text) } } }
            @if let Some(reading) = thing.reading.as_ref().filter(|reading| !reading.signs.is_empty()) {
                dt { "Read in it" } dd { (words::signs(&reading.signs)) ", by " (reading.by.name) }
            }
            @if let Some(reporter) = &thing.reporter { dt { "Reported by" } dd { (reporter) } }
            @if let Some(media) = &thing.media {
                dt { "Proof" } dd { a href=(format!("/api/v1/hunters/{}/media/{media}", thing.hunter)) { code { (media.get(..12).unwrap_or(media)) "…" } } }
            }
        }
    }
}

/// Labels of the two decisions by kind of item: yes, then no.
fn answers(kind: &str) -> [&'static str; 2] {
    match kind {
        "report" => ["The doubt is right", "It is not: clear the log"],
        "exam" => ["Grant it", "Refuse it"],
        "proof" => ["It shows what was logged", "It does not"],
        _ => ["Take off the board", "Leave on the board"],
    }
}

fn deciding(context: &PageContext, thing: &ModerationEntry, key: &str) -> Markup {
    let [yes, no] = answers(&thing.kind);
    let of = |text: &Option<String>| text.clone().unwrap_or_default();
    let fields = html! {
        (hidden("do", &thing.kind)) (hidden("hunter", &thing.hunter)) (hidden("quest", &of(&thing.quest))) (hidden("reporter", &of(&thing.reporter)))
        (FormField::text("note", "Why").help("Kept with the decision").show(key))
        @if thing.kind == "report" {
            label class="tick" { input type="checkbox" name="remove_log" value="yes"; "If it is right, take the log out as well" }
        }
        button name="decision" value="yes" { (yes) } " " button class="second" name="decision" value="no" { (no) }
    };
    parts::form(context, "/moderation", &fields)
}
