//! Checks the documents against the code: every name in them exists, and every file is named.

use std::collections::BTreeSet;

use crate::files::{crates, read, root, rust_files, text_files};
use crate::none;

#[test]
fn every_path_on_the_map_exists() {
    let map = read("ARCHITECTURE.md");
    let named: BTreeSet<&str> = map.split('`').skip(1).step_by(2).filter(|text| is_path(text)).collect();
    assert!(named.len() > 20, "the map names hardly any paths: {named:?}");
    let gone = named.iter().filter(|path| !root().join(path).exists());
    let gone: Vec<String> = gone.map(|path| format!("ARCHITECTURE.md: `{path}`")).collect();
    none(&gone, "correct the map");
}

/// What stands in backticks and means a place in the repository.
fn is_path(text: &str) -> bool {
    let begins = ["crates/", "cases/", "rulebooks/", "docs/", ".ci/"].iter().any(|at| text.starts_with(at));
    begins && !text.contains(['<', '*', ' ', '{'])
}

#[test]
fn every_crate_is_on_the_map() {
    let map = read("ARCHITECTURE.md");
    let missing = crates().into_iter().filter(|name| !map.contains(&format!("`crates/{name}`")));
    let missing: Vec<String> = missing.map(|name| format!("crates/{name}")).collect();
    none(&missing, "say in ARCHITECTURE.md what the crate is for, with its path in backticks");
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut dead = Vec::new();
    for file in text_files().into_iter().filter(|file| file.path.ends_with(".md")) {
        let folder = root().join(&file.path).parent().unwrap().to_owned();
        for link in file.text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            let elsewhere = target.is_empty() || target.contains("://");
            if !elsewhere && !folder.join(target).exists() {
                dead.push(format!("{}: {link}", file.path));
            }
        }
    }
    none(&dead, "correct the link");
}

#[test]
fn every_code_is_documented() {
    let api = read("docs/api.md");
    let mut silent = BTreeSet::new();
    let courts = rust_files("crates/courts/src").into_iter();
    let courts =
        courts.filter(|file| file.path.ends_with("/refusals.rs") || file.path.ends_with("/reasons.rs"));
    for file in
        courts.chain(rust_files("crates/server/src/http")).chain(rust_files("crates/engine/src/access"))
    {
        let literals = file.text.split('"').skip(1).step_by(2);
        let codes = literals.filter(|text| is_code(text) && !api.contains(&format!("`{text}`")));
        silent.extend(codes.map(|code| format!("{}: {code}", file.path)));
    }
    none(&silent.into_iter().collect::<Vec<_>>(), "give the code a line in docs/api.md");
}

/// `contest.task.closed`
fn is_code(text: &str) -> bool {
    let word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    text.contains('.') && !text.ends_with(".csv") && text.split('.').all(word)
}

#[test]
fn every_dependency_has_its_reason() {
    let reasons = read("docs/decisions/dependencies.md");
    let mut silent = BTreeSet::new();
    for name in crates() {
        let manifest: toml::Table = toml::from_str(&read(&format!("crates/{name}/Cargo.toml"))).unwrap();
        let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
        let tables = sections.iter().filter_map(|section| manifest.get(*section)?.as_table());
        for dependency in tables.flat_map(toml::Table::keys).filter(|key| !key.starts_with("assize-")) {
            // The first cell of a row: `| serde, serde_json |`.
            let rows = reasons.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
            if !rows.flat_map(|cell| cell.split(", ")).any(|named| named == dependency) {
                silent.insert(format!("crates/{name}/Cargo.toml: {dependency}"));
            }
        }
    }
    none(
        &silent.into_iter().collect::<Vec<_>>(),
        "give it a line in docs/decisions/dependencies.md, or do without it",
    );
}

#[test]
fn the_image_is_built_from_everything_that_is_compiled_in() {
    let recipe = read("docs/operations/Containerfile");
    let copies = recipe.lines().filter_map(|line| line.strip_prefix("COPY ")?.rsplit_once(' '));
    let copied: BTreeSet<&str> = copies.flat_map(|(from, _)| from.split(' ')).collect();
    let mut missing = BTreeSet::new();
    for file in crates().iter().flat_map(|name| rust_files(&format!("crates/{name}/src"))) {
        let shipped = file.text.split("#[test]").next().unwrap_or_default();
        for included in shipped.split("include_str!(\"").chain(shipped.split("include_bytes!(\"")) {
            let Some((path, _)) = included.split_once("\")") else { continue };
            let outside = path.strip_prefix("../../../").map(|path| path.trim_start_matches("../"));
            let folder = outside.and_then(|path| path.split('/').next());
            missing.extend(folder.filter(|folder| !copied.contains(folder)).map(str::to_owned));
        }
    }
    none(&missing.into_iter().collect::<Vec<_>>(), "copy it in docs/operations/Containerfile");
}
