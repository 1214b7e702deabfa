//! Property tests of the contest court.

mod case_files;

use std::collections::BTreeMap;

use assize_kernel::{
    Actor, AnyCourt, AnyRulebook, AnyStream, Board, CommandContext, Comparison, CourtAdapter, DecideError,
    Draft, Head, Millis, Moment, Record, Role, Ruling,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const TRUTH: [u64; 4] = [10, 20, 20, 30];

fn court() -> CourtAdapter<Contest> {
    CourtAdapter::new()
}

fn book() -> AnyRulebook {
    court().read_rulebook("competition.toml", COMPETITION).unwrap()
}

/// The points of a document, or `None` if it was refused.
fn points(task_type: &str, values: &[u64], elapsed_seconds: f64, wrong_attempts: u32) -> Option<f64> {
    let text: Vec<String> = values.iter().map(u64::to_string).collect();
    let answers = match task_type {
        "KIS" => values.iter().map(|value| json!({"mediaItemName": "V1", "start": value})).collect(),
        _ => vec![json!({"text": format!("TR-V1-{}", text.join(","))})],
    };
    let document = json!({
        "task": {"type": task_type, "video_id": "V1", "points": TRUTH},
        "submission": {"answerSets": [{"answers": answers}]},
        "elapsed_seconds": elapsed_seconds,
        "wrong_attempts": wrong_attempts,
    });
    let verdict = court().judge(&book(), &document.to_string()).ok()?;
    serde_json::from_str::<Value>(&verdict).unwrap().get("points").and_then(Value::as_f64)
}

fn values() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(prop::sample::select(vec![1, 10, 20, 30, 40]), 1..8)
}

fn task_type() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["KIS", "TR"])
}

proptest! {
    #[test]
    fn a_score_lies_between_0_and_the_maximum(
        kind in task_type(), values in values(), elapsed in 0.0..310.0, wrong in 0_u32..20,
    ) {
        let points = points(kind, &values, elapsed, wrong).unwrap();
        prop_assert!((0.0..=100.0).contains(&points), "{points}");
    }

    #[test]
    fn more_time_or_more_wrong_attempts_never_raise_a_score(
        kind in task_type(), values in values(), elapsed in 0.0..300.0, wrong in 0_u32..10,
        more_time in 0.0..10.0, more_wrong in 0_u32..3,
    ) {
        let before = points(kind, &values, elapsed, wrong).unwrap();
        prop_assert!(points(kind, &values, elapsed + more_time, wrong).unwrap() <= before);
        prop_assert!(points(kind, &values, elapsed, wrong + more_wrong).unwrap() <= before);
    }

    #[test]
    fn values_that_are_no_boundaries_never_raise_a_score(
        kind in task_type(), values in values(), extra in prop::collection::vec(1000_u64..2000, 1..6),
    ) {
        let padded: Vec<u64> = values.iter().chain(&extra).copied().collect();
        prop_assert!(points(kind, &padded, 30.0, 0).unwrap() <= points(kind, &values, 30.0, 0).unwrap());
    }

    #[test]
    fn the_order_of_the_values_does_not_count(kind in task_type(), values in values().prop_shuffle()) {
        let mut sorted = values.clone();
        sorted.sort_unstable();
        prop_assert_eq!(points(kind, &values, 30.0, 1), points(kind, &sorted, 30.0, 1));
    }

    #[test]
    fn any_text_at_all_is_judged_or_refused(text in ".*", video in ".*", start in ".*", kind in 0..3_usize) {
        let mut live = LiveContest::new();
        let answer = SubmittedAnswer {
            text: Some(text.clone()),
            media_item_name: Some(video),
            start: Some(VideoMark::Text(start)),
            end: None,
        };
        let task = ["kis", "qa", "tr"][kind].to_owned();
        live.hear(5, ContestCommand::SubmitAnswer { task: task.into(), team: "ants".into(), answers: vec![answer] });
        let prefixed = SubmittedAnswer { text: Some(format!("QA-{text}-V1-10,20")), ..SubmittedAnswer::default() };
        live.hear(6, ContestCommand::SubmitAnswer { task: "qa".into(), team: "ants".into(), answers: vec![prefixed] });
        live.court.judge(&live.book, &text).unwrap_err();
        live.check_replay();
    }

    #[test]
    fn any_history_replays_to_the_same_state_the_same_verdicts_and_the_same_boards(
        history in prop::collection::vec((0..20_u8, 0..3_u8, values(), 0..40_i64), 1..60)
    ) {
        let mut live = LiveContest::new();
        let mut now = 0;
        for (what, team, values, pause) in history {
            now += pause;
            match what {
                12..=14 => live.hear(now, submission("people", team, &values)),
                15.. => live.judge(now, what, usize::from(team), values.len()),
                _ => live.hear(now, command(what, team, &values)),
            }
        }
        live.check_replay();
    }
}

