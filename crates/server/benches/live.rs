//! Live events: how long it takes until the last of many clients has heard of a change, and what each one costs.
//!
//! `cargo bench -p assize-server --bench live [-- CLIENTS]`, over loopback only. Server and clients are processes of
//! their own, so that their open files and memory are told apart. The bare loop writes the same bytes to the same
//! number of sockets, one after the other, and does nothing else. A change is measured from its petition on, over a
//! ledger in memory: deciding and committing it are in the figure.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a benchmark stops where it cannot go on, and prints"
)]

#[path = "../../engine/benches/common/mod.rs"]
mod common;
mod crowd;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use assize_engine::{Clerk, ClerkSettings, Petition};
use assize_ledger::{Ledger, MemoryLedger};
use assize_server::{App, ServeSettings};
use common::{answer, contest, courts, opening, organiser, task_name, team_name};
use crowd::Crowd;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CLIENTS: usize = 10_000;
const UPDATES: usize = 20;
/// Longer than a board rests after it was told.
const PAUSE: Duration = Duration::from_millis(100);
const GOAL: &str = "goal: the last one within 200 ms, at most 16384 bytes each";

fn main() {
    // Cargo adds options of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse().ok());
    match words.first().map(String::as_str) {
        Some("crowd") => crowd::run(&words[1], &words[2], number(3).unwrap()),
        Some("bare") => report("bare loop", number(1).unwrap(), bare),
        Some("stream") => report("a contest's events", number(1).unwrap(), |clients| served(clients, "")),
        Some("board") => report("a contest's board", number(1).unwrap(), |clients| served(clients, "board/")),
        _ => compare(number(0).unwrap_or(CLIENTS)),
    }
}

/// Each part in a process of its own: what one has left in memory would be in the next one's figures.
fn compare(wanted: usize) {
    let spare = 200;
    let limit = rlimit::increase_nofile_limit((wanted + spare) as u64).unwrap_or(0) as usize;
    let clients = wanted.min(limit.saturating_sub(spare));
    if clients < wanted {
        println!("no more than {limit} files may be open here: {clients} clients instead of {wanted}");
    }
    println!("{clients} clients, {UPDATES} changes; {GOAL}");
    println!("{:20} {:>12} {:>12} {:>16}", "", "median", "worst", "bytes a client");
    for part in ["bare", "stream", "board"] {
        let own = std::env::current_exe().unwrap();
        let done = std::process::Command::new(own).args([part, &clients.to_string()]).status();
        assert!(done.is_ok_and(|status| status.success()), "the part `{part}` failed");
    }
}

fn report(what: &str, clients: usize, measure: impl FnOnce(usize) -> (Vec<Duration>, usize)) {
    rlimit::increase_nofile_limit((clients + 200) as u64).unwrap();
    let (mut times, memory) = measure(clients);
    times.sort();
    let milliseconds = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let (median, worst) = (milliseconds(times[times.len() / 2]), milliseconds(times[times.len() - 1]));
    println!("{what:20} {median:>12} {worst:>12} {:>16}", memory / clients);
}

/// The same bytes to the same number of sockets.
fn bare(clients: usize) -> (Vec<Duration>, usize) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let before = resident();
    let mut crowd = Crowd::start(&listener.local_addr().unwrap().to_string(), "nothing", clients);
    let mut sockets = Vec::with_capacity(clients);
    for _ in 0..clients {
        let (mut socket, _) = listener.accept().unwrap();
        let mut request = [0; 1024];
        assert!(socket.read(&mut request).unwrap() > 0);
        socket.set_nodelay(true).unwrap();
        socket.write_all(b"HTTP/1.1 200 OK\r\n\r\nevent: hello\ndata: {}\n\n").unwrap();
        sockets.push(socket);
    }
    crowd.all_have_heard(0);
    let event = format!("id: 1\nevent: board\ndata: {:280}\n\n", "{}");
    let times = (1..=UPDATES).map(|update| {
        std::thread::sleep(PAUSE);
        let begun = Instant::now();
        sockets.iter_mut().for_each(|socket| socket.write_all(event.as_bytes()).unwrap());
        crowd.all_have_heard(update);
        begun.elapsed()
    });
    (times.collect(), resident().saturating_sub(before))
}

/// The server as it is.
fn served(clients: usize, kind: &str) -> (Vec<Duration>, usize) {
    let (courts, ledger): (_, Arc<dyn Ledger>) = (courts(), Arc::new(MemoryLedger::new()));
    let (clerk, thread) = Clerk::start(courts.clone(), ledger.clone(), ClerkSettings::default()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for command in opening() {
        runtime.block_on(clerk.submit(petition(&clerk, Box::new(command)))).unwrap();
    }
    let app = App::new(courts, ledger, clerk.clone());
    let (closing, live) = (app.closing(), app.live());
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let settings = ServeSettings { connections: clients + 100, ..ServeSettings::default() };
    runtime.spawn(assize_server::serve(listener, app.router(), settings, closing.clone()));
    let topic = format!("{kind}{}", contest(0));
    // What a server needs once, whoever comes, is not theirs.
    Crowd::start(&address, &topic, 1).all_have_heard(0);
    let before = resident();
    let mut crowd = Crowd::start(&address, &topic, clients);
    crowd.all_have_heard(0);
    assert!(live.subscriber_count() >= clients);
    let times = (1..=UPDATES).map(|update| {
        std::thread::sleep(PAUSE);
        let right = answer(team_name(update), task_name(0), 0, true);
        let begun = Instant::now();
        runtime.block_on(clerk.submit(petition(&clerk, right))).unwrap();
        crowd.all_have_heard(update);
        begun.elapsed()
    });
    let times: Vec<Duration> = times.collect();
    let memory = resident().saturating_sub(before);
    drop(crowd);
    closing.begin();
    live.close();
    thread.close();
    (times, memory)
}

fn petition(clerk: &Clerk, command: assize_kernel::AnyCommand) -> Petition {
    let (stream, actor, at) = (contest(0), organiser(), clerk.now());
    Petition::new(stream, command, actor, at)
}

/// The memory of this process that is really there, in bytes.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}
