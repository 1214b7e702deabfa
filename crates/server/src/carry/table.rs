//! A contest as tables for spreadsheets: every verdict, or who stands where.

use std::collections::BTreeMap;
use std::io::Write;

use assize_kernel::{Board, Record, StreamId};
use assize_ledger::{Ledger, LedgerError};
use serde_json::Value;

use super::export::{each_part, unwritten};
use crate::Views;

/// What a table is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// Every verdict in order.
    Submissions,
    /// Who stands where, with what each task has brought.
    Board,
}

const SUBMISSIONS: [&str; 16] = [
    "position",
    "at",
    "by",
    "team",
    "task",
    "round",
    "outcome",
    "points",
    "elapsed_seconds",
    "wrong_before",
    "completes",
    "frozen",
    "answers",
    "reasons",
    "rulebook",
    "revises",
];

/// Writes a table of a contest as CSV. Spreadsheets take texts that begin with `=`, `+`, `-` or `@` for formulas:
/// such a text gets an apostrophe before it.
///
/// # Errors
/// When the ledger cannot be read, or the table cannot be written.
pub fn export_table(
    ledger: &dyn Ledger,
    views: &dyn Fn(&mut dyn FnMut(&Views)),
    (stream, table): (&StreamId, Table),
    out: &mut dyn Write,
) -> Result<(), LedgerError> {
    // Without this mark, some spreadsheets take the letters for others.
    let mut lines = Lines { out, line: String::from('\u{feff}') };
    match table {
        Table::Submissions => {
            lines.put(SUBMISSIONS.map(Cell::text))?;
            each_part(ledger, stream, &mut |records, _| {
                records.iter().filter_map(submission).try_for_each(|cells| lines.put(cells))
            })?;
        }
        Table::Board => {
            let names = Names::read(ledger, stream)?;
            let mut rows = Vec::new();
            views(&mut |views| rows = names.rows(views, stream));
            rows.into_iter().try_for_each(|cells| lines.put(cells))?;
        }
    }
    lines.out.flush().map_err(|error| unwritten(&error))
}

/// A record with a verdict as a line; none when nothing was judged.
fn submission(record: &Record) -> Option<[Cell; SUBMISSIONS.len()]> {
    let draft = &record.draft;
    let verdict: Value = serde_json::from_str(draft.verdict.as_deref()?).ok()?;
    let body: Value = serde_json::from_str(&draft.body).ok()?;
    let said = body.as_object()?.values().next()?;
    // A verdict that replaces another one has the event inside.
    let event = said["event"].as_object().and_then(|event| event.values().next()).unwrap_or(said);
    let reasons = verdict["reasons"].as_array().into_iter().flatten();
    let reasons: Vec<&str> = reasons.filter_map(|reason| reason["code"].as_str()).collect();
    let seconds = event["elapsed_ms"].as_f64().map(|millis| millis / 1_000.0);
    let answers = match &event["answers"] {
        Value::Null => String::new(),
        answers => answers.to_string(),
    };
    Some([
        Cell::bare(record.position),
        Cell::text(draft.at.to_string()),
        Cell::text(&draft.actor),
        Cell::of(&event["team"]),
        Cell::of(&event["task"]),
        Cell::of(&event["round"]),
        Cell::of(&verdict["outcome"]),
        Cell::of(&verdict["points"]),
        seconds.map_or_else(Cell::default, Cell::bare),
        Cell::of(&event["wrong_before"]),
        Cell::of(&event["completes"]),
        Cell::bare(event["frozen"] == true),
        Cell::text(answers),
        Cell::text(reasons.join(" ")),
        Cell::of(&verdict["rulebook"]["name"]),
        Cell::of(&said["position"]),
    ])
}

/// What teams and tasks are called, in the order in which they came.
#[derive(Default)]
struct Names {
    teams: BTreeMap<String, String>,
    tasks: Vec<String>,
}

impl Names {
    fn read(ledger: &dyn Ledger, stream: &StreamId) -> Result<Self, LedgerError> {
        let mut names = Self::default();
        each_part(ledger, stream, &mut |records, _| {
            records.iter().for_each(|record| names.take(record));
            Ok(())
        })?;
        Ok(names)
    }

