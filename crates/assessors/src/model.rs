//! A model as an assessor: one request, and one repair of an invalid answer.

use assize_kernel::{Assessor, Digest, Exchange, Prompt, Questionnaire, Usage};
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use crate::budget::Budget;
use crate::chat::{AnswerFlaw, Completion, Conversation, TokenUsage};
use crate::client::{EndpointError, ModelEndpoint};
use crate::settings::{AnswerFormat, ModelSettings, SettingsError};
use crate::trace::ModelCall;

/// A language model behind an endpoint.
pub struct Model {
    name: String,
    settings: ModelSettings,
    endpoint: ModelEndpoint,
    budget: Budget,
    places: Semaphore,
}

/// The result of asking a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// A valid answer, or why there is none.
    pub answer: Result<Value, ModelError>,
    /// Whether the answer needed a repair.
    pub repaired: bool,
    /// The requests and responses, verbatim.
    pub exchanges: Vec<Exchange>,
    /// The usage.
    pub usage: Usage,
}

/// Why there is no valid answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The endpoint is unavailable; a later request may succeed.
    #[error("{0}")]
    Away(String),
    /// The budget is used up.
    #[error("{0}")]
    Budget(String),
    /// The answer is unusable.
    #[error("{0}")]
    Unusable(String),
}

impl Model {
    /// A model with this name; contacts no endpoint.
    ///
    /// # Errors
    /// When its API key is missing in the environment, or malformed.
    pub fn new(
        name: String,
        settings: ModelSettings,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SettingsError> {
        let wrong = |problem: String| SettingsError { name: name.clone(), problem };
        let key = match &settings.key_variable {
            Some(key) => {
                let value = variable(key).filter(|value| !value.trim().is_empty());
                Some(value.ok_or_else(|| wrong(format!("the environment variable `{key}` is not set")))?)
            }
            None => None,
        };
        let endpoint = ModelEndpoint::new(&settings, key.as_deref().map(str::trim)).map_err(wrong)?;
        let places = Semaphore::new(settings.concurrency);
        Ok(Self { name, endpoint, budget: Budget::new(settings.budget), places, settings })
    }

    /// Its name in the settings.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// Its budget.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The assessor as verdicts name it, with this prompt.
    #[must_use]
    pub fn assessor(&self, prompt: &Prompt) -> Assessor {
        let version = format!("{} by {}", self.settings.model, prompt.reference);
        Assessor { name: self.name.clone().into(), version: version.into() }
    }

    /// A digest of the question and the model, for caching.
    #[must_use]
    pub fn question(&self, prompt: &Prompt, asked: &Questionnaire) -> Digest {
        let body = Conversation::begin(&prompt.rules, asked, &self.settings).body(&self.settings);
        Digest::of_parts(&[self.settings.url.as_bytes(), b"\n", body.as_bytes()])
    }

    /// The parameters of the request and the metadata of the last response, without their contents.
    #[must_use]
    pub fn called(&self, exchanges: &[Exchange]) -> ModelCall {
        let settings = &self.settings;
        let completion = exchanges.last().and_then(|exchange| read(&exchange.answer));
        let finish_reason = completion.as_ref().and_then(Completion::finish_reason).map(str::to_owned);
        let (response_id, response_model) =
            completion.map(|completion| (completion.id, completion.model)).unwrap_or_default();
        ModelCall {
            model: settings.model.clone(),
            server: settings.server(),
            max_tokens: settings.max_tokens,
            temperature: settings.temperature,
            wants_json: settings.structure != AnswerFormat::None,
            response_id,
            response_model,
            finish_reason,
        }
    }

    /// Asks the model; repairs an invalid answer once.
    pub async fn assess(&self, prompt: &Prompt, asked: &Questionnaire) -> Assessment {
        let mut assessment = Assessment {
            answer: Ok(Value::Object(Map::new())),
            repaired: false,
            exchanges: Vec::new(),
            usage: Usage::default(),
        };
        if asked.items.is_empty() {
            return assessment;
        }
        let Ok(_place) = self.places.acquire().await else { return assessment };
        let mut conversation = Conversation::begin(&prompt.rules, asked, &self.settings);
        for last in [false, true] {
            let flaw = match self.converse(&conversation, asked, &mut assessment).await {
                Ok(Ok(answer)) => {
                    assessment.answer = Ok(answer);
                    assessment.repaired = last;
                    break;
                }
                Ok(Err(flaw)) => flaw,
                Err(trouble) => {
                    assessment.answer = Err(trouble);
                    break;
                }
            };
            assessment.answer = Err(ModelError::Unusable(flaw.told()));
            if let AnswerFlaw::Refused(_) = flaw {
                break;
            }
            let said = assessment.exchanges.last().and_then(|exchange| read(&exchange.answer));
            conversation.mend(&prompt.rules, said.as_ref().map_or("", Completion::content), &flaw);
        }
        assessment
    }

    /// One request and its response, validated.
    async fn converse(
        &self,
        conversation: &Conversation,
        asked: &Questionnaire,
        assessment: &mut Assessment,
    ) -> Result<Result<Value, AnswerFlaw>, ModelError> {
        if let Some(enough) = self.budget.exhausted() {
            return Err(ModelError::Budget(enough));
        }
        let body = conversation.body(&self.settings);
        let (answered, calls) = self.endpoint.ask(&body).await;
        let completion = answered.as_ref().ok().and_then(|answer| read(answer));
        let usage = self.usage(calls, &body, completion.as_ref());
        self.budget.add(usage);
        assessment.usage += usage;
        let answer = answered.map_err(|problem| match problem {
            EndpointError::Away(problem) => ModelError::Away(problem),
            EndpointError::Refused(problem) => ModelError::Unusable(problem),
        })?;
        assessment.exchanges.push(Exchange { request: body, answer });
        let Some(completion) = completion else {
            return Ok(Err(AnswerFlaw::Mend(vec!["the answer does not speak the chat protocol".to_owned()])));
        };
        Ok(completion.answer().and_then(|answer| match asked.read(&answer) {
            Ok(_) => Ok(answer),
            Err(problems) => Err(AnswerFlaw::Mend(problems)),
        }))
    }

    /// The token counts of the endpoint; without them, an estimate of four bytes a token.
    fn usage(&self, calls: u32, body: &str, completion: Option<&Completion>) -> Usage {
        let guessed = |completion: &Completion| TokenUsage {
            prompt_tokens: body.len() as u64 / 4,
            completion_tokens: completion.content().len() as u64 / 4,
        };
        let tokens = completion
            .map(|completion| completion.usage.unwrap_or_else(|| guessed(completion)))
            .unwrap_or_default();
        let TokenUsage { prompt_tokens: tokens_in, completion_tokens: tokens_out } = tokens;
        #[allow(clippy::cast_precision_loss, reason = "tokens of one request")]
        let cost =
            (tokens_in as f64 * self.settings.price_in + tokens_out as f64 * self.settings.price_out) / 1e6;
        Usage { calls, tokens_in, tokens_out, cost }
    }
}

impl AnswerFlaw {
    fn told(&self) -> String {
        match self {
            Self::CutShort => "its answer was cut short twice".to_owned(),
            Self::Mend(problems) => format!("its answer could not be read: {}", problems.join("; ")),
            Self::Refused(why) => format!("it would not answer: {why}"),
        }
    }
}

fn read(answer: &str) -> Option<Completion> {
    serde_json::from_str(answer).ok()
}
