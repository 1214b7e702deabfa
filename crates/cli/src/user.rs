//! `assize user`: users who log in with a password.

use assize_engine::{AccessCommand, NewUser};
use assize_kernel::to_json;
use assize_ledger::UserAccount;

use crate::args::{StoreArgs, UserCommand};
use crate::output::say;
use crate::{CommandResult, access, store};

pub(crate) fn run(command: &UserCommand) -> CommandResult {
    match command {
        UserCommand::Add { name, role, scope, store } => {
            let ledger = store::open_existing(store)?;
            let password = access::ask_password()?;
            let new = NewUser { name: name.clone(), role: *role, scope: scope.clone(), password };
            access::change(&*ledger, &AccessCommand::AddUser(new))?;
            say(format_args!("`{name}` can log in now"))
        }
        UserCommand::List { store, json } => list(store, *json),
        UserCommand::Disable { name, store } => {
            let ledger = store::open_existing(store)?;
            access::change(&*ledger, &AccessCommand::DisableUser { name: name.clone() })?;
            say(format_args!("`{name}` cannot log in any more"))
        }
        UserCommand::Enable { name, store } => {
            let ledger = store::open_existing(store)?;
            access::change(&*ledger, &AccessCommand::EnableUser { name: name.clone() })?;
            say(format_args!("`{name}` can log in again"))
        }
        UserCommand::Password { name, store } => change_password(name, store),
    }
}

fn change_password(name: &str, store: &StoreArgs) -> CommandResult {
    let ledger = store::open_existing(store)?;
    let password = access::ask_password()?;
    access::change(&*ledger, &AccessCommand::ChangePassword { name: name.to_owned(), password })?;
    say(format_args!("`{name}` has another password now"))?;
    match ledger.user(name)?.and_then(|user| user.disabled) {
        None => Ok(()),
        Some(since) => say(format_args!(
            "but `{name}` has been disabled since {since} and cannot log in; `assize user enable {name}` changes that"
        )),
    }
}

fn list(store: &StoreArgs, json: bool) -> CommandResult {
    let users = store::open_existing(store)?.users()?;
    users.iter().try_for_each(|user| if json { say(as_json(user)) } else { say(as_line(user)) })
}

fn as_json(user: &UserAccount) -> String {
    let UserAccount { name, role, scope, created, disabled, .. } = user;
    to_json(&serde_json::json!({
        "name": name, "role": role, "scope": scope, "created": created, "disabled": disabled,
    }))
}

fn as_line(user: &UserAccount) -> String {
    let scope = if user.scope.is_empty() { "everything" } else { &user.scope };
    let state = user.disabled.map(|since| format!("  shut out {since}")).unwrap_or_default();
    format!("{}  {}  {scope}  {}{state}", user.name, user.role, user.created)
}
