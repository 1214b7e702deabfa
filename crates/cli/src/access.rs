//! Shared code of the commands about tokens and users.

use std::io::{self, BufRead, IsTerminal};

use assize_engine::{AccessCommand, change_access, hash_password, system_time};
use assize_kernel::{Actor, Millis, Moment, Role};
use assize_ledger::Ledger;
use console::Term;

use crate::CommandResult;
use crate::output::Failure;

/// When a token expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenExpiry {
    After(Millis),
    At(Moment),
}

impl TokenExpiry {
    pub(crate) fn from(self, now: Moment) -> Moment {
        match self {
            Self::After(time) => now + time,
            Self::At(moment) => moment,
        }
    }
}

/// Parses `90d`, `12h`, `30m`, `45s` or a moment.
pub(crate) fn end(text: &str) -> Result<TokenExpiry, String> {
    if let Ok(moment) = text.parse() {
        return Ok(TokenExpiry::At(moment));
    }
    let wrong =
        || format!("`{text}` is no time; write 90d, 12h, 30m, or a moment such as 2026-12-31T18:00:00Z");
    let unit = text.chars().last().ok_or_else(wrong)?;
    let milliseconds = match unit {
        'd' => 24 * 60 * 60 * 1_000,
        'h' => 60 * 60 * 1_000,
        'm' => 60 * 1_000,
        's' => 1_000,
        _ => return Err(wrong()),
    };
    let number: u32 = text.strip_suffix(unit).unwrap_or_default().parse().map_err(|_| wrong())?;
    if number == 0 { Err(wrong()) } else { Ok(TokenExpiry::After(Millis(i64::from(number) * milliseconds))) }
}

/// Parses a role that can be given.
pub(crate) fn role(text: &str) -> Result<Role, String> {
    let found = Role::named(text).filter(|role| *role != Role::System);
    found.ok_or_else(|| format!("`{text}` is none of admin, judge, app, participant, viewer"))
}

/// Changes credentials, also while a server is running.
pub(crate) fn change(ledger: &dyn Ledger, command: &AccessCommand) -> CommandResult {
    let actor = Actor::new(Role::Admin, "command-line");
    Ok(change_access(ledger, command, system_time(), &actor)?)
}

/// The hash of a password, read from a prompt on a terminal or else from standard input; not from an
/// argument, which all users of the machine could read.
pub(crate) fn ask_password() -> Result<String, Failure> {
    let password = if io::stdin().is_terminal() {
        let first = ask("password: ")?;
        if ask("the same again: ")? != first {
            return Err(Failure::Use("the two passwords are not the same".into()));
        }
        first
    } else {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line)?;
        line.trim_end_matches(['\n', '\r']).to_owned()
    };
    Ok(hash_password(&password)?)
}

fn ask(question: &str) -> Result<String, Failure> {
    let terminal = Term::stderr();
    if !terminal.is_term() {
        return Err(Failure::Use(
            "there is no terminal to ask on; send the password to standard input".into(),
        ));
    }
    terminal.write_str(question)?;
    Ok(terminal.read_secure_line()?)
}

#[test]
fn an_end_is_a_length_of_time_or_a_moment() {
    assert_eq!(end("90d").unwrap(), TokenExpiry::After(Millis(90 * 86_400_000)));
    assert_eq!(end("12h").unwrap(), TokenExpiry::After(Millis(43_200_000)));
    assert_eq!(
        end("2026-12-31T18:00:00Z").unwrap(),
        TokenExpiry::At("2026-12-31T18:00:00Z".parse().unwrap())
    );
    for wrong in ["", "d", "0d", "-1d", "12", "12y", "1hh"] {
        assert!(end(wrong).is_err(), "{wrong}");
    }
}
