//! `assize demo`: a server to look around in, filled with made-up data and going on by itself.

use std::sync::Arc;

use assize_kernel::{Actor, Role};
use assize_ledger::Ledger;
use assize_server::demo::{self, Visitor};
use assize_server::{
    AccessCommand, App, Clerk, Courts, NewUser, Secret, ServeSettings, change_access, hash_password,
    make_password, system_time,
};
use tokio::runtime::Runtime;

use crate::args::{Demo, LogFormat};
use crate::first_start::{self, Keys};
use crate::output::{Failure, counted, say};
use crate::serve::{asked_to_stop, here, listen, open, serve_until};
use crate::store::Place;
use crate::{Done, logging, rulebook};

pub(crate) fn run(args: &Demo) -> Done {
    logging::begin("warn", LogFormat::Text)?;
    let runtime = Runtime::new()?;
    let listener = runtime.block_on(listen(args.listen))?;
    let place = args.data.clone().map_or(Place::Memory, Place::File);
    let (ledger, _alone) = open(&place)?;
    must_be_empty(&*ledger)?;
    let courts = Arc::new(rulebook::shipped()?);
    runtime.block_on(demo::fill(courts.clone(), ledger.clone(), args.seed, system_time()))?;
    let password = let_visitors_in(&*ledger)?;
    let keys = first_start::keys(&*ledger)?;
    let records = ledger.head()?.position;
    let settings = assize_server::Settings {
        runtime: Some(runtime.handle().clone()),
        ..assize_server::Settings::default()
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

/// A past cannot be made up for what has one.
fn must_be_empty(ledger: &dyn Ledger) -> Done {
    if ledger.head()?.position == 0 {
        return Ok(());
    }
    let place = ledger.place();
    Err(Failure::Use(format!(
        "{place} has records already; name a file that is not there, or use `assize serve`"
    )))
}

/// One password for all, made up each time: a server that others reach has no password that everybody knows.
fn let_visitors_in(ledger: &dyn Ledger) -> Result<Secret, Failure> {
    let password = make_password()?;
    let hash = hash_password(password.reveal())?;
    let actor = Actor::new(Role::System, "demo");
    for Visitor { name, role, scope, .. } in demo::visitors() {
        let user = NewUser { name: name.to_owned(), role, scope, password: hash.clone() };
        change_access(ledger, &AccessCommand::AddUser(user), system_time(), &actor)?;
    }
    Ok(password)
}

async fn go_on(clerk: Clerk, courts: Arc<Courts>, seed: u64, speed: f64) {
    let Err(error) = demo::go_on(clerk, &courts, seed, speed).await;
    tracing::error!(%error, "nothing more happens by itself");
}

/// What there is to see.
fn greet(here: &str, place: &str, records: u64) -> Done {
    say(format_args!("assize {}, to look around", env!("CARGO_PKG_VERSION")))?;
    say(format_args!("  listening on  {here}"))?;
    say(format_args!("  data in       {place} ({}, made up)", counted(records, "record")))?;
    let live = demo::contest_name(1);
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

/// How to get in.
fn show_in(here: &str, password: &Secret, keys: Option<&Keys>) -> Done {
    say(format_args!("  log in        {here}/login, with the password {}, as", password.reveal()))?;
    for Visitor { name, who, .. } in demo::visitors() {
        say(format_args!("                {name:<8}  {who}"))?;
    }
    let Some(Keys { token, code }) = keys else { return say("  to stop       Ctrl-C") };
    say(format_args!("  first login   {here}/welcome?code={}", code.reveal()))?;
    say("                once, to choose a name and a password of your own: you are the organiser then")?;
    say("  to stop       Ctrl-C; unless --data names a file, nothing is kept")?;
    say(format_args!("  to get in     admin token {}", token.reveal()))
}
