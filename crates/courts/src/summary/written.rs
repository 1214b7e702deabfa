//! What a verdict says of a summary, written as JSON: letter for letter what serde writes, which is what the test holds
//! it to, in less of the time.

use assize_kernel::{Detail, JsonText};

use super::findings::{
    Claim, Coverage, Findings, KeyPoint, Label, Objection, Passage, Question, Segment, Status,
};
use super::judging::SummaryDetail;

impl Detail for SummaryDetail {
    fn room(&self) -> usize {
        8_192
    }

    fn write(&self, page: &mut JsonText) {
        self.twin_lock.write(page.put("{\"twin_lock\":"));
        self.judge_lock.write(page.put(",\"judge_lock\":"));
        page.float_or_null(",\"support\":", self.support);
        page.float_or_null(",\"recall\":", self.recall);
        findings(page.put(",\"findings\":"), &self.findings);
        page.put("}");
    }
}

fn findings(page: &mut JsonText, findings: &Findings) {
    page.put("{\"key_points\":").list(&findings.key_points, key_point);
    page.put(",\"extraneous\":").list(&findings.extraneous, passage);
    page.put(",\"claims\":").list(&findings.claims, claim);
    page.put(",\"article_questions\":").list(&findings.article_questions, question);
    page.put(",\"summary_questions\":").list(&findings.summary_questions, question);
    page.put(",\"segments\":").list(&findings.segments, segment);
    page.field(",\"theme\":", &findings.theme);
    page.field(",\"intent\":", &findings.intent);
    page.put(",\"deviations\":").list(&findings.deviations, JsonText::serde);
    page.field(",\"tone\":", findings.tone.as_str());
    page.put(",\"issues\":").list(&findings.issues, JsonText::serde);
    page.float_if(",\"support\":", findings.support);
    page.float_if(",\"recall\":", findings.recall);
    if !findings.notes.is_empty() {
        page.put(",\"notes\":").list(&findings.notes, JsonText::serde);
    }
    page.put("}");
}

fn passage(page: &mut JsonText, passage: &Passage) {
    page.field("{\"text\":", &passage.text);
    if let Some(span) = passage.span {
        page.put(",\"span\":").span(span);
    }
    page.put("}");
}

fn key_point(page: &mut JsonText, point: &KeyPoint) {
    passage(page.put("{\"point\":"), &point.point);
    let coverage = match point.coverage {
        Coverage::Fully => "Fully",
        Coverage::Partial => "Partial",
        Coverage::Not => "Not",
    };
    page.field(",\"coverage\":", coverage);
    page.put(",\"evidence\":").list(&point.evidence, passage);
    page.put("}");
}

fn claim(page: &mut JsonText, claim: &Claim) {
    passage(page.put("{\"claim\":"), &claim.claim);
    let label = match claim.label {
        Label::Supported => "Supported",
        Label::Partially => "Partially",
        Label::Unsupported => "Unsupported",
    };
    page.field(",\"label\":", label);
    page.put(",\"evidence\":").list(&claim.evidence, passage);
    if !claim.against.is_empty() {
        page.put(",\"against\":").list(&claim.against, objection);
    }
    page.put("}");
}

fn objection(page: &mut JsonText, objection: &Objection) {
    page.field("{\"problem\":", &objection.problem);
    passage(page.put(",\"summary\":"), &objection.summary);
    if let Some(article) = &objection.article {
        passage(page.put(",\"article\":"), article);
    }
    page.put("}");
}

fn question(page: &mut JsonText, question: &Question) {
    page.field("{\"question\":", &question.question);
    page.field(",\"answer\":", &question.answer);
    let status = match question.status {
        Status::Correct => "Correct",
        Status::Partial => "Partial",
        Status::Wrong => "Wrong",
    };
    page.field(",\"status\":", status);
    if let Some(evidence) = &question.evidence {
        passage(page.put(",\"evidence\":"), evidence);
    }
    page.put("}");
}

fn segment(page: &mut JsonText, segment: &Segment) {
    passage(page.put("{\"segment\":"), &segment.segment);
    page.put(",\"containment\":").float(segment.containment);
    page.put(",\"jaccard\":").float(segment.jaccard);
    page.put("}");
}

#[cfg(test)]
mod tests {
    use assize_kernel::Rulebook;

    use crate::summary::{LOCKS, SummaryRules, Texts, assess};

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
            let verdict = assess(&book, Texts { article, summary }).unwrap();
            assert_eq!(verdict.to_json(), serde_json::to_string(&verdict).unwrap(), "{summary}");
        }
    }
}
