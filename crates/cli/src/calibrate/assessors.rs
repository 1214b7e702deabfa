//! Agreement of assessors (models, or the court's own reading) with gold answers.

use std::io::BufRead;
use std::sync::Arc;

use assize_assessors::Model;
use assize_kernel::{
    Answers, AnyBench, AnyRulebook, DecideError, Prompt, Questionnaire, RulebookRef, Usage, to_json,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use super::comparing::{Comparison, DocumentGap, KindAgreement};
use crate::args::CalibrateAssessors;
use crate::assessors::{Outcomes, model, models};
use crate::output::{Failure, counted, say};
use crate::{CommandResult, judge, progress, rulebook};

/// The name of the court's own reading.
const READING: &str = "reading";

/// A line of the input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoldLine {
    document: Box<RawValue>,
    #[serde(default)]
    gold: Map<String, Value>,
}

/// The JSON output.
#[derive(Serialize)]
struct CalibrationReport<'a> {
    court: &'a str,
    rulebook: &'a RulebookRef,
    documents: usize,
    assessors: Vec<AssessorReport<'a>>,
}

#[derive(Serialize)]
struct AssessorReport<'a> {
    assessor: &'a str,
    answers: Outcomes,
    usage: Usage,
    kinds: Vec<KindAgreement>,
    worst: &'a [DocumentGap],
}

/// An assessor under test.
struct Candidate {
    name: String,
    /// None is the court's own reading.
    model: Option<Arc<Model>>,
    outcomes: Outcomes,
    compared: Comparison,
}

struct AssessorBench {
    face: Arc<dyn AnyBench>,
    prompt: Prompt,
    book: AnyRulebook,
    runtime: Runtime,
}

