//! The page of `pmu page` in Chromium: what it shows, and what a click,
//! a key and a search do.

mod program;

use std::path::{Path, PathBuf};
use std::{env, fs};

use pmu_events_page::{Browser, keys};
use serde_json::{Value, json};

use program::{pmu, project};

/// The page of a model, in a file.
fn page(model: &str) -> PathBuf {
    // A browser may still be reading the page of another test.
    let test = std::thread::current().id();
    let name = format!("{}-{model}-{test:?}.html", env!("CARGO_CRATE_NAME")).replace('/', "-");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut command = pmu();
    command.args(["page", "--model", model, "--html"]).arg(&file);
    // The made-up tree is not one of those that the command contains.
    if model.starts_with("test_soc/") {
        command.arg("--tree").arg(project().join("arch/test"));
    }
    let status = command.status().expect("pmu runs");
    assert!(status.success(), "pmu page --model {model}");
    file
}

fn browser(model: &str, place: &str) -> Browser {
    let browser = Browser::start();
    browser.open(&page(model), place);
    browser
}

/// Whether an element can be seen, or scrolled to. To ask a browser this of
/// thousands that are out of sight takes it minutes.
const IS_SEEN: &str = "const isSeen = (entry) => !entry.closest('[hidden]')
    && !entry.parentElement.closest('details:not([open])');";

/// The names of the entries that can be seen.
fn seen(browser: &Browser) -> Vec<String> {
    let names = browser.run(&format!(
        "{IS_SEEN}
         return Array.from(document.querySelectorAll('.entry')).filter(isSeen)
             .map((entry) => entry.querySelector('code').textContent)"
    ));
    let names = names.as_array().expect("it is a list").iter();
    names.map(|name| name.as_str().expect("it is a text").to_owned()).collect()
}

fn found(browser: &Browser) -> String {
    browser.text_of("return document.getElementById('found').textContent")
}

/// The name of the entry that is marked, and whether it is open and within the
/// window.
fn current(browser: &Browser) -> (String, bool, bool) {
    let found = browser.run(
        "const entry = document.querySelector('.current');
         const { top, bottom } = entry.querySelector('summary').getBoundingClientRect();
         const head = document.querySelector('header').getBoundingClientRect().bottom;
         return [entry.querySelector('code').textContent, entry.open,
                 top >= head && bottom <= innerHeight]",
    );
    let is = |n: usize| found[n] == json!(true);
    (found[0].as_str().expect("it has a name").into(), is(1), is(2))
}

#[test]
fn search_narrows_as_one_types() {
    let browser = browser("sapphirerapids", "");
    let totals = found(&browser);
    let all = seen(&browser);
    let is_of_rqsts = |name: &String| name.contains("L2_RQSTS");
    let of_rqsts: Vec<_> = all.iter().filter(|name| is_of_rqsts(name)).cloned().collect();
    assert!(of_rqsts.len() > 5 && of_rqsts.len() < all.len() / 10);

    // A key, whatever has the focus, leads to the search.
    browser.press("/");
    // A search also finds metrics of the tree that are folded until then.
    let entries = browser.run("return document.querySelectorAll('.entry').length");
    let mut before = entries.as_u64().expect("it is a number") as usize;
    for key in "l2_rqsts.".chars() {
        browser.press(&key.to_string());
        let now = seen(&browser).len();
        assert!(now <= before, "{key}: {now} of {before}");
        before = now;
    }
    let shown = seen(&browser);
    let names: Vec<_> = shown.iter().filter(|name| is_of_rqsts(name)).cloned().collect();
    assert_eq!(names, of_rqsts);
    // Besides, what speaks of such an event, as formulas do.
    assert!(shown.contains(&"l1i_mpki".into()), "{shown:?}");
    let wrong = browser.run(&format!(
        "{IS_SEEN}
         return Array.from(document.querySelectorAll('.entry')).filter((entry) => {{
            const text = entry.cloneNode(true);
            text.querySelector('.users')?.remove();
            const speaks = text.textContent.toLowerCase().includes('l2_rqsts.');
            return speaks !== isSeen(entry);
         }}).map((entry) => entry.id)"
    ));
    assert_eq!(wrong, json!([]));
    let counts: Vec<usize> = found(&browser).split(' ').filter_map(|n| n.parse().ok()).collect();
    let [events, all_events, metrics, all_metrics] = counts[..] else { panic!("{counts:?}") };
    // The tree of metrics starts folded below its upper levels.
    assert!(entries.as_u64() > Some(all.len() as u64), "{entries} of which {}", all.len());
    assert_eq!(events + metrics, shown.len());
    assert_eq!(json!(all_events + all_metrics), entries);
    assert_eq!(totals, format!("{all_events} events, {all_metrics} metrics"));
    // Headings and contents are those of what is found.
    let texts = |selector: &str| {
        browser.run(&format!(
            "return Array.from(document.querySelectorAll('{selector}'))
                .filter((element) => element.checkVisibility())
                .map((element) => element.firstChild.data.trim())"
        ))
    };
    let groups = ["CacheHits", "CacheMisses", "Caches", "common", "IcMiss", "In no group"];
    // Beside what is found, the page always says what the CPU lacks.
    let rest = ["Metrics of other CPUs only", "Events", "cache"];
    assert_eq!(texts("h2, h3"), json!([&["Metrics"][..], &groups, &rest].concat()));
    assert_eq!(texts("nav li a"), json!([&groups[..], &["cache"]].concat()));

    // Words stand for themselves, in any order and letter case.
    for (text, expected) in [
        ("MISS l2_rqsts.all", vec!["L2_RQSTS.ALL_DEMAND_MISS"]),
        ("level 2 tma_core", vec!["tma_backend_bound", "tma_core_bound"]),
        ("no_such_name", vec![]),
        ("<b>&amp;", vec![]),
    ] {
        browser.press(keys::ESCAPE);
        assert_eq!(seen(&browser), all, "escape clears");
        assert_eq!(found(&browser), totals);
        browser.press(text);
        let shown = seen(&browser);
        assert!(expected.iter().all(|name| shown.iter().any(|s| s == name)), "{text}: {shown:?}");
        assert_eq!(shown.is_empty(), expected.is_empty(), "{text}: {shown:?}");
        if expected.is_empty() {
            assert_eq!(found(&browser), "nothing found");
        }
    }
    browser.assert_quiet();
}

