//! Quests, logs, match history, board, proofs and exams of a hunter.

use serde_json::json;

use crate::stage::{Stage, hasty_log, log, must, refused, seen};

#[test]
fn a_log_is_judged_and_stands_in_the_history_and_on_the_boards() {
    let stage = Stage::set();
    let ada = stage.hunter("ada");
    stage.give("ada", "monday");
    assert_eq!(seen(&ada, "/api/v1/hunters/ada/quests")["quests"][0]["quest"], "monday");
    let judged = must(&ada, "/api/v1/hunters/ada/quests/monday/log", &json!({ "log": log() }));
    assert_eq!(judged["verdict"]["detail"]["final_xp"], json!(300.0));
    refused(
        &ada,
        "/api/v1/hunters/ada/quests/monday/log",
        &json!({ "log": log() }),
        409,
        "quest.quest.judged",
    );

    let hunter = seen(&stage.nobody, "/api/v1/hunters/ada");
    assert_eq!(
        (&hunter["xp"], &hunter["rank"], &hunter["streak_days"]),
        (&json!(300), &json!("E"), &json!(1))
    );
    let history = seen(&stage.nobody, "/api/v1/hunters/ada/logs?status=APPROVED&quest_type=Daily");
    assert_eq!((&history["total"], &history["logs"][0]["badge"]), (&json!(1), &json!("unverified")));
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters/ada/logs?status=REJECTED")["total"], 0);
    let shown = seen(&stage.nobody, "/api/v1/hunters/ada/logs/monday");
    assert_eq!(shown["verdict"], judged["verdict"]);
    let row = json!({ "place": 1, "hunter": "ada", "xp": 300.0, "flagged": false });
    for board in ["", "?rank=E", "?class=Tank", "?rank=E&class=Tank"] {
        assert_eq!(seen(&stage.nobody, &format!("/api/v1/hunters{board}"))["rows"], json!([row]), "{board}");
    }
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters?rank=S")["rows"], json!([]));
    stage.end();
}

#[test]
fn nobody_acts_for_another_hunter() {
    let stage = Stage::set();
    let (_, bob) = (stage.hunter("ada"), stage.hunter("bob"));
    stage.give("ada", "monday");
    let body = json!({ "log": log() });
    refused(&bob, "/api/v1/hunters/ada/quests/monday/log", &body, 403, "access.forbidden");
    refused(&stage.judge, "/api/v1/hunters/ada/quests/monday/log", &body, 403, "access.forbidden");
    assert_eq!(bob.get("/api/v1/hunters/ada/quests").unwrap().0, 403);
    refused(&bob, "/api/v1/hunters/none/class", &json!({ "class": "Tank" }), 403, "access.forbidden");
    stage.end();
}

#[test]
fn a_private_log_is_shown_to_its_hunter_and_judges_alone() {
    let stage = Stage::set();
    let (ada, bob) = (stage.hunter("ada"), stage.hunter("bob"));
    stage.give("ada", "monday");
    must(&ada, "/api/v1/hunters/ada/quests/monday/log", &json!({ "log": log(), "private": true }));
    for others in [&stage.nobody, &bob] {
        assert_eq!(seen(others, "/api/v1/hunters/ada/logs")["total"], 0);
        assert_eq!(others.get("/api/v1/hunters/ada/logs/monday").unwrap().0, 404);
    }
    for insiders in [&ada, &stage.app, &stage.judge] {
        assert_eq!(seen(insiders, "/api/v1/hunters/ada/logs")["total"], 1);
        assert_eq!(seen(insiders, "/api/v1/hunters/ada/logs/monday")["log"]["private"], true);
    }
    refused(
        &bob,
        "/api/v1/hunters/ada/logs/monday/reports",
        &json!({ "reason": "spam" }),
        404,
        "resource.unknown",
    );
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters/ada")["xp"], 300, "it is judged alike");
    stage.end();
}

