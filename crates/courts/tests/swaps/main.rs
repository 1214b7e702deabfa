//! Damaged copies of faithful summaries: a number, a name, a negation or a direction swapped is seen.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on must stop, and says what it found"
)]

mod articles;
mod damage;

use assize_courts::summary::{Summary, SummaryRules, Texts, assess};
use assize_kernel::{Court, Rulebook};

use articles::ARTICLES;
use damage::{Kind, damaged};

/// The two Hallucination scores, both totals, and support.
#[derive(Debug, Clone, Copy)]
struct Scores {
    twin_lock: f64,
    judge_lock: f64,
    twin_lock_total: f64,
    judge_lock_total: f64,
    support: f64,
}

fn book() -> Rulebook<SummaryRules> {
    let (name, text) = Summary::RULEBOOKS[0];
    Rulebook::read(Summary::NAME, name, text).unwrap()
}

fn score(book: &Rulebook<SummaryRules>, article: &str, summary: &str) -> Scores {
    let detail = assess(book, Texts { article, summary }).unwrap().detail;
    Scores {
        twin_lock: detail.twin_lock.hallucination.overall_score,
        judge_lock: detail.judge_lock.hallucination.overall_score,
        twin_lock_total: detail.twin_lock.total,
        judge_lock_total: detail.judge_lock.total,
        support: detail.support.unwrap(),
    }
}

/// Summaries copied from an article: each two sentences that follow each other.
fn copies(article: &str) -> impl Iterator<Item = String> {
    let sentences: Vec<&str> = article.split_inclusive(". ").map(str::trim).collect();
    (0..sentences.len() - 1).map(move |first| sentences[first..first + 2].join(" "))
}

#[test]
fn nine_of_ten_swaps_lower_both_hallucination_scores() {
    let book = book();
    for kind in [Kind::Number, Kind::Name, Kind::Negation, Kind::Direction] {
        let (mut all, mut seen, mut missed) = (0, 0, Vec::new());
        for article in ARTICLES {
            for copy in copies(article) {
                let before = score(&book, article, &copy);
                for damaged in damaged(kind, article, &copy) {
                    let after = score(&book, article, &damaged);
                    all += 1;
                    if after.twin_lock < before.twin_lock && after.judge_lock < before.judge_lock {
                        seen += 1;
                    } else {
                        missed.push(damaged);
                    }
                }
            }
        }
        println!("{kind:?}: {seen} of {all}");
        assert!(all >= 20, "{kind:?}: too few to tell");
        assert!(seen * 10 >= all * 9, "{kind:?}: {seen} of {all}; missed:\n{}", missed.join("\n"));
    }
}

#[test]
fn a_copied_summary_never_scores_below_a_damaged_copy() {
    let book = book();
    let mut above = Vec::new();
    for article in ARTICLES {
        for copy in copies(article) {
            let before = score(&book, article, &copy);
            for kind in [Kind::Number, Kind::Name, Kind::Negation, Kind::Direction] {
                for damaged in damaged(kind, article, &copy) {
                    let after = score(&book, article, &damaged);
                    let never = after.twin_lock <= before.twin_lock
                        && after.judge_lock <= before.judge_lock
                        && after.twin_lock_total <= before.twin_lock_total
                        && after.judge_lock_total <= before.judge_lock_total
                        && after.support <= before.support;
                    if !never {
                        above.push(format!("{before:?} {after:?}\n{copy}\n{damaged}"));
                    }
                }
            }
        }
    }
    assert!(above.is_empty(), "{} damaged copies score above:\n{}", above.len(), above.join("\n"));
}

#[test]
fn a_copied_summary_hallucinates_nothing() {
    let book = book();
    for article in ARTICLES {
        for copy in copies(article) {
            assert_eq!(score(&book, article, &copy).twin_lock, 10.0, "{copy}");
        }
    }
}
