//! `assize check`: runs case files and validates scenarios.

use std::fs;
use std::path::{Path, PathBuf};

use assize_courts::radio::read_scenario;
use assize_kernel::{NOT_CASES, run_case, to_json};
use serde::Serialize;

use crate::CommandResult;
use crate::args::CheckArgs;
use crate::bless::blessed;
use crate::output::{Failure, say};

#[derive(Serialize)]
struct CheckResult {
    file: String,
    passed: bool,
    /// The title of the case or scenario, or the error message.
    said: String,
}

pub(crate) fn run(args: &CheckArgs) -> CommandResult {
    let mut files = Vec::new();
    for path in &args.paths {
        collect(path, &mut files)?;
    }
    if files.is_empty() {
        return Err(Failure::Use("there are no case files (*.toml) there".into()));
    }
    files.sort();
    let courts = assize_engine::shipped_courts();
    let (mut failed, mut rewritten) = (0, 0);
    for file in &files {
        let result = check(&courts, file)?;
        if args.bless && !result.passed {
            say(&result.said)?;
            match bless(&courts, file) {
                Ok(()) => {
                    rewritten += 1;
                    say("  rewritten\n")?;
                }
                Err(problem) => {
                    failed += 1;
                    say(format_args!("  not rewritten: {problem}\n"))?;
                }
            }
            continue;
        }
        failed += usize::from(!result.passed);
        if args.json {
            say(to_json(&result))?;
        } else if !result.passed {
            say(format_args!("{}\n", result.said))?;
        }
    }
    let passed = files.len() - failed - rewritten;
    if args.bless {
        say(format_args!("{passed} passed, {rewritten} rewritten, {failed} failed"))?;
    } else if !args.json {
        say(format_args!("{passed} passed, {failed} failed"))?;
    }
    if failed == 0 { Ok(()) } else { Err(Failure::Different) }
}

fn check(
    courts: &[std::sync::Arc<dyn assize_kernel::AnyCourt>],
    path: &Path,
) -> Result<CheckResult, Failure> {
    let file = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| Failure::Use(format!("`{file}`: {error}")))?;
    if is_scenario(&text) {
        return Ok(match read_scenario(&file, &text) {
            Ok(chart) => CheckResult { file, passed: true, said: chart.scenario.title },
            Err(error) => CheckResult { file, passed: false, said: error.to_string() },
        });
    }
    Ok(match run_case(courts, &file, &text) {
        Ok(title) => CheckResult { file, passed: true, said: title },
        Err(failure) => CheckResult { file, passed: false, said: failure.to_string() },
    })
}

/// Replaces the expected values in a case file with the actual ones, provided that the case then passes.
fn bless(
    courts: &[std::sync::Arc<dyn assize_kernel::AnyCourt>],
    path: &Path,
) -> std::result::Result<(), String> {
    let file = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let Err(failure) = run_case(courts, &file, &text) else { return Ok(()) };
    if is_scenario(&text) || failure.changes.is_empty() {
        return Err("it fails otherwise than by the values that come out".to_owned());
    }
    let text = blessed(&text, &failure.changes)?;
    run_case(courts, &file, &text).map_err(|failure| failure.problems.join("; "))?;
    fs::write(path, text).map_err(|error| error.to_string())
}

/// Only scenarios have phases.
fn is_scenario(text: &str) -> bool {
    text.lines().any(|line| line.trim_end() == "[[phases]]")
}

/// Collects the case files at and below a path; skips directories with the marker file `NOT_CASES`.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> CommandResult {
    let wrong = |error| Failure::Use(format!("`{}`: {error}", path.display()));
    if !fs::metadata(path).map_err(wrong)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    if path.join(NOT_CASES).exists() {
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
