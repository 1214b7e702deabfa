//! The courts this program serves, by name, with the rulebooks that ship with them.

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_kernel::{AnyCourt, AnyRulebook, RulebookError};

/// The courts, and their rulebooks read once.
pub struct Courts {
    courts: BTreeMap<&'static str, Seated>,
}

struct Seated {
    court: Arc<dyn AnyCourt>,
    rulebooks: Vec<AnyRulebook>,
}

impl Courts {
    /// These courts.
    ///
    /// # Errors
    /// When a rulebook that ships with one of them is wrong.
    pub fn seat(courts: Vec<Arc<dyn AnyCourt>>) -> Result<Self, RulebookError> {
        let mut seated = BTreeMap::new();
        for court in courts {
            let shipped = court.rulebooks().iter();
            let rulebooks = shipped.map(|(name, text)| court.read_rulebook(&format!("{name}.toml"), text));
            let rulebooks = rulebooks.collect::<Result<_, _>>()?;
            seated.insert(court.name(), Seated { court, rulebooks });
        }
        Ok(Self { courts: seated })
    }

    /// All that ship.
    ///
    /// # Errors
    /// When a shipped rulebook is wrong.
    pub fn shipped() -> Result<Self, RulebookError> {
        Self::seat(assize_courts::courts())
    }

    /// A court by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn AnyCourt>> {
        self.courts.get(name).map(|seated| &seated.court)
    }

    /// The names of the courts, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.courts
            .values()
            .map(|seated| &seated.court)
            .filter(|court| court.is_listed())
            .map(|court| court.name())
    }

    /// The rulebooks that ship with a court, the default first.
    #[must_use]
    pub fn rulebooks(&self, court: &str) -> &[AnyRulebook] {
        self.courts.get(court).map_or(&[], |seated| &seated.rulebooks)
    }

    /// The rulebook a court uses unless told otherwise.
    #[must_use]
    pub fn default_rulebook(&self, court: &str) -> Option<&AnyRulebook> {
        self.rulebooks(court).first()
    }

    /// A shipped rulebook by its name.
    #[must_use]
    pub fn rulebook(&self, court: &str, name: &str) -> Option<&AnyRulebook> {
        self.rulebooks(court).iter().find(|book| book.reference.name == name)
    }

    /// The editions of all courts in one word: what was folded by other editions is folded anew.
    #[must_use]
    pub fn editions(&self) -> String {
        let editions = self.courts.iter().map(|(name, seated)| format!("{name}:{}", seated.court.edition()));
        editions.collect::<Vec<_>>().join(",")
    }
}
