//! Revisions of hunters and radio classes to another rulebook: the report, and adopting it.

use std::sync::Arc;

use assize_courts::quest::{HunterStatus, QuestCommand, QuestState};
use assize_courts::radio::{RadioCommand, RadioState};
use assize_engine::{Answer, Clerk, ClerkSettings, ClerkThread, Courts, Petition, Revise, rejudge, replay};
use assize_kernel::{Actor, AnyCommand, Millis, Moment, Revision, RevisionReport, Role, StreamId};
use assize_ledger::{Ledger, MemoryLedger, export, import};
use serde_json::{Value, json};

struct ClerkFixture {
    courts: Arc<Courts>,
    clerk: Clerk,
    ledger: Arc<dyn Ledger>,
    stream: StreamId,
    start: Moment,
    _thread: ClerkThread,
}

impl ClerkFixture {
    fn over(ledger: Arc<dyn Ledger>, stream: &str) -> Self {
        let courts = Arc::new(Courts::shipped().unwrap());
        let (clerk, thread) = Clerk::start(courts.clone(), ledger.clone(), ClerkSettings::default()).unwrap();
        let stream = stream.parse().unwrap();
        let start = clerk.now();
        Self { courts, clerk, ledger, stream, start, _thread: thread }
    }

    fn new(stream: &str) -> Self {
        Self::over(Arc::new(MemoryLedger::new()), stream)
    }

    async fn hear(&self, command: AnyCommand, seconds: i64) -> Answer {
        let actor = Actor::new(Role::Judge, "kim");
        let at = self.start + Millis(seconds * 1000);
        self.clerk.submit(Petition::new(self.stream.clone(), command, actor, at)).await.unwrap()
    }

    /// Submits a command in the JSON of the case files.
    async fn quest(&self, command: Value, seconds: i64) -> Answer {
        let command: QuestCommand = serde_json::from_value(command).unwrap();
        self.hear(Box::new(command), seconds).await
    }

    async fn radio(&self, command: Value) -> Answer {
        let command: RadioCommand = serde_json::from_value(command).unwrap();
        self.hear(Box::new(command), 1).await
    }

    fn revision(&self, name: &str, text: &str) -> Revision {
        let court = self.courts.get(self.stream.court()).unwrap();
        let book = court.read_rulebook(&format!("{name}.toml"), text).unwrap();
        Revision { rulebook: Some(book), amendments: Vec::new(), reason: "other rules were meant".into() }
    }

    fn shipped(&self, name: &str) -> Revision {
        let text = self.courts.rulebook(self.stream.court(), name).unwrap().text.clone();
        self.revision(name, &text)
    }

    fn report(&self, revision: &Revision) -> RevisionReport {
        let actor = Actor::new(Role::Judge, "kim");
        rejudge(&self.courts, &*self.ledger, &self.stream, revision, &actor).unwrap()
    }

    async fn adopt(&self, revision: Revision, seconds: i64) {
        self.hear(Box::new(Revise { revision, seen: None }), seconds).await;
    }

    /// Checks that the rebuilt state and boards are the same, and that replay confirms every verdict.
    async fn check(&self) {
        let mut lines = Vec::new();
        export(&*self.ledger, &mut lines, &mut |_| {}).unwrap();
        let copy: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
        import(&*copy, &mut lines.as_slice(), &mut |_| {}).unwrap();
        let rebuilt = Self::over(copy, self.stream.as_str());
        let seen = |fixture: &Self| {
            let stream = fixture.stream.clone();
            let clerk = fixture.clerk.clone();
            async move {
                match stream.court() {
                    "quest" => format!("{:?}", clerk.inspect(stream, QuestState::clone).await.unwrap()),
                    _ => format!("{:?}", clerk.inspect(stream, RadioState::clone).await.unwrap()),
                }
            }
        };
        assert_eq!(seen(self).await, seen(&rebuilt).await);
        assert!(*self.clerk.views() == *rebuilt.clerk.views(), "the boards differ");
        let found = replay(&self.courts, &*self.ledger, &mut |_| {}).unwrap();
        assert!(found.is_well(), "{:?}", found.shown);
    }

    async fn hunter(&self) -> (HunterStatus, u64) {
        let look = |state: &QuestState| state.hunter().map(|hunter| (hunter.status(), hunter.xp()));
        self.clerk.inspect(self.stream.clone(), look).await.unwrap().unwrap()
    }

    async fn log(&self, quest: &str, day: &str, seconds: i64) {
        let exercise = json!({ "name": "Push-ups", "sets": 3, "reps": 10 });
        let plan = json!({ "estimated_duration_min": 30, "target_rpe": 7, "intensity": "Medium",
            "exercises": [exercise] });
        let assign = json!({ "quest": quest, "quest_type": "Daily", "plan": plan });
        self.quest(json!({ "AssignQuest": assign }), seconds).await;
        let done = json!({ "name": "Push-ups", "sets_done": 3, "reps_done": "10" });
        let log =
            json!({ "duration_seconds": 1500, "actual_rpe": 7, "condition": "Fresh", "exercises": [done] });
        self.quest(json!({ "SubmitLog": { "quest": quest, "log": log, "day": day } }), seconds).await;
    }
}

async fn reported_hunter() -> ClerkFixture {
    let fixture = ClerkFixture::new("quest/anna");
    let anna = json!({ "hunter": "anna", "class": "Novice", "zone": "UTC" });
    fixture.quest(json!({ "RegisterHunter": anna }), 0).await;
    fixture.log("q1", "2026-03-01", 10).await;
    for reporter in ["ben", "cleo", "dan", "eve", "fay"] {
        let report = json!({ "reporter": reporter, "quest": "q1", "reason": "spam", "weight": 1.0 });
        fixture.quest(json!({ "ReceiveReport": report }), 20).await;
    }
    fixture.log("q2", "2026-03-02", 30).await;
    fixture
}

