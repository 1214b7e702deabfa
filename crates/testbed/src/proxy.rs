//! A proxy in front of PostgreSQL that cuts the connection during a commit.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use tempfile::TempDir;

use crate::postgres::{Cluster, address, socket};

/// The text by which a statement that appends is recognised.
const APPENDS: &[u8] = b"UPDATE assize.head";

/// When to cut the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Never.
    Not,
    /// When the next commit has been sent, before the server receives it.
    BeforeCommit,
    /// When the server has committed, before the client receives the response.
    AfterCommit,
    /// When the next statement that appends and commits has been sent. The client's side is cut; the server's
    /// side stays open, and the statement waits for [`CuttingProxy::deliver_late`].
    Late,
}

/// Forwards between clients and a cluster until it is ordered to cut.
pub struct CuttingProxy {
    directory: TempDir,
    cut: Arc<Mutex<Cut>>,
    late: Arc<Mutex<Vec<LateStatement>>>,
}

/// A statement that was sent and not yet delivered, with its connection to the server.
type LateStatement = (UnixStream, Vec<u8>);

impl CuttingProxy {
    /// Starts a proxy in front of a cluster.
    #[must_use]
    pub fn before(cluster: &Cluster) -> Self {
        let directory = TempDir::with_prefix("asz").expect("a temporary directory");
        let listener = UnixListener::bind(socket(directory.path())).expect("a socket of its own");
        let cut = Arc::new(Mutex::new(Cut::Not));
        let target = cluster.socket();
        let late = Arc::default();
        let (order, waiting) = (Arc::clone(&cut), Arc::clone(&late));
        thread::spawn(move || accept(&listener, &target, &order, &waiting));
        Self { directory, cut, late }
    }

    /// The URL of a database through this proxy.
    #[must_use]
    pub fn address(&self, database: &str) -> String {
        address(self.directory.path(), database)
    }

    /// Orders the next cut; it happens once.
    pub fn cut(&self, cut: Cut) {
        *self.cut.lock().unwrap() = cut;
    }

    /// Delivers the statements that were held back and ends their connections; returns how many there were.
    #[must_use]
    pub fn deliver_late(&self) -> usize {
        let late = std::mem::take(&mut *self.late.lock().unwrap());
        for (server, statement) in &late {
            let mut server = server;
            server.write_all(statement).expect("the server is still there");
            server.shutdown(Shutdown::Write).expect("the server is still there");
        }
        late.len()
    }
}

fn accept(
    listener: &UnixListener,
    target: &PathBuf,
    order: &Arc<Mutex<Cut>>,
    late: &Arc<Mutex<Vec<LateStatement>>>,
) {
    for client in listener.incoming() {
        let (Ok(client), Ok(server)) = (client, UnixStream::connect(target)) else { continue };
        let swallowing = AtomicBool::new(false);
        let idle = AtomicBool::new(true);
        let detached = AtomicBool::new(false);
        let (order, late) = (Arc::clone(order), Arc::clone(late));
        let pair = Arc::new(ProxiedConnection { client, server, swallowing, idle, detached, order, late });
        for work in [ProxiedConnection::forward, ProxiedConnection::answer] {
            let pair = Arc::clone(&pair);
            thread::spawn(move || {
                let _ = work(&pair);
                pair.shut();
            });
        }
    }
}

/// The two sides of a forwarded connection.
struct ProxiedConnection {
    client: UnixStream,
    server: UnixStream,
    /// The response to a commit is pending and must not be forwarded.
    swallowing: AtomicBool,
    /// No transaction is open.
    idle: AtomicBool,
    /// The client's side was cut and the server's side stays open.
    detached: AtomicBool,
    order: Arc<Mutex<Cut>>,
    late: Arc<Mutex<Vec<LateStatement>>>,
}

impl ProxiedConnection {
    fn forward(&self) -> io::Result<()> {
        let mut client = &self.client;
        let mut server = &self.server;
        // The first message has no type: it begins with its length.
        server.write_all(&sized(&mut client, Vec::new())?)?;
        let mut commits = CommitDetector::default();
        let mut held_back = Vec::new();
        loop {
            let message = typed(&mut client)?;
            let is_commit = commits.with(&message, self.idle.load(Ordering::SeqCst));
            if *self.order.lock().unwrap() == Cut::Late && (commits.pending || !held_back.is_empty()) {
                held_back.extend_from_slice(&message);
                if is_commit {
                    *self.order.lock().unwrap() = Cut::Not;
                    self.detached.store(true, Ordering::SeqCst);
                    self.late.lock().unwrap().push((server.try_clone()?, held_back));
                    return Ok(());
                }
                continue;
            }
            if is_commit {
                match std::mem::replace(&mut *self.order.lock().unwrap(), Cut::Not) {
                    Cut::Not | Cut::Late => {}
                    Cut::BeforeCommit => return Ok(()),
                    Cut::AfterCommit => self.swallowing.store(true, Ordering::SeqCst),
                }
            }
            server.write_all(&message)?;
        }
    }

    fn answer(&self) -> io::Result<()> {
        let mut client = &self.client;
        let mut server = &self.server;
        loop {
            let message = typed(&mut server)?;
            // ReadyForQuery; with `I` no transaction is open, so the commit is complete.
            let ready = message.starts_with(b"Z");
            if ready {
                self.idle.store(message.ends_with(b"I"), Ordering::SeqCst);
            }
            if !self.swallowing.load(Ordering::SeqCst) {
                client.write_all(&message)?;
            } else if ready {
                return Ok(());
            }
        }
    }

    fn shut(&self) {
        let _ = self.client.shutdown(Shutdown::Both);
        if !self.detached.load(Ordering::SeqCst) {
            let _ = self.server.shutdown(Shutdown::Both);
        }
    }
}

fn typed(from: &mut &UnixStream) -> io::Result<Vec<u8>> {
    let mut kind = [0];
    from.read_exact(&mut kind)?;
    sized(from, kind.to_vec())
}

/// The rest of a message: a length that includes itself, and the content.
fn sized(from: &mut &UnixStream, mut message: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    message.extend_from_slice(&length);
    let start = message.len();
    message.resize(start + (u32::from_be_bytes(length) as usize).saturating_sub(4), 0);
    from.read_exact(&mut message[start..])?;
    Ok(message)
}

/// Detects which message of a client commits.
#[derive(Default)]
struct CommitDetector {
    /// The prepared statement that moves the end of the chain.
    appending: Option<Vec<u8>>,
    /// It was executed outside of a transaction, so it commits at the end of the request.
    pending: bool,
}

impl CommitDetector {
    fn with(&mut self, message: &[u8], idle: bool) -> bool {
        let Some((kind, text)) = message.split_first().and_then(|(kind, rest)| Some((kind, rest.get(4..)?)))
        else {
            return false;
        };
        let mut names = text.split(|byte| *byte == 0);
        match kind {
            b'P' => {
                let name = names.next().map(<[u8]>::to_vec);
                if text.windows(APPENDS.len()).any(|part| part == APPENDS) {
                    self.appending = name;
                }
            }
            b'B' => {
                let asked = names.nth(1).map(<[u8]>::to_vec);
                self.pending = idle && asked.is_some() && asked == self.appending;
            }
            b'S' => return std::mem::take(&mut self.pending),
            _ => {}
        }
        *kind == b'Q' && text == b"COMMIT\0"
    }
}
