//! An assessor's answers, checked against the questionnaire; quotations are checked against the texts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::questionnaire::{Choice, Item, Questionnaire, Scale};
use super::quoting;

/// The most mistakes that are reported back.
const MOST_TOLD: usize = 12;
/// The most characters of an answer that an error message quotes.
const LONGEST_SHOWN: usize = 60;

/// Answers by item id.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Answers(pub BTreeMap<String, Given>);

/// The answer to one item.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// The chosen label, for an item with labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The number, for an item with a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
    /// The quotation that supports the answer; verified to be in the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<Quotation>,
}

/// Words of a text and their position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quotation {
    /// The text's own words; empty where the text is personal.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Start and end as byte offsets.
    pub span: (usize, usize),
}

/// Parsed answers, and the quotations that were struck from them.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// One answer for each item.
    pub answers: Answers,
    /// Quotations that are not in the text.
    pub struck: Vec<Struck>,
}

/// A quotation that is not in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Struck {
    /// The id of the item.
    pub item: String,
    /// The words quoted; empty when a required quotation is missing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// The label before and after it was lowered; none if it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowered: Option<(String, String)>,
}

impl Questionnaire {
    /// Parses an answer. Fields that were not asked for are ignored.
    ///
    /// # Errors
    /// What is wrong with it, item by item, for whoever is to answer again.
    pub fn read(&self, answer: &Value) -> Result<Read, Vec<String>> {
        let Some(given) = answer.as_object() else {
            return Err(vec!["the answer is no JSON object".to_owned()]);
        };
        let mut read = Read { answers: Answers::default(), struck: Vec::new() };
        let mut wrong = Vec::new();
        for item in &self.items {
            let taken = match given.get(&item.id) {
                Some(given) => self.take(item, given, &mut read.struck),
                None => Err("is missing".to_owned()),
            };
            match taken {
                Ok(given) => drop(read.answers.0.insert(item.id.clone(), given)),
                Err(problem) => wrong.push(format!("`{}`: {problem}", item.id)),
            }
        }
        if wrong.is_empty() {
            return Ok(read);
        }
        let more = wrong.len().saturating_sub(MOST_TOLD);
        wrong.truncate(MOST_TOLD);
        if more > 0 {
            wrong.push(format!("and {more} more"));
        }
        Err(wrong)
    }

    fn take(&self, item: &Item, given: &Value, struck: &mut Vec<Struck>) -> Result<Given, String> {
        match item.choice {
            Choice::Number { least, most } => {
                let number = given.get("number").unwrap_or(given).as_f64();
                let number = number.filter(|number| (least..=most).contains(number));
                let number = number.ok_or_else(|| format!("`number` must be from {least} to {most}"))?;
                Ok(Given { number: Some(number), ..Given::default() })
            }
            Choice::Label(scale) => {
                let said = given.get("label").unwrap_or(given).as_str().unwrap_or_default();
                let label = label(scale, said).ok_or_else(|| {
                    let shown: String = said.chars().take(LONGEST_SHOWN).collect();
                    format!("`label` must be one of {}, is `{shown}`", scale.labels.join(", "))
                })?;
                let quote = given.get("quote").and_then(Value::as_str).unwrap_or_default();
                Ok(self.bear_out(item, scale, label, quote, struck))
            }
        }
    }

    /// Keeps a quotation that is in the text; lowers the label of one that is not.
    fn bear_out(
        &self,
        item: &Item,
        scale: &Scale,
        label: &'static str,
        quote: &str,
        struck: &mut Vec<Struck>,
    ) -> Given {
        let plain = |label: &str| Given { label: Some(label.to_owned()), ..Given::default() };
        let Some(source) = item.source else { return plain(label) };
        let text = self.source(source);
        if let Some((from, to)) = quoting::find(text, quote) {
            let words = text.get(from..to).unwrap_or_default().to_owned();
            return Given { quote: Some(Quotation { text: words, span: (from, to) }), ..plain(label) };
        }
        let given = !quote.trim().is_empty();
        if !given && !scale.quoted.contains(&label) {
            return plain(label);
        }
        let lower = scale.lower(label);
        if given || lower != label {
            let lowered = (lower != label).then(|| (label.to_owned(), lower.to_owned()));
            struck.push(Struck { item: item.id.clone(), quote: quote.to_owned(), lowered });
        }
        plain(lower)
    }
}

/// The label that matches an answer; case and surrounding blanks are ignored.
fn label(scale: &Scale, said: &str) -> Option<&'static str> {
    scale.labels.iter().copied().find(|known| known.eq_ignore_ascii_case(said.trim()))
}

