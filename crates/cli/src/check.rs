//! `assize check`: case files and scenarios, without Rust.

use std::fs;
use std::path::{Path, PathBuf};

use assize_courts::radio::read_scenario;
use assize_kernel::{run_case, to_json};
use serde::Serialize;

use crate::Done;
use crate::args::Check;
use crate::output::{Failure, say};

#[derive(Serialize)]
struct Result {
    file: String,
    passed: bool,
    /// The title of the case or scenario, or what is wrong and in which file.
    said: String,
}

pub(crate) fn run(args: &Check) -> Done {
    let mut files = Vec::new();
    for path in &args.paths {
        collect(path, &mut files)?;
    }
    if files.is_empty() {
        return Err(Failure::Use("there are no case files (*.toml) there".into()));
    }
    files.sort();
    let courts = assize_server::shipped_courts();
    let mut failed = 0;
    for file in &files {
        let result = check(&courts, file)?;
        failed += usize::from(!result.passed);
        if args.json {
            say(to_json(&result))?;
        } else if !result.passed {
            say(format_args!("{}\n", result.said))?;
        }
    }
    if !args.json {
        say(format_args!("{} passed, {failed} failed", files.len() - failed))?;
    }
    if failed == 0 { Ok(()) } else { Err(Failure::Different) }
}

fn check(
    courts: &[std::sync::Arc<dyn assize_kernel::AnyCourt>],
    path: &Path,
) -> std::result::Result<Result, Failure> {
    let file = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| Failure::Use(format!("`{file}`: {error}")))?;
    if is_scenario(&text) {
        return Ok(match read_scenario(&file, &text) {
            Ok(chart) => Result { file, passed: true, said: chart.scenario.title },
            Err(error) => Result { file, passed: false, said: error.to_string() },
        });
    }
    Ok(match run_case(courts, &file, &text) {
        Ok(title) => Result { file, passed: true, said: title },
        Err(failure) => Result { file, passed: false, said: failure.to_string() },
    })
}

/// Only scenarios have phases.
fn is_scenario(text: &str) -> bool {
    text.lines().any(|line| line.trim_end() == "[[phases]]")
}

/// The case files at a path, and below it.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Done {
    let wrong = |error| Failure::Use(format!("`{}`: {error}", path.display()));
    if !fs::metadata(path).map_err(wrong)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "toml") {
            collect(&path, files)?;
        }
    }
    Ok(())
}
