//! Scenarios: scripted exchanges written by instructors as TOML, validated when they are read.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use assize_kernel::{Fault, Rulebook, RulebookError, RulebookRef, Rules, SmolStr};
use serde::{Deserialize, Serialize};

use super::reading;

/// Names of slot items.
pub(super) const SLOT_ITEMS: [&str; 17] = [
    "unit",
    "callsign",
    "type",
    "intent",
    "position",
    "altitude",
    "request",
    "runway",
    "qnh",
    "information",
    "squawk",
    "frequency",
    "heading",
    "emergency",
    "persons",
    "leg",
    "place",
];

/// A scripted sequence of exchanges on a frequency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Display name.
    pub title: String,
    /// Airfield.
    pub airfield: String,
    /// Runway in use.
    pub runway: String,
    /// Weather.
    pub weather: String,
    /// Callsign of the student, in spoken form.
    pub callsign: String,
    /// Aircraft type.
    pub aircraft: String,
    /// Description of how the scenario ends.
    pub ends_when: String,
    /// The phases; the first one starts the scenario.
    pub phases: Vec<ScenarioPhase>,
}

/// One exchange of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Phase", deny_unknown_fields)]
pub struct ScenarioPhase {
    /// Name, unique within the scenario.
    pub name: SmolStr,
    /// Transmission of the controller, which the student reads back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<String>,
    /// Prompt shown when the student makes the first call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cue: Option<String>,
    /// Expected parts of a call that is not a readback, in the usual order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<PhaseSlot>,
    /// Items that are dangerous in this phase, in addition to those of the rulebook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dangerous: Vec<String>,
    /// The next phase; none ends the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<SmolStr>,
}

/// One expected part of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Slot", deny_unknown_fields)]
pub struct PhaseSlot {
    /// Name of the item.
    pub item: String,
    /// Spoken form.
    pub say: String,
    /// Alternative words, any of which is accepted; without them, the values in `say` are required.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any: Vec<String>,
    /// Whether the call is incomplete without this part.
    #[serde(default = "yes")]
    pub mandatory: bool,
}

const fn yes() -> bool {
    true
}

/// A scenario with its reference for verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioChart {
    /// Name, version and hash.
    pub reference: RulebookRef,
    /// The scenario itself.
    pub scenario: Scenario,
}

/// The shipped scenarios: name and TOML text.
pub const SCENARIOS: [(&str, &str); 9] = [
    ("circuit-departure", include_str!("../../../../scenarios/radio/circuit-departure.toml")),
    ("circuit-arrival", include_str!("../../../../scenarios/radio/circuit-arrival.toml")),
    ("taxi-and-crossing", include_str!("../../../../scenarios/radio/taxi-and-crossing.toml")),
    ("airspace-transit", include_str!("../../../../scenarios/radio/airspace-transit.toml")),
    ("frequency-change", include_str!("../../../../scenarios/radio/frequency-change.toml")),
    ("go-around", include_str!("../../../../scenarios/radio/go-around.toml")),
    ("conditional-line-up", include_str!("../../../../scenarios/radio/conditional-line-up.toml")),
    ("field-broadcast", include_str!("../../../../scenarios/radio/field-broadcast.toml")),
    ("emergency", include_str!("../../../../scenarios/radio/emergency.toml")),
];

/// Parses and validates a scenario; errors refer to it as `file`.
///
/// # Errors
/// All faults, each with its line.
pub fn read_scenario(file: &str, text: &str) -> Result<ScenarioChart, RulebookError> {
    let book = Rulebook::<Scenario>::read("radio", file, text)?;
    Ok(ScenarioChart { reference: book.reference, scenario: book.rules })
}

/// A shipped scenario by name; all are parsed once.
#[must_use]
pub fn shipped_scenario(name: &str) -> Option<&'static ScenarioChart> {
    static CHARTS: LazyLock<Vec<(&str, ScenarioChart)>> = LazyLock::new(|| {
        let read = |(name, text)| Some((name, read_scenario(&format!("{name}.toml"), text).ok()?));
        SCENARIOS.into_iter().filter_map(read).collect()
    });
    CHARTS.iter().find(|(known, _)| *known == name).map(|(_, chart)| chart)
}

