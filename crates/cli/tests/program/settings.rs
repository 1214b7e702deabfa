//! Settings from the command line, the environment and a file: precedence and error messages.

use assize_testbed::server::Server;

use crate::work_dir::{WorkDir, finish};

/// The lines of `serve --show-settings` about one setting, with these arguments and variables.
fn shown(dir: &WorkDir, key: &str, args: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = dir.command(&[&["serve", "--show-settings"], args].concat());
    command.envs(variables.iter().copied());
    let ended = finish(command, "");
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    let line = ended.out.lines().find(|line| line.starts_with(&format!("{key} = "))).unwrap_or_default();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_command_line_wins_over_the_environment_and_that_over_the_file() {
    let dir = WorkDir::new();
    let show = |args: &[&str], variables: &[(&str, &str)]| shown(&dir, "queue", args, variables);
    assert_eq!(show(&[], &[]), "queue = 16384 # default");
    dir.write("assize.toml", "# ours\nqueue = 3\n");
    assert_eq!(show(&[], &[]), "queue = 3 # assize.toml:2");
    assert_eq!(show(&[], &[("ASSIZE_QUEUE", "2")]), "queue = 2 # ASSIZE_QUEUE");
    assert_eq!(show(&["--queue", "1"], &[("ASSIZE_QUEUE", "2")]), "queue = 1 # the command line");
    dir.write("other.toml", "queue = 4");
    assert_eq!(show(&["--config", "other.toml"], &[]), "queue = 4 # other.toml:1");
    assert_eq!(show(&[], &[("ASSIZE_CONFIG", "other.toml")]), "queue = 4 # other.toml:1");
}

#[test]
fn what_is_shown_is_a_settings_file_that_says_the_same() {
    let dir = WorkDir::new();
    let args = ["serve", "--show-settings", "--trusted-proxies", "10.0.0.0/8,::1", "--rate-on-loopback"];
    let first = dir.run(&args);
    assert!(first.out.contains(r#"trusted_proxies = ["10.0.0.0/8", "::1"]"#), "{}", first.out);
    dir.write("assize.toml", &first.out);
    let second = dir.run(&["serve", "--show-settings"]);
    let values = |out: &str| -> Vec<String> {
        out.lines().map(|line| line.rsplit_once(" # ").unwrap().0.trim_end().to_owned()).collect()
    };
    assert_eq!(values(&first.out), values(&second.out));
}

#[test]
fn the_place_of_the_ledger_is_taken_from_one_source_as_a_whole() {
    let dir = WorkDir::new();
    dir.write("assize.toml", "postgres = 'postgres://ada:s3cret@db.example.org/assize'");
    let place = |key: &str, args: &[&str], variables: &[(&str, &str)]| shown(&dir, key, args, variables);
    let masked = r#"postgres = "postgres://ada:***@db.example.org/assize" # assize.toml:1"#;
    assert_eq!(place("postgres", &[], &[]), masked);
    assert_eq!(place("data", &[], &[("ASSIZE_DATA", "a.db")]), r#"data = "a.db" # ASSIZE_DATA"#);
    assert_eq!(place("data", &["--data", "b.db"], &[]), r#"data = "b.db" # the command line"#);
    assert_eq!(place("ephemeral", &["--ephemeral"], &[]), "ephemeral = true # the command line");
}

#[test]
fn a_server_does_what_its_file_says_and_other_commands_find_its_ledger() {
    let dir = WorkDir::new();
    dir.write("assize.toml", "listen = '127.0.0.1:0'\ndata = 'spring.db'\nmetrics_for = 'admins'\n");
    let server = Server::launch(dir.command(&["serve"]));
    assert!(server.greeting().contains("`spring.db` (0 records)"), "{}", server.greeting());
    assert_eq!(server.client("").get("/metrics").unwrap().0, 401);
    server.stop();
    dir.run(&["ledger", "verify"]).fine(&dir.run(&["ledger", "verify", "--data", "spring.db"]).out);
}

#[test]
fn a_mistake_in_a_file_is_named_with_file_line_and_key() {
    let dir = WorkDir::new();
    let told = |text: &str, message: &str| {
        dir.write("assize.toml", text);
        dir.run(&["serve"]).wrong_use(message);
    };
    told("\nqueue = 0", "assize.toml:2: `queue`: 0 is not in 1..=1000000");
    told("queue = 'many'", "assize.toml:1: `queue`: invalid digit found in string");
    told("log_format = 'xml'", "assize.toml:1: `log_format`: it must be one of text, json");
    told("ephemeral = 'perhaps'", "assize.toml:1: `ephemeral`: must be true or false");
    told("a = 1\na = 2", "assize.toml:2: duplicate key");
    told(
        "[limits]\nqueue = 1",
        "assize.toml:1: `limits` must be a text, a number, true or false, or a list of texts",
    );
    let origin = "`example.org` is no origin such as `https://example.org`, without a path";
    told("cors_origins = ['example.org']", &format!("assize.toml:1: `cors_origins`: {origin}"));
    dir.write("assize.toml", "data = 'a.db'\nephemeral = true");
    dir.run(&["serve"]).wrong_use(
        "assize.toml: `data`, `postgres` and `ephemeral` exclude each other; leave all but one out",
    );
    dir.write("assize.toml", "listne = '127.0.0.1:0'");
    let ended = dir.run(&["serve"]);
    assert!(
        ended.err.starts_with(
            "assize: assize.toml:1: `listne`: there is no such setting; there are listen, data, "
        ),
        "{}",
        ended.err
    );
    dir.run(&["serve", "--config", "gone.toml"])
        .wrong_use("`gone.toml` cannot be read: No such file or directory (os error 2)");
}

#[test]
fn a_mistake_in_the_environment_names_the_variable() {
    let dir = WorkDir::new();
    let mut command = dir.command(&["serve"]);
    command.env("ASSIZE_TRUSTED_PROXIES", "10.0.0.0/8,here");
    finish(command, "").wrong_use(
        "ASSIZE_TRUSTED_PROXIES: `here` is no address such as `192.0.2.7` and no network such as `10.0.0.0/8`",
    );
}
