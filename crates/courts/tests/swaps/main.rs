//! Damaged copies of faithful summaries: the court notices a swapped number, name, negation or direction.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on must stop, and says what it found"
)]

mod articles;
mod damage;
mod generated;

use assize_courts::summary::{SCORES, Summary, SummaryDetail, SummaryRules, TextPair, assess};
use assize_kernel::{Court, Rulebook};

use articles::ARTICLES;
use damage::{FALSE, SPOILT, damaged};

fn book() -> Rulebook<SummaryRules> {
    let (name, text) = Summary::RULEBOOKS[0];
    Rulebook::read(Summary::NAME, name, text).unwrap()
}

fn judge(book: &Rulebook<SummaryRules>, article: &str, summary: &str) -> SummaryDetail {
    assess(book, TextPair { article, summary }).unwrap().detail
}

/// Both Hallucination scores.
fn hallucination(detail: &SummaryDetail) -> [f64; 2] {
    [detail.twin_lock.hallucination.overall_score, detail.judge_lock.hallucination.overall_score]
}

/// Every score: five metrics and the total of both frameworks, support and recall.
fn scores(detail: &SummaryDetail) -> [f64; SCORES.len()] {
    assert!(detail.support.is_some() && detail.recall.is_some());
    SCORES.map(|score| (score.value)(detail))
}

/// Summaries copied from an article: every run of `width` consecutive sentences.
fn copies(article: &str, width: usize) -> impl Iterator<Item = String> {
    let sentences: Vec<&str> = article.split_inclusive(". ").map(str::trim).collect();
    (0..sentences.len() + 1 - width).map(move |first| sentences[first..first + width].join(" "))
}

#[test]
fn nine_of_ten_swaps_lower_both_hallucination_scores() {
    let book = book();
    for kind in FALSE {
        let mut all = 0;
        let mut seen = 0;
        let mut missed = Vec::new();
        for article in ARTICLES {
            for copy in copies(article, 2) {
                let before = hallucination(&judge(&book, article, &copy));
                for damaged in damaged(kind, article, &copy) {
                    let after = hallucination(&judge(&book, article, &damaged));
                    all += 1;
                    if after.iter().zip(before).all(|(after, before)| *after < before) {
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

/// The number of damaged copies of `width` sentences, and the copies with a score above the intact copy's.
fn above(article: &str, width: usize) -> (usize, Vec<String>) {
    let book = book();
    let mut all = 0;
    let mut above = Vec::new();
    for copy in copies(article, width) {
        let before = scores(&judge(&book, article, &copy));
        for kind in FALSE.into_iter().chain(SPOILT) {
            for damaged in damaged(kind, article, &copy) {
                let after = scores(&judge(&book, article, &damaged));
                all += 1;
                if after.iter().zip(&before).any(|(after, before)| after > before) {
                    above.push(format!("{kind:?}: {before:?} {after:?}\n{copy}\n{damaged}"));
                }
            }
        }
    }
    (all, above)
}

#[track_caller]
fn none_is_above(articles: &[String], width: usize) {
    let mut all = 0;
    let mut found = Vec::new();
    for article in articles {
        let (damaged, above) = above(article, width);
        all += damaged;
        found.extend(above);
    }
    println!("{all} damaged copies");
    assert!(found.is_empty(), "{} of {all} damaged copies score above:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_copied_summary_never_scores_below_a_damaged_copy() {
    none_is_above(&ARTICLES.map(str::to_owned), 2);
}

#[test]
fn a_sentence_never_scores_below_a_damaged_copy_of_it() {
    none_is_above(&(0..12).map(generated::article).collect::<Vec<_>>(), 1);
}

#[test]
fn sentences_that_look_alike_never_score_below_damaged_copies() {
    none_is_above(&(12..18).map(generated::article).collect::<Vec<_>>(), 3);
}

#[test]
fn a_copied_summary_hallucinates_nothing() {
    let book = book();
    let generated = (0..40).map(generated::article);
    for article in ARTICLES.map(str::to_owned).into_iter().chain(generated) {
        for copy in copies(&article, 2) {
            let detail = judge(&book, &article, &copy);
            assert_eq!(
                (detail.twin_lock.hallucination.overall_score, detail.support),
                (10.0, Some(1.0)),
                "{copy}"
            );
        }
    }
}
