//! What a verdict says of a turn, written as JSON: letter for letter what serde writes, which is what the test holds it
//! to, in a quarter of the time.

use assize_kernel::{Detail, JsonText};

use super::detail::{Entity, ErrorDetail, Metrics, RadioDetail, ReadingDetail};
use super::rubric::Component;

impl Detail for RadioDetail {
    fn room(&self) -> usize {
        let read = self.reading.as_ref();
        let entities = read.map_or(0, |read| read.entities.controller.len() + read.entities.pilot.len());
        1024 + 512 * self.components.len() + 64 * entities
    }

    fn write(&self, page: &mut JsonText) {
        page.field("{\"rubricVersion\":", &self.rubric_version);
        if let Some(scenario) = &self.scenario {
            page.put(",\"scenario\":").rulebook(scenario);
        }
        page.field_if(",\"phase\":", self.phase.as_deref());
        page.put(",\"components\":").list(&self.components, component);
        page.put(",\"normalized\":").float(self.normalized);
        page.put(",\"scoreDelta\":").float(self.score_delta);
        page.put(",\"safetyFlag\":").truth(self.safety_flag);
        page.put(",\"blockReason\":");
        match &self.block_reason {
            Some(reason) => page.text(reason),
            None => _ = page.put("null"),
        }
        page.float_or_null(",\"phraseAccuracy\":", self.phrase_accuracy);
        page.float_or_null(",\"ordering\":", self.ordering);
        page.float_or_null(",\"omissions\":", self.omissions);
        page.float_or_null(",\"safety\":", self.safety);
        metrics(page, &self.metrics);
        page.field_if(",\"corrected\":", self.corrected.as_deref());
        if let Some(read) = &self.reading {
            reading(page, read);
        }
        page.put("}");
    }
}

fn component(page: &mut JsonText, component: &Component) {
    page.field("{\"code\":", &component.code);
    page.field(",\"category\":", component.category.as_str());
    page.field(",\"severity\":", component.severity.as_str());
    page.put(",\"weight\":").float(component.weight);
    page.put(",\"score\":").float(component.score);
    page.put(",\"delta\":").float(component.delta);
    page.field(",\"detail\":", &component.detail);
    page.field_if(",\"hazard\":", component.hazard.map(super::rubric::Hazard::as_str));
    if !component.evidence.is_empty() {
        page.put(",\"evidence\":").list(&component.evidence, JsonText::evidence);
    }
    page.field_if(",\"corrected\":", component.corrected.as_deref());
    page.field_if(",\"rule\":", component.rule.as_deref());
    page.put("}");
}

fn metrics(page: &mut JsonText, metrics: &Metrics) {
    page.put(",\"metrics\":{\"turn.normalized\":").float(metrics.normalized);
    page.float_or_null(",\"turn.phraseAccuracy\":", metrics.phrase_accuracy);
    page.float_or_null(",\"turn.ordering\":", metrics.ordering);
    page.float_or_null(",\"turn.omissions\":", metrics.omissions);
    page.float_or_null(",\"turn.safety\":", metrics.safety);
    page.put(",\"turn.safetyFlag\":").whole(metrics.safety_flag.into());
    page.put("}");
}

fn reading(page: &mut JsonText, read: &ReadingDetail) {
    page.put(",\"flagged\":").truth(read.flagged);
    page.put(",\"unclear\":").truth(read.unclear);
    page.put(",\"errors\":").list(&read.errors, error);
    page.put(",\"entities\":{\"controller\":").list(&read.entities.controller, entity);
    page.put(",\"pilot\":").list(&read.entities.pilot, entity);
    page.put("}");
}

fn error(page: &mut JsonText, error: &ErrorDetail) {
    page.field("{\"kind\":", error.kind);
    page.field(",\"item\":", error.item);
    page.field(",\"expected\":", &error.expected);
    page.field(",\"said\":", &error.said);
    page.put(",\"span\":").span(error.span);
    page.put("}");
}

fn entity(page: &mut JsonText, entity: &Entity) {
    page.field("{\"item\":", entity.item);
    if !entity.value.is_empty() {
        page.field(",\"value\":", &entity.value);
    }
    page.put(",\"span\":").span(entity.span);
    page.put("}");
}

#[cfg(test)]
mod tests {
    use assize_kernel::Rulebook;

    use crate::radio::judging::{judge_exchange, judge_findings, judge_phase};
    use crate::radio::rules::{Difficulty, RadioRules};
    use crate::radio::{RadioVerdict, SCENARIOS, shipped_scenario};

    #[track_caller]
    fn check(verdict: &RadioVerdict) {
        assert_eq!(verdict.to_json(), serde_json::to_string(verdict).unwrap());
    }

    #[test]
    fn a_verdict_on_a_turn_is_written_as_serde_would() {
        let (name, text) = <crate::radio::Radio as assize_kernel::Court>::RULEBOOKS[0];
        let book = Rulebook::<RadioRules>::read("radio", name, text).unwrap();
        let controller = "Coastal 734, behind the landing Boeing, line up runway 16R, QNH 1013, descend 80.";
        for pilot in
            ["", "roger", "Line up 16L, QNH 1031 \"Coastal\\ 734\"", "Take-off 16R, Coastal 743", "say again"]
        {
            check(&judge_exchange(&book, Difficulty::Exam, &[], controller, pilot).verdict);
            for (name, _) in SCENARIOS {
                let chart = shipped_scenario(name).unwrap();
                let phases = chart.scenario.phases.iter();
                phases.for_each(|phase| {
                    check(&judge_phase(&book, Difficulty::Solo, chart, phase, pilot).verdict)
                });
            }
        }
        let findings = r#"{"by": "person", "components": [{"code": "SF_WRONG_RUNWAY", "category": "Safety",
            "severity": "critical", "weight": 0, "score": 0.1, "delta": -7.5, "hazard": "wrong_runway"}],
            "blockReason": "the \"other\" runway"}"#;
        check(&judge_findings(&book, &serde_json::from_str(findings).unwrap()).unwrap().verdict);
    }
}
