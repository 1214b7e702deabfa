//! Holds the code to ARCHITECTURE.md: every invariant there that can be read off the files is a test here.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot read the repository must stop"
)]

mod documents;
mod files;
mod openapi;
mod retired;
mod words;

use std::collections::BTreeSet;

use files::{crates, read, rust_files, text_files};
use retired::RETIRED;
use words::{methods, paths, words};

/// Which of our crates a crate may build on. The testbed is for tests and stands beside the others.
const ARROWS: [(&str, &[&str]); 9] = [
    ("kernel", &[]),
    ("assessors", &["kernel"]),
    ("courts", &["kernel"]),
    ("ledger", &["kernel"]),
    ("engine", &["assessors", "courts", "kernel", "ledger"]),
    ("server", &["assessors", "courts", "engine", "kernel", "ledger"]),
    ("demo", &["courts", "engine", "kernel", "ledger"]),
    ("cli", &["assessors", "courts", "demo", "engine", "kernel", "ledger", "server"]),
    ("testbed", &[]),
];

/// Where nothing is known of clocks, disks, networks or chance.
const PURE: [&str; 2] = ["crates/kernel/src", "crates/courts/src"];

#[track_caller]
fn none(found: &[String], what_to_do: &str) {
    assert!(found.is_empty(), "\n{}\n→ {what_to_do}\n", found.join("\n"));
}

fn may_use(crate_name: &str) -> &'static [&'static str] {
    let known = ARROWS.iter().find(|(name, _)| *name == crate_name);
    known.unwrap_or_else(|| panic!("crates/{crate_name} is new: give it a line in ARROWS and on the map")).1
}

#[test]
fn arrows_in_manifests_point_down() {
    let mut wrong = Vec::new();
    for name in crates() {
        let manifest: toml::Table = toml::from_str(&read(&format!("crates/{name}/Cargo.toml"))).unwrap();
        for section in ["dependencies", "build-dependencies", "dev-dependencies"] {
            let Some(table) = manifest.get(section).and_then(toml::Value::as_table) else { continue };
            for other in table.keys().filter_map(|key| key.strip_prefix("assize-")) {
                let in_tests = section == "dev-dependencies" && other == "testbed";
                if !in_tests && !may_use(&name).contains(&other) {
                    wrong.push(format!("crates/{name}/Cargo.toml: [{section}] assize-{other}"));
                }
            }
        }
    }
    none(
        &wrong,
        "dependencies run cli → server → engine → {courts, ledger} → kernel; move the code down instead",
    );
}

#[test]
fn arrows_in_the_code_point_down() {
    let mut wrong = Vec::new();
    for name in crates() {
        for file in rust_files(&format!("crates/{name}/src")) {
            let words = file.shipped_words();
            let others = words.iter().filter_map(|word| word.strip_prefix("assize_"));
            let upward = others.filter(|other| crates().iter().any(|known| known == other));
            let upward: BTreeSet<&str> = upward.filter(|other| !may_use(&name).contains(other)).collect();
            wrong.extend(upward.iter().map(|other| format!("{}: assize_{other}", file.path)));
        }
    }
    none(
        &wrong,
        "dependencies run cli → server → engine → {courts, ledger} → kernel; move the code down instead",
    );
}

