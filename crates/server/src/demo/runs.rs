//! Summaries of a few articles by models of different temper, judged and kept.

use assize_kernel::{Actor, Millis, Role, StreamId};
use serde_json::{Value, json};

use super::articles::ARTICLES;
use super::{Plan, Step};

/// How a model writes, given the article and what a careful person would say.
type Model = fn(&str, &str) -> String;

const MODELS: [(&str, Model); 5] = [
    ("careful", |_, careful| careful.to_owned()),
    ("first-two", |article, _| sentences(article).take(2).collect::<Vec<_>>().join(" ")),
    ("every-third", |article, _| sentences(article).step_by(3).collect::<Vec<_>>().join(" ")),
    ("hasty", |_, careful| careful.chars().map(misread).collect()),
    ("indignant", |article, _| {
        let first = sentences(article).next().unwrap_or_default();
        format!("{first} This shameful disaster proves that the fools in charge have learned nothing at all.")
    }),
];

/// A run in which every model summarises every article.
pub(super) fn run(stream: StreamId) -> Plan {
    let mut commands = vec![json!({ "OpenRun": { "name": "Five models, five articles" } })];
    for (name, article, careful) in ARTICLES {
        commands.extend(
            MODELS.iter().map(|(model, write)| judge(name, model, article, &write(article, careful))),
        );
    }
    let step = |(index, command)| {
        let after = Millis(i64::try_from(index).unwrap_or_default() * 4_000);
        Step { after, actor: Actor::new(Role::App, "newsroom"), command }
    };
    Plan { stream, steps: commands.into_iter().enumerate().map(step).collect() }
}

fn judge(name: &str, model: &str, article: &str, summary: &str) -> Value {
    json!({ "JudgeSummary": {
        "item": format!("{name}-{model}"), "model": model, "article": article, "summary": summary,
    } })
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(". ").map(str::trim)
}

/// Threes and eights look alike, and ones and fours.
const fn misread(letter: char) -> char {
    match letter {
        '3' => '8',
        '8' => '3',
        '1' => '4',
        other => other,
    }
}
