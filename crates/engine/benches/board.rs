//! A board of a million participants beside a Redis sorted set of the same million, in the same run.
//!
//! `cargo bench --bench board`. Needs `redis-server` (Debian: `apt-get install redis-server`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a benchmark stops where it cannot go on, and prints"
)]

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assize_kernel::{Board, Standing};

/// The allocator of the `assize` executable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PARTICIPANTS: u64 = 1_000_000;
const OPERATIONS: u64 = 1_000_000;
const PIPELINE: usize = 1_000;
const ROUNDS: usize = 3;

fn main() {
    let names: Vec<String> = (0..PARTICIPANTS).map(|index| format!("participant-{index:07}")).collect();
    let redis = Redis::start();
    let mut ours = [0.0; 2];
    let mut theirs = [0.0; 2];
    // Alternating, and the best of each, so that other load affects both alike.
    for _ in 0..ROUNDS {
        better(&mut ours, measure(&names));
        better(&mut theirs, redis.measure(&names));
    }
    println!("{PARTICIPANTS} participants, {OPERATIONS} operations each, one core, names looked up as text");
    println!("best of {ROUNDS} rounds by turns\n");
    println!("{:10} {:>14} {:>14} {:>8}", "", "assize /s", "redis /s", "ratio");
    for (what, (ours, theirs)) in ["updates", "ranks"].into_iter().zip(ours.into_iter().zip(theirs)) {
        println!("{what:10} {ours:>14.0} {theirs:>14.0} {:>7.1}x", ours / theirs);
    }
}

fn better(best: &mut [f64; 2], new: [f64; 2]) {
    best.iter_mut().zip(new).for_each(|(best, new)| *best = best.max(new));
}

/// Updates and rank lookups per second.
fn measure(names: &[String]) -> [f64; 2] {
    let mut board = Board::default();
    let mut random = Random(1);
    for name in names {
        board.set(name, Some(standing(&mut random)));
    }
    // Prepared beforehand, as the commands for Redis are.
    let mut prepare = || (random.pick(names).to_owned(), standing(&mut random));
    let updates: Vec<(String, Standing)> = (0..OPERATIONS).map(|_| prepare()).collect();
    let ranks: Vec<(String, Standing)> = (0..OPERATIONS).map(|_| prepare()).collect();
    let started = Instant::now();
    for (name, standing) in &updates {
        board.set(name, Some(*standing));
    }
    let updates = rate(started.elapsed());
    let started = Instant::now();
    for (name, _) in &ranks {
        black_box(board.rank(name));
    }
    [updates, rate(started.elapsed())]
}

fn standing(random: &mut Random) -> Standing {
    let points = (random.next() % 12_000) as f64 / 10.0;
    Standing { points, ties: [0, i64::try_from(random.next() % 3_600_000).unwrap()] }
}

fn rate(elapsed: Duration) -> f64 {
    OPERATIONS as f64 / elapsed.as_secs_f64()
}

/// A Redis server on a private socket, killed on drop.
struct Redis {
    process: Child,
    directory: tempfile::TempDir,
}

impl Redis {
    fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let socket = directory.path().join("redis.sock");
        let process = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
            .arg(&socket)
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is needed for the comparison: apt-get install redis-server");
        while UnixStream::connect(&socket).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        Self { process, directory }
    }

    fn measure(&self, names: &[String]) -> [f64; 2] {
        let mut random = Random(1);
        let mut connection = UnixStream::connect(self.directory.path().join("redis.sock")).unwrap();
        let mut replies = BufReader::new(connection.try_clone().unwrap());
        let score = |random: &mut Random| (random.next() % 12_000).to_string();
        let mut run = |commands: Vec<Vec<u8>>| {
            let started = Instant::now();
            for batch in commands.chunks(PIPELINE) {
                connection.write_all(&batch.concat()).unwrap();
                let mut line = String::new();
                for _ in batch {
                    line.clear();
                    replies.read_line(&mut line).unwrap();
                    assert!(line.starts_with(':'), "redis said {line}");
                }
            }
            rate(started.elapsed())
        };
        run(names.iter().map(|name| command(&["ZADD", "board", &score(&mut random), name])).collect());
        let updates = (0..OPERATIONS)
            .map(|_| command(&["ZADD", "board", &score(&mut random), random.pick(names)]))
            .collect();
        let ranks = (0..OPERATIONS).map(|_| command(&["ZREVRANK", "board", random.pick(names)])).collect();
        [run(updates), run(ranks)]
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// A command in the Redis protocol.
fn command(words: &[&str]) -> Vec<u8> {
    let mut text = format!("*{}\r\n", words.len());
    for word in words {
        text.push_str(&format!("${}\r\n{word}\r\n", word.len()));
    }
    text.into_bytes()
}

/// A generator with the same sequence in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn pick<'a>(&mut self, names: &'a [String]) -> &'a str {
        let index = self.next() % names.len() as u64;
        &names[usize::try_from(index).unwrap()]
    }
}
