//! A framework, written as JSON: letter for letter what serde writes.

use assize_kernel::JsonText;

use super::detail::{
    AlignmentScore, BiasToxicityScore, CoverageScore, Framework, HallucinationScore, RelevanceScore,
    SegmentLabel, Severity,
};

impl Framework {
    pub(in super::super) fn write(&self, page: &mut JsonText) {
        coverage(page, &self.coverage);
        alignment(page, &self.alignment);
        hallucination(page, &self.hallucination);
        relevance(page, &self.relevance);
        bias_toxicity(page, &self.bias_toxicity);
        page.put(",\"total\":").float(self.total);
        page.put("}");
    }
}

fn coverage(page: &mut JsonText, score: &CoverageScore) {
    page.put("{\"coverage\":{\"fully\":").count(score.fully);
    page.put(",\"partial\":").count(score.partial);
    page.put(",\"not\":").count(score.not);
    page.put(",\"total_keypoints\":").count(score.total_keypoints);
    page.put(",\"recall\":").float(score.recall);
    page.put(",\"extraneous_tokens\":").count(score.extraneous_tokens);
    page.put(",\"total_summary_tokens\":").count(score.total_summary_tokens);
    page.put(",\"precision\":").float(score.precision);
    page.put(",\"f1\":").float(score.f1);
    page.float_if(",\"qag_accuracy\":", score.qag_accuracy);
    overall(page, score.overall_score);
}

fn alignment(page: &mut JsonText, score: &AlignmentScore) {
    page.field(",\"alignment\":{\"intent\":", &score.intent);
    page.put(",\"deviations\":").count(score.deviations);
    overall(page, score.overall_score);
}

fn hallucination(page: &mut JsonText, score: &HallucinationScore) {
    page.put(",\"hallucination\":{\"supported\":").count(score.supported);
    page.put(",\"partially\":").count(score.partially);
    page.put(",\"unsupported\":").count(score.unsupported);
    page.put(",\"total_claims\":").count(score.total_claims);
    page.put(",\"unsupported_fraction\":").float(score.unsupported_fraction);
    let severity = score.severity.map(|severity| match severity {
        Severity::Minor => "minor",
        Severity::Moderate => "moderate",
        Severity::Severe => "severe",
    });
    page.field_if(",\"severity\":", severity);
    page.float_if(",\"raw_score\":", score.raw_score);
    page.float_if(",\"qag_precision\":", score.qag_precision);
    overall(page, score.overall_score);
}

fn relevance(page: &mut JsonText, score: &RelevanceScore) {
    page.field(",\"relevance\":{\"theme\":", &score.theme);
    page.put(",\"labels\":").list(&score.labels, |page, label| {
        page.text(match label {
            SegmentLabel::High => "High",
            SegmentLabel::Some => "Some",
            SegmentLabel::None => "None",
        });
    });
    page.put(",\"section_overlap\":").float(score.section_overlap);
    page.float_if(",\"qag_accuracy\":", score.qag_accuracy);
    overall(page, score.overall_score);
}

fn bias_toxicity(page: &mut JsonText, score: &BiasToxicityScore) {
    page.field(",\"bias_toxicity\":{\"tone\":", score.tone.as_str());
    page.put(",\"issues\":").count(score.issues);
    page.put(",\"bias_score\":").float(score.bias_score);
    page.put(",\"tox_score\":").float(score.tox_score);
    overall(page, score.overall_score);
}

/// The last number of every metric.
fn overall(page: &mut JsonText, score: f64) {
    page.put(",\"overall_score\":").float(score);
    page.put("}");
}
