//! What the quest court promises beyond its case files.

mod properties;
