//! The quantities of one name: the table, and what their events' words say against what is
//! said of the quantities.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use pmu_events::pmu::is_core;
use pmu_events::{Event, Metric, Model};
use pmu_events_import::problem::Problems;
use pmu_events_import::quantities::{self, Share, Verdict, Verdicts, Vocabulary};

use super::*;

fn vocabulary() -> Vocabulary {
    let mut problems = Problems::default();
    let vocabulary = quantities::read_vocabulary(&root().join("overlay"), &mut problems);
    assert!(messages(&problems).is_empty(), "{:#?}", messages(&problems));
    vocabulary
}

fn verdicts(vocabulary: &Vocabulary) -> Verdicts {
    TREES.iter().flat_map(|tree| quantities::verdicts(&tree.arch, vocabulary)).collect()
}

/// The models with quantities.
fn models() -> impl Iterator<Item = Model> {
    let models = TREES.iter().flat_map(|tree| tree.tree.models());
    models.filter(|model| model.lacking().next().is_some() || model.metric(IPC).is_some())
}

const IPC: &str = "common.ipc";

#[test]
fn the_table_and_the_share_are_current() {
    let vocabulary = vocabulary();
    let verdicts = verdicts(&vocabulary);
    let page = fs::read_to_string(root().join("arch").join(quantities::PAGE)).expect("it is there");
    assert!(page == quantities::page(&vocabulary, &verdicts), "run tools/import");
    let sentence = Share::of(&verdicts).sentence(vocabulary.plain().count(), verdicts.len());
    for readme in ["README.md", "arch/README.md"] {
        let text = fs::read_to_string(root().join(readme)).expect("it is there");
        let current = quantities::share_in_document(&text, &sentence);
        assert!(current.is_some_and(|current| current == text), "{readme}: run tools/import");
    }
}

/// A model counts a quantity or says why not, and never both; the packed tables say the same
/// as the files.
#[test]
fn each_model_has_a_verdict_on_each_quantity() {
    let vocabulary = vocabulary();
    let verdicts = verdicts(&vocabulary);
    assert!(verdicts.len() > 110, "{}", verdicts.len());
    assert_eq!(models().count(), verdicts.len());
    for tree in TREES.iter() {
        for model in tree.tree.models() {
            let key = (tree.arch.name.clone(), model.name().to_owned());
            let Some(all) = verdicts.get(&key) else { continue };
            for (quantity, verdict) in vocabulary.plain().zip(all) {
                let name = vocabulary.metric(&quantity.name);
                let metrics = model.metrics().filter(|metric| metric.name() == name);
                let differences: BTreeSet<&str> =
                    metrics.filter_map(|metric| metric.difference()).collect();
                let lack = model.lacking().find(|(lacking, _)| *lacking == name);
                let is_said = match verdict {
                    Verdict::Same => {
                        differences.is_empty() && lack.is_none() && model.metric(&name).is_some()
                    }
                    Verdict::Differs(how) => differences.into_iter().all(|one| how.contains(one)),
                    Verdict::None(why) => {
                        model.metric(&name).is_none() && lack.is_some_and(|(_, said)| said == why)
                    }
                };
                assert!(is_said, "{key:?}: {name}: {verdict:?}");
            }
        }
    }
}

/// Models of servers of Intel, AMD and Arm since 2017.
const SERVERS: [&str; 22] = [
    "amdzen1",
    "amdzen2",
    "amdzen3",
    "amdzen4",
    "amdzen5",
    "amdzen6",
    "arm/neoverse-n1",
    "arm/neoverse-n2-v2",
    "arm/neoverse-n3",
    "arm/neoverse-v1",
    "arm/neoverse-v3",
    "cascadelakex",
    "clearwaterforest",
    "emeraldrapids",
    "grandridge",
    "graniterapids",
    "icelakex",
    "knightslanding",
    "sapphirerapids",
    "sierraforest",
    "skylakex",
    "snowridgex",
];

#[test]
fn servers_count_most_quantities() {
    let vocabulary = vocabulary();
    let verdicts = verdicts(&vocabulary);
    for server in SERVERS {
        let (_, all) = verdicts.iter().find(|((_, model), _)| model == server).expect(server);
        let counted = all.iter().filter(|verdict| !matches!(verdict, Verdict::None(_))).count();
        assert!(counted >= 22, "{server}: {counted}");
    }
}

