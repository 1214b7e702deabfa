//! The in-memory ledger, lost with its process: for tests and for trying things out.

mod access;
mod webhooks;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use assize_kernel::{Digest, Head, Moment, Personal, Record, StreamId};

use crate::cursor::ScanCursor;
use crate::{
    Batch, Depth, EachRecord, KeyEntry, Ledger, LedgerError, LockedWriter, Scan, ScopedKey, Snapshot,
    StreamActor, Writer, chain, copy,
};
use webhooks::Webhooks;

/// The page size of a scan: the lock is released while a page is processed.
const PAGE: u64 = 512;

/// A ledger in memory; clones share it.
#[derive(Clone, Default)]
pub struct MemoryLedger {
    shared: Arc<SharedStore>,
}

#[derive(Default)]
struct SharedStore {
    state: RwLock<StoreState>,
    turn: Mutex<()>,
    webhooks: Webhooks,
}

#[derive(Default)]
struct StoreState {
    records: Vec<Arc<Record>>,
    streams: HashMap<StreamId, BTreeMap<u64, u64>>,
    personal: BTreeMap<(u64, Digest), Personal>,
    personal_positions: HashMap<Digest, u64>,
    keys: HashMap<ScopedKey, KeyEntry>,
    snapshots: HashMap<String, Snapshot>,
    origins: BTreeMap<u64, Arc<str>>,
    access: access::AccessTables,
}

struct MemoryLockedWriter<'a> {
    shared: &'a SharedStore,
    head: Head,
    parts: Vec<Batch>,
    _turn: MutexGuard<'a, ()>,
}

impl MemoryLedger {
    /// An empty ledger.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn webhooks(&self) -> &Webhooks {
        &self.shared.webhooks
    }
}

impl Ledger for MemoryLedger {
    fn place(&self) -> String {
        "memory".into()
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn writer(&self) -> Result<Box<dyn Writer>, LedgerError> {
        Ok(Box::new(self.clone()))
    }

    fn head(&self) -> Result<Head, LedgerError> {
        Ok(self.shared.read().head())
    }

    fn scan(&self, scan: Scan<'_>, each: &mut EachRecord<'_>) -> Result<(), LedgerError> {
        self.shared.scan(scan, each);
        Ok(())
    }

    fn personal(&self, digest: &Digest) -> Result<Option<Personal>, LedgerError> {
        let state = self.shared.read();
        let position = state.personal_positions.get(digest);
        Ok(position.and_then(|position| state.personal.get(&(*position, *digest))).cloned())
    }

    fn personal_of(&self, first: u64, last: u64) -> Result<Vec<(u64, Personal)>, LedgerError> {
        let state = self.shared.read();
        let of_these = state.personal.range((first, Digest::ZERO)..=(last, Digest([u8::MAX; 32])));
        Ok(of_these.map(|((position, _), personal)| (*position, personal.clone())).collect())
    }

    fn keys(&self, keys: &[ScopedKey]) -> Result<Vec<Option<KeyEntry>>, LedgerError> {
        let state = self.shared.read();
        Ok(keys.iter().map(|key| state.keys.get(key).cloned()).collect())
    }

    fn snapshot(&self, name: &str) -> Result<Option<Snapshot>, LedgerError> {
        Ok(self.shared.read().snapshots.get(name).cloned())
    }

    fn snapshot_names(&self) -> Result<Vec<String>, LedgerError> {
        let mut names: Vec<String> = self.shared.read().snapshots.keys().cloned().collect();
        names.sort();
        Ok(names)
    }

    fn version(&self, stream: &str) -> Result<u64, LedgerError> {
        let state = self.shared.read();
        let last = state.streams.get(stream).and_then(|versions| versions.last_key_value());
        Ok(last.map_or(0, |(version, _)| *version))
    }

    fn origins(&self, first: u64, last: u64) -> Result<Vec<(u64, String)>, LedgerError> {
        let state = self.shared.read();
        let of_these = state.origins.range(first..=last.max(first));
        Ok(of_these.map(|(position, origin)| (*position, origin.to_string())).collect())
    }

    fn clock(&self) -> Result<Option<Moment>, LedgerError> {
        Ok(None)
    }

    fn watch(&self, _wake: Box<dyn Fn() + Send>) -> Result<Box<dyn Send>, LedgerError> {
        Ok(Box::new(()))
    }

    fn backup(&self, file: &Path) -> Result<Head, LedgerError> {
        let keys = self.shared.read().keys.values().cloned().collect();
        let access = &|| Ok(self.shared.read().access.all());
        copy::into_new_file(self, copy::UnrecordedData { keys, access }, file)
    }
}

impl Writer for MemoryLedger {
    fn lock(&mut self) -> Result<Box<dyn LockedWriter + '_>, LedgerError> {
        let turn = self.shared.turn();
        let head = self.shared.read().head();
        Ok(Box::new(MemoryLockedWriter { shared: &self.shared, head, parts: Vec::new(), _turn: turn }))
    }

