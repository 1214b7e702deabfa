//! The chat completions protocol: request bodies and the parsing of responses.

use assize_kernel::{PromptRules, Questionnaire, to_json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::settings::{AnswerFormat, ModelSettings};

/// One message of a conversation.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ChatMessage {
    role: &'static str,
    content: String,
}

/// The messages of a request, extended by a repair message after an unusable answer.
pub(crate) struct Conversation {
    messages: Vec<ChatMessage>,
    schema: Value,
    max_tokens: u32,
}

/// The part of a response that is read.
#[derive(Debug, Deserialize)]
pub(crate) struct Completion {
    /// The endpoint's id of the response.
    pub(crate) id: Option<String>,
    /// The model that answered, as the endpoint names it.
    pub(crate) model: Option<String>,
    #[serde(default)]
    choices: Vec<CompletionChoice>,
    pub(crate) usage: Option<TokenUsage>,
}

#[derive(Debug, Deserialize)]
struct CompletionChoice {
    message: Option<ReplyMessage>,
    finish_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ReplyMessage {
    content: Option<String>,
    refusal: Option<String>,
}

/// The token counts of the endpoint.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(crate) struct TokenUsage {
    #[serde(default)]
    pub(crate) prompt_tokens: u64,
    #[serde(default)]
    pub(crate) completion_tokens: u64,
}

/// Why an answer is unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AnswerFlaw {
    /// Worth a repair: the problems, as the repair message lists them.
    Mend(Vec<String>),
    /// Truncated at the token limit.
    CutShort,
    /// The model refuses to answer.
    Refused(String),
}

impl Conversation {
    pub(crate) fn begin(prompt: &PromptRules, asked: &Questionnaire, settings: &ModelSettings) -> Self {
        let messages = vec![
            ChatMessage { role: "system", content: prompt.system.trim().to_owned() },
            ChatMessage { role: "user", content: prompt.question(asked) },
        ];
        Self { messages, schema: asked.schema(), max_tokens: settings.max_tokens }
    }

    /// The body of the next request.
    pub(crate) fn body(&self, settings: &ModelSettings) -> String {
        let mut body = json!({
            "model": settings.model,
            "messages": self.messages,
            "temperature": settings.temperature,
            "max_tokens": self.max_tokens,
            "stream": false,
        });
        let format = match settings.structure {
            AnswerFormat::JsonSchema => Some(json!({
                "type": "json_schema",
                "json_schema": { "name": "findings", "strict": true, "schema": self.schema },
            })),
            AnswerFormat::ObjectSchema => Some(json!({ "type": "json_object", "schema": self.schema })),
            AnswerFormat::JsonObject => Some(json!({ "type": "json_object" })),
            AnswerFormat::None => None,
        };
        if let (Some(format), Some(body)) = (format, body.as_object_mut()) {
            body.insert("response_format".into(), format);
        }
        to_json(&body)
    }

    /// Prepares the repair of an unusable answer.
    pub(crate) fn mend(&mut self, prompt: &PromptRules, answer: &str, flaw: &AnswerFlaw) {
        match flaw {
            // With the same limit the answer would be truncated again.
            AnswerFlaw::CutShort => self.max_tokens = self.max_tokens.saturating_mul(2),
            AnswerFlaw::Mend(problems) => {
                let wrong: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
                let told = format!("{}\n{}", prompt.repair.trim(), wrong.join("\n"));
                self.messages.push(ChatMessage { role: "assistant", content: answer.to_owned() });
                self.messages.push(ChatMessage { role: "user", content: told });
            }
            AnswerFlaw::Refused(_) => {}
        }
    }
}

impl Completion {
    /// The JSON of the answer.
    pub(crate) fn answer(&self) -> Result<Value, AnswerFlaw> {
        let mend = |problem: &str| AnswerFlaw::Mend(vec![problem.to_owned()]);
        let chosen = self.choices.first().ok_or_else(|| mend("there is no answer"))?;
        let said = chosen.message.as_ref().ok_or_else(|| mend("there is no answer"))?;
        if let Some(refusal) = said.refusal.as_deref().filter(|refusal| !refusal.is_empty()) {
            return Err(AnswerFlaw::Refused(refusal.chars().take(200).collect()));
        }
        match chosen.finish_reason.as_deref() {
            Some("length") => return Err(AnswerFlaw::CutShort),
            Some("content_filter") => {
                return Err(AnswerFlaw::Refused("a filter held the answer back".to_owned()));
            }
            _ => {}
        }
        let content = self.content();
        read_json(content).ok_or_else(|| mend("the answer is no JSON"))
    }

    /// Why the model stopped.
    pub(crate) fn finish_reason(&self) -> Option<&str> {
        self.choices.first()?.finish_reason.as_deref()
    }

    /// The text of the answer.
    pub(crate) fn content(&self) -> &str {
        let said = self.choices.first().and_then(|chosen| chosen.message.as_ref());
        said.and_then(|said| said.content.as_deref()).unwrap_or_default()
    }
}

/// Parses JSON, also from within other text or a code fence.
fn read_json(content: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(content.trim()) {
        return Some(value);
    }
    let from = content.find('{')?;
    let to = content.rfind('}')?;
    serde_json::from_str(content.get(from..=to)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: Result<Value, AnswerFlaw>) {
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
        check(
            r#"{"choices":[{"message":{"content":"{}"},"finish_reason":"length"}]}"#,
            Err(AnswerFlaw::CutShort),
        );
    }

    #[test]
    fn a_refusal_is_no_answer() {
        check(
            r#"{"choices":[{"message":{"content":null,"refusal":"I cannot"},"finish_reason":"stop"}]}"#,
            Err(AnswerFlaw::Refused("I cannot".into())),
        );
        check(r#"{"choices":[]}"#, Err(AnswerFlaw::Mend(vec!["there is no answer".into()])));
    }
}