/// The events of a metric, those of the metrics that it refers to included.
fn events(model: Model, metric: Metric) -> Vec<Event> {
    let named = |name: &str| {
        let (pmu, name) = name.split_once('/').map_or((None, name), |(pmu, rest)| {
            (Some(pmu), rest.split('/').next().unwrap_or_default())
        });
        match pmu {
            Some(pmu) => model.event_on(pmu, name),
            None => model.event(name),
        }
    };
    metric.events().filter_map(|event| named(event.as_str())).collect()
}

fn words(event: Event) -> String {
    let texts = [event.description(), event.long_description()];
    let texts: Vec<String> = texts.iter().flatten().map(|text| text.to_string()).collect();
    // What follows a sentence may take it back, so the last one has an end of its own.
    texts.join(" ").to_lowercase() + ";"
}

/// What events say of themselves, and a word that the difference then needs, since the
/// definitions of these quantities say otherwise.
struct Rule {
    quantities: &'static [&'static str],
    says: &'static [&'static str],
    needs: &'static [&'static str],
}

const RULES: &[Rule] = &[
    Rule {
        quantities: &[
            "l1i_misses",
            "l1d_misses",
            "l2_misses",
            "local_memory_reads",
            "remote_memory_reads",
        ],
        says: &[
            "prefetches count as well",
            "prefetches count alike",
            "prefetches too",
            "prefetches included",
            "or a prefetch asked for the line",
            "prefetches into the l1d count as loads",
            "prefetches into the l1i count as well",
            "refills for prefetch instructions and hardware prefetches count",
            "for prefetch instructions and hardware prefetches count as well",
        ],
        needs: &["refetch"],
    },
    Rule {
        quantities: &["instructions", "branches", "branch_misses"],
        says: &["wrong paths too", "wrong-path ones included"],
        needs: &["wrong path"],
    },
    Rule {
        quantities: &[
            "l1d_misses",
            "l2_misses",
            "llc_misses",
            "local_memory_reads",
            "remote_memory_reads",
        ],
        says: &["retired load", "loads that retire", "retired memory"],
        needs: &["retire"],
    },
    Rule {
        quantities: &["itlb_walks", "dtlb_walks", "itlb_misses", "dtlb_misses"],
        says: &["page walks finished", "completed page walks"],
        needs: &["complete"],
    },
    Rule {
        quantities: &["dtlb_walks", "dtlb_misses"],
        says: &["software prefetches count as loads", "walks for software prefetches count"],
        needs: &["refetch"],
    },
    Rule {
        quantities: &["dtlb_misses"],
        says: &["for preloads and hardware prefetches, too", "refills for prefetches count"],
        needs: &["refetch"],
    },
    Rule {
        quantities: &["local_memory_reads", "remote_memory_reads"],
        says: &["of any socket", "of any numa node", "of any chip", "from dram."],
        needs: &["any node"],
    },
    Rule {
        quantities: &["local_memory_reads", "remote_memory_reads", "llc_misses"],
        says: &["or mmio", "or i/o"],
        needs: &["I/O"],
    },
    Rule { quantities: &["l1i_misses"], says: &["of 32 bytes"], needs: &["32 bytes"] },
    Rule {
        quantities: &["l1i_misses"],
        says: &["uncacheable fetches are included"],
        needs: &["ncacheable"],
    },
    Rule {
        quantities: &["branches"],
        says: &["interrupts and exceptions included", "isb counts as a branch"],
        needs: &["nterrupts", "ISB"],
    },
    Rule {
        quantities: &["l2_misses"],
        says: &["page table walks count", "page table walks and prefetches count"],
        needs: &["age walks", "refetch"],
    },
    Rule { quantities: &["llc_misses"], says: &["reads that the last-level"], needs: &["eads"] },
    Rule {
        quantities: &["llc_misses"],
        says: &["of the hardware prefetches, those into the l1 count"],
        needs: &["into the L2", "last"],
    },
    Rule {
        quantities: &["cycles"],
        says: &["wfi or wfe depends on whether its clock is stopped.;"],
        needs: &["WFI"],
    },
    Rule {
        quantities: &["frontend_stalls", "backend_stalls"],
        says: &["an erratum affects the count"],
        needs: &["erratum"],
    },
];

