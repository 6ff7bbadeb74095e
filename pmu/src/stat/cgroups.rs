//! Control groups: which ones are meant, and which event is counted in which
//! group (`tools/perf/util/cgroup.c`).

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use pmu_events::__private::event_list::EventList;
use pmu_events::__private::file::{self, Kind};
use pmu_events::__private::glob;
use pmu_events::open::Cgroup;
use pmu_events::resolve::Resolution;
use pmu_events::sysfs::{Problem, ProblemKind};

use crate::failure::with_sources;
use crate::stat::events;
use crate::system::System;

/// The groups of `-G` and `--for-each-cgroup`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Cgroups {
    #[default]
    None,
    /// One group for all events.
    One(String),
    /// One group for each event, in order; the empty name is everything. Events
    /// without a group are counted everywhere, too.
    OfEvents(Vec<String>),
    /// All events in each group.
    Each(Vec<String>),
}

impl Cgroups {
    /// The control groups in which metrics are counted, each by itself; `None`
    /// is everything. Groups of single events say nothing about metrics.
    pub(crate) fn of_metrics(&self) -> Result<Vec<Option<String>>, String> {
        match self {
            Cgroups::None => Ok(vec![None]),
            Cgroups::One(name) => Ok(vec![Some(name.clone())]),
            Cgroups::Each(names) => Ok(names.iter().cloned().map(Some).collect()),
            Cgroups::OfEvents(_) => {
                let cure = "write one for all, or use --for-each-cgroup";
                Err(format!("-G with several control groups does not apply to metrics; {cure}"))
            }
        }
    }

    /// The result of the two options, at most one of which is given. `mounted`
    /// is the directory of the groups.
    pub(crate) fn new(
        of_events: Option<&str>,
        each: Option<&str>,
        mounted: impl FnOnce() -> Result<PathBuf, String>,
    ) -> Result<Self, String> {
        let names = |list: &str| list.split(',').map(String::from).collect::<Vec<_>>();
        match (of_events.map(names), each) {
            (Some(mut all), _) if all.len() == 1 => match all.remove(0) {
                name if name.is_empty() => Err("expected the name of a control group".into()),
                name => Ok(Cgroups::One(name)),
            },
            (Some(all), _) => Ok(Cgroups::OfEvents(all)),
            (None, Some(list)) => Ok(Cgroups::Each(expanded(list, &mounted()?)?)),
            (None, None) => Ok(Cgroups::None),
        }
    }
}

/// A pattern matches the names of all groups below the root.
fn expanded(list: &str, mounted: &Path) -> Result<Vec<String>, String> {
    let mut all: Vec<String> = Vec::new();
    for name in list.split(',') {
        if name.is_empty() {
            return Err(format!("empty name of a control group in `{list}`"));
        }
        if !glob::is_pattern(name) {
            all.push(name.into());
            continue;
        }
        let mut found = Vec::new();
        below(mounted, "", &mut found).map_err(|problem| problem.to_string())?;
        found.retain(|one| glob::matches(name, one));
        if found.is_empty() {
            return Err(format!("no control group below {} matches `{name}`", mounted.display()));
        }
        found.sort();
        all.extend(found);
    }
    // A group that is named twice is counted once.
    let mut seen = BTreeSet::new();
    all.retain(|name| seen.insert(name.trim_matches('/').to_string()));
    Ok(all)
}

/// The names of all groups below one. An unreadable directory has none.
fn below(directory: &Path, prefix: &str, found: &mut Vec<String>) -> Result<(), Problem> {
    let entries = match file::entries(directory) {
        Err(problem) if problem.kind() == ProblemKind::Unreadable => return Ok(()),
        entries => entries?,
    };
    for (name, kind) in entries {
        // Following links could loop.
        if let (Kind::Directory, Ok(name)) = (kind, name.into_string()) {
            let path = directory.join(&name);
            let name = format!("{prefix}{name}");
            below(&path, &format!("{name}/"), found)?;
            found.push(name);
        }
    }
    Ok(())
}

/// Events, and the name of the group in which they are counted; `None` is everything.
pub(crate) struct Part {
    pub(crate) events: Resolution,
    pub(crate) cgroup: Option<String>,
}

