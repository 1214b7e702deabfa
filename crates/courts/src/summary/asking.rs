//! The questionnaire for assessors: its items come from the findings of the court's own reading, and the
//! answers replace those findings.

use assize_kernel::{
    Answers, Assessable, Assessor, Choice, Item, JudgedSubmission, Questionnaire, Quotation, Refusal,
    Rulebook, Scale, Source, to_json,
};
use serde::Serialize;

use super::delivery;
use super::document::{Document, check_texts};
use super::findings::{
    AnswerStatus, Claim, ClaimLabel, Deviation, DriftAspect, DriftDegree, Findings, Issue, IssueKind,
    Passage, PointCoverage, Question, SummaryTone,
};
use super::messages::SummaryCommand;
use super::refusals::SummaryRefusal;
use super::rules::SummaryRules;
use super::{Summary, TextPair, reading};

static COVERAGE: Scale = Scale {
    labels: &["Fully", "Partial", "Not"],
    ordered: true,
    quoted: &["Fully", "Partial"],
    lowered: &[("Fully", "Partial"), ("Partial", "Not")],
};
static LABEL: Scale = Scale {
    labels: &["Supported", "Partially", "Unsupported"],
    ordered: true,
    quoted: &["Supported"],
    lowered: &[("Supported", "Partially"), ("Partially", "Unsupported")],
};
static STATUS: Scale = Scale {
    labels: &["Correct", "Partial", "Wrong"],
    ordered: true,
    quoted: &["Correct"],
    lowered: &[("Correct", "Partial"), ("Partial", "Wrong")],
};
static DRIFT: Scale = Scale {
    labels: &["none", "mild", "moderate", "severe"],
    ordered: true,
    quoted: &[],
    lowered: &[("severe", "moderate"), ("moderate", "mild"), ("mild", "none")],
};
static TONE: Scale = Scale {
    labels: &["neutral", "subjective", "hostile", "unclear"],
    ordered: false,
    quoted: &[],
    lowered: &[],
};
static YES: Scale =
    Scale { labels: &["no", "yes"], ordered: false, quoted: &["yes"], lowered: &[("yes", "no")] };

const ASPECTS: [(DriftAspect, &str); 3] =
    [(DriftAspect::Meaning, "meaning"), (DriftAspect::Tone, "tone"), (DriftAspect::Focus, "focus")];
const ISSUES: [(IssueKind, &str); 5] = [
    (IssueKind::BiasedWording, "words that take a side"),
    (IssueKind::Stereotype, "a trait given to a whole group of people"),
    (IssueKind::Insult, "words of contempt for somebody"),
    (IssueKind::Profanity, "coarse words"),
    (IssueKind::Slur, "a strong slur"),
];

impl Assessable for Summary {
    const BENCH: &'static str = "summary-bench";
    const PROMPT: &'static str = include_str!("../../../../prompts/summary/observe.toml");
    const PERSONAL: bool = false;
    const SCALES: &'static [(&'static str, &'static Scale)] = &[
        ("key_point", &COVERAGE),
        ("claim", &LABEL),
        ("article_question", &STATUS),
        ("summary_question", &STATUS),
        ("deviation", &DRIFT),
        ("tone", &TONE),
        ("issue", &YES),
    ];

    fn ask(book: &Rulebook<SummaryRules>, document: &str) -> Result<Questionnaire, Refusal> {
        let document = open(document)?;
        let findings = read(&book.rules, document.texts())?;
        let source = |name, text: &str| Source { name, text: text.to_owned() };
        let sources = vec![source("article", &document.article), source("summary", &document.summary)];
        Ok(Questionnaire { sources, items: items(&findings) })
    }

    fn own_answers(book: &Rulebook<SummaryRules>, document: &str) -> Result<Answers, Refusal> {
        Ok(answers_of(&read(&book.rules, open(document)?.texts())?))
    }

    fn with_findings(
        book: &Rulebook<SummaryRules>,
        document: &str,
        answered: Option<(&Answers, &Assessor)>,
    ) -> Result<String, Refusal> {
        #[derive(Serialize)]
        struct AssessedSummary<'a> {
            article: &'a str,
            summary: &'a str,
            findings: Findings,
            assessor: &'a Assessor,
        }
        let document = open(document)?;
        let texts = document.texts();
        let own = read(&book.rules, texts)?;
        let (findings, assessor) = match answered {
            Some((answers, assessor)) => (answered_by(own, answers, texts, &assessor.name), assessor),
            None => (own, &reading::ASSESSOR),
        };
        let TextPair { article, summary } = texts;
        Ok(to_json(&AssessedSummary { article, summary, findings, assessor }))
    }

    fn deliver(submission: &JudgedSubmission<'_>, _: &[String]) -> Result<SummaryCommand, String> {
        delivery::command(submission)
    }
}

