//! The form of a case file, and what makes one worthless.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// A case as it stands in its file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseFile {
    pub(super) title: String,
    because: String,
    pub(super) court: String,
    /// The name of a rulebook that ships.
    pub(super) rulebook: Option<String>,
    /// Or the whole text of another one.
    pub(super) rulebook_text: Option<String>,
    pub(super) assessor: Option<Value>,
    /// What is judged by itself: a table, or the text of a JSON document.
    pub(super) document: Option<Value>,
    verdict: Option<Value>,
    /// Or single values of a verdict that is too long to write down, each under its path.
    values: Option<BTreeMap<String, Value>>,
    refusal: Option<Value>,
    /// Or what happens one after the other.
    #[serde(default)]
    pub(super) steps: Vec<Step>,
    #[serde(default)]
    pub(super) boards: Vec<ExpectedBoard>,
}

/// One step of a story: a command, or a revision of all that was before it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// Seconds from the story's start; a command may be received before the one decided before it.
    pub(super) at: f64,
    pub(super) actor: Option<String>,
    pub(super) command: Option<Value>,
    pub(super) revise: Option<Revise>,
    /// All verdicts that the revision changes, in order.
    #[serde(default)]
    pub(super) revised: Vec<ExpectedRevised>,
    verdict: Option<Value>,
    /// Or single values of it, each under its path.
    values: Option<BTreeMap<String, Value>>,
    refusal: Option<Value>,
    /// The number of the step whose answer comes again.
    same_as: Option<usize>,
}

/// What is to be different about all that was before.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Revise {
    pub(super) reason: String,
    /// The name of a rulebook that ships.
    pub(super) rulebook: Option<String>,
    /// In the form that the court knows; where that names a position, `step` may stand in its place.
    #[serde(default)]
    pub(super) amendments: Vec<Value>,
}

/// A verdict that a revision changes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedRevised {
    /// The number of the step in which it was given.
    pub(super) step: usize,
    verdict: Option<Value>,
    refusal: Option<Value>,
}

/// A board as it must stand at the end.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedBoard {
    pub(super) board: String,
    pub(super) rows: Value,
}

/// What must come out.
pub(super) enum Expected<'a> {
    Verdict(&'a Value),
    Values(&'a BTreeMap<String, Value>),
    Refusal(&'a Value),
    SameAs(usize),
    Accepted,
}

impl CaseFile {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// Whether the file says enough to fail.
    pub(super) fn check(&self) -> Result<(), String> {
        let wrong = |problem: &str| Err(problem.to_owned());
        if self.title.trim().is_empty() || self.because.trim().is_empty() {
            return wrong("title and because must say something");
        }
        if self.rulebook.is_some() == self.rulebook_text.is_some() {
            return wrong("give either rulebook or rulebook_text");
        }
        if self.document.is_some() != self.steps.is_empty() {
            return wrong("give either a document or steps");
        }
        let values = self.values.as_ref().is_some_and(|values| !values.is_empty());
        let outcomes =
            usize::from(self.verdict.is_some()) + usize::from(self.refusal.is_some()) + usize::from(values);
        if self.document.is_some() {
            return match (outcomes, self.boards.is_empty()) {
                (1, true) => Ok(()),
                (_, true) => wrong("a document needs either a verdict, values of one, or a refusal"),
                (_, false) => wrong("boards belong to steps"),
            };
        }
        if outcomes > 0 {
            return wrong("in a story, verdict and refusal belong to a step");
        }
        for (index, step) in self.steps.iter().enumerate() {
            step.check().map_err(|problem| format!("step {}: {problem}", index + 1))?;
        }
        if self.boards.is_empty() && self.steps.iter().all(|step| step.expectations() == 0) {
            return wrong("nothing is expected");
        }
        Ok(())
    }

    pub(super) fn expected(&self) -> Expected<'_> {
        match &self.values {
            Some(values) => Expected::Values(values),
            None => expected(self.verdict.as_ref(), self.refusal.as_ref(), None),
        }
    }
}

impl Step {
    pub(super) fn expected(&self) -> Expected<'_> {
        match &self.values {
            Some(values) => Expected::Values(values),
            None => expected(self.verdict.as_ref(), self.refusal.as_ref(), self.same_as),
        }
    }

    fn check(&self) -> Result<(), &'static str> {
        if self.command.is_some() == self.revise.is_some() {
            return Err("give either command or revise");
        }
        if self.expectations() > 1 {
            return Err("give one of verdict, values, refusal, same_as, revised");
        }
        let judged = self.verdict.is_some() || self.values.is_some() || self.same_as.is_some();
        if self.revise.is_some() && judged {
            return Err("a revision has revised or a refusal");
        }
        let either = |revised: &ExpectedRevised| revised.verdict.is_some() != revised.refusal.is_some();
        if !self.revised.iter().all(either) {
            return Err("what is revised has either a verdict or a refusal");
        }
        if self.command.is_some() && !self.revised.is_empty() {
            return Err("revised belongs to revise");
        }
        Ok(())
    }

    fn expectations(&self) -> usize {
        let given = [
            self.verdict.is_some(),
            self.values.is_some(),
            self.refusal.is_some(),
            self.same_as.is_some(),
            !self.revised.is_empty(),
        ];
        given.into_iter().map(usize::from).sum()
    }
}

impl ExpectedRevised {
    pub(super) fn expected(&self) -> Expected<'_> {
        expected(self.verdict.as_ref(), self.refusal.as_ref(), None)
    }
}

fn expected<'a>(
    verdict: Option<&'a Value>,
    refusal: Option<&'a Value>,
    same_as: Option<usize>,
) -> Expected<'a> {
    match (verdict, refusal, same_as) {
        (Some(verdict), ..) => Expected::Verdict(verdict),
        (_, Some(refusal), _) => Expected::Refusal(refusal),
        (.., Some(step)) => Expected::SameAs(step),
        _ => Expected::Accepted,
    }
}
