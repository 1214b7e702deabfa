//! Decides the commands of a bench.

use super::messages::{BenchCommand, BenchEvent, Destination, PANEL, PERSON, Panel, Testimony};
use super::state::{BenchState, Reported, Waiting};
use crate::assessing::Assessable;
use crate::assessing::answers::{Answers, Struck};
use crate::assessing::concluding::{Report, conclude};
use crate::court::{Decision, Ruling};
use crate::refusal::{Refusal, RefusalKind};
use crate::rounding::round;
use crate::rulebook::Rulebook;
use crate::{Digest, SmolStr, check_name};

/// The most assessors of one submission; each of them costs time or money.
const MOST_ASSESSORS: usize = 9;

/// The most submissions that may wait: they are kept in memory, a few hundred bytes each.
const MOST_WAITING: usize = 100_000;

type Decided = Result<Ruling<Decision<BenchEvent>>, Refusal>;

pub(super) fn decide<C: Assessable>(
    book: &Rulebook<C::Rules>,
    state: &BenchState,
    command: &BenchCommand,
) -> Decided {
    match command {
        BenchCommand::Receive { document, panel, personal, destination } => {
            receive::<C>(book, state, document, panel, *personal, destination.as_ref())
        }
        BenchCommand::Begin { id, assessor, person, until } => {
            let waiting = waiting(state, *id)?;
            let wanted = if *person {
                state.wants_person(*id, waiting, assessor)
            } else {
                state.wants_model(*id, waiting, assessor)
            };
            if !wanted {
                return Err(conflict(
                    "assessment.not_wanted",
                    "this assessor is not asked, has it or has reported",
                ));
            }
            fact(BenchEvent::AssessmentBegun { id: *id, assessor: assessor.clone(), until: *until })
        }
        BenchCommand::Lapse { id, assessor } => give_back(state, *id, assessor, true),
        BenchCommand::GiveBack { id, assessor } => give_back(state, *id, assessor, false),
        BenchCommand::Withdraw { id, reason } => {
            waiting(state, *id)?;
            fact(BenchEvent::SubmissionWithdrawn { id: *id, reason: reason.clone() })
        }
        BenchCommand::Deliver { id, problem } => {
            if !state.undelivered.contains_key(id) {
                return Err(conflict("assessment.not_wanted", "no verdict on this is on its way"));
            }
            fact(BenchEvent::SubmissionDelivered { id: *id, problem: problem.clone() })
        }
        BenchCommand::Report { id, document, testimony } => {
            report::<C>(book, state, *id, document, testimony)
        }
    }
}

fn receive<C: Assessable>(
    book: &Rulebook<C::Rules>,
    state: &BenchState,
    document: &str,
    panel: &Panel,
    personal: Option<Digest>,
    destination: Option<&Destination>,
) -> Decided {
    check(panel)?;
    if let Some(id) = destination.and_then(|destination| state.on_its_way_to(destination)) {
        let message = format!("submission {id} is being assessed for the same place");
        return Err(Refusal::new("assessment.waits_already", RefusalKind::Conflict, message));
    }
    if C::PERSONAL != personal.is_some() {
        return Err(malformed("assessment.personal", "what is personal is kept apart, and only that"));
    }
    if state.waiting.len() >= MOST_WAITING {
        return Err(conflict("assessment.full", "too many submissions wait; try again when some are judged"));
    }
    // Reports a malformed document before a model is paid for reading it.
    C::ask(book, document)?;
    let rulebook = state.rulebook.is_none().then(|| book.reference.clone());
    fact(BenchEvent::SubmissionReceived {
        document: (!C::PERSONAL).then(|| document.to_owned()),
        personal,
        digest: Digest::of(document.as_bytes()),
        panel: panel.clone(),
        rulebook,
        destination: destination.cloned(),
    })
}

fn check(panel: &Panel) -> Result<(), Refusal> {
    let wrong = |problem: &str| Err(malformed("assessment.panel", problem));
    let Panel { assessors, people, threshold } = panel;
    let asked = assessors.len() + usize::try_from(*people).unwrap_or(usize::MAX);
    if asked == 0 || asked > MOST_ASSESSORS {
        return wrong("1 to 9 assessors and people are asked about a submission");
    }
    for (number, assessor) in assessors.iter().enumerate() {
        check_name(assessor).map_err(|bad| malformed("assessment.panel", &bad.to_string()))?;
        if matches!(assessor.as_str(), PERSON | PANEL)
            || assessors.iter().take(number).any(|other| other == assessor)
        {
            return wrong("every assessor is named once, and none is called `person` or `panel`");
        }
    }
    if (0.0..=1.0).contains(threshold) { Ok(()) } else { wrong("`threshold` must be from 0 to 1") }
}

fn give_back(state: &BenchState, id: u64, assessor: &SmolStr, lapsed: bool) -> Decided {
    waiting(state, id)?;
    if !state.holds(id, assessor) {
        return Err(not_held());
    }
    fact(BenchEvent::AssessmentGivenBack { id, assessor: assessor.clone(), lapsed })
}

