//! The files of the repository, as the checks need them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::words::words;

/// A file with its path from the root of the repository, written with `/`.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    /// The words of what ships: tests may do what they like.
    pub(crate) fn shipped_words(&self) -> Vec<&str> {
        let test_file = self.path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "benches"));
        if test_file {
            return Vec::new();
        }
        let Some((before, tests)) = self.text.split_once("#[cfg(test)]\nmod tests {") else {
            return words(&self.text);
        };
        let after = tests.split_once("\n}\n").map_or("", |(_, after)| after);
        words(before).into_iter().chain(words(after)).collect()
    }
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file that must be there.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names of the workspace's crates' folders, in order.
pub(crate) fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).expect("the workspace has crates");
    let folders = entries.flatten().filter(|entry| entry.path().join("Cargo.toml").is_file());
    let mut names: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The Rust files below a folder, in order.
pub(crate) fn rust_files(folder: &str) -> Vec<File> {
    let mut paths = Vec::new();
    walk(&root().join(folder), folder, &mut paths);
    let rust = paths.into_iter().filter(|path| path.ends_with(".rs"));
    rust.map(|path| File { text: read(&path), path }).collect()
}

/// Every text file under version control; without git, every one that is not built.
pub(crate) fn text_files() -> Vec<File> {
    let mut paths = Vec::new();
    let listed = Command::new("git").arg("-C").arg(root()).args(["ls-files", "-z"]).output();
    match listed {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            let names = String::from_utf8_lossy(&output.stdout);
            paths.extend(names.split_terminator('\0').map(str::to_owned));
        }
        _ => walk(&root(), "", &mut paths),
    }
    let readable = |path: String| Some(File { text: fs::read_to_string(root().join(&path)).ok()?, path });
    paths.into_iter().filter_map(readable).collect()
}

fn walk(folder: &Path, name: &str, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let own = entry.file_name().to_string_lossy().into_owned();
        if matches!(own.as_str(), ".git" | "target") {
            continue;
        }
        let inner = if name.is_empty() { own } else { format!("{name}/{own}") };
        if entry.path().is_dir() {
            walk(&entry.path(), &inner, found);
        } else {
            found.push(inner);
        }
    }
}
