//! CSV export of a contest: its verdicts, or its board.

use std::collections::BTreeMap;
use std::io::Write;

use assize_courts::contest::scoring_time;
use assize_kernel::{Board, Millis, Record, Row, SmolStr, StreamId};
use assize_ledger::{Ledger, LedgerError};
use serde_json::Value;

use super::export::{each_part, unwritten};
use crate::Views;

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

/// Byte order mark; without it, some spreadsheets do not read UTF-8.
const MARK: &str = "\u{feff}";

/// Writes every verdict of a contest as a line of CSV. Texts that a spreadsheet would take for formulas, such
/// as those that begin with `=`, `+`, `-` or `@`, are prefixed with an apostrophe.
///
/// # Errors
/// When the ledger cannot be read, or the table cannot be written.
pub fn export_submissions(
    ledger: &dyn Ledger,
    stream: &StreamId,
    out: &mut dyn Write,
) -> Result<(), LedgerError> {
    let mut put = |text: String| out.write_all(text.as_bytes()).map_err(|error| unwritten(&error));
    put(format!("{MARK}{}", line(SUBMISSIONS.map(Cell::text))))?;
    each_part(ledger, stream, &mut |records, _| {
        records.iter().filter_map(submission).try_for_each(|cells| put(line(cells)))
    })?;
    out.flush().map_err(|error| unwritten(&error))
}

/// The cells of a record; `None` without a verdict.
fn submission(record: &Record) -> Option<[Cell; SUBMISSIONS.len()]> {
    let draft = &record.draft;
    let verdict: Value = serde_json::from_str(draft.verdict.as_deref()?).ok()?;
    let body: Value = serde_json::from_str(&draft.body).ok()?;
    let said = body.as_object()?.values().next()?;
    // A revision wraps the event whose verdict it replaces.
    let inside = at(said, "/event").as_object().and_then(|event| event.values().next());
    let of_event = |path: &str| Cell::of(at(inside.unwrap_or(said), path));
    let reasons = at(&verdict, "/reasons").as_array().into_iter().flatten();
    let reasons: Vec<&str> = reasons.filter_map(|reason| at(reason, "/code").as_str()).collect();
    let millis = at(inside.unwrap_or(said), "/elapsed_ms").as_f64();
    Some([
        Cell::bare(record.position),
        Cell::text(draft.at.to_string()),
        Cell::text(&draft.actor),
        of_event("/team"),
        of_event("/task"),
        of_event("/round"),
        Cell::of(at(&verdict, "/outcome")),
        Cell::of(at(&verdict, "/points")),
        millis.map_or_else(Cell::default, |millis| Cell::bare(millis / 1_000.0)),
        of_event("/wrong_before"),
        of_event("/completes"),
        Cell::bare(*at(inside.unwrap_or(said), "/frozen") == Value::Bool(true)),
        of_event("/answers"),
        Cell::text(reasons.join(" ")),
        Cell::of(at(&verdict, "/rulebook/name")),
        Cell::of(at(said, "/position")),
    ])
}

/// The value at a JSON pointer, or null.
fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    value.pointer(path).unwrap_or(&Value::Null)
}

/// Names of teams and tasks for the board of a contest as a table, with the points of each task.
#[derive(Default)]
pub struct BoardTable {
    teams: BTreeMap<String, String>,
    tasks: Vec<String>,
}

impl BoardTable {
    /// Reads the names from the records of a contest.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn read(ledger: &dyn Ledger, stream: &StreamId) -> Result<Self, LedgerError> {
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
        let text = |path: &str| at(said, path).as_str().unwrap_or_default().to_owned();
        if team {
            self.teams.insert(text("/team"), text("/name"));
        } else {
            self.tasks.push(text("/task"));
        }
    }

    /// The board as CSV.
    #[must_use]
    pub fn to_csv(&self, views: &Views, stream: &StreamId) -> String {
        let fixed = ["rank", "team", "name", "points", "seconds"].map(Cell::text);
        let mut table = format!("{MARK}{}", line(fixed.into_iter().chain(self.tasks.iter().map(Cell::text))));
        let boards: Vec<_> =
            self.tasks.iter().map(|task| points(views.board(&format!("{stream}/{task}")))).collect();
        for row in views.board(stream.as_str()).into_iter().flat_map(|board| board.rows(0, usize::MAX)) {
            let on_tasks = boards
                .iter()
                .map(|points| points.get(&row.participant).map_or_else(Cell::default, Cell::bare));
            table.push_str(&line(self.standing(&row).into_iter().chain(on_tasks)));
        }
        table
    }

    fn standing(&self, row: &Row) -> [Cell; 5] {
        let team = row.participant.as_str();
        let name = self.teams.get(team).map(String::as_str).unwrap_or_default();
        let seconds = scoring_time(&row.standing).map(Millis::as_seconds);
        [
            Cell::bare(row.rank),
            Cell::text(team),
            Cell::text(name),
            Cell::bare(row.standing.points),
            seconds.map_or_else(Cell::default, Cell::bare),
        ]
    }
}

/// The points of all participants of a board.
fn points(board: Option<&Board>) -> BTreeMap<SmolStr, f64> {
    let rows = board.into_iter().flat_map(|board| board.rows(0, usize::MAX));
    rows.map(|row| (row.participant, row.standing.points)).collect()
}

fn line(cells: impl IntoIterator<Item = Cell>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|Cell(cell)| cell).collect();
    cells.join(",") + "\r\n"
}

/// An escaped CSV cell.
#[derive(Default)]
struct Cell(String);

impl Cell {
    /// A number or boolean, which needs no escaping.
    fn bare(value: impl ToString) -> Self {
        Self(value.to_string())
    }

    /// An untrusted text: quoted, and guarded against formula injection.
    fn text(text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        let formula = text.trim_start().starts_with(['=', '+', '-', '@']) || text.starts_with(['\t', '\r']);
        let text = format!("{}{text}", if formula { "'" } else { "" });
        let plain = !text.contains([',', '"', '\n', '\r', ';', '\t']);
        Self(if plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) })
    }

    /// A JSON value, by its type.
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::default(),
            Value::String(text) => Self::text(text),
            Value::Number(_) | Value::Bool(_) => Self::bare(value),
            Value::Array(_) | Value::Object(_) => Self::text(value.to_string()),
        }
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
