//! Accounts that visitors of the demo log in with.

use assize_kernel::{Role, StreamId};

use super::JUDGE;
use super::class::STUDENT;
use super::gym::HUNTER;
use super::present::{GUESTS, contest_name};
use assize_engine::Scope;

/// A demo account.
pub struct DemoAccount {
    /// Login name.
    pub name: &'static str,
    /// Role of the account.
    pub role: Role,
    /// Scope of the account.
    pub scope: Scope,
    /// Description shown to visitors.
    pub who: &'static str,
}

/// The demo accounts: a judge, a team, a student and a hunter.
#[must_use]
pub fn visitors() -> [DemoAccount; 4] {
    // The names are constants and valid: an invalid one would fail the tests.
    let of = |court: &str, name: &str| StreamId::new(court, name).map(Scope::Stream).unwrap_or_default();
    let visitor = |name, role, scope, who| DemoAccount { name, role, scope, who };
    [
        visitor(JUDGE, Role::Judge, Scope::Everything, "judges, moderates, instructs"),
        visitor(
            GUESTS,
            Role::Participant,
            of("contest", &contest_name(1)),
            "a team in the contest that is running now",
        ),
        visitor(STUDENT, Role::Participant, of("radio", "morning"), "a student of the class `morning`"),
        visitor(HUNTER, Role::Participant, of("quest", HUNTER), "a hunter whose exam has begun"),
    ]
}
