//! Help texts, and errors for unknown commands and options.

use crate::work_dir::WorkDir;

/// Every command with what its help must name.
const COMMANDS: [(&str, &[&str]); 26] = [
    ("demo", &["--listen <ADDRESS>", "--data <FILE>", "--seed <NUMBER>", "--speed <TIMES>", "Ctrl-C"]),
    (
        "serve",
        &[
            "--listen <ADDRESS>",
            "--data <FILE>",
            "--postgres <URL>",
            "--ephemeral",
            "--queue <N>",
            "[env: ASSIZE_DATA]",
            "[env: ASSIZE_POSTGRES]",
            "[env: ASSIZE_EPHEMERAL]",
            "[env: ASSIZE_LISTEN=]",
            "[env: ASSIZE_QUEUE=]",
            "--config <FILE>",
            "--show-settings",
            "--tls-cert <FILE>",
            "--trusted-proxies <NETWORKS>",
        ],
    ),
    ("judge", &["<COURT>", "<FILE>", "--rulebook <NAME|FILE>", "exit code 2"]),
    (
        "eval",
        &[
            "<FILE>",
            "--fail-under <METRIC=SCORE>",
            "--baseline <FILE>",
            "--fail-on-drop [<POINTS>]",
            "--resume",
            "--junit <FILE>",
            "--report <FILE>",
            "exit code 2",
        ],
    ),
    ("calibrate", &["radio", "summary"]),
    ("calibrate summary", &["<FILE>", "--human <COLUMN>", "--metric <METRIC>", "--json"]),
    ("check", &["<PATHS>...", "--json"]),
    (
        "calibrate radio",
        &["<FILE>", "--noise <PERCENT>", "--leave-out <IDS>", "--rulebook <NAME|FILE>", "--json"],
    ),
    ("explain", &["<WHAT>", "--data <FILE>", "--postgres <URL>", "--json"]),
    ("replay", &["--data <FILE>", "--postgres <URL>", "--json"]),
    (
        "rejudge",
        &[
            "<STREAM>",
            "--rulebook <NAME|FILE>",
            "--amend <FILE>",
            "--adopt",
            "--reason <TEXT>",
            "--as <ROLE:NAME>",
            "--json",
            "--data <FILE>",
            "--postgres <URL>",
            "exit code is 1",
        ],
    ),
    ("ledger", &["verify", "export", "import", "backup", "erase"]),
    ("ledger verify", &["--head <HASH>", "--data <FILE>", "--postgres <URL>", "--json"]),
    ("ledger export", &["[FILE]", "--data <FILE>", "--postgres <URL>"]),
    ("ledger import", &["<FILE>", "--data <FILE>", "--postgres <URL>"]),
    ("ledger backup", &["<FILE>", "--data <FILE>", "--postgres <URL>"]),
    ("ledger erase", &["<SUBJECT>", "--data <FILE>", "--postgres <URL>"]),
    ("rulebook", &["show", "check", "diff"]),
    ("rulebook check", &["<FILES>..."]),
    ("rulebook diff", &["<FIRST>", "<SECOND>"]),
    (
        "token",
        &[
            "list",
            "revoke",
            "--name <NAME>",
            "--role <ROLE>",
            "--scope <SCOPE>",
            "--expires <TIME>",
            "--label <LABEL>",
            "--data <FILE>",
            "--postgres <URL>",
        ],
    ),
    ("token list", &["--json", "--data <FILE>", "--postgres <URL>"]),
    ("token revoke", &["<ID>", "--data <FILE>", "--postgres <URL>"]),
    ("user", &["add", "list", "disable", "enable", "password"]),
    ("user add", &["<NAME>", "--role <ROLE>", "--scope <SCOPE>", "standard input"]),
    ("user list", &["--json", "--data <FILE>", "--postgres <URL>"]),
];

#[test]
fn the_program_names_its_commands_and_its_exit_codes() {
    let dir = WorkDir::new();
    let ended = dir.run(&["--help"]);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    for (command, _) in COMMANDS.iter().filter(|(command, _)| !command.contains(' ')) {
        assert!(ended.out.contains(&format!("\n  {command} ")), "{command}");
    }
    for name in ["DATA", "POSTGRES", "EPHEMERAL", "LISTEN", "QUEUE", "LOG", "CONFIG"] {
        assert!(ended.out.contains(&format!("ASSIZE_{name}")), "{name}");
    }
    for code in ["0  fine", "1  a difference", "2  wrong use", "3  our fault"] {
        assert!(ended.out.contains(code), "{code}");
    }
    dir.run(&["--version"]).fine(&format!("assize {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_command_explains_its_arguments() {
    let dir = WorkDir::new();
    for (command, named) in COMMANDS {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let ended = dir.run(&args);
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{command}");
        assert!(ended.out.contains(&format!("Usage: assize {command}")), "{}", ended.out);
        for name in named {
            assert!(ended.out.contains(name), "{command} does not name {name}:\n{}", ended.out);
        }
    }
}

#[test]
fn what_the_program_does_not_have_is_wrong_use() {
    let dir = WorkDir::new();
    let complaint = |args: &[&str]| {
        let ended = dir.run(args);
        assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{args:?}");
        ended.err.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(complaint(&["--nope"]), "error: unexpected argument '--nope' found");
    assert_eq!(complaint(&["seve"]), "error: unrecognized subcommand 'seve'");
    let queue = "error: invalid value '0' for '--queue <N>': 0 is not in 1..=1000000";
    assert_eq!(complaint(&["serve", "--queue", "0"]), queue);
    assert!(complaint(&["serve", "--queue", "1000001"]).ends_with("1000001 is not in 1..=1000000"));
    let both = "error: the argument '--data <FILE>' cannot be used with '--ephemeral'";
    assert_eq!(complaint(&["serve", "--data", "a.db", "--ephemeral"]), both);
    let both = "error: the argument '--postgres <URL>' cannot be used with '--data <FILE>'";
    assert_eq!(complaint(&["replay", "--postgres", "x", "--data", "a.db"]), both);
    let address = "error: invalid value 'here' for '--listen <ADDRESS>': invalid socket address syntax";
    assert_eq!(complaint(&["serve", "--listen", "here"]), address);
    assert_eq!(complaint(&["explain"]), "error: the following required arguments were not provided:");
}
