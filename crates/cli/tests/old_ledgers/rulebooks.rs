//! The rulebooks of earlier versions: a stream keeps the one it was opened with, so each must stay readable.

use std::fs;
use std::path::{Path, PathBuf};

use crate::frozen::{folder, versions};

#[test]
fn every_frozen_rulebook_is_read() {
    let courts = assize_courts::courts();
    for version in versions() {
        let mut read = 0;
        for folder in entries(&folder().join(format!("rulebooks-{version}"))) {
            let name = folder.file_name().unwrap().to_str().unwrap();
            let court = courts.iter().find(|court| court.name() == name);
            let court = court.unwrap_or_else(|| panic!("{version}: there is no court `{name}` any more"));
            for path in entries(&folder) {
                let text = fs::read_to_string(&path).unwrap();
                let read_again = court.read_rulebook(&path.display().to_string(), &text);
                read_again.unwrap_or_else(|error| panic!("{error}"));
                read += 1;
            }
        }
        assert!(read >= 12, "{version}: only {read} rulebooks");
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.unwrap().path()).collect()
}