    fn take(&mut self, record: &Record) {
        let team = record.draft.kind == "TeamRegistered";
        if !team && record.draft.kind != "TaskAdded" {
            return;
        }
        let body: Value = serde_json::from_str(&record.draft.body).unwrap_or_default();
        let said = body.as_object().and_then(|event| event.values().next()).unwrap_or(&Value::Null);
        let text = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
        if team {
            self.teams.insert(text("team"), text("name"));
        } else {
            self.tasks.push(text("task"));
        }
    }

    fn rows(&self, views: &Views, stream: &StreamId) -> Vec<Vec<Cell>> {
        let fixed = ["rank", "team", "name", "points", "seconds"].map(Cell::text);
        let mut rows = vec![fixed.into_iter().chain(self.tasks.iter().map(Cell::text)).collect::<Vec<_>>()];
        let points = |board: &Board| -> BTreeMap<String, f64> {
            board.rows(0, usize::MAX).map(|row| (row.participant.to_string(), row.standing.points)).collect()
        };
        let on_tasks: Vec<BTreeMap<String, f64>> = self
            .tasks
            .iter()
            .map(|task| views.board(&format!("{stream}/{task}")).map(points).unwrap_or_default())
            .collect();
        for row in views.board(stream.as_str()).into_iter().flat_map(|board| board.rows(0, usize::MAX)) {
            let team = row.participant.as_str();
            let [unscored, millis] = row.standing.ties;
            #[allow(clippy::cast_precision_loss, reason = "a sum of hours at most")]
            let seconds = (unscored == 0).then_some(millis as f64 / 1_000.0);
            let name = self.teams.get(team).map(String::as_str).unwrap_or_default();
            let tasks = on_tasks.iter().map(|points| points.get(team).map_or_else(Cell::default, Cell::bare));
            let fixed = [
                Cell::bare(row.rank),
                Cell::text(team),
                Cell::text(name),
                Cell::bare(row.standing.points),
                seconds.map_or_else(Cell::default, Cell::bare),
            ];
            rows.push(fixed.into_iter().chain(tasks).collect());
        }
        rows
    }
}

/// A cell as it is written.
#[derive(Default)]
struct Cell(String);

impl Cell {
    /// A number or a truth: never taken for anything else.
    fn bare(value: impl ToString) -> Self {
        Self(value.to_string())
    }

    /// A text of whoever: neither a formula nor the end of the cell.
    fn text(text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        let formula = text.trim_start().starts_with(['=', '+', '-', '@']) || text.starts_with(['\t', '\r']);
        let text = format!("{}{text}", if formula { "'" } else { "" });
        let plain = !text.contains([',', '"', '\n', '\r', ';', '\t']);
        Self(if plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) })
    }

    /// As its kind demands.
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::default(),
            Value::String(text) => Self::text(text),
            Value::Number(_) | Value::Bool(_) => Self::bare(value),
            Value::Array(_) | Value::Object(_) => Self::text(value.to_string()),
        }
    }
}

struct Lines<'a> {
    out: &'a mut dyn Write,
    line: String,
}

impl Lines<'_> {
    fn put(&mut self, cells: impl IntoIterator<Item = Cell>) -> Result<(), LedgerError> {
        for (place, Cell(cell)) in cells.into_iter().enumerate() {
            if place > 0 {
                self.line.push(',');
            }
            self.line.push_str(&cell);
        }
        self.line.push_str("\r\n");
        self.out.write_all(self.line.as_bytes()).map_err(|error| unwritten(&error))?;
        self.line.clear();
        Ok(())
    }
}

#[test]
fn no_text_becomes_a_formula_or_breaks_out_of_its_cell() {
    let check = |text: &str, expected: &str| assert_eq!(Cell::text(text).0, expected);
    check("The Ants", "The Ants");
    check("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\"");
    check("+1", "'+1");
    check("-1", "'-1");
    check(" @sum", "' @sum");
    check("\tcmd", "\"'\tcmd\"");
    check("a,b\nc", "\"a,b\nc\"");
    assert_eq!(Cell::bare(-1.5).0, "-1.5");
}
