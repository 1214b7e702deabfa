//! Rules of the radio court, validated when a rulebook is read.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use assize_kernel::{Fault, Millis, Rules, Severity};
use serde::{Deserialize, Serialize};

use super::reading::{ErrorKind, FindingSubject, PARAMETERS, ReadbackClass, ReadbackClasses};
use super::rubric::{ComponentCode, band};

/// Rules of the radio court.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RadioRules {
    /// Version of the rubric, named in verdicts.
    pub rubric_version: String,
    /// Regional phraseology.
    pub phraseology: Phraseology,
    /// Readback classes of items.
    pub readback: ReadbackRules,
    /// Weight of each component, before normalisation to a sum of 1.
    pub weights: BTreeMap<String, u32>,
    /// Severity of each kind of error.
    pub severity: BTreeMap<String, Severity>,
    /// Delta of each severity, by difficulty.
    pub deltas: DifficultyDeltas,
    /// Session limits.
    pub session: SessionRules,
    #[serde(skip)]
    classes: OnceLock<ReadbackClasses>,
}

/// Regional phraseology.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phraseology {
    /// The word between the digits of a frequency.
    pub decimal: DecimalWord,
    /// Unit of pressure settings.
    pub pressure: PressureUnit,
    /// Whether a readback must end with the callsign, or may begin with it.
    pub readback_ends_with_callsign: bool,
}

/// The word for a decimal point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename = "Decimal", rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum DecimalWord {
    Decimal,
    Point,
}

/// Unit of pressure settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename = "Pressure", rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum PressureUnit {
    Hectopascals,
    Inches,
}

/// The readback classes, and the dangerous items.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadbackRules {
    /// Items that must be read back.
    pub required: Vec<String>,
    /// Items that must agree if they are said.
    #[serde(rename = "match")]
    pub matching: Vec<String>,
    /// Items that are not compared.
    pub ignore: Vec<String>,
    /// Items for which a wrong value is critical.
    pub dangerous: Vec<String>,
}

/// Delta of each severity, by difficulty.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename = "Deltas", deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct DifficultyDeltas {
    pub student: DeltaTable,
    pub solo: DeltaTable,
    pub exam: DeltaTable,
}

/// Delta of each severity.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct DeltaTable {
    pub info: i32,
    pub minor: i32,
    pub major: i32,
    pub critical: i32,
}

/// Session limits.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionRules {
    /// Idle limit: seconds without a transmission after which a session times out.
    pub idle_seconds: f64,
    /// Number of consecutive safety-critical failures that ends a session.
    pub safety_failures: u32,
}

/// Difficulty of a session; selects the table of deltas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Difficulty))]
#[serde(rename = "Difficulty", rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum SessionDifficulty {
    #[default]
    Student,
    Solo,
    Exam,
}

impl RadioRules {
    /// Readback class of every item.
    #[must_use]
    pub fn classes(&self) -> &ReadbackClasses {
        self.classes.get_or_init(|| ReadbackClasses::read(&self.readback.listed()))
    }

    /// Severity of a kind of error.
    #[must_use]
    pub fn severity_of(&self, kind: ErrorKind) -> Severity {
        self.severity.get(kind.name()).copied().unwrap_or(Severity::Info)
    }

    /// Whether a finding is judged. A rulebook that does not list its error kind, item or component is older
    /// than it.
    pub(super) fn judges(&self, kind: ErrorKind, about: FindingSubject, code: ComponentCode) -> bool {
        let listed = match about {
            FindingSubject::Item(item) => {
                !PARAMETERS.contains(&item) || self.readback.lists_item(item.name())
            }
            FindingSubject::Callsign | FindingSubject::Readback | FindingSubject::Part(_) => true,
        };
        listed && self.severity.contains_key(kind.name()) && self.has_component(code)
    }

    /// Whether the rulebook has a component; safety components have no weight and are not listed.
    pub(super) fn has_component(&self, code: ComponentCode) -> bool {
        code.is_safety() || self.weights.contains_key(code.as_str())
    }

    /// Weight of a component.
    #[must_use]
    pub fn weight_of(&self, code: ComponentCode) -> u32 {
        self.weights.get(code.as_str()).copied().unwrap_or(0)
    }

    /// Whether a wrong value of this item is critical.
    #[must_use]
    pub fn is_dangerous(&self, item: &str) -> bool {
        self.readback.dangerous.iter().any(|dangerous| dangerous == item)
    }
}

