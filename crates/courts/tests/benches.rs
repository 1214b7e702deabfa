//! What a bench decides: who has what, when it is judged, what enters the chain, and that a person outranks models.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot set the stage must stop"
)]

use std::sync::Arc;

use assize_kernel::{
    Actor, AnyBench, AnyCourt, AnyRulebook, AnyStream, Assessor, BenchCommand, BenchState, CommandContext,
    Comparison, DecideError, Destination, Digest, Draft, Head, Moment, PERSON, Panel, Phase, Questionnaire,
    Report, Role, Ruling, Testimony, Undelivered,
};
use serde_json::{Map, Value, json};

const CALL: &str =
    r#"{"controller":"G-ABCD, runway 27, cleared to land","pilot":"Cleared to land runway 27, G-ABCD"}"#;

/// A bench of the radio court, and what has been recorded there.
struct Hall {
    court: Arc<dyn AnyCourt>,
    face: Arc<dyn AnyBench>,
    book: AnyRulebook,
    any_stream: Box<dyn AnyStream>,
    records: Vec<assize_kernel::Record>,
    head: Head,
}

impl Hall {
    fn open(court: &str) -> Self {
        let courts = assize_courts::courts();
        let face = assize_courts::benches().into_iter().find(|bench| bench.court() == court).unwrap();
        let of = |name: &str| courts.iter().find(|known| known.name() == name).unwrap().clone();
        let (name, text) = of(court).rulebooks()[0];
        let book = of(court).read_rulebook(name, text).unwrap();
        let bench = of(face.name());
        let any_stream = bench.empty(format!("{}/any", face.name()).parse().unwrap());
        Self { court: bench, face, book, any_stream, records: Vec::new(), head: Head::START }
    }

    fn hear(&mut self, at: i64, command: BenchCommand) -> Result<Vec<Draft>, String> {
        let (at, actor) = (Moment::from_millis(at), Actor::new(Role::Admin, "any"));
        let context = CommandContext { at, actor: &actor, position: self.head.position + 1 };
        let command: assize_kernel::AnyCommand = Box::new(command);
        match self.any_stream.decide(&self.book, &command, context) {
            Ok(Ruling::Decided(drafts)) => {
                self.records.extend(drafts.iter().map(|draft| self.head.seal([0; 16], draft.clone())));
                Ok(drafts)
            }
            Ok(Ruling::AsBefore(_)) => panic!("nothing is decided twice here"),
            Err(DecideError::Refused(refusal)) => Err(refusal.code.into_owned()),
            Err(DecideError::Broken(problem)) => panic!("{problem}"),
        }
    }

    /// What follows, by kind.
    fn kinds(&mut self, at: i64, command: BenchCommand) -> Vec<String> {
        self.hear(at, command).unwrap().iter().map(|draft| draft.kind.to_string()).collect()
    }

    fn receive(&mut self, assessors: &[&str], people: u32) -> u64 {
        let assessors = assessors.iter().map(|name| (*name).into()).collect();
        let panel = Panel { assessors, people, threshold: 0.25 };
        self.hear(
            0,
            BenchCommand::Receive { document: CALL.into(), panel, personal: None, destination: None },
        )
        .unwrap();
        self.head.position
    }

    fn state(&self) -> &BenchState {
        self.any_stream.state().downcast_ref().unwrap()
    }

    fn asked(&self, document: &str) -> Questionnaire {
        self.face.ask(&self.book, document).unwrap()
    }

    /// The same label for everything.
    fn labelled(&self, label: &str) -> Value {
        let asked = self.asked(CALL);
        let answer = || json!({ "quote": "", "label": label });
        let answers = asked.items.iter().map(|item| (item.id.clone(), answer()));
        Value::Object(answers.collect::<Map<_, _>>())
    }

    fn report(&self, id: u64, name: &'static str, label: &str) -> BenchCommand {
        let testimony =
            testimony(Assessor { name: name.into(), version: "1".into() }, Some(self.labelled(label)));
        BenchCommand::Report { id, document: CALL.into(), testimony: Box::new(testimony) }
    }

    fn report_of_person(&self, id: u64, person: &'static str, label: &str) -> BenchCommand {
        let assessor = Assessor { name: PERSON.into(), version: person.into() };
        let testimony = testimony(assessor, Some(self.labelled(label)));
        BenchCommand::Report { id, document: CALL.into(), testimony: Box::new(testimony) }
    }
}

