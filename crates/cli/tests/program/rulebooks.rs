//! `assize rulebook`: show, check and compare.

use crate::work_dir::WorkDir;

const SHIPPED: &str = include_str!("../../../../rulebooks/contest/competition.toml");

#[test]
fn the_rulebooks_that_ship_are_listed_and_printed() {
    let dir = WorkDir::new();
    let courts = assize_engine::Courts::shipped().unwrap();
    let mut listed = String::new();
    for court in courts.names() {
        for (index, book) in courts.rulebooks(court).iter().enumerate() {
            let (name, version) = (&book.reference.name, book.reference.version);
            let file = format!("{}/../../rulebooks/{court}/{name}.toml", env!("CARGO_MANIFEST_DIR"));
            let hash = assize_kernel::Digest::of(&std::fs::read(file).unwrap());
            let default = if index == 0 { "  (default)" } else { "" };
            listed += &format!("{court}/{name} v{version}  {hash}{default}\n");
        }
    }
    dir.run(&["rulebook", "show"]).fine(&listed);
    dir.run(&["rulebook", "show", "contest/competition"]).fine(SHIPPED);
    for unknown in ["contest/none", "competition"] {
        let message = format!("there is no rulebook `{unknown}`; `assize rulebook show` lists them");
        dir.run(&["rulebook", "show", unknown]).wrong_use(&message);
    }
}

#[test]
fn a_rulebook_that_is_right_is_named_with_its_court() {
    let dir = WorkDir::new();
    dir.write("own.toml", SHIPPED);
    let hash = assize_kernel::Digest::of(SHIPPED.as_bytes()).short();
    let said = format!("own.toml: competition v1 ({hash}) for the court contest\n");
    dir.run(&["rulebook", "check", "own.toml"]).fine(&said);
}

/// Replaces something in the shipped rulebook and checks it.
#[track_caller]
fn check(before: &str, after: &str, complaint: &str) {
    let dir = WorkDir::new();
    assert!(SHIPPED.contains(before));
    dir.write("own.toml", &SHIPPED.replacen(before, after, 1));
    dir.run(&["rulebook", "check", "own.toml"]).failed(1, complaint);
}

#[test]
fn an_unknown_key_is_named_with_its_line() {
    let known = "unknown field `penality`, expected one of `maximum`, `base`, `penalty`";
    check("penalty = 10", "penality = 10", &format!("own.toml:13: score.penality: {known}\n"));
}

#[test]
fn every_nonsense_value_is_named_with_its_line() {
    let limit = "own.toml:16: time.limit_seconds: must be above 0 and at most 604800, is -5\n";
    check("limit_seconds = 300", "limit_seconds = -5", limit);
    let threshold = "own.toml:21: partial.threshold: must be above 0 and at most 1, is 7\n";
    check("threshold = 0.5", "threshold = 7", threshold);
}

#[test]
fn a_value_of_the_wrong_type_is_named_with_its_line() {
    check("base = 50", "base = \"x\"", "own.toml:12: score.base: invalid type: string \"x\", expected f64\n");
}

#[test]
fn a_rulebook_of_no_court_is_told_which_there_are() {
    let told = format!("own.toml: court: there is no court `moon`; there is {}\n", crate::work_dir::courts());
    check("court = \"contest\"", "court = \"moon\"", &told);
}

#[test]
fn what_is_no_toml_is_told_where_it_ends_to_be() {
    let dir = WorkDir::new();
    dir.write("own.toml", "x = [");
    dir.run(&["rulebook", "check", "own.toml"]).failed(1, "own.toml:1: unclosed array, expected `]`\n");
}

#[test]
fn a_file_that_is_not_there_is_wrong_use_and_no_finding() {
    let message = "`none.toml`: No such file or directory (os error 2)";
    WorkDir::new().run(&["rulebook", "check", "none.toml"]).wrong_use(message);
}

#[test]
fn rulebooks_differ_in_what_was_changed_and_nothing_else() {
    let dir = WorkDir::new();
    let milder = SHIPPED.replace("penalty = 10 ", "penalty = 5 ").replace("\"competition\"", "\"mild\"");
    dir.write("mild.toml", &milder);
    let differences = "name: \"competition\" → \"mild\"\nscore.penalty: 10 → 5\n";
    dir.run(&["rulebook", "diff", "contest/competition", "mild.toml"]).fine(differences);
    dir.run(&["rulebook", "diff", "mild.toml", "mild.toml"]).fine("no difference\n");
    let message = "there is no rulebook `none`; `assize rulebook show` lists them";
    dir.run(&["rulebook", "diff", "none", "mild.toml"]).wrong_use(message);
}
