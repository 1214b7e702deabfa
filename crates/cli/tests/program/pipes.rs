//! A broken pipe on standard output is no error.

use std::process::Stdio;

use crate::work_dir::WorkDir;

#[test]
fn a_pipe_that_is_closed_ends_every_command_quietly() {
    let dir = WorkDir::with_contest();
    let document = r#"{"task": {}}"#;
    dir.write("document.json", document);
    let commands: [&[&str]; 9] = [
        &["--help"],
        &["rulebook", "show"],
        &["rulebook", "show", "contest/competition"],
        &["judge", "contest", "document.json"],
        &["explain", "10"],
        &["ledger", "export"],
        &["ledger", "verify"],
        &["replay", "--json"],
        &["token"],
    ];
    for command in commands {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = dir.command(command);
        let output = child.stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), said.as_ref()), (Some(0), ""), "{command:?}");
    }
}