/// Reads a document and refuses one that has findings or an assessor already.
fn open(document: &str) -> Result<Document<'_>, Refusal> {
    let document = Document::read(document)?;
    if document.is_assessed() {
        let problem = "`findings` are there already; leave them out to have it assessed";
        return Err(SummaryRefusal::DocumentMalformed(problem.to_owned()).into());
    }
    Ok(document)
}

fn read(rules: &SummaryRules, texts: TextPair<'_>) -> Result<Findings, SummaryRefusal> {
    check_texts(texts)?;
    reading::read(rules, texts)
}

fn items(findings: &Findings) -> Vec<Item> {
    let item = |kind: &'static str, number: usize, about: String, scale, source| Item {
        id: format!("{kind}_{}", number + 1),
        kind,
        about,
        choice: Choice::Label(scale),
        source: Some(source),
    };
    let asked = |question: &Question| format!("{} Expected: {}", question.question, question.answer);
    let mut items = Vec::new();
    for (number, point) in findings.key_points.iter().enumerate() {
        items.push(item("key_point", number, point.point.text.clone(), &COVERAGE, "summary"));
    }
    for (number, claim) in findings.claims.iter().enumerate() {
        items.push(item("claim", number, claim.claim.text.clone(), &LABEL, "article"));
    }
    for (number, question) in findings.article_questions.iter().enumerate() {
        items.push(item("article_question", number, asked(question), &STATUS, "summary"));
    }
    for (number, question) in findings.summary_questions.iter().enumerate() {
        items.push(item("summary_question", number, asked(question), &STATUS, "article"));
    }
    for (number, (_, aspect)) in ASPECTS.iter().enumerate() {
        items.push(item("deviation", number, (*aspect).to_owned(), &DRIFT, "summary"));
    }
    for (number, (_, issue)) in ISSUES.iter().enumerate() {
        items.push(item("issue", number, (*issue).to_owned(), &YES, "summary"));
    }
    let whole = |kind: &'static str, choice| Item {
        id: kind.into(),
        kind,
        about: String::new(),
        choice,
        source: None,
    };
    items.push(whole("tone", Choice::Label(&TONE)));
    for measure in ["support", "recall"] {
        items.push(whole(measure, Choice::Number { least: 0.0, most: 100.0 }));
    }
    items
}

/// Converts findings to the answers that an assessor would give.
fn answers_of(findings: &Findings) -> Answers {
    let mut answers = Answers::default();
    let id = |kind: &str, number: usize| format!("{kind}_{}", number + 1);
    for (number, point) in findings.key_points.iter().enumerate() {
        answers.put_label(id("key_point", number), pick(&COVERAGE, point.coverage as usize));
    }
    for (number, claim) in findings.claims.iter().enumerate() {
        answers.put_label(id("claim", number), pick(&LABEL, claim.label as usize));
    }
    for (kind, questions) in
        [("article_question", &findings.article_questions), ("summary_question", &findings.summary_questions)]
    {
        for (number, question) in questions.iter().enumerate() {
            answers.put_label(id(kind, number), pick(&STATUS, question.status as usize));
        }
    }
    for (number, (aspect, _)) in ASPECTS.iter().enumerate() {
        let seen = findings.deviations.iter().filter(|deviation| deviation.aspect == *aspect);
        let worst = seen.map(|deviation| deviation.degree as usize + 1).max().unwrap_or(0);
        answers.put_label(id("deviation", number), pick(&DRIFT, worst));
    }
    for (number, (kind, _)) in ISSUES.iter().enumerate() {
        let seen = findings.issues.iter().any(|issue| issue.kind == *kind);
        answers.put_label(id("issue", number), pick(&YES, usize::from(seen)));
    }
    answers.put_label("tone", pick(&TONE, findings.tone as usize));
    for (measure, value) in [("support", findings.support), ("recall", findings.recall)] {
        if let Some(share) = value {
            answers.put_number(measure, share * 100.0);
        }
    }
    answers
}

/// The label at an index; labels are in the order of the enum's variants.
fn pick(scale: &Scale, place: usize) -> &'static str {
    scale.labels.get(place).copied().unwrap_or_default()
}

