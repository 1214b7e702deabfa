//! Benchmark of the radio court: parsing and judging a turn, next to a baseline that only splits the texts
//! into words.
//!
//! `cargo bench -p assize-courts --bench turn`. Single-threaded; reports the median of many short rounds.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a benchmark panics on errors and prints its results"
)]

/// The same allocator as in the `assize` executable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::hint::black_box;
use std::time::Instant;

use assize_courts::radio::reading::read_exchange;
use assize_courts::radio::{Radio, RadioRules};
use assize_kernel::{Court, Rulebook};

const ROUNDS: usize = 2_000;
const TURNS: usize = 20;

const EXCHANGES: [(&str, &str); 5] = [
    (
        "Northern two zero, cleared to Larkfield via the TOBAN two Bravo departure, initial climb five thousand feet, \
         squawk one two zero three, QNH one zero one three, runway one six right.",
        "Cleared to Larkfield via TOBAN two Bravo, initial climb five thousand, squawk one two zero three, QNH one zero \
         one three, runway one six right, Northern two zero.",
    ),
    ("Speedway 412, contact Norden Approach 11902.", "11902, Speedway 412."),
    (
        "Coastal seven three four, behind the landing Boeing, line up and wait runway one six right behind.",
        "Behind the landing Boeing, lining up runway one six right behind, Coastal seven three four.",
    ),
    (
        "Coastal 734, turn left heading 245, descend 80, QNH 1008.",
        "Left heading 245, descending 90, Coastal 734.",
    ),
    (
        "Golf Echo Lima Oscar Papa, taxi to holding point Alpha one via Charlie, Delta, hold short of runway two seven.",
        "Holding point Alpha one via Charlie, Delta, hold short runway two seven, Golf Echo Lima Oscar Papa.",
    ),
];

fn main() {
    let (name, text) = Radio::RULEBOOKS[0];
    let book = Rulebook::<RadioRules>::read("radio", name, text).unwrap();
    let documents: Vec<String> = EXCHANGES
        .iter()
        .map(|(controller, pilot)| format!(r#"{{"controller":"{controller}","pilot":"{pilot}"}}"#))
        .collect();
    println!(
        "microseconds per turn, one core, median of {ROUNDS} rounds of {TURNS}; the baseline lower-cases both texts and"
    );
    println!("splits them into words\n");
    println!("{:44} {:>9} {:>9} {:>9}", "the pilot says", "baseline", "read", "judged");
    let mut all = [0.0; 3];
    for ((controller, pilot), document) in EXCHANGES.iter().zip(&documents) {
        let medians = [
            median(|| words(controller) + words(pilot)),
            median(|| read_exchange(book.rules.classes(), controller, pilot).findings.len()),
            median(|| Radio::judge(&book, document).unwrap().len()),
        ];
        all.iter_mut().zip(medians).for_each(|(sum, median)| *sum += median / EXCHANGES.len() as f64);
        let [baseline, read, judged] = medians;
        println!("{:44} {baseline:>9.2} {read:>9.2} {judged:>9.2}", &pilot[..pilot.len().min(44)]);
    }
    let [baseline, read, judged] = all;
    println!("{:44} {baseline:>9.2} {read:>9.2} {judged:>9.2}", "mean of the medians");
    println!(
        "\nread: both transmissions parsed and compared; judged: from a JSON document to the JSON of the verdict"
    );
}

/// Baseline: lower-cases a text and splits it into words.
fn words(text: &str) -> usize {
    text.to_lowercase()
        .split_whitespace()
        .map(|word| word.trim_matches([',', '.']).to_owned())
        .collect::<Vec<_>>()
        .len()
}

/// Median time of one call, in microseconds.
fn median(mut work: impl FnMut() -> usize) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..TURNS {
                black_box(work());
            }
            start.elapsed().as_secs_f64() * 1e6 / TURNS as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}
