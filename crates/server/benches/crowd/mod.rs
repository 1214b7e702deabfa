//! Many clients in a process of their own, which says when all of them have heard something.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What every event has once.
const MARK: &[u8] = b"data: ";

/// The process with the clients; ended when dropped.
pub(crate) struct Crowd {
    process: Child,
    says: BufReader<ChildStdout>,
}

impl Crowd {
    /// Starts so many clients that listen to a topic.
    pub(crate) fn start(address: &str, topic: &str, clients: usize) -> Self {
        let own = std::env::current_exe().unwrap();
        let mut command = Command::new(own);
        command.args(["crowd", address, topic, &clients.to_string()]).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let says = BufReader::new(process.stdout.take().unwrap());
        Self { process, says }
    }

    /// Waits until every client has heard the event of this number; the greeting is number 0.
    pub(crate) fn all_have_heard(&mut self, event: usize) {
        let mut line = String::new();
        self.says.read_line(&mut line).unwrap();
        assert_eq!(line.trim().parse(), Ok(event), "the clients say `{line}`");
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// The other process: says the number of each event when the last client has heard it.
pub(crate) fn run(address: &str, topic: &str, clients: usize) {
    rlimit::increase_nofile_limit((clients + 100) as u64).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    runtime.block_on(async {
        for _ in 0..clients {
            let mut stream = TcpStream::connect(address).await.unwrap();
            let request = format!("GET /api/v1/events?topic={topic} HTTP/1.1\r\nhost: {address}\r\n\r\n");
            stream.write_all(request.as_bytes()).await.unwrap();
            tokio::spawn(listen(stream, heard.clone(), clients));
        }
        std::future::pending::<()>().await;
    });
}

async fn listen(mut stream: TcpStream, heard: Arc<Mutex<Vec<usize>>>, clients: usize) {
    let (mut matched, mut event) = (0, 0);
    let mut piece = [0; 1024];
    loop {
        let read = stream.read(&mut piece).await.unwrap();
        if read == 0 {
            // The server has ended: whoever waits for what was not heard yet waits in vain, and says so.
            std::process::exit(0);
        }
        for byte in &piece[..read] {
            matched = if *byte == MARK[matched] { matched + 1 } else { usize::from(*byte == MARK[0]) };
            if matched == MARK.len() {
                matched = 0;
                note(&heard, event, clients);
                event += 1;
            }
        }
    }
}

fn note(heard: &Mutex<Vec<usize>>, event: usize, clients: usize) {
    let mut heard = heard.lock().unwrap();
    if heard.len() <= event {
        heard.resize(event + 1, 0);
    }
    heard[event] += 1;
    if heard[event] == clients {
        println!("{event}");
    }
}
