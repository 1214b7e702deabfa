//! Permissions of pages: found in the code, called with every role, compared with a table.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use crate::stage::{Stage, WHO};

/// What the table says of a page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    may: BTreeSet<String>,
    #[serde(default = "forbidden")]
    others: u16,
    #[serde(default)]
    form: String,
    /// What is told to those who are let in, where it is something special.
    told: Option<u16>,
}

const fn forbidden() -> u16 {
    403
}

#[test]
fn every_page_is_shown_to_whom_the_table_names_and_to_nobody_else() {
    let table: BTreeMap<String, Row> = toml::from_str(include_str!("pages.toml")).unwrap();
    let stage = Stage::set();
    let routes = routes();
    assert!(routes.len() > 20, "the pages are found: {routes:?}");
    let mut wrong = Vec::new();
    wrong.extend(
        table
            .keys()
            .filter(|name| !routes.contains(*name))
            .map(|name| format!("`{name}` has a row and is no page")),
    );
    for route in &routes {
        let Some(row) = table.get(route) else {
            wrong.push(format!("`{route}` is a page and has no row"));
            continue;
        };
        let (method, path) = route.split_once(' ').unwrap();
        // Those who may not come first, while everything is still there to be got at.
        let (refused, allowed): (Vec<&str>, Vec<&str>) = WHO.into_iter().partition(|who| !row.lets_in(who));
        for who in refused.into_iter().chain(allowed) {
            let status = stage.open(who, method, path, &row.form);
            if !row.is_right(who, status) {
                wrong.push(format!("`{route}` as {who}: {status}"));
            }
        }
    }
    assert!(wrong.is_empty(), "not as crates/cli/tests/closed/pages.toml says:\n{}", wrong.join("\n"));
    stage.end();
}

impl Row {
    fn lets_in(&self, who: &str) -> bool {
        self.may.contains("everybody")
            || self.may.contains(who)
            || (is_good(who) && self.may.contains("token"))
    }

    fn is_right(&self, who: &str, status: u16) -> bool {
        match self.told {
            _ if !self.lets_in(who) => status == if is_good(who) { self.others } else { 401 },
            // So many logins in a row are too many.
            Some(told) => status == told || (told == 401 && status == 429),
            None => ![401, 403, 429].contains(&status) && status < 500,
        }
    }
}

fn is_good(who: &str) -> bool {
    !["nobody", "expired"].contains(&who)
}

/// `GET /contests`, `POST /contests`, … as the code of the pages names them.
fn routes() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/src/pages");
    let mut routes = BTreeSet::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name == "mod.rs") {
                let text = std::fs::read_to_string(path).unwrap();
                // Up to the next one: formatting may have put handlers on lines of their own.
                for route in text.split(".route(").skip(1) {
                    let place = route.split('"').nth(1).unwrap();
                    let methods = [("GET", "get("), ("POST", "post(")];
                    let taken = methods.iter().filter(|(_, call)| route.contains(call));
                    routes.extend(taken.map(|(method, _)| format!("{method} {place}")));
                }
            }
        }
    }
    routes
}
