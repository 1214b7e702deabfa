//! A whole court in one file: somebody calls heads or tails and earns points when the coin agrees.
//!
//! `cargo run -p assize-kernel --example coin_court`
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "an example prints, and stops when it is wrong"
)]

use assize_kernel::{
    Actor, AnyCommand, AnyCourt, Assessor, CommandContext, Court, CourtAdapter, Decision, Event, Fault,
    Moment, Notice, Reason, RecordedAt, Refusal, RefusalKind, Role, Rulebook, RulebookRef, Rules, Ruling,
    Severity, StandingChange, StreamId, Verdict, VerdictText,
};
use serde::{Deserialize, Serialize};

struct Coin;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CoinRules {
    points: f64,
}

impl Rules for CoinRules {
    fn faults(&self) -> Vec<Fault> {
        let wrong = self.points < 0.0;
        wrong.then(|| Fault::new("points", "must not be negative".to_owned())).into_iter().collect()
    }
}

#[derive(Default, Serialize, Deserialize)]
struct CoinState {
    rulebook: Option<RulebookRef>,
    points: f64,
}

/// The fall of the coin comes in with the command: a court reads no random source.
#[derive(Clone, Serialize, Deserialize)]
enum CoinCommand {
    Open,
    Call { side: String, fell: String },
}

#[derive(Serialize, Deserialize)]
enum CoinEvent {
    Opened { rulebook: RulebookRef },
    Called { side: String, fell: String, points: f64 },
}

impl Event for CoinEvent {
    fn kind(&self) -> &'static str {
        match self {
            Self::Opened { .. } => "Opened",
            Self::Called { .. } => "Called",
        }
    }
}

/// The verdict on a call: the same input and rulebook always give the same one.
fn judge_call(book: &Rulebook<CoinRules>, side: &str, fell: &str) -> Decision<CoinEvent> {
    let right = side == fell;
    let points = if right { book.rules.points } else { 0.0 };
    let reason = Reason {
        code: if right { "coin.call.right".into() } else { "coin.call.wrong".into() },
        severity: if right { Severity::Info } else { Severity::Critical },
        message: format!("`{side}` was called and the coin fell on `{fell}`"),
        evidence: Vec::new(),
    };
    let verdict: Verdict = Verdict {
        court: Coin::NAME.into(),
        rulebook: book.reference.clone(),
        assessor: Assessor { name: "coin".into(), version: "1".into() },
        outcome: if right { "full".into() } else { "none".into() },
        points,
        reasons: vec![reason],
        derivation: Vec::new(),
        detail: serde_json::Value::Null,
    };
    Decision::judged(CoinEvent::Called { side: side.into(), fell: fell.into(), points }, &verdict)
}

impl Court for Coin {
    const NAME: &'static str = "coin";
    const EDITION: u32 = 1;
    const RULEBOOKS: &'static [(&'static str, &'static str)] =
        &[("plain", "court = \"coin\"\nname = \"plain\"\nversion = 1\npoints = 10\n")];

    type Rules = CoinRules;
    type State = CoinState;
    type Command = CoinCommand;
    type Event = CoinEvent;
    type Refusal = Refusal;

    fn decide(
        book: &Rulebook<CoinRules>,
        state: &CoinState,
        command: &CoinCommand,
        _: CommandContext<'_>,
    ) -> Result<Ruling<Decision<CoinEvent>>, Refusal> {
        match (command, &state.rulebook) {
            (CoinCommand::Open, None) => {
                Ok(Decision::fact(CoinEvent::Opened { rulebook: book.reference.clone() }).into())
            }
            (CoinCommand::Call { side, fell }, Some(_)) => Ok(judge_call(book, side, fell).into()),
            _ => {
                Err(Refusal::new("coin.wrong_time", RefusalKind::Conflict, "open the stream once, then call"))
            }
        }
    }

    fn evolve(state: &mut CoinState, event: &CoinEvent, _: RecordedAt) {
        match event {
            CoinEvent::Opened { rulebook } => state.rulebook = Some(rulebook.clone()),
            CoinEvent::Called { points, .. } => state.points += points,
        }
    }

    fn rulebook(state: &CoinState) -> Option<&RulebookRef> {
        state.rulebook.as_ref()
    }

    fn deadline(_: &CoinState) -> Option<(Moment, CoinCommand)> {
        None
    }

    fn judge_again(
        book: &Rulebook<CoinRules>,
        _: &CoinState,
        event: &CoinEvent,
    ) -> Option<Decision<CoinEvent>> {
        let CoinEvent::Called { side, fell, .. } = event else { return None };
        Some(judge_call(book, side, fell))
    }

    fn standings(_: &StreamId, _: &CoinState, _: &CoinEvent, _: &mut Vec<StandingChange>) {}

    fn notice(_: &CoinEvent, _: RecordedAt) -> Option<Notice> {
        None
    }

    fn judge(_: &Rulebook<CoinRules>, _: &str) -> Result<VerdictText, Refusal> {
        Err(Refusal::new("coin.no_documents", RefusalKind::Malformed, "a coin judges no documents"))
    }
}

fn main() {
    let court = CourtAdapter::<Coin>::new();
    let (_, text) = Coin::RULEBOOKS[0];
    let book = court.read_rulebook("plain.toml", text).unwrap();
    let mut stream = court.empty("coin/evening".parse().unwrap());
    let actor = Actor::new(Role::Participant, "ada");
    let call = |side: &str| CoinCommand::Call { side: side.into(), fell: "heads".into() };
    for command in [CoinCommand::Open, call("heads"), call("tails"), CoinCommand::Open] {
        let context = CommandContext {
            at: Moment::from_millis(1_800_000_000_000),
            actor: &actor,
            position: stream.version() + 1,
        };
        let command: AnyCommand = Box::new(command);
        match stream.decide(&book, &command, context) {
            Ok(Ruling::Decided(drafts)) => {
                for draft in drafts {
                    println!("{} {}", draft.kind, draft.verdict.as_deref().unwrap_or_default());
                }
            }
            Ok(Ruling::AsBefore(position)) => println!("as record {position} says"),
            Err(error) => println!("refused: {error}"),
        }
    }
}
