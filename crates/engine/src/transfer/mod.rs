//! Carrying one stream from server to server: everything that came of it in one JSON document, and back; and tables
//! of it for spreadsheets.
//!
//! The document is complete enough to give the same boards and verdicts elsewhere: every record in order with its
//! verdict, the rulebooks it was judged by, and personal texts. Tokens, passwords and from where requests came are
//! not in it.

mod document;
mod export;
mod import;
mod table;

pub use export::export_stream;
pub use import::{ImportError, Imported, import_stream};
pub use table::{BoardTable, export_submissions};
