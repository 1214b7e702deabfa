//! Nobody gets further than they may: every operation of the OpenAPI document, called as everybody there is, and
//! compared with a table. An operation without a row fails, and so does a row without an operation.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

mod bodies;
mod pages;
mod stage;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use stage::{Stage, WHO};

/// What the table says of an operation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    may: BTreeSet<String>,
    #[serde(default = "forbidden")]
    others: u16,
    #[serde(default)]
    query: String,
    body: Option<Value>,
}

const fn forbidden() -> u16 {
    403
}

impl Row {
    /// What somebody must be told; none when they are let in.
    fn refusal(&self, who: &str) -> Option<u16> {
        let good = !["nobody", "expired"].contains(&who);
        let may = |name: &str| self.may.contains(name);
        match () {
            () if may("everybody") || may(who) || (good && may("token")) => None,
            () if good => Some(self.others),
            () => Some(401),
        }
    }
}

/// What the table says of every operation.
fn table() -> BTreeMap<String, Row> {
    toml::from_str(include_str!("allowed.toml")).unwrap()
}

#[test]
fn every_operation_lets_in_whom_the_table_names_and_nobody_else() {
    let table = table();
    let stage = Stage::set();
    let operations = stage.operations();
    let mut wrong = Vec::new();
    for name in table.keys().filter(|name| !operations.contains_key(*name)) {
        wrong.push(format!("`{name}` has a row and is no operation"));
    }
    for (name, (method, path)) in &operations {
        let Some(row) = table.get(name) else {
            wrong.push(format!("`{name}` is an operation and has no row"));
            continue;
        };
        let unknown = row.may.iter().filter(|who| !is_somebody(who));
        wrong.extend(unknown.map(|who| format!("`{name}`: there is nobody called `{who}`")));
        // Those who may not come first, while everything is still there to be got at.
        let (refused, allowed): (Vec<&str>, Vec<&str>) =
            WHO.into_iter().partition(|who| row.refusal(who).is_some());
        for who in refused.into_iter().chain(allowed) {
            let status = stage.call(who, method, &format!("{path}{}", row.query), row.body.as_ref());
            let right = match row.refusal(who) {
                Some(expected) => status == expected,
                None => ![401, 403, 429, row.others].contains(&status) && status < 500,
            };
            if !right {
                let expected = row.refusal(who).map_or("let in".into(), |status| status.to_string());
                wrong.push(format!("`{name}` as {who}: {status}, should be {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "not as crates/cli/tests/closed/allowed.toml says:\n{}", wrong.join("\n"));
    stage.end();
}

fn is_somebody(who: &str) -> bool {
    WHO.contains(&who) || ["everybody", "token"].contains(&who)
}