fn testimony(assessor: Assessor, answer: Option<Value>) -> Testimony {
    let problem = answer.is_none().then(|| "it was silent".to_owned());
    let question = Some(Digest::of(b"question"));
    Testimony { answer, problem, question, ..Testimony::of(assessor) }
}

fn begin(id: u64, assessor: &str, person: bool, until: i64) -> BenchCommand {
    BenchCommand::Begin { id, assessor: assessor.into(), person, until: Moment::from_millis(until) }
}

#[test]
fn a_lease_lapses_by_the_clock_and_the_submission_waits_again() {
    let mut hall = Hall::open("radio");
    let id = hall.receive(&["a"], 0);
    assert_eq!(hall.state().phase(id), Some(Phase::Received));
    hall.hear(1, begin(id, "a", false, 1000)).unwrap();
    assert_eq!(hall.state().phase(id), Some(Phase::BeingAssessed));
    assert_eq!(hall.hear(2, begin(id, "a", false, 2000)), Err("assessment.not_wanted".into()));
    assert_eq!(hall.any_stream.deadline(), Some(Moment::from_millis(1000)));
    let fired = hall.any_stream.fire(&hall.book, hall.head.position + 1).unwrap();
    assert_eq!(fired[0].kind, "AssessmentGivenBack");
    assert_eq!(hall.state().phase(id), Some(Phase::Received));
    assert_eq!(hall.state().next_for("a").count(), 1);
}

#[test]
fn it_is_judged_when_all_have_reported_and_comes_out_the_same_again() {
    let mut hall = Hall::open("radio");
    let id = hall.receive(&["a", "b"], 0);
    assert_eq!(
        {
            let report = hall.report(id, "a", "right");
            hall.kinds(1, report)
        },
        ["FindingsReported"]
    );
    assert_eq!(
        {
            let report = hall.report(id, "a", "right");
            hall.hear(1, report)
        }
        .unwrap_err(),
        "assessment.not_wanted"
    );
    assert_eq!(
        {
            let report = hall.report(id, "b", "right");
            hall.kinds(2, report)
        },
        ["FindingsReported", "SubmissionJudged"]
    );
    assert_eq!(hall.state().phase(id), Some(Phase::Judged));
    assert_eq!(
        {
            let report = hall.report(id, "b", "right");
            hall.hear(3, report)
        }
        .unwrap_err(),
        "assessment.judged"
    );
    let last = hall.records.last().unwrap();
    assert_eq!(hall.any_stream.compare(&hall.book, &last.view()).unwrap(), Comparison::Same);
    // A fold over the records is the same state.
    let mut again = hall.court.empty(last.draft.stream.clone());
    hall.records.iter().for_each(|record| again.follow(&record.view()).unwrap());
    assert_eq!(again.snapshot(), hall.any_stream.snapshot());
}

#[test]
fn when_they_are_too_far_apart_a_person_is_asked_and_their_word_counts() {
    let mut hall = Hall::open("radio");
    let id = hall.receive(&["a", "b"], 0);
    {
        let report = hall.report(id, "a", "right");
        hall.hear(1, report)
    }
    .unwrap();
    // From right to critical are 3 of 4 steps, on every item.
    assert_eq!(
        {
            let report = hall.report(id, "b", "critical");
            hall.kinds(2, report)
        },
        ["FindingsReported", "SubmissionReferred"]
    );
    assert!(hall.records.last().unwrap().draft.body.contains("0.75"));
    assert_eq!(hall.state().phase(id), Some(Phase::Referred));
    assert_eq!(
        {
            let report = hall.report_of_person(id, "judge:eva", "right");
            hall.hear(3, report)
        },
        Err("assessment.not_held".into())
    );
    hall.hear(3, begin(id, "judge:eva", true, 9000)).unwrap();
    assert_eq!(
        hall.hear(4, begin(id, "judge:tom", true, 9000)),
        Err("assessment.not_wanted".into()),
        "one is enough"
    );
    {
        let report = hall.report_of_person(id, "judge:eva", "minor");
        hall.hear(5, report)
    }
    .unwrap();
    let verdict: Value =
        serde_json::from_str(hall.records.last().unwrap().draft.verdict.as_ref().unwrap()).unwrap();
    assert_eq!(verdict["assessor"], json!({ "name": "person", "version": "judge:eva" }));
    assert_eq!(verdict["outcome"], "accepted");
}