/// Generates a command: mostly answers, sometimes a stop or a start.
fn command(what: u8, team: u8, values: &[u64]) -> ContestCommand {
    let task = if what.is_multiple_of(2) { "tr" } else { "kis" }.to_owned();
    match what {
        0 | 1 => ContestCommand::StopTask { task: task.into() },
        2..=4 => ContestCommand::StartTask {
            task: task.into(),
            time_limit_seconds: None,
            buffer_seconds: None,
            countdown_seconds: Some(f64::from(team)),
        },
        5 => ContestCommand::AdjustTask { task: task.into(), by_seconds: f64::from(team) * 40.0 - 60.0 },
        6 => ContestCommand::SetProgramme { pause_seconds: (team > 0).then_some(5.0) },
        7 => match team {
            0 => ContestCommand::FreezeBoards {},
            1 => ContestCommand::UnfreezeBoards {},
            _ => ContestCommand::RevealTeam {},
        },
        _ => submission(&task, team, values),
    }
}

fn submission(task: &str, team: u8, values: &[u64]) -> ContestCommand {
    let team = ["ants", "bees", "nobody"][usize::from(team)];
    let moment = |value: &u64| SubmittedAnswer {
        media_item_name: Some("V1".to_owned()),
        start: Some(VideoMark::Number((*value).into())),
        ..SubmittedAnswer::default()
    };
    let texts: Vec<String> = values.iter().map(u64::to_string).collect();
    let text =
        SubmittedAnswer { text: Some(format!("TR-V1-{}", texts.join(","))), ..SubmittedAnswer::default() };
    let answers = if task == "kis" { values.iter().map(moment).collect() } else { vec![text] };
    ContestCommand::SubmitAnswer { task: task.into(), team: team.into(), answers }
}

/// A contest as the clerk would keep it, with its records.
struct LiveContest {
    court: CourtAdapter<Contest>,
    book: AnyRulebook,
    any_stream: Box<dyn AnyStream>,
    head: Head,
    records: Vec<Record>,
    boards: BTreeMap<String, Board>,
}