#[test]
fn a_formula_leads_to_its_events_and_back() {
    let browser = browser("sapphirerapids", "");
    browser.press("/mispredict_ratio");
    assert_eq!(seen(&browser), ["branch_mispredict_ratio"]);
    browser.click("#metric-branch_mispredict_ratio summary");
    // What one looks at is what the address says.
    browser.wait_for("document.getElementById('metric-branch_mispredict_ratio').open");
    assert_eq!(browser.place(), "#metric-branch_mispredict_ratio");

    // The event is not among what was searched for; it is shown all the same.
    browser.click("#metric-branch_mispredict_ratio a[href='#event-BR_INST_RETIRED.ALL_BRANCHES']");
    browser.wait_for("location.hash === '#event-BR_INST_RETIRED.ALL_BRANCHES'");
    browser.wait_for("document.querySelector('.current')?.id.startsWith('event-')");
    assert_eq!(current(&browser), ("BR_INST_RETIRED.ALL_BRANCHES".into(), true, true));
    assert_eq!(browser.text_of("return document.getElementById('search').value"), "");

    // And on, to another metric that counts it.
    browser.click(".current .users a[href='#metric-branch_mispredict_ratio']");
    browser.wait_for("location.hash === '#metric-branch_mispredict_ratio'");
    browser.wait_for("document.querySelector('.current')?.id.startsWith('metric-')");

    browser.back();
    browser.wait_for("document.querySelector('.current')?.id.startsWith('event-')");
    assert_eq!(current(&browser), ("BR_INST_RETIRED.ALL_BRANCHES".into(), true, true));
    browser.back();
    browser.wait_for("document.querySelector('.current')?.id.startsWith('metric-')");
    assert_eq!(current(&browser), ("branch_mispredict_ratio".into(), true, true));
    // With what was searched for.
    assert_eq!(
        browser.text_of("return document.getElementById('search').value"),
        "mispredict_ratio"
    );
    assert_eq!(seen(&browser), ["branch_mispredict_ratio"]);
    browser.assert_quiet();
}

