//! Runs every case file as one named test.
fn main() {}
