//! Tests of the quest court beyond its case files.

mod properties;
