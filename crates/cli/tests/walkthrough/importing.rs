//! Import of ground truth from CSV.

use serde_json::json;

use crate::stage::Stage;

const GOOD: &[u8] =
    b"\xef\xbb\xbfid,type,scene_id,video_id,points,answer\r\n1,TR,L26,V017,4890-5000,\r\n2,QA,,V018,\"1,2\",red\r\n";

#[test]
fn tasks_come_from_a_file_all_of_them_or_none_and_once() {
    let stage = Stage::set();
    let path = stage.contest.path("/tasks/import");
    let admin = &stage.contest.admin;
    let import = |csv: &[u8], key| admin.send("POST", &path, csv, key).unwrap().into_json();
    let before = stage.position();

    let (status, problem) =
        import(b"id,type,scene_id,video_id,points\n1,TR,,V017,4890-5000\n2,TR,,V017,5\n", None);
    assert_eq!((status, &problem["code"]), (400, &json!("contest.import.invalid")), "{problem}");
    let pairs = "needs pairs of start and end, at most 1000 values, has 1";
    assert_eq!(problem["errors"], json!([{ "line": 3, "column": "points", "problem": pairs }]));

    let (status, imported) = import(GOOD, Some("once"));
    assert_eq!((status, &imported["tasks"]), (201, &json!(["1", "2"])), "{imported}");
    assert_eq!(imported["receipt"]["position"], before + 2, "one record for each, none for what was refused");
    let (status, again) = import(GOOD, Some("once"));
    assert_eq!((status, &again["tasks"], &again["repeated"]), (201, &json!(["1", "2"]), &json!(true)));
    let (status, problem) = import(GOOD, Some("twice"));
    assert_eq!((status, &problem["errors"][1]["problem"]), (400, &json!("there is a task `2` already")));
    let (status, problem) = import(b"id\xff", None);
    assert_eq!((status, &problem["code"]), (400, &json!("request.malformed")));

    let (_, contest) = stage.nobody.get(&stage.contest.path("")).unwrap();
    let tasks: Vec<_> = contest["tasks"].as_array().unwrap().iter().map(|task| &task["task"]).collect();
    assert_eq!(tasks, ["q1", "1", "2"]);
    stage.end();
}
