//! The parameters of the radio court, checked when a rulebook is read.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use assize_kernel::{Fault, Millis, Rules, Severity};
use serde::{Deserialize, Serialize};

use super::reading::{Class, Classes, ErrorKind, PARAMETERS};
use super::rubric::{Code, band};

/// What a radio call is judged by.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RadioRules {
    /// The rubric that verdicts name.
    pub rubric_version: String,
    /// How things are said here.
    pub phraseology: Phraseology,
    /// What must be read back.
    pub readback: ReadbackRules,
    /// How much each component counts, before they are made to sum to 1.
    pub weights: BTreeMap<String, u32>,
    /// How bad each kind of error is.
    pub severity: BTreeMap<String, Severity>,
    /// What each severity adds or takes, by difficulty.
    pub deltas: Deltas,
    /// How sessions end.
    pub session: SessionRules,
    #[serde(skip)]
    classes: OnceLock<Classes>,
}

/// How things are said here.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phraseology {
    /// What stands before the decimals of a frequency.
    pub decimal: Decimal,
    /// What pressure is given in.
    pub pressure: Pressure,
    /// Whether a readback must end with the callsign, or may begin with it.
    pub readback_ends_with_callsign: bool,
}

/// What stands before decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Decimal {
    Decimal,
    Point,
}

/// What pressure is given in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Pressure {
    Hectopascals,
    Inches,
}

/// The three classes of item.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadbackRules {
    /// Must be read back.
    pub required: Vec<String>,
    /// Must agree if said.
    #[serde(rename = "match")]
    pub matching: Vec<String>,
    /// May be said or not.
    pub ignore: Vec<String>,
    /// Getting these wrong is dangerous.
    pub dangerous: Vec<String>,
}

/// What each severity adds or takes, by difficulty.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct Deltas {
    pub student: DeltaTable,
    pub solo: DeltaTable,
    pub exam: DeltaTable,
}

/// What each severity adds or takes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "they say what they are")]
pub struct DeltaTable {
    pub info: i32,
    pub minor: i32,
    pub major: i32,
    pub critical: i32,
}

/// How sessions end.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionRules {
    /// So long after the controller's last transmission without an answer, it is over.
    pub idle_seconds: f64,
    /// So many safety-critical failures without an accepted turn between them, and it is over.
    pub safety_failures: u32,
}

/// How strict a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Difficulty {
    #[default]
    Student,
    Solo,
    Exam,
}

impl RadioRules {
    /// The class of every item.
    #[must_use]
    pub fn classes(&self) -> &Classes {
        self.classes.get_or_init(|| {
            let none = Classes::read(&everything_ignored());
            #[allow(
                clippy::panic,
                reason = "a rulebook with faults is handed to nobody, and this would be one"
            )]
            Classes::read(&self.readback.listed())
                .or(none)
                .unwrap_or_else(|_| panic!("a rulebook without classes"))
        })
    }

    /// How bad a kind of error is.
    #[must_use]
    pub fn severity_of(&self, kind: ErrorKind) -> Severity {
        self.severity.get(kind.name()).copied().unwrap_or(Severity::Major)
    }

    /// How much a component counts.
    #[must_use]
    pub fn weight_of(&self, code: Code) -> u32 {
        self.weights.get(code.as_str()).copied().unwrap_or(0)
    }

    /// Whether getting this item wrong is dangerous.
    #[must_use]
    pub fn is_dangerous(&self, item: &str) -> bool {
        self.readback.dangerous.iter().any(|dangerous| dangerous == item)
    }
}

impl ReadbackRules {
    fn lists(&self) -> [(&'static str, &Vec<String>, Class); 3] {
        [
            ("required", &self.required, Class::Required),
            ("match", &self.matching, Class::Match),
            ("ignore", &self.ignore, Class::Ignore),
        ]
    }

    fn listed(&self) -> BTreeMap<String, Class> {
        let all = self.lists().into_iter();
        all.flat_map(|(_, names, class)| names.iter().map(move |name| (name.clone(), class))).collect()
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
        let missing = PARAMETERS.iter().map(|item| item.name()).filter(|name| !seen.contains(name));
        faults.extend(missing.map(|name| Fault::new("readback", format!("`{name}` is in no class"))));
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

fn everything_ignored() -> BTreeMap<String, Class> {
    PARAMETERS.iter().map(|item| (item.name().to_owned(), Class::Ignore)).collect()
}

impl Deltas {
    /// The table of a difficulty.
    #[must_use]
    pub const fn of(&self, difficulty: Difficulty) -> &DeltaTable {
        match difficulty {
            Difficulty::Student => &self.student,
            Difficulty::Solo => &self.solo,
            Difficulty::Exam => &self.exam,
        }
    }
}

impl DeltaTable {
    /// What a component of this severity adds or takes.
    #[must_use]
    pub const fn of(&self, severity: Severity) -> i32 {
        match severity {
            Severity::Info => self.info,
            Severity::Minor => self.minor,
            Severity::Major => self.major,
            Severity::Critical => self.critical,
        }
    }

    /// The grader stays inside the bands of the severities.
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
}

impl RadioRules {
    fn weight_faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (name, weight) in &self.weights {
            match Code::ALL.iter().find(|code| code.as_str() == name) {
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
        let missing =
            Code::ALL.iter().filter(|code| !code.is_safety() && !self.weights.contains_key(code.as_str()));
        faults.extend(missing.map(|code| Fault::new("weights", format!("`{}` is missing", code.as_str()))));
        faults
    }

    fn severity_faults(&self) -> Vec<Fault> {
        let known = |name: &str| ErrorKind::ALL.iter().any(|kind| kind.name() == name);
        let unknown = self.severity.keys().filter(|name| !known(name));
        let mut faults: Vec<Fault> = unknown
            .map(|name| Fault::new(format!("severity.{name}"), "there is no such kind of error"))
            .collect();
        let missing = ErrorKind::ALL.iter().filter(|kind| !self.severity.contains_key(kind.name()));
        faults.extend(missing.map(|kind| Fault::new("severity", format!("`{}` is missing", kind.name()))));
        faults
    }
}
