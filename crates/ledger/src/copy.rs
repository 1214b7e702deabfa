//! Backup of any ledger into a new SQLite file, which appears under its name only when it is complete.

use std::fs;
use std::path::{Path, PathBuf};

use assize_kernel::Head;

use crate::walk::{WINDOW, walk};
use crate::{
    AccessChange, Batch, DeadLetter, KeyEntry, Ledger, LedgerError, SqliteLedger, WebhookChange,
    WebhookStore, create_private,
};

/// Rows that are copied and do not follow from the records.
pub(crate) struct UnrecordedData<'a> {
    /// Idempotency keys, read before the records, so that no key is ahead of them.
    pub(crate) keys: Vec<KeyEntry>,
    /// Credentials, read after the records, so that none is valid that they say was revoked.
    pub(crate) access: &'a dyn Fn() -> Result<Vec<AccessChange>, LedgerError>,
}

/// Copies a ledger up to its present end; appending goes on meanwhile.
pub(crate) fn into_new_file(
    source: &dyn Ledger,
    beside: UnrecordedData<'_>,
    file: &Path,
) -> Result<Head, LedgerError> {
    write_then_rename(file, |unfinished| {
        let target = SqliteLedger::open(unfinished)?;
        fill(source, &target, beside)
    })
}

/// Writes to a temporary file beside the target and renames it when it is complete.
pub(crate) fn write_then_rename(
    file: &Path,
    make: impl FnOnce(&Path) -> Result<Head, LedgerError>,
) -> Result<Head, LedgerError> {
    if file.exists() {
        return Err(LedgerError::Unusable(format!("`{}` exists; name a new file", file.display())));
    }
    let unfinished = beside(file, ".unfinished");
    remove(&unfinished);
    create_private(&unfinished).map_err(|error| {
        let file = file.display();
        LedgerError::Unusable(format!(
            "cannot write `{file}`: {error}; its directory must exist and be writable"
        ))
    })?;
    let made = make(&unfinished).and_then(|head| {
        let kept = fs::File::open(&unfinished).and_then(|made| made.sync_all());
        let renamed = kept.and_then(|()| fs::rename(&unfinished, file));
        renamed.map_err(|error| {
            LedgerError::Unavailable(format!("cannot write `{}`: {error}", file.display()))
        })?;
        Ok(head)
    });
    if made.is_err() {
        remove(&unfinished);
    }
    made
}

fn fill(source: &dyn Ledger, target: &SqliteLedger, beside: UnrecordedData<'_>) -> Result<Head, LedgerError> {
    let mut writer = target.writer()?;
    let mut locked = writer.lock()?;
    let last = source.head()?;
    let mut part = Batch::default();
    walk(source, 0, last.position, &mut |record, personal| {
        let copied = record.to_record().map_err(|error| LedgerError::Damaged(error.to_string()))?;
        part.records.push(copied.into());
        part.personal.extend_from_slice(personal);
        if part.records.len() as u64 >= WINDOW {
            add_origins(source, &mut part)?;
            locked.append(&std::mem::take(&mut part))?;
        }
        Ok(())
    })?;
    add_origins(source, &mut part)?;
    part.keys = beside.keys;
    part.access = (beside.access)()?;
    let dead = add_webhooks(source, last.position, &mut part)?;
    locked.commit(&part)?;
    dead.iter().try_for_each(|dead| target.bury_letter(dead))?;
    Ok(last)
}

fn add_origins(source: &dyn Ledger, part: &mut Batch) -> Result<(), LedgerError> {
    if let (Some(first), Some(last)) = (part.records.first(), part.records.last()) {
        let origins = source.origins(first.position, last.position)?;
        part.origins = origins.into_iter().map(|(position, origin)| (position, origin.into())).collect();
    }
    Ok(())
}

/// Adds the webhooks, with progress no further than the copy; returns their dead letters.
fn add_webhooks(source: &dyn Ledger, last: u64, part: &mut Batch) -> Result<Vec<DeadLetter>, LedgerError> {
    let mut dead = Vec::new();
    for mut webhook in source.webhooks(0, u64::MAX)? {
        dead.extend(source.dead_letters(&webhook.id, 0, u64::MAX)?);
        webhook.progress.position = webhook.progress.position.min(last);
        part.webhooks.push(WebhookChange::Add(Box::new(webhook)));
    }
    dead.retain(|letter| letter.position <= last);
    Ok(dead)
}

/// Removes a database with the files that SQLite keeps beside it.
pub(crate) fn remove(file: &Path) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        // Most of these files do not exist.
        let _ = fs::remove_file(beside(file, suffix));
    }
}

pub(crate) fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
