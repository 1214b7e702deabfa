//! A stand-in for a PostgreSQL server that breaks the connection at the worst moment.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use tempfile::TempDir;

use crate::postgres::{Cluster, address, socket};

/// What a statement says that appends.
const APPENDS: &[u8] = b"UPDATE assize.head";

/// When to break the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Never.
    Not,
    /// When the next commit has been sent, before the server hears of it.
    BeforeCommit,
    /// When the server has committed, before its answer arrives.
    AfterCommit,
}

/// Passes everything on between clients and a cluster until it is told to cut.
pub struct CuttingProxy {
    directory: TempDir,
    cut: Arc<Mutex<Cut>>,
}

impl CuttingProxy {
    /// Stands in front of a cluster.
    #[must_use]
    pub fn before(cluster: &Cluster) -> Self {
        let directory = TempDir::with_prefix("asz").expect("a temporary directory");
        let listener = UnixListener::bind(socket(directory.path())).expect("a socket of its own");
        let cut = Arc::new(Mutex::new(Cut::Not));
        let (target, order) = (cluster.socket(), Arc::clone(&cut));
        thread::spawn(move || accept(&listener, &target, &order));
        Self { directory, cut }
    }

    /// How to connect to a database through this.
    #[must_use]
    pub fn address(&self, database: &str) -> String {
        address(self.directory.path(), database)
    }

    /// Orders the next cut; it happens once.
    pub fn cut(&self, cut: Cut) {
        *self.cut.lock().unwrap() = cut;
    }
}

fn accept(listener: &UnixListener, target: &PathBuf, order: &Arc<Mutex<Cut>>) {
    for client in listener.incoming() {
        let (Ok(client), Ok(server)) = (client, UnixStream::connect(target)) else { continue };
        let (swallowing, idle) = (AtomicBool::new(false), AtomicBool::new(true));
        let pair = Arc::new(Pair { client, server, swallowing, idle, order: Arc::clone(order) });
        for work in [Pair::forward, Pair::answer] {
            let pair = Arc::clone(&pair);
            thread::spawn(move || {
                let _ = work(&pair);
                pair.shut();
            });
        }
    }
}

/// A client and the server's end of its connection.
struct Pair {
    client: UnixStream,
    server: UnixStream,
    /// The answer to a commit is awaited and must not arrive.
    swallowing: AtomicBool,
    /// No transaction has been begun.
    idle: AtomicBool,
    order: Arc<Mutex<Cut>>,
}

impl Pair {
    fn forward(&self) -> io::Result<()> {
        let (mut client, mut server) = (&self.client, &self.server);
        // The first message has no type: it begins with its length.
        server.write_all(&sized(&mut client, Vec::new())?)?;
        let mut commits = Commits::default();
        loop {
            let message = typed(&mut client)?;
            if commits.with(&message, self.idle.load(Ordering::SeqCst)) {
                match std::mem::replace(&mut *self.order.lock().unwrap(), Cut::Not) {
                    Cut::Not => {}
                    Cut::BeforeCommit => return Ok(()),
                    Cut::AfterCommit => self.swallowing.store(true, Ordering::SeqCst),
                }
            }
            server.write_all(&message)?;
        }
    }

    fn answer(&self) -> io::Result<()> {
        let (mut client, mut server) = (&self.client, &self.server);
        loop {
            let message = typed(&mut server)?;
            // The server is ready for more: with `I` when nothing is begun. Then what was to be committed is.
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
        let _ = self.server.shutdown(Shutdown::Both);
    }
}

fn typed(from: &mut &UnixStream) -> io::Result<Vec<u8>> {
    let mut kind = [0];
    from.read_exact(&mut kind)?;
    sized(from, kind.to_vec())
}

/// The rest of a message: a length that counts itself, and as many bytes.
fn sized(from: &mut &UnixStream, mut message: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    message.extend_from_slice(&length);
    let start = message.len();
    message.resize(start + (u32::from_be_bytes(length) as usize).saturating_sub(4), 0);
    from.read_exact(&mut message[start..])?;
    Ok(message)
}

/// Knows which of a client's messages commits something.
#[derive(Default)]
struct Commits {
    /// The prepared statement that moves the end of the chain.
    appending: Option<Vec<u8>>,
    /// It was asked for outside of a transaction: it commits with the end of the request.
    pending: bool,
}

impl Commits {
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
