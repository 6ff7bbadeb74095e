//! The page of `pmu report --html` in Chromium: what it shows, and what a click, a key and a search
//! do.

mod program;

use std::path::{Path, PathBuf};
use std::{env, fs};

use pmu_events_page::{Browser, keys};
use serde_json::{Value, json};

#[allow(dead_code)]
#[path = "../../common/recording.rs"]
mod recording;

use program::pmu;
use recording::{CALLCHAIN, OF_USER, Recording};

/// Where the code of each function begins; a function is a file of its own.
const FIRST: u64 = 0x10_0000;
const SIZE: u64 = 0x1000;

/// A recording of chains of functions from the outermost inwards, each with its thread and the
/// number of its samples.
fn recorded(functions: &[&str], chains: &[(&str, Vec<usize>, usize)]) -> Recording {
    let mut recording = Recording::new(CALLCHAIN);
    for (n, function) in functions.iter().enumerate() {
        recording.map(0, FIRST + n as u64 * SIZE, SIZE, 0, function);
    }
    for (thread, chain, number) in chains {
        recording.rename(thread);
        let addresses = chain.iter().rev().map(|&n| FIRST + n as u64 * SIZE + 8);
        // `PERF_CONTEXT_USER`
        let words: Vec<u64> = std::iter::once(-512_i64 as u64).chain(addresses).collect();
        let further: Vec<u64> = std::iter::once(words.len() as u64).chain(words).collect();
        for _ in 0..*number {
            recording.sample(OF_USER, further[2], None, &further);
        }
    }
    recording
}

/// The page of a recording, in a file.
fn page(name: &str, recording: &Recording) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (data, html) =
        (directory.join(format!("{name}.data")), directory.join(format!("{name}.html")));
    fs::write(&data, recording.bytes()).expect("it can be written");
    let status = pmu().args(["report", "-i"]).arg(&data).arg("--html").arg(&html).status();
    assert!(status.expect("pmu runs").success());
    html
}

/// Two threads that call three functions.
fn usual() -> Recording {
    let functions = ["/bin/main", "/lib/hot", "/lib/cold"];
    recorded(
        &functions,
        &[
            ("busy", vec![0, 1], 6),
            ("busy", vec![0, 2], 2),
            ("busy", vec![0], 1),
            ("idle", vec![0, 2], 1),
        ],
    )
}

/// The text of what has the focus.
fn focused(browser: &Browser) -> String {
    browser.text_of("return document.activeElement.querySelector('b')?.textContent ?? ''")
}

/// The functions of the table that can be seen, with what they have themselves.
fn rows(browser: &Browser) -> Value {
    browser.run(
        "return Array.from(document.querySelectorAll('tbody tr:not([hidden])'))
             .map((row) => [row.cells[0].textContent, row.cells[2].textContent,
                            row.cells[3].textContent])",
    )
}

/// The frames that can be seen, with their widths in percent of the graph.
fn frames(browser: &Browser) -> Value {
    browser.run(
        "const graph = document.querySelector('.flame').getBoundingClientRect();
         return Array.from(document.querySelectorAll('.flame li')).filter((item) => item.checkVisibility())
             .map((item) => [item.querySelector('b').textContent,
                 Math.round(100 * item.getBoundingClientRect().width / graph.width)])",
    )
}

