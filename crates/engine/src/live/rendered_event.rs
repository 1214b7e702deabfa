//! An event as server-sent text, rendered once for all subscribers.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use assize_kernel::{Audience, Board, BoardName, Digest, RecordRef, Row, SmolStr, to_json};
use bytes::Bytes;
use serde::Serialize;

use super::event_id::EventId;
use crate::Courts;

/// Largest number of board rows in an event.
pub(super) const MAX_ROWS: usize = 100;

/// A rendered event with its audience.
#[derive(Debug)]
pub(super) struct RenderedEvent {
    /// The event id: a client that received it has everything up to this position.
    pub(super) id: EventId,
    pub(super) kind: EventKind,
    pub(super) audience: Audience,
    /// Whether it is about the frozen copy of a board; not sent to `Visibility::All`, which sees the board
    /// itself.
    pub(super) of_copy: bool,
    pub(super) text: Bytes,
}

/// What an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventKind {
    /// A record: at most one event for each position.
    Record,
    Board,
    /// Where the stream of events begins.
    Hello,
    /// The client must load everything again.
    Reset,
}

/// The data of a `board` event: the first page of a board, or its changed rows.
#[derive(Serialize)]
struct BoardRows<'a> {
    board: String,
    /// Position of the ledger that the board reflects.
    position: u64,
    participants: usize,
    rows: Vec<Row>,
    /// Participants that left the board.
    gone: Vec<&'a SmolStr>,
    /// Whether rows were left out.
    more: bool,
    /// Whether this is the first page, not a change.
    reset: bool,
}

impl RenderedEvent {
    /// Renders the notice of a record; `None` when the court has none for it or it cannot be read.
    pub(super) fn of(courts: &Courts, record: &RecordRef<'_>, fork: Option<Digest>) -> Option<Self> {
        let court = courts.get(record.stream.split_once('/')?.0)?;
        // A panic of one court must not end the broadcaster.
        let Ok(notice) = catch_unwind(AssertUnwindSafe(|| court.notice(record))) else {
            tracing::error!(position = record.position, "the court panicked while rendering a notice");
            return None;
        };
        let notice =
            notice.inspect_err(|error| tracing::error!(%error, "failed to render a notice")).ok()??;
        let RecordRef { position, stream, kind, at, .. } = record;
        let fields = notice.data.strip_prefix('{').filter(|fields| *fields != "}");
        let fields = fields.map_or_else(|| "}".to_owned(), |fields| format!(",{fields}"));
        let at = to_json(at);
        let data = format!(r#"{{"stream":"{stream}","position":{position},"at":{at}{fields}"#);
        let id = EventId::new(*position, fork);
        Some(Self {
            id,
            kind: EventKind::Record,
            audience: notice.audience,
            of_copy: false,
            text: event(Some(id), kind, &data),
        })
    }

    /// The first event of a new client, with its starting position.
    pub(super) fn hello(id: EventId) -> Self {
        Self::mark(EventKind::Hello, "hello", id)
    }

    /// Tells a client that it must reload, because it missed too much or because the ledger has another
    /// history; events go on after this one.
    pub(super) fn reset(id: EventId) -> Self {
        Self::mark(EventKind::Reset, "reset", id)
    }

    /// The current rows of `participants`, whose standings changed. `reached` is the position of the board,
    /// which may be ahead of the events sent so far.
    pub(super) fn moved(
        id: EventId,
        name: &BoardName,
        board: &Board,
        reached: u64,
        participants: &[SmolStr],
        more: bool,
    ) -> Self {
        let mut rows: Vec<Row> =
            participants.iter().filter_map(|participant| board.row(participant)).collect();
        rows.sort_by_key(|row| row.rank);
        let gone = participants.iter().filter(|participant| board.rank(participant).is_none()).collect();
        let data = BoardRows {
            board: name.to_string(),
            position: reached,
            participants: board.len(),
            rows,
            gone,
            more,
            reset: false,
        };
        let text = event(Some(id), "board", &to_json(&data));
        Self { id, kind: EventKind::Board, audience: Audience::Everyone, of_copy: false, text }
    }

    /// The first page of a board, for clients that were shown another one.
    pub(super) fn page(id: EventId, name: &BoardName, board: Option<&Board>, reached: u64) -> Self {
        let page = first_page(name, board, reached);
        let text = [id_line(id), page].concat().into();
        Self { id, kind: EventKind::Board, audience: Audience::Everyone, of_copy: false, text }
    }

    fn mark(kind: EventKind, name: &str, id: EventId) -> Self {
        let text = event(Some(id), name, &format!(r#"{{"position":{}}}"#, id.position));
        Self { id, kind, audience: Audience::Everyone, of_copy: false, text }
    }
}

/// The first page of a board without an id, so that one text serves clients at any position.
pub(super) fn first_page(name: &BoardName, board: Option<&Board>, position: u64) -> Bytes {
    let empty = Board::default();
    let board = board.unwrap_or(&empty);
    let data = BoardRows {
        board: name.to_string(),
        position,
        participants: board.len(),
        rows: board.rows(0, MAX_ROWS).collect(),
        gone: Vec::new(),
        more: board.len() > MAX_ROWS,
        reset: true,
    };
    event(None, "board", &to_json(&data))
}

/// The id line for an event that was rendered without one.
pub(super) fn id_line(id: EventId) -> Bytes {
    format!("id: {id}\n").into()
}

fn event(id: Option<EventId>, kind: &str, data: &str) -> Bytes {
    let mut text = String::with_capacity(data.len() + kind.len() + 48);
    if let Some(id) = id {
        // Writing to a `String` cannot fail.
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
        let event = RenderedEvent::of(&courts, &record, None).unwrap();
        assert!(event.text.starts_with(b"id: 12\nevent: TaskStopped\ndata: "));
        let told = data(&event.text);
        assert_eq!(told["stream"], "contest/spring");
        assert_eq!((&told["position"], &told["task"], &told["round"]), (&12.into(), &"t1".into(), &2.into()));
        assert_eq!(told["at"], told["closed_at"]);
    }

    #[test]
    fn what_cannot_be_read_and_what_belongs_to_no_court_is_told_to_nobody() {
        let courts = Courts::shipped().unwrap();
        for (stream, body) in [("contest/spring", "{}"), ("assize/rulebooks", "{}"), ("nothing", "{}")] {
            let record = RecordRef::facts(1, stream, 1, "TaskStopped", Moment::from_millis(0), body);
            assert!(RenderedEvent::of(&courts, &record, None).is_none(), "{stream}");
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
        let told = data(
            &RenderedEvent::moved(EventId::new(4, None), &"contest/spring".into(), &board, 5, &who, false)
                .text,
        );
        assert_eq!(told["rows"][0]["participant"], "bees");
        assert_eq!((&told["rows"][1]["rank"], &told["gone"]), (&2.into(), &serde_json::json!(["cats"])));
        assert_eq!((&told["position"], &told["participants"]), (&5.into(), &2.into()));
    }

    #[test]
    fn the_first_page_says_when_there_is_more() {
        let mut board = Board::default();
        for each in 0..=MAX_ROWS {
            board.set(&each.to_string(), Some(Standing { points: 1.0, ties: [0, 0] }));
        }
        let told = data(&first_page(&"contest/spring".into(), Some(&board), 7));
        assert_eq!((&told["more"], &told["reset"]), (&true.into(), &true.into()));
        assert_eq!(told["rows"].as_array().unwrap().len(), MAX_ROWS);
        assert_eq!(data(&first_page(&"contest/none".into(), None, 7))["participants"], 0);
    }
}
