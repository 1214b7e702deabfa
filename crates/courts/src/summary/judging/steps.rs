//! The derivation of a framework: every number with its formula, every cap with its effect.

use std::borrow::Cow;

use assize_kernel::{Input, Inputs, Term, round};

/// Collects the derivation terms of one framework, in order.
pub(super) struct FrameworkSteps {
    framework: &'static str,
    pub terms: Vec<Term>,
}

impl FrameworkSteps {
    pub(super) fn new(framework: &'static str) -> Self {
        Self { framework, terms: Vec::with_capacity(32) }
    }

    /// Records a step, rounded to six decimals, and returns its value unrounded.
    pub(super) fn step<const N: usize>(
        &mut self,
        term: &'static str,
        formula: &'static str,
        inputs: [(&'static str, f64); N],
        value: f64,
    ) -> f64 {
        let inputs = inputs.map(|(name, input)| (Cow::Borrowed(name), Input::Number(round(input, 6))));
        let term = [self.framework, ".", term].concat().into();
        let inputs = Inputs(inputs.to_vec());
        self.terms.push(Term { term, formula: formula.into(), inputs, value: round(value, 6) });
        value
    }

    /// Applies a cap; records a step only when the score is above it.
    pub(super) fn cap(
        &mut self,
        metric: &'static str,
        score: f64,
        cap: f64,
        because: Cow<'static, str>,
    ) -> f64 {
        if score <= cap {
            return score;
        }
        let inputs = [("score", score), ("cap", cap)];
        let inputs = inputs.map(|(name, input)| (Cow::Borrowed(name), Input::Number(round(input, 6))));
        self.terms.push(Term {
            term: [self.framework, ".", metric, ".overall_score"].concat().into(),
            formula: ["at most cap: ", &because].concat().into(),
            inputs: Inputs(inputs.to_vec()),
            value: cap,
        });
        cap
    }
}

/// The harmonic mean; 0 when a value is 0.
pub(super) fn harmonic_mean(one: f64, other: f64) -> f64 {
    if one <= 0.0 || other <= 0.0 { 0.0 } else { 2.0 * one * other / (one + other) }
}

/// Converts a count to a float.
pub(super) fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
