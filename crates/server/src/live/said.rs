//! One event as it goes over the wire: rendered once, whoever hears it.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use assize_kernel::{Audience, Board, BoardName, RecordRef, Row, SmolStr, to_json};
use axum::body::Bytes;
use serde::Serialize;

use crate::Courts;

/// How many lines of a board one event has at most.
pub(super) const LINES: usize = 100;

/// What everybody hears who may.
#[derive(Debug)]
pub(super) struct Said {
    /// Whoever has heard this has heard everything up to here.
    pub(super) position: u64,
    pub(super) audience: Audience,
    /// Not for those who hear everything: they see behind the copy that this is about.
    pub(super) of_copy: bool,
    pub(super) text: Bytes,
}

/// A board, or what has changed on it.
#[derive(Serialize)]
struct Lines<'a> {
    board: String,
    /// How far in the ledger the board has come.
    position: u64,
    participants: usize,
    rows: Vec<Row>,
    /// Those who are not on the board any more.
    gone: Vec<&'a SmolStr>,
    /// There is more than fits here.
    more: bool,
    /// This is the beginning of the board, not what has changed.
    reset: bool,
}

impl Said {
    /// What may be told of a record; none when that is nobody's business, or cannot be read.
    pub(super) fn of(courts: &Courts, record: &RecordRef<'_>) -> Option<Self> {
        let court = courts.get(record.stream.split_once('/')?.0)?;
        // A court that breaks down here must not keep the others from being heard.
        let Ok(notice) = catch_unwind(AssertUnwindSafe(|| court.notice(record))) else {
            tracing::error!(position = record.position, "the court broke down over what to tell of a record");
            return None;
        };
        let notice = notice.inspect_err(|error| tracing::error!(%error, "nobody is told")).ok()??;
        let RecordRef { position, stream, kind, at, .. } = record;
        let fields = notice.data.strip_prefix('{').filter(|fields| *fields != "}");
        let fields = fields.map_or_else(|| "}".to_owned(), |fields| format!(",{fields}"));
        let at = to_json(at);
        let data = format!(r#"{{"stream":"{stream}","position":{position},"at":{at}{fields}"#);
        Some(Self {
            position: *position,
            audience: notice.audience,
            of_copy: false,
            text: event(Some(*position), kind, &data),
        })
    }

    /// Where a client that was not here before begins.
    pub(super) fn hello(position: u64) -> Self {
        Self::mark("hello", position)
    }

    /// That a client has missed more than can be told, and goes on from here.
    pub(super) fn reset(position: u64) -> Self {
        Self::mark("reset", position)
    }

    /// Those whose standing has changed, as they stand now. The board may be further than what was told so far.
    pub(super) fn moved(
        position: u64,
        name: &BoardName,
        (board, reached): (&Board, u64),
        (who, more): (&[SmolStr], bool),
    ) -> Self {
        let mut rows: Vec<Row> = who.iter().filter_map(|who| board.row(who)).collect();
        rows.sort_by_key(|row| row.rank);
        let gone = who.iter().filter(|who| board.rank(who).is_none()).collect();
        let (participants, reset) = (board.len(), false);
        let lines =
            Lines { board: name.to_string(), position: reached, participants, rows, gone, more, reset };
        let text = event(Some(position), "board", &to_json(&lines));
        Self { position, audience: Audience::Everyone, of_copy: false, text }
    }

    /// The beginning of a board, for those who have been shown another.
    pub(super) fn page(position: u64, name: &BoardName, board: Option<&Board>, reached: u64) -> Self {
        let page = first_page(name, board, reached);
        let text = [id_line(position), page].concat().into();
        Self { position, audience: Audience::Everyone, of_copy: false, text }
    }

    fn mark(kind: &str, position: u64) -> Self {
        let text = event(Some(position), kind, &format!(r#"{{"position":{position}}}"#));
        Self { position, audience: Audience::Everyone, of_copy: false, text }
    }
}

/// The beginning of a board as it stands, without an id: the text is the same for whoever has heard however much.
pub(super) fn first_page(name: &BoardName, board: Option<&Board>, position: u64) -> Bytes {
    let nobody = Board::default();
    let board = board.unwrap_or(&nobody);
    let (participants, rows) = (board.len(), board.rows(0, LINES).collect());
    let more = participants > LINES;
    let lines =
        Lines { board: name.to_string(), position, participants, rows, gone: vec![], more, reset: true };
    event(None, "board", &to_json(&lines))
}

/// The line that says up to where a client has heard everything, for an event that has none of its own.
pub(super) fn id_line(position: u64) -> Bytes {
    format!("id: {position}\n").into()
}

fn event(id: Option<u64>, kind: &str, data: &str) -> Bytes {
    let mut text = String::with_capacity(data.len() + kind.len() + 48);
    if let Some(id) = id {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "id: {id}");
    }
    let _ = write!(text, "event: {kind}\ndata: {data}\n\n");
    text.into()
}

#[cfg(test)]
mod tests {
    use assize_kernel::{Moment, Standing};

    use super::*;

    fn data(text: &Bytes) -> serde_json::Value {
        let text = std::str::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("data: ")).collect();
        assert_eq!(lines.len(), 1, "one line of data: {text}");
        assert!(text.ends_with("\n\n"));
        serde_json::from_str(lines[0].strip_prefix("data: ").unwrap()).unwrap()
    }

    #[test]
    fn a_record_is_told_with_its_place_and_time() {
        let courts = Courts::shipped().unwrap();
        let body = r#"{"TaskStopped":{"task":"t1","round":2}}"#;
        let at = Moment::from_millis(1_800_000_000_000);
        let record = RecordRef::facts(12, "contest/spring", 9, "TaskStopped", at, body);
        let said = Said::of(&courts, &record).unwrap();
        assert!(said.text.starts_with(b"id: 12\nevent: TaskStopped\ndata: "));
        let told = data(&said.text);
        assert_eq!(told["stream"], "contest/spring");
        assert_eq!((&told["position"], &told["task"], &told["round"]), (&12.into(), &"t1".into(), &2.into()));
        assert_eq!(told["at"], told["closed_at"]);
    }

    #[test]
    fn what_cannot_be_read_and_what_belongs_to_no_court_is_told_to_nobody() {
        let courts = Courts::shipped().unwrap();
        for (stream, body) in [("contest/spring", "{}"), ("assize/rulebooks", "{}"), ("nothing", "{}")] {
            let record = RecordRef::facts(1, stream, 1, "TaskStopped", Moment::from_millis(0), body);
            assert!(Said::of(&courts, &record).is_none(), "{stream}");
        }
    }

    #[test]
    fn a_board_tells_who_moved_and_who_is_gone() {
        let mut board = Board::default();
        let standing = |points| Some(Standing { points, ties: [0, 0] });
        board.set("ants", standing(1.0));
        board.set("bees", standing(2.0));
        board.set("cats", None);
        let who = ["ants", "bees", "cats"].map(SmolStr::from);
        let told = data(&Said::moved(4, &"contest/spring".into(), (&board, 5), (&who, false)).text);
        assert_eq!(told["rows"][0]["participant"], "bees");
        assert_eq!((&told["rows"][1]["rank"], &told["gone"]), (&2.into(), &serde_json::json!(["cats"])));
        assert_eq!((&told["position"], &told["participants"]), (&5.into(), &2.into()));
    }

    #[test]
    fn the_first_page_says_when_there_is_more() {
        let mut board = Board::default();
        for each in 0..=LINES {
            board.set(&each.to_string(), Some(Standing { points: 1.0, ties: [0, 0] }));
        }
        let told = data(&first_page(&"contest/spring".into(), Some(&board), 7));
        assert_eq!((&told["more"], &told["reset"]), (&true.into(), &true.into()));
        assert_eq!(told["rows"].as_array().unwrap().len(), LINES);
        assert_eq!(data(&first_page(&"contest/none".into(), None, 7))["participants"], 0);
    }
}
