//! Whom somebody who looks around can be.

use assize_kernel::{Role, StreamId};

use super::JUDGE;
use super::class::STUDENT;
use super::gym::HUNTER;
use super::present::{GUESTS, contest_name};
use crate::Scope;

/// Somebody to log in as.
pub struct Visitor {
    /// What they log in as.
    pub name: &'static str,
    /// What they may do.
    pub role: Role,
    /// What they may touch.
    pub scope: Scope,
    /// Who they are.
    pub who: &'static str,
}

/// One for each side of every court.
#[must_use]
pub fn visitors() -> [Visitor; 4] {
    // Names that are no names of streams would show in the tests: nobody could log in then.
    let of = |court: &str, name: &str| StreamId::new(court, name).map(Scope::Stream).unwrap_or_default();
    let visitor = |name, role, scope, who| Visitor { name, role, scope, who };
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
