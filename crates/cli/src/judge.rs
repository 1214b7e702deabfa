//! `assize judge`: documents in, verdicts out, nothing stored.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use assize_engine::Courts;
use assize_kernel::{AnyCourt, AnyRulebook, DecideError, Refusal, RefusalKind, to_json};
use serde::Serialize;
use serde::de::IgnoredAny;

use crate::CommandResult;
use crate::args::JudgeArgs;
use crate::assessors::ModelJudge;
use crate::output::Failure;
use crate::rulebook;

pub(crate) fn run(args: &JudgeArgs) -> CommandResult {
    let courts = rulebook::shipped()?;
    let court = court(&courts, &args.court)?;
    let book = rulebook::find(&courts, court, args.rulebook.as_deref())?;
    let asked =
        args.assessor.as_deref().map(|name| ModelJudge::new(args.config.as_deref(), name)).transpose()?;
    let mut judging = JudgeRun { court, book, asked, out: BufWriter::new(io::stdout().lock()), refused: 0 };
    judging.judge_all(&name(&args.file), &mut *open(&args.file)?)?;
    judging.out.flush()?;
    if let Some(asked) = &judging.asked {
        asked.tell();
    }
    match judging.refused {
        0 => Ok(()),
        1 => Err(Failure::Use("one document could not be judged".into())),
        many => Err(Failure::Use(format!("{many} documents could not be judged"))),
    }
}

/// A court by its name.
pub(crate) fn court<'a>(courts: &'a Courts, name: &str) -> Result<&'a dyn AnyCourt, Failure> {
    let found = courts.get(name).map(|court| &**court);
    found.ok_or_else(|| {
        let known: Vec<_> = courts.names().collect();
        Failure::Use(format!("there is no court `{name}`; there is {}", known.join(", ")))
    })
}

/// The name of a file in messages; standard input for `-`.
pub(crate) fn name(file: &Path) -> String {
    if file == Path::new("-") { "standard input".into() } else { format!("`{}`", file.display()) }
}

/// Like [`open`], with a reader that can be sent to a thread.
pub(crate) fn open_for_threads(file: &Path) -> Result<Box<dyn BufRead + Send>, Failure> {
    if file == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let opened = File::open(file).map_err(|error| Failure::Use(format!("`{}`: {error}", file.display())))?;
    Ok(Box::new(BufReader::with_capacity(1 << 18, opened)))
}

/// A file, or standard input for `-`.
pub(crate) fn open(file: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let opened = File::open(file).map_err(|error| Failure::Use(format!("`{}`: {error}", file.display())))?;
    Ok(Box::new(BufReader::new(opened)))
}

struct JudgeRun<'a, W> {
    court: &'a dyn AnyCourt,
    book: AnyRulebook,
    /// The model whose findings are used instead of the court's own reading.
    asked: Option<ModelJudge>,
    out: W,
    refused: usize,
}

/// The output line for a refused document.
#[derive(Serialize)]
struct RefusedLine {
    refused: Refusal,
    line: usize,
}

impl<W: Write> JudgeRun<'_, W> {
    /// Judges each line if the first line is a whole document, else the whole input as one document.
    fn judge_all(&mut self, name: &str, input: &mut dyn BufRead) -> CommandResult {
        let mut bytes = Vec::new();
        let mut line = 0;
        while read_line(input, &mut bytes)? {
            line += 1;
            let text = String::from_utf8_lossy(&bytes);
            if text.trim().is_empty() {
                continue;
            }
            let first = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>().next();
            return match first {
                Some(Err(error)) if error.is_eof() => {
                    input.read_to_end(&mut bytes).map_err(unreadable)?;
                    self.judge(str::from_utf8(&bytes).map_err(|_| not_utf8())?, line)
                }
                Some(Err(_)) if str::from_utf8(&bytes).is_err() => Err(not_utf8()),
                Some(Err(error)) => {
                    let (problem, _) = located(&error.to_string(), line);
                    Err(Failure::Use(format!("line {line} of {name} is no JSON: {problem}")))
                }
                _ => {
                    self.judge_line(&bytes, line)?;
                    self.judge_lines(input, line)
                }
            };
        }
        Err(Failure::Use("there is nothing to judge: the input is empty".into()))
    }

    fn judge_lines(&mut self, input: &mut dyn BufRead, mut line: usize) -> CommandResult {
        let mut bytes = Vec::new();
        while read_line(input, &mut bytes)? {
            line += 1;
            self.judge_line(&bytes, line)?;
        }
        Ok(())
    }

    fn judge_line(&mut self, bytes: &[u8], line: usize) -> CommandResult {
        match text(bytes) {
            Ok(text) if text.trim().is_empty() => Ok(()),
            Ok(text) => self.judge(text, line),
            Err(problem) => {
                let refused = Refusal {
                    code: format!("{}.document.malformed", self.court.name()).into(),
                    kind: RefusalKind::Malformed,
                    message: format!("document: {problem}"),
                    detail: serde_json::Map::new(),
                };
                self.refuse(refused, line)
            }
        }
    }

    fn judge(&mut self, document: &str, line: usize) -> CommandResult {
        let judged = match &mut self.asked {
            Some(asked) => asked.judge(self.court.name(), &self.book, document),
            None => self.court.judge(&self.book, document),
        };
        match judged {
            Ok(verdict) => writeln!(self.out, "{verdict}")?,
            Err(DecideError::Refused(mut refused)) => {
                let (message, line) = located(&refused.message, line);
                refused.message = message;
                self.refuse(refused, line)?;
            }
            Err(DecideError::Broken(problem)) => return Err(Failure::Fault(problem.into_owned())),
        }
        Ok(())
    }

    fn refuse(&mut self, refused: Refusal, line: usize) -> CommandResult {
        self.refused += 1;
        writeln!(self.out, "{}", to_json(&RefusedLine { refused, line }))?;
        Ok(())
    }
}

/// Splits the line number off a parser message and converts it to a line of the input, in which the document
/// begins at line `first`.
fn located(message: &str, first: usize) -> (String, usize) {
    let parts = message.rsplit_once(" at line ").and_then(|(words, place)| {
        let (line, column) = place.split_once(" column ")?;
        Some((words, line.parse::<usize>().ok()?, column.parse::<usize>().ok()?))
    });
    match parts {
        Some((words, line, column)) => {
            (format!("{words} at column {column}"), first + line.saturating_sub(1))
        }
        None => (message.to_owned(), first),
    }
}

/// Reads the next line, with its line break, in place of the last; false at the end.
pub(crate) fn read_line(input: &mut dyn BufRead, bytes: &mut Vec<u8>) -> Result<bool, Failure> {
    bytes.clear();
    Ok(input.read_until(b'\n', bytes).map_err(unreadable)? > 0)
}

/// The text of a line; the place of the first byte that is not UTF-8 otherwise.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, String> {
    str::from_utf8(bytes).map_err(|error| format!("not UTF-8 at column {}", error.valid_up_to() + 1))
}

pub(crate) fn unreadable(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::InvalidData => not_utf8(),
        _ => Failure::Use(format!("the input cannot be read: {error}")),
    }
}

fn not_utf8() -> Failure {
    Failure::Use("the input is not UTF-8".into())
}