fn report<C: Assessable>(
    book: &Rulebook<C::Rules>,
    state: &BenchState,
    id: u64,
    document: &str,
    testimony: &Testimony,
) -> Decided {
    let waiting = waiting(state, id)?;
    if Digest::of(document.as_bytes()) != waiting.digest {
        return Err(conflict("assessment.other_document", "this is not the document that was received"));
    }
    may_report(state, id, waiting, testimony)?;
    let (answers, struck, problem) = read::<C>(book, document, testimony)?;
    let mut now = waiting.clone();
    now.reports.push(Reported {
        assessor: testimony.assessor.clone(),
        answers: answers.clone(),
        struck: struck.clone(),
        problem: problem.clone(),
    });
    let reported = BenchEvent::FindingsReported {
        id,
        assessor: testimony.assessor.clone(),
        answers,
        struck,
        problem,
        exchanges: if C::PERSONAL { Vec::new() } else { testimony.exchanges.clone() },
        personal: testimony.personal,
        usage: testimony.usage,
        question: testimony.question,
        known_from: testimony.known_from,
    };
    let mut decisions = vec![Decision::fact(reported)];
    if now.is_complete() {
        decisions.push(finish::<C>(book, id, document, &now)?);
    }
    Ok(Ruling::Decided(decisions))
}

fn may_report(state: &BenchState, id: u64, waiting: &Waiting, testimony: &Testimony) -> Result<(), Refusal> {
    let assessor = &testimony.assessor;
    if assessor.is_person() {
        return if state.holds(id, &assessor.version) { Ok(()) } else { Err(not_held()) };
    }
    let asked = waiting.panel.assessors.iter().any(|asked| *asked == *assessor.name);
    if asked && !waiting.has_reported(&assessor.name) {
        return Ok(());
    }
    Err(conflict("assessment.not_wanted", "this assessor is not asked, or has reported"))
}

type Checked = (Option<Answers>, Vec<Struck>, Option<String>);

/// Validates an answer again. A person's mistake is refused, so they can correct it; a model's mistake is
/// recorded.
fn read<C: Assessable>(
    book: &Rulebook<C::Rules>,
    document: &str,
    testimony: &Testimony,
) -> Result<Checked, Refusal> {
    let problem = |problem: String| {
        // A model's answer may repeat personal text, so the problem is not quoted.
        let told = if C::PERSONAL { "its answer could not be read".to_owned() } else { problem };
        Ok((None, Vec::new(), Some(told)))
    };
    let Some(answer) = &testimony.answer else {
        return problem(testimony.problem.clone().unwrap_or_else(|| "it gave none".to_owned()));
    };
    match C::ask(book, document)?.read(answer) {
        Ok(read) if C::PERSONAL => {
            let wordless = |struck: Struck| Struck { quote: String::new(), ..struck };
            Ok((Some(read.answers.without_words()), read.struck.into_iter().map(wordless).collect(), None))
        }
        Ok(read) => Ok((Some(read.answers), read.struck, None)),
        Err(wrong) if testimony.assessor.is_person() => {
            Err(malformed("assessment.answer", &wrong.join("; ")))
        }
        Err(wrong) => problem(wrong.join("; ")),
    }
}

/// Judges a submission when all assessors have reported, or refers it to a person.
fn finish<C: Assessable>(
    book: &Rulebook<C::Rules>,
    id: u64,
    document: &str,
    waiting: &Waiting,
) -> Result<Decision<BenchEvent>, Refusal> {
    let reports: Vec<Report> = waiting.reports.iter().map(Report::from).collect();
    let concluded = conclude::<C>(book, document, &reports)?;
    let by_models = waiting.people().count() == 0;
    if by_models && concluded.disagreement > waiting.panel.threshold {
        let disagreement = round(concluded.disagreement, 4);
        return Ok(Decision::fact(BenchEvent::SubmissionReferred { id, disagreement }));
    }
    let event = BenchEvent::SubmissionJudged { id, document: concluded.document, remarks: concluded.remarks };
    Ok(Decision { event, verdict: Some(concluded.verdict) })
}

impl From<&Reported> for Report {
    fn from(reported: &Reported) -> Self {
        let problem = || reported.problem.clone().unwrap_or_default();
        Self {
            assessor: reported.assessor.clone(),
            answers: reported.answers.clone().ok_or_else(problem),
            struck: reported.struck.clone(),
        }
    }
}

fn waiting(state: &BenchState, id: u64) -> Result<&Waiting, Refusal> {
    state.waiting.get(&id).ok_or_else(|| match state.verdict_of(id) {
        Some(_) => conflict("assessment.judged", "the submission is judged"),
        None => {
            let message = format!("no submission {id} waits here");
            Refusal::new("assessment.unknown", RefusalKind::Unknown, message)
        }
    })
}

fn not_held() -> Refusal {
    conflict("assessment.not_held", "this assessor does not have the submission; take it first")
}

fn conflict(code: &'static str, message: &str) -> Refusal {
    Refusal::new(code, RefusalKind::Conflict, message)
}

fn malformed(code: &'static str, message: &str) -> Refusal {
    Refusal::new(code, RefusalKind::Malformed, message)
}

fn fact(event: BenchEvent) -> Decided {
    Ok(Decision::fact(event).into())
}
