//! `assize serve`: the server.

use std::fs::File;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

use assize_ledger::{Ledger, Verified};
use assize_server::{App, Clerk, Closing, Hub, ServeSettings};
use clap::ArgMatches;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::Serve;
use crate::first_start::{self, Keys};
use crate::output::{Failure, counted, say};
use crate::store::Place;
use crate::{Done, assessors, logging, open_contest, rulebook, settings};

pub(crate) fn run(args: &Serve, matches: &ArgMatches) -> Done {
    let place = Place::of_server(&args.store, args.ephemeral)?;
    if args.show_settings {
        return settings::show(matches, &args.store, &place);
    }
    logging::begin(&args.log, args.log_format)?;
    let connections = args.for_connections()?;
    let truth = args.open_contest.as_deref().map(open_contest::read).transpose()?;
    let media = args.for_media()?;
    let models = assessors::models(args.store.config.as_deref())?;
    make_room(connections.connections);
    let runtime = Runtime::new()?;
    // First of all, so that a second server on this address touches nothing.
    let listener = runtime.block_on(listen(args.listen))?;
    // Stores wait for their answers, which nothing inside the runtime may do.
    let (ledger, _alone) = open(&place)?;
    let courts = Arc::new(rulebook::shipped()?);
    let records = ledger.head()?.position;
    let keys = first_start::keys(&*ledger)?;
    let (clerk, thread) = Clerk::start(courts.clone(), ledger.clone(), args.for_clerk(runtime.handle()))?;
    let opened = truth.map(|truth| open_contest::open(&runtime, truth, &clerk, &*ledger)).transpose()?;
    // Before anybody is told that it runs, and not earlier: until then it may simply be ended.
    let asked_to_stop = runtime.block_on(async { asked_to_stop() })?;
    greet(&listener, connections.tls.is_some(), (&ledger.place(), records))?;
    open_contest::tell(&*ledger, &listener, connections.tls.is_some(), opened.as_ref())?;
    show_in(&listener, connections.tls.is_some(), keys.as_ref())?;
    if records > 0 {
        verify_meanwhile(ledger.clone())?;
    }
    let app = App::new(courts, ledger, clerk).with_settings(args.for_requests()).with_hooks(args.for_hooks());
    let neighbours = runtime.block_on(async { assessors::neighbours(args.store.config.as_deref()) })?;
    let app = app.with_media(media).with_assessors(models, neighbours);
    let alone = !matches!(place, Place::Postgres(_));
    let assessing = runtime.block_on(async { app.start_assessing(alone) });
    serve_until(asked_to_stop, &runtime, listener, app, connections);
    runtime.block_on(assessing.finish());
    // Everything that was taken is written before the program ends.
    thread.close();
    say("stopped; everything that was answered is on disk")
}

/// Serves, and finishes what it has taken.
pub(crate) fn serve_until(
    asked_to_stop: impl Future<Output = ()> + Send + 'static,
    runtime: &Runtime,
    listener: TcpListener,
    app: App,
    connections: ServeSettings,
) {
    let sender = runtime.block_on(async { app.hooks().start() });
    let (closing, live) = (app.closing(), app.live());
    runtime.spawn(begin_when(asked_to_stop, closing.clone(), live));
    runtime.block_on(assize_server::serve(listener, app.router(), connections, closing));
    runtime.block_on(sender.finish());
}

/// Every connection is an open file; what the machine allows at most is asked for.
fn make_room(connections: usize) {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(files) if files < connections as u64 => tracing::warn!(
            files,
            connections,
            "the machine allows fewer open files than there may be connections"
        ),
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "the number of open files could not be raised"),
    }
}

pub(crate) async fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
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
pub(crate) fn open(place: &Place) -> Result<(Arc<dyn Ledger>, Option<File>), Failure> {
    let ledger = place.open()?;
    // Several processes may serve one PostgreSQL; a file has one server, or boards would fall behind.
    let alone = if let Place::File(data) = place { Some(alone(data)?) } else { None };
    Ok((ledger, alone))
}

fn alone(data: &Path) -> Result<File, Failure> {
    let mut name = data.as_os_str().to_owned();
    name.push(".lock");
    let wrong = |error: std::io::Error| Failure::Use(format!("`{}`: {error}", Path::new(&name).display()));
    let opened = File::options().write(true).create(true).truncate(true).mode(0o600).open(&name);
    let file = opened.map_err(wrong)?;
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

/// Checks the whole chain on a thread of its own, so that nobody waits for it: what it finds is for the log.
fn verify_meanwhile(ledger: Arc<dyn Ledger>) -> Done {
    let work = move || match assize_ledger::verify(&*ledger, &mut |_| {}) {
        Ok(found) if found.problems.is_empty() => {
            tracing::info!(records = found.records, head = %found.head.hash, "the chain is whole");
        }
        Ok(Verified { problems, further, .. }) => {
            for problem in problems {
                tracing::error!("{problem}; see `assize ledger verify`");
            }
            if further > 0 {
                tracing::error!(further, "the ledger has more problems; see `assize ledger verify`");
            }
        }
        Err(error) => tracing::error!(%error, "the chain could not be checked; see `assize ledger verify`"),
    };
    // It ends with the program, wherever it has come by then: it only reads.
    drop(std::thread::Builder::new().name("verifier".into()).spawn(work)?);
    Ok(())
}

/// What it listens on, and where its data is.
fn greet(listener: &TcpListener, secure: bool, (place, records): (&str, u64)) -> Done {
    let (scheme, address) = (if secure { "https" } else { "http" }, listener.local_addr()?);
    say(format_args!("assize {}", env!("CARGO_PKG_VERSION")))?;
    say(format_args!("  listening on  {scheme}://{address}"))?;
    say(format_args!("  data in       {place} ({})", counted(records, "record")))
}

/// How to get in.
fn show_in(listener: &TcpListener, secure: bool, keys: Option<&Keys>) -> Done {
    let Some(Keys { token, code }) = keys else {
        return say("  to get in     your admin token from the first start; `assize token` makes another");
    };
    let here = here(listener, secure)?;
    say(format_args!("  first login   {here}/welcome?code={}", code.reveal()))?;
    say("                choose your name and password there, once and within 24 hours")?;
    say(format_args!("  to get in     admin token {}", token.reveal()))?;
    say("                keep it: it is shown this once, and `assize token` makes another")
}

/// Where somebody at this machine finds it.
pub(crate) fn here(listener: &TcpListener, secure: bool) -> Result<String, Failure> {
    let (scheme, address) = (if secure { "https" } else { "http" }, listener.local_addr()?);
    let host = if address.ip().is_unspecified() {
        format!("localhost:{}", address.port())
    } else {
        address.to_string()
    };
    Ok(format!("{scheme}://{host}"))
}

async fn begin_when(asked_to_stop: impl Future<Output = ()>, closing: Closing, live: Arc<Hub>) {
    asked_to_stop.await;
    closing.begin();
    // Streams of events never end by themselves.
    live.close();
}

/// Hears from now on when the program is asked to stop.
pub(crate) fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    let (mut terminated, mut interrupted) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    })
}
