//! Grading sheet: collects deductions per component code and builds the components.

use assize_kernel::{Evidence, Reason, Severity};

use super::grading::{GradedTurn, GradingContext};
use super::reading::Finding;
use super::rubric::{ComponentCode, RubricComponent, SafetyHazard};

/// Notes on one component.
#[derive(Debug, Clone, Default)]
pub(super) struct SheetTopic {
    /// Number of graded items.
    pub(super) items: u32,
    lost: f64,
    severity: Option<Severity>,
    details: Vec<String>,
    pub(super) evidence: Vec<Evidence>,
    pub(super) hazard: Option<SafetyHazard>,
    corrected: Vec<String>,
}

impl SheetTopic {
    /// Records a deduction.
    pub(super) fn lose(&mut self, lost: f64, severity: Severity, detail: String) {
        self.lost += lost;
        self.severity = self.severity.max(Some(severity));
        if !self.details.contains(&detail) {
            self.details.push(detail);
        }
    }

    /// Adds a correct phrase, once.
    pub(super) fn correct(&mut self, phrase: &str) {
        if !phrase.is_empty() && !self.corrected.iter().any(|known| known == phrase) {
            self.corrected.push(phrase.to_owned());
        }
    }

    fn score(&self) -> f64 {
        let items = f64::from(self.items.max(1));
        assize_kernel::round((items - self.lost).max(0.0) / items, 4)
    }
}

/// All notes on a turn, in the order of the codes.
pub(super) struct GradingSheet<'a> {
    pub(super) how: GradingContext<'a>,
    pilot: &'a str,
    topics: [SheetTopic; ComponentCode::ALL.len()],
    reasons: Vec<Reason>,
}

impl<'a> GradingSheet<'a> {
    pub(super) fn new(how: GradingContext<'a>, pilot: &'a str) -> Self {
        Self { how, pilot, topics: Default::default(), reasons: Vec::new() }
    }

    #[allow(clippy::panic, reason = "every code is in the list of all codes")]
    pub(super) fn topic(&mut self, code: ComponentCode) -> &mut SheetTopic {
        let place = ComponentCode::ALL.iter().position(|known| *known == code);
        match place.and_then(|place| self.topics.get_mut(place)) {
            Some(topic) => topic,
            None => panic!("a component code is missing in `ComponentCode::ALL`"),
        }
    }

    pub(super) fn reason(&mut self, finding: &Finding, severity: Severity, message: &str) {
        let mut reason = Reason::new(code_of(finding), severity, message);
        reason.evidence.extend(self.evidence(finding.span));
        self.reasons.push(reason);
    }

    /// Adds evidence to a component, once per span.
    pub(super) fn show(&mut self, code: ComponentCode, span: (usize, usize)) {
        if !self.topic(code).evidence.iter().any(|known| known.span == Some(span)) {
            let shown = self.evidence(span);
            self.topic(code).evidence.extend(shown);
        }
    }

    /// The pilot's text at a span, as evidence.
    pub(super) fn evidence(&self, span: (usize, usize)) -> Option<Evidence> {
        let text = self.pilot.get(span.0..span.1).filter(|text| !text.is_empty())?;
        Some(Evidence { source: "pilot".into(), text: text.to_owned(), span: Some(span) })
    }

    /// The components, with weights that sum to 1.
    pub(super) fn graded(mut self) -> GradedTurn {
        let noted: Vec<(ComponentCode, SheetTopic)> = ComponentCode::ALL
            .into_iter()
            .zip(self.topics)
            .filter(|(code, topic)| topic.items > 0 && self.how.rules.has_component(*code))
            .collect();
        let weights: Vec<u32> = noted
            .iter()
            .map(|(code, _)| if code.is_safety() { 0 } else { self.how.rules.weight_of(*code) })
            .collect();
        let deltas = self.how.rules.deltas.of(self.how.difficulty);
        let mut blocking = Vec::new();
        let mut components = Vec::with_capacity(noted.len());
        for ((code, topic), weight) in noted.into_iter().zip(in_hundredths(&weights)) {
            let severity = topic.severity.unwrap_or(Severity::Info);
            let score = topic.score();
            if severity == Severity::Critical {
                blocking.extend(
                    topic
                        .details
                        .iter()
                        .filter(|detail| !blocking.contains(*detail))
                        .cloned()
                        .collect::<Vec<_>>(),
                );
            }
            let detail = if topic.details.is_empty() { "right".to_owned() } else { topic.details.join("; ") };
            components.push(RubricComponent {
                code: code.as_str().into(),
                category: code.category(),
                severity,
                weight,
                score,
                delta: f64::from(deltas.of(severity)),
                detail,
                hazard: topic.hazard,
                evidence: topic.evidence,
                corrected: (!topic.corrected.is_empty()).then(|| topic.corrected.join(", ")),
                rule: Some(code.rule().into()),
            });
        }
        // Most severe first.
        self.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.severity));
        let block_reason = (!blocking.is_empty()).then(|| blocking.join("; "));
        GradedTurn { components, reasons: self.reasons, block_reason }
    }
}

/// Normalises weights to hundredths that sum to 1, by the largest remainder method.
pub(super) fn in_hundredths(weights: &[u32]) -> Vec<f64> {
    let sum: u32 = weights.iter().sum();
    if sum == 0 {
        return weights.iter().map(|_| 0.0).collect();
    }
    let mut shares: Vec<(u32, u32)> =
        weights.iter().map(|weight| (weight * 100 / sum, weight * 100 % sum)).collect();
    let left = 100 - shares.iter().map(|(share, _)| share).sum::<u32>();
    for _ in 0..left {
        let mut largest: Option<&mut (u32, u32)> = None;
        for share in &mut shares {
            if share.1 > largest.as_ref().map_or(0, |largest| largest.1) {
                largest = Some(share);
            }
        }
        if let Some(share) = largest {
            *share = (share.0 + 1, 0);
        }
    }
    shares.into_iter().map(|(share, _)| f64::from(share) / 100.0).collect()
}

/// Stable reason code of a finding.
fn code_of(finding: &Finding) -> &'static str {
    use super::reading::ErrorKind as Kind;
    match finding.kind {
        Kind::WrongValue => "radio.readback.wrong_value",
        Kind::TransposedDigits => "radio.readback.transposed_digits",
        Kind::LeftRight => "radio.readback.left_right",
        Kind::DroppedSuffix => "radio.readback.dropped_suffix",
        Kind::WrongParameter => "radio.readback.wrong_parameter",
        Kind::Omission => "radio.readback.omission",
        Kind::RogerOnly => "radio.readback.roger_only",
        Kind::WrongCallsign => "radio.callsign.wrong",
        Kind::MissingCallsign => "radio.callsign.missing",
        Kind::WrongAction => "radio.clearance.wrong_action",
        Kind::DroppedCondition => "radio.clearance.dropped_condition",
        Kind::ExtraClearance => "radio.clearance.extra",
        Kind::Unclear => "radio.readback.unclear",
        Kind::ShortenedCallsign => "radio.callsign.shortened",
        Kind::WordsLeftOut => "radio.readback.words_left_out",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_whatever_is_there() {
        assert_eq!(in_hundredths(&[20, 10, 15]), [0.45, 0.22, 0.33]);
        assert_eq!(in_hundredths(&[1, 1, 1]), [0.34, 0.33, 0.33]);
        assert_eq!(in_hundredths(&[20, 0, 5]), [0.8, 0.0, 0.2]);
        assert_eq!(in_hundredths(&[0]), [0.0]);
    }
}