impl Scenario {
    /// A phase by its name.
    #[must_use]
    pub fn phase(&self, name: &str) -> Option<&ScenarioPhase> {
        self.phases.iter().find(|phase| phase.name == name)
    }
}

impl Rules for Scenario {
    fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let texts = [
            ("title", &self.title),
            ("airfield", &self.airfield),
            ("runway", &self.runway),
            ("weather", &self.weather),
            ("aircraft", &self.aircraft),
            ("ends_when", &self.ends_when),
        ];
        for (key, _) in texts.into_iter().filter(|(_, text)| text.trim().is_empty()) {
            faults.push(Fault::new(key, "must say something"));
        }
        if reading::read(&self.callsign).callsign.is_none() {
            faults.push(Fault::new("callsign", format!("`{}` cannot be read as a callsign", self.callsign)));
        }
        if self.phases.is_empty() {
            faults.push(Fault::new("phases", "there must be at least one"));
        }
        let mut names = BTreeSet::new();
        for (index, phase) in self.phases.iter().enumerate() {
            let at = |key: &str| format!("phases.{index}.{key}");
            if !names.insert(&phase.name) {
                faults.push(Fault::new(at("name"), format!("`{}` is there twice", phase.name)));
            }
            phase.faults(index, &mut faults);
            if let Some(next) = phase.next.as_ref().filter(|next| self.phase(next).is_none()) {
                faults.push(Fault::new(at("next"), format!("there is no phase `{next}`")));
            }
        }
        faults.extend(self.unreachable());
        faults
    }
}

impl Scenario {
    /// Unreachable phases, and a cycle without an end.
    fn unreachable(&self) -> Vec<Fault> {
        let mut reached = BTreeSet::new();
        let mut at = self.phases.first();
        while let Some(phase) = at.filter(|phase| reached.insert(phase.name.clone())) {
            at = phase.next.as_ref().and_then(|next| self.phase(next));
        }
        let mut faults = Vec::new();
        if at.is_some() {
            faults.push(Fault::new("phases", "it never ends: some phase must have no `next`"));
        }
        for (index, phase) in
            self.phases.iter().enumerate().filter(|(_, phase)| !reached.contains(&phase.name))
        {
            let problem = format!("nothing leads to `{}`", phase.name);
            faults.push(Fault::new(format!("phases.{index}.name"), problem));
        }
        faults
    }
}

impl ScenarioPhase {
    fn faults(&self, index: usize, faults: &mut Vec<Fault>) {
        let at = |key: &str| format!("phases.{index}.{key}");
        match (&self.controller, &self.cue) {
            (None, None) => faults.push(Fault::new(at("name"), "needs a `controller` or a `cue`")),
            (Some(said), _) if reading::read(said).callsign.is_none() => {
                faults.push(Fault::new(at("controller"), "calls nobody that can be understood"));
            }
            (None, Some(_)) if self.slots.is_empty() => {
                faults.push(Fault::new(at("cue"), "needs `slots`: what the student must say"));
            }
            _ => {}
        }
        if self.controller.is_some() && !self.slots.is_empty() {
            faults.push(Fault::new(
                at("slots"),
                "have no meaning where a controller speaks: that is read back",
            ));
        }
        for (number, slot) in self.slots.iter().enumerate() {
            let at = |key: &str| format!("phases.{index}.slots.{number}.{key}");
            if !SLOT_ITEMS.contains(&slot.item.as_str()) {
                let known = SLOT_ITEMS.join(", ");
                faults.push(Fault::new(at("item"), format!("there is no `{}`; there is {known}", slot.item)));
            }
            let values = reading::read_values(&slot.say);
            if slot.any.is_empty() && slot.item != "callsign" && values == 0 {
                let problem = format!("`{}` has no value that can be read; give `any` words", slot.say);
                faults.push(Fault::new(at("say"), problem));
            }
        }
        for (number, item) in self.dangerous.iter().enumerate() {
            if !reading::PARAMETERS.iter().any(|known| known.name() == item) {
                faults.push(Fault::new(
                    format!("phases.{index}.dangerous.{number}"),
                    format!("there is no item `{item}`"),
                ));
            }
        }
    }
}
