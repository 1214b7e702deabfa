//! JSON writer of a framework's scores: the same bytes as serde writes.

use assize_kernel::JsonWriter;

use super::detail::{
    AlignmentScore, BiasToxicityScore, CoverageScore, FrameworkScores, HallucinationScore,
    HallucinationSeverity, RelevanceScore, SegmentLabel,
};

impl FrameworkScores {
    pub(in super::super) fn write(&self, out: &mut JsonWriter) {
        coverage(out, &self.coverage);
        alignment(out, &self.alignment);
        hallucination(out, &self.hallucination);
        relevance(out, &self.relevance);
        bias_toxicity(out, &self.bias_toxicity);
        out.put(",\"total\":").float(self.total);
        out.put("}");
    }
}

fn coverage(out: &mut JsonWriter, score: &CoverageScore) {
    out.put("{\"coverage\":{\"fully\":").count(score.fully);
    out.put(",\"partial\":").count(score.partial);
    out.put(",\"not\":").count(score.not);
    out.put(",\"total_keypoints\":").count(score.total_keypoints);
    out.put(",\"recall\":").float(score.recall);
    out.put(",\"extraneous_tokens\":").count(score.extraneous_tokens);
    out.put(",\"total_summary_tokens\":").count(score.total_summary_tokens);
    out.put(",\"precision\":").float(score.precision);
    out.put(",\"f1\":").float(score.f1);
    out.float_if(",\"qag_accuracy\":", score.qag_accuracy);
    overall(out, score.overall_score);
}

fn alignment(out: &mut JsonWriter, score: &AlignmentScore) {
    out.field(",\"alignment\":{\"intent\":", &score.intent);
    out.put(",\"deviations\":").count(score.deviations);
    overall(out, score.overall_score);
}

fn hallucination(out: &mut JsonWriter, score: &HallucinationScore) {
    out.put(",\"hallucination\":{\"supported\":").count(score.supported);
    out.put(",\"partially\":").count(score.partially);
    out.put(",\"unsupported\":").count(score.unsupported);
    out.put(",\"total_claims\":").count(score.total_claims);
    out.put(",\"unsupported_fraction\":").float(score.unsupported_fraction);
    let severity = score.severity.map(|severity| match severity {
        HallucinationSeverity::Minor => "minor",
        HallucinationSeverity::Moderate => "moderate",
        HallucinationSeverity::Severe => "severe",
    });
    out.field_if(",\"severity\":", severity);
    out.float_if(",\"raw_score\":", score.raw_score);
    out.float_if(",\"qag_precision\":", score.qag_precision);
    overall(out, score.overall_score);
}

fn relevance(out: &mut JsonWriter, score: &RelevanceScore) {
    out.field(",\"relevance\":{\"theme\":", &score.theme);
    out.put(",\"labels\":").list(&score.labels, |out, label| {
        out.text(match label {
            SegmentLabel::High => "High",
            SegmentLabel::Some => "Some",
            SegmentLabel::None => "None",
        });
    });
    out.put(",\"section_overlap\":").float(score.section_overlap);
    out.float_if(",\"qag_accuracy\":", score.qag_accuracy);
    overall(out, score.overall_score);
}

fn bias_toxicity(out: &mut JsonWriter, score: &BiasToxicityScore) {
    out.field(",\"bias_toxicity\":{\"tone\":", score.tone.as_str());
    out.put(",\"issues\":").count(score.issues);
    out.put(",\"bias_score\":").float(score.bias_score);
    out.put(",\"tox_score\":").float(score.tox_score);
    overall(out, score.overall_score);
}

/// The overall score, the last field of every metric.
fn overall(out: &mut JsonWriter, score: f64) {
    out.put(",\"overall_score\":").float(score);
    out.put("}");
}
