//! Replay: every verdict in the ledger computed again from its recorded inputs, and compared byte for byte.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use assize_kernel::{Comparison, Docket, RecordRef};
use assize_ledger::{Depth, Ledger, Scan};
use serde::Serialize;

use crate::clerk::Shelf;
use crate::{ClerkError, Courts};

/// How many differences are kept to be shown.
const SHOWN: usize = 20;

/// What a replay has found.
#[derive(Debug, Default, Serialize)]
pub struct Replay {
    /// Records read.
    pub records: u64,
    /// Verdicts computed again.
    pub verdicts: u64,
    /// Those that came out the same, byte for byte.
    pub same: u64,
    /// Those that came out otherwise.
    pub different: u64,
    /// Verdicts by editions of a court other than today's, by name: compared all the same.
    pub other_editions: BTreeMap<String, u64>,
    /// Records that could not be replayed.
    pub unreadable: u64,
    /// The first of what was not the same.
    pub shown: Vec<Difference>,
}

/// A verdict that came out otherwise, or a record that could not be read.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// Where it stands.
    pub position: u64,
    /// The stream it belongs to.
    pub stream: String,
    /// What is different about it.
    pub what: String,
}

/// Computes every verdict again. `progress` is told the position now and then.
///
/// # Errors
/// When the ledger cannot be read.
pub fn replay(
    courts: &Courts,
    ledger: &dyn Ledger,
    progress: &mut dyn FnMut(u64),
) -> Result<Replay, ClerkError> {
    let shelf = Shelf::load(ledger, courts)?;
    let mut replaying = Replaying { courts, shelf, dockets: HashMap::new(), found: Replay::default() };
    ledger.scan(Scan::all(0, Depth::Whole), &mut |record| {
        replaying.take(&record);
        if record.position.is_multiple_of(1024) {
            progress(record.position);
        }
        ControlFlow::Continue(())
    })?;
    Ok(replaying.found)
}

struct Replaying<'a> {
    courts: &'a Courts,
    shelf: Shelf,
    dockets: HashMap<String, Box<dyn Docket>>,
    found: Replay,
}

impl Replaying<'_> {
    fn take(&mut self, record: &RecordRef<'_>) {
        self.found.records += 1;
        if let Err(problem) = self.compare_and_follow(record) {
            self.found.unreadable += 1;
            self.show(record, problem);
        }
    }

    fn compare_and_follow(&mut self, record: &RecordRef<'_>) -> Result<(), String> {
        let court_name = record.stream.split_once('/').map_or("", |(court, _)| court);
        let Some(court) = self.courts.get(court_name) else {
            return if record.verdict.is_some() {
                Err(format!("no court `{court_name}` here"))
            } else {
                Ok(())
            };
        };
        if !self.dockets.contains_key(record.stream) {
            let stream = record.stream.parse().map_err(|error| format!("{error}"))?;
            self.dockets.insert(record.stream.to_owned(), court.empty(stream));
        }
        let Some(docket) = self.dockets.get_mut(record.stream) else { return Ok(()) };
        if record.verdict.is_some() {
            let compared = compare(&self.shelf, &**docket, record)?;
            if record.edition != court.edition() {
                *self.found.other_editions.entry(format!("{court_name}:{}", record.edition)).or_default() +=
                    1;
            }
            docket.follow(record).map_err(|error| error.to_string())?;
            self.count(record, compared);
        } else {
            docket.follow(record).map_err(|error| error.to_string())?;
        }
        if let Some(docket) = self.dockets.get_mut(record.stream) {
            docket.drop_changes();
        }
        Ok(())
    }

    fn count(&mut self, record: &RecordRef<'_>, compared: Comparison) {
        self.found.verdicts += 1;
        match compared {
            Comparison::Same => self.found.same += 1,
            Comparison::NoVerdict => {
                self.found.different += 1;
                self.show(record, "the court does not judge this any more".into());
            }
            Comparison::Different { body, verdict } => {
                self.found.different += 1;
                let (recorded, today) = if body == record.body {
                    (record.verdict.unwrap_or_default(), verdict.unwrap_or_default())
                } else {
                    (record.body, body)
                };
                self.show(record, format!("recorded {recorded}, today {today}"));
            }
        }
    }

    fn show(&mut self, record: &RecordRef<'_>, what: String) {
        if self.found.shown.len() < SHOWN {
            let (position, stream) = (record.position, record.stream.to_owned());
            self.found.shown.push(Difference { position, stream, what });
        }
    }
}

fn compare(shelf: &Shelf, docket: &dyn Docket, record: &RecordRef<'_>) -> Result<Comparison, String> {
    let reference = docket.rulebook().ok_or("a verdict before its stream was opened")?;
    let book =
        shelf.get(&reference.hash).ok_or_else(|| format!("the rulebook {reference} is not in the ledger"))?;
    docket.compare(book, record).map_err(|error| error.to_string())
}
