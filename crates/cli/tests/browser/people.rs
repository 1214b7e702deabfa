//! Fixture: users of all courts, each with a browser.

use assize_testbed::browser::{Browser, Browsers};
use assize_testbed::client::Client;
use assize_testbed::server::Server;
use serde_json::{Value, json};

use crate::hall::{Hall, PASSWORD, log_in};

/// A server, what starts browsers, and the admin.
pub(crate) struct BrowserFixture {
    pub(crate) hall: Hall,
    pub(crate) server: Server,
    browsers: Browsers,
    admin: Client,
}

impl BrowserFixture {
    pub(crate) fn open() -> Self {
        let (browsers, hall) = (Browsers::start(), Hall::new());
        let server = hall.serve();
        let admin = server.client(&server.admin_token());
        Self { hall, server, browsers, admin }
    }

    /// Does something as the admin that must be done.
    pub(crate) fn must(&self, path: &str, body: &Value) {
        let (status, answer) = self.admin.post(&format!("/api/v1{path}"), body, None).unwrap();
        assert!((200..300).contains(&status), "{path}: {status} {answer}");
    }

    /// A browser in which somebody new has logged in.
    pub(crate) fn let_in(&self, name: &str, role: &str, scope: &str) -> Browser {
        let mut person = json!({ "name": name, "role": role, "password": PASSWORD });
        if !scope.is_empty() {
            person["scope"] = scope.into();
        }
        self.must("/users", &person);
        let browser = self.browsers.open(1280, 900);
        log_in(&browser, &self.hall, name);
        browser
    }

    pub(crate) fn visit(&self, browser: &Browser, path: &str) {
        browser.visit(&self.hall.url(path));
    }
}
