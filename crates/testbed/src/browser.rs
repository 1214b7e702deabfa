//! A headless browser: Chromium, driven over WebDriver.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use ureq::Agent;

use crate::contest::within;

/// The timeout of every wait.
const PATIENCE: Duration = Duration::from_secs(30);

/// The key of an element id in WebDriver.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The lock that serialises browser tests.
static TURN: Mutex<()> = Mutex::new(());

/// The WebDriver process; killed on drop, with all its browsers.
pub struct Browsers {
    /// One test at a time: many browsers at once overload a small machine.
    _turn: MutexGuard<'static, ()>,
    driver: Child,
    url: String,
    agent: Agent,
}

/// A browser with a new, empty profile.
pub struct Browser {
    session: String,
    agent: Agent,
    _profile: TempDir,
}

impl Browsers {
    /// Starts the driver.
    ///
    /// # Panics
    /// When Chromium or its driver is not installed.
    #[must_use]
    pub fn start() -> Self {
        // A failed test leaves no state behind, so poisoning is ignored.
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let driver = command.spawn();
        let mut driver = driver.unwrap_or_else(|error| {
            panic!("cannot run chromedriver ({error}); install it: apt-get install chromium chromium-driver")
        });
        let said = BufReader::new(driver.stdout.take().expect("its standard output is ours")).lines();
        let port = said.map_while(Result::ok).find_map(|line| {
            line.split("successfully on port ")
                .nth(1)
                .map(|port| port.trim_end_matches('.').trim().to_owned())
        });
        let port = port.expect("the driver says where it listens");
        let config = Agent::config_builder().http_status_as_error(false).proxy(None);
        let agent = config.timeout_global(Some(Duration::from_secs(120))).build().new_agent();
        Self { _turn: turn, driver, url: format!("http://127.0.0.1:{port}"), agent }
    }

    /// A browser with a window of this size.
    #[must_use]
    pub fn open(&self, width: u32, height: u32) -> Browser {
        let profile = tempfile::tempdir().expect("a directory for the browser's profile");
        let fixed = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-dev-shm-usage \
                     --disable-background-networking --disable-component-update --disable-sync \
                     --force-color-profile=srgb --hide-scrollbars";
        let mut args: Vec<String> =
            fixed.split(' ').filter(|arg| !arg.is_empty()).map(str::to_owned).collect();
        args.push(format!("--window-size={width},{height}"));
        args.push(format!("--user-data-dir={}", profile.path().display()));
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": args },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        } } });
        let answer = call(&self.agent, "POST", &format!("{}/session", self.url), Some(&wanted));
        let id = answer["sessionId"].as_str().unwrap_or_else(|| panic!("no browser: {answer}"));
        Browser {
            session: format!("{}/session/{id}", self.url),
            agent: self.agent.clone(),
            _profile: profile,
        }
    }
}

impl Drop for Browsers {
    fn drop(&mut self) {
        // Fails when the process has already ended.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.agent.delete(&self.session).call();
    }
}

impl Browser {
    /// Opens a page and waits until it is loaded.
    pub fn visit(&self, url: &str) {
        self.must("POST", "/url", &json!({ "url": url }));
    }

    /// The URL of the page.
    #[must_use]
    pub fn place(&self) -> String {
        let place = self.must("GET", "/url", &Value::Null);
        place.as_str().unwrap_or_default().to_owned()
    }

