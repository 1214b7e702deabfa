//! What a verdict is and how decisions are made. Pure: no clock, file, network, environment or randomness.

mod actor;
mod any_court;
mod assessing;
mod board;
mod case;
mod court;
mod differences;
mod digest;
mod json_writer;
mod moment;
#[cfg(feature = "openapi")]
pub mod openapi;
mod record;
mod refusal;
mod revision;
mod rounding;
mod rulebook;
mod stream;
mod strict_objects;
mod verdict;

pub use actor::{Actor, NotAnActor, Role};
pub use any_court::{
    AnyCommand, AnyCourt, AnyRulebook, AnyStream, Comparison, CourtAdapter, DecideError, Unreadable,
};
pub use assessing::{
    Answers, AnyBench, Assessable, Assessed, Begun, BenchCommand, BenchEvent, BenchState, Choice, Concluded,
    Confusion, Destination, Exchange, Given, Item, JudgedSubmission, Merged, PANEL, PERSON, Panel, Phase,
    Prompt, PromptRules, Questionnaire, Quotation, Read, Report, Reported, Scale, Source, Struck, Testimony,
    Undelivered, Usage, Waiting, merge,
};
pub use board::{Board, BoardName, PlacedChange, Row, Standing, StandingChange};
pub use case::{CaseChange, CaseFailure, NOT_CASES, run_case};
pub use court::{Audience, CommandContext, Court, Decision, Event, Notice, RecordedAt, Ruling, to_json};
pub use differences::PathKey;
pub use digest::{Digest, NotADigest};
pub use json_writer::JsonWriter;
pub use moment::{Millis, Moment, NotAMoment};
pub use record::{BatchId, Draft, Head, Personal, Record, RecordRef};
pub use refusal::{Refusal, RefusalKind};
pub use revision::{
    BoardMoves, Books, ChangedVerdict, Correction, HISTORY_REVISED, HistoryRevised, Judged, Move, Overlay,
    Place, RECORD_REVISED, RecordRevised, Retrial, Retried, Revised, Revising, Revision, RevisionReport,
    Standings,
};
pub use rounding::{floor, round};
pub use rulebook::{Fault, Mistake, Rulebook, RulebookError, RulebookRef, Rules};
pub use smol_str::SmolStr;
pub use stream::{BadName, StreamId, check_name};
pub use strict_objects::StrictObjects;
pub use verdict::{
    Assessor, Derivation, Detail, Evidence, Input, Inputs, Reason, Severity, Steps, Term, Verdict,
    VerdictText,
};
