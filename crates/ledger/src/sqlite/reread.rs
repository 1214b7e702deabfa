//! Tells an I/O error from damage: SQLite reports both as a malformed database.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long reading may take. What lies behind is taken for damage.
const TIMEOUT: Duration = Duration::from_secs(1);
/// How long a result is valid, so that requests do not queue up behind each other's reading.
const GOOD_FOR: Duration = Duration::from_secs(1);

/// Reads a file in which SQLite has found damage.
#[derive(Default)]
pub(super) struct Rereader(Mutex<State>);

#[derive(Default)]
struct State {
    /// Opened once and never closed: closing any descriptor of the file would drop the locks that SQLite holds
    /// on it for this process.
    file: Option<ManuallyDrop<File>>,
    last: Option<(Instant, Option<String>)>,
}

impl Rereader {
    /// Why the file cannot be read; none when it can.
    pub(super) fn problem(&self, path: &Path) -> Option<String> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = state.last.as_ref().filter(|(at, _)| at.elapsed() < GOOD_FOR) {
            return known.clone();
        }
        let problem = state.read(path).err().map(|error| error.to_string());
        state.last = Some((Instant::now(), problem.clone()));
        problem
    }
}

impl State {
    fn read(&mut self, path: &Path) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(ManuallyDrop::new(File::open(path)?)),
        };
        let until = Instant::now() + TIMEOUT;
        let mut buffer = vec![0; 1 << 20];
        file.rewind()?;
        while Instant::now() < until {
            match file.read(&mut buffer) {
                Ok(0) => break,
                Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Rereader;

    #[test]
    fn an_io_error_is_told_and_a_file_that_can_be_read_has_no_problem() {
        // Nothing is mapped at the beginning of the memory of a process.
        let problem = Rereader::default().problem(Path::new("/proc/self/mem")).unwrap();
        assert_eq!(problem, "Input/output error (os error 5)");
        assert_eq!(Rereader::default().problem(&std::env::current_exe().unwrap()), None);
    }
}
