//! Runs every case file as one named test.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::{fs, io};

use assize_kernel::{AnyCourt, NOT_CASES, run_case};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> io::Result<ExitCode> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let courts: Arc<[Arc<dyn AnyCourt>]> = assize_courts::courts().into();
    let mut trials = Vec::new();
    for path in case_files(&root)? {
        let name = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
        let name = name.display().to_string();
        let courts = courts.clone();
        trials.push(Trial::test(name.clone(), move || check(&courts, &name, &path)));
    }
    let none = trials.is_empty();
    trials.push(Trial::test(
        "there_are_cases",
        move || if none { Err("no case files".into()) } else { Ok(()) },
    ));
    Ok(libtest_mimic::run(&Arguments::from_args(), trials).exit_code())
}

fn check(courts: &[Arc<dyn AnyCourt>], name: &str, path: &Path) -> Result<(), Failed> {
    run_case(courts, name, &fs::read_to_string(path)?)?;
    Ok(())
}

/// Everything below `folder` that ends in `.toml`, in order, but for directories that say that they hold no cases.
fn case_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if folder.join(NOT_CASES).exists() {
        return Ok(files);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(case_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
