//! Opens a contest from a CSV file of ground truth to anonymous callers (`assize serve --open-contest`).

use assize_courts::contest::{ContestCommand, ContestState, ImportedTask, TaskPoints, TaskSpec, read_tasks};
use assize_kernel::{Actor, Role, StreamId, check_name};
use assize_ledger::{Ledger, LedgerError};

use assize_engine::access::NOBODY;
use assize_engine::{AccessCommand, Clerk, ClerkError, Petition};

/// Ground truth parsed from a file.
pub struct GroundTruth {
    /// The file name in error messages.
    file: String,
    /// The display name of the contest.
    title: String,
    stream: StreamId,
    tasks: Vec<ImportedTask>,
}

/// The contest that was opened.
#[derive(Debug, PartialEq, Eq)]
pub struct Opened {
    /// The contest's name in URLs.
    pub contest: String,
    /// Number of questions.
    pub questions: usize,
    /// Number of questions that were added from the file.
    pub added: usize,
    /// The contest that was closed to anonymous callers in exchange.
    pub instead_of: Option<String>,
}

/// Why the contest was not opened.
#[derive(Debug, thiserror::Error)]
pub enum NotOpened {
    /// All errors in the file, each with its location.
    #[error("{}", .0.join("\n"))]
    Faults(Vec<String>),
    /// The clerk refused or failed to record a command.
    #[error(transparent)]
    Clerk(#[from] ClerkError),
}

/// The stream that is open to anonymous callers, if there is one.
///
/// # Errors
/// When the store cannot be reached.
pub fn open_to_all(ledger: &dyn Ledger) -> Result<Option<StreamId>, LedgerError> {
    let token = ledger.token(&NOBODY)?.filter(|token| token.revoked.is_none());
    Ok(token.and_then(|token| token.scope.parse().ok()))
}

impl GroundTruth {
    /// Parses ground truth from CSV; the contest is named after the file.
    ///
    /// # Errors
    /// All errors in the file, as `file:line:column: problem`.
    pub fn read(file: &str, csv: &str) -> Result<Self, NotOpened> {
        let tasks = read_tasks(csv).map_err(|faults| {
            let faults = faults.into_iter().map(|fault| match fault.column {
                Some(column) => format!("{file}:{}:{column}: {}", fault.line, fault.problem),
                None => format!("{file}:{}: {}", fault.line, fault.problem),
            });
            NotOpened::Faults(faults.collect())
        })?;
        let name = file.rsplit('/').next().unwrap_or_default();
        let title = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
        let stream = StreamId::new("contest", &plain(&title));
        let stream = stream.map_err(|bad| NotOpened::Faults(vec![format!("{file}: {bad}")]))?;
        Ok(Self { file: file.to_owned(), title, stream, tasks })
    }

    /// Opens the contest, or resumes it and adds tasks that are new in the file. `now_open` is the stream
    /// that is open to anonymous callers so far.
    ///
    /// # Errors
    /// When a task in the file differs from the contest's, or a command cannot be recorded.
    pub async fn open(self, clerk: &Clerk, now_open: Option<StreamId>) -> Result<Opened, NotOpened> {
        let known = clerk.inspect(self.stream.clone(), known_tasks).await?;
        let is_new = known.is_none();
        let known = known.unwrap_or_default();
        self.compare(&known)?;
        if is_new {
            ask(clerk, &self.stream, ContestCommand::OpenContest { name: self.title.clone() }).await?;
        }
        let new: Vec<_> =
            self.tasks.iter().filter(|task| !known.iter().any(|(id, _)| *id == task.task)).collect();
        for task in &new {
            ask(clerk, &self.stream, add(task)).await?;
        }
        let instead_of = self.open_to_all(clerk, now_open).await?;
        let (contest, added) = (self.stream.name().to_owned(), new.len());
        Ok(Opened { contest, questions: known.len() + added, added, instead_of })
    }

