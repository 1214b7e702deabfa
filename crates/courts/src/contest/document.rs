//! Judges a standalone document: a task, a submission, the elapsed time and the number of earlier wrong
//! attempts.

use assize_kernel::{Millis, Rulebook, VerdictText};
use serde_json::Value;

use super::answer;
use super::fields::{FieldError, JsonField};
use super::judging::{self, AttemptContext};
use super::refusals::ContestRefusal;
use super::rules::{ContestRules, LONGEST_SECONDS};
use super::submission::SubmissionBody;
use super::task::{TaskFault, TaskPoints, TaskSpec, TaskType};

/// Upper bound for `wrong_attempts`.
const MOST_ATTEMPTS: u32 = 1_000_000;

/// The verdict on a document, as JSON.
pub(super) fn judge(book: &Rulebook<ContestRules>, document: &str) -> Result<VerdictText, ContestRefusal> {
    let document: Value = serde_json::from_str(document)
        .map_err(|error| ContestRefusal::DocumentMalformed(format!("document: not JSON: {error}")))?;
    let document = JsonField::root(&document);
    document.object_of(&["task", "submission", "elapsed_seconds", "wrong_attempts"])?;

    let (task, limit) = read_task(&document.required("task"))?;
    let body = SubmissionBody::read(&document.required("submission"))?;
    let elapsed = document.required("elapsed_seconds").number(0.0, 2.0 * LONGEST_SECONDS)?;
    let wrong_before = document.required("wrong_attempts").count(MOST_ATTEMPTS)?;

    let limit = limit.unwrap_or(book.rules.time.limit());
    let elapsed = Millis::from_seconds(elapsed);
    let open_for = Millis(limit.0.saturating_add(book.rules.time.buffer().0));
    if elapsed > open_for {
        return Err(ContestRefusal::TimeLimitExceeded { elapsed, limit, open_for });
    }
    let task_type = task.task_type;
    let read = answer::read(book.rules.matching, task_type, &body.into_answers())
        .map_err(|problem| ContestRefusal::AnswerMalformed { task_type, problem })?;
    let judgement = judging::judge(book, &task, &read, AttemptContext { elapsed, limit, wrong_before });
    Ok(judgement.verdict.to_text())
}

/// The task and its time limit; a negative limit is allowed here and scores like no limit.
fn read_task(task: &JsonField<'_>) -> Result<(TaskSpec, Option<Millis>), FieldError> {
    task.object_of(&["type", "video_id", "points", "answer", "time_limit"])?;
    let task_type = task.required("type");
    let known = TaskType::from_name(task_type.text()?);
    let limit = task.optional("time_limit").map(|limit| limit.number(-LONGEST_SECONDS, LONGEST_SECONDS));
    let answer = task.optional("answer").map(|answer| answer.text().map(str::to_owned));
    let spec = TaskSpec {
        task_type: known.ok_or_else(|| task_type.expected("KIS, QA or TR"))?,
        scene_id: None,
        video_id: task.required("video_id").text()?.to_owned(),
        points: read_points(&task.required("points"))?,
        answer: answer.transpose()?,
        time_limit_seconds: None,
        hints: Vec::new(),
        rehearsal: false,
    };
    let spec = spec.checked().map_err(|fault| at(task, fault))?;
    Ok((spec, limit.transpose()?.map(Millis::from_seconds)))
}

fn read_points(points: &JsonField<'_>) -> Result<Vec<u64>, FieldError> {
    let read = match points.value {
        Value::String(text) => TaskPoints::Text(text.clone()),
        Value::Array(_) => {
            let whole =
                |item: &JsonField<'_>| item.value.as_u64().ok_or_else(|| item.expected("a whole number"));
            TaskPoints::List(points.items()?.iter().map(whole).collect::<Result<_, _>>()?)
        }
        _ => return Err(points.expected("a text such as `4890-5000` or a list of whole numbers")),
    };
    read.read().map_err(|fault| points.wrong(fault.problem))
}

fn at(task: &JsonField<'_>, fault: TaskFault) -> FieldError {
    task.required(fault.field).wrong(fault.problem)
}
