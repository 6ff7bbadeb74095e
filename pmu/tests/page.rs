//! What `pmu page` writes. How a browser shows it is tested in
//! `tests/page`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use pmu_events::{Model, Tree};

#[path = "../../tests/common/html.rs"]
mod html;
#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;
#[path = "common/sha256.rs"]
mod sha256;
#[path = "../src/html/text.rs"]
mod writing;

use html::{Element, parse};
use run::{PMU, Run};

mod test {
    pmu_events::pmu_events!("../arch/test");
}

fn run(arguments: &[&str]) -> Run {
    run::finish(run::command().arg("page").args(arguments))
}

/// A run that must succeed in silence.
#[track_caller]
fn output(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{arguments:?}");
    run.out
}

/// A model of the made-up SoC or shop, or one that comes with the program.
fn page(model: &str) -> String {
    output(&[&of(model)[..], &["--html", "-"]].concat())
}

fn of(model: &str) -> Vec<&str> {
    if model.starts_with("test_soc/") {
        return vec!["--tree", "../arch/test", "--model", model];
    }
    match model.strip_prefix("shop/") {
        Some(model) => vec!["--tree", "../tests/trees/shop", "--model", model],
        None => vec!["--model", model],
    }
}

/// The entries of a section, by their names.
fn entries<'p>(page: &'p Element, section: &str) -> Vec<(String, &'p Element)> {
    let section = page.find(|element| element.attribute("id") == Some(section));
    let all = section.map(Element::all).unwrap_or_default().into_iter();
    let entries = all.filter(|element| element.has_class("entry"));
    entries.map(|entry| (name(entry), entry)).collect()
}

fn name(entry: &Element) -> String {
    entry.find(|element| element.tag == "code").expect("it has a name").text()
}

/// What an entry says under a label.
fn fact<'p>(entry: &'p Element, label: &str) -> Option<&'p Element> {
    let list = entry.find(|element| element.tag == "dl")?;
    let mut elements = list.elements();
    elements.find(|element| element.text() == label)?;
    elements.next()
}

