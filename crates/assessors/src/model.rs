//! A model as an assessor: asked once, asked to mend its answer once, and then left alone.

use assize_kernel::{Assessor, Digest, Exchange, Prompt, Questionnaire, Usage};
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use crate::budget::Budget;
use crate::chat::{Completion, Conversation, Flaw, Tokens};
use crate::client::{Endpoint, NoAnswer};
use crate::settings::{ModelSettings, SettingsError, Structure};
use crate::trace::Called;

/// A language model behind an endpoint.
pub struct Model {
    name: String,
    settings: ModelSettings,
    endpoint: Endpoint,
    budget: Budget,
    places: Semaphore,
}

/// What came of asking a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// An answer that can be read, or why there is none.
    pub answer: Result<Value, Trouble>,
    /// Whether it had to be asked twice.
    pub repaired: bool,
    /// What was said, word for word.
    pub exchanges: Vec<Exchange>,
    /// What it took.
    pub usage: Usage,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// It may be there another time.
    #[error("{0}")]
    Away(String),
    /// The budget is used up.
    #[error("{0}")]
    Budget(String),
    /// It answered, and nothing can be done with that.
    #[error("{0}")]
    Unusable(String),
}

impl Model {
    /// A model of this name. Nothing is contacted.
    ///
    /// # Errors
    /// When its key is not in the environment, or cannot be one.
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
        let endpoint = Endpoint::new(&settings, key.as_deref().map(str::trim)).map_err(wrong)?;
        let places = Semaphore::new(settings.concurrency);
        Ok(Self { name, endpoint, budget: Budget::new(settings.budget), places, settings })
    }

    /// What it is called here.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it is asked.
    #[must_use]
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// What it has cost.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// How verdicts name it, asked by this prompt.
    #[must_use]
    pub fn assessor(&self, prompt: &Prompt) -> Assessor {
        let version = format!("{} by {}", self.settings.model, prompt.reference);
        Assessor { name: self.name.clone().into(), version: version.into() }
    }

    /// What the same question to the same model is known by.
    #[must_use]
    pub fn question(&self, prompt: &Prompt, asked: &Questionnaire) -> Digest {
        let body = Conversation::begin(&prompt.rules, asked, &self.settings).body(&self.settings);
        Digest::of_parts(&[self.settings.url.as_bytes(), b"\n", body.as_bytes()])
    }

    /// How it was asked, and how the last answer came, without a word of either.
    #[must_use]
    pub fn called(&self, exchanges: &[Exchange]) -> Called {
        let settings = &self.settings;
        let completion = exchanges.last().and_then(|exchange| read(&exchange.answer));
        let finish_reason = completion.as_ref().and_then(Completion::finish_reason).map(str::to_owned);
        let (response_id, response_model) =
            completion.map(|completion| (completion.id, completion.model)).unwrap_or_default();
        Called {
            model: settings.model.clone(),
            server: settings.server(),
            max_tokens: settings.max_tokens,
            temperature: settings.temperature,
            wants_json: settings.structure != Structure::None,
            response_id,
            response_model,
            finish_reason,
        }
    }

    /// Asks.
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
            assessment.answer = Err(Trouble::Unusable(flaw.told()));
            if let Flaw::Refused(_) = flaw {
                break;
            }
            let said = assessment.exchanges.last().and_then(|exchange| read(&exchange.answer));
            conversation.mend(&prompt.rules, said.as_ref().map_or("", Completion::content), &flaw);
        }
        assessment
    }

    /// One question and its answer, read and checked.
    async fn converse(
        &self,
        conversation: &Conversation,
        asked: &Questionnaire,
        assessment: &mut Assessment,
    ) -> Result<Result<Value, Flaw>, Trouble> {
        if let Some(enough) = self.budget.exhausted() {
            return Err(Trouble::Budget(enough));
        }
        let body = conversation.body(&self.settings);
        let (answered, calls) = self.endpoint.ask(&body).await;
        let completion = answered.as_ref().ok().and_then(|answer| read(answer));
        let usage = self.usage(calls, &body, completion.as_ref());
        self.budget.add(usage);
        assessment.usage += usage;
        let answer = answered.map_err(|problem| match problem {
            NoAnswer::Away(problem) => Trouble::Away(problem),
            NoAnswer::Refused(problem) => Trouble::Unusable(problem),
        })?;
        assessment.exchanges.push(Exchange { request: body, answer });
        let Some(completion) = completion else {
            return Ok(Err(Flaw::Mend(vec!["the answer does not speak the chat protocol".to_owned()])));
        };
        Ok(completion.answer().and_then(|answer| match asked.read(&answer) {
            Ok(_) => Ok(answer),
            Err(problems) => Err(Flaw::Mend(problems)),
        }))
    }

    /// What the endpoint counted; about four letters a token where it did not.
    fn usage(&self, calls: u32, body: &str, completion: Option<&Completion>) -> Usage {
        let guessed = |completion: &Completion| Tokens {
            prompt_tokens: body.len() as u64 / 4,
            completion_tokens: completion.content().len() as u64 / 4,
        };
        let tokens = completion
            .map(|completion| completion.usage.unwrap_or_else(|| guessed(completion)))
            .unwrap_or_default();
        let Tokens { prompt_tokens: tokens_in, completion_tokens: tokens_out } = tokens;
        #[allow(clippy::cast_precision_loss, reason = "tokens of one request")]
        let cost =
            (tokens_in as f64 * self.settings.price_in + tokens_out as f64 * self.settings.price_out) / 1e6;
        Usage { calls, tokens_in, tokens_out, cost }
    }
}

impl Flaw {
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
