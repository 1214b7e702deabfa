//! CSV exports: all verdicts, and the board.

use crate::stage::{Place, boards, eventful, exported, verdicts};

/// The cells of a table, read as a spreadsheet does.
fn cells(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut rest = text.strip_prefix('\u{feff}').expect("it says that it is UTF-8").chars().peekable();
    while let Some(char) = rest.next() {
        match char {
            '"' if quoted && rest.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {
                assert_eq!(rest.next(), Some('\n'));
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    assert!(row.is_empty() && !quoted, "the last line is whole");
    rows
}

#[test]
fn every_verdict_is_a_line() {
    let place = Place::new();
    let contest = eventful(&place);
    let rows = cells(&exported(&contest, "?format=csv"));
    let column = |name: &str| rows[0].iter().position(|known| known == name).unwrap();
    let verdicts = verdicts(&contest);
    assert_eq!((rows.len(), verdicts.len()), (6, 5));
    for (row, (event, verdict)) in rows.iter().skip(1).zip(&verdicts) {
        let event = &event["AnswerJudged"];
        let expected = [
            ("team", event["team"].as_str().unwrap().to_owned()),
            ("task", event["task"].as_str().unwrap().to_owned()),
            ("outcome", verdict["outcome"].as_str().unwrap().to_owned()),
            ("points", verdict["points"].to_string()),
            ("answers", event["answers"].to_string()),
            ("frozen", event["frozen"].as_bool().unwrap_or(false).to_string()),
            ("revises", String::new()),
        ];
        for (name, expected) in expected {
            assert_eq!(row[column(name)], expected, "{name} of {row:?}");
        }
    }
    assert_eq!(rows[1][column("reasons")], "contest.answer.wrong_video");
    place.server.stop();
}

#[test]
fn the_board_is_a_table_of_teams_and_tasks() {
    let place = Place::new();
    let contest = eventful(&place);
    let rows = cells(&exported(&contest, "?format=csv&table=board"));
    assert_eq!(rows[0], ["rank", "team", "name", "points", "seconds", "tr", "kis"]);
    let board = &boards(&contest)[0];
    assert_eq!(rows.len(), 1 + board.len());
    for (row, line) in rows.iter().skip(1).zip(board) {
        assert_eq!(row[0], line["rank"].to_string());
        assert_eq!(row[1], line["participant"].as_str().unwrap());
        assert_eq!(row[3].parse::<f64>().unwrap(), line["points"].as_f64().unwrap());
    }
    let of = |team: &str| rows.iter().find(|row| row[1] == team).unwrap();
    assert_eq!(of("ants")[2], "'=cmd|'/C calc'!A0", "a spreadsheet must not run it");
    assert_eq!(of("silent")[3..], ["0", "", "", ""], "nothing tried, nothing scored");
    place.server.stop();
}

#[test]
fn a_wrong_question_is_named() {
    let place = Place::new();
    let contest = eventful(&place);
    for (query, expected) in [
        ("?format=xml", "`format` must be `json` or `csv`, is `xml`"),
        ("?format=csv&table=teams", "`table` must be `submissions` or `board`, is `teams`"),
        ("?table=board", "`table` is for `format=csv`"),
        ("?size=1", "`size` is not known; there are `format`, `table`"),
    ] {
        let (status, problem) = contest.admin.get(&contest.path(&format!("/export{query}"))).unwrap();
        assert_eq!(status, 400);
        assert!(problem["detail"].as_str().unwrap().ends_with(expected), "{problem}");
    }
    let (status, _) = contest.admin.get("/api/v1/contests/autumn/export").unwrap();
    assert_eq!(status, 404);
    place.server.stop();
}
