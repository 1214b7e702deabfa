//! The settings of models, from the `[assessors.NAME]` tables of the settings file.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

use crate::client::LONGEST_PAUSE;

/// The settings of a model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSettings {
    /// The base URL, without `/chat/completions`: `https://api.openai.com/v1`.
    pub url: String,
    /// The endpoint's name of the model.
    pub model: String,
    /// The environment variable with the API key, if one is needed.
    pub key_variable: Option<String>,
    /// How the endpoint enforces the schema of answers.
    #[serde(default)]
    pub structure: AnswerFormat,
    /// The timeout of one request.
    #[serde(default = "minute")]
    pub timeout_seconds: u32,
    /// The number of attempts when the endpoint is unavailable or busy.
    #[serde(default = "three")]
    pub attempts: u32,
    /// The number of concurrent requests.
    #[serde(default = "four")]
    pub concurrency: usize,
    /// The maximal length of an answer, in tokens.
    #[serde(default = "long")]
    pub max_tokens: u32,
    /// The sampling temperature; 0 is as deterministic as the model allows.
    #[serde(default)]
    pub temperature: f64,
    /// The price of a million input tokens.
    #[serde(default)]
    pub price_in: f64,
    /// The price of a million output tokens.
    #[serde(default)]
    pub price_out: f64,
    /// Limits on usage.
    #[serde(default)]
    pub budget: BudgetLimits,
}

/// How the endpoint enforces the schema of answers. They are validated here in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerFormat {
    /// A strict JSON schema.
    #[default]
    JsonSchema,
    /// A JSON schema in the form of llama-cpp-python and older llama.cpp servers.
    ObjectSchema,
    /// Any JSON object.
    JsonObject,
    /// Not at all.
    None,
}

/// Limits on usage: by day on a server, by run on the command line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetLimits {
    /// Requests.
    pub calls: Option<u64>,
    /// Tokens, input and output.
    pub tokens: Option<u64>,
    /// Cost, by the prices of the settings.
    pub cost: Option<f64>,
}

/// Why a model cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("assessors.{name}: {problem}")]
pub struct SettingsError {
    /// The name of the model.
    pub name: String,
    /// What is wrong.
    pub problem: String,
}

/// Validates settings.
///
/// # Errors
/// The first problem.
pub fn read_settings(settings: &BTreeMap<String, ModelSettings>) -> Result<(), SettingsError> {
    settings.iter().try_for_each(|(name, model)| match model.fault(name) {
        Some(problem) => Err(SettingsError { name: name.clone(), problem }),
        None => Ok(()),
    })
}

impl ModelSettings {
    fn fault(&self, name: &str) -> Option<String> {
        if let Err(bad) = assize_kernel::check_name(name) {
            return Some(bad.to_string());
        }
        if matches!(name, assize_kernel::PERSON | assize_kernel::PANEL) {
            return Some("people and panels are called that; choose another name".to_owned());
        }
        let address = reqwest::Url::parse(&self.url).ok();
        let Some(address) = address.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        else {
            return Some("`url` must be an address such as `https://api.openai.com/v1`".to_owned());
        };
        if !address.username().is_empty() || address.password().is_some() {
            return Some("`url` must hold no secret; name a variable with `key_variable`".to_owned());
        }
        let bounds = [
            ("timeout_seconds", f64::from(self.timeout_seconds), 1.0, 3600.0),
            ("attempts", f64::from(self.attempts), 1.0, 10.0),
            ("concurrency", small(self.concurrency), 1.0, 256.0),
            ("max_tokens", f64::from(self.max_tokens), 64.0, 200_000.0),
            ("temperature", self.temperature, 0.0, 2.0),
            ("price_in", self.price_in, 0.0, 100_000.0),
            ("price_out", self.price_out, 0.0, 100_000.0),
        ];
        let outside = bounds.into_iter().find(|(_, value, least, most)| !(*least..=*most).contains(value));
        outside.map(|(key, value, least, most)| format!("`{key}` must be from {least} to {most}, is {value}"))
    }

    /// The host and port of the endpoint.
    pub(crate) fn server(&self) -> Option<(String, u16)> {
        let url = reqwest::Url::parse(&self.url).ok()?;
        Some((url.host_str()?.to_owned(), url.port_or_known_default()?))
    }

    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(u64::from(self.timeout_seconds))
    }

    /// The maximal duration of an assessment: two requests with all attempts and the longest pauses.
    #[must_use]
    pub fn longest(&self) -> Duration {
        let pauses = LONGEST_PAUSE * self.attempts.saturating_sub(1);
        (self.timeout() * self.attempts + pauses) * 2
    }
}

fn small(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

const fn minute() -> u32 {
    60
}

const fn three() -> u32 {
    3
}

const fn four() -> usize {
    4
}

const fn long() -> u32 {
    4096
}