    fn save_snapshots(&mut self, snapshots: &[Snapshot]) -> Result<(), LedgerError> {
        let mut state = self.shared.write();
        for snapshot in snapshots {
            state.snapshots.insert(snapshot.name.clone(), snapshot.clone());
        }
        Ok(())
    }

    fn forget_keys(&mut self, before: Moment) -> Result<(), LedgerError> {
        self.shared.write().keys.retain(|_, entry| entry.at >= before);
        Ok(())
    }
}

impl LockedWriter for MemoryLockedWriter<'_> {
    fn head(&self) -> Head {
        self.head
    }

    fn personal_digests(&mut self, subject: &str) -> Result<Vec<Digest>, LedgerError> {
        let state = self.shared.read();
        let theirs = state.personal.iter().filter(|(_, personal)| personal.subject == subject);
        Ok(theirs.map(|((_, digest), _)| *digest).collect())
    }

    fn origins_of(&mut self, actor: &StreamActor<'_>) -> Result<u64, LedgerError> {
        Ok(self.shared.read().with_origin(actor).len() as u64)
    }

    fn append(&mut self, batch: &Batch) -> Result<(), LedgerError> {
        self.head = chain::follow(self.head, batch)?;
        self.parts.push(batch.clone());
        Ok(())
    }

    fn commit(mut self: Box<Self>, batch: &Batch) -> Result<(), LedgerError> {
        self.append(batch)?;
        let mut state = self.shared.write();
        state.check(&self.parts)?;
        for part in self.parts {
            part.webhooks.iter().for_each(|change| self.shared.webhooks.change(change));
            state.apply(part);
        }
        Ok(())
    }
}

impl SharedStore {
    fn read(&self) -> RwLockReadGuard<'_, StoreState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, StoreState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn scan(&self, scan: Scan<'_>, each: &mut EachRecord<'_>) {
        let mut cursor = ScanCursor::new(scan);
        while !cursor.done {
            let limit = cursor.begin(PAGE);
            let page = self.read().page(&cursor.scan, limit);
            for record in page {
                let view = match scan.depth {
                    Depth::Facts => record.view().without_evidence(),
                    Depth::Whole => record.view(),
                };
                if cursor.hand_out(view, each).is_break() {
                    return;
                }
            }
            cursor.end();
        }
    }
}

impl StoreState {
    fn head(&self) -> Head {
        let last = self.records.last();
        last.map_or(Head::START, |last| Head { position: last.position, hash: last.hash })
    }

    fn page(&self, scan: &Scan<'_>, limit: u64) -> Vec<Arc<Record>> {
        let count = usize::try_from(limit).unwrap_or(usize::MAX);
        let Some(stream) = scan.stream else {
            let after = usize::try_from(scan.after).unwrap_or(usize::MAX);
            return self.records.iter().skip(after).take(count).cloned().collect();
        };
        let Some(versions) = self.streams.get(stream) else { return Vec::new() };
        let positions = versions.range(scan.after.saturating_add(1)..).take(count);
        positions.filter_map(|(_, position)| self.at(*position)).cloned().collect()
    }

    fn at(&self, position: u64) -> Option<&Arc<Record>> {
        self.records.get(usize::try_from(position).ok()?.checked_sub(1)?)
    }

    /// The positions of records by this actor whose origin is known.
    fn with_origin(&self, actor: &StreamActor<'_>) -> Vec<u64> {
        let of_stream = self.streams.get(actor.stream).into_iter().flat_map(BTreeMap::values);
        let theirs = |position: &&u64| {
            self.origins.contains_key(*position)
                && self.at(**position).is_some_and(|record| record.draft.actor == actor.actor)
        };
        of_stream.filter(theirs).copied().collect()
    }

    fn check(&self, parts: &[Batch]) -> Result<(), LedgerError> {
        let mut new = std::collections::HashSet::new();
        for draft in parts.iter().flat_map(|part| &part.records).map(|record| &record.draft) {
            let exists = self.streams.get(&draft.stream).is_some_and(|all| all.contains_key(&draft.version));
            if exists || !new.insert((&draft.stream, draft.version)) {
                return Err(chain::taken(&format!("version {} of `{}`", draft.version, draft.stream)));
            }
        }
        Ok(())
    }

    fn apply(&mut self, part: Batch) {
        for record in part.records {
            let versions = self.streams.entry(record.draft.stream.clone()).or_default();
            versions.insert(record.draft.version, record.position);
            self.records.push(record);
        }
        for (position, personal) in part.personal {
            self.personal_positions.insert(personal.digest(), position);
            self.personal.insert((position, personal.digest()), personal);
        }
        self.keys.extend(part.keys.into_iter().map(|entry| (entry.key.clone(), entry)));
        self.origins.extend(part.origins);
        part.access.into_iter().for_each(|change| self.access.change(change));
        for subject in part.erase {
            self.personal.retain(|_, personal| personal.subject != subject);
            let theirs = StreamActor::of(&subject).map(|actor| self.with_origin(&actor)).unwrap_or_default();
            theirs.iter().for_each(|position| drop(self.origins.remove(position)));
        }
    }
}
