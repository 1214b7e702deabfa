//! Actors: a role and a name, recorded with every change.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What an actor may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everything.
    Admin,
    /// Verdicts, overrides, moderation.
    Judge,
    /// Submits under its own name.
    Participant,
    /// Registers participants and submits on their behalf.
    App,
    /// Reads what is public.
    Viewer,
    /// The engine itself, when a deadline has passed.
    System,
}

/// The sender of a command, written `role:name`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Actor {
    /// What the actor may do.
    pub role: Role,
    /// The name within the role.
    pub name: String,
}

/// The error for a text that is not `role:name`.
#[derive(Debug, Clone, thiserror::Error)]
#[error("`{0}` names no actor; expected role:name, such as admin:organiser")]
pub struct NotAnActor(String);

impl Role {
    const ALL: [Self; 6] =
        [Self::Admin, Self::Judge, Self::Participant, Self::App, Self::Viewer, Self::System];

    /// The role with this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == name)
    }

    /// The role's name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Judge => "judge",
            Self::Participant => "participant",
            Self::App => "app",
            Self::Viewer => "viewer",
            Self::System => "system",
        }
    }
}

impl Actor {
    /// An actor with this role and name.
    pub fn new(role: Role, name: impl Into<String>) -> Self {
        Self { role, name: name.into() }
    }

    /// The actor of commands that a stream's deadline causes.
    #[must_use]
    pub fn clock() -> Self {
        Self::new(Role::System, "clock")
    }

    /// The actor as `role:name`.
    #[must_use]
    pub fn written(&self) -> String {
        [self.role.as_str(), ":", &self.name].concat()
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written())
    }
}

impl FromStr for Actor {
    type Err = NotAnActor;
    fn from_str(text: &str) -> Result<Self, NotAnActor> {
        let found = text.split_once(':').and_then(|(role, name)| {
            let role = Role::named(role)?;
            (!name.is_empty()).then(|| Self::new(role, name))
        });
        found.ok_or_else(|| NotAnActor(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_actor_survives_its_written_form() {
        for role in Role::ALL {
            let actor = Actor::new(role, "team:one");
            assert_eq!(actor.to_string().parse::<Actor>().unwrap(), actor);
        }
        assert!("pope:francis".parse::<Actor>().is_err());
        assert!("admin:".parse::<Actor>().is_err());
    }
}
