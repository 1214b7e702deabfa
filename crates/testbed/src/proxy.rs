//! A stand-in for a PostgreSQL server that breaks the connection at the worst moment.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use tempfile::TempDir;

use crate::postgres::{Cluster, address, socket};

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
        let pair = Arc::new(Pair { client, server, swallowing: Mutex::new(false), order: Arc::clone(order) });
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
    swallowing: Mutex<bool>,
    order: Arc<Mutex<Cut>>,
}

impl Pair {
    fn forward(&self) -> io::Result<()> {
        let (mut client, mut server) = (&self.client, &self.server);
        // The first message has no type: it begins with its length.
        server.write_all(&sized(&mut client, Vec::new())?)?;
        loop {
            let message = typed(&mut client)?;
            if is_commit(&message) {
                match std::mem::replace(&mut *self.order.lock().unwrap(), Cut::Not) {
                    Cut::Not => {}
                    Cut::BeforeCommit => return Ok(()),
                    Cut::AfterCommit => *self.swallowing.lock().unwrap() = true,
                }
            }
            server.write_all(&message)?;
        }
    }

    fn answer(&self) -> io::Result<()> {
        let (mut client, mut server) = (&self.client, &self.server);
        loop {
            let message = typed(&mut server)?;
            if *self.swallowing.lock().unwrap() && message.starts_with(b"C") {
                return Ok(());
            }
            client.write_all(&message)?;
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

/// The client sends its commits as plain queries.
fn is_commit(message: &[u8]) -> bool {
    message.first() == Some(&b'Q') && message.get(5..) == Some(b"COMMIT\0".as_slice())
}
