//! `assize judge`: documents in, verdicts out, nothing stored.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use assize_kernel::{AnyCourt, AnyRulebook, Refusal, Unheard, to_json};
use assize_server::Courts;
use serde::Serialize;
use serde::de::IgnoredAny;

use crate::Done;
use crate::args::Judge;
use crate::assessors::Asked;
use crate::output::Failure;
use crate::rulebook;

pub(crate) fn run(args: &Judge) -> Done {
    let courts = rulebook::shipped()?;
    let court = court(&courts, &args.court)?;
    let book = rulebook::find(&courts, court, args.rulebook.as_deref())?;
    let asked = args.assessor.as_deref().map(|name| Asked::new(args.config.as_deref(), name)).transpose()?;
    let mut judging = Judging { court, book, asked, out: BufWriter::new(io::stdout().lock()), refused: 0 };
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

/// What messages call a file, or standard input for `-`.
pub(crate) fn name(file: &Path) -> String {
    if file == Path::new("-") { "standard input".into() } else { format!("`{}`", file.display()) }
}

/// The same for a thread of its own.
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

struct Judging<'a, W> {
    court: &'a dyn AnyCourt,
    book: AnyRulebook,
    /// Whoever finds what is judged, instead of the court's own reading.
    asked: Option<Asked>,
    out: W,
    refused: usize,
}

/// What stands in the place of a verdict that could not be given.
#[derive(Serialize)]
struct Refused {
    refused: Refusal,
    line: usize,
}

impl<W: Write> Judging<'_, W> {
    /// When the first line is a document by itself, every line is one; when it begins one, all of it is one.
    fn judge_all(&mut self, name: &str, input: &mut dyn BufRead) -> Done {
        let mut text = String::new();
        let mut line = 0;
        while read_line(input, &mut text)? {
            line += 1;
            if text.trim().is_empty() {
                text.clear();
                continue;
            }
            let first = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>().next();
            return match first {
                Some(Err(error)) if error.is_eof() => {
                    read_rest(input, &mut text)?;
                    self.judge(&text, line)
                }
                Some(Err(error)) => {
                    let (problem, _) = located(&error.to_string(), line);
                    Err(Failure::Use(format!("line {line} of {name} is no JSON: {problem}")))
                }
                _ => {
                    self.judge(&text, line)?;
                    self.judge_lines(input, line)
                }
            };
        }
        Err(Failure::Use("there is nothing to judge: the input is empty".into()))
    }

    fn judge_lines(&mut self, input: &mut dyn BufRead, mut line: usize) -> Done {
        let mut text = String::new();
        loop {
            text.clear();
            if !read_line(input, &mut text)? {
                return Ok(());
            }
            line += 1;
            if !text.trim().is_empty() {
                self.judge(&text, line)?;
            }
        }
    }

    fn judge(&mut self, document: &str, line: usize) -> Done {
        let judged = match &mut self.asked {
            Some(asked) => asked.judge(self.court.name(), &self.book, document),
            None => self.court.judge(&self.book, document),
        };
        match judged {
            Ok(verdict) => writeln!(self.out, "{verdict}")?,
            Err(Unheard::Refused(mut refused)) => {
                self.refused += 1;
                let (message, line) = located(&refused.message, line);
                refused.message = message;
                writeln!(self.out, "{}", to_json(&Refused { refused, line }))?;
            }
            Err(Unheard::Broken(problem)) => return Err(Failure::Fault(problem.into_owned())),
        }
        Ok(())
    }
}

/// The message without the line it names, and that line in the input, for a document that begins at `first`: a
/// document does not know where it stands.
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

fn read_line(input: &mut dyn BufRead, text: &mut String) -> Result<bool, Failure> {
    Ok(input.read_line(text).map_err(unreadable)? > 0)
}

fn read_rest(input: &mut dyn BufRead, text: &mut String) -> Done {
    input.read_to_string(text).map_err(unreadable)?;
    Ok(())
}

pub(crate) fn unreadable(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::InvalidData => Failure::Use("the input is not UTF-8".into()),
        _ => Failure::Use(format!("the input cannot be read: {error}")),
    }
}
