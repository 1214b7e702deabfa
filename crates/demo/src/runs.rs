//! Simulated run: summaries of the articles by models of different quality.

use assize_kernel::{Actor, Millis, Role, StreamId};
use serde_json::{Value, json};

use super::articles::ARTICLES;
use super::{DemoPlan, DemoStep};

/// A model: writes a summary from the article and its reference summary.
type SummaryWriter = fn(&str, &str) -> String;

const MODELS: [(&str, SummaryWriter); 5] = [
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
pub(super) fn run(stream: StreamId) -> DemoPlan {
    let mut commands = vec![json!({ "OpenRun": { "name": "Five models, five articles" } })];
    for (name, article, careful) in ARTICLES {
        commands.extend(
            MODELS.iter().map(|(model, write)| judge(name, model, article, &write(article, careful))),
        );
    }
    let step = |(index, command)| {
        let after = Millis(i64::try_from(index).unwrap_or_default() * 4_000);
        DemoStep { after, actor: Actor::new(Role::App, "newsroom"), command }
    };
    DemoPlan { stream, steps: commands.into_iter().enumerate().map(step).collect() }
}

fn judge(name: &str, model: &str, article: &str, summary: &str) -> Value {
    json!({ "JudgeSummary": {
        "item": format!("{name}-{model}"), "model": model, "article": article, "summary": summary,
    } })
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(". ").map(str::trim)
}

/// Misreads digits: 3 and 8 for each other, 1 as 4.
const fn misread(letter: char) -> char {
    match letter {
        '3' => '8',
        '8' => '3',
        '1' => '4',
        other => other,
    }
}
