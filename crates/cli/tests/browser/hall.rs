//! Fixture: a server that can be restarted at the same address, and browsers.

use std::net::TcpListener;
use std::process::Command;

use assize_testbed::browser::Browser;
use assize_testbed::server::Server;
use tempfile::TempDir;

/// What everybody logs in with.
pub(crate) const PASSWORD: &str = "a password that is long";

/// Where a server is, and what it keeps.
pub(crate) struct Hall {
    directory: TempDir,
    port: u16,
}

impl Hall {
    pub(crate) fn new() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        Self { directory: tempfile::tempdir().unwrap(), port: free.local_addr().unwrap().port() }
    }

    /// Starts the server, for the first time or again.
    pub(crate) fn serve(&self) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
        let data = self.directory.path().join("ledger.db");
        command.args(["serve", "--listen", &format!("127.0.0.1:{}", self.port), "--data"]).arg(data);
        Server::launch(command)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

/// Logs somebody in and waits until they are in.
pub(crate) fn log_in(browser: &Browser, hall: &Hall, name: &str) {
    browser.visit(&hall.url("/login"));
    browser.fill("#name", name);
    browser.fill("#password", PASSWORD);
    browser.click("main form button");
    browser.until("somebody is logged in", |browser| browser.text(".who").contains(name));
}

/// That pages have made no complaints, and asked nobody else for anything.
pub(crate) fn is_clean(browser: &Browser, hall: &Hall) {
    assert_eq!(browser.complaints(), Vec::<String>::new(), "at {}", browser.place());
    asks_nobody_else(browser, hall);
}

/// How many bytes came since this was last asked; all of them from the server itself.
pub(crate) fn asks_nobody_else(browser: &Browser, hall: &Hall) -> u64 {
    let fetched = browser.fetched();
    let elsewhere: Vec<_> = fetched.iter().filter(|(url, _)| !is_ours(url, hall)).collect();
    assert!(elsewhere.is_empty(), "fetched from elsewhere: {elsewhere:?}");
    fetched.iter().map(|(_, bytes)| bytes).sum()
}

fn is_ours(url: &str, hall: &Hall) -> bool {
    // What a new window shows before it goes anywhere comes from inside the browser.
    url.starts_with(&hall.url("/")) || ["data:", "chrome:", "about:"].iter().any(|own| url.starts_with(own))
}
