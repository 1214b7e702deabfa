//! Damaged copies of faithful summaries: a number, a name, a negation or a direction swapped is seen.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on must stop, and says what it found"
)]

mod articles;
mod damage;
mod generated;

use assize_courts::summary::{Framework, Summary, SummaryDetail, SummaryRules, Texts, assess};
use assize_kernel::{Court, Rulebook};

use articles::ARTICLES;
use damage::{FALSE, SPOILT, damaged};

fn book() -> Rulebook<SummaryRules> {
    let (name, text) = Summary::RULEBOOKS[0];
    Rulebook::read(Summary::NAME, name, text).unwrap()
}

fn judge(book: &Rulebook<SummaryRules>, article: &str, summary: &str) -> SummaryDetail {
    assess(book, Texts { article, summary }).unwrap().detail
}

/// Both Hallucination scores.
fn hallucination(detail: &SummaryDetail) -> [f64; 2] {
    [detail.twin_lock.hallucination.overall_score, detail.judge_lock.hallucination.overall_score]
}

/// Every score there is: five metrics and the total of both frameworks, support and recall.
fn scores(detail: &SummaryDetail) -> Vec<f64> {
    let of = |framework: &Framework| {
        [
            framework.coverage.overall_score,
            framework.alignment.overall_score,
            framework.hallucination.overall_score,
            framework.relevance.overall_score,
            framework.bias_toxicity.overall_score,
            framework.total,
        ]
    };
    let measures = [detail.support.unwrap(), detail.recall.unwrap()];
    [&of(&detail.twin_lock)[..], &of(&detail.judge_lock), &measures].concat()
}

/// Summaries copied from an article: each so many sentences that follow each other.
fn copies(article: &str, width: usize) -> impl Iterator<Item = String> {
    let sentences: Vec<&str> = article.split_inclusive(". ").map(str::trim).collect();
    (0..sentences.len() + 1 - width).map(move |first| sentences[first..first + width].join(" "))
}

#[test]
fn nine_of_ten_swaps_lower_both_hallucination_scores() {
    let book = book();
    for kind in FALSE {
        let (mut all, mut seen, mut missed) = (0, 0, Vec::new());
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

/// How many damaged copies of so many sentences there are, and those of which some score is above the copy's.
fn above(article: &str, width: usize) -> (usize, Vec<String>) {
    let book = book();
    let (mut all, mut above) = (0, Vec::new());
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
    let (mut all, mut found) = (0, Vec::new());
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