    /// The visible texts of all elements that match a selector.
    #[must_use]
    pub fn texts(&self, css: &str) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll(arguments[0])].map((each) => each.innerText.trim())";
        let found = self.run(script, &json!([css]));
        found.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// The visible text of the first matching element; empty without one.
    #[must_use]
    pub fn text(&self, css: &str) -> String {
        self.texts(css).into_iter().next().unwrap_or_default()
    }

    /// Clears a field and types into it.
    pub fn fill(&self, css: &str, text: &str) {
        self.on(css, "clear", &json!({}));
        self.on(css, "value", &json!({ "text": text }));
    }

    /// Clicks an element.
    pub fn click(&self, css: &str) {
        self.stand_still();
        self.on(css, "click", &json!({}));
    }

    /// Presses the mouse button on an element and holds it until [`Self::let_go`].
    pub fn press(&self, css: &str) {
        self.stand_still();
        let origin = json!({ ELEMENT: self.element(css) });
        self.mouse(&json!([
            { "type": "pointerMove", "duration": 0, "origin": origin, "x": 0, "y": 0 },
            { "type": "pointerDown", "button": 0 },
        ]));
    }

    /// Releases the mouse button.
    pub fn let_go(&self) {
        self.mouse(&json!([{ "type": "pointerUp", "button": 0 }]));
    }

    /// Waits until no animation runs: a moving element is missed, as the driver locates it before the click.
    fn stand_still(&self) {
        let moving = |browser: &Self| browser.run("return document.getAnimations().length", &json!([]));
        self.until("everything stands still", |browser| moving(browser) == 0);
    }

    fn mouse(&self, actions: &Value) {
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.must("POST", "/actions", &json!({ "actions": [mouse] }));
    }

    /// Selects an option of a select field.
    pub fn choose(&self, css: &str, value: &str) {
        self.click(&format!("{css} option[value=\"{value}\"]"));
    }

    /// Runs a script in the page and returns its result.
    #[must_use]
    pub fn run(&self, script: &str, args: &Value) -> Value {
        self.must("POST", "/execute/sync", &json!({ "script": script, "args": args }))
    }

    /// Runs an asynchronous script, which passes its result to its last argument.
    #[must_use]
    pub fn run_until_called(&self, script: &str, args: &Value) -> Value {
        self.must("POST", "/timeouts", &json!({ "script": 60_000 }));
        self.must("POST", "/execute/async", &json!({ "script": script, "args": args }))
    }

    /// Sends a command of the Chrome DevTools Protocol.
    pub fn command(&self, name: &str, parameters: &Value) {
        self.must("POST", "/goog/cdp/execute", &json!({ "cmd": name, "params": parameters }));
    }

    /// Waits until a condition holds; panics after the timeout.
    pub fn until(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let seen = within(PATIENCE, || holds(self));
        assert!(seen, "waited in vain at {}: {what}\n{}", self.place(), self.text("body"));
    }

    /// The console's errors and warnings since the last call, including CSP violations.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        let entries = self.log("browser");
        let grave = entries.iter().filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING");
        grave.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The requests since the last call: the URL and the number of bytes transferred.
    #[must_use]
    pub fn fetched(&self) -> Vec<(String, u64)> {
        let mut urls: Vec<(String, String, u64)> = Vec::new();
        for entry in self.log("performance") {
            let text = entry["message"].as_str().unwrap_or_default();
            let message: Value = serde_json::from_str(text).unwrap_or_default();
            let method = &message["message"]["method"];
            let about = &message["message"]["params"];
            let id = about["requestId"].as_str().unwrap_or_default().to_owned();
            if method == "Network.requestWillBeSent" {
                urls.push((id, about["request"]["url"].as_str().unwrap_or_default().to_owned(), 0));
            } else if method == "Network.loadingFinished" {
                let bytes = about["encodedDataLength"].as_f64().unwrap_or_default();
                if let Some(request) = urls.iter_mut().rev().find(|(known, ..)| *known == id) {
                    #[allow(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "a number of bytes"
                    )]
                    let bytes = bytes as u64;
                    request.2 = bytes;
                }
            }
        }
        urls.into_iter().map(|(_, url, bytes)| (url, bytes)).collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        let entries = self.must("POST", "/se/log", &json!({ "type": kind }));
        entries.as_array().cloned().unwrap_or_default()
    }

    /// Runs an action on an element; retries when the live page has just replaced the element.
    fn on(&self, css: &str, action: &str, body: &Value) {
        let mut answer = Value::Null;
        let done = within(PATIENCE, || {
            let path = format!("{}/element/{}/{action}", self.session, self.element(css));
            answer = call(&self.agent, "POST", &path, Some(body));
            answer["error"] != "stale element reference"
        });
        assert!(done && answer["error"].is_null(), "{action} `{css}` at {}: {answer}", self.place());
    }

    fn element(&self, css: &str) -> String {
        let mut found = Value::Null;
        let asked = json!({ "using": "css selector", "value": css });
        let there = within(PATIENCE, || {
            found = call(&self.agent, "POST", &format!("{}/element", self.session), Some(&asked));
            found[ELEMENT].is_string()
        });
        assert!(there, "there is no `{css}` at {}\n{}", self.place(), self.text("body"));
        found[ELEMENT].as_str().unwrap_or_default().to_owned()
    }

    fn must(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = Some(body).filter(|body| !body.is_null());
        let answer = call(&self.agent, method, &format!("{}{path}", self.session), body);
        assert!(answer.get("error").is_none_or(Value::is_null), "{method} {path} {body:?}: {answer}");
        answer
    }
}

/// Sends a WebDriver command; its value has an `error` field on failure.
fn call(agent: &Agent, method: &str, url: &str, body: Option<&Value>) -> Value {
    let answer = match body {
        Some(body) => agent.post(url).send_json(body),
        None if method == "GET" => agent.get(url).call(),
        None => agent.delete(url).call(),
    };
    let mut answer =
        answer.unwrap_or_else(|error| panic!("the driver does not answer {method} {url}: {error}"));
    let answer: Value =
        answer.body_mut().with_config().limit(64 << 20).read_json().expect("the driver speaks JSON");
    answer["value"].clone()
}
