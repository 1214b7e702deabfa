//! The questionnaire for assessors: signs of injury, pain, exhaustion and ease in a hunter's feedback or in a
//! report. None of the questions affects XP.

use assize_kernel::{
    Answers, Assessable, Assessor, Choice, Item, JudgedSubmission, Questionnaire, Refusal, Rulebook, Scale,
    Source, to_json,
};
use serde_json::Value;

use super::Quest;
use super::delivery::{self, LoggedText};
use super::messages::QuestCommand;
use super::reading::{self, Reading, Sign, SignKind};
use super::refusals::QuestRefusal;
use super::rules::QuestRules;

static SIGN: Scale =
    Scale { labels: &["no", "yes"], ordered: false, quoted: &["yes"], lowered: &[("yes", "no")] };

/// The kind of items about a report.
const OF_REPORT: &str = "report_sign";

const SIGNS: [(SignKind, &str, &str); 4] = [
    (SignKind::Injury, "injury", "an injury: something is damaged"),
    (SignKind::Pain, "pain", "pain: something hurts"),
    (SignKind::Exhaustion, "exhaustion", "exhaustion: it was too much"),
    (SignKind::Ease, "ease", "ease: it was too easy"),
];

/// The text to assess and its place in the document.
struct AssessedText {
    text: String,
    source: &'static str,
    kind: &'static str,
}

impl AssessedText {
    /// The signs to ask about. Exhaustion and ease are asked only of the hunter's own text.
    fn signs(&self) -> impl Iterator<Item = (String, SignKind, &'static str, &'static str)> {
        let asked = if self.kind == OF_REPORT { &SIGNS[..2] } else { &SIGNS[..] };
        let numbered = asked.iter().enumerate();
        numbered.map(|(number, (kind, word, about))| (format!("sign_{}", number + 1), *kind, *word, *about))
    }
}

impl Assessable for Quest {
    const BENCH: &'static str = "quest-bench";
    const PROMPT: &'static str = include_str!("../../../../prompts/quest/observe.toml");
    /// A hunter's text about their body is personal data.
    const PERSONAL: bool = true;
    const DELIVERY_RECORDS: &'static [&'static str] = LoggedText::RECORDS;
    const SCALES: &'static [(&'static str, &'static Scale)] = &[("sign", &SIGN), (OF_REPORT, &SIGN)];

    fn ask(book: &Rulebook<QuestRules>, document: &str) -> Result<Questionnaire, Refusal> {
        let (read, written) = open(document)?;
        // Validate the whole document before asking anyone.
        super::document::judge(book, &to_json(&read))?;
        let items = written.signs().map(|(id, _, _, about)| Item {
            id,
            kind: written.kind,
            about: about.to_owned(),
            choice: Choice::Label(&SIGN),
            source: Some(written.source),
        });
        // An empty text has no signs.
        let items = items.filter(|_| !written.text.trim().is_empty()).collect();
        Ok(Questionnaire { sources: vec![Source { name: written.source, text: written.text }], items })
    }

    fn own_answers(_: &Rulebook<QuestRules>, document: &str) -> Result<Answers, Refusal> {
        let (_, written) = open(document)?;
        let reading = reading::read(&written.text);
        let mut answers = Answers::default();
        for (id, kind, ..) in written.signs() {
            answers.put_label(id, if reading.has(kind) { "yes" } else { "no" });
        }
        Ok(answers)
    }

    fn with_findings(
        _: &Rulebook<QuestRules>,
        document: &str,
        answered: Option<(&Answers, &Assessor)>,
    ) -> Result<String, Refusal> {
        let (mut read, written) = open(document)?;
        let own = reading::own();
        let (reading, assessor) = match answered {
            Some((answers, assessor)) => {
                let mut signs = signs(&written, answers);
                if !assessor.is_person() && !signs.iter().any(is_injury) {
                    signs.extend(reading::read(&written.text).signs.into_iter().filter(is_injury));
                }
                signs.sort_by_key(|sign| (sign.span, sign.kind));
                (Reading { signs, by: None }, assessor)
            }
            None => (reading::read(&written.text), &own),
        };
        let document = read.as_object_mut().ok_or_else(no_object)?;
        if let Some(log) = document.get_mut("log").and_then(Value::as_object_mut) {
            log.shift_remove("user_feedback");
        }
        // Keep the fact that there is a report, but drop its text, which is personal.
        document.get_mut("report").into_iter().for_each(|report| *report = "".into());
        let as_json = |json: String| serde_json::from_str::<Value>(&json).map_err(|_| no_object());
        document.insert("reading".into(), as_json(to_json(&reading))?);
        document.insert("assessor".into(), as_json(to_json(assessor))?);
        Ok(to_json(&read))
    }

    fn deliver(submission: &JudgedSubmission<'_>, records: &[String]) -> Result<QuestCommand, String> {
        delivery::command(submission, records)
    }
}

/// Parses an unassessed document and extracts its text.
fn open(document: &str) -> Result<(Value, AssessedText), QuestRefusal> {
    let malformed = |problem: String| QuestRefusal::DocumentMalformed(problem);
    let read: Value = serde_json::from_str(document).map_err(|error| malformed(error.to_string()))?;
    if read.get("reading").is_some() || read.get("assessor").is_some() {
        return Err(malformed("`reading` is there already; leave it out to have it assessed".to_owned()));
    }
    let text = |at: &str| read.pointer(at).and_then(Value::as_str).map(str::to_owned);
    let written = match text("/report") {
        Some(text) => AssessedText { text, source: "report", kind: OF_REPORT },
        None => {
            let text = text("/log/user_feedback").unwrap_or_default();
            AssessedText { text, source: "user_feedback", kind: "sign" }
        }
    };
    Ok((read, written))
}

fn no_object() -> QuestRefusal {
    QuestRefusal::DocumentMalformed("the document is no object".to_owned())
}

/// The signs that an assessor found, without the writer's words, which are personal.
fn signs(written: &AssessedText, answers: &Answers) -> Vec<Sign> {
    let seen = written.signs().filter_map(|(id, kind, word, _)| {
        let quote = answers.quote(&id).filter(|_| answers.label(&id) == Some("yes"))?;
        Some(Sign { kind, language: "any".into(), words: word.into(), span: quote.span })
    });
    seen.collect()
}

/// An injury found by the word list is kept, so that a text cannot talk a model out of it.
fn is_injury(sign: &Sign) -> bool {
    sign.kind == SignKind::Injury
}