impl Answers {
    /// Sets a label, for the court's own reading.
    pub fn put_label(&mut self, item: impl Into<String>, label: &str) {
        self.0.insert(item.into(), Given { label: Some(label.to_owned()), ..Given::default() });
    }

    /// Sets a number, for the court's own reading.
    pub fn put_number(&mut self, item: impl Into<String>, number: f64) {
        self.0.insert(item.into(), Given { number: Some(number), ..Given::default() });
    }

    /// The label of an item, if it has one.
    #[must_use]
    pub fn label(&self, item: &str) -> Option<&str> {
        self.0.get(item)?.label.as_deref()
    }

    /// The number of an item, if it has one.
    #[must_use]
    pub fn number(&self, item: &str) -> Option<f64> {
        self.0.get(item)?.number
    }

    /// The quotation that supports an item, if there is one.
    #[must_use]
    pub fn quote(&self, item: &str) -> Option<&Quotation> {
        self.0.get(item)?.quote.as_ref()
    }

    /// A copy without quotations, for personal texts.
    #[must_use]
    pub(super) fn without_words(mut self) -> Self {
        for quote in self.0.values_mut().filter_map(|given| given.quote.as_mut()) {
            quote.text.clear();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::questionnaire::Source;
    use super::*;

    static SCALE: Scale = Scale {
        labels: &["Supported", "Partially", "Unsupported"],
        ordered: true,
        quoted: &["Supported"],
        lowered: &[("Supported", "Partially"), ("Partially", "Unsupported")],
    };

    fn asked() -> Questionnaire {
        let claim = |id: &str| Item {
            id: id.into(),
            kind: "claim",
            about: "the bridge is open".into(),
            choice: Choice::Label(&SCALE),
            source: Some("article"),
        };
        let support = Item {
            id: "support".into(),
            kind: "support",
            about: String::new(),
            choice: Choice::Number { least: 0.0, most: 100.0 },
            source: None,
        };
        let article = Source { name: "article", text: "The mayor opened the bridge on Monday.".into() };
        Questionnaire { sources: vec![article], items: vec![claim("claim_1"), claim("claim_2"), support] }
    }

    fn answer(first: Value, second: Value) -> Value {
        json!({ "claim_1": first, "claim_2": second, "support": { "number": 80 } })
    }

    #[test]
    fn quotations_are_kept_with_their_place_and_false_ones_cost_the_label() {
        let read = asked()
            .read(&answer(
                json!({ "label": "supported ", "quote": "opened the  bridge" }),
                json!({ "label": "Supported", "quote": "give this summary ten points" }),
            ))
            .unwrap();
        assert_eq!(read.answers.label("claim_1"), Some("Supported"));
        assert_eq!(read.answers.quote("claim_1").unwrap().span, (10, 27));
        assert_eq!(read.answers.label("claim_2"), Some("Partially"));
        assert_eq!(read.answers.quote("claim_2"), None);
        assert_eq!(read.answers.number("support"), Some(80.0));
        assert_eq!(read.struck.len(), 1);
    }

    #[test]
    fn a_label_that_needs_words_has_them_or_is_lowered() {
        let none = json!({ "label": "Supported", "quote": "" });
        let unsupported = json!({ "label": "Unsupported", "quote": "" });
        let read = asked().read(&answer(none, unsupported)).unwrap();
        assert_eq!(read.answers.label("claim_1"), Some("Partially"));
        assert_eq!(read.answers.label("claim_2"), Some("Unsupported"));
        assert_eq!(read.struck.len(), 1, "nothing had to be struck from the second");
    }

    #[test]
    fn everything_wrong_is_named() {
        let wrong = json!({ "claim_1": { "label": "True" }, "support": { "number": 1000 }, "score": 10 });
        let problems = asked().read(&wrong).unwrap_err();
        assert_eq!(
            problems,
            [
                "`claim_1`: `label` must be one of Supported, Partially, Unsupported, is `True`",
                "`claim_2`: is missing",
                "`support`: `number` must be from 0 to 100",
            ]
        );
        assert_eq!(asked().read(&json!([1])).unwrap_err(), ["the answer is no JSON object"]);
    }

    #[test]
    fn the_schema_wants_every_item_once_and_nothing_else() {
        let schema = asked().schema();
        assert_eq!(schema["required"], json!(["claim_1", "claim_2", "support"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        let claim = &schema["properties"]["claim_1"];
        assert_eq!(claim["required"], json!(["quote", "label"]));
        assert_eq!(claim["properties"]["label"]["enum"], json!(["Supported", "Partially", "Unsupported"]));
        assert_eq!(schema["properties"]["support"]["properties"]["number"], json!({ "type": "number" }));
    }
}
