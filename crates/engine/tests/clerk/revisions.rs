//! A revised history is the same live, in another process, rebuilt and loaded from snapshots.

use std::sync::Arc;

use assize_courts::contest::{ContestCommand, ContestState, SubmittedAnswer, TaskPoints, TaskType};
use assize_engine::{
    Answer, Clerk, ClerkError, ClerkSettings, ClerkThread, Courts, Petition, Revise, replay,
};
use assize_kernel::{Actor, AnyCommand, Millis, Moment, Revision, Role, StreamId};
use assize_ledger::{Ledger, MemoryLedger, export, import};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Possible ground truths of the task.
const TRUTHS: [&str; 3] = ["100-200", "300-400", "100-400"];
const OUTCOMES: [&str; 3] = ["full", "partial", "incorrect"];
const RULEBOOKS: [&str; 3] = ["competition", "vbs", "tolerance"];

struct Hall {
    courts: Arc<Courts>,
    clerk: Clerk,
    _thread: ClerkThread,
}

impl Hall {
    fn over(ledger: &Arc<dyn Ledger>) -> Self {
        let courts = Arc::new(Courts::shipped().unwrap());
        let (clerk, thread) = Clerk::start(courts.clone(), ledger.clone(), ClerkSettings::default()).unwrap();
        Self { courts, clerk, _thread: thread }
    }

    async fn hear(&self, command: AnyCommand, at: Moment) -> Result<Answer, ClerkError> {
        self.clerk.submit(Petition::new(stream(), command, Actor::new(Role::Judge, "anna"), at)).await
    }

    async fn must(&self, command: ContestCommand, at: Moment) -> Answer {
        self.hear(Box::new(command), at).await.unwrap()
    }

    async fn revise(
        &self,
        rulebook: Option<&str>,
        amendments: Vec<Value>,
        seen: Option<u64>,
        at: Moment,
    ) -> Result<Answer, ClerkError> {
        let rulebook = rulebook.map(|name| self.courts.rulebook("contest", name).unwrap().clone());
        let revision = Revision { rulebook, amendments, reason: "on second thoughts".into() };
        self.hear(Box::new(Revise { revision, seen }), at).await
    }

    async fn state(&self) -> ContestState {
        self.clerk.inspect(stream(), ContestState::clone).await.unwrap()
    }

    fn board(&self) -> Vec<(usize, String, f64)> {
        let views = self.clerk.views();
        let rows = views.board("contest/spring").into_iter().flat_map(|board| board.rows(0, usize::MAX));
        rows.map(|row| (row.rank, row.participant.to_string(), row.standing.points)).collect()
    }
}

fn stream() -> StreamId {
    StreamId::new("contest", "spring").unwrap()
}

fn new() -> (Arc<dyn Ledger>, Hall) {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    let hall = Hall::over(&ledger);
    (ledger, hall)
}

fn bare_copy(ledger: &dyn Ledger) -> Arc<dyn Ledger> {
    let mut lines = Vec::new();
    export(ledger, &mut lines, &mut |_| {}).unwrap();
    let copy: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    import(&*copy, &mut lines.as_slice(), &mut |_| {}).unwrap();
    copy
}

async fn open(hall: &Hall, at: Moment) {
    hall.must(ContestCommand::OpenContest { name: "Spring".into() }, at).await;
    for team in 0..3 {
        let team = format!("team-{team}").into();
        hall.must(ContestCommand::RegisterTeam { team, name: None, contact: None }, at).await;
    }
    let add = ContestCommand::AddTask {
        task: "1".into(),
        task_type: TaskType::Tr,
        video_id: Some("V017".into()),
        points: Some(TaskPoints::Text(TRUTHS[0].into())),
        answer: None,
        scene_id: None,
        time_limit_seconds: Some(600_000.0),
        hints: Vec::new(),
        rehearsal: false,
    };
    hall.must(add, at).await;
    let start = ContestCommand::StartTask {
        task: "1".into(),
        time_limit_seconds: None,
        buffer_seconds: None,
        countdown_seconds: None,
    };
    hall.must(start, at).await;
}

fn submission(team: u8, frames: &str) -> ContestCommand {
    let text = Some(format!("TR-V017-{}", frames.replace('-', ",")));
    ContestCommand::SubmitAnswer {
        task: "1".into(),
        team: format!("team-{}", team % 3).into(),
        answers: vec![SubmittedAnswer { text, ..SubmittedAnswer::default() }],
    }
}