#[test]
fn help_and_version() {
    for option in ["--help", "-h"] {
        let help = output(&[option]);
        assert!(help.contains("Usage: pmu page [OPTIONS] --html <FILE>"), "{help}");
        for option in ["--html", "--cpuid", "--model"] {
            assert!(help.contains(option), "{option} in {help}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
    for option in ["--version", "-V"] {
        assert!(output(&[option]).starts_with("pmu-page "));
    }
}

#[test]
fn refusals() {
    let cases: &[(&[&str], i32, &str)] = &[
        (
            &[],
            2,
            "required arguments were not provided:
  --html <FILE>",
        ),
        (&["--html"], 2, "a value is required for '--html <FILE>'"),
        (&["--htlm=x"], 2, "a similar argument exists: '--html'"),
        (&["--html=-", "zen5"], 2, "unexpected argument 'zen5' found"),
        (&["--html=-", "--", "-x"], 2, "unexpected argument '-x' found"),
        (&["--cpuid=a", "--model=b", "--html=-"], 2, "cannot be used with"),
        (&["--from=a", "--model=b", "--html=-"], 2, "cannot be used with"),
        (&["--help=x"], 2, "unexpected value 'x' for '--help' found"),
        (&["--model=sapphirerapid", "--html=-"], 1, "did you mean `sapphirerapids`?"),
        (&["--cpuid=AuthenticAMD-99-99-9", "--html=-"], 1, "AuthenticAMD-99-99-9"),
        (&["--cpuid=AuthenticAMD-99-99-9", "--html=-"], 1, "x86/sapphirerapids"),
        (&["--model=skylake", "--html=/no/such/directory"], 1, "/no/such/directory"),
        (&["--model=skylake", "--html=/"], 1, "cannot write `/`"),
    ];
    for &(arguments, code, message) in cases {
        let run = run(arguments);
        assert_eq!((run.code, run.out.len()), (Some(code), 0), "{arguments:?}");
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
        assert_eq!(run.err.starts_with("pmu page: "), code == 1, "{}", run.err);
    }
}

/// Of every model of `arch/`: all is there once, every link leads somewhere,
/// and the page asks nobody for anything.
#[test]
fn every_model_is_whole() {
    let listed = |arguments: &[&str]| -> Vec<serde_json::Value> {
        let out = Command::new(PMU)
            .arg("list")
            .args(arguments)
            .arg("--json")
            .output()
            .expect("list runs");
        let lines = serde_json::Deserializer::from_slice(&out.stdout).into_iter();
        lines.collect::<Result<_, _>>().expect("the output is JSON")
    };
    let models = listed(&["--models"]);
    let models: BTreeSet<String> = models
        .iter()
        .map(|model| {
            let part = |key: &str| model[key].as_str().expect("it is a text").to_owned();
            format!("{}/{}", part("architecture"), part("model"))
        })
        .collect();
    assert!(models.len() > 5);
    for model in &models {
        let text = page(model);
        let page = parse(&text);
        let expected = listed(&["--model", model, "--deprecated"]);
        for (section, kind) in [("events", "event"), ("metrics", "metric")] {
            let expected = expected.iter().filter(|entry| entry["kind"] == kind);
            let mut expected: Vec<_> =
                expected.filter_map(|entry| entry["name"].as_str()).collect();
            let mut names: Vec<_> =
                entries(&page, section).into_iter().map(|(name, _)| name).collect();
            expected.sort_unstable();
            names.sort_unstable();
            assert_eq!(names, expected, "{model}");
        }

        let elements = page.all();
        let mut ids = BTreeSet::new();
        for id in elements.iter().filter_map(|element| element.attribute("id")) {
            assert!(ids.insert(id), "{model}: #{id} is there twice");
            assert!(id.bytes().all(|c| c.is_ascii_graphic()), "{model}: #{id}");
        }
        let links = elements.iter().filter(|element| element.tag == "a");
        for link in links {
            let to = link.attribute("href").and_then(|to| to.strip_prefix('#'));
            let to = to.unwrap_or_else(|| panic!("{model}: {link:?}"));
            assert!(ids.contains(to), "{model}: #{to} is nowhere");
        }
        for elsewhere in ["http:", "https:", " src=", "url(", "@import", "fetch(", "import("] {
            assert!(!text.contains(elsewhere), "{model}: {elsewhere}");
        }
        assert_eq!(text.matches("<script").count(), 1, "{model}");
    }
}

/// What the tree says is on the page, as it is.
#[test]
fn facts_of_the_made_up_soc() {
    let models: Vec<Model> = <Tree>::models(&test::TREE).collect();
    let model = models.iter().find(|model| model.name() == "test_soc/cpu").expect("it is there");
    let page = parse(&page("test_soc/cpu"));
    // HTML has no way to write other control characters.
    let shown = |text: String| -> String {
        // A browser takes one for a line end, too.
        text.chars().map(|c| if c == '\r' { '\n' } else { c }).collect()
    };
    let shown_events = entries(&page, "events");
    for event in model.events() {
        let of_event = |entry: &Element| {
            name(entry) == event.name()
                && fact(entry, "PMU").is_some_and(|pmu| pmu.text() == event.pmu())
        };
        let (_, entry) =
            shown_events.iter().find(|(_, entry)| of_event(entry)).expect("it is there");
        let said = |label| fact(entry, label).map(Element::text);
        assert_eq!(said("event string"), Some(event.event_string().into()), "{event:?}");
        assert_eq!(said("scale unit"), event.scale_unit().map(String::from), "{event:?}");
        assert_eq!(said("errata"), event.errata().map(String::from), "{event:?}");
        assert_eq!(entry.has_class("deprecated"), event.is_deprecated(), "{event:?}");
        let text = entry.text();
        let brief = event.description().map(|brief| brief.trimmed().to_string());
        for description in
            [brief, event.long_description().map(|public| public.trimmed().to_string())]
        {
            let description = shown(description.unwrap_or_default());
            assert!(text.contains(&description), "{description} in {text}");
        }
    }
    for (metric, (name, entry)) in model.metrics().zip(by_name(entries(&page, "metrics"))) {
        assert_eq!(name, metric.name());
        let said = |label| fact(entry, label).map(Element::text);
        let threshold = metric.threshold().map(|threshold| threshold.to_string());
        assert_eq!(said("threshold"), threshold, "{metric:?}");
        assert_eq!(said("scale unit"), metric.scale_unit().map(String::from), "{metric:?}");
        if name != "plain" {
            assert_eq!(said("expression"), Some(metric.expression().to_string()), "{metric:?}");
        }
    }
}

/// As the model has metrics.
fn by_name(mut entries: Vec<(String, &Element)>) -> Vec<(String, &Element)> {
    entries.sort_by_key(|(name, _)| name.to_lowercase());
    entries
}

/// What the names in formulas lead to.
#[test]
fn formulas_lead_to_what_they_name() {
    let cases = [
        ("test_soc/cpu", "metric-plain", "expression", &["event-NOTE.LA", "event-NOTE.NONE"][..]),
        ("test_soc/cpu", "metric-plain@uncore_cha", "expression", &["event-UNIT.ONLY"]),
        ("test_soc/cpu", "metric-expr_if", "threshold", &["metric-plain", "metric-all_fields"]),
        // Of the metric's own PMU where it has one.
        ("test_soc/cpu", "metric-all_fields", "threshold", &["metric-plain@uncore_cha"]),
        ("test_soc/cpu", "metric-expr_pmu", "expression", &["event-NOTE.LA", "event-UNIT.ONLY"]),
        ("test_soc/cpu", "metric-expr_dash", "expression", &["metric-Mixed_Case-Metric"]),
        // A value does not need itself.
        ("test_soc/cpu", "metric-metric.same_name", "expression", &["event-METRIC.SAME_NAME"]),
        (
            "sapphirerapids",
            "metric-cpu_utilization",
            "expression",
            &["event-CPU_CLK_UNHALTED.REF_TSC"],
        ),
        (
            "sapphirerapids",
            "metric-kernel_utilization",
            "expression",
            &["metric-tma_info_system_kernel_utilization"],
        ),
    ];
    for (model, id, label, expected) in cases {
        let page = parse(&page(model));
        let entry = page.by_id(id);
        let formula = fact(entry, label).expect("it has one");
        let links = formula.elements().filter_map(|element| element.attribute("href"));
        let links: Vec<_> = links.map(|link| &link[1..]).collect();
        assert_eq!(links, expected, "{model} {id}");
        // And back.
        for target in links {
            let users = fact(page.by_id(target), "used by").expect("it is used").all();
            let back = format!("#{id}");
            assert!(users.iter().any(|user| user.attribute("href") == Some(&back)), "{target}");
        }
    }
}

/// A deprecated event leads to the one that counts the same.
#[test]
fn deprecated_events_lead_to_their_successors() {
    let page = parse(&page("sapphirerapids"));
    let old = page.by_id("event-L1D_PEND_MISS.L2_STALL");
    let successor = fact(old, "successor").expect("it has one");
    let link = successor.find(|element| element.tag == "a").expect("it is on the page");
    assert_eq!(link.attribute("href"), Some("#event-L1D_PEND_MISS.L2_STALLS"));
    assert_eq!(link.text(), "L1D_PEND_MISS.L2_STALLS");
}

/// What lies beneath a metric.
#[test]
fn metrics_form_a_tree() {
    let cases = [
        // By group.
        ("sapphirerapids", "tma_backend_bound", &["tma_core_bound", "tma_memory_bound"][..]),
        // The top of a stack, and the whole that something is taken from.
        (
            "power9",
            "run_cpi",
            &[
                "completion_cpi",
                "issue_hold_cpi",
                "nothing_dispatched_cpi",
                "ntc_fin_cpi",
                "other_cpi",
                "stall_cpi",
                "thread_block_stall_cpi",
            ],
        ),
        (
            "power9",
            "dmiss_l3miss_stall_cpi",
            &["dmiss_l21_l31_stall_cpi", "dmiss_lmem_stall_cpi", "dmiss_non_local_stall_cpi"],
        ),
        // The metric of the level above that a threshold names.
        ("shop/till", "sold", &["in_notes"]),
        // The only metric that refers to another; of two, neither is the whole.
        ("shop/till", "half", &["whole"]),
        ("shop/till", "tenth", &[]),
        ("shop/till", "third", &[]),
        // The first level lies beneath nothing, whatever refers to it.
        (
            "sapphirerapids",
            "tma_bad_speculation",
            &["tma_branch_mispredicts", "tma_machine_clears"],
        ),
    ];
    for (model, whole, expected) in cases {
        let page = parse(&page(model));
        let id = format!("metric-{whole}");
        let is_branch = |element: &Element| {
            element.tag == "li"
                && element.elements().any(|entry| entry.attribute("id") == Some(&id))
        };
        let branch = page.find(is_branch).expect(whole);
        let tree = branch.elements().find(|element| element.has_class("parts"));
        let tree = tree.and_then(|parts| parts.elements().find(|element| element.tag == "ul"));
        let parts = tree.into_iter().flat_map(Element::elements);
        let parts: Vec<_> = parts.map(name).collect();
        assert_eq!(parts, expected, "{model} {whole}");
    }
    // Top-down comes first.
    let page = parse(&page("sapphirerapids"));
    let first = page.by_id("metrics").elements().find(|element| element.tag == "section");
    assert_eq!(first.and_then(|section| section.attribute("id")), Some("top-down"));
}

/// The contents of a page, with their numbers.
#[test]
fn a_page_says_how_much_it_has() {
    let page = parse(&page("shop/till"));
    assert_eq!(page.by_id("found").text(), "3 events, 7 metrics");
    let navigation = page.find(|element| element.tag == "nav").expect("it has one");
    let links = navigation.all().into_iter().filter(|element| element.tag == "a");
    let links: Vec<_> = links
        .map(|link| (link.attribute("href").expect("it leads somewhere"), link.text()))
        .collect();
    let expected = [
        ("#metrics", "Metrics"),
        ("#top-down", "Top-down 2"),
        ("#group-Sums", "Sums 5"),
        ("#events", "Events"),
        ("#topic-money", "money 2"),
        ("#topic-people", "people 1"),
    ];
    assert_eq!(links, expected.map(|(id, text)| (id, text.to_string())));
    // Each leads to a part of the page.
    for (id, _) in links {
        page.by_id(&id[1..]);
    }
}

/// A run of `pmu topdown --json` over the tree of `tests/trees/topdown-software`.
const RUN: &str = r#"{"kind":"topdown","subject":"'sleep <1>'","passes":["task-clock"]}
{"kind":"node","model":"soft","pmu":"default_core","name":"top_time","level":1,"value":100.0,"unit":"%","share":1.0,"over":true,"running":1.0,"leaf":false,"sample":[]}
{"kind":"node","model":"soft","pmu":"default_core","name":"top_faults","level":2,"value":75.0,"unit":"%","share":0.75,"over":true,"running":0.5,"estimate":true,"leaf":true,"sample":["software_only","faults"]}
{"kind":"node","model":"soft","pmu":"default_core","name":"top_rest","level":2,"value":null,"unit":"%","share":null,"over":null,"running":0.0,"leaf":false,"sample":[]}
{"kind":"note","note":"something"}
"#;

fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("it can be written");
    path.to_str().expect("it is UTF-8").to_owned()
}

#[test]
fn a_run_shows_its_values_in_the_tree() {
    let from = file("run.json", RUN);
    let tree = ["--tree", "../tests/trees/topdown-software", "--html", "-", "--from", &from];
    let page = parse(&output(&tree));
    let title = page.find(|element| element.tag == "h1").expect("there is one").text();
    assert!(title.ends_with("soft: 'sleep <1>'"), "{title}");
    let metric = |name: &str| page.by_id(&format!("metric-{name}"));
    let value =
        |name: &str| metric(name).find(|element| element.has_class("value")).map(Element::text);
    let share = |name: &str| {
        let meter = metric(name).find(|element| element.tag == "meter");
        meter.and_then(|meter| meter.attribute("value").map(str::to_owned))
    };
    assert_eq!(value("top_time").as_deref(), Some("100.0%"));
    assert_eq!(
        (value("top_faults").as_deref(), share("top_faults").as_deref()),
        (Some("75.0%"), Some("0.750"))
    );
    assert_eq!((value("top_rest").as_deref(), share("top_rest")), (Some("not counted"), None));
    let is_estimate =
        |name: &str| metric(name).find(|element| element.has_class("estimate")).is_some();
    let estimates = ["top_time", "top_faults", "top_rest", "top_deep"].map(is_estimate);
    assert_eq!(estimates, [false, true, false, false]);
    // The run did not come to it.
    assert_eq!(value("top_deep"), None);
    let is_over = ["top_time", "top_faults", "top_rest", "top_deep"]
        .map(|name| metric(name).has_class("over"));
    assert_eq!(is_over, [true, true, false, false]);
    let said = |label| fact(metric("top_faults"), label).map(Element::text);
    assert_eq!(said("time counted").as_deref(), Some("50.0%"));
    assert_eq!(said("events to sample").as_deref(), Some("software_only, faults"));
}

/// What few decimals would show as 0.
#[test]
fn small_values_of_a_run() {
    let cases =
        [("0.0412", "%", "0.041%"), ("0.000456", "GB/s", "0.00046 GB/s"), ("0.0", "", "0.000")];
    for (value, unit, expected) in cases {
        let line = format!(r#""value":{value},"unit":"{unit}""#);
        let from = file("small.json", &RUN.replacen(r#""value":100.0,"unit":"%""#, &line, 1));
        let tree = ["--tree", "../tests/trees/topdown-software", "--html", "-", "--from", &from];
        let page = parse(&output(&tree));
        let shown = page.by_id("metric-top_time").find(|element| element.has_class("value"));
        assert_eq!(shown.map(Element::text).as_deref(), Some(expected));
    }
}

#[test]
fn files_that_are_not_of_a_run() {
    let tree = ["--tree", "../tests/trees/topdown-software", "--html", "-", "--from"];
    let other = file("other.json", &RUN.replace("top_rest", "top_secret"));
    let unknown = file("unknown.json", &RUN.replace("\"soft\"", "\"hard\""));
    for (from, message) in [
        ("/no/such/file", "/no/such/file: cannot be read: "),
        (&file("text.json", "Top-down analysis"), ", line 1: invalid JSON: expected value"),
        (&file("empty.json", ""), ": is not the output of `pmu topdown --json`"),
        (&other, "the model `soft` has no metric `top_secret`"),
        (&unknown, "no model is named `hard`"),
    ] {
        let run = run(&[&tree[..], &[from]].concat());
        assert_eq!((run.code, run.out.len()), (Some(1), 0), "{from}");
        assert!(run.err.starts_with("pmu page: ") && run.err.contains(message), "{}", run.err);
    }
}

#[test]
fn one_model_gives_one_page() {
    let page = page("sapphirerapids");
    assert_eq!(page, output(&["--cpuid", "GenuineIntel-6-8F-4", "--html=-"]));
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("metrics-page");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir(&directory).expect("it can be made");
    let file = directory.join("page.html");
    // Into a new file, and over an old one.
    for before in [None, Some("something else")] {
        if let Some(before) = before {
            fs::write(&file, before).expect("it can be written");
        }
        let to = file.to_str().expect("it is UTF-8");
        assert_eq!(output(&["--model", "sapphirerapids", "--html", to]), "");
        assert_eq!(fs::read_to_string(&file).expect("it can be read"), page);
    }
    let left: Vec<_> = fs::read_dir(&directory).expect("it can be read").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// A link stays a link, a pipe a pipe, and a file that cannot be replaced as it
/// was.
#[cfg(unix)]
#[test]
fn what_is_written_to_stays_what_it_is() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("metrics-page-links");
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir(&directory).expect("it can be made");
    let [file, link] = ["page.html", "link.html"].map(|name| directory.join(name));
    fs::write(&file, "before").expect("it can be written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("it is ours");
    symlink("page.html", &link).expect("it can be made");
    output(&[
        "--tree=../arch/test",
        "--model=test_soc/cpu",
        "--html",
        link.to_str().expect("it is UTF-8"),
    ]);
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    let mode = fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), page("test_soc/cpu"));

    // Not a file of `/dev`, which a faulty program would replace for all others.
    let written = output(&["--tree=../arch/test", "--model=test_soc/cpu", "--html=/dev/stdout"]);
    assert_eq!(written, page("test_soc/cpu"));
}

#[test]
fn whatever_a_text_says_it_stays_a_text() {
    for (text, written) in [
        ("</script><b>&\"'", "&lt;/script&gt;&lt;b&gt;&amp;&quot;&#39;"),
        ("<!-- ]]> -->", "&lt;!-- ]]&gt; --&gt;"),
        ("é ½ 😀\ttab\nline", "é ½ 😀\ttab\nline"),
        ("\0\u{8}\u{1b}\u{7f}\u{9f}", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
    ] {
        assert_eq!(writing::Escaped(text).to_string(), written, "{text:?}");
    }
    for (name, fragment) in [
        ("event-A.B:C", "event-A.B:C"),
        ("a b\"<>`%", "a%20b%22%3C%3E%60%25"),
        ("é", "%C3%A9"),
        ("a@b,c/d", "a@b,c/d"),
    ] {
        assert_eq!(writing::fragment(name), fragment, "{name}");
    }
}

/// The page may run its own script and no other: escaping is not the only barrier.
#[test]
fn the_policy_permits_one_script() {
    let page = page("test_soc/cpu");
    let policy = page.split("http-equiv=\"Content-Security-Policy\" content=\"").nth(1);
    let policy = policy.and_then(|rest| rest.split('"').next()).expect("there is a policy");
    let directive = |name: &str| policy.split("; ").find_map(|one| one.strip_prefix(name));
    let scripts: Vec<&str> = page.split("<script>").skip(1).collect();
    assert_eq!(scripts.len(), 1);
    let script = scripts[0].split("</script>").next().expect("it has an end");
    let hash = sha256::base64(&sha256::sha256(script.as_bytes()));
    // If `page.js` has changed, this is the `hash` beside it in `document.rs`.
    assert_eq!(directive("script-src "), Some(&*format!("'sha256-{hash}'")));
    assert_eq!(directive("default-src "), Some("'none'"));
    let handlers = ["onclick=", "onload=", "onerror=", "javascript:"];
    assert!(handlers.iter().all(|handler| !page.contains(handler)));
}

/// What a CPU cannot count though others can, each with the reason; and how values differ.
#[test]
fn quantities_of_one_name() {
    let page = page("amdzen4");
    let (_, lacking) = page.split_once("<aside id=\"lacking\">").expect("it lacks some");
    let (lacking, _) = lacking.split_once("</aside>").expect("the aside ends");
    let reason = "<dt><code>common.memory_latency</code></dt>\
                  <dd>The latency is known in cycles only, not in time.</dd>";
    assert!(lacking.contains(reason), "{lacking}");
    assert!(!lacking.contains("common.ipc<"), "{lacking}");
    let parsed = parse(&page);
    let metrics = entries(&parsed, "metrics");
    let named = |name: &str| metrics.iter().find(|(own, _)| own == name).expect("it is there").1;
    let difference = fact(named("common.llc_misses"), "difference").expect("it differs").text();
    assert!(difference.contains("beyond the L3 of the core"), "{difference}");
    assert!(fact(named("common.ipc"), "difference").is_none());
}
