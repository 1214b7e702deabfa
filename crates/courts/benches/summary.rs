//! Throughput of the summary court on one core: articles of 400 words, summaries of 50, both frameworks.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark panics on errors and prints its result"
)]

#[path = "../tests/swaps/articles.rs"]
mod articles;

use std::time::{Duration, Instant};

use articles::ARTICLES;
use assize_courts::summary::{Summary, TextPair, assess};
use assize_kernel::{Court, Rulebook};

// As in the executable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let (name, text) = Summary::RULEBOOKS[0];
    let book = Rulebook::read(Summary::NAME, name, text).unwrap();
    let pairs: Vec<(String, String)> = (0..ARTICLES.len()).map(pair).collect();
    let words = |text: &str| text.split_whitespace().count();
    let mean = |of: fn(&(String, String)) -> &String| {
        pairs.iter().map(|pair| words(of(pair))).sum::<usize>() / pairs.len()
    };
    println!("articles of {} words, summaries of {}", mean(|pair| &pair.0), mean(|pair| &pair.1));
    // A fixed number of summaries instead of a fixed time, for counting instructions.
    let wanted: Option<u32> = std::env::var("SUMMARIES").ok().map(|text| text.parse().unwrap());
    let mut judged = 0_u32;
    let mut bytes = 0;
    let start = Instant::now();
    while wanted.map_or(start.elapsed() < Duration::from_secs(5), |wanted| judged < wanted) {
        for (article, summary) in &pairs {
            let verdict = assess(&book, TextPair { article, summary }).unwrap();
            bytes += verdict.to_json().len();
            judged += 1;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:.0} a second on one core, verdicts of {} bytes",
        f64::from(judged) / seconds,
        bytes / judged as usize
    );
}

/// An article of 400 words, joined from several, and a summary of 50 words copied from two places in it.
fn pair(first: usize) -> (String, String) {
    let article: Vec<&str> = ARTICLES
        .iter()
        .cycle()
        .skip(first)
        .take(8)
        .flat_map(|article| article.split(' '))
        .take(400)
        .collect();
    let summary = article.iter().take(25).chain(article.iter().skip(70).take(25));
    (article.join(" "), summary.copied().collect::<Vec<_>>().join(" "))
}
