//! The worked examples of the rules, verbatim: the request, the second it arrives, and every field of the
//! response in its order.

use crate::hall::Hall;

const FULL_TR: &str = r#"{
  "team_id": "team_01",
  "question_id": 1,
  "answerSets": [{
    "answers": [
      {"text": "TR-V017-4890,5000,5001,5020"}
    ]
  }]
}"#;

const RIGHT_KIS: &str = r#"{
  "team_id": "team_03",
  "question_id": 2,
  "answerSets": [{
    "answers": [
      {"mediaItemName": "V017", "start": "4890", "end": "4890"},
      {"mediaItemName": "V017", "start": "5000", "end": "5000"},
      {"mediaItemName": "V017", "start": "5001", "end": "5001"},
      {"mediaItemName": "V017", "start": "5020", "end": "5020"}
    ]
  }]
}"#;

const WRONG_KIS: &str = r#"{
  "team_id": "team_03",
  "question_id": 2,
  "answerSets": [{
    "answers": [
      {"mediaItemName": "V017", "start": "1000", "end": "1000"},
      {"mediaItemName": "V017", "start": "2000", "end": "2000"}
    ]
  }]
}"#;

#[tokio::test]
async fn tr_in_full_after_15_seconds_scores_97_5() {
    let hall = Hall::running(1).await;
    let expected = r#"{"success":true,"correctness":"full","score":97.5,"detail":{"matched_events":4,"total_events":4,"wrong_attempts":0,"elapsed_time":15.0,"time_factor":0.95}}"#;
    assert_eq!(hall.at(15.0).curl("/submit", FULL_TR).await, (200, expected.to_owned()));
}

#[tokio::test]
async fn tr_in_part_after_20_seconds_scores_48_3() {
    let hall = Hall::running(1).await;
    let expected = r#"{"success":true,"correctness":"partial","score":48.3,"detail":{"matched_events":3,"total_events":4,"wrong_attempts":0,"elapsed_time":20.0,"time_factor":0.933}}"#;
    let answer = hall.at(20.0).text("team_02", 1, "TR-V017-4890,5000,5001").await;
    assert_eq!(answer, (200, expected.to_owned()));
}

#[tokio::test]
async fn kis_wrong_and_then_right_after_45_seconds_scores_82_5() {
    let hall = Hall::running(2).await;
    let wrong = r#"{"success":false,"correctness":"incorrect","score":0,"detail":{"matched_events":0,"total_events":4,"wrong_attempts":1,"message":"Wrong answer. Try again with penalty."}}"#;
    assert_eq!(hall.at(20.0).curl("/submit", WRONG_KIS).await, (200, wrong.to_owned()));
    let right = r#"{"success":true,"correctness":"full","score":82.5,"detail":{"matched_events":4,"total_events":4,"wrong_attempts":1,"elapsed_time":45.0,"time_factor":0.85}}"#;
    assert_eq!(hall.at(45.0).curl("/submit", RIGHT_KIS).await, (200, right.to_owned()));
}

#[tokio::test]
async fn one_wrong_attempt_and_30_seconds_score_85() {
    let hall = Hall::running(2).await;
    hall.at(10.0).curl("/submit", WRONG_KIS).await;
    let expected = r#"{"success":true,"correctness":"full","score":85.0,"detail":{"matched_events":4,"total_events":4,"wrong_attempts":1,"elapsed_time":30.0,"time_factor":0.9}}"#;
    assert_eq!(hall.at(30.0).curl("/submit", RIGHT_KIS).await, (200, expected.to_owned()));
}

#[tokio::test]
async fn half_the_time_scores_75() {
    let hall = Hall::running(1).await;
    let expected = r#"{"success":true,"correctness":"full","score":75.0,"detail":{"matched_events":4,"total_events":4,"wrong_attempts":0,"elapsed_time":150.0,"time_factor":0.5}}"#;
    assert_eq!(hall.at(150.0).curl("/submit", FULL_TR).await, (200, expected.to_owned()));
}

#[tokio::test]
async fn tr_with_70_percent_after_30_seconds_scores_47_5() {
    let hall = Hall::open("competition").await;
    let ten = "10-20-30-40-50-60-70-80-90-100";
    hall.add(serde_json::json!({ "id": "4", "type": "TR", "video_id": "V017", "points": ten })).await;
    hall.start(4).await;
    let expected = r#"{"success":true,"correctness":"partial","score":47.5,"detail":{"matched_events":7,"total_events":10,"wrong_attempts":0,"elapsed_time":30.0,"time_factor":0.9}}"#;
    let answer = hall.at(30.0).text("team_02", 4, "TR-V017-10,20,30,40,50,60,70").await;
    assert_eq!(answer, (200, expected.to_owned()));
}

#[tokio::test]
async fn exact_means_exact() {
    let hall = Hall::running(2).await;
    let wrong = |matched: u32, attempts: u32| {
        format!(
            r#"{{"success":false,"correctness":"incorrect","score":0,"detail":{{"matched_events":{matched},"total_events":4,"wrong_attempts":{attempts},"message":"Wrong answer. Try again with penalty."}}}}"#
        )
    };
    let off_by_one = RIGHT_KIS.replace("5020", "5021");
    assert_eq!(hall.at(1.0).curl("/submit", &off_by_one).await, (200, wrong(3, 1)));
    let missing_events = r#"{"team_id": "team_03", "question_id": 2, "answerSets": [{"answers": [{"mediaItemName": "V017", "start": 4890}, {"mediaItemName": "V017", "start": 5000}]}]}"#;
    assert_eq!(hall.at(2.0).curl("/submit", missing_events).await, (200, wrong(2, 2)));
    let wrong_video = RIGHT_KIS.replace("V017", "V018");
    assert_eq!(hall.at(3.0).curl("/submit", &wrong_video).await, (200, wrong(0, 3)));
}