#[test]
fn addresses_can_be_shared() {
    let browser = Browser::start();
    let file = page("sapphirerapids");
    for (place, name) in [
        ("#event-INST_RETIRED.ANY", "INST_RETIRED.ANY"),
        ("#event-inst_retired.any", "INST_RETIRED.ANY"),
        ("#metric-ipc", "ipc"),
        ("#metric-tma_core_bound", "tma_core_bound"),
    ] {
        // Another page between, so that each is loaded.
        browser.open(Path::new("/dev/null"), "");
        browser.open(&file, place);
        browser.wait_for("document.querySelector('.current')");
        assert_eq!(current(&browser), (name.into(), true, true), "{place}");
        browser.reload();
        browser.wait_for("document.querySelector('.current')");
        assert_eq!(current(&browser), (name.into(), true, true), "{place} again");
    }
    browser.open(&file, "#event-NO.SUCH");
    assert_eq!(browser.run("return document.querySelector('.current')"), Value::Null);
    browser.open(&file, "#topic-cache");
    let top = "document.getElementById('topic-cache').getBoundingClientRect().top";
    browser.wait_for(&format!("{top} >= 0 && {top} < innerHeight"));
    browser.assert_quiet();
}

#[test]
fn metrics_form_a_tree() {
    let browser = browser("powerpc/power9", "");
    let beneath = |metric: &str| {
        browser.run(&format!(
            "const branch = document.getElementById('metric-{metric}').parentElement;
             return Array.from(branch.querySelectorAll(':scope > .parts > .tree > li'))
                 .filter((item) => item.checkVisibility())
                 .map((item) => item.querySelector('code').textContent)"
        ))
    };
    // The top is unfolded, and what is deeper is not.
    let parts = [
        "completion_cpi",
        "issue_hold_cpi",
        "nothing_dispatched_cpi",
        "ntc_fin_cpi",
        "other_cpi",
        "stall_cpi",
        "thread_block_stall_cpi",
    ];
    assert_eq!(beneath("run_cpi"), json!(parts));
    assert_eq!(beneath("stall_cpi"), json!([]));
    browser.click("#metric-stall_cpi + .parts > summary");
    let stalls = beneath("stall_cpi");
    assert!(
        stalls.as_array().is_some_and(|parts| parts.contains(&json!("lsu_stall_cpi"))),
        "{stalls}"
    );
    browser.click("#metric-stall_cpi + .parts > summary");
    assert_eq!(beneath("stall_cpi"), json!([]));

    // A search unfolds what it finds, with what is above, and folds it again.
    browser.press("/bru_stall_cpi");
    let all = seen(&browser);
    for (name, is_shown) in [
        ("run_cpi", true),
        ("stall_cpi", true),
        ("bru_stall_cpi", true),
        ("other_cpi", false),
        ("lsu_stall_cpi", false),
    ] {
        assert_eq!(all.iter().any(|shown| shown == name), is_shown, "{name}: {all:?}");
    }
    browser.press(keys::ESCAPE);
    assert_eq!(beneath("stall_cpi"), json!([]));

    browser.click("h2 button");
    assert_eq!(beneath("stall_cpi"), stalls);
    browser.click("h2 button");
    assert_eq!(beneath("run_cpi"), json!([]));
    browser.assert_quiet();
}

#[test]
fn a_keyboard_is_enough() {
    let browser = browser("sapphirerapids", "");
    let focus =
        || browser.text_of("return document.activeElement.textContent.trim().split(' ')[0]");
    browser.press("/tma_");
    browser.press(keys::DOWN);
    assert_eq!(focus(), "tma_backend_bound");
    let is_open = "document.activeElement.parentElement.open";
    browser.press(keys::RIGHT);
    browser.wait_for(is_open);
    browser.press(keys::LEFT);
    browser.wait_for(&format!("!{is_open}"));
    browser.press(&keys::DOWN.repeat(2));
    assert_eq!(focus(), "tma_core_bound");
    browser.press(keys::LEFT);
    assert_eq!(browser.text_of("return document.activeElement.parentElement.className"), "parts");
    browser.press(&keys::UP.repeat(2));
    assert_eq!(browser.text_of("return document.activeElement.id"), "search");
    browser.press(&keys::ESCAPE.repeat(2));
    assert_eq!(browser.text_of("return document.activeElement.localName"), "body");
    browser.press("/ipc");
    browser.press(keys::ENTER);
    assert_eq!(focus(), "ipc");
    browser.press(keys::ENTER);
    browser.wait_for(is_open);
    browser.assert_quiet();
}

