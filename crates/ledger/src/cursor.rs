//! How far a scan has come: stores hand records out page by page, and can go on after a broken connection.

use std::ops::ControlFlow;

use assize_kernel::RecordRef;

use crate::{EachRecord, Scan};

/// A scan on its way.
pub(crate) struct Cursor<'a> {
    /// What is still to be handed out.
    pub(crate) scan: Scan<'a>,
    pub(crate) done: bool,
    asked: u64,
    given: u64,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(scan: Scan<'a>) -> Self {
        Self { scan, done: scan.limit == 0, asked: 0, given: 0 }
    }

    /// Begins a page; how many records it should have.
    pub(crate) fn begin(&mut self, page: u64) -> u64 {
        (self.asked, self.given) = (self.scan.limit.min(page), 0);
        self.asked
    }

    /// Hands out a record; breaks when no more are wanted.
    pub(crate) fn hand_out(&mut self, record: RecordRef<'_>, each: &mut EachRecord<'_>) -> ControlFlow<()> {
        self.given += 1;
        self.scan.limit -= 1;
        self.scan.after = if self.scan.stream.is_some() { record.version } else { record.position };
        let wish = each(record);
        self.done = wish.is_break();
        wish
    }

    /// Ends a page: one that fell short was the last.
    pub(crate) fn end(&mut self) {
        self.done |= self.given < self.asked || self.scan.limit == 0;
    }
}
