//! Trees with a `former.csv`: the events and statics that its rows become, and the reports
//! about them.

use std::collections::HashMap;

use pmu_events_core::__private::flags::Flag;

use crate::faults::Faults;
use crate::mapfile::{self, cpus};
use crate::options::{Options, Unknown};
use crate::source::Source;
use crate::source::kernel_tree;
use crate::{Compiled, Refused, assemble, compile};

const FILES: [(&str, &str); 4] = [
    ("mapfile.csv", "pattern,version,directory,type\none,v1,one,core\ntwo,v1,vendor/two,core\n"),
    (
        "one/cache.json",
        r#"[{"EventName": "NEW.X", "EventCode": "1", "UMask": "2", "BriefDescription": "Of X."},
            {"EventName": "NEW.Y", "EventCode": "3", "Unit": "CHA"},
            {"EventName": "NEW.Y", "EventCode": "4"}]"#,
    ),
    (
        "vendor/two/cache.json",
        r#"[{"EventName": "New.X", "EventCode": "5"}, {"EventName": "OLD.X"}]"#,
    ),
    ("vendor/two/sys/ddr.json", r#"[{"EventName": "S", "EventCode": "6", "Unit": "DDR"}]"#),
];

fn source(rows: &str) -> Source {
    let former = format!("Former name,Models,Name,Since\n{rows}\n");
    let files: Vec<(&str, &str)> = FILES.into_iter().chain([("former.csv", &*former)]).collect();
    Source {
        files: kernel_tree::made_up("soc", &files),
        publication: None,
        faults: Faults::default(),
    }
}

fn compiled(rows: &str, options: &Options) -> Result<Compiled, Box<Refused>> {
    compile(&source(rows), options)
}

/// The deprecated events: `directory: PMU/name=string -> successor`.
fn deprecated(rows: &str) -> Vec<String> {
    let source = source(rows);
    let (files, options) = (&source.files, Options::default());
    let mut faults = Faults::default();
    let map = mapfile::read(files, &mut faults);
    let beside = cpus::read(files, &mut faults);
    let tree = assemble::tree(files, &[], &map, &beside, HashMap::new(), &options, &mut faults);
    assert!(!faults.has_errors(), "{rows}");
    let mut found = Vec::new();
    for table in &tree.tables {
        for item in table.events.iter().filter(|item| item.entry.flags.has(Flag::Deprecated)) {
            let (name, entry) = (item.event_name(), &item.entry);
            let successor = item.successor.as_deref().unwrap_or("nothing");
            let directory = &table.directory.name;
            found.push(format!("{directory}: {}/{name}={} -> {successor}", entry.pmu, entry.event));
        }
    }
    found
}

#[test]
fn events() {
    let cases: &[(&str, &[&str])] = &[
        ("OLD,one,NEW.X,0.2.0", &["one: default_core/OLD=event=1,umask=2 -> NEW.X"]),
        ("old,on?,new.x,0.2.0", &["one: default_core/old=event=1,umask=2 -> NEW.X"]),
        // On each PMU that has it.
        (
            "OLD.Y,*,NEW.Y,0.2.0",
            &["one: default_core/OLD.Y=event=4 -> NEW.Y", "one: uncore_cha/OLD.Y=event=3 -> NEW.Y"],
        ),
        // A model that still has the name keeps its own event.
        ("OLD.X,*,NEW.X,0.2.0", &["one: default_core/OLD.X=event=1,umask=2 -> NEW.X"]),
        ("OLD.Z,vendor/*,New.X,1.0.0", &["vendor/two: default_core/OLD.Z=event=5 -> New.X"]),
        // Events that nobody lists any longer.
        ("GONE,one,/event=0x77/,0.2.0", &["one: default_core/GONE=event=0x77 -> nothing"]),
        (
            "GONE,one,\"uncore_cha/event=7,umask=1/\",0.2.0",
            &["one: uncore_cha/GONE=event=7,umask=1 -> nothing"],
        ),
        (
            "GONE,vendor/*,uncore_ddr/event=7/,0.2.0",
            &["vendor/two: uncore_ddr/GONE=event=7 -> nothing"],
        ),
        // Further columns are for readers.
        (
            "# A comment\n\nOLD,one,NEW.X,0.2.0,because,of",
            &["one: default_core/OLD=event=1,umask=2 -> NEW.X"],
        ),
    ];
    for (rows, expected) in cases {
        assert_eq!(deprecated(rows), *expected, "{rows}");
    }
}

