//! Imports tasks with their ground truth from CSV: either all of them, or a list of every error.

use std::collections::BTreeMap;
use std::fmt;

use assize_kernel::{SmolStr, check_name};
use serde::Serialize;

use super::answer::shown;
use super::csv::{CsvCell, CsvRow, rows};
use super::task::{TaskFault, TaskPoints, TaskSpec, TaskType, checked_answer, checked_scene, checked_video};

/// The columns, in any order; the last is optional.
const COLUMNS: [&str; 6] = ["id", "type", "scene_id", "video_id", "points", "answer"];
const OPTIONAL: &str = "answer";
/// The maximum number of tasks in one import.
const MOST_TASKS: usize = 1000;

/// A task read from CSV.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedTask {
    /// The line on which its row begins, from 1.
    pub line: usize,
    /// Its name in URLs and on boards.
    pub task: SmolStr,
    /// Everything about it, ground truth included.
    pub spec: TaskSpec,
}

/// An error in the CSV and its location.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportFault {
    /// The line, from 1.
    pub line: usize,
    /// The column's name; `None` if the error concerns the whole row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<&'static str>,
    /// The problem and what was expected, in lower case and without a full stop.
    pub problem: String,
}

/// Parses tasks: a header `id,type,scene_id,video_id,points[,answer]`, then one row for each task. Points are
/// separated by dashes, or by commas within quotes.
///
/// # Errors
/// Every error, by line.
pub fn read_tasks(csv: &str) -> Result<Vec<ImportedTask>, Vec<ImportFault>> {
    read(csv, |_| false)
}

/// Parses tasks for a contest in which some names are already taken.
pub(super) fn read(csv: &str, taken: impl Fn(&str) -> bool) -> Result<Vec<ImportedTask>, Vec<ImportFault>> {
    let mut rows = rows(csv);
    let Some(header) = rows.next() else {
        let problem = format!("there is nothing; expected the header {}", expected_header());
        return Err(vec![ImportFault { line: 1, column: None, problem }]);
    };
    let columns = read_header(&header)?;
    let mut tasks = Vec::new();
    let mut faults = Vec::new();
    let mut lines = BTreeMap::new();
    for (count, row) in rows.enumerate() {
        if count == MOST_TASKS {
            faults.push(row.fault(None, format!("there are more than {MOST_TASKS} tasks")));
            break;
        }
        let read = RowParser { row: &row, columns: &columns, faults: &mut faults }.task(|name| {
            if let Some(line) = lines.insert(SmolStr::from(name), row.line) {
                return Some(format!("`{name}` is the id on line {line} already"));
            }
            taken(name).then(|| format!("there is a task `{name}` already"))
        });
        tasks.extend(read);
    }
    if faults.is_empty() && tasks.is_empty() {
        faults.push(header.fault(None, "there is no task below the header".to_owned()));
    }
    if faults.is_empty() { Ok(tasks) } else { Err(faults) }
}

/// The column names in the order of the header.
fn read_header(header: &CsvRow) -> Result<Vec<&'static str>, Vec<ImportFault>> {
    let mut columns = Vec::new();
    let mut faults = Vec::new();
    for cell in &header.fields {
        let name = cell.text.as_deref().unwrap_or_default();
        let known = COLUMNS.into_iter().find(|known| known.eq_ignore_ascii_case(name));
        match known {
            Some(known) if columns.contains(&known) => {
                faults.push(header.fault(Some(known), "there is this column twice".to_owned()));
            }
            Some(known) => columns.push(known),
            None => {
                let problem = format!("unknown column `{}`; expected {}", shown(name), expected_header());
                faults.push(header.fault(None, problem));
            }
        }
    }
    let missing = COLUMNS.into_iter().filter(|name| *name != OPTIONAL && !columns.contains(name));
    let missing = missing.map(|name| header.fault(Some(name), "this column is missing".to_owned()));
    faults.extend(missing.collect::<Vec<_>>());
    if faults.is_empty() { Ok(columns) } else { Err(faults) }
}

fn expected_header() -> String {
    format!("`{}`, the last if there are answers", COLUMNS.join(","))
}

/// Parser for one row.
struct RowParser<'a> {
    row: &'a CsvRow,
    columns: &'a [&'static str],
    faults: &'a mut Vec<ImportFault>,
}

impl RowParser<'_> {
    /// The task of the row, or `None` after recording every error.
    fn task(mut self, mut objection: impl FnMut(&str) -> Option<String>) -> Option<ImportedTask> {
        let before = self.faults.len();
        self.check_length();
        let id = self.read("id", |id| {
            check_name(id).map_err(|bad| TaskFault::new("id", bad.to_string()))?;
            objection(id).map_or(Ok(id.into()), |problem| Err(TaskFault::new("id", problem)))
        });
        let task_type = self.read("type", |name| {
            let problem = || TaskFault::new("type", format!("is `{}`; expected KIS, QA or TR", shown(name)));
            TaskType::from_name(name).ok_or_else(problem)
        });
        let scene_id = self.read("scene_id", |scene| checked_scene(Some(scene)));
        // The checks common to all types apply even if the type is unknown.
        let video_id =
            self.read("video_id", |video| checked_video(task_type.unwrap_or(TaskType::Kis), video));
        let points = self.read("points", |points| match points {
            "" => Err(TaskFault::new("points", "is empty; expected boundaries such as `4890-5000`")),
            points => TaskPoints::Text(points.to_owned()).read(),
        });
        let answer = self.read(OPTIONAL, |answer| match task_type {
            Some(task_type) => checked_answer(task_type, Some(answer)),
            None => Ok(None),
        });
        if self.faults.len() > before {
            return None;
        }
        let spec = TaskSpec {
            task_type: task_type?,
            scene_id: scene_id?,
            video_id: video_id?,
            points: points?,
            answer: answer?,
            time_limit_seconds: None,
            hints: Vec::new(),
            rehearsal: false,
        };
        Some(ImportedTask { line: self.row.line, task: id?, spec })
    }

    fn check_length(&mut self) {
        let here = self.row.fields.len();
        let expected = self.columns.len();
        if here > expected {
            let problem =
                format!("there are {here} fields where {expected} belong; put points with commas in quotes");
            self.faults.push(self.row.fault(None, problem));
        }
    }

    /// Parses the field of a column; an optional column may be missing.
    fn read<T>(
        &mut self,
        column: &'static str,
        read: impl FnOnce(&str) -> Result<T, TaskFault>,
    ) -> Option<T> {
        let place = self.columns.iter().position(|known| *known == column);
        let cell = place.and_then(|place| self.row.fields.get(place));
        let line = cell.map_or(self.row.line, |cell| cell.line);
        let text = match cell {
            Some(CsvCell { text, .. }) => text.as_deref().map_err(|problem| (*problem).to_owned()),
            None if column == OPTIONAL => Ok(""),
            None => Err("is missing: the row is too short".to_owned()),
        };
        let read = text.and_then(|text| read(text).map_err(|fault| fault.problem));
        read.map_err(|problem| self.faults.push(ImportFault { line, column: Some(column), problem })).ok()
    }
}

impl CsvRow {
    const fn fault(&self, column: Option<&'static str>, problem: String) -> ImportFault {
        ImportFault { line: self.line, column, problem }
    }
}

impl fmt::Display for ImportFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "line {}, column {column}: {}", self.line, self.problem),
            None => write!(f, "line {}: {}", self.line, self.problem),
        }
    }
}