#[test]
fn nobody_s_findings_are_replaced_by_the_reading_s() {
    let mut hall = Hall::open("radio");
    let id = hall.receive(&["a"], 0);
    let silent = testimony(Assessor { name: "a".into(), version: "1".into() }, None);
    let command = BenchCommand::Report { id, document: CALL.into(), testimony: Box::new(silent) };
    assert_eq!(hall.kinds(1, command), ["FindingsReported", "SubmissionJudged"]);
    let verdict: Value =
        serde_json::from_str(hall.records.last().unwrap().draft.verdict.as_ref().unwrap()).unwrap();
    assert_eq!(verdict["assessor"]["name"], "reader");
    let reason = verdict["reasons"].as_array().unwrap().last().unwrap();
    assert_eq!((&reason["code"], &reason["severity"]), (&json!("assessor.replaced"), &json!("info")));
}

#[test]
fn what_cannot_be_asked_about_is_refused_before_anybody_is() {
    let mut hall = Hall::open("radio");
    let receive = |document: &str, panel: Panel| BenchCommand::Receive {
        document: document.into(),
        panel,
        personal: None,
        destination: None,
    };
    let one = || Panel { assessors: vec!["a".into()], ..Panel::default() };
    assert_eq!(hall.hear(0, receive("{}", one())).unwrap_err(), "radio.document.malformed");
    assert_eq!(hall.hear(0, receive(CALL, Panel::default())).unwrap_err(), "assessment.panel");
    let twice = Panel { assessors: vec!["a".into(), "a".into()], ..Panel::default() };
    assert_eq!(hall.hear(0, receive(CALL, twice)).unwrap_err(), "assessment.panel");
    let id = hall.receive(&["a"], 0);
    let other = BenchCommand::Report {
        id,
        document: CALL.replace("27", "09"),
        testimony: Box::new(testimony(Assessor { name: "a".into(), version: "1".into() }, None)),
    };
    assert_eq!(hall.hear(1, other).unwrap_err(), "assessment.other_document");
}

#[test]
fn the_same_question_is_known_again_and_the_oldest_come_first() {
    let mut hall = Hall::open("radio");
    let (first, second) = (hall.receive(&["a"], 0), hall.receive(&["a"], 0));
    assert_eq!(hall.state().next_for("a").map(|(id, _)| id).collect::<Vec<_>>(), [first, second]);
    assert_eq!(hall.state().known_answer(&Digest::of(b"question")), None);
    {
        let report = hall.report(first, "a", "right");
        hall.hear(1, report)
    }
    .unwrap();
    let reported = hall.records.iter().find(|record| record.draft.kind == "FindingsReported").unwrap();
    assert_eq!(hall.state().known_answer(&Digest::of(b"question")), Some(reported.position));
}

#[test]
fn what_people_wrote_about_themselves_is_in_no_record() {
    let mut hall = Hall::open("quest");
    let document = json!({
        "quest_type": "Daily",
        "plan": { "estimated_duration_min": 30, "target_rpe": 7, "intensity": "Low",
                  "exercises": [{ "name": "Push-ups", "sets": 3, "reps": 10 }] },
        "log": { "duration_seconds": 1500, "actual_rpe": 7, "condition": "Fresh", "user_feedback": "my secret knee hurts",
                 "exercises": [{ "name": "Push-ups", "sets_done": 3, "reps_done": 10 }] },
        "profile": { "class": "Tank", "rank": "E", "hunter_status": "Normal", "streak_days": 0 }
    })
    .to_string();
    let panel = Panel { assessors: vec!["a".into(), "b".into()], ..Panel::default() };
    let received = BenchCommand::Receive {
        document: document.clone(),
        panel: panel.clone(),
        personal: None,
        destination: None,
    };
    assert_eq!(hall.hear(0, received).unwrap_err(), "assessment.personal");
    let personal = Some(Digest::of(b"salted"));
    hall.hear(0, BenchCommand::Receive { document: document.clone(), panel, personal, destination: None })
        .unwrap();
    let id = hall.head.position;
    let yes = json!({ "quote": "secret knee hurts", "label": "yes" });
    let no = json!({ "quote": "", "label": "no" });
    let answer = json!({ "sign_1": no, "sign_2": yes, "sign_3": no, "sign_4": { "quote": "secret words", "label": "yes" } });
    for (name, answer) in [("a", answer), ("b", json!({ "sign_1": "my secret knee" }))] {
        let testimony = testimony(Assessor { name: name.into(), version: "1".into() }, Some(answer));
        let command = BenchCommand::Report { id, document: document.clone(), testimony: Box::new(testimony) };
        hall.hear(1, command).unwrap();
    }
    let last = hall.records.last().unwrap();
    assert_eq!(last.draft.kind, "SubmissionJudged");
    assert!(last.draft.verdict.as_ref().unwrap().contains("quest.reading.pain"));
    for record in &hall.records {
        let (body, verdict) = (&record.draft.body, record.draft.verdict.as_deref().unwrap_or_default());
        assert!(!body.contains("secret") && !verdict.contains("secret"), "{record:?}");
    }
    assert_eq!(hall.any_stream.compare(&hall.book, &last.view()).unwrap(), Comparison::Same);
}

