//! `assize serve`: the server.

use std::fs::File;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use assize_kernel::{Actor, Role};
use assize_ledger::{Ledger, MemoryLedger};
use assize_server::{App, Clerk, Settings, issue_token};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use crate::args::Serve;
use crate::output::{Failure, say};
use crate::{Done, rulebook, store};

pub(crate) fn run(args: &Serve) -> Done {
    let filter = EnvFilter::try_from_env("ASSIZE_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let runtime = tokio::runtime::Runtime::new()?;
    // First of all, so that a second server on this address touches nothing.
    let listener = runtime.block_on(listen(args.listen))?;
    // Stores wait for their answers, which nothing inside the runtime may do.
    let (ledger, _alone) = open(args)?;
    let courts = Arc::new(rulebook::shipped()?);
    let settings = Settings { queue: args.queue as usize, ..Settings::default() };
    let (clerk, thread) = Clerk::start(courts.clone(), ledger.clone(), settings)?;
    // Before anybody is told that it runs, and not earlier: until then it may simply be ended.
    let asked_to_stop = runtime.block_on(async { asked_to_stop() })?;
    greet(&listener, &*ledger)?;
    let app = App::new(courts, ledger, clerk).router();
    runtime.block_on(async { axum::serve(listener, app).with_graceful_shutdown(asked_to_stop).await })?;
    // Everything that was taken is written before the program ends.
    thread.close();
    say("stopped; everything that was answered is on disk")
}

async fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => Failure::Use(format!(
            "{address} is in use by another program; choose another address with --listen"
        )),
        ErrorKind::PermissionDenied => Failure::Use(format!(
            "{address} may not be used by this user; choose a port above 1023 with --listen"
        )),
        _ => Failure::Use(format!("cannot listen on {address}: {error}")),
    })
}

/// The ledger, and what says that this process serves it alone.
fn open(args: &Serve) -> Result<(Arc<dyn Ledger>, Option<File>), Failure> {
    if args.ephemeral {
        return Ok((Arc::new(MemoryLedger::new()), None));
    }
    let ledger = store::open(&args.store)?;
    // Several processes may serve one PostgreSQL; a file has one server, or boards would fall behind.
    let alone = if args.store.postgres.is_none() { Some(alone(&args.store.data)?) } else { None };
    Ok((ledger, alone))
}

fn alone(data: &Path) -> Result<File, Failure> {
    let mut name = data.as_os_str().to_owned();
    name.push(".lock");
    let wrong = |error: std::io::Error| Failure::Use(format!("`{}`: {error}", Path::new(&name).display()));
    let file = File::create(&name).map_err(wrong)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => {
            let data = data.display();
            Err(Failure::Use(format!(
                "`{data}` is being served by another process; stop it or name another file with --data"
            )))
        }
        Err(std::fs::TryLockError::Error(error)) => Err(wrong(error)),
    }
}

/// What it listens on, where its data is, and how to get in.
fn greet(listener: &TcpListener, ledger: &dyn Ledger) -> Done {
    say(format_args!("assize {}", env!("CARGO_PKG_VERSION")))?;
    say(format_args!("  listening on  http://{}", listener.local_addr()?))?;
    say(format_args!("  data in       {} ({} records)", ledger.place(), ledger.head()?.position))?;
    if ledger.has_tokens()? {
        say("  to get in     your admin token from the first start; `assize token` makes another")
    } else {
        let token = issue_token(ledger, &Actor::new(Role::Admin, "organiser"), "")?;
        say(format_args!("  to get in     admin token {token}"))?;
        say("                keep it: it is shown this once, and `assize token` makes another")
    }
}

/// Hears from now on when the program is asked to stop.
fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    let (mut terminated, mut interrupted) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    })
}