impl LiveContest {
    /// An open contest with two teams and four running tasks, one of them judged by people.
    fn new() -> Self {
        let any_stream = court().empty("contest/case".parse().unwrap());
        let mut live = Self {
            court: court(),
            book: book(),
            any_stream,
            head: Head::START,
            records: Vec::new(),
            boards: BTreeMap::new(),
        };
        live.hear(0, ContestCommand::OpenContest { name: "Case".into() });
        for team in ["ants", "bees"] {
            live.hear(0, ContestCommand::RegisterTeam { team: team.into(), name: None, contact: None });
        }
        for (task, task_type, answer) in [
            ("kis", TaskType::Kis, None),
            ("people", TaskType::Tr, None),
            ("qa", TaskType::Qa, Some(r"\(red|blue) car\")),
            ("tr", TaskType::Tr, None),
        ] {
            let answer = answer.map(str::to_owned);
            let truth = (task != "people").then(|| (TaskPoints::List(TRUTH.into()), "V1".to_owned()));
            let (points, video_id) = truth.unzip();
            let task = task.to_owned();
            live.hear(
                0,
                ContestCommand::AddTask {
                    task: task.clone().into(),
                    task_type,
                    scene_id: None,
                    video_id,
                    points,
                    answer,
                    time_limit_seconds: None,
                    hints: vec![TaskHint { at_seconds: 10.0, kind: HintKind::Text, content: "a dog".into() }],
                    rehearsal: false,
                },
            );
            live.hear(
                0,
                ContestCommand::StartTask {
                    task: task.into(),
                    time_limit_seconds: None,
                    buffer_seconds: None,
                    countdown_seconds: None,
                },
            );
        }
        assert_eq!(live.records.len(), 11);
        live
    }

    fn hear(&mut self, seconds: i64, command: ContestCommand) {
        self.hear_of(&Actor::new(Role::Admin, "organiser"), seconds, command);
    }

    /// One of three judges takes the next answer, or acts on one that they may hold.
    fn judge(&mut self, seconds: i64, what: u8, who: usize, how: usize) {
        let judge = Actor::new(Role::Judge, ["anna", "ben", "cleo"][who]);
        let state = self.any_stream.state().downcast_ref::<ContestState>().unwrap();
        let waiting: Vec<u64> = queue::queue(state).iter().map(|queued| queued.answer).collect();
        let answer = waiting.get(how % waiting.len().max(1)).copied().unwrap_or(1);
        let outcome =
            [AnswerOutcome::Full, AnswerOutcome::Partial, AnswerOutcome::Incorrect, AnswerOutcome::Undecided]
                [(who + how) % 4];
        let command = match what {
            15 | 16 => ContestCommand::TakeAnswer {},
            17 if who == 0 => ContestCommand::GiveBackAnswer { answer },
            17 => ContestCommand::RenewAnswer { answer },
            _ => ContestCommand::DecideAnswer { answer, outcome, note: (how > 2).then(|| "seen".into()) },
        };
        self.hear_of(&judge, seconds, command);
    }

    fn hear_of(&mut self, actor: &Actor, seconds: i64, command: ContestCommand) {
        let at = Moment::from_millis(0) + Millis(seconds * 1000);
        while self.any_stream.deadline().is_some_and(|due| due <= at) {
            let drafts = self.any_stream.fire(&self.book, self.head.position + 1).unwrap();
            self.record(drafts);
        }
        let context = CommandContext { at, actor, position: self.head.position + 1 };
        let command: assize_kernel::AnyCommand = Box::new(command);
        match self.any_stream.decide(&self.book, &command, context) {
            Ok(Ruling::Decided(drafts)) => self.record(drafts),
            Ok(Ruling::AsBefore(position)) => assert!(position <= self.head.position),
            Err(DecideError::Refused(_)) => {}
            Err(DecideError::Broken(problem)) => panic!("{problem}"),
        }
    }

    fn record(&mut self, drafts: Vec<Draft>) {
        for draft in drafts {
            self.records.push(self.head.seal([0; 16], draft));
        }
        take(&mut self.boards, self.any_stream.as_mut());
    }

    fn check_replay(&self) {
        let mut again = self.court.empty(self.any_stream.stream().clone());
        let mut boards = BTreeMap::new();
        for record in &self.records {
            let expected =
                if record.draft.verdict.is_some() { Comparison::Same } else { Comparison::NoVerdict };
            assert_eq!(again.compare(&self.book, &record.view()).unwrap(), expected);
            again.follow(&record.view()).unwrap();
        }
        take(&mut boards, again.as_mut());
        assert_eq!(again.snapshot(), self.any_stream.snapshot());
        assert_eq!(boards, self.boards);
        let restored =
            self.court.restore(again.stream().clone(), again.version(), &again.snapshot()).unwrap();
        assert_eq!(restored.snapshot(), again.snapshot());
    }
}

fn take(boards: &mut BTreeMap<String, Board>, any_stream: &mut dyn AnyStream) {
    let mut changes = Vec::new();
    any_stream.take_changes(&mut changes);
    for assize_kernel::PlacedChange { change, .. } in changes {
        boards.entry(change.board.to_string()).or_default().set(&change.participant, change.standing);
    }
}

#[test]
fn what_everybody_may_see_tells_nothing_of_the_ground_truth() {
    let live = LiveContest::new();
    let state = live.any_stream.state().downcast_ref::<ContestState>().unwrap();
    let seen = serde_json::to_string(&state.view()).unwrap();
    for secret in ["V1", "\"points\"", "red|blue", "video", "answer"] {
        assert!(!seen.contains(secret), "{secret} in {seen}");
    }
    assert_eq!(state.running_tasks().collect::<Vec<_>>(), ["kis", "people", "qa", "tr"]);
}

#[test]
fn a_body_that_is_wrong_is_named_by_its_path() {
    let read = |text: &str| serde_json::from_str::<SubmissionBody>(text);
    let body = read(
        r#"{"team_id": "ants", "question_id": 7, "answerSets": [{"answers": [{"text": "x", "y": 1}]}]}"#,
    );
    let body = body.unwrap();
    assert_eq!((body.team_id.as_deref(), body.question_id.as_deref()), (Some("ants"), Some("7")));
    assert_eq!(body.into_answers().len(), 1);
    let error = read(r#"{"answerSets": [{"answers": [{"text": 5}]}]}"#).unwrap_err();
    assert_eq!(error.to_string(), "answerSets[0].answers[0].text: expected a text, found `5`");
}
