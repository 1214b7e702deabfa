//! The registry of courts, by name, with their built-in rulebooks.

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_kernel::{AnyCourt, AnyRulebook, RulebookError};

/// The courts with their built-in rulebooks, parsed once.
pub struct Courts {
    courts: BTreeMap<&'static str, CourtEntry>,
}

struct CourtEntry {
    court: Arc<dyn AnyCourt>,
    rulebooks: Vec<AnyRulebook>,
}

impl Courts {
    /// A registry of these courts.
    ///
    /// # Errors
    /// A built-in rulebook is malformed.
    pub fn new(courts: Vec<Arc<dyn AnyCourt>>) -> Result<Self, RulebookError> {
        let mut entries = BTreeMap::new();
        for court in courts {
            let shipped = court.rulebooks().iter();
            let rulebooks = shipped.map(|(name, text)| court.read_rulebook(&format!("{name}.toml"), text));
            let rulebooks = rulebooks.collect::<Result<_, _>>()?;
            entries.insert(court.name(), CourtEntry { court, rulebooks });
        }
        Ok(Self { courts: entries })
    }

    /// A registry of all courts of the `courts` crate.
    ///
    /// # Errors
    /// A built-in rulebook is malformed.
    pub fn shipped() -> Result<Self, RulebookError> {
        Self::new(assize_courts::courts())
    }

    /// A court by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn AnyCourt>> {
        self.courts.get(name).map(|entry| &entry.court)
    }

    /// The names of the listed courts, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.courts
            .values()
            .map(|entry| &entry.court)
            .filter(|court| court.is_listed())
            .map(|court| court.name())
    }

    /// The rulebooks that ship with a court, the default first.
    #[must_use]
    pub fn rulebooks(&self, court: &str) -> &[AnyRulebook] {
        self.courts.get(court).map_or(&[], |entry| &entry.rulebooks)
    }

    /// The default rulebook of a court.
    #[must_use]
    pub fn default_rulebook(&self, court: &str) -> Option<&AnyRulebook> {
        self.rulebooks(court).first()
    }

    /// A shipped rulebook by its name.
    #[must_use]
    pub fn rulebook(&self, court: &str, name: &str) -> Option<&AnyRulebook> {
        self.rulebooks(court).iter().find(|book| book.reference.name == name)
    }

    /// The editions of all courts as one text. A snapshot with another text is discarded.
    #[must_use]
    pub fn editions(&self) -> String {
        let editions = self.courts.iter().map(|(name, entry)| format!("{name}:{}", entry.court.edition()));
        editions.collect::<Vec<_>>().join(",")
    }
}
