//! What an assessor is asked about a log: signs in what the hunter wrote, or in what a report of it says, and nothing
//! that pays.

use assize_kernel::{
    Answers, Assessable, Assessor, Choice, Item, Questionnaire, Refusal, Rulebook, Scale, Source, to_json,
};
use serde_json::Value;

use super::Quest;
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

/// What was written, and where it stands in the document.
struct Written {
    text: String,
    source: &'static str,
    kind: &'static str,
}

impl Written {
    /// What there is to be seen. Whether it was hard or easy for the hunter, others do not know.
    fn signs(&self) -> impl Iterator<Item = (String, SignKind, &'static str, &'static str)> {
        let asked = if self.kind == OF_REPORT { &SIGNS[..2] } else { &SIGNS[..] };
        let numbered = asked.iter().enumerate();
        numbered.map(|(number, (kind, word, about))| (format!("sign_{}", number + 1), *kind, *word, *about))
    }
}

impl Assessable for Quest {
    const BENCH: &'static str = "quest-bench";
    const PROMPT: &'static str = include_str!("../../../../prompts/quest/observe.toml");
    /// What people write about their bodies is theirs.
    const PERSONAL: bool = true;
    const SCALES: &'static [(&'static str, &'static Scale)] = &[("sign", &SIGN), (OF_REPORT, &SIGN)];

    fn ask(book: &Rulebook<QuestRules>, document: &str) -> Result<Questionnaire, Refusal> {
        let (read, written) = open(document)?;
        // Whatever else is wrong with the document is said before anybody is asked.
        super::document::judge(book, &to_json(&read))?;
        let items = written.signs().map(|(id, _, _, about)| Item {
            id,
            kind: written.kind,
            about: about.to_owned(),
            choice: Choice::Label(&SIGN),
            source: Some(written.source),
        });
        // Who wrote nothing gives no sign.
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
        // That it is about a report is no secret; what that says is.
        document.get_mut("report").into_iter().for_each(|report| *report = "".into());
        let as_json = |json: String| serde_json::from_str::<Value>(&json).map_err(|_| no_object());
        document.insert("reading".into(), as_json(to_json(&reading))?);
        document.insert("assessor".into(), as_json(to_json(assessor))?);
        Ok(to_json(&read))
    }
}

/// A document that nobody has assessed yet, and what was written.
fn open(document: &str) -> Result<(Value, Written), QuestRefusal> {
    let malformed = |problem: String| QuestRefusal::DocumentMalformed(problem);
    let read: Value = serde_json::from_str(document).map_err(|error| malformed(error.to_string()))?;
    if read.get("reading").is_some() || read.get("assessor").is_some() {
        return Err(malformed("`reading` is there already; leave it out to have it assessed".to_owned()));
    }
    let text = |at: &str| read.pointer(at).and_then(Value::as_str).map(str::to_owned);
    let written = match text("/report") {
        Some(text) => Written { text, source: "report", kind: OF_REPORT },
        None => {
            let text = text("/log/user_feedback").unwrap_or_default();
            Written { text, source: "user_feedback", kind: "sign" }
        }
    };
    Ok((read, written))
}

fn no_object() -> QuestRefusal {
    QuestRefusal::DocumentMalformed("the document is no object".to_owned())
}

/// What an assessor has seen, without the writer's words: they are personal.
fn signs(written: &Written, answers: &Answers) -> Vec<Sign> {
    let seen = written.signs().filter_map(|(id, kind, word, _)| {
        let quote = answers.quote(&id).filter(|_| answers.label(&id) == Some("yes"))?;
        Some(Sign { kind, language: "any".into(), words: word.into(), span: quote.span })
    });
    seen.collect()
}

/// What the word list reads as an injury stays: no words of a hunter talk a model out of that.
fn is_injury(sign: &Sign) -> bool {
    sign.kind == SignKind::Injury
}
