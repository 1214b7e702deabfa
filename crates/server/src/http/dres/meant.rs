//! Finds the task of an answer: DRES clients may leave it out.

use assize_courts::contest::{ContestState, TaskRound};
use assize_kernel::{Moment, SmolStr};

/// The task of an answer received at this moment, or why there is none.
pub(super) fn task_meant(state: &ContestState, named: Option<&str>, at: Moment) -> Result<SmolStr, String> {
    if let Some(named) = named {
        let found = state.tasks().find(|(name, task)| {
            let round = task.round.as_ref().map(|round| round.number);
            *name == named || round.is_some_and(|round| format!("{name}:{round}") == named)
        });
        return found.map(|(name, _)| name.into()).ok_or_else(|| format!("there is no task `{named}` now"));
    }
    let rounds = || state.tasks().filter_map(|(name, task)| Some((name, task.round.as_ref()?)));
    let mut running = rounds().filter(|(_, round)| round.is_running() && round.started_at <= at);
    match (running.next(), running.next()) {
        (Some(_), Some(_)) => Err("several tasks are running; say which one in `taskName`".to_owned()),
        (Some((name, _)), None) => Ok(name.into()),
        // The latest task: the court decides whether the answer came in time or was given before.
        (None, _) => {
            let begun_first = |(_, round): &(&str, &TaskRound)| (round.started_at <= at, round.started_at);
            let last = rounds().max_by_key(begun_first);
            last.map(|(name, _)| name.into()).ok_or_else(|| "no task is running".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use assize_courts::contest::{Contest, ContestEvent};
    use assize_kernel::{Court, RecordedAt};
    use serde_json::{Value, json};

    use super::*;

    /// Three tasks, after these events at these seconds.
    fn state(happened: &[(i64, Value)]) -> ContestState {
        let mut state = ContestState::default();
        let add = |task: &str| {
            let spec = json!({ "type": "KIS", "video_id": "V1", "points": [1, 2] });
            (0, json!({ "TaskAdded": { "task": task, "spec": spec } }))
        };
        let events = ["t1", "t2", "t3"].map(add).into_iter().chain(happened.iter().cloned());
        for (position, (second, event)) in (1..).zip(events) {
            let event: ContestEvent = serde_json::from_value(event).unwrap();
            let recorded_at = RecordedAt { at: Moment::from_millis(second * 1_000), position };
            Contest::evolve(&mut state, &event, recorded_at);
        }
        state
    }

    fn start(task: &str, countdown: i64) -> Value {
        let time_limit_ms = 10_000;
        let buffer_ms = 0;
        let repeat_ms = 10_000;
        json!({ "TaskStarted": { "task": task, "round": 1, "time_limit_ms": time_limit_ms,
            "buffer_ms": buffer_ms, "repeat_ms": repeat_ms, "countdown_ms": countdown * 1_000 } })
    }

    fn close(task: &str) -> Value {
        json!({ "TaskClosed": { "task": task, "round": 1 } })
    }

    fn meant(state: &ContestState, named: Option<&str>, second: i64) -> Result<SmolStr, String> {
        task_meant(state, named, Moment::from_millis(second * 1_000))
    }

    #[test]
    fn without_a_name_the_one_that_runs_is_meant() {
        assert!(meant(&state(&[]), None, 5).is_err(), "none has been started");
        let one = state(&[(1, start("t2", 0))]);
        assert_eq!(meant(&one, None, 5).as_deref(), Ok("t2"));
        let two = state(&[(1, start("t2", 0)), (2, start("t1", 0))]);
        assert!(meant(&two, None, 5).is_err(), "two are running");
        let counted = state(&[(1, start("t2", 0)), (2, start("t1", 60))]);
        assert_eq!(meant(&counted, None, 5).as_deref(), Ok("t2"), "one of them begins later");
    }

    #[test]
    fn what_came_before_the_next_task_began_is_not_for_the_next_one() {
        let next = state(&[(1, start("t1", 0)), (11, close("t1")), (11, start("t2", 0))]);
        assert_eq!(meant(&next, None, 10).as_deref(), Ok("t1"));
        assert_eq!(meant(&next, None, 11).as_deref(), Ok("t2"));
        let soon = state(&[(1, start("t1", 0)), (11, close("t1")), (12, start("t2", 60))]);
        assert_eq!(meant(&soon, None, 13).as_deref(), Ok("t1"), "which is over, and says so");
    }

    #[test]
    fn a_task_is_named_by_itself_or_with_its_round() {
        let state = state(&[(1, start("t2", 0)), (2, start("t1", 0))]);
        for named in ["t1", "t1:1"] {
            assert_eq!(meant(&state, Some(named), 5).as_deref(), Ok("t1"));
        }
        assert_eq!(meant(&state, Some("t3"), 5).as_deref(), Ok("t3"), "the court says that it does not run");
        for named in ["t4", "t1:2", "t3:1", ""] {
            assert!(meant(&state, Some(named), 5).is_err(), "{named}");
        }
    }
}