pub(crate) fn run(args: &CalibrateAssessors) -> CommandResult {
    let bench = AssessorBench::open(args)?;
    let lines = lines(args)?;
    if args.questions {
        return lines.iter().try_for_each(|(line, read)| {
            let asked = bench.ask(*line, read)?;
            say(to_json(&json!({ "document": read.document, "asked": asked })))
        });
    }
    let mut candidates = candidates(args)?;
    let bar = progress::count("assessed");
    for (line, read) in &lines {
        let asked = bench.ask(*line, read)?;
        let gold = gold(*line, &asked, &read.gold)?;
        for candidate in &mut candidates {
            if let Some(said) = bench.answers(candidate, &asked, read.document.get())? {
                candidate.compared.add(*line, &asked, &gold, &said);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let measured = candidates.iter().map(|candidate| AssessorReport {
        assessor: &candidate.name,
        answers: candidate.outcomes,
        usage: candidate.model.as_ref().map(|model| model.budget().spent().total).unwrap_or_default(),
        kinds: candidate.compared.kinds(),
        worst: candidate.compared.worst(),
    });
    let report = CalibrationReport {
        court: &args.court,
        rulebook: &bench.book.reference,
        documents: lines.len(),
        assessors: measured.collect(),
    };
    if args.json { say(to_json(&report)) } else { show(&report) }
}

impl AssessorBench {
    fn open(args: &CalibrateAssessors) -> Result<Self, Failure> {
        let face = assize_courts::benches().into_iter().find(|bench| bench.court() == args.court);
        let face = face.ok_or_else(|| {
            Failure::Use(format!("the court `{}` asks no assessors; quest, radio and summary do", args.court))
        })?;
        let courts = rulebook::shipped()?;
        let book = rulebook::find(&courts, judge::court(&courts, &args.court)?, args.rulebook.as_deref())?;
        let prompt = face.prompt().map_err(|error| Failure::Fault(error.to_string()))?;
        Ok(Self { face, prompt, book, runtime: Runtime::new()? })
    }

    fn ask(&self, line: usize, read: &GoldLine) -> Result<Questionnaire, Failure> {
        self.face.ask(&self.book, read.document.get()).map_err(|error| unheard(line, &error))
    }

    /// The answers of a candidate; none when they are unusable.
    fn answers(
        &self,
        candidate: &mut Candidate,
        asked: &Questionnaire,
        document: &str,
    ) -> Result<Option<Answers>, Failure> {
        let Some(model) = &candidate.model else {
            candidate.outcomes.valid += 1;
            return self
                .face
                .own(&self.book, document)
                .map(Some)
                .map_err(|error| Failure::Fault(error.to_string()));
        };
        let assessment = self.runtime.block_on(model.assess(&self.prompt, asked));
        candidate.outcomes.count(&assessment);
        let read = assessment.answer.ok().and_then(|answer| asked.read(&answer).ok());
        Ok(read.map(|read| read.answers))
    }
}

fn candidates(args: &CalibrateAssessors) -> Result<Vec<Candidate>, Failure> {
    let models = if args.assessor.iter().all(|name| name == READING) {
        assize_assessors::Models::default()
    } else {
        models(args.config.as_deref())?
    };
    let candidate = |name: &String| {
        let model = if name == READING { None } else { Some(model(&models, name)?) };
        Ok(Candidate {
            name: name.clone(),
            model,
            outcomes: Outcomes::default(),
            compared: Comparison::default(),
        })
    };
    args.assessor.iter().map(candidate).collect()
}

fn lines(args: &CalibrateAssessors) -> Result<Vec<(usize, GoldLine)>, Failure> {
    let name = judge::name(&args.file);
    let mut lines = Vec::new();
    for (number, line) in judge::open(&args.file)?.lines().enumerate() {
        let line = line.map_err(judge::unreadable)?;
        if line.trim().is_empty() {
            continue;
        }
        let read = serde_json::from_str(&line).map_err(|error| {
            Failure::Use(format!("line {} of {name}: {error}; expected `document` and `gold`", number + 1))
        })?;
        lines.push((number + 1, read));
    }
    if lines.is_empty() { Err(Failure::Use(format!("{name} has no documents"))) } else { Ok(lines) }
}

/// The gold answers: labels and numbers, without quotations.
fn gold(line: usize, asked: &Questionnaire, given: &Map<String, Value>) -> Result<Answers, Failure> {
    let wrong = |problem: String| Failure::Use(format!("line {line}: gold: {problem}"));
    let mut plain = asked.clone();
    plain.items.retain(|item| given.contains_key(&item.id));
    plain.items.iter_mut().for_each(|item| item.source = None);
    if let Some(unknown) = given.keys().find(|id| !plain.items.iter().any(|item| item.id == **id)) {
        return Err(wrong(format!("`{unknown}` is not asked about this document")));
    }
    let read = plain.read(&Value::Object(given.clone()));
    read.map(|read| read.answers).map_err(|problems| wrong(problems.join("; ")))
}

fn unheard(line: usize, error: &DecideError) -> Failure {
    match error {
        DecideError::Refused(refusal) => Failure::Use(format!("line {line}: {refusal}")),
        DecideError::Broken(problem) => Failure::Fault(problem.to_string()),
    }
}

fn show(report: &CalibrationReport<'_>) -> CommandResult {
    let documents = counted(report.documents as u64, "document");
    say(format_args!("{documents} of the court {}, rulebook {}", report.court, report.rulebook))?;
    for AssessorReport { assessor, answers, usage, .. } in &report.assessors {
        let Outcomes { valid, repaired, replaced } = answers;
        let Usage { calls, tokens_in, tokens_out, cost } = usage;
        say(format_args!(
            "  {assessor:<16} {valid} valid, {repaired} repaired, {replaced} unusable; {}, {tokens_in} + {tokens_out} \
             tokens, cost {cost:.4}",
            counted((*calls).into(), "call")
        ))?;
    }
    say(format_args!(
        "\n{:<20} {:<16} {:>6} {:>10} {:>7} {:>8}",
        "kind", "assessor", "items", "agreement", "κ", "Pearson"
    ))?;
    let kinds: std::collections::BTreeSet<&str> =
        report.assessors.iter().flat_map(|measured| measured.kinds.iter().map(|kind| kind.kind)).collect();
    for kind in kinds {
        for measured in &report.assessors {
            for found in measured.kinds.iter().filter(|found| found.kind == kind) {
                row(measured.assessor, found)?;
            }
        }
    }
    report.assessors.iter().try_for_each(details)
}

fn row(assessor: &str, found: &KindAgreement) -> CommandResult {
    let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
    say(format_args!(
        "{:<20} {assessor:<16} {:>6} {:>10} {:>7} {:>8}",
        found.kind,
        found.items,
        shown(found.agreement),
        shown(found.kappa),
        shown(found.pearson)
    ))
}

/// Prints the confusion matrix and the worst documents.
fn details(measured: &AssessorReport<'_>) -> CommandResult {
    say(format_args!("\n{}: what is so → what was said", measured.assessor))?;
    for kind in &measured.kinds {
        for (right, said) in kind.confusion.iter().flat_map(|confusion| &confusion.counts) {
            let said: Vec<String> = said.iter().map(|(label, count)| format!("{label} {count}")).collect();
            say(format_args!("  {:<20} {right:<14} → {}", kind.kind, said.join(", ")))?;
        }
    }
    for DocumentGap { line, apart, items } in measured.worst {
        let items: Vec<String> =
            items.iter().map(|(id, right, said)| format!("{id} is {right}, said {said}")).collect();
        say(format_args!("  line {line}, {apart:.3} apart: {}", items.join("; ")))?;
    }
    Ok(())
}
