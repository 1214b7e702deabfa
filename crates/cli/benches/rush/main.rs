//! Benchmark of the end of a task: latency of 2,000 submissions in its last second, against an idle server.
//!
//! `cargo bench -p assize --bench rush`. Takes about ten seconds. The server is the real program on a SQLite file; the
//! clients share the machine with it. A submission has a moment at which it is due, spread over the second, the last
//! ones in the buffer; its time counts from that moment, so that waiting for a free connection counts too.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a benchmark stops where it cannot go on, and prints"
)]

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use assize_testbed::client::Client;
use assize_testbed::contest::{Contest, wrong_answer};
use assize_testbed::server::Server;

const SUBMISSIONS: usize = 2_000;
const CONNECTIONS: usize = 100;
const UNLOADED: usize = 500;
/// How long before the end of the buffer the last submission is due.
const MARGIN: Duration = Duration::from_millis(50);

/// The outcome of one submission.
struct Answered {
    status: u16,
    took: Duration,
}

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("bench.db");
    let server = Server::start(Path::new(env!("CARGO_BIN_EXE_assize")), &["--data", file.to_str().unwrap()]);
    let contest = Contest::open(&server, &server.admin_token(), "spring");
    let clients: Vec<Client> =
        (0..CONNECTIONS).map(|team| server.client(&contest.register(&format!("team-{team}")))).collect();
    println!("{:28} {:>8} {:>8} {:>10} {:>10} {:>10}", "", "sent", "in time", "median", "p99", "worst");
    for round in 0..3 {
        let calm = unloaded(&contest, &clients[0], round);
        let rush = rush(&contest, &clients, round);
        line("nothing else happens", &calm);
        line("the last second of a task", &rush);
        let ratio =
            |share: f64| percentile(&rush, share).as_secs_f64() / percentile(&calm, share).as_secs_f64();
        println!(
            "{:28} {:>8} {:>8} {:>9.1}x {:>9.1}x {:>9.1}x",
            "",
            "",
            "",
            ratio(0.5),
            ratio(0.99),
            ratio(1.0)
        );
    }
    server.stop();
}

fn unloaded(contest: &Contest, client: &Client, round: usize) -> Vec<Answered> {
    let task = format!("calm-{round}");
    contest.run_task(&task, 3_600.0, 0.0);
    let submit = |number: usize| submit(contest, client, &task, number, Instant::now());
    // Warm-up of caches and connections.
    (0..50).for_each(|number| _ = submit(number));
    (50..50 + UNLOADED).map(submit).collect()
}

/// All clients send in the second that ends with the buffer.
fn rush(contest: &Contest, clients: &[Client], round: usize) -> Vec<Answered> {
    let task = format!("rush-{round}");
    contest.run_task(&task, 1.8, 0.5);
    // Not later than the start as the server has it, so not later than its end.
    let end = Instant::now() + Duration::from_millis(2_300) - MARGIN - Duration::from_millis(20);
    let begin = end - Duration::from_secs(1);
    thread::scope(|scope| {
        let each = |(connection, client): (usize, &'_ Client)| {
            let task = &task;
            let mine = (connection..SUBMISSIONS).step_by(CONNECTIONS);
            let client = client.with_token(&client.token);
            scope.spawn(move || {
                let one = |number: usize| {
                    let due = begin + Duration::from_secs(1) * number as u32 / SUBMISSIONS as u32;
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    submit(contest, &client, task, number, due)
                };
                mine.map(one).collect::<Vec<_>>()
            })
        };
        let all: Vec<_> = clients.iter().enumerate().map(each).collect();
        all.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn submit(contest: &Contest, client: &Client, task: &str, number: usize, due: Instant) -> Answered {
    let path = contest.path(&format!("/tasks/{task}/submissions"));
    let (status, answer) = client.post(&path, &wrong_answer(number as u64), None).unwrap();
    assert!(status == 200 || answer["code"] == "contest.task.time_limit_exceeded", "{answer}");
    Answered { status, took: due.elapsed() }
}

fn percentile(all: &[Answered], share: f64) -> Duration {
    let mut times: Vec<Duration> = all.iter().map(|answered| answered.took).collect();
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share) as usize]
}

fn line(what: &str, all: &[Answered]) {
    let in_time = all.iter().filter(|answered| answered.status == 200).count();
    let [median, p99, worst] = [0.5, 0.99, 1.0].map(|share| percentile(all, share).as_secs_f64() * 1e3);
    println!("{what:28} {:>8} {in_time:>8} {median:>7.2} ms {p99:>7.2} ms {worst:>7.2} ms", all.len());
}
