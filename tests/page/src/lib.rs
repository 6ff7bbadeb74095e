//! A browser, driven as WebDriver says (<https://www.w3.org/TR/webdriver2/>):
//! Chromium without a window, by way of `chromedriver`, over the loopback.

mod http;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The key under which WebDriver names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Keys that are not characters (WebDriver, 17.4.2).
pub mod keys {
    pub const ENTER: &str = "\u{e007}";
    pub const ESCAPE: &str = "\u{e00c}";
    pub const LEFT: &str = "\u{e012}";
    pub const UP: &str = "\u{e013}";
    pub const RIGHT: &str = "\u{e014}";
    pub const DOWN: &str = "\u{e015}";
}

/// One page of a browser, which ends with it.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

/// An element of the page.
pub struct Element(String);

impl Browser {
    /// Starts a browser.
    ///
    /// # Panics
    ///
    /// As all methods: when the browser does not do what it should.
    #[must_use]
    pub fn start() -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed");
        let out = BufReader::new(driver.stdout.take().expect("it is piped"));
        let mut lines = out.lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let port = port.expect("chromedriver says on which port it listens");
        let mut browser = Browser { driver, port, session: String::new() };
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": [
                "--headless=new",
                // Root, as in a container, has no sandbox.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--hide-scrollbars",
                "--no-first-run",
                "--window-size=1280,900",
            ]},
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        }}});
        let session = browser.ask("POST", "/session", &capabilities);
        let session = session["sessionId"].as_str().expect("there is a session");
        browser.session = format!("/session/{session}");
        browser
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = http::ask(self.port, method, path, &body.to_string());
        let mut answer: Value = serde_json::from_str(&answer).expect("the answer is JSON");
        assert_eq!(status, 200, "{method} {path} {body}: {}", answer["value"]["message"]);
        answer["value"].take()
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        self.ask("POST", &format!("{}/{command}", self.session), body)
    }

    /// Opens a file, at a place: `#metric-ipc`, or none.
    pub fn open(&self, file: &Path, place: &str) {
        self.post("url", &json!({ "url": format!("file://{}{place}", file.display()) }));
    }

    /// The part of the address behind `#`, with it.
    #[must_use]
    pub fn place(&self) -> String {
        self.text_of("return location.hash")
    }

    /// Goes back in the history.
    pub fn back(&self) {
        self.post("back", &json!({}));
    }

    /// Loads the page again.
    pub fn reload(&self) {
        self.post("refresh", &json!({}));
    }

    /// What a function's body returns.
    #[must_use]
    pub fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// What a function's body returns, which is a text.
    #[must_use]
    pub fn text_of(&self, script: &str) -> String {
        self.run(script).as_str().expect("it is a text").to_owned()
    }

    /// Waits until something holds. What follows from a click may take a
    /// moment.
    #[track_caller]
    pub fn wait_for(&self, script: &str) {
        let start = Instant::now();
        while self.run(&format!("return Boolean({script})")) != json!(true) {
            assert!(start.elapsed() < Duration::from_secs(10), "never: {script}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The first element that a CSS selector means.
    #[must_use]
    pub fn element(&self, selector: &str) -> Element {
        let found = self.post("element", &json!({ "using": "css selector", "value": selector }));
        Element(found[ELEMENT].as_str().expect("it is an element").into())
    }

    /// Clicks where an element is seen.
    pub fn click(&self, selector: &str) {
        let Element(id) = self.element(selector);
        self.post(&format!("element/{id}/click"), &json!({}));
    }

    /// Presses keys, whatever has the focus.
    pub fn press(&self, keys: &str) {
        let mut actions = Vec::new();
        for key in keys.chars().map(String::from) {
            actions.push(json!({ "type": "keyDown", "value": key }));
            actions.push(json!({ "type": "keyUp", "value": key }));
        }
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.post("actions", &json!({ "actions": [keyboard] }));
    }

    /// A command of the Chrome DevTools Protocol.
    pub fn chrome(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// As on a screen of that width, which is dark or not.
    pub fn screen(&self, width: u32, height: u32, dark: bool) {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        self.chrome("Emulation.setDeviceMetricsOverride", &metrics);
        let scheme = if dark { "dark" } else { "light" };
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.chrome("Emulation.setEmulatedMedia", &json!({ "features": [feature] }));
    }

    /// What is seen, as a PNG in base 64.
    #[must_use]
    pub fn screenshot(&self) -> String {
        let shot = self.ask("GET", &format!("{}/screenshot", self.session), &json!({}));
        shot.as_str().expect("it is a text").to_owned()
    }

    /// What the page's console has said since the last call.
    #[must_use]
    pub fn console(&self) -> String {
        let log = self.post("se/log", &json!({ "type": "browser" }));
        let mut said = String::new();
        for entry in log.as_array().expect("it is a list") {
            let _ = writeln!(said, "{}: {}", entry["level"], entry["message"]);
        }
        said
    }

    /// The addresses that have been asked for since the last call.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        let log = self.post("se/log", &json!({ "type": "performance" }));
        let log = log.as_array().expect("it is a list");
        let messages = log.iter().filter_map(|entry| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let event = &message["message"];
            (event["method"] == "Network.requestWillBeSent")
                .then(|| event["params"]["request"]["url"].as_str().map(String::from))?
        });
        messages.collect()
    }

    /// Asserts that nothing went wrong, and that nothing but the page itself was asked for.
    #[track_caller]
    pub fn assert_quiet(&self) {
        assert_eq!(self.console(), "");
        let elsewhere = self.requests().into_iter();
        let elsewhere: Vec<_> = elsewhere
            .filter(|url| !url.starts_with("file://") && !url.starts_with("data:"))
            .collect();
        assert_eq!(elsewhere, [""; 0]);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends Chromium; without a session there is none.
        if !self.session.is_empty() {
            http::ask(self.port, "DELETE", &self.session, "");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The bytes that base 64 stands for (RFC 4648).
#[must_use]
pub fn decoded(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|&c| c != b'=').map(value).collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let word = four.iter().fold(0u32, |word, &digit| word << 6 | u32::from(digit));
        let word = word << (6 * (4 - four.len()));
        word.to_be_bytes().into_iter().skip(1).take(four.len() - 1)
    });
    bytes.collect()
}