/// What a brief of an event must speak of, unless the difference does: the level of the
/// memory, or the kind of work.
const SUBJECTS: &[(&[&str], &[&str])] = &[
    (&["instructions"], &["nstruction"]),
    (&["cycles"], &["ycle", "icks"]),
    (&["branches", "branch_misses"], &["ranch", "jumps"]),
    (&["l1i_misses"], &["nstruction cache", "code", "nstruction fetch"]),
    (&["l1d_misses"], &["L1", "data cache", "L0"]),
    (&["l2_misses"], &["L2", "last-level"]),
    (&["llc_misses"], &["L3", "last", "LLC", "L1D", "L2"]),
    (
        &["itlb_misses", "itlb_walks"],
        &["TLB", "ERAT", "page walk", "Page walk", "Page table walk", "ranslation"],
    ),
    (
        &["dtlb_misses", "dtlb_walks"],
        &["TLB", "ERAT", "page walk", "Page walk", "Page table walk", "ranslation"],
    ),
    (&["local_memory_reads", "remote_memory_reads"], &["DRAM", "emory", "socket"]),
    (&["memory_read_bandwidth"], &["ead", "Data"]),
    (&["memory_write_bandwidth"], &["rite", "Data", "written"]),
];

/// Events whose words are of no speculation, of another level, or of work that the definition
/// leaves out: the difference says so.
#[test]
fn definitions_agree_with_the_words_of_their_events() {
    let mut wrong = Vec::new();
    let (mut compared, mut applied) = (0, vec![0; RULES.len()]);
    for model in models() {
        for metric in model.metrics().filter(|metric| metric.name().starts_with("common.")) {
            let name = metric.name().trim_start_matches("common.");
            let difference = metric.difference().unwrap_or_default();
            for event in events(model, metric) {
                compared += 1;
                let words = words(event);
                let rules = RULES.iter().enumerate();
                for (number, rule) in rules.filter(|(_, rule)| rule.quantities.contains(&name)) {
                    if rule.says.iter().any(|said| words.contains(said)) {
                        applied[number] += 1;
                        if !rule.needs.iter().any(|need| difference.contains(need)) {
                            let needs = rule.needs.join(" or ");
                            let event = event.name();
                            wrong.push(format!("{}: {name}: {event}: `{needs}`", model.name()));
                        }
                    }
                }
                let brief = event.description().map(|text| text.to_string()).unwrap_or_default();
                let subject = SUBJECTS.iter().find(|(names, _)| names.contains(&name));
                if let Some((_, subject)) = subject
                    && !subject.iter().any(|word| brief.contains(word))
                {
                    wrong.push(format!("{}: {name}: `{brief}`", model.name()));
                }
                let is_of_machine = ["memory_", "energy"].iter().any(|of| name.starts_with(of));
                if !is_of_machine
                    && !is_core(event.pmu())
                    && !event.pmu().starts_with("cpum")
                    && !difference.contains("not the core")
                    && name != "utilization"
                {
                    wrong.push(format!("{}: {name}: of {}", model.name(), event.pmu()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 3000, "{compared}");
    for (rule, applied) in RULES.iter().zip(applied) {
        assert!(applied > 0, "no event says {:?}", rule.says);
    }
}

/// Events with the same words and codes make the same quantity, so the same is said of it.
#[test]
fn equal_events_have_equal_differences() {
    /// The models of each difference.
    type Differences = BTreeMap<&'static str, Vec<String>>;
    let mut said: BTreeMap<(String, Vec<String>), Differences> = BTreeMap::new();
    for model in models() {
        for metric in model.metrics().filter(|metric| metric.name().starts_with("common.")) {
            let of = |event: Event| {
                format!("{} {} {}", event.name(), event.event_string(), words(event))
            };
            let mut events: Vec<String> = events(model, metric).into_iter().map(of).collect();
            if events.is_empty() {
                continue; // The kernel's events have the same words everywhere.
            }
            events.sort();
            let difference = metric.difference().unwrap_or_default();
            // What other kinds of cores lack is of the CPU, not of the events.
            let difference = difference.split("Nothing counts on").next().unwrap_or_default();
            let name = format!("{}/{}/ = {}", metric.pmu(), metric.name(), metric.expression());
            let of_events = said.entry((name, events));
            of_events.or_default().entry(difference.trim()).or_default().push(model.name().into());
        }
    }
    assert!(said.len() > 300, "{}", said.len());
    let mut wrong = Vec::new();
    for ((metric, _), differences) in said.iter().filter(|(_, differences)| differences.len() > 1) {
        wrong.push(format!("{metric}: {differences:?}"));
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