#[test]
fn every_prompt_that_ships_can_be_read_and_asks_about_every_kind() {
    for bench in assize_courts::benches() {
        let prompt = bench.prompt().unwrap_or_else(|error| panic!("{error}"));
        for (kind, _) in bench.scales() {
            assert!(prompt.rules.questions.contains_key(*kind), "{}: {kind}", bench.court());
        }
    }
}

#[test]
fn a_verdict_that_is_wanted_elsewhere_is_remembered_until_it_is_there() {
    let mut hall = Hall::open("radio");
    let destination =
        Destination { stream: "radio/spring".into(), item: "one".into(), part: Some("1".into()) };
    let receive = |destination: &Destination| BenchCommand::Receive {
        document: CALL.into(),
        panel: Panel { assessors: vec!["a".into()], ..Panel::default() },
        personal: None,
        destination: Some(destination.clone()),
    };
    hall.hear(0, receive(&destination)).unwrap();
    let id = hall.head.position;
    assert_eq!(hall.hear(1, receive(&destination)).unwrap_err(), "assessment.waits_already");
    hall.hear(1, receive(&Destination { part: Some("2".into()), ..destination.clone() })).unwrap();
    let deliver = |problem: Option<&str>| BenchCommand::Deliver { id, problem: problem.map(str::to_owned) };
    assert_eq!(hall.hear(2, deliver(None)).unwrap_err(), "assessment.not_wanted", "it is not judged");
    let report = hall.report(id, "a", "right");
    hall.hear(3, report).unwrap();
    let judged = hall.head.position;
    assert_eq!(hall.state().undelivered[&id], Undelivered { destination: destination.clone(), judged });
    assert_eq!(hall.hear(4, receive(&destination)).unwrap_err(), "assessment.waits_already");
    assert_eq!(hall.kinds(5, deliver(Some("there is one already"))), ["SubmissionDelivered"]);
    assert_eq!(hall.state().refused_there(id), Some("there is one already"));
    assert_eq!(hall.hear(6, deliver(None)).unwrap_err(), "assessment.not_wanted");
    hall.hear(7, receive(&destination)).unwrap();
}

#[test]
fn a_model_does_not_talk_away_a_danger_and_a_person_may_see_it_otherwise() {
    let hall = Hall::open("radio");
    let document = CALL.replace("land runway 27", "land runway 09");
    let asked = hall.asked(&document);
    let right = |item: &assize_kernel::Item| (item.id.clone(), json!({ "quote": "", "label": "right" }));
    let answer = Value::Object(asked.items.iter().map(right).collect());
    let judged = |assessors: Vec<Assessor>| {
        let read = asked.read(&answer).unwrap();
        let (answers, struck) = (Ok(read.answers), read.struck);
        let report = |assessor| Report { assessor, answers: answers.clone(), struck: struck.clone() };
        let reports: Vec<Report> = assessors.into_iter().map(report).collect();
        let verdict = hall.face.conclude(&hall.book, &document, &reports).unwrap().verdict;
        serde_json::from_str::<Value>(&verdict).unwrap()
    };
    let model = |name: &'static str| Assessor { name: name.into(), version: "1".into() };
    let by_models = judged(vec![model("a"), model("b")]);
    assert_eq!(by_models["outcome"], "blocked");
    let by_model = judged(vec![model("a")]);
    assert_eq!((&by_model["outcome"], &by_model["detail"]["safetyFlag"]), (&json!("blocked"), &json!(true)));
    let components = by_model["detail"]["components"].as_array().unwrap();
    let kept = components.iter().find(|component| component["severity"] == "critical").unwrap();
    assert!(kept["detail"].as_str().unwrap().starts_with("heard by the reader: "), "{kept}");
    assert!(kept["evidence"][0]["text"].as_str().unwrap().contains("09"), "{kept}");
    let person = |name: &'static str| Assessor { name: PERSON.into(), version: name.into() };
    assert_eq!(judged(vec![person("judge:eva")])["outcome"], "accepted");
    let by_people = judged(vec![person("judge:eva"), person("judge:uwe")]);
    assert_eq!(by_people["outcome"], "accepted");
}
