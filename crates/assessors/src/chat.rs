//! The chat protocol: what is sent, and what of the answer is looked at.

use assize_kernel::{PromptRules, Questionnaire, to_json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::settings::{ModelSettings, Structure};

/// One message of a conversation.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Message {
    role: &'static str,
    content: String,
}

/// What is asked, before and after an answer that could not be used.
pub(crate) struct Conversation {
    messages: Vec<Message>,
    schema: Value,
    max_tokens: u32,
}

/// What of an answer is looked at.
#[derive(Debug, Deserialize)]
pub(crate) struct Completion {
    /// What the endpoint calls this answer.
    pub(crate) id: Option<String>,
    /// Which model has answered, in its own words.
    pub(crate) model: Option<String>,
    #[serde(default)]
    choices: Vec<Chosen>,
    pub(crate) usage: Option<Tokens>,
}

#[derive(Debug, Deserialize)]
struct Chosen {
    message: Option<Said>,
    finish_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Said {
    content: Option<String>,
    refusal: Option<String>,
}

/// What the endpoint counted.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(crate) struct Tokens {
    #[serde(default)]
    pub(crate) prompt_tokens: u64,
    #[serde(default)]
    pub(crate) completion_tokens: u64,
}

/// Why an answer cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// It could be otherwise next time: what is wrong, for the model.
    Mend(Vec<String>),
    /// It ends before its end.
    CutShort,
    /// The model will not.
    Refused(String),
}

impl Conversation {
    pub(crate) fn begin(prompt: &PromptRules, asked: &Questionnaire, settings: &ModelSettings) -> Self {
        let messages = vec![
            Message { role: "system", content: prompt.system.trim().to_owned() },
            Message { role: "user", content: prompt.question(asked) },
        ];
        Self { messages, schema: asked.schema(), max_tokens: settings.max_tokens }
    }

    /// The body of the request.
    pub(crate) fn body(&self, settings: &ModelSettings) -> String {
        let mut body = json!({
            "model": settings.model,
            "messages": self.messages,
            "temperature": settings.temperature,
            "max_tokens": self.max_tokens,
            "stream": false,
        });
        let format = match settings.structure {
            Structure::JsonSchema => Some(json!({
                "type": "json_schema",
                "json_schema": { "name": "findings", "strict": true, "schema": self.schema },
            })),
            Structure::ObjectSchema => Some(json!({ "type": "json_object", "schema": self.schema })),
            Structure::JsonObject => Some(json!({ "type": "json_object" })),
            Structure::None => None,
        };
        if let (Some(format), Some(body)) = (format, body.as_object_mut()) {
            body.insert("response_format".into(), format);
        }
        to_json(&body)
    }

    /// Goes on after an answer that could not be used.
    pub(crate) fn mend(&mut self, prompt: &PromptRules, answer: &str, flaw: &Flaw) {
        match flaw {
            // More of the same would be cut short at the same place.
            Flaw::CutShort => self.max_tokens = self.max_tokens.saturating_mul(2),
            Flaw::Mend(problems) => {
                let wrong: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
                let told = format!("{}\n{}", prompt.repair.trim(), wrong.join("\n"));
                self.messages.push(Message { role: "assistant", content: answer.to_owned() });
                self.messages.push(Message { role: "user", content: told });
            }
            Flaw::Refused(_) => {}
        }
    }
}

impl Completion {
    /// The JSON in what was said.
    pub(crate) fn answer(&self) -> Result<Value, Flaw> {
        let mend = |problem: &str| Flaw::Mend(vec![problem.to_owned()]);
        let chosen = self.choices.first().ok_or_else(|| mend("there is no answer"))?;
        let said = chosen.message.as_ref().ok_or_else(|| mend("there is no answer"))?;
        if let Some(refusal) = said.refusal.as_deref().filter(|refusal| !refusal.is_empty()) {
            return Err(Flaw::Refused(refusal.chars().take(200).collect()));
        }
        match chosen.finish_reason.as_deref() {
            Some("length") => return Err(Flaw::CutShort),
            Some("content_filter") => return Err(Flaw::Refused("a filter held the answer back".to_owned())),
            _ => {}
        }
        let content = self.content();
        read_json(content).ok_or_else(|| mend("the answer is no JSON"))
    }

    /// Why it stopped.
    pub(crate) fn finish_reason(&self) -> Option<&str> {
        self.choices.first()?.finish_reason.as_deref()
    }

    /// What was said.
    pub(crate) fn content(&self) -> &str {
        let said = self.choices.first().and_then(|chosen| chosen.message.as_ref());
        said.and_then(|said| said.content.as_deref()).unwrap_or_default()
    }
}

/// JSON, also when a model has put words or a fence around it.
fn read_json(content: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(content.trim()) {
        return Some(value);
    }
    let (from, to) = (content.find('{')?, content.rfind('}')?);
    serde_json::from_str(content.get(from..=to)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: Result<Value, Flaw>) {
        let completion: Completion = serde_json::from_str(body).unwrap();
        assert_eq!(completion.answer(), expected, "{body}");
    }

    #[test]
    fn json_is_found_in_a_fence() {
        check(
            r#"{"choices":[{"message":{"content":"Here you are:\n```json\n{\"a\":1}\n```"},"finish_reason":"stop"}]}"#,
            Ok(json!({ "a": 1 })),
        );
    }

    #[test]
    fn what_is_cut_short_is_seen_even_when_it_is_json() {
        check(r#"{"choices":[{"message":{"content":"{}"},"finish_reason":"length"}]}"#, Err(Flaw::CutShort));
    }

    #[test]
    fn a_refusal_is_no_answer() {
        check(
            r#"{"choices":[{"message":{"content":null,"refusal":"I cannot"},"finish_reason":"stop"}]}"#,
            Err(Flaw::Refused("I cannot".into())),
        );
        check(r#"{"choices":[]}"#, Err(Flaw::Mend(vec!["there is no answer".into()])));
    }
}