#[test]
fn the_graph_and_the_table() {
    let browser = Browser::start();
    browser.open(&page("usual", &usual()), "");
    let expected = json!([
        ["cpu-clock", 100],
        ["busy", 90],
        ["[main]", 90],
        ["[hot]", 60],
        ["[cold]", 20],
        ["idle", 10],
        ["[main]", 10],
        ["[cold]", 10]
    ]);
    assert_eq!(frames(&browser), expected);
    let expected = json!([
        ["[hot]", "60.00 %", "60.00 %"],
        ["[cold]", "30.00 %", "30.00 %"],
        ["[main]", "10.00 %", "100.00 %"]
    ]);
    assert_eq!(rows(&browser), expected);

    // Columns are sorted by a click, numbers from the largest, and the other way by a second one.
    browser.click("thead th:nth-child(4) button");
    let first = |browser: &Browser| rows(browser)[0][0].clone();
    assert_eq!(first(&browser), "[main]");
    browser.click("thead th:nth-child(1) button");
    assert_eq!(first(&browser), "[cold]");
    browser.click("thead th:nth-child(1) button");
    assert_eq!(first(&browser), "[main]");
    let sorted = browser
        .run("return Array.from(document.querySelectorAll('thead th'), (head) => head.ariaSort)");
    assert_eq!(sorted, json!(["descending", null, null, null, null]));

    // The search narrows the table, marks the graph and tells the share.
    browser.press("/cold");
    assert_eq!(rows(&browser), json!([["[cold]", "30.00 %", "30.00 %"]]));
    let marked = browser.run(
        "return Array.from(document.querySelectorAll('.match'), (item) => item.title.split(':')[0])",
    );
    assert_eq!(marked, json!(["[cold] (cold)", "[cold] (cold)"]));
    let text =
        |id: &str| browser.text_of(&format!("return document.querySelector('{id}').textContent"));
    assert_eq!(
        (text("#found"), text(".matched")),
        ("1 of 3 functions".into(), "30.00 % matches".into())
    );
    // What matches within what matches counts once.
    browser.press(keys::ESCAPE);
    assert_eq!((text("#found"), text(".matched")), ("10 samples".into(), String::new()));
    browser.press("busy");
    assert_eq!(text(".matched"), "90.00 % matches");
    browser.assert_quiet();
}

/// All that a mouse does, a keyboard does, too; a screen reader finds a tree.
#[test]
fn keys_move_and_magnify() {
    let browser = Browser::start();
    browser.open(&page("keys", &usual()), "");
    browser.press("/");
    browser.press(keys::DOWN);
    assert_eq!(focused(&browser), "cpu-clock");
    for (key, expected) in [
        (keys::DOWN, "busy"),
        (keys::RIGHT, "idle"),
        (keys::RIGHT, "idle"),
        (keys::LEFT, "busy"),
        (keys::DOWN, "[main]"),
        (keys::DOWN, "[hot]"),
        (keys::RIGHT, "[cold]"),
        (keys::ENTER, "[cold]"),
    ] {
        browser.press(key);
        assert_eq!(focused(&browser), expected);
    }
    // Magnified, it is as wide as all that is above it.
    let expected = json!([["cpu-clock", 100], ["busy", 100], ["[main]", 100], ["[cold]", 100]]);
    assert_eq!(frames(&browser), expected);
    browser.press(keys::ESCAPE);
    assert_eq!(frames(&browser)[3], json!(["[hot]", 60]));
    assert_eq!(focused(&browser), "[cold]");
    browser.click(".flame li:nth-child(6)");
    assert_eq!(frames(&browser)[1], json!(["idle", 100]));
    browser.click(".flame li:nth-child(1)");
    assert_eq!(frames(&browser)[1], json!(["busy", 90]));

    let roles = browser.run(
        "const item = document.querySelector('.flame li:nth-child(4)');
         return [item.parentElement.role, item.role, item.ariaLevel, item.ariaLabel,
                 document.querySelectorAll('.flame [tabindex=\"0\"]').length]",
    );
    let label = "[hot] (hot): 60.00 %, itself 60.00 %, 6 samples";
    assert_eq!(roles, json!(["tree", "treeitem", "4", label, 1]));
    let tree = browser.chrome("Accessibility.getFullAXTree", &json!({}));
    let nodes = tree["nodes"].as_array().expect("it is a list");
    let named = |role: &str, name: &str| {
        nodes.iter().any(|node| node["role"]["value"] == role && node["name"]["value"] == name)
    };
    assert!(named("treeitem", label) && named("tree", "Call chains"), "{tree}");
    assert!(named("table", "Functions of cpu-clock"), "{tree}");
    browser.assert_quiet();
}

