//! `assize eval` and `assize calibrate`: results in input order for any number of threads.

use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::{Field, Row};
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};

use crate::work_dir::{Ended, WorkDir};

const ARTICLE: &str = "The council of Leeds approved a new tram line on Tuesday. Mayor Ann Berry said the line would \
    cost 250 million pounds. The first trams should run along the river in 2031. Shares in the builder Norcon rose by \
    four per cent. Unions welcomed the two thousand jobs that the builder promised.";
const FAITHFUL: &str = "The council of Leeds approved a new tram line on Tuesday.";
const FALSE: &str = "Shares in the builder Norcon fell by four per cent.";

fn row(id: usize, model: &str, summary: &str) -> Value {
    json!({ "id": id.to_string(), "model": model, "article": ARTICLE, "summary": summary, "human": usize::from(summary == FAITHFUL) })
}

fn jsonl(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

fn lines(ended: &Ended) -> Vec<Value> {
    ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_row_has_a_line_of_scores_in_its_order() {
    let ended =
        WorkDir::new().run_with(&["eval", "-"], &jsonl(&[row(1, "ant", FAITHFUL), row(2, "bee", FALSE)]));
    let lines = lines(&ended);
    assert_eq!((ended.code, lines.len()), (0, 2), "{}", ended.err);
    assert_eq!(
        (&lines[0]["row"], &lines[0]["id"], &lines[0]["model"]),
        (&json!(1), &json!("1"), &json!("ant"))
    );
    assert_eq!(lines[0]["twin_lock.hallucination"], 10.0);
    assert_eq!(lines[1]["twin_lock.hallucination"], 0.0);
    assert!(ended.err.contains("1. ant:") && ended.err.contains("2. bee:"), "{}", ended.err);
}

#[test]
fn a_bad_row_is_named_and_does_not_stop_the_others() {
    let input = format!(
        "{}{{\"article\": 1}}\nnonsense\n{}",
        jsonl(&[row(1, "ant", FAITHFUL)]),
        jsonl(&[row(4, "ant", FALSE)])
    );
    let ended = WorkDir::new().run_with(&["eval", "-"], &input);
    assert_eq!(ended.code, 2);
    assert_eq!(lines(&ended).len(), 4);
    assert_eq!(lines(&ended)[1]["error"], "column `article` is not a text");
    assert!(ended.err.contains("row 3: is no JSON object"), "{}", ended.err);
    assert!(ended.err.ends_with("assize: 2 rows could not be judged\n"), "{}", ended.err);
}

#[test]
fn a_row_that_is_not_utf_8_is_named_and_does_not_stop_the_others() {
    let dir = WorkDir::new();
    let mut input =
        jsonl(&[row(1, "ant", FAITHFUL), row(2, "ant", FAITHFUL), row(3, "ant", FALSE)]).into_bytes();
    let second = 1 + input.iter().position(|byte| *byte == b'\n').unwrap();
    input[second + 8] = 0xff;
    std::fs::write(dir.path("rows.jsonl"), input).unwrap();
    let ended = dir.run(&["eval", "rows.jsonl"]);
    assert_eq!((ended.code, lines(&ended).len()), (2, 3), "{}", ended.err);
    assert_eq!(lines(&ended)[1]["error"], "is not UTF-8 at column 9");
    assert!(ended.err.contains("row 2: is not UTF-8 at column 9"), "{}", ended.err);
    assert!(ended.err.ends_with("assize: one row could not be judged\n"), "{}", ended.err);
}

#[test]
fn results_are_the_same_bytes_for_any_number_of_threads() {
    let dir = WorkDir::new();
    let rows: Vec<Value> = (0..500)
        .map(|n| {
            let summary =
                if n % 3 == 0 { FALSE.to_owned() } else { format!("{FAITHFUL} It will cost {n} pounds.") };
            row(n, ["ant", "bee", "cat"][n % 3], &summary)
        })
        .collect();
    dir.write("rows.jsonl", &jsonl(&rows));
    let run = |threads: &str| {
        let files = (format!("out{threads}.jsonl"), format!("report{threads}.html"));
        let ended = dir.run(&[
            "eval",
            "rows.jsonl",
            "--threads",
            threads,
            "-o",
            &files.0,
            "--full",
            "--report",
            &files.1,
        ]);
        assert_eq!(ended.code, 0, "{}", ended.err);
        (dir.read(&files.0), dir.read(&files.1), ended.err)
    };
    let one = run("1");
    assert_eq!(one.0.lines().count(), 500);
    for threads in ["2", "3", "7"] {
        assert!(run(threads) == one, "{threads} threads give something else");
    }
}

#[test]
fn csv_goes_in_and_out() {
    let dir = WorkDir::new();
    dir.write("rows.csv", &format!("name,text,short\none,\"{ARTICLE}\",\"{FAITHFUL}\"\n,,\n"));
    let columns = ["--article", "text", "--summary", "short", "--id", "name"];
    let ended = dir.run(&[&["eval", "rows.csv", "-o", "out.csv"], &columns[..]].concat());
    assert_eq!(ended.code, 2, "{}", ended.err);
    let out = dir.read("out.csv");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("row,id,model,coverage,"));
    assert!(lines[1].starts_with("1,one,,"));
    assert!(lines[2].ends_with("\"there is no column `text`, or it is empty\""), "{}", lines[2]);
}

#[test]
fn parquet_goes_in_and_out() {
    let dir = WorkDir::new();
    let schema = "message rows { REQUIRED BYTE_ARRAY article (UTF8); REQUIRED BYTE_ARRAY summary (UTF8); }";
    let file = std::fs::File::create(dir.path("rows.parquet")).unwrap();
    let mut out =
        SerializedFileWriter::new(file, Arc::new(parse_message_type(schema).unwrap()), Arc::default())
            .unwrap();
    let mut group = out.next_row_group().unwrap();
    for texts in [[ARTICLE, ARTICLE], [FAITHFUL, FALSE]] {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&texts.map(ByteArray::from), None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    out.close().unwrap();
    let ended = dir.run(&["eval", "rows.parquet", "-o", "out.parquet"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let read = SerializedFileReader::new(std::fs::File::open(dir.path("out.parquet")).unwrap()).unwrap();
    let hallucination = |row: &Row| {
        let mut columns = row.get_column_iter();
        columns.find(|(name, _)| *name == "twin_lock_hallucination").map(|(_, field)| field.clone())
    };
    let rows = read.get_row_iter(None).unwrap().map(|row| hallucination(&row.unwrap()));
    assert_eq!(rows.collect::<Vec<_>>(), [Some(Field::Double(10.0)), Some(Field::Double(0.0))]);
}

#[test]
fn a_mean_that_is_too_low_fails_and_says_so_in_junit() {
    let dir = WorkDir::new();
    dir.write("rows.jsonl", &jsonl(&[row(1, "ant", FAITHFUL), row(2, "ant", FALSE)]));
    let args = ["eval", "rows.jsonl", "-o", "out.jsonl", "--junit", "junit.xml"];
    let ended = dir.run(&[&args[..], &["--fail-under", "twin_lock.hallucination=5.5"]].concat());
    assert_eq!(ended.code, 1);
    let said = "twin_lock.hallucination is 5.000 on average, below 5.5";
    assert!(ended.err.contains(said), "{}", ended.err);
    let junit = dir.read("junit.xml");
    assert!(junit.contains("tests=\"2\" failures=\"1\"") && junit.contains(said), "{junit}");
    let ended = dir.run(&[&args[..], &["--fail-under", "twin_lock.hallucination=5"]].concat());
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert_eq!(dir.run(&["eval", "rows.jsonl", "--fail-under", "moon=5"]).code, 2);
}

#[test]
fn a_report_shows_the_worst_and_runs_nothing_that_stands_in_a_text() {
    let dir = WorkDir::new();
    let mut bad = row(1, "<script>", FALSE);
    bad["id"] = json!("<b>");
    dir.write("rows.jsonl", &jsonl(&[bad]));
    dir.run(&["eval", "rows.jsonl", "-o", "out.jsonl", "--report", "report.html"]);
    let report = dir.read("report.html");
    assert!(report.contains("`fell` where the article has `rose`"), "{report}");
    assert!(
        report.contains("&lt;script&gt;") && !report.contains("<script>") && !report.contains("http"),
        "{report}"
    );
}

#[test]
fn calibration_compares_every_metric_with_people() {
    let rows: Vec<Value> =
        (0..12).map(|n| row(n, "ant", if n % 2 == 0 { FAITHFUL } else { FALSE })).collect();
    let args = ["calibrate", "summary", "-", "--human", "human", "--json"];
    let ended = WorkDir::new().run_with(&args, &jsonl(&rows));
    assert_eq!(ended.code, 0, "{}", ended.err);
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(report["rows"], 12);
    let metrics = report["metrics"].as_array().unwrap();
    let named = |name: &str| metrics.iter().find(|metric| metric["metric"] == name).unwrap();
    // What is right is always 10 and what is wrong always 0, as people say.
    let hallucination = named("twin_lock.hallucination");
    assert_eq!(
        (&hallucination["balanced_accuracy"], &hallucination["threshold"]),
        (&json!(1.0), &json!(10.0))
    );
    assert!((hallucination["pearson"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    assert_eq!(named("bias_toxicity")["pearson"], Value::Null, "it never changes");
    assert_eq!(report["disagreements"].as_array().unwrap().len(), 10);
    assert_eq!(WorkDir::new().run_with(&args, &jsonl(&rows[..1])).code, 2);
}