/// Replaces the reading's findings by the answers of an assessor.
fn answered_by(own: Findings, answers: &Answers, texts: TextPair<'_>, assessor: &str) -> Findings {
    let id = |kind: &str, number: usize| format!("{kind}_{}", number + 1);
    let mut findings = own;
    for (number, point) in findings.key_points.iter_mut().enumerate() {
        let id = id("key_point", number);
        point.coverage = match answers.label(&id) {
            Some("Fully") => PointCoverage::Fully,
            Some("Partial") => PointCoverage::Partial,
            _ => PointCoverage::Not,
        };
        point.evidence = answers.quote(&id).map(passage).into_iter().collect();
    }
    for (number, claim) in findings.claims.iter_mut().enumerate() {
        let id = id("claim", number);
        claim.label = match answers.label(&id) {
            Some("Supported") => ClaimLabel::Supported,
            Some("Partially") => ClaimLabel::Partially,
            _ => ClaimLabel::Unsupported,
        };
        claim.evidence = answers.quote(&id).map(passage).into_iter().collect();
        claim.against.clear();
    }
    answer_questions("article_question", &mut findings.article_questions, answers);
    answer_questions("summary_question", &mut findings.summary_questions, answers);
    findings.extraneous = extraneous(&findings.claims, std::mem::take(&mut findings.extraneous));
    findings.deviations = deviations(answers, assessor);
    findings.issues = issues(answers, texts);
    findings.tone = match answers.label("tone") {
        Some("neutral") => SummaryTone::Neutral,
        Some("subjective") => SummaryTone::Subjective,
        Some("hostile") => SummaryTone::Hostile,
        _ => SummaryTone::Unclear,
    };
    findings.support = answers.number("support").map(|percent| percent / 100.0);
    findings.recall = answers.number("recall").map(|percent| percent / 100.0);
    findings
}

fn answer_questions(kind: &str, questions: &mut [Question], answers: &Answers) {
    for (number, question) in questions.iter_mut().enumerate() {
        let id = format!("{kind}_{}", number + 1);
        question.status = match answers.label(&id) {
            Some("Correct") => AnswerStatus::Correct,
            Some("Partial") => AnswerStatus::Partial,
            _ => AnswerStatus::Wrong,
        };
        question.evidence = answers.quote(&id).map(passage);
    }
}

fn passage(quote: &Quotation) -> Passage {
    Passage { text: quote.text.clone(), span: Some(quote.span) }
}

/// The extraneous passages: unsupported claims as a whole, and of partially supported claims the passages
/// that the reading did not find in the article.
fn extraneous(claims: &[Claim], read: Vec<Passage>) -> Vec<Passage> {
    let lies_in = |passage: &Passage, claim: &Claim| match (passage.span, claim.claim.span) {
        (Some((from, to)), Some((first, last))) => first <= from && to <= last,
        _ => false,
    };
    let label_of =
        |passage: &Passage| claims.iter().find(|claim| lies_in(passage, claim)).map(|claim| claim.label);
    let mut extraneous: Vec<Passage> = read
        .into_iter()
        .filter(|passage| matches!(label_of(passage), None | Some(ClaimLabel::Partially)))
        .collect();
    let whole =
        claims.iter().filter(|claim| claim.label == ClaimLabel::Unsupported && claim.claim.span.is_some());
    extraneous.extend(whole.map(|claim| claim.claim.clone()));
    extraneous.sort_by_key(|passage| passage.span);
    extraneous
}

fn deviations(answers: &Answers, assessor: &str) -> Vec<Deviation> {
    let seen = ASPECTS.iter().enumerate().filter_map(|(number, (aspect, _))| {
        let id = format!("deviation_{}", number + 1);
        let degree = match answers.label(&id)? {
            "mild" => DriftDegree::Mild,
            "moderate" => DriftDegree::Moderate,
            "severe" => DriftDegree::Severe,
            _ => return None,
        };
        let evidence = answers.quote(&id).map(passage).into_iter().collect();
        Some(Deviation { aspect: *aspect, degree, description: format!("seen by `{assessor}`"), evidence })
    });
    seen.collect()
}

fn issues(answers: &Answers, texts: TextPair<'_>) -> Vec<Issue> {
    let seen = ISSUES.iter().enumerate().filter_map(|(number, (kind, _))| {
        let id = format!("issue_{}", number + 1);
        let words = answers.quote(&id).filter(|_| answers.label(&id) == Some("yes")).map(passage)?;
        let quoted = texts.article.contains(&words.text);
        Some(Issue { kind: *kind, words, quoted })
    });
    seen.collect()
}