#[test]
fn every_dependency_is_used() {
    let mut unused = Vec::new();
    for name in crates() {
        let manifest: toml::Table = toml::from_str(&read(&format!("crates/{name}/Cargo.toml"))).unwrap();
        for (section, folders) in
            [("dependencies", &["src"][..]), ("dev-dependencies", &["src", "tests", "benches"])]
        {
            let files = folders.iter().flat_map(|folder| rust_files(&format!("crates/{name}/{folder}")));
            let files: Vec<_> = files.collect();
            let used: BTreeSet<&str> = files.iter().flat_map(|file| words(&file.text)).collect();
            let table = manifest.get(section).and_then(toml::Value::as_table).into_iter().flatten();
            let missing = table.filter(|(key, _)| !used.contains(key.replace('-', "_").as_str()));
            unused.extend(missing.map(|(key, _)| format!("crates/{name}/Cargo.toml: [{section}] {key}")));
        }
    }
    let workspace: toml::Table = toml::from_str(&read("Cargo.toml")).unwrap();
    let declared = workspace["workspace"]["dependencies"].as_table().unwrap();
    let manifests: String = crates().iter().map(|name| read(&format!("crates/{name}/Cargo.toml"))).collect();
    let named = |key: &str| manifests.lines().any(|line| line.split([' ', '.']).next() == Some(key));
    let nowhere = declared.keys().filter(|key| !named(key));
    unused.extend(nowhere.map(|key| format!("Cargo.toml: [workspace.dependencies] {key}")));
    none(&unused, "remove it there, and in docs/decisions/dependencies.md");
}

#[test]
fn courts_do_not_know_each_other() {
    let files = rust_files("crates/courts/src");
    let court_of = |path: &str| path.split('/').nth(3).unwrap_or_default().to_owned();
    let courts: BTreeSet<String> =
        files.iter().map(|file| court_of(&file.path)).filter(|name| !name.ends_with(".rs")).collect();
    assert!(!courts.is_empty(), "there are no courts in crates/courts/src");
    let mut wrong = Vec::new();
    for file in &files {
        let own = court_of(&file.path);
        if !courts.contains(&own) {
            continue;
        }
        let words = words(&file.text);
        let reached = ["crate", "super", "assize_courts"].into_iter().flat_map(|root| paths(&words, root));
        for path in reached {
            let first = path.split("::").find(|part| !matches!(*part, "crate" | "super" | "assize_courts"));
            let first = first.unwrap_or_default();
            if first != own && (courts.contains(first) || path == "crate::*") {
                wrong.push(format!("{}: {path}", file.path));
            }
        }
    }
    none(&wrong, "what two courts share belongs to the kernel; else let each have its own");
}

#[test]
fn kernel_and_courts_read_no_clock_file_network_environment_or_chance() {
    const FORBIDDEN: [&str; 9] = [
        "std::fs",
        "std::net",
        "std::env",
        "std::thread",
        "std::process",
        "std::io",
        "std::os",
        "std::time::Instant",
        "std::time::SystemTime",
    ];
    const WORDS: [&str; 7] =
        ["Instant", "SystemTime", "UNIX_EPOCH", "rand", "getrandom", "tokio", "thread_rng"];
    let mut wrong = Vec::new();
    for file in PURE.into_iter().flat_map(rust_files) {
        let words = file.shipped_words();
        let reached = paths(&words, "std").into_iter().chain(paths(&words, "jiff"));
        let outside = reached.filter(|path| {
            let below = |root: &&str| path == *root || path.starts_with(&format!("{root}::"));
            FORBIDDEN.iter().any(below) || path.ends_with("::now")
        });
        wrong.extend(outside.map(|path| format!("{}: {path}", file.path)));
        let named = WORDS.iter().filter(|word| words.contains(word));
        wrong.extend(named.map(|word| format!("{}: {word}", file.path)));
        if words.windows(3).any(|three| three == ["::", "now", "("]) {
            wrong.push(format!("{}: ::now()", file.path));
        }
    }
    none(&wrong, "put what the decision needs into the command; the server reads clocks and files");
}

#[test]
fn kernel_and_courts_depend_on_nothing_that_reaches_outside() {
    const FORBIDDEN: [&str; 9] =
        ["rand", "getrandom", "fastrand", "uuid", "tokio", "rusqlite", "postgres", "axum", "tracing"];
    let mut wrong = Vec::new();
    for name in ["kernel", "courts"] {
        let manifest: toml::Table = toml::from_str(&read(&format!("crates/{name}/Cargo.toml"))).unwrap();
        let dependencies = manifest["dependencies"].as_table().unwrap();
        let outside = FORBIDDEN.iter().filter(|other| dependencies.contains_key(**other));
        wrong.extend(outside.map(|other| format!("crates/{name}/Cargo.toml: {other}")));
    }
    none(&wrong, "a pure crate needs no such dependency; do it in the server and hand in the result");
}