/// Names are what a program says; nothing in them runs.
#[test]
fn hostile_names() {
    let hostile = "<img src=x onerror=\"document.title='ran'\">'&";
    let function = format!("/lib/{}", hostile.replace('/', ""));
    let browser = Browser::start();
    let file = page("hostile", &recorded(&[&function], &[(hostile, vec![0], 1)]));
    browser.open(&file, "");
    assert_eq!(browser.run("return document.querySelectorAll('img').length"), 0);
    assert_ne!(browser.text_of("return document.title"), "ran");
    assert_eq!(frames(&browser)[1], json!([hostile, 100]));
    assert_eq!(rows(&browser)[0][0], format!("[{}]", hostile));
    browser.assert_quiet();
    // The policy would not let it run, either.
    let own = fs::read_to_string(&file).expect("it was written");
    let injected = own.replacen(
        "<main>",
        "<main><script>document.title = 'ran'</script>\
         <img src=\"data:,\" onerror=\"document.title = 'ran'\">",
        1,
    );
    assert_ne!(own, injected);
    fs::write(&file, injected).expect("it can be written");
    browser.open(&file, "");
    browser.press("/no such name");
    assert_eq!(rows(&browser), json!([]));
    assert_ne!(browser.text_of("return document.title"), "ran");
    assert!(browser.console().contains("Content Security Policy"));
}

/// A recording of more chains than a page can have stays a page that can be used, and says what it
/// leaves out.
#[test]
fn large_recordings() {
    let names: Vec<String> = (0..400).map(|n| format!("/lib/function_{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below
    };
    let chains: Vec<_> = (0..3_000)
        .map(|_| ("thread", (0..30).map(|_| next(names.len())).collect(), 1 + next(3)))
        .collect();
    let file = page("large", &recorded(&names, &chains));
    assert!(fs::metadata(&file).expect("it is there").len() < 4 << 20);
    let browser = Browser::start();
    browser.open(&file, "");
    let items = browser.run("return document.querySelectorAll('.flame li').length");
    assert_eq!(items, 6_000);
    let text = browser.text_of("return document.querySelector('main').textContent");
    assert!(text.contains("are left out of the picture"), "{}", &text[text.len() - 500..]);
    browser.press("/function_7");
    let found = browser.text_of("return document.getElementById('found').textContent");
    assert_eq!(found, "11 of 400 functions");
    browser.press(keys::DOWN);
    browser.press(keys::DOWN);
    browser.press(keys::ENTER);
    assert_eq!(focused(&browser), "thread");
    browser.assert_quiet();
}

/// With `PMU_EVENTS_SCREENSHOTS`, a directory, keeps what there is to look at.
#[test]
fn fits_every_screen() {
    let browser = Browser::start();
    let file = page("screens", &usual());
    let to = env::var_os("PMU_EVENTS_SCREENSHOTS").map(PathBuf::from);
    let mut papers = Vec::new();
    for (name, width, height, dark) in [
        ("report-light", 1280, 900, false),
        ("report-dark", 1280, 900, true),
        ("report-phone", 390, 844, false),
        ("report-phone-dark", 390, 844, true),
    ] {
        browser.screen(width, height, dark);
        browser.open(&file, "");
        papers.push(
            browser.text_of("return getComputedStyle(document.documentElement).backgroundColor"),
        );
        let too_wide = browser.run("return document.documentElement.scrollWidth - innerWidth");
        assert!(too_wide.as_i64().is_some_and(|pixels| pixels <= 0), "{name}: {too_wide}");
        if let Some(to) = &to {
            let shot = pmu_events_page::decoded(&browser.screenshot());
            fs::write(to.join(name).with_extension("png"), shot).expect("it can be written");
        }
    }
    assert_eq!((&papers[0], &papers[1]), (&papers[2], &papers[3]));
    assert_ne!(papers[0], papers[1]);
    browser.assert_quiet();
}
