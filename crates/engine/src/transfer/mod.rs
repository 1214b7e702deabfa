//! Transfer of a stream between servers: export to and import from one JSON document, and CSV tables for
//! spreadsheets.
//!
//! The document suffices to rebuild the boards and verdicts: every record in order with its verdict, the
//! rulebooks, and personal texts. Tokens, passwords and the origins of requests are left out.

mod document;
mod export;
mod import;
mod table;

pub use export::export_stream;
pub use import::{ImportError, Imported, import_stream};
pub use table::{BoardTable, export_submissions};
