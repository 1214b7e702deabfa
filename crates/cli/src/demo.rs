//! `assize demo`: a server with generated data and simulated activity.

use std::sync::Arc;

use assize_demo::{self, DemoAccount};
use assize_engine::{
    AccessCommand, Clerk, Courts, NewUser, Secret, change_access, hash_password, make_password, system_time,
};
use assize_kernel::{Actor, Role};
use assize_ledger::Ledger;
use assize_server::{App, ServeSettings};
use tokio::runtime::Runtime;

use crate::args::{DemoArgs, LogFormat};
use crate::first_start::{self, FirstKeys};
use crate::output::{Failure, counted, say};
use crate::serve::{asked_to_stop, here, listen, serve_until};
use crate::store::StoreLocation;
use crate::{CommandResult, logging, rulebook};

pub(crate) fn run(args: &DemoArgs) -> CommandResult {
    logging::begin("warn", LogFormat::Text)?;
    let runtime = Runtime::new()?;
    let listener = runtime.block_on(listen(args.listen))?;
    let place = args.data.clone().map_or(StoreLocation::Memory, StoreLocation::File);
    let ledger = place.open_to_serve()?;
    must_be_empty(&*ledger)?;
    let courts = Arc::new(rulebook::shipped()?);
    runtime.block_on(assize_demo::fill(courts.clone(), ledger.clone(), args.seed, system_time()))?;
    let password = let_visitors_in(&*ledger)?;
    let keys = first_start::keys(&*ledger)?;
    let records = ledger.head()?.position;
    let settings = assize_engine::ClerkSettings {
        runtime: Some(runtime.handle().clone()),
        ..assize_engine::ClerkSettings::default()
    };
    let (clerk, thread) = Clerk::start(courts.clone(), ledger.clone(), settings)?;
    let asked_to_stop = runtime.block_on(async { asked_to_stop() })?;
    let going_on = runtime.spawn(go_on(clerk.clone(), courts.clone(), args.seed, args.speed.into()));
    greet(&here(&listener, false)?, &ledger.place(), records)?;
    show_in(&here(&listener, false)?, &password, keys.as_ref())?;
    let app = App::new(courts, ledger, clerk);
    let assessing = runtime.block_on(async { app.start_assessing(true) });
    serve_until(asked_to_stop, &runtime, listener, app, ServeSettings::default());
    runtime.block_on(assessing.finish());
    going_on.abort();
    thread.close();
    match &args.data {
        None => say("stopped; nothing was kept"),
        Some(file) => {
            let file = file.display();
            say(format_args!("stopped; everything is in `{file}`: `assize serve --data {file}` shows it"))
        }
    }
}

/// Generated history cannot be added to a ledger that has records.
fn must_be_empty(ledger: &dyn Ledger) -> CommandResult {
    if ledger.head()?.position == 0 {
        return Ok(());
    }
    let place = ledger.place();
    Err(Failure::Use(format!(
        "{place} has records already; name a file that is not there, or use `assize serve`"
    )))
}

/// Adds the demo users with one random password, because the server may be reachable by others.
fn let_visitors_in(ledger: &dyn Ledger) -> Result<Secret, Failure> {
    let password = make_password()?;
    let hash = hash_password(password.reveal())?;
    let actor = Actor::new(Role::System, "demo");
    for DemoAccount { name, role, scope, .. } in assize_demo::visitors() {
        let user = NewUser { name: name.to_owned(), role, scope, password: hash.clone() };
        change_access(ledger, &AccessCommand::AddUser(user), system_time(), &actor)?;
    }
    Ok(password)
}

async fn go_on(clerk: Clerk, courts: Arc<Courts>, seed: u64, speed: f64) {
    let Err(error) = assize_demo::go_on(clerk, &courts, seed, speed).await;
    tracing::error!(%error, "the simulation has stopped");
}

/// Prints the address and links to pages.
fn greet(here: &str, place: &str, records: u64) -> CommandResult {
    say(format_args!("assize {}, to look around", env!("CARGO_PKG_VERSION")))?;
    say(format_args!("  listening on  {here}"))?;
    say(format_args!("  data in       {place} ({}, made up)", counted(records, "record")))?;
    let live = assize_demo::contest_name(1);
    let sights = [
        (format!("contests/{live}"), "a contest that is running now"),
        ("contests/autumn".to_owned(), "one that is over"),
        ("hunters".to_owned(), "hunters by what they have earned"),
        ("hunters/ines".to_owned(), "what one of them has done, and her exam"),
        ("radio".to_owned(), "scenarios to fly, after logging in as amelia"),
        ("summaries".to_owned(), "judge a summary, or see five models ranked, after logging in as kim"),
    ];
    for (index, (path, what)) in sights.iter().enumerate() {
        let label = if index == 0 { "look at" } else { "" };
        say(format_args!("  {label:<14}{here}/{path:<16}  {what}"))?;
    }
    Ok(())
}

/// Prints how to log in.
fn show_in(here: &str, password: &Secret, keys: Option<&FirstKeys>) -> CommandResult {
    say(format_args!("  log in        {here}/login, with the password {}, as", password.reveal()))?;
    for DemoAccount { name, who, .. } in assize_demo::visitors() {
        say(format_args!("                {name:<8}  {who}"))?;
    }
    let Some(FirstKeys { token, code }) = keys else { return say("  to stop       Ctrl-C") };
    say(format_args!("  first login   {here}/welcome?code={}", code.reveal()))?;
    say("                once, to choose a name and a password of your own: you are the organiser then")?;
    say("  to stop       Ctrl-C; unless --data names a file, nothing is kept")?;
    say(format_args!("  to get in     admin token {}", token.reveal()))
}