/// Enter leads to the name that was typed, wherever it is on the page.
#[test]
fn search_ranks_the_name_first() {
    let browser = browser("sapphirerapids", "");
    let focus =
        || browser.text_of("return document.activeElement.querySelector('code').textContent");
    let cases = [
        ("topdown.backend_bound_slots", "TOPDOWN.BACKEND_BOUND_SLOTS"),
        // Others have it in their formulas, and before it.
        ("tma_memory_bound", "tma_memory_bound"),
        ("r412e", "LONGEST_LAT_CACHE.MISS"),
        ("cache-misses", "LONGEST_LAT_CACHE.MISS"),
        ("longest_lat_cache", "LONGEST_LAT_CACHE.MISS"),
    ];
    for (typed, name) in cases {
        browser.press(&format!("/{typed}"));
        assert!(found(&browser).ends_with(&format!("; {name}")), "{}", found(&browser));
        browser.press(keys::ENTER);
        assert_eq!(focus(), name, "{typed}");
        browser.press(keys::ESCAPE);
    }
    // The link beside the number leads there, too.
    browser.press("/r412e");
    browser.click("#found a");
    browser.wait_for("document.querySelector('.current')");
    assert_eq!(current(&browser), ("LONGEST_LAT_CACHE.MISS".into(), true, true));
    browser.back();
    browser.wait_for("document.getElementById('search').value === 'r412e'");
    browser.assert_quiet();
}

/// What is odd in names and texts is shown as it is.
#[test]
fn texts_are_shown_as_they_are() {
    let browser = browser("test_soc/cpu", "");
    let text =
        |id: &str| browser.text_of(&format!("return document.getElementById('{id}').textContent"));
    assert!(text("event-TEXT.PERCENT_{}").contains("Formats: {} {{}} %s %% \\0 \\x41 #x"));
    assert!(text("event-TEXT.QUOTES").contains("Says \"quoted\" and 'apostrophe' and `tick`"));
    assert!(text("event-TEXT.NON_ASCII").contains("Zähler für ½ µs – “quoted” … 数 😀"));
    assert!(text("metric-expr_if").contains("(expr_if > 0.1) & ((plain > 3) | (all_fields < 1))"));
    browser.assert_quiet();
}