/// The events of all lists, with their groups.
pub(crate) fn resolved(
    lists: &[String],
    details: usize,
    cgroups: &Cgroups,
    system: &System,
) -> Result<Vec<Part>, String> {
    let all = |cgroup: Option<&str>| -> Result<Part, String> {
        let mut events = events::resolved(lists, system)?;
        events.append(events::details(details, system)?);
        Ok(Part { events, cgroup: cgroup.map(String::from) })
    };
    match cgroups {
        Cgroups::None => Ok(vec![all(None)?]),
        Cgroups::One(name) => Ok(vec![all(Some(name))?]),
        Cgroups::Each(names) => names.iter().map(|name| all(Some(name))).collect(),
        Cgroups::OfEvents(names) => {
            let mut parts = Vec::new();
            for (item, cgroup) in of_items(lists, names)? {
                let events = events::resolved(&[item], system)?;
                parts.push(Part { events, cgroup: cgroup.map(String::from) });
            }
            parts.push(Part { events: events::details(details, system)?, cgroup: None });
            Ok(parts)
        }
    }
}

/// Assigns a group to each event or group of events.
fn of_items<'n>(
    lists: &[String],
    names: &'n [String],
) -> Result<Vec<(String, Option<&'n str>)>, String> {
    let mut items = Vec::new();
    let mut next = 0;
    for text in lists {
        // A malformed list is refused when it is resolved.
        let Ok(list) = EventList::parse(text) else {
            items.push((text.clone(), None));
            continue;
        };
        for item in list.items() {
            let count = item.event_count();
            let of_item = names.get(next..names.len().min(next + count)).unwrap_or_default();
            let whole = &text[item.span()];
            if of_item.iter().any(|name| *name != of_item[0])
                || (!of_item.is_empty() && of_item.len() < count)
            {
                return Err(format!("the events of `{whole}` must be in one control group"));
            }
            let name = of_item.first().filter(|name| !name.is_empty());
            items.push((whole.to_string(), name.map(String::as_str)));
            next += count;
        }
    }
    if names.len() > next {
        return Err(format!("there are {} control groups for {next} events", names.len()));
    }
    Ok(items)
}

/// The groups that have been opened.
pub(crate) struct Opened<'s> {
    system: &'s System,
    /// The directory of all groups, if it is known.
    root: Option<PathBuf>,
    known: Vec<Cgroup>,
}

impl<'s> Opened<'s> {
    pub(crate) fn new(system: &'s System) -> Self {
        Opened { system, root: None, known: Vec::new() }
    }

    /// Events in their group.
    pub(crate) fn placed(&mut self, part: Part) -> Result<Resolution, String> {
        Ok(match part.cgroup {
            Some(name) => part.events.in_cgroup(&self.open(&name)?),
            None => part.events,
        })
    }

    /// Control groups, of which `None` is everything.
    pub(crate) fn open_each(
        &mut self,
        names: &[Option<String>],
    ) -> Result<Vec<Option<Cgroup>>, String> {
        names.iter().map(|name| name.as_ref().map(|name| self.open(name)).transpose()).collect()
    }

    fn open(&mut self, name: &str) -> Result<Cgroup, String> {
        if let Some(cgroup) = self.known.iter().find(|cgroup| cgroup.name() == name) {
            return Ok(cgroup.clone());
        }
        let root = match &self.root {
            Some(root) => root,
            None => self.root.insert(root(self.system)?),
        };
        let path = root.join(name.trim_matches('/'));
        let why =
            |error| format!("control group `{name}` cannot be opened: {}: {error}", path.display());
        let cgroup = Cgroup::open(&path).map_err(why)?.with_name(name);
        self.known.push(cgroup.clone());
        Ok(cgroup)
    }
}

/// The directory of the groups on a machine.
pub(crate) fn root(system: &System) -> Result<PathBuf, String> {
    let path = system.proc().join("mounts");
    let mounts = file::of_procfs(&path).map_err(|problem| with_sources(&problem))?;
    mounted(&mounts)
}