#[test]
fn the_same_video_of_another_hunter_is_refused_with_where_it_was_seen() {
    let stage = Stage::set();
    let (ada, bob) = (stage.hunter("ada"), stage.hunter("bob"));
    let mut with_video = log();
    with_video["proof"] = json!({ "kind": "Video", "sha256": "ab".repeat(32) });
    for hunter in ["ada", "bob"] {
        stage.give(hunter, "monday");
    }
    let body = json!({ "log": with_video });
    must(&ada, "/api/v1/hunters/ada/quests/monday/log", &body);
    let (status, told) = bob.post("/api/v1/hunters/bob/quests/monday/log", &body, None).unwrap();
    assert_eq!((status, &told["code"], &told["hunter"]), (409, &json!("quest.proof.seen"), &json!("ada")));
    must(&bob, "/api/v1/hunters/bob/quests/monday/log", &json!({ "log": log() }));
    // The stream of the video is nobody's.
    assert_eq!(stage.nobody.get(&format!("/api/v1/hunters/{}", "ab".repeat(32))).unwrap().0, 404);
    stage.end();
}

#[test]
fn proof_that_comes_later_pays_the_difference() {
    let stage = Stage::set();
    let ada = stage.hunter("ada");
    stage.give("ada", "monday");
    let first = must(&ada, "/api/v1/hunters/ada/quests/monday/log", &json!({ "log": hasty_log() }));
    assert_eq!(
        (&first["verdict"]["outcome"], &first["verdict"]["points"]),
        (&json!("FLAGGED"), &json!(150.0))
    );
    let proof = json!({ "kind": "Video", "sha256": "cd".repeat(32) });
    let second = must(&ada, "/api/v1/hunters/ada/logs/monday/proof", &proof);
    assert_eq!(
        (&second["verdict"]["outcome"], &second["verdict"]["points"]),
        (&json!("APPROVED"), &json!(315.0))
    );
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters/ada")["xp"], 315);
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters/ada/logs/monday")["verdict"], second["verdict"]);
    stage.end();
}

#[test]
fn an_exam_is_accepted_submitted_and_granted_by_a_judge() {
    let stage = Stage::set();
    let ada = stage.hunter("ada");
    refused(&ada, "/api/v1/hunters/ada/exam", &json!({ "id": "x1" }), 409, "quest.exam.not_offered");
    let exercises = json!([{ "name": "Walking", "seconds": 80_000 }]);
    let plan = json!({ "estimated_duration_min": 1440, "target_rpe": 5, "intensity": "Low", "exercises": exercises });
    let march = json!({ "id": "march", "quest_type": "Daily", "plan": plan });
    must(&stage.app, "/api/v1/hunters/ada/quests", &march);
    let done = json!({ "duration_seconds": 86_400, "actual_rpe": 5, "condition": "Fresh",
                       "exercises": [{ "name": "Walking", "seconds": 80_000 }] });
    must(&ada, "/api/v1/hunters/ada/quests/march/log", &json!({ "log": done }));
    assert_eq!(seen(&ada, "/api/v1/hunters/ada")["exam_offered"], "D");
    let accepted = must(&ada, "/api/v1/hunters/ada/exam", &json!({ "id": "x1" }));
    assert!(accepted["event"]["ExamAccepted"]["drawn_sign"].as_str().is_some_and(|sign| !sign.is_empty()));
    let exam = json!({ "duration_seconds": 600, "actual_rpe": 8, "condition": "Fresh",
                       "exercises": [{ "name": "Push-ups", "reps_done": 30 }, { "name": "Squats", "reps_done": 40 }],
                       "proof": { "kind": "Timelapse", "sha256": "ef".repeat(32), "length_seconds": 20 } });
    let passed = must(&ada, "/api/v1/hunters/ada/quests/x1/log", &json!({ "log": exam }));
    assert_eq!(passed["verdict"]["outcome"], "PENDING_VERIFICATION");
    let waiting = seen(&stage.judge, "/api/v1/moderation");
    assert_eq!((&waiting["total"], &waiting["waiting"][0]["kind"]), (&json!(1), &json!("exam")));
    let decision = json!({ "quest": "x1", "granted": true, "note": "clean form" });
    refused(&ada, "/api/v1/hunters/ada/exam/decision", &decision, 403, "access.forbidden");
    let granted = must(&stage.judge, "/api/v1/hunters/ada/exam/decision", &decision);
    assert_eq!(granted["verdict"]["detail"]["new_rank"], "D");
    assert_eq!(seen(&stage.nobody, "/api/v1/hunters/ada")["rank"], "D");
    assert_eq!(seen(&stage.judge, "/api/v1/moderation")["total"], 0);
    stage.end();
}