    /// Rejects a file that changes a task of the contest: answers may have been judged by it already.
    fn compare(&self, known: &[(String, TaskSpec)]) -> Result<(), NotOpened> {
        let changed = self
            .tasks
            .iter()
            .filter(|task| known.iter().any(|(id, spec)| *id == task.task && !is_same(spec, &task.spec)));
        let changed = changed.map(|ImportedTask { line, task, .. }| {
            let (file, contest) = (&self.file, self.stream.name());
            format!(
                "{file}:{line}: question `{task}` is another one in the contest `{contest}`, which goes on with what \
                 it has; give the file another name to begin another contest"
            )
        });
        let changed: Vec<String> = changed.collect();
        if changed.is_empty() { Ok(()) } else { Err(NotOpened::Faults(changed)) }
    }

    /// Opens the contest to anonymous callers; returns the contest that was closed in exchange.
    async fn open_to_all(&self, clerk: &Clerk, open: Option<StreamId>) -> Result<Option<String>, ClerkError> {
        if open.as_ref() == Some(&self.stream) {
            return Ok(None);
        }
        let instead_of = open.as_ref().map(|open| open.name().to_owned());
        if let Some(stream) = open {
            clerk
                .submit(Petition::for_access(AccessCommand::CloseDoor { stream }, start(), clerk.now()))
                .await?;
        }
        let stream = self.stream.clone();
        clerk.submit(Petition::for_access(AccessCommand::OpenDoor { stream }, start(), clerk.now())).await?;
        Ok(instead_of)
    }
}

/// The tasks of a contest; none when it has not been opened.
fn known_tasks(state: &ContestState) -> Option<Vec<(String, TaskSpec)>> {
    state.rulebook()?;
    Some(state.tasks().map(|(id, task)| (id.to_owned(), task.spec.clone())).collect())
}

/// Compares the ground truth only; hints and times are not in the file.
fn is_same(known: &TaskSpec, read: &TaskSpec) -> bool {
    let truth = |spec: &TaskSpec| {
        let TaskSpec { task_type, scene_id, video_id, points, answer, .. } = spec.clone();
        (task_type.as_str(), scene_id, video_id, points, answer)
    };
    truth(known) == truth(read)
}

fn add(ImportedTask { task, spec, .. }: &ImportedTask) -> ContestCommand {
    let TaskSpec { task_type, scene_id, video_id, points, answer, time_limit_seconds, hints, rehearsal } =
        spec.clone();
    let (task, points) = (task.clone(), TaskPoints::List(points));
    ContestCommand::AddTask {
        task,
        task_type,
        scene_id,
        video_id: Some(video_id),
        points: Some(points),
        answer,
        time_limit_seconds,
        hints,
        rehearsal,
    }
}

async fn ask(clerk: &Clerk, stream: &StreamId, command: ContestCommand) -> Result<(), ClerkError> {
    let petition = Petition::new(stream.clone(), Box::new(command), start(), clerk.now());
    clerk.submit(petition).await.map(drop)
}

/// The actor of commands at the server's start.
fn start() -> Actor {
    Actor::new(Role::System, "start")
}

/// A name for URLs: a dash replaces each character that is not allowed.
fn plain(title: &str) -> String {
    let plain = |c: char| if check_name(c.encode_utf8(&mut [0; 4])).is_ok() || c == '.' { c } else { '-' };
    title.trim_start_matches('.').chars().take(64).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contest_is_called_as_its_file_is() {
        for (file, contest) in [
            ("groundtruth.csv", "groundtruth"),
            ("data/AIC 2025 (final).csv", "AIC-2025--final-"),
            ("run.v2.csv", "run.v2"),
            ("/tmp/.hidden.csv", "hidden"),
            ("größe", "gr--e"),
        ] {
            let truth =
                GroundTruth::read(file, "id,type,scene_id,video_id,points\n1,KIS,K1,V1,1-2\n").unwrap();
            assert_eq!(truth.stream.name(), contest, "{file}");
        }
    }

    #[test]
    fn every_mistake_has_its_place() {
        let csv = "id,type,scene_id,video_id,points\n1,KIS,K1,V1,1-2-3\n2,XX,K1,V1,1-2\n";
        let Err(NotOpened::Faults(faults)) = GroundTruth::read("aic.csv", csv).map(|_| ()) else { panic!() };
        assert_eq!(faults.len(), 2);
        assert!(faults[0].starts_with("aic.csv:2:points: "), "{faults:?}");
        assert!(faults[1].starts_with("aic.csv:3:type: "), "{faults:?}");
    }
}
