//! The cursor of a scan: stores read page by page and can resume after a broken connection.

use std::ops::ControlFlow;

use assize_kernel::RecordRef;

use crate::{EachRecord, Scan};

/// A scan in progress.
pub(crate) struct ScanCursor<'a> {
    /// The rest of the scan.
    pub(crate) scan: Scan<'a>,
    pub(crate) done: bool,
    page_limit: u64,
    page_read: u64,
}

impl<'a> ScanCursor<'a> {
    pub(crate) fn new(scan: Scan<'a>) -> Self {
        Self { scan, done: scan.limit == 0, page_limit: 0, page_read: 0 }
    }

    /// Begins a page; returns the number of records to read.
    pub(crate) fn begin(&mut self, page: u64) -> u64 {
        self.page_limit = self.scan.limit.min(page);
        self.page_read = 0;
        self.page_limit
    }

    /// Passes a record to `each`, which breaks to end the scan.
    pub(crate) fn hand_out(&mut self, record: RecordRef<'_>, each: &mut EachRecord<'_>) -> ControlFlow<()> {
        self.page_read += 1;
        self.scan.limit -= 1;
        self.scan.after = if self.scan.stream.is_some() { record.version } else { record.position };
        let flow = each(record);
        self.done = flow.is_break();
        flow
    }

    /// Ends a page; a short page was the last.
    pub(crate) fn end(&mut self) {
        self.done |= self.page_read < self.page_limit || self.scan.limit == 0;
    }
}
