//! `assize user`: people who log in with a password.

use assize_kernel::to_json;
use assize_ledger::User as Row;
use assize_server::{AccessCommand, NewUser};

use crate::args::{Store, User};
use crate::output::say;
use crate::{Done, access, store};

pub(crate) fn run(command: &User) -> Done {
    match command {
        User::Add { name, role, scope, store } => {
            let ledger = store::open_existing(store)?;
            let (name, password) = (name.clone(), access::ask_password()?);
            let new = NewUser { name: name.clone(), role: *role, scope: scope.clone(), password };
            access::change(&*ledger, &AccessCommand::AddUser(new))?;
            say(format_args!("`{name}` can log in now"))
        }
        User::List { store, json } => list(store, *json),
        User::Disable { name, store } => {
            let ledger = store::open_existing(store)?;
            access::change(&*ledger, &AccessCommand::DisableUser { name: name.clone() })?;
            say(format_args!("`{name}` cannot log in any more"))
        }
        User::Password { name, store } => {
            let ledger = store::open_existing(store)?;
            let (name, password) = (name.clone(), access::ask_password()?);
            access::change(&*ledger, &AccessCommand::ChangePassword { name: name.clone(), password })?;
            say(format_args!("`{name}` has another password now"))
        }
    }
}

fn list(store: &Store, json: bool) -> Done {
    let users = store::open_existing(store)?.users()?;
    users.iter().try_for_each(|user| if json { say(as_json(user)) } else { say(as_line(user)) })
}

fn as_json(user: &Row) -> String {
    let Row { name, role, scope, created, disabled, .. } = user;
    to_json(&serde_json::json!({
        "name": name, "role": role, "scope": scope, "created": created, "disabled": disabled,
    }))
}

fn as_line(user: &Row) -> String {
    let scope = if user.scope.is_empty() { "everything" } else { &user.scope };
    let state = user.disabled.map(|since| format!("  shut out {since}")).unwrap_or_default();
    format!("{}  {}  {scope}  {}{state}", user.name, user.role, user.created)
}