fn overrule(position: u64, outcome: &str) -> Value {
    json!({ "OverruleAnswer": { "position": position, "outcome": outcome } })
}

/// Submits a random command; refusals are ignored.
async fn happen(hall: &Hall, action: (u8, u8, u8), judged: &mut Vec<u64>, at: Moment) {
    let (what, one, two) = action;
    let pick = |list: &[&'static str]| list[usize::from(one) % list.len()];
    match what {
        0..=5 => {
            let frames =
                if two % 4 == 0 { format!("{one}-{}", one.max(1)) } else { pick(&TRUTHS).to_owned() };
            if let Ok(answer) = hall.hear(Box::new(submission(two, &frames)), at).await {
                judged.push(answer.records.last().unwrap().position);
            }
        }
        6 | 7 if !judged.is_empty() => {
            let position = judged[usize::from(two) % judged.len()];
            drop(hall.revise(None, vec![overrule(position, pick(&OUTCOMES))], None, at).await);
        }
        8 => {
            let correct = json!({ "CorrectTask": { "task": "1", "points": pick(&TRUTHS) } });
            drop(hall.revise(None, vec![correct], None, at).await);
        }
        9 => drop(hall.revise(Some(pick(&RULEBOOKS)), Vec::new(), None, at).await),
        10 => drop(hall.hear(Box::new(ContestCommand::FreezeBoards {}), at).await),
        11 => drop(hall.hear(Box::new(ContestCommand::RevealTeam {}), at).await),
        _ => drop(hall.hear(Box::new(ContestCommand::UnfreezeBoards {}), at).await),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_revised_history_is_the_same_live_beside_rebuilt_and_replayed(
        moves in prop::collection::vec((0..13_u8, any::<u8>(), any::<u8>()), 0..40)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (ledger, one) = new();
            let two = Hall::over(&ledger);
            let start = one.clerk.now();
            let mut judged = Vec::new();
            open(&one, start).await;
            for (index, each) in moves.into_iter().enumerate() {
                let hall = if index % 3 == 0 { &two } else { &one };
                let at = start + Millis(11_000 * (index as i64 + 1));
                happen(hall, each, &mut judged, at).await;
            }
            // A process that appends has first applied what the other appended.
            for hall in [&one, &two, &one] {
                let team = format!("late-{}", ledger.head().unwrap().position).into();
                hall.must(ContestCommand::RegisterTeam { team, name: None, contact: None }, start).await;
            }
            let rebuilt = Hall::over(&bare_copy(&*ledger));
            prop_assert_eq!(one.state().await, rebuilt.state().await);
            prop_assert!(*one.clerk.views() == *rebuilt.clerk.views(), "the boards differ");
            let found = replay(&one.courts, &*ledger, &mut |_| {}).unwrap();
            prop_assert!(found.is_well(), "{:?}", found.shown);
            // Judging again without amendments changes nothing.
            let revision = Revision { rulebook: None, amendments: vec![], reason: "?".into() };
            let actor = Actor::clock();
            let report = assize_engine::rejudge(&one.courts, &*ledger, &stream(), &revision, &actor).unwrap();
            prop_assert_eq!(report.changed, vec![]);
            let state = one.state().await;
            drop((one, two));
            let saved = Hall::over(&ledger);
            prop_assert_eq!(&state, &saved.state().await);
            prop_assert!(*saved.clerk.views() == *rebuilt.clerk.views(), "the saved views differ");
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn a_report_that_something_was_judged_after_is_not_adopted() {
    let (_, hall) = new();
    let start = hall.clerk.now();
    open(&hall, start).await;
    let first = hall.must(submission(0, "1-2"), start + Millis(1_000)).await.records[0].position;
    let ruling = || vec![overrule(first, "full")];
    hall.must(submission(1, "1-2"), start + Millis(2_000)).await;
    let stale = hall.revise(None, ruling(), Some(first), start + Millis(3_000)).await;
    let Err(ClerkError::Refused(refusal)) = stale else { panic!("it was adopted") };
    assert_eq!(refusal.code, "revision.stale");
    assert_eq!(hall.board()[0], (1, "team-0".into(), 0.0));
    hall.revise(None, ruling(), Some(first + 1), start + Millis(3_000)).await.unwrap();
    assert_eq!(hall.board()[0], (1, "team-0".into(), 100.0));
}

#[tokio::test]
async fn a_revision_sees_what_is_not_on_disk_yet() {
    let (ledger, hall) = new();
    let start = hall.clerk.now();
    open(&hall, start).await;
    let first = hall.must(submission(0, "1-2"), start + Millis(1_000)).await.records[0].position;
    // Sent together: decided in one batch, or on top of a batch in flight.
    let actor = Actor::new(Role::Judge, "anna");
    let at = start + Millis(20_000);
    let revision =
        Revision { rulebook: None, amendments: vec![overrule(first, "full")], reason: "right".into() };
    let revise = Box::new(Revise { revision, seen: None });
    let submit = |frames| hall.hear(Box::new(submission(0, frames)), start + Millis(12_000));
    let revise = hall.clerk.submit(Petition::new(stream(), revise, actor, at));
    let (one, two, revised) = tokio::join!(submit("3-4"), submit("100-200"), revise);
    assert!(one.is_ok() && two.is_ok(), "both were judged");
    // The overruled answer, the two later answers that now count nothing, and the revision itself.
    assert_eq!(revised.unwrap().records.len(), 4);
    assert_eq!(hall.board()[0], (1, "team-0".into(), 100.0));
    assert_eq!(Hall::over(&bare_copy(&*ledger)).board(), hall.board());
}

#[tokio::test]
async fn a_snapshot_from_before_a_revision_is_not_the_end_of_it() {
    let (ledger, hall) = new();
    let start = hall.clerk.now();
    open(&hall, start).await;
    let first = hall.must(submission(0, "1-2"), start).await.records[0].position;
    for number in 0..1_100 {
        hall.must(submission(1, &format!("{}-{}", number + 1_000, number + 1_000)), start).await;
    }
    let saved = ledger.snapshot("contest/spring").unwrap().expect("a thousand events are worth a snapshot");
    hall.revise(None, vec![overrule(first, "full")], None, start).await.unwrap();
    hall.must(submission(2, "100-200"), start).await;
    let state = hall.state().await;
    let board = hall.board();
    drop(hall);
    ledger.writer().unwrap().save_snapshots(&[saved]).unwrap();
    let again = Hall::over(&ledger);
    assert_eq!((again.state().await, again.board()), (state, board));
}

#[tokio::test]
async fn a_correction_that_changes_no_verdict_yet_counts_for_the_next() {
    let (_, hall) = new();
    let start = hall.clerk.now();
    open(&hall, start).await;
    let correct = json!({ "CorrectTask": { "task": "1", "points": "7-9" } });
    hall.revise(None, vec![correct], None, start).await.unwrap();
    hall.must(submission(0, "7-9"), start).await;
    assert_eq!(hall.board()[0], (1, "team-0".into(), 100.0));
}

#[tokio::test]
async fn a_rulebook_that_a_revision_brings_is_kept_with_it() {
    let (ledger, hall) = new();
    let start = hall.clerk.now();
    open(&hall, start).await;
    hall.must(submission(0, "1-2"), start + Millis(1_000)).await;
    let text =
        hall.courts.rulebook("contest", "competition").unwrap().text.replace("penalty = 10", "penalty = 7");
    let rulebook = Some(hall.courts.get("contest").unwrap().read_rulebook("other.toml", &text).unwrap());
    let revision = Revision { rulebook, amendments: Vec::new(), reason: "seven were meant".into() };
    hall.hear(Box::new(Revise { revision, seen: None }), start + Millis(2_000)).await.unwrap();
    let again = Hall::over(&bare_copy(&*ledger));
    let answer = again.must(submission(0, "100-200"), start + Millis(12_000)).await;
    let verdict: Value = serde_json::from_str(answer.records[0].draft.verdict.as_ref().unwrap()).unwrap();
    assert_eq!(verdict["points"], 93.0, "50 + 50 − 7, right after the start of a long task");
}

async fn again(hall: &Hall, start: Moment) -> Answer {
    hall.must(submission(0, "1-2"), start + Millis(6_000)).await
}

#[tokio::test]
async fn whoever_repeats_an_answer_is_told_the_verdict_that_stands() {
    let (ledger, hall) = new();
    let start = hall.clerk.now();
    open(&hall, start).await;
    let outcome = |answer: &Answer| {
        let verdict = answer.records[0].draft.verdict.as_ref().unwrap();
        let verdict: Value = serde_json::from_str(verdict).unwrap();
        (answer.records[0].position, verdict["outcome"].as_str().unwrap().to_owned())
    };
    let first = hall.must(submission(0, "1-2"), start + Millis(1_000)).await.records[0].position;
    assert_eq!(outcome(&again(&hall, start).await), (first, "incorrect".into()));
    // Sent together, so that the revision may still be in flight.
    let ruling = hall.revise(None, vec![overrule(first, "full")], None, start + Millis(5_000));
    let (ruled, told) = tokio::join!(ruling, again(&hall, start));
    assert!(ruled.is_ok());
    assert_eq!((outcome(&told), told.repeated), ((first, "full".into()), true));
    assert_eq!(
        outcome(&again(&hall, start).await),
        (first, "full".into()),
        "nor does it matter that it is by now"
    );
    drop(hall);
    let hall = Hall::over(&ledger);
    assert_eq!(outcome(&again(&hall, start).await), (first, "full".into()), "and after a restart");
    hall.revise(None, vec![overrule(first, "incorrect")], None, start + Millis(7_000)).await.unwrap();
    assert_eq!(outcome(&again(&hall, start).await), (first, "incorrect".into()));
}

#[tokio::test]
async fn what_people_have_said_stands_when_a_ground_truth_comes_later() {
    let (ledger, hall) = new();
    let start = hall.clerk.now();
    open(&hall, start).await;
    for command in [
        json!({ "AddTask": { "task": "2", "type": "TR" } }),
        json!({ "StartTask": { "task": "2", "time_limit_seconds": 600_000.0 } }),
    ] {
        hall.must(serde_json::from_value(command).unwrap(), start).await;
    }
    let send = async |team: u8, frames: &str, seconds: i64| {
        let ContestCommand::SubmitAnswer { team, answers, .. } = submission(team, frames) else {
            unreachable!("it is one")
        };
        let command = ContestCommand::SubmitAnswer { task: "2".into(), team, answers };
        let answer = hall.must(command, start + Millis(1_000 * seconds)).await;
        let verdict = answer.records[0].draft.verdict.clone();
        let verdict = verdict.map(|verdict| serde_json::from_str::<Value>(&verdict).unwrap());
        verdict.map(|verdict| verdict["outcome"].as_str().unwrap().to_owned())
    };
    let decide = async |outcome: &str| {
        let taken = hall.must(ContestCommand::TakeAnswer {}, start + Millis(30_000)).await;
        let taken: Value = serde_json::from_str(&taken.records[0].draft.body).unwrap();
        let answer = &taken["AnswerTaken"]["answer"];
        let command = json!({ "DecideAnswer": { "answer": answer, "outcome": outcome } });
        hall.must(serde_json::from_value(command).unwrap(), start + Millis(31_000)).await;
    };
    assert_eq!(send(0, "1-2", 1).await, None, "it waits for a judge");
    decide("full").await;
    assert_eq!(send(1, "3-4", 40).await, None);
    let correct = json!({ "CorrectTask": { "task": "2", "video_id": "V017", "points": "3-4" } });
    hall.revise(None, vec![correct], None, start + Millis(50_000)).await.unwrap();
    assert_eq!(hall.board()[0], (1, "team-0".into(), 100.0), "a judge's word is not taken back by it");
    assert_eq!(send(2, "1-2", 60).await.as_deref(), Some("full"), "and holds for an equal answer");
    assert_eq!(send(1, "3-4", 61).await, None, "who has an answer waiting does not overtake it");
    assert_eq!(send(1, "7-8", 62).await, None);
    decide("incorrect").await;
    decide("incorrect").await;
    assert_eq!(send(1, "5-6", 80).await.as_deref(), Some("incorrect"), "of this nobody has said anything");
    assert_eq!(send(1, "3-4", 90).await.as_deref(), Some("incorrect"), "whatever the ground truth says");
    let found = replay(&hall.courts, &*ledger, &mut |_| {}).unwrap();
    assert!(found.is_well(), "{:?}", found.shown);
}