/// The tables with former names read back, whatever is kept of them.
#[test]
fn packed() {
    let rows = "OLD,one,NEW.X,0.2.0\nGONE,vendor/*,/event=9/,0.2.0\nera/old-two,,vendor/two,0.2.0";
    let mut options = Options { unknown: Unknown::Allow, ..Options::default() };
    let all = compiled(rows, &options).unwrap();
    let former: Vec<Vec<&str>> = (all.models.iter())
        .map(|model| model.former.iter().map(|former| former.static_name.as_str()).collect())
        .collect();
    assert_eq!(former, [vec![], vec!["ERA_OLD_TWO"], vec!["ERA_OLD_TWO_SYS"]]);
    assert_eq!(all.models[1].former[0].since, "0.2.0");
    assert_eq!(all.models.iter().map(|model| model.events).collect::<Vec<_>>(), [4, 3, 1]);

    // A former name is kept or dropped as any other.
    options.events = vec!["old".to_owned()];
    let one = compiled(rows, &options).unwrap();
    assert_eq!(one.models.iter().map(|model| model.events).collect::<Vec<_>>(), [1, 0, 0]);
    // Rows may be about models that are not kept.
    options.models = vec!["one".to_owned()];
    assert!(compiled("OLD,three,NEW.X,0.2.0\nOLD,one,NEW.X,0.2.0", &options).is_ok());
}

#[test]
fn faults() {
    for (row, expected) in [
        ("OLD,one,NEW.X", "2:1: has too few columns: former name, models, name, since"),
        (",one,NEW.X,0.2.0", "2:1: a former name and the present one are needed"),
        ("OLD,one,,0.2.0", "2:1: a former name and the present one are needed"),
        ("OLD,one,NEW.X,", "2:15: expected a version such as `0.2.0`, found ``"),
        ("OLD,one,NEW.X,soon", "2:15: expected a version such as `0.2.0`, found `soon`"),
        ("OLD,one,NEW.X,0.2", "2:15: expected a version such as `0.2.0`, found `0.2`"),
        ("OLD,onne,NEW.X,0.2.0", "2:1: `onne` matches no model"),
        (
            "OLD,one,NEW.Z1,0.2.0",
            "2:9: no model that matches `one` has an event `NEW.Z1`; did you mean `NEW.X`?",
        ),
        ("OLD.X,vendor/*,NEW.X,0.2.0", "2:1: `OLD.X` is still an event of each of these models"),
        (
            "S,vendor/*,uncore_ddr/event=1/,0.2.0",
            "2:1: `S` is still an event of each of these models",
        ),
        (
            "X,one,uncore_ddr/event=1/,0.2.0",
            "2:7: no model that matches `one` has an event on PMU `uncore_ddr`",
        ),
        ("OLD,one,\"/event=,umask/\",0.2.0", "2:10: invalid event string: "),
        ("one,,vendor/two,0.2.0", "2:6: `one` is still a directory of this tree"),
        (
            "old,,vendor/too,0.2.0",
            "2:6: unknown model directory `vendor/too`; did you mean `vendor/two`?",
        ),
        ("old,,vendor,0.2.0", "2:6: `vendor` is a vendor directory, not a model"),
        ("ONE,,vendor/two,0.2.0", "2:1: `ONE` becomes the static `ONE`, as does `one`"),
        ("\"OLD,one,NEW.X,0.2.0", "2:1: this quote is never closed"),
    ] {
        let refused = compiled(row, &Options::default()).map(|_| row).unwrap_err();
        let messages: Vec<String> =
            refused.errors.faults().iter().map(ToString::to_string).collect();
        let expected = format!("arch/soc/former.csv:{expected}");
        assert!(messages.len() == 1 && messages[0].starts_with(&expected), "{row}: {messages:?}");
    }
    // Two former names of one static.
    let refused = compiled("old,,one,0.2.0\nold,,vendor/two,0.2.0", &Options::default());
    let message = refused.map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("3:1: `old` becomes the static `OLD`, as does `old`"), "{message}");
}

/// Names that users write exist even where the tree is broken, so that its error is the only one.
#[test]
fn statics_of_a_broken_tree() {
    let refused = compiled("old,,one,0.2.0\nOLD,one,NONE,0.2.0", &Options::default());
    assert!(refused.map(|_| ()).unwrap_err().static_names.contains(&"OLD".to_owned()));
}
