//! A minimal court: adds up points, sets alarms, and panics on demand.

use assize_kernel::{
    Audience, CommandContext, Decision, Event, Fault, Moment, Notice, RecordedAt, Refusal, RefusalKind,
    Rulebook, RulebookRef, Rules, Ruling, Standing, StandingChange, StreamId, VerdictText,
};
use serde::{Deserialize, Serialize};

pub(crate) struct Tally;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TallyRules {
    pub(crate) most: i64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TallyState {
    pub(crate) rulebook: Option<RulebookRef>,
    pub(crate) sums: std::collections::BTreeMap<String, i64>,
    pub(crate) alarm: Option<Moment>,
    pub(crate) rings: Vec<Moment>,
    pub(crate) stuck: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum TallyCommand {
    Open,
    Add {
        who: String,
        points: i64,
    },
    SetAlarm {
        at: Moment,
    },
    Ring,
    /// Panics.
    BreakDown,
    /// Sets an alarm that fails to ring.
    Jam {
        at: Moment,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum TallyEvent {
    Opened { rulebook: RulebookRef },
    Added { who: String, points: i64 },
    AlarmSet { at: Moment },
    Rang,
    Jammed { at: Moment },
}

impl assize_kernel::Court for Tally {
    const NAME: &'static str = "tally";
    const EDITION: u32 = 1;
    const BOARD_AUDIENCE: Audience = Audience::Everyone;
    const RULEBOOKS: &'static [(&'static str, &'static str)] =
        &[("plain", "court = \"tally\"\nname = \"plain\"\nversion = 1\nmost = 100\n")];

    type Rules = TallyRules;
    type State = TallyState;
    type Command = TallyCommand;
    type Event = TallyEvent;
    type Refusal = Refusal;

    fn decide(
        book: &Rulebook<TallyRules>,
        state: &TallyState,
        command: &TallyCommand,
        _: CommandContext<'_>,
    ) -> Result<Ruling<Decision<TallyEvent>>, Refusal> {
        let event = match command.clone() {
            TallyCommand::Open => TallyEvent::Opened { rulebook: book.reference.clone() },
            TallyCommand::Add { points, .. } if points > book.rules.most => {
                return Err(Refusal::new("tally.too_much", RefusalKind::Conflict, "too much at once"));
            }
            TallyCommand::Add { who, points } => TallyEvent::Added { who, points },
            TallyCommand::SetAlarm { at } => TallyEvent::AlarmSet { at },
            TallyCommand::Ring if state.stuck => {
                return Err(Refusal::new("tally.stuck", RefusalKind::Conflict, "the alarm is stuck"));
            }
            TallyCommand::Ring => TallyEvent::Rang,
            TallyCommand::BreakDown => panic!("told to break down"),
            TallyCommand::Jam { at } => TallyEvent::Jammed { at },
        };
        Ok(Decision::fact(event).into())
    }

    fn evolve(state: &mut TallyState, event: &TallyEvent, recorded_at: RecordedAt) {
        match event {
            TallyEvent::Opened { rulebook } => state.rulebook = Some(rulebook.clone()),
            TallyEvent::Added { who, points } => *state.sums.entry(who.clone()).or_default() += points,
            TallyEvent::AlarmSet { at } => state.alarm = Some(*at),
            TallyEvent::Rang => {
                state.alarm = None;
                state.rings.push(recorded_at.at);
            }
            TallyEvent::Jammed { at } => (state.alarm, state.stuck) = (Some(*at), true),
        }
    }

    fn rulebook(state: &TallyState) -> Option<&RulebookRef> {
        state.rulebook.as_ref()
    }

    fn deadline(state: &TallyState) -> Option<(Moment, TallyCommand)> {
        state.alarm.map(|at| (at, TallyCommand::Ring))
    }

    fn judge_again(_: &Rulebook<TallyRules>, _: &TallyState, _: &TallyEvent) -> Option<Decision<TallyEvent>> {
        None
    }

    /// One board over all streams, as a court with a stream for each participant has.
    fn standings(_: &StreamId, state: &TallyState, event: &TallyEvent, changes: &mut Vec<StandingChange>) {
        let TallyEvent::Added { who, .. } = event else { return };
        let points = state.sums.get(who).copied().unwrap_or(0) as f64;
        let standing = (points >= 0.0).then_some(Standing { points, ties: [0, 0] });
        changes.push(StandingChange { board: "tally".into(), participant: who.into(), standing });
    }

    fn notice(event: &TallyEvent, _: RecordedAt) -> Option<Notice> {
        let TallyEvent::Added { who, .. } = event else { return None };
        Some(Notice { audience: Audience::Participant(who.into()), data: assize_kernel::to_json(event) })
    }

    fn judge(_: &Rulebook<TallyRules>, _: &str) -> Result<VerdictText, Refusal> {
        Err(Refusal::new("tally.no_documents", RefusalKind::Malformed, "a tally judges no documents"))
    }
}

impl Rules for TallyRules {
    fn faults(&self) -> Vec<Fault> {
        Vec::new()
    }
}

impl Event for TallyEvent {
    fn kind(&self) -> &'static str {
        match self {
            Self::Opened { .. } => "Opened",
            Self::Added { .. } => "Added",
            Self::AlarmSet { .. } => "AlarmSet",
            Self::Rang => "Rang",
            Self::Jammed { .. } => "Jammed",
        }
    }
}
