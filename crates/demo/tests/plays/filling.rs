//! History of the demo: deterministic for a seed, with hunters, sessions and models in every state.

use std::ops::ControlFlow;
use std::sync::Arc;

use assize_courts::quest::{HunterStatus, QuestState, Rank};
use assize_courts::radio::{RadioState, SessionOutcome};
use assize_courts::summary::SummaryState;
use assize_demo::{PlaybackReport, fill};
use assize_engine::{Clerk, ClerkSettings, ClerkThread, Courts, replay};
use assize_kernel::Moment;
use assize_ledger::{Depth, Ledger, MemoryLedger, Scan};

/// A fixed moment in the afternoon, used instead of the system clock.
fn now() -> Moment {
    "2026-03-04T15:30:00Z".parse().unwrap()
}

async fn filled(seed: u64) -> (Arc<Courts>, Arc<dyn Ledger>, PlaybackReport) {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    let courts = Arc::new(Courts::shipped().unwrap());
    let played = fill(courts.clone(), ledger.clone(), seed, now()).await.unwrap();
    (courts, ledger, played)
}

/// All records as text, without their batches, which depend on timing.
fn told(ledger: &dyn Ledger) -> Vec<String> {
    let mut told = Vec::new();
    ledger
        .scan(Scan::all(0, Depth::Whole), &mut |record| {
            let record = record.to_record().unwrap();
            let draft = &record.draft;
            told.push(format!(
                "{} {} {} {} {} {}",
                draft.stream,
                draft.at,
                draft.actor,
                draft.kind,
                draft.body,
                draft.verdict.as_deref().unwrap_or_default()
            ));
            ControlFlow::Continue(())
        })
        .unwrap();
    told
}

async fn hunter<T: Send + 'static>(
    clerk: &Clerk,
    name: &str,
    look: impl Fn(&assize_courts::quest::Hunter) -> T + Send + 'static,
) -> T {
    let stream = format!("quest/{name}").parse().unwrap();
    clerk.inspect(stream, move |state: &QuestState| look(state.hunter().unwrap())).await.unwrap()
}

/// A clerk whose clock stands at the end of the history.
fn clerk_at_the_end(courts: &Arc<Courts>, ledger: &Arc<dyn Ledger>) -> (Clerk, ClerkThread) {
    static STILL: std::sync::atomic::AtomicI64 = std::sync::atomic::AtomicI64::new(0);
    let clock = assize_engine::Clock::by_hand(now(), &STILL);
    Clerk::start_by(clock, courts.clone(), ledger.clone(), ClerkSettings::default()).unwrap()
}

#[tokio::test]
async fn the_same_seed_fills_the_same_and_another_one_something_else() {
    let [(_, one, played), (_, same, again), (_, other, _)] =
        [filled(2_026).await, filled(2_026).await, filled(7).await];
    assert_eq!(told(&*one), told(&*same));
    assert_eq!(played, again);
    assert_ne!(told(&*one), told(&*other));
}

#[tokio::test]
async fn every_verdict_of_it_can_be_computed_again_and_none_lies_in_the_future() {
    for seed in [2_026, 1, 99] {
        let (courts, ledger, played) = filled(seed).await;
        let again = replay(&courts, &*ledger, &mut |_| {}).unwrap();
        assert!(again.is_well() && again.verdicts > 800, "seed {seed}: {again:?}");
        let of_contests = |code: &&String| code.starts_with("contest.");
        let elsewhere: Vec<_> = played.refused.keys().filter(|code| !of_contests(code)).collect();
        assert!(elsewhere.is_empty(), "seed {seed}: {played:?}");
        let mut latest = Moment::default();
        ledger
            .scan(Scan::all(0, Depth::Whole), &mut |record| {
                latest = latest.max(record.at);
                ControlFlow::Continue(())
            })
            .unwrap();
        assert!(latest <= now(), "seed {seed}: {latest}");
    }
}

#[tokio::test]
async fn hunters_are_in_every_state_there_is() {
    for seed in [2_026, 4] {
        let (courts, ledger, _) = filled(seed).await;
        let (clerk, thread) = clerk_at_the_end(&courts, &ledger);
        assert_eq!(hunter(&clerk, "yuki", |seen| seen.rank()).await, Rank::D, "seed {seed}");
        assert_eq!(hunter(&clerk, "boris", |seen| seen.status()).await, HunterStatus::Flagged, "seed {seed}");
        assert_eq!(
            hunter(&clerk, "vera", |seen| seen.status()).await,
            HunterStatus::Corrupted,
            "seed {seed}"
        );
        let cleared = hunter(&clerk, "lena", |seen| seen.status()).await;
        assert!(matches!(cleared, HunterStatus::Normal | HunterStatus::Verified), "seed {seed}: {cleared:?}");
        let day = "2026-03-04".parse().unwrap();
        let exam = |name: &str| {
            let stream = format!("quest/{name}").parse().unwrap();
            let look = move |state: &QuestState| state.hunter_view(day).unwrap().exam;
            let clerk = clerk.clone();
            async move { clerk.inspect(stream, look).await.unwrap() }
        };
        let begun = exam("ines").await.unwrap();
        assert!(
            !begun.pending && begun.due.to_string() == "2026-03-05T12:30:00.000Z",
            "seed {seed}: {begun:?}"
        );
        let waiting = exam("marek").await.unwrap();
        assert!(waiting.pending && waiting.grant_at.is_some(), "seed {seed}: {waiting:?}");
        let held = exam("tomas").await.unwrap();
        assert!(held.pending && held.grant_at.is_none(), "seed {seed}: {held:?}");
        let waiting = clerk.views().board(assize_courts::quest::QUEUE).map_or(0, |board| board.len());
        assert!(waiting > 5, "seed {seed}: {waiting} things wait for judges");
        thread.close();
    }
}

#[tokio::test]
async fn students_end_well_badly_and_not_at_all_and_models_are_ranked_by_what_they_deserve() {
    let (courts, ledger, _) = filled(2_026).await;
    let (clerk, thread) = clerk_at_the_end(&courts, &ledger);
    let class = clerk.inspect("radio/morning".parse().unwrap(), |state: &RadioState| state.view(None));
    let sessions = class.await.unwrap().sessions;
    let ended = |outcome| sessions.iter().filter(|session| session.outcome == Some(outcome)).count();
    assert_eq!(sessions.len(), 24);
    assert!(ended(SessionOutcome::Completed) >= 18, "{sessions:?}");
    assert_eq!(ended(SessionOutcome::Timeout), 1, "{sessions:?}");
    let run = |state: &SummaryState| (state.items.len(), state.models.clone());
    let (items, models) = clerk.inspect("summary/newsroom".parse().unwrap(), run).await.unwrap();
    assert_eq!((items, models.len()), (25, 5));
    let careful = models["careful"].mean();
    assert!(careful > models["hasty"].mean() && careful > models["indignant"].mean(), "{models:?}");
    thread.close();
}
