//! `assize serve`: starts the server and shuts it down gracefully.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;

use assize_engine::{Clerk, Hub, Shutdown};
use assize_ledger::{Ledger, VerifyReport};
use assize_server::{App, ServeSettings};
use clap::ArgMatches;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::ServeArgs;
use crate::first_start::{self, FirstKeys};
use crate::output::{Failure, counted, say};
use crate::store::StoreLocation;
use crate::{CommandResult, assessors, logging, open_contest, rulebook, settings};

pub(crate) fn run(args: &ServeArgs, matches: &ArgMatches) -> CommandResult {
    let place = StoreLocation::of_server(&args.store, args.ephemeral)?;
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
    // Bind first, so that a second server on this address touches nothing.
    let listener = runtime.block_on(listen(args.listen))?;
    // Outside the runtime, because stores block.
    let ledger = place.open_to_serve()?;
    let courts = Arc::new(rulebook::shipped()?);
    let records = ledger.head()?.position;
    let keys = first_start::keys(&*ledger)?;
    let (clerk, thread) = Clerk::start(courts.clone(), ledger.clone(), args.for_clerk(runtime.handle()))?;
    let opened = truth.map(|truth| open_contest::open(&runtime, truth, &clerk, &*ledger)).transpose()?;
    // Signal handlers before the greeting, but not earlier: until then the process may simply be killed.
    let asked_to_stop = runtime.block_on(async { asked_to_stop() })?;
    greet(&listener, connections.tls.is_some(), &ledger.place(), records)?;
    open_contest::tell(&*ledger, &listener, connections.tls.is_some(), opened.as_ref())?;
    tell_of_lock_out(&*ledger)?;
    show_in(&listener, connections.tls.is_some(), keys.as_ref())?;
    if records > 0 {
        verify_meanwhile(ledger.clone())?;
    }
    let alone = !ledger.is_shared();
    let app = App::new(courts, ledger, clerk).with_settings(args.for_requests()).with_hooks(args.for_hooks());
    let trace_exporter =
        runtime.block_on(async { assessors::trace_exporter(args.store.config.as_deref()) })?;
    let app = app.with_media(media).with_assessors(models, trace_exporter);
    let assessing = runtime.block_on(async { app.start_assessing(alone) });
    serve_until(asked_to_stop, &runtime, listener, app, connections);
    runtime.block_on(assessing.finish());
    // Writes all accepted submissions before the process ends.
    thread.close();
    say("stopped; everything that was answered is on disk")
}

/// Serves until the signal, then finishes the accepted requests.
pub(crate) fn serve_until(
    asked_to_stop: impl Future<Output = ()> + Send + 'static,
    runtime: &Runtime,
    listener: TcpListener,
    app: App,
    connections: ServeSettings,
) {
    let sender = runtime.block_on(async { app.hooks().start() });
    let closing = app.closing();
    runtime.spawn(begin_when(asked_to_stop, closing.clone(), app.live()));
    runtime.block_on(assize_server::serve(listener, app.router(), connections, closing));
    runtime.block_on(sender.finish());
}

/// Raises the limit on open files to the maximum, because every connection is one.
fn make_room(connections: usize) {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(files) if files < connections as u64 => {
            tracing::warn!(files, connections, "the limit on open files is below the limit on connections")
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "the limit on open files could not be raised"),
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

/// Verifies the ledger on a background thread and logs the problems.
fn verify_meanwhile(ledger: Arc<dyn Ledger>) -> CommandResult {
    let work = move || match assize_ledger::verify(&*ledger, &mut |_| {}) {
        Ok(found) if found.problems.is_empty() => {
            tracing::info!(records = found.records, head = %found.head.hash, "the chain is whole");
        }
        Ok(VerifyReport { problems, further, .. }) => {
            for problem in problems {
                tracing::error!("{problem}; see `assize ledger verify`");
            }
            if further > 0 {
                tracing::error!(further, "the ledger has more problems; see `assize ledger verify`");
            }
        }
        Err(error) => tracing::error!(%error, "the chain could not be checked; see `assize ledger verify`"),
    };
    // Not joined: it only reads, and ends with the process.
    drop(std::thread::Builder::new().name("verifier".into()).spawn(work)?);
    Ok(())
}

/// Prints the address and the location of the data.
fn greet(listener: &TcpListener, secure: bool, place: &str, records: u64) -> CommandResult {
    let scheme = if secure { "https" } else { "http" };
    let address = listener.local_addr()?;
    say(format_args!("assize {}", env!("CARGO_PKG_VERSION")))?;
    say(format_args!("  listening on  {scheme}://{address}"))?;
    say(format_args!("  data in       {place} ({})", counted(records, "record")))
}

/// Prints how to log in.
fn show_in(listener: &TcpListener, secure: bool, keys: Option<&FirstKeys>) -> CommandResult {
    let Some(FirstKeys { token, code }) = keys else {
        return say("  to get in     your admin token from the first start; `assize token` makes another");
    };
    let here = here(listener, secure)?;
    say(format_args!("  first login   {here}/welcome?code={}", code.reveal()))?;
    say("                choose your name and password there, once and within 24 hours")?;
    say(format_args!("  to get in     admin token {}", token.reveal()))?;
    say("                keep it: it is shown this once, and `assize token` makes another")
}

/// Prints the way out when there are admins and all of them are disabled, which earlier versions allowed.
fn tell_of_lock_out(ledger: &dyn Ledger) -> CommandResult {
    match first_start::locked_out(ledger)? {
        None => Ok(()),
        Some(name) => {
            say("  warning       no admin can log in: all of them are disabled;")?;
            say(format_args!("                `assize user enable {name}` lets one log in again"))
        }
    }
}

/// The URL of the server on this machine.
pub(crate) fn here(listener: &TcpListener, secure: bool) -> Result<String, Failure> {
    let scheme = if secure { "https" } else { "http" };
    let address = listener.local_addr()?;
    let host = if address.ip().is_unspecified() {
        format!("localhost:{}", address.port())
    } else {
        address.to_string()
    };
    Ok(format!("{scheme}://{host}"))
}

async fn begin_when(asked_to_stop: impl Future<Output = ()>, closing: Shutdown, live: Arc<Hub>) {
    asked_to_stop.await;
    closing.begin();
    // Event streams never end by themselves.
    live.close();
}

/// Installs the handlers of SIGTERM and SIGINT; the future resolves on either.
pub(crate) fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    let mut terminated = signal(SignalKind::terminate())?;
    let mut interrupted = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    })
}
