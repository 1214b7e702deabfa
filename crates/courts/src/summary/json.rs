//! JSON writer of the summary detail: the same bytes as serde writes (see the test), but faster.

use assize_kernel::{Detail, JsonWriter};

use super::findings::{
    AnswerStatus, Claim, ClaimLabel, Findings, KeyPoint, Objection, Passage, PointCoverage, Question, Segment,
};
use super::judging::SummaryDetail;

impl Detail for SummaryDetail {
    fn room(&self) -> usize {
        8_192
    }

    fn write(&self, out: &mut JsonWriter) {
        self.twin_lock.write(out.put("{\"twin_lock\":"));
        self.judge_lock.write(out.put(",\"judge_lock\":"));
        out.float_or_null(",\"support\":", self.support);
        out.float_or_null(",\"recall\":", self.recall);
        findings(out.put(",\"findings\":"), &self.findings);
        out.put("}");
    }
}

fn findings(out: &mut JsonWriter, findings: &Findings) {
    out.put("{\"key_points\":").list(&findings.key_points, key_point);
    out.put(",\"extraneous\":").list(&findings.extraneous, passage);
    out.put(",\"claims\":").list(&findings.claims, claim);
    out.put(",\"article_questions\":").list(&findings.article_questions, question);
    out.put(",\"summary_questions\":").list(&findings.summary_questions, question);
    out.put(",\"segments\":").list(&findings.segments, segment);
    out.field(",\"theme\":", &findings.theme);
    out.field(",\"intent\":", &findings.intent);
    out.put(",\"deviations\":").list(&findings.deviations, JsonWriter::serde);
    out.field(",\"tone\":", findings.tone.as_str());
    out.put(",\"issues\":").list(&findings.issues, JsonWriter::serde);
    out.float_if(",\"support\":", findings.support);
    out.float_if(",\"recall\":", findings.recall);
    if !findings.notes.is_empty() {
        out.put(",\"notes\":").list(&findings.notes, JsonWriter::serde);
    }
    out.put("}");
}

fn passage(out: &mut JsonWriter, passage: &Passage) {
    out.field("{\"text\":", &passage.text);
    if let Some(span) = passage.span {
        out.put(",\"span\":").span(span);
    }
    out.put("}");
}

fn key_point(out: &mut JsonWriter, point: &KeyPoint) {
    passage(out.put("{\"point\":"), &point.point);
    let coverage = match point.coverage {
        PointCoverage::Fully => "Fully",
        PointCoverage::Partial => "Partial",
        PointCoverage::Not => "Not",
    };
    out.field(",\"coverage\":", coverage);
    out.put(",\"evidence\":").list(&point.evidence, passage);
    out.put("}");
}

fn claim(out: &mut JsonWriter, claim: &Claim) {
    passage(out.put("{\"claim\":"), &claim.claim);
    let label = match claim.label {
        ClaimLabel::Supported => "Supported",
        ClaimLabel::Partially => "Partially",
        ClaimLabel::Unsupported => "Unsupported",
    };
    out.field(",\"label\":", label);
    out.put(",\"evidence\":").list(&claim.evidence, passage);
    if !claim.against.is_empty() {
        out.put(",\"against\":").list(&claim.against, objection);
    }
    out.put("}");
}

fn objection(out: &mut JsonWriter, objection: &Objection) {
    out.field("{\"problem\":", &objection.problem);
    passage(out.put(",\"summary\":"), &objection.summary);
    if let Some(article) = &objection.article {
        passage(out.put(",\"article\":"), article);
    }
    out.put("}");
}

fn question(out: &mut JsonWriter, question: &Question) {
    out.field("{\"question\":", &question.question);
    out.field(",\"answer\":", &question.answer);
    let status = match question.status {
        AnswerStatus::Correct => "Correct",
        AnswerStatus::Partial => "Partial",
        AnswerStatus::Wrong => "Wrong",
    };
    out.field(",\"status\":", status);
    if let Some(evidence) = &question.evidence {
        passage(out.put(",\"evidence\":"), evidence);
    }
    out.put("}");
}

fn segment(out: &mut JsonWriter, segment: &Segment) {
    passage(out.put("{\"segment\":"), &segment.segment);
    out.put(",\"containment\":").float(segment.containment);
    out.put(",\"jaccard\":").float(segment.jaccard);
    out.put("}");
}

#[cfg(test)]
mod tests {
    use assize_kernel::Rulebook;

    use crate::summary::{LOCKS, SummaryRules, TextPair, assess};

    #[test]
    fn a_verdict_on_a_summary_is_written_as_serde_would() {
        let book = Rulebook::<SummaryRules>::read("summary", "locks", LOCKS).unwrap();
        let article = "The city council of Leeds approved a \"new\" tram line on Tuesday.\nMayor Ann Berry said the \
            line would cost 250 million pounds and open in 2031. Shares in the builder Norcon rose by 4 per cent \
            after the vote. The opposition did not support the plan.";
        for summary in [
            article,
            "Trams.",
            "Mayor Ann Berry said the line would cost 260 million pounds, and the \\ opposition did support it.",
            "Women are emotional, and that damn idiot of a mayor is a disgrace; the vote of Leeds was in 2031.",
            "Shares in Norcon fell by 4 per cent. Something else happened far away, on another day, to others.",
        ] {
            let verdict = assess(&book, TextPair { article, summary }).unwrap();
            assert_eq!(verdict.to_json(), serde_json::to_string(&verdict).unwrap(), "{summary}");
        }
    }
}
