//! Rulebooks: the parameters of a court in a named, versioned text that a judge can read.

mod located;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use toml::de::{DeTable, DeValue};

use crate::digest::Digest;
use located::Located;

/// The parameters of a court.
pub trait Rules: DeserializeOwned + Send + Sync + 'static {
    /// The invalid values, each with its key; empty when all are valid.
    fn faults(&self) -> Vec<Fault>;

    /// What could be listed under each key and is not, as a text written before it existed does not list it. It has
    /// no part in judgement. The rulebooks that ship list everything.
    fn unlisted(&self) -> Vec<Fault> {
        Vec::new()
    }
}

/// An invalid value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The dotted key, as in `score.penalty`.
    pub key: Cow<'static, str>,
    /// The problem, in lower case without a full stop.
    pub problem: String,
}

/// The validated parameters of a court, with the text that they were read from.
#[derive(Debug)]
pub struct Rulebook<R> {
    /// The name, version and hash that verdicts quote.
    pub reference: RulebookRef,
    /// The text that was parsed.
    pub text: Arc<str>,
    /// The parameters.
    pub rules: R,
}

/// A reference to a rulebook, as verdicts contain it; cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulebookRef {
    /// The name in the file.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::openapi::Id))]
    pub name: SmolStr,
    /// The version in the file.
    pub version: u32,
    /// SHA-256 of the file's bytes.
    pub hash: Digest,
}

/// All mistakes in a rulebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulebookError {
    /// The file that was read.
    pub file: String,
    /// The mistakes in the order of lines.
    pub mistakes: Vec<Mistake>,
}

/// One mistake in a rulebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The dotted key; empty when the text as a whole cannot be parsed.
    pub key: String,
    /// The problem, in lower case without a full stop.
    pub problem: String,
}

impl Fault {
    /// An invalid value under this key.
    pub fn new(key: impl Into<Cow<'static, str>>, problem: impl Into<String>) -> Self {
        Self { key: key.into(), problem: problem.into() }
    }
}

impl<R: Rules> Rulebook<R> {
    /// Parses a rulebook of `court`; `file` is its name in error messages.
    ///
    /// # Errors
    /// Lists every unknown key, every value of a wrong type and every invalid value, with file, line and key.
    pub fn read(court: &str, file: &str, text: &str) -> Result<Self, RulebookError> {
        let fail = |mistakes| RulebookError { file: file.to_owned(), mistakes };
        let located = Located::parse(text).map_err(|mistake| fail(vec![mistake]))?;
        let mut table = DeTable::parse(text).map_err(|error| fail(vec![located.mistake(&error)]))?;
        let header = Header::take(court, table.get_mut(), &located).map_err(fail)?;
        let rules = R::deserialize(toml::de::Deserializer::from(table))
            .map_err(|error| fail(vec![located.mistake(&error)]))?;
        let mut mistakes: Vec<Mistake> =
            rules.faults().into_iter().map(|fault| located.fault(fault)).collect();
        if !mistakes.is_empty() {
            mistakes.sort_by_key(|mistake| mistake.line);
            return Err(fail(mistakes));
        }
        let hash = Digest::of(text.as_bytes());
        let reference = RulebookRef { name: header.name.into(), version: header.version, hash };
        Ok(Self { reference, text: text.into(), rules })
    }
}

/// The three lines that every rulebook begins with.
struct Header {
    name: String,
    version: u32,
}

impl Header {
    /// Removes the header from the table, which leaves the court's own parameters.
    fn take(court: &str, table: &mut DeTable<'_>, located: &Located) -> Result<Self, Vec<Mistake>> {
        let mut faults = Vec::new();
        let mut wrong = |key: &'static str, problem: String| faults.push(Fault::new(key, problem));
        let mut take = |key: &str| table.remove(key).map(toml::Spanned::into_inner);

        match take("court") {
            Some(DeValue::String(of_court)) if of_court == court => {}
            Some(DeValue::String(other)) => wrong("court", format!("must be `{court}`, is `{other}`")),
            _ => wrong("court", format!("is missing; must be `{court}`")),
        }
        let name = match take("name") {
            Some(DeValue::String(name)) if crate::check_name(&name).is_ok() => name.into_owned(),
            _ => {
                wrong("name", "is missing; must be letters, digits, `.`, `_` and `-`".into());
                String::new()
            }
        };
        let version = match take("version") {
            Some(DeValue::Integer(number)) => number.as_str().parse().unwrap_or(0),
            _ => 0,
        };
        if version == 0 {
            wrong("version", "is missing; must be a whole number from 1 on".into());
        }
        if faults.is_empty() {
            Ok(Self { name, version })
        } else {
            Err(faults.into_iter().map(|fault| located.fault(fault)).collect())
        }
    }
}

impl fmt::Display for RulebookRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} v{} ({})", self.name, self.version, self.hash.short())
    }
}

impl fmt::Display for RulebookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mistake) in self.mistakes.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            let colon = if mistake.key.is_empty() { "" } else { ": " };
            write!(f, "{newline}{}:{}: {}{colon}{}", self.file, mistake.line, mistake.key, mistake.problem)?;
        }
        Ok(())
    }
}

impl std::error::Error for RulebookError {}