#[tokio::test]
async fn a_hunter_whom_five_have_reported_is_paid_under_the_fair_rulebook() {
    let fixture = reported_hunter().await;
    // 30 min × 10 × 1.2 for the effort; nothing more since they are Corrupted.
    assert_eq!(fixture.hunter().await, (HunterStatus::Corrupted, 360));
    let report = fixture.report(&fixture.shipped("fair"));
    let moved: Vec<_> =
        report.changed.iter().map(|change| (change.before.points, change.after.points)).collect();
    // The second log: 300 × 1.2 × 1.02 for a day's streak × 0.8 since they are Flagged, floored.
    assert_eq!(moved.last(), Some(&(0.0, 293.0)), "{moved:?}");
    fixture.adopt(fixture.shipped("fair"), 40).await;
    assert_eq!(fixture.hunter().await, (HunterStatus::Flagged, 360 + 293));
    fixture.check().await;
    // What a judge decides then follows the rules that count now.
    let decide = json!({ "reporter": "ben", "quest": "q1", "confirmed": false });
    fixture.quest(json!({ "DecideReport": decide }), 50).await;
    assert_eq!(fixture.hunter().await.0, HunterStatus::Flagged);
    fixture.adopt(fixture.shipped("hunter"), 60).await;
    assert_eq!(fixture.hunter().await, (HunterStatus::Flagged, 360), "four reports flag under either");
    fixture.check().await;
}

#[tokio::test]
async fn what_a_judge_decided_about_a_report_is_weighed_by_the_other_rulebook_too() {
    let fixture = reported_hunter().await;
    let decide = json!({ "reporter": "ben", "quest": "q1", "confirmed": true });
    fixture.quest(json!({ "DecideReport": decide }), 40).await;
    assert_eq!(fixture.hunter().await.0, HunterStatus::Corrupted, "five still stand");
    fixture.adopt(fixture.shipped("fair"), 50).await;
    assert_eq!(fixture.hunter().await.0, HunterStatus::Flagged, "only a judge makes somebody Corrupted");
    fixture.check().await;
}

#[tokio::test]
async fn an_exam_that_would_not_have_been_offered_counts_nothing() {
    let fixture = ClerkFixture::new("quest/anna");
    let early =
        fixture.courts.rulebook("quest", "hunter").unwrap().text.replacen("level = 5", "level = 1", 1);
    let anna = json!({ "hunter": "anna", "class": "Novice", "zone": "UTC" });
    fixture.quest(json!({ "RegisterHunter": anna }), 0).await;
    fixture.adopt(fixture.revision("early", &early), 1).await;
    fixture.quest(json!({ "AcceptExam": { "quest": "x1", "draw": 3 } }), 10).await;
    let done = |name: &str, reps: u32| json!({ "name": name, "sets_done": 1, "reps_done": reps });
    let proof = json!({ "kind": "Timelapse", "sha256": "ab".repeat(32), "length_seconds": 20 });
    let log = json!({ "duration_seconds": 600, "actual_rpe": 8, "condition": "Fresh", "proof": proof,
        "exercises": [done("Push-ups", 30), done("Squats", 40)] });
    let submit = json!({ "quest": "x1", "log": log, "day": "2026-03-01" });
    fixture.quest(json!({ "SubmitLog": submit }), 20).await;
    fixture.quest(json!({ "DecideExam": { "quest": "x1", "granted": true } }), 30).await;
    let rank = |state: &QuestState| state.hunter().map(|hunter| hunter.rank().as_str());
    let seen = || fixture.clerk.inspect(fixture.stream.clone(), rank);
    assert_eq!(seen().await.unwrap(), Some("D"));
    let report = fixture.report(&fixture.shipped("hunter"));
    let refused: Vec<_> =
        report.changed.iter().filter_map(|change| change.after.refusal.as_deref()).collect();
    assert_eq!(refused, ["quest.quest.unknown", "quest.exam.none"]);
    fixture.adopt(fixture.shipped("hunter"), 40).await;
    assert_eq!(seen().await.unwrap(), Some("E"));
    fixture.check().await;
}

#[tokio::test]
async fn a_readback_that_begins_with_the_callsign_is_in_order_in_the_united_states() {
    let fixture = ClerkFixture::new("radio/spring");
    fixture.radio(json!({ "OpenClass": { "name": "Spring" } })).await;
    let session = json!({ "session": "one", "student": "ann", "scenario": "conditional-line-up" });
    fixture.radio(json!({ "OpenSession": session })).await;
    let say = |text: &str| json!({ "Transmit": { "session": "one", "student": "ann", "text": text } });
    let first =
        "Coastal seven three four, behind the landing Boeing, line up and wait runway one six right behind.";
    fixture.radio(say(first)).await;
    fixture.radio(say("Runway one six right, cleared for take-off, Coastal seven three four.")).await;
    let report = fixture.report(&fixture.shipped("faa"));
    let changed = &report.changed[0];
    assert_eq!(changed.participant.as_deref(), Some("ann"));
    assert_eq!(changed.after.points, 5.0);
    assert!(changed.before.points < 5.0, "out of order under the first rulebook: {changed:?}");
    fixture.adopt(fixture.shipped("faa"), 2).await;
    let look =
        |state: &RadioState| state.session("one").map(|session| (session.score_total(), session.ended));
    let (total, ended) = fixture.clerk.inspect(fixture.stream.clone(), look).await.unwrap().unwrap();
    assert!(total > report.changed[0].before.points && ended.is_some(), "{total} {ended:?}");
    fixture.check().await;
}