/// The directory of the groups: the hierarchy of the controller `perf_event`, or
/// the unified one, which always has it (`cgroupfs_find_mountpoint` in
/// `tools/lib/api/fs/cgroup.c`). `mounts` is the text of `/proc/mounts`.
fn mounted(mounts: &str) -> Result<PathBuf, String> {
    let mut unified = None;
    for line in mounts.lines() {
        let mut fields = line.split(' ').skip(1);
        let (Some(path), Some(kind), Some(options)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        match kind {
            "cgroup" if options.split(',').any(|option| option == "perf_event") => {
                return Ok(unescaped(path));
            }
            "cgroup2" if unified.is_none() => unified = Some(unescaped(path)),
            _ => {}
        }
    }
    unified.ok_or_else(|| {
        "no hierarchy of control groups is mounted that counts events: neither cgroup2 nor that of \
         perf_event"
            .into()
    })
}

/// `show_mountinfo` writes spaces and the like in octal.
fn unescaped(path: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, behind @ ..] = rest {
        let octal = behind.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match (first, code) {
            (b'\\', Some(code)) => {
                bytes.push(code);
                rest = &behind[3..];
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    OsString::from_vec(bytes).into()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn mounts() {
        const V1: &str = "tmpfs /sys/fs/cgroup tmpfs rw 0 0\n\
                          cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n";
        const V2: &str = "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n";
        const EVENTS: &str = "cgroup /a\\040b\\134c cgroup rw,cpu,perf_event 0 0\n";
        let cases = [
            (V1.to_string() + V2, Some("/sys/fs/cgroup/unified")),
            (V2.to_string() + EVENTS, Some("/a b\\c")),
            (V1.to_string() + EVENTS, Some("/a b\\c")),
            (V1.to_string(), None),
            ("odd\n\nlines /x".to_string(), None),
        ];
        for (text, expected) in cases {
            let found = mounted(&text);
            assert_eq!(found.as_deref().ok(), expected.map(Path::new), "{text}");
            let says = |message: &String| message.starts_with("no hierarchy of control groups");
            assert!(found.err().iter().all(says), "{text}");
        }
    }

    /// Which groups a list means, among made-up directories.
    #[test]
    fn names_and_patterns() {
        let root = std::env::temp_dir().join(format!("pmu-cgroups-{}", std::process::id()));
        for path in ["web/a", "web/b", "db", "web.old"] {
            fs::create_dir_all(root.join(path)).expect("it can be written");
        }
        fs::write(root.join("web/cgroup.procs"), "").expect("it can be written");
        let expand = |list: &str| expanded(list, &root).map(|all| all.join(" "));
        for (list, expected) in [
            ("db", "db"),
            // A named group need not exist; opening it reports that.
            ("web/x,db", "web/x db"),
            ("web/*", "web/a web/b"),
            ("web*,db,web/a,/db/", "web web.old web/a web/b db"),
            ("[dw]*b", "db web web/b"),
        ] {
            assert_eq!(expand(list).as_deref(), Ok(expected), "{list}");
        }
        assert_eq!(expand("db,").unwrap_err(), "empty name of a control group in `db,`");
        let none = format!("no control group below {} matches `x*`", root.display());
        assert_eq!(expand("x*").unwrap_err(), none);
        fs::remove_dir_all(root).expect("it was made");
    }

    /// Metrics are counted in each group, but not in those of single events.
    #[test]
    fn metrics_are_in_each() {
        let [a, b] = ["a", "b"].map(String::from);
        let some = |name: &String| Some(name.clone());
        for (cgroups, expected) in [
            (Cgroups::None, Some(vec![None])),
            (Cgroups::One(a.clone()), Some(vec![some(&a)])),
            (Cgroups::Each(vec![a.clone(), b.clone()]), Some(vec![some(&a), some(&b)])),
            (Cgroups::OfEvents(vec![a.clone(), b.clone()]), None),
        ] {
            assert_eq!(cgroups.of_metrics().ok(), expected, "{cgroups:?}");
        }
    }

    /// `-G`: one for all events, or the first for the first.
    #[test]
    fn which_event_is_in_which() {
        let of = |list: &str| Cgroups::new(Some(list), None, || unreachable!());
        assert_eq!(of("a"), Ok(Cgroups::One("a".into())));
        assert!(of("").is_err());
        let cases: &[(&[&str], &str, Result<&str, &str>)] = &[
            (&["cs,faults"], "a,b", Ok("cs=a faults=b")),
            (&["cs", "faults"], "a,b", Ok("cs=a faults=b")),
            (&["cs,faults,cpu-clock"], "a,b", Ok("cs=a faults=b cpu-clock=")),
            (&["cs,faults"], ",b", Ok("cs= faults=b")),
            (&["{cs,faults}:u,cpu-clock"], "a,a,b", Ok("{cs,faults}:u=a cpu-clock=b")),
            (
                &["{cs,faults}"],
                "a,b",
                Err("the events of `{cs,faults}` must be in one control group"),
            ),
            (
                &["cpu-clock,{cs,faults}"],
                "a,b",
                Err("the events of `{cs,faults}` must be in one control group"),
            ),
            (&["cs"], "a,b", Err("there are 2 control groups for 1 events")),
        ];
        for &(lists, names, expected) in cases {
            let lists: Vec<String> = lists.iter().map(|list| list.to_string()).collect();
            let names: Vec<String> = names.split(',').map(String::from).collect();
            let shown = of_items(&lists, &names).map(|items| {
                let shown =
                    items.iter().map(|(item, name)| format!("{item}={}", name.unwrap_or("")));
                shown.collect::<Vec<_>>().join(" ")
            });
            assert_eq!(shown.as_deref().map_err(String::as_str), expected, "{lists:?}");
        }
    }
}