/// Paper shows what a click would.
#[test]
fn prints_what_is_folded() {
    let browser = browser("sapphirerapids", "");
    // In sight, as far as a window goes.
    let isnt_seen = "return Array.from(document.querySelectorAll('dd')).slice(0, 50)
        .filter((fact) => !fact.checkVisibility()).length";
    assert_ne!(browser.run(isnt_seen), json!(0));
    browser.chrome("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    assert_eq!(browser.run(isnt_seen), json!(0));
    for selector in ["nav", "search", "h2 button"] {
        let element = format!("return document.querySelector('{selector}').checkVisibility()");
        assert_eq!(browser.run(&element), json!(false), "{selector}");
    }
    browser.assert_quiet();
}

/// A page of the size that the largest models have finds what there is. What
/// it takes is printed: `tests/page/run -- --nocapture`.
#[test]
fn search_among_five_thousand_events() {
    let small = fs::read_to_string(page("sapphirerapids")).expect("it can be read");
    let (before, events) = small.split_once("<section id=\"events\">").expect("it has events");
    let (events, behind) = events.split_once("</main>").expect("main ends");
    // The same events again, as further topics; in the contents, too.
    let (head, contents) =
        before.split_once("<a class=\"kind\" href=\"#events\">").expect("a link");
    let (contents, metrics) = contents.split_once("</nav>").expect("nav ends");
    let copies = 5_000usize.div_ceil(events.matches("id=\"event-").count());
    let copied = |text: &str, what: [&str; 2]| -> String {
        let copy = |n| {
            what.iter().fold(text.to_owned(), |text, what| {
                text.replace(&format!("\"{what}-"), &format!("\"{what}-{n}-"))
            })
        };
        (0..copies).map(copy).collect()
    };
    let mut large = format!("{head}<a class=\"kind\" href=\"#events\">");
    large.push_str(&copied(contents, ["#topic", "#event"]));
    large.push_str("</nav>");
    large.push_str(metrics);
    large.push_str("<section id=\"events\">");
    let (events, _) = events.rsplit_once("</section>").expect("the section ends");
    large.push_str(&copied(events, ["topic", "event"]));
    large.push_str("</section>\n</main>");
    large.push_str(behind);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("large.html");
    fs::write(&file, large).expect("it can be written");

    let browser = Browser::start();
    browser.open(&file, "");
    let count = browser.run("return document.querySelectorAll('#events .entry').length");
    assert!(count.as_u64().is_some_and(|count| count >= 5_000), "{count}");
    // Texts are ready when somebody has had the time to reach for the keyboard.
    std::thread::sleep(std::time::Duration::from_millis(500));
    // What each text costs the page until it is painted, the best of five: time
    // of the processor, which is the same however busy the machine is.
    browser.chrome("Performance.enable", &json!({ "timeDomain": "threadTicks" }));
    let used = || {
        let metrics = browser.chrome("Performance.getMetrics", &json!({}));
        let metrics = metrics["metrics"].as_array().expect("it is a list");
        let tasks = metrics.iter().find(|metric| metric["name"] == "TaskDuration");
        1e3 * tasks.and_then(|tasks| tasks["value"].as_f64()).expect("it is a number")
    };
    let texts = ["l", "l2", "l2_", "l2_r", "l2_rq", "", "u", "un", "unc", "unc r", ""];
    let mut best = [f64::INFINITY; 11];
    for round in 0..5 {
        for (text, best) in texts.iter().zip(&mut best) {
            let before = used();
            let _ = browser.run(&format!(
                "const search = document.getElementById('search');
                 search.value = '{text}';
                 search.dispatchEvent(new Event('input'));
                 return new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
            ));
            *best = best.min(used() - before);
            if round > 0 {
                continue;
            }
            let shown = browser.run(&format!(
                "{IS_SEEN}
                 return Array.from(document.querySelectorAll('#events .entry'))
                     .filter(isSeen).length"
            ));
            // Of all, the page says what it said when it was written.
            let said = found(&browser);
            let events = said.split(' ').next().and_then(|n| n.parse::<u64>().ok());
            assert!(events.is_some_and(|events| events > 0), "{text}: {said}");
            let expected = if text.is_empty() { &count } else { &json!(events) };
            assert_eq!(&shown, expected, "{text}: {said}");
        }
    }
    let times: Vec<_> = texts.iter().zip(best).collect();
    println!("{count} events; milliseconds to each text: {times:.1?}");
}

/// With `PMU_EVENTS_SCREENSHOTS`, a directory, keeps what there is to look at.
#[test]
fn fits_every_screen() {
    let browser = Browser::start();
    let to = env::var_os("PMU_EVENTS_SCREENSHOTS").map(PathBuf::from);
    let file = page("sapphirerapids");
    let colour =
        || browser.text_of("return getComputedStyle(document.documentElement).backgroundColor");
    let mut papers = Vec::new();
    for (name, width, height, dark, place) in [
        ("light", 1280, 900, false, ""),
        ("dark", 1280, 900, true, "#metric-tma_core_bound"),
        ("event", 1280, 900, false, "#event-BR_MISP_RETIRED.ALL_BRANCHES"),
        ("uncore-dark", 1280, 900, true, "#topic-uncore%20cache"),
        ("phone", 390, 844, false, ""),
        ("phone-dark", 390, 844, true, "#metric-tma_backend_bound"),
    ] {
        browser.screen(width, height, dark);
        browser.open(Path::new("/dev/null"), "");
        browser.open(&file, place);
        papers.push((dark, colour()));
        // Nothing sticks out.
        let too_wide = browser.run("return document.documentElement.scrollWidth - innerWidth");
        assert!(too_wide.as_i64().is_some_and(|pixels| pixels <= 0), "{name}: {too_wide}");
        if let Some(to) = &to {
            let shot = pmu_events_page::decoded(&browser.screenshot());
            fs::write(to.join(name).with_extension("png"), shot).expect("it can be written");
        }
    }
    papers.sort();
    papers.dedup();
    assert_eq!(papers.len(), 2, "one for light, one for dark: {papers:?}");
    browser.assert_quiet();
}

/// The policy of the page permits its own script, and none that got into it: neither an
/// element nor a handler.
#[test]
fn only_its_own_script_runs() {
    let own = fs::read_to_string(page("silvermont")).expect("it was written");
    let injected = own.replacen(
        "<main>",
        "<main><script>document.title = 'injected'</script>
         <img src=\"data:,\" onerror=\"document.title = 'handled'\">",
        1,
    );
    assert_ne!(injected, own);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("injected.html");
    fs::write(&file, injected).expect("it can be written");
    let browser = Browser::start();
    browser.open(&file, "");
    // The page's script shows the search, and finds.
    browser.press("/");
    browser.press("no such name");
    assert!(seen(&browser).is_empty(), "{}", found(&browser));
    let title = browser.text_of("return document.title");
    assert!(title.starts_with("x86/silvermont"), "{title}");
    let refused = browser.console();
    assert!(refused.contains("Content Security Policy"), "{refused}");
}
