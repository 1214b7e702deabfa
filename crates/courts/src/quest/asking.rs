//! What an assessor is asked about a log: signs in what the hunter wrote, and nothing that pays.

use assize_kernel::{
    Answers, Assessable, Assessor, Choice, Item, PERSON, Questionnaire, Refusal, Rulebook, Scale, Source,
    to_json,
};
use serde_json::Value;

use super::Quest;
use super::reading::{self, Reading, Sign, SignKind};
use super::refusals::QuestRefusal;
use super::rules::QuestRules;

static SIGN: Scale =
    Scale { labels: &["no", "yes"], ordered: false, quoted: &["yes"], lowered: &[("yes", "no")] };

const SIGNS: [(SignKind, &str, &str); 4] = [
    (SignKind::Injury, "injury", "an injury: something is damaged"),
    (SignKind::Pain, "pain", "pain: something hurts"),
    (SignKind::Exhaustion, "exhaustion", "exhaustion: it was too much"),
    (SignKind::Ease, "ease", "ease: it was too easy"),
];

impl Assessable for Quest {
    const BENCH: &'static str = "quest-bench";
    const PROMPT: &'static str = include_str!("../../../../prompts/quest/observe.toml");
    /// What people write about their bodies is theirs.
    const PERSONAL: bool = true;
    const SCALES: &'static [(&'static str, &'static Scale)] = &[("sign", &SIGN)];

    fn ask(book: &Rulebook<QuestRules>, document: &str) -> Result<Questionnaire, Refusal> {
        let (read, feedback) = open(document)?;
        // Whatever else is wrong with the document is said before anybody is asked.
        super::document::judge(book, &to_json(&read))?;
        let items = SIGNS.iter().enumerate().map(|(number, (_, _, about))| Item {
            id: format!("sign_{}", number + 1),
            kind: "sign",
            about: (*about).to_owned(),
            choice: Choice::Label(&SIGN),
            source: Some("user_feedback"),
        });
        // Who wrote nothing gives no sign.
        let items = items.filter(|_| !feedback.trim().is_empty()).collect();
        Ok(Questionnaire { sources: vec![Source { name: "user_feedback", text: feedback }], items })
    }

    fn own_answers(_: &Rulebook<QuestRules>, document: &str) -> Result<Answers, Refusal> {
        let (_, feedback) = open(document)?;
        let reading = reading::read(&feedback);
        let mut answers = Answers::default();
        for (number, (kind, ..)) in SIGNS.iter().enumerate() {
            answers.put_label(format!("sign_{}", number + 1), if reading.has(*kind) { "yes" } else { "no" });
        }
        Ok(answers)
    }

    fn with_findings(
        _: &Rulebook<QuestRules>,
        document: &str,
        answered: Option<(&Answers, &Assessor)>,
    ) -> Result<String, Refusal> {
        let (mut read, feedback) = open(document)?;
        let own = reading::own();
        let (reading, assessor) = match answered {
            Some((answers, assessor)) => {
                let mut signs = signs(answers);
                if assessor.name != PERSON && !signs.iter().any(is_injury) {
                    signs.extend(reading::read(&feedback).signs.into_iter().filter(is_injury));
                }
                signs.sort_by_key(|sign| (sign.span, sign.kind));
                (Reading { signs, by: None }, assessor)
            }
            None => (reading::read(&feedback), &own),
        };
        let document = read.as_object_mut().ok_or_else(no_object)?;
        if let Some(log) = document.get_mut("log").and_then(Value::as_object_mut) {
            log.shift_remove("user_feedback");
        }
        let written = |json: String| serde_json::from_str::<Value>(&json).map_err(|_| no_object());
        document.insert("reading".into(), written(to_json(&reading))?);
        document.insert("assessor".into(), written(to_json(assessor))?);
        Ok(to_json(&read))
    }
}

/// A document that nobody has assessed yet, and what the hunter wrote.
fn open(document: &str) -> Result<(Value, String), QuestRefusal> {
    let malformed = |problem: String| QuestRefusal::DocumentMalformed(problem);
    let read: Value = serde_json::from_str(document).map_err(|error| malformed(error.to_string()))?;
    if read.get("reading").is_some() || read.get("assessor").is_some() {
        return Err(malformed("`reading` is there already; leave it out to have it assessed".to_owned()));
    }
    let feedback = read.pointer("/log/user_feedback").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok((read, feedback))
}

fn no_object() -> QuestRefusal {
    QuestRefusal::DocumentMalformed("the document is no object".to_owned())
}

/// What an assessor has seen, without the writer's words: they are personal.
fn signs(answers: &Answers) -> Vec<Sign> {
    let seen = SIGNS.iter().enumerate().filter_map(|(number, (kind, word, _))| {
        let id = format!("sign_{}", number + 1);
        let quote = answers.quote(&id).filter(|_| answers.label(&id) == Some("yes"))?;
        Some(Sign { kind: *kind, language: "any".into(), words: (*word).into(), span: quote.span })
    });
    seen.collect()
}

/// What the word list reads as an injury stays: no words of a hunter talk a model out of that.
fn is_injury(sign: &Sign) -> bool {
    sign.kind == SignKind::Injury
}
