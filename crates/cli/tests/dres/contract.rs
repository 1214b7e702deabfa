//! The contract of the DRES client API: permitted statuses and fields of every response.

use assize_testbed::client::Reply;
use serde_json::Value;

/// What a value must be.
enum Shape {
    Text,
    Flag,
    Whole,
    Word(&'static [&'static str]),
    List(&'static Shape),
    /// Fields, and whether they must be there. There may be no others.
    Object(&'static [(&'static str, bool, &'static Shape)]),
}

use Shape::{Flag, List, Object, Text, Whole, Word};

static STATUS: Shape = Object(&[("status", true, &Flag), ("description", true, &Text)]);
static USER: Shape = Object(&[
    ("id", false, &Text),
    ("username", false, &Text),
    ("role", false, &Word(&["ANYONE", "VIEWER", "PARTICIPANT", "JUDGE", "ADMIN"])),
    ("sessionId", false, &Text),
]);
static TIME: Shape = Object(&[("timeStamp", true, &Whole)]);
static TASK: Shape = Object(&[
    ("name", true, &Text),
    ("taskGroup", true, &Text),
    ("taskType", true, &Text),
    ("duration", true, &Whole),
]);
static EVALUATION_STATUS: Shape = Word(&["CREATED", "ACTIVE", "TERMINATED"]);
static EVALUATIONS: Shape = List(&Object(&[
    ("id", true, &Text),
    ("name", true, &Text),
    ("type", true, &Word(&["SYNCHRONOUS", "ASYNCHRONOUS", "NON_INTERACTIVE"])),
    ("status", true, &EVALUATION_STATUS),
    ("templateId", true, &Text),
    ("templateDescription", false, &Text),
    ("teams", true, &List(&Text)),
    ("taskTemplates", true, &List(&TASK)),
]));
static STATE: Shape = Object(&[
    ("evaluationId", true, &Text),
    ("evaluationStatus", true, &EVALUATION_STATUS),
    ("taskId", false, &Text),
    ("taskStatus", true, &Word(&["NO_TASK", "CREATED", "PREPARING", "RUNNING", "ENDED", "IGNORED"])),
    ("taskTemplateId", false, &Text),
    ("timeLeft", true, &Whole),
    ("timeElapsed", true, &Whole),
]);
static SUBMISSION: Shape = Object(&[
    ("status", true, &Flag),
    ("submission", true, &Word(&["CORRECT", "WRONG", "INDETERMINATE", "UNDECIDABLE"])),
    ("description", true, &Text),
]);

/// An operation: its method, its address up to the contest, and what it answers with.
struct Operation(&'static str, &'static str, &'static [(u16, &'static Shape)]);

static OPERATIONS: [Operation; 10] = [
    Operation("POST", "/api/v2/login", &[(200, &USER), (400, &STATUS), (401, &STATUS)]),
    Operation("GET", "/api/v2/logout", &[(200, &STATUS), (400, &STATUS)]),
    // The document forgets that nobody may be logged in.
    Operation("GET", "/api/v2/user", &[(200, &USER), (401, &STATUS)]),
    Operation("GET", "/api/v2/status/time", &[(200, &TIME)]),
    Operation("GET", "/api/v2/client/evaluation/list", &[(200, &EVALUATIONS), (401, &STATUS)]),
    Operation(
        "GET",
        "/api/v2/client/evaluation/currentTask/",
        &[(200, &TASK), (401, &STATUS), (404, &STATUS)],
    ),
    Operation("GET", "/api/v2/evaluation/", &[(200, &STATE), (401, &STATUS), (403, &STATUS), (404, &STATUS)]),
    Operation(
        "POST",
        "/api/v2/submit/",
        &[
            (200, &SUBMISSION),
            (202, &SUBMISSION),
            (400, &STATUS),
            (401, &STATUS),
            (404, &STATUS),
            (412, &STATUS),
        ],
    ),
    // It forgets that the contest may not be there, too.
    Operation(
        "POST",
        "/api/v2/log/query/",
        &[(200, &STATUS), (400, &STATUS), (401, &STATUS), (404, &STATUS)],
    ),
    Operation(
        "POST",
        "/api/v2/log/result/",
        &[(200, &STATUS), (400, &STATUS), (401, &STATUS), (404, &STATUS)],
    ),
];

/// What holds for every operation, and no client document says: not so long, not so often, not another body.
const EVERYWHERE: [u16; 3] = [413, 422, 429];

/// Holds an answer to the document; returns its status and its body.
pub(crate) fn hold(method: &str, path: &str, reply: Reply) -> (u16, Value) {
    let place = path.split('?').next().unwrap();
    let known = OPERATIONS.iter().find(|Operation(its, at, _)| {
        *its == method && (place == *at || (at.ends_with('/') && place.starts_with(at)))
    });
    let Operation(_, _, answers) = known.unwrap_or_else(|| panic!("{method} {place} is in no document"));
    assert_eq!(reply.content_type, "application/json", "{method} {path}: {}", reply.text);
    let (status, body) = reply.into_json();
    let named = answers.iter().find(|(named, _)| *named == status).map(|(_, shape)| *shape);
    let shape = named.or(EVERYWHERE.contains(&status).then_some(&STATUS));
    let shape = shape.unwrap_or_else(|| panic!("{method} {path} must not answer {status}: {body}"));
    if let Err(wrong) = fits(shape, &body) {
        panic!("{method} {path} answers {status} with {body}: {wrong}");
    }
    assert!(status < 400 || body["status"] == false, "{method} {path}: {body}");
    (status, body)
}

fn fits(shape: &Shape, value: &Value) -> Result<(), String> {
    let right = match (shape, value) {
        (Text, Value::String(_)) | (Flag, Value::Bool(_)) => true,
        (Whole, Value::Number(number)) => number.is_i64(),
        (Word(words), Value::String(word)) => words.contains(&word.as_str()),
        (List(shape), Value::Array(items)) => return items.iter().try_for_each(|item| fits(shape, item)),
        (Object(fields), Value::Object(object)) => {
            let known = |name: &str| fields.iter().find(|(known, _, _)| *known == name);
            for (name, value) in object {
                let (_, _, shape) = known(name).ok_or_else(|| format!("`{name}` is no field of it"))?;
                fits(shape, value).map_err(|wrong| format!("{name}: {wrong}"))?;
            }
            let missing = fields.iter().find(|(name, required, _)| *required && !object.contains_key(*name));
            return missing.map_or(Ok(()), |(name, _, _)| Err(format!("`{name}` is missing")));
        }
        _ => false,
    };
    if right { Ok(()) } else { Err(format!("`{value}` is not what it should be")) }
}

#[test]
fn a_field_too_many_a_null_and_a_word_of_our_own_are_noticed() {
    use serde_json::json;
    let state = json!({ "evaluationId": "spring", "evaluationStatus": "ACTIVE", "taskStatus": "NO_TASK",
        "timeLeft": 0, "timeElapsed": 0 });
    assert_eq!(fits(&STATE, &state), Ok(()));
    for (field, value) in [
        ("frozen", json!(true)),
        ("taskId", json!(null)),
        ("taskStatus", json!("OPEN")),
        ("timeLeft", json!(1.5)),
    ] {
        let mut other = state.clone();
        other[field] = value;
        assert!(fits(&STATE, &other).is_err(), "{other}");
    }
    let mut short = state;
    short.as_object_mut().unwrap().remove("timeLeft");
    assert!(fits(&STATE, &short).is_err());
}