#[test]
fn hash_maps_have_no_say_in_a_verdict() {
    let mut wrong = Vec::new();
    for file in PURE.into_iter().flat_map(rust_files) {
        let words = words(&file.text);
        if file.path == "crates/kernel/src/board.rs" {
            continue;
        }
        let named = ["HashMap", "HashSet", "RandomState"].into_iter().filter(|word| words.contains(word));
        wrong.extend(named.map(|word| format!("{}: {word}", file.path)));
    }
    none(&wrong, "their order differs from run to run; use BTreeMap, BTreeSet or a Vec");
}

#[test]
fn the_hash_map_of_a_board_is_looked_up_and_never_walked_through() {
    const LOOKING_UP: [&str; 7] = ["get", "get_mut", "insert", "remove", "contains_key", "entry", "len"];
    let board = rust_files("crates/kernel/src").into_iter().find(|file| file.path.ends_with("src/board.rs"));
    let board = board.expect("crates/kernel/src/board.rs is where boards are");
    let words = board.shipped_words();
    let maps: BTreeSet<&str> = words
        .windows(3)
        .filter(|three| three[1] == ":" && three[2] == "HashMap")
        .map(|three| three[0])
        .collect();
    let mut wrong = Vec::new();
    for at in words.windows(3).filter(|three| maps.contains(three[0])) {
        let walked = at[1] == "{" || (at[1] == "." && !LOOKING_UP.contains(&at[2]));
        if walked {
            wrong.push(format!("{}: {} {} {}", board.path, at[0], at[1], at[2]));
        }
    }
    none(&wrong, "walk through `names`, which has an order of its own");
}

#[test]
fn verdicts_are_computed_with_plain_arithmetic() {
    const INEXACT: [&str; 25] = [
        "sqrt", "cbrt", "powf", "powi", "hypot", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2",
        "log10", "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
        "mul_add",
    ];
    let mut wrong = Vec::new();
    for file in PURE.into_iter().flat_map(rust_files) {
        let words = file.shipped_words();
        let called = methods(&words);
        let named = paths(&words, "f64").into_iter().chain(paths(&words, "f32")).collect::<Vec<_>>();
        for inexact in INEXACT {
            let by_path = named.iter().any(|path| path.ends_with(&format!("::{inexact}")));
            if called.contains(inexact) || by_path {
                wrong.push(format!("{}: {inexact}", file.path));
            }
        }
    }
    none(&wrong, "such functions differ between machines; use + − × ÷ and the kernel's round and floor");
}

#[test]
fn kernel_courts_and_ledger_do_not_wait_asynchronously() {
    let mut wrong = Vec::new();
    for file in PURE.into_iter().chain(["crates/ledger/src"]).flat_map(rust_files) {
        let words = file.shipped_words();
        let named = ["async", "await", "tokio"].into_iter().filter(|word| words.contains(word));
        wrong.extend(named.map(|word| format!("{}: {word}", file.path)));
    }
    none(&wrong, "the clerk is one thread and the ledger's border is synchronous; only HTTP is async");
}

#[test]
fn only_the_clerk_appends() {
    let mut wrong = Vec::new();
    for file in ["crates/engine/src", "crates/server/src", "crates/cli/src"].into_iter().flat_map(rust_files)
    {
        let at_home = file.path.starts_with("crates/engine/src/clerk/");
        if !at_home && methods(&file.shipped_words()).contains("writer") {
            wrong.push(file.path);
        }
    }
    none(&wrong, "send the clerk a petition; `assize ledger` goes through the functions of the ledger crate");
}