impl ReadbackRules {
    fn lists(&self) -> [(&'static str, &Vec<String>, ReadbackClass); 3] {
        [
            ("required", &self.required, ReadbackClass::Required),
            ("match", &self.matching, ReadbackClass::Match),
            ("ignore", &self.ignore, ReadbackClass::Ignore),
        ]
    }

    fn listed(&self) -> BTreeMap<String, ReadbackClass> {
        let all = self.lists().into_iter();
        all.flat_map(|(_, names, class)| names.iter().map(move |name| (name.clone(), class))).collect()
    }

    fn lists_item(&self, name: &str) -> bool {
        self.lists().into_iter().any(|(_, names, _)| names.iter().any(|listed| listed == name))
    }

    fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for (list, names, _) in self.lists() {
            for (index, name) in names.iter().enumerate() {
                let key = format!("readback.{list}.{index}");
                if !is_item(name) {
                    faults.push(Fault::new(key, format!("there is no item `{name}`")));
                } else if seen.contains(&name.as_str()) {
                    faults.push(Fault::new(key, format!("`{name}` is in two classes")));
                } else {
                    seen.push(name);
                }
            }
        }
        for (index, name) in self.dangerous.iter().enumerate().filter(|(_, name)| !is_item(name)) {
            faults.push(Fault::new(
                format!("readback.dangerous.{index}"),
                format!("there is no item `{name}`"),
            ));
        }
        faults
    }
}

fn is_item(name: &str) -> bool {
    PARAMETERS.iter().any(|item| item.name() == name)
}

impl DifficultyDeltas {
    /// The table of a difficulty.
    #[must_use]
    pub const fn of(&self, difficulty: SessionDifficulty) -> &DeltaTable {
        match difficulty {
            SessionDifficulty::Student => &self.student,
            SessionDifficulty::Solo => &self.solo,
            SessionDifficulty::Exam => &self.exam,
        }
    }
}

impl DeltaTable {
    /// Delta of a component with this severity.
    #[must_use]
    pub const fn of(&self, severity: Severity) -> i32 {
        match severity {
            Severity::Info => self.info,
            Severity::Minor => self.minor,
            Severity::Major => self.major,
            Severity::Critical => self.critical,
        }
    }

    /// Deltas must lie within the bands of the severities.
    fn faults(&self, level: &'static str) -> Vec<Fault> {
        let all = [Severity::Info, Severity::Minor, Severity::Major, Severity::Critical].into_iter();
        let outside = all.filter(|severity| {
            let (least, most) = band(*severity);
            !(least..=most).contains(&f64::from(self.of(*severity)))
        });
        outside
            .map(|severity| {
                let (least, most) = band(severity);
                let key = format!("deltas.{level}.{}", severity.as_str());
                Fault::new(key, format!("must be from {least} to {most}, is {}", self.of(severity)))
            })
            .collect()
    }
}

impl SessionRules {
    /// See [`SessionRules::idle_seconds`].
    #[must_use]
    pub fn idle(&self) -> Millis {
        Millis::from_seconds(self.idle_seconds)
    }

    fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if !(self.idle_seconds > 0.0 && self.idle_seconds <= 86_400.0) {
            let problem = format!("must be above 0 and at most 86400, is {}", self.idle_seconds);
            faults.push(Fault::new("session.idle_seconds", problem));
        }
        if self.safety_failures == 0 {
            faults.push(Fault::new("session.safety_failures", "must be at least 1, is 0"));
        }
        faults
    }
}

impl Rules for RadioRules {
    fn faults(&self) -> Vec<Fault> {
        let mut faults = self.readback.faults();
        faults.extend(self.weight_faults());
        faults.extend(self.severity_faults());
        for (level, table) in
            [("student", &self.deltas.student), ("solo", &self.deltas.solo), ("exam", &self.deltas.exam)]
        {
            faults.extend(table.faults(level));
        }
        faults.extend(self.session.faults());
        faults
    }

    fn unlisted(&self) -> Vec<Fault> {
        let items = PARAMETERS.iter().map(|item| item.name()).filter(|name| !self.readback.lists_item(name));
        let items = items.map(|name| Fault::new("readback", format!("`{name}` is in no class")));
        let codes = ComponentCode::ALL.into_iter().filter(|code| !self.has_component(*code));
        let codes = codes.map(|code| Fault::new("weights", format!("`{}` is missing", code.as_str())));
        let kinds = ErrorKind::ALL.into_iter().filter(|kind| !self.severity.contains_key(kind.name()));
        let kinds = kinds.map(|kind| Fault::new("severity", format!("`{}` is missing", kind.name())));
        items.chain(codes).chain(kinds).collect()
    }
}

impl RadioRules {
    fn weight_faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (name, weight) in &self.weights {
            match ComponentCode::ALL.iter().find(|code| code.as_str() == name) {
                Some(code) if code.is_safety() => {
                    faults.push(Fault::new(format!("weights.{name}"), "safety components have no weight"));
                }
                Some(_) if (1..=100).contains(weight) => {}
                Some(_) => {
                    let problem = format!("must be from 1 to 100, is {weight}");
                    faults.push(Fault::new(format!("weights.{name}"), problem));
                }
                None => faults.push(Fault::new(format!("weights.{name}"), "there is no such component")),
            }
        }
        faults
    }

    fn severity_faults(&self) -> Vec<Fault> {
        let known = |name: &str| ErrorKind::ALL.iter().any(|kind| kind.name() == name);
        let unknown = self.severity.keys().filter(|name| !known(name));
        unknown.map(|name| Fault::new(format!("severity.{name}"), "there is no such kind of error")).collect()
    }
}
