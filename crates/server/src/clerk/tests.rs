//! Tests of the clerk.
