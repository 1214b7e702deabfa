//! JSON writer for the detail of a verdict. The output is byte for byte that of serde, which a test checks,
//! in a quarter of the time.

use assize_kernel::{Detail, JsonWriter};

use super::detail::{ErrorDetail, ParsedEntity, RadioDetail, ReadingDetail, TurnMetrics};
use super::rubric::RubricComponent;

impl Detail for RadioDetail {
    fn room(&self) -> usize {
        let read = self.reading.as_ref();
        let entities = read.map_or(0, |read| read.entities.controller.len() + read.entities.pilot.len());
        1024 + 512 * self.components.len() + 64 * entities
    }

    fn write(&self, out: &mut JsonWriter) {
        out.field("{\"rubricVersion\":", &self.rubric_version);
        if let Some(scenario) = &self.scenario {
            out.put(",\"scenario\":").rulebook(scenario);
        }
        out.field_if(",\"phase\":", self.phase.as_deref());
        out.put(",\"components\":").list(&self.components, component);
        out.put(",\"normalized\":").float(self.normalized);
        out.put(",\"scoreDelta\":").float(self.score_delta);
        out.put(",\"safetyFlag\":").truth(self.safety_flag);
        out.put(",\"blockReason\":");
        match &self.block_reason {
            Some(reason) => out.text(reason),
            None => _ = out.put("null"),
        }
        out.float_or_null(",\"phraseAccuracy\":", self.phrase_accuracy);
        out.float_or_null(",\"ordering\":", self.ordering);
        out.float_or_null(",\"omissions\":", self.omissions);
        out.float_or_null(",\"safety\":", self.safety);
        metrics(out, &self.metrics);
        out.field_if(",\"corrected\":", self.corrected.as_deref());
        if let Some(read) = &self.reading {
            reading(out, read);
        }
        out.put("}");
    }
}

fn component(out: &mut JsonWriter, component: &RubricComponent) {
    out.field("{\"code\":", &component.code);
    out.field(",\"category\":", component.category.as_str());
    out.field(",\"severity\":", component.severity.as_str());
    out.put(",\"weight\":").float(component.weight);
    out.put(",\"score\":").float(component.score);
    out.put(",\"delta\":").float(component.delta);
    out.field(",\"detail\":", &component.detail);
    out.field_if(",\"hazard\":", component.hazard.map(super::rubric::SafetyHazard::as_str));
    if !component.evidence.is_empty() {
        out.put(",\"evidence\":").list(&component.evidence, JsonWriter::evidence);
    }
    out.field_if(",\"corrected\":", component.corrected.as_deref());
    out.field_if(",\"rule\":", component.rule.as_deref());
    out.put("}");
}

fn metrics(out: &mut JsonWriter, metrics: &TurnMetrics) {
    out.put(",\"metrics\":{\"turn.normalized\":").float(metrics.normalized);
    out.float_or_null(",\"turn.phraseAccuracy\":", metrics.phrase_accuracy);
    out.float_or_null(",\"turn.ordering\":", metrics.ordering);
    out.float_or_null(",\"turn.omissions\":", metrics.omissions);
    out.float_or_null(",\"turn.safety\":", metrics.safety);
    out.put(",\"turn.safetyFlag\":").whole(metrics.safety_flag.into());
    out.put("}");
}

fn reading(out: &mut JsonWriter, read: &ReadingDetail) {
    out.put(",\"flagged\":").truth(read.flagged);
    out.put(",\"unclear\":").truth(read.unclear);
    out.put(",\"errors\":").list(&read.errors, error);
    out.put(",\"entities\":{\"controller\":").list(&read.entities.controller, entity);
    out.put(",\"pilot\":").list(&read.entities.pilot, entity);
    out.put("}");
}

fn error(out: &mut JsonWriter, error: &ErrorDetail) {
    out.field("{\"kind\":", error.kind);
    out.field(",\"item\":", error.item);
    out.field(",\"expected\":", &error.expected);
    out.field(",\"said\":", &error.said);
    out.put(",\"span\":").span(error.span);
    out.put("}");
}

fn entity(out: &mut JsonWriter, entity: &ParsedEntity) {
    out.field("{\"item\":", entity.item);
    if !entity.value.is_empty() {
        out.field(",\"value\":", &entity.value);
    }
    out.put(",\"span\":").span(entity.span);
    out.put("}");
}

#[cfg(test)]
mod tests {
    use assize_kernel::Rulebook;

    use crate::radio::judging::{judge_exchange, judge_findings, judge_phase};
    use crate::radio::rules::{RadioRules, SessionDifficulty};
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
            check(&judge_exchange(&book, SessionDifficulty::Exam, &[], controller, pilot).verdict);
            for (name, _) in SCENARIOS {
                let chart = shipped_scenario(name).unwrap();
                let phases = chart.scenario.phases.iter();
                phases.for_each(|phase| {
                    check(&judge_phase(&book, SessionDifficulty::Solo, chart, phase, pilot).verdict)
                });
            }
        }
        let findings = r#"{"by": "person", "components": [{"code": "SF_WRONG_RUNWAY", "category": "Safety",
            "severity": "critical", "weight": 0, "score": 0.1, "delta": -7.5, "hazard": "wrong_runway"}],
            "blockReason": "the \"other\" runway"}"#;
        check(&judge_findings(&book, &serde_json::from_str(findings).unwrap()).unwrap().verdict);
    }
}
