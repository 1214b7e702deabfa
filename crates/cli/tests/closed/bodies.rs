//! A caller without the role is refused before the body is read: the head of every operation with a body is sent,
//! and the body never.

use std::thread;

use crate::stage::Stage;
use crate::table;

/// Callers who are refused for their role or their token. Participants are refused for their scope, too, which
/// may be in the body.
const BY_ROLE: [&str; 5] = ["nobody", "expired", "viewer", "app", "judge"];

/// Operations that are refused for another reason than the role: only a session has a password to change, and two
/// compatible APIs authenticate in their own ways.
const NOT_BY_ROLE: [&str; 4] = ["change_password", "submit_to_evaluation", "start_question", "stop_question"];

#[test]
fn a_role_that_may_not_is_refused_before_the_body_is_read() {
    let table = table();
    let stage = Stage::set();
    let operations = stage.operations_with_body();
    assert!(operations.len() > 50, "the operations are found: {operations:?}");
    let mut asked = Vec::new();
    for (name, (method, path)) in &operations {
        let row = &table[name];
        for who in BY_ROLE.iter().filter(|_| !NOT_BY_ROLE.contains(&name.as_str())) {
            if let Some(expected) = row.refusal(who) {
                asked.push((name, method, format!("{path}{}", row.query), *who, expected));
            }
        }
    }
    let wrong: Vec<String> = thread::scope(|scope| {
        let send = |(name, method, path, who, expected)| {
            let stage = &stage;
            scope.spawn(move || {
                let status = stage.call_without_body(who, method, path);
                let told = status.map_or("waits for the body".to_owned(), |status| status.to_string());
                (status != Some(expected)).then(|| format!("`{name}` as {who}: {told}, should be {expected}"))
            })
        };
        let sent: Vec<_> = asked
            .iter()
            .map(|(name, method, path, who, expected)| send((*name, *method, path, *who, *expected)))
            .collect();
        sent.into_iter().filter_map(|sent| sent.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), asked.len(), wrong.join("\n"));
    stage.end();
}
