//! A year of a gym, measured: logs judged a second on one core by the court alone, and memory for each hunter.
//!
//! `cargo bench -p assize-courts --bench quest` lives a small year, `-- --full` one of 5,000 hunters and 500,000 logs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a measurement that cannot be made must stop, and what was measured is printed"
)]

#[path = "../tests/gym/dice.rs"]
mod dice;
#[path = "../tests/gym/life.rs"]
mod life;
#[path = "../tests/gym/workout.rs"]
mod workout;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use std::time::{Duration, Instant};

use assize_courts::quest::QuestType;
use assize_kernel::Moment;

use life::{Gym, Witness};
use workout::Workout;

fn main() {
    let full = std::env::args().any(|arg| arg == "--full");
    let (hunters, logs) = if full { (5_000, 500_000) } else { (300, 20_000) };
    let before = resident();
    let begun = Instant::now();
    let mut gym = Gym::open(hunters, 2026);
    gym.live(logs, &mut Nobody);
    let (lived, after) = (begun.elapsed().as_secs_f64(), resident());
    gym.judging.sort();
    let all: f64 = gym.judging.iter().map(Duration::as_secs_f64).sum();
    let median = gym.judging[gym.judging.len() / 2].as_secs_f64();
    println!("{hunters} hunters, {} logs in {lived:.1} s", gym.logs);
    println!("{:.0} logs judged a second on one core, verdicts written as JSON", f64::from(gym.logs) / all);
    println!("{:.0} by the time of the log in the middle, which nobody interrupts", 1.0 / median);
    println!(
        "{:.1} KiB of memory for each hunter",
        after.saturating_sub(before) as f64 / 1024.0 / hunters as f64
    );
}

/// Bytes of this process in memory; 0 where that cannot be known.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// Looks away.
struct Nobody;

impl Witness for Nobody {
    fn logged(&mut self, _: usize, _: &str, _: QuestType, _: &Workout, _: i64, _: Moment) {}
    fn proven(&mut self, _: usize, _: &str, _: Moment) {}
    fn reviewed(&mut self, _: usize, _: &str, _: bool) {}
    fn filed(&mut self, _: usize, _: usize, _: &str, _: Moment) -> Option<bool> {
        None
    }
    fn reported(&mut self, _: usize, _: usize, _: &str) {}
    fn decided(&mut self, _: usize, _: usize, _: &str, _: bool, _: bool, _: Moment) {}
    fn sat_exam(&mut self, _: usize, _: &str, _: bool, _: i64, _: Moment) {}
    fn passes(&mut self, _: usize, _: Moment) {}
}
