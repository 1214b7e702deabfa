//! Case files: rules, input and the expected verdict, written for people who know the rules.

mod compare;
mod format;
mod revising;
mod story;
mod values;

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::any_court::{AnyCourt, AnyRulebook, DecideError};
pub use compare::CaseChange;
use compare::{Difference, compare_refusal, compare_verdict};
use format::{CaseFile, Expected};

/// A directory with a file of this name holds no cases, whatever else is in it.
pub const NOT_CASES: &str = ".not-cases";

/// A case that did not come out as it must, or could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFailure {
    /// The file's name.
    pub file: String,
    /// The title, if it could be read.
    pub title: Option<String>,
    /// One line for each difference.
    pub problems: Vec<String>,
    /// What would have to stand in the file for the case to pass; empty when it fails otherwise than by the values
    /// that came out.
    pub changes: Vec<CaseChange>,
}

/// Runs one case file and returns its title; `file` is its name in failures.
///
/// # Errors
/// Lists every difference path by path, or says why the file cannot be run. A file without expectations fails
/// too: it would pass whatever the court does.
pub fn run_case(courts: &[Arc<dyn AnyCourt>], file: &str, text: &str) -> Result<String, CaseFailure> {
    let fail = |title, problems, changes| CaseFailure { file: file.to_owned(), title, problems, changes };
    let case = CaseFile::read(text).map_err(|problem| fail(None, vec![problem], Vec::new()))?;
    match run(courts, file, &case) {
        Ok(differences) if differences.is_empty() => Ok(case.title),
        Ok(differences) => {
            let changes: Option<Vec<CaseChange>> =
                differences.iter().map(|difference| difference.change.clone()).collect();
            let lines = differences.into_iter().map(|difference| difference.line).collect();
            Err(fail(Some(case.title), lines, changes.unwrap_or_default()))
        }
        Err(problem) => Err(fail(Some(case.title), vec![problem], Vec::new())),
    }
}

fn run(courts: &[Arc<dyn AnyCourt>], file: &str, case: &CaseFile) -> Result<Vec<Difference>, String> {
    case.check()?;
    let court = courts.iter().find(|court| court.name() == case.court);
    let court = court.ok_or_else(|| format!("court: there is no court `{}`", case.court))?;
    let book = rulebook(court.as_ref(), file, case)?;
    match &case.document {
        Some(document) => judge(court.as_ref(), &book, case, document),
        None => story::play(court.as_ref(), &book, case),
    }
}

fn rulebook(court: &dyn AnyCourt, file: &str, case: &CaseFile) -> Result<AnyRulebook, String> {
    let (name, text) = match (&case.rulebook, &case.rulebook_text) {
        (Some(name), _) => return shipped(court, name),
        (None, text) => (format!("{file}: rulebook_text"), text.as_deref().unwrap_or_default()),
    };
    court.read_rulebook(&name, text).map_err(|error| error.to_string())
}

fn shipped(court: &dyn AnyCourt, name: &str) -> Result<AnyRulebook, String> {
    let shipped = court.rulebooks().iter().find(|(shipped, _)| *shipped == name);
    let (name, text) = shipped.ok_or_else(|| format!("rulebook: no rulebook `{name}` ships"))?;
    court.read_rulebook(&format!("{name}.toml"), text).map_err(|error| error.to_string())
}

/// Judges a document and compares the result.
fn judge(
    court: &dyn AnyCourt,
    book: &AnyRulebook,
    case: &CaseFile,
    document: &Value,
) -> Result<Vec<Difference>, String> {
    // A document may also be given as text, for what TOML cannot say: null, or no JSON at all.
    let text = document.as_str().map_or_else(|| document.to_string(), str::to_owned);
    match (court.judge(book, &text), case.expected()) {
        (Err(DecideError::Broken(problem)), _) => Err(format!("our fault: {problem}")),
        (Ok(verdict), Expected::Verdict(expected)) => {
            compare_verdict(expected, case.assessor.as_ref(), &verdict)
        }
        (Ok(verdict), Expected::Values(expected)) => values::compare_values(expected, &verdict),
        (Err(DecideError::Refused(refusal)), Expected::Refusal(expected)) => {
            Ok(compare_refusal(expected, &refusal))
        }
        (Ok(verdict), _) => Err(format!("expected a refusal, got the verdict {verdict}")),
        (Err(DecideError::Refused(refusal)), _) => {
            Err(format!("expected a verdict, got the refusal `{refusal}`"))
        }
    }
}

impl fmt::Display for CaseFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(title) = &self.title {
            write!(f, ": {title}")?;
        }
        for problem in &self.problems {
            write!(f, "\n  {}", problem.trim_end().replace('\n', "\n  "))?;
        }
        Ok(())
    }
}

impl std::error::Error for CaseFailure {}