#[test]
fn the_engine_knows_no_http() {
    const FORBIDDEN: [&str; 7] = ["axum", "hyper", "hyper-util", "maud", "tower", "utoipa", "utoipa-axum"];
    let manifest: toml::Table = toml::from_str(&read("crates/engine/Cargo.toml")).unwrap();
    let mut wrong = Vec::new();
    for section in ["dependencies", "dev-dependencies"] {
        let table = manifest[section].as_table().unwrap();
        let named = FORBIDDEN.iter().filter(|other| table.contains_key(**other));
        wrong.extend(named.map(|other| format!("crates/engine/Cargo.toml: [{section}] {other}")));
    }
    none(&wrong, "HTTP belongs to crates/server; hand the engine plain values");
}

#[test]
fn the_time_of_day_is_read_in_one_place() {
    let mut wrong = Vec::new();
    for name in ["ledger", "engine", "server", "demo", "cli"] {
        for file in rust_files(&format!("crates/{name}/src")) {
            let words = file.shipped_words();
            let named = ["SystemTime", "Timestamp", "Zoned"].into_iter().filter(|word| words.contains(word));
            let named = named.filter(|_| file.path != "crates/engine/src/clock.rs");
            wrong.extend(named.map(|word| format!("{}: {word}", file.path)));
        }
    }
    none(&wrong, "ask crates/engine/src/clock.rs what time it is");
}

#[test]
fn what_everybody_may_see_has_no_place_for_ground_truth() {
    const TRUTH: [&str; 7] = ["TaskSpec", "Points", "Task", "video_id", "points", "answer", "answers"];
    let mut wrong = Vec::new();
    for file in rust_files("crates/courts/src").iter().filter(|file| file.path.ends_with("/view.rs")) {
        let words = file.shipped_words();
        for start in (0..words.len()).filter(|at| words[*at] == "struct") {
            let name = words[start + 1];
            let fields: BTreeSet<&str> =
                words[start..].iter().copied().take_while(|word| *word != "}").collect();
            let told = TRUTH.iter().filter(|truth| fields.contains(**truth));
            wrong.extend(told.map(|truth| format!("{}: {name} has `{truth}`", file.path)));
        }
    }
    none(&wrong, "a view is public: show it by other means, to those who may see it");
}

#[test]
fn every_rust_file_says_first_what_it_is_for() {
    let files = rust_files("crates").into_iter().filter(|file| !file.text.starts_with("//! "));
    let silent: Vec<String> = files.map(|file| file.path).collect();
    none(&silent, "open the file with one sentence after `//!`");
}

#[test]
fn retired_words_stay_retired() {
    let mut wrong = Vec::new();
    for file in text_files().iter().filter(|file| file.path.ends_with(".rs") || file.path.ends_with(".md")) {
        if file.path.contains("tests/architecture/") || file.path.contains("/reading/words/") {
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let found: BTreeSet<&str> =
            file.text.split(|c| !is_word(c)).filter(|word| RETIRED.contains(word)).collect();
        wrong.extend(found.iter().map(|word| format!("{}: {word}", file.path)));
    }
    none(&wrong, "use the standard term; ARCHITECTURE.md lists the words of this domain");
}

#[test]
fn no_file_names_the_machine_it_was_written_on() {
    let needles = [["/wo", "rk/"], ["../sh", "ared"], ["/ro", "ot/"]].map(|pieces| pieces.concat());
    let mut wrong = Vec::new();
    for file in text_files() {
        for (index, line) in file.text.lines().enumerate() {
            if needles.iter().any(|needle| line.contains(needle.as_str())) {
                wrong.push(format!("{}:{}: {}", file.path, index + 1, line.trim()));
            }
        }
    }
    none(&wrong, "name places relative to the repository");
}

#[test]
fn dependencies_come_from_the_default_registry() {
    let default = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let lock = read("Cargo.lock");
    let other = lock.lines().filter(|line| line.starts_with("source = ") && *line != default);
    let other: Vec<String> = other.map(|line| format!("Cargo.lock: {line}")).collect();
    none(&other, "take dependencies from crates.io, so that everybody can build this");
}
