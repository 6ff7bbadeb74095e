//! From the text of a configuration to what it says.

use std::time::Duration;

use pmu_events::__private::name::Nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Fault;
use super::located::Located;
use super::schema::{Table, wrong};
use super::{Config, Limits, ModelSection, Scope, ScopeKind};

/// How often things are looked for if the configuration does not say it.
const EVERY: Duration = Duration::from_secs(5);

/// Reads a configuration.
///
/// # Errors
///
/// Returns all faults.
pub(crate) fn read(text: &str) -> Result<Config, Vec<Fault>> {
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let fault = |error: &toml::de::Error| {
            Fault::new(error.span().map_or(0, |span| span.start), error.message())
        };
        return Err(errors.iter().map(fault).collect());
    }
    let mut faults = Vec::new();
    let config = config(document.get_ref(), &mut faults);
    if faults.is_empty() { Ok(config) } else { Err(faults) }
}

fn config(document: &DeTable<'_>, faults: &mut Vec<Fault>) -> Config {
    let mut table = Table::new(document, faults);
    let listen = table.address("listen");
    let host = table.strings("host").pop().map(|host| host.value.into());
    let every = table.seconds("every").unwrap_or(EVERY);
    let limits = table.take("limits");
    let models = table.take("model");
    let scopes = scopes(table, "the configuration");
    let limits = limits.map_or_else(Limits::default, |(_, value)| read_limits(value, faults));
    let models = models.map_or_else(Vec::new, |(_, value)| read_models(value, faults));
    if scopes.is_empty() && models.is_empty() && faults.is_empty() {
        let kinds: Vec<String> =
            ScopeKind::ALL.iter().map(|(name, _)| format!("[{name}]")).collect();
        let message = format!(
            "the configuration has no scope, so that nothing is counted; the scopes are {}",
            kinds.join(", ")
        );
        faults.push(Fault::new(0, message));
    }
    Config { listen, host, every, limits, scopes, models }
}

fn read_limits(value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Limits {
    let mut limits = Limits::default();
    let DeValue::Table(table) = value.get_ref() else {
        faults.push(Fault::new(value.span().start, wrong("limits", "a table", value.get_ref())));
        return limits;
    };
    let mut table = Table::new(table, faults);
    limits.descriptors = table.number("descriptors", 1 << 24);
    limits.series = table.number("series", 10_000_000).unwrap_or(limits.series);
    limits.connections = table.number("connections", 10_000).unwrap_or(limits.connections);
    limits.request = table.seconds("request").unwrap_or(limits.request);
    table.end("[limits]");
    limits
}

fn read_models(value: &Spanned<DeValue<'_>>, faults: &mut Vec<Fault>) -> Vec<ModelSection> {
    let DeValue::Table(models) = value.get_ref() else {
        let message = wrong("model", "a table for each model", value.get_ref());
        faults.push(Fault::new(value.span().start, message));
        return Vec::new();
    };
    let mut sections = Vec::new();
    for (glob, at, section) in Table::new(models, faults).rest() {
        let name = format!("[model.\"{glob}\"]");
        let DeValue::Table(section) = section.get_ref() else {
            faults.push(Fault::new(at, format!("{name} is no table of scopes")));
            continue;
        };
        let scopes = scopes(Table::new(section, faults), &name);
        if scopes.is_empty() {
            faults.push(Fault::new(at, format!("{name} has no scope")));
        }
        sections.push(ModelSection { glob: Located { value: glob.into(), at }, scopes });
    }
    sections
}

/// The scopes of a table, in the order of the text, which no other keys follow.
fn scopes(mut table: Table<'_, '_>, of: &str) -> Vec<Scope> {
    let mut scopes = Vec::new();
    for (key, at, value) in table.rest() {
        let kind = ScopeKind::ALL.iter().find(|(name, _)| *name == key);
        let Some(&(_, kind)) = kind else {
            let top = if of.starts_with('[') {
                &[][..]
            } else {
                &["listen", "host", "every", "limits", "model"]
            };
            let names: Vec<&str> =
                ScopeKind::ALL.iter().map(|(name, _)| *name).chain(top.iter().copied()).collect();
            let near = Nearest::instead_of(key).among(names.iter().copied());
            let hint = match near {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!("; the keys are {}", names.join(", ")),
            };
            table.fault(at, format!("{of} has no key `{key}`{hint}"));
            continue;
        };
        match value.get_ref() {
            DeValue::Table(one) => scopes.push(scope(kind, at, one, table.faults())),
            DeValue::Array(all) => {
                for one in all {
                    let own = one.span().start;
                    match one.get_ref() {
                        DeValue::Table(one) => scopes.push(scope(kind, own, one, table.faults())),
                        other => table.fault(own, wrong(key, "a table", other)),
                    }
                }
            }
            other => table.fault(value.span().start, wrong(key, "a table", other)),
        }
    }
    scopes.sort_by_key(|scope| scope.at);
    scopes
}

fn scope(kind: ScopeKind, at: usize, table: &DeTable<'_>, faults: &mut Vec<Fault>) -> Scope {
    let name = format!("[{}]", kind.name());
    let mut table = Table::new(table, faults);
    let events = table.strings("events");
    let metrics = table.strings("metrics");
    let multiplex = table.boolean("multiplex").unwrap_or(false);
    let (mut paths, mut except, mut names) = (Vec::new(), Vec::new(), Vec::new());
    match kind {
        ScopeKind::Cgroup => {
            paths = table.strings("paths");
            except = table.strings("except");
            if paths.is_empty() {
                table.fault(at, format!("{name} lacks `paths`: the control groups to count in"));
            }
        }
        ScopeKind::Process => {
            names = table.strings("names");
            if names.is_empty() {
                table.fault(at, format!("{name} lacks `names`: the processes to count"));
            }
        }
        _ => {}
    }
    if events.is_empty() && metrics.is_empty() {
        table.fault(at, format!("{name} has neither `events` nor `metrics`"));
    }
    table.end(&name);
    Scope { kind, at, events, metrics, paths, except, names, multiplex }
}

#[cfg(test)]
mod tests {
    use super::super::Text;
    use super::*;

    #[test]
    fn what_a_configuration_says() {
        let text = "\
listen = '[::1]:1234'
every = 0.5
[limits]
descriptors = 0x100
request = 3

[[cgroup]]
paths = ['a/*', 'b']
except = 'a/x'
events = 'cs'

[model.'neoverse-*'.pmu]
events = ['arm_cmn/hnf_cache_miss/']

[machine]
metrics = ['common.ipc']
multiplex = true
";
        let config = read(text).expect("it has no fault");
        assert_eq!(config.listen.map(|listen| listen.value.port()), Some(1234));
        assert_eq!(config.every, Duration::from_millis(500));
        let limits = Limits::default();
        let request = Duration::from_secs(3);
        assert_eq!(config.limits, Limits { descriptors: Some(256), request, ..limits });
        let kinds: Vec<_> = config.scopes.iter().map(|scope| scope.kind).collect();
        assert_eq!(kinds, [ScopeKind::Cgroup, ScopeKind::Machine]);
        let [cgroup, machine] = &config.scopes[..] else { panic!("these are two") };
        let values = |all: &[Located<String>]| -> Vec<String> {
            all.iter().map(|one| one.value.clone()).collect()
        };
        assert_eq!(values(&cgroup.paths), ["a/*", "b"]);
        assert_eq!(
            (values(&cgroup.except), values(&cgroup.events)),
            (vec!["a/x".into()], vec!["cs".into()])
        );
        assert_eq!(&text[cgroup.events[0].at..][..4], "'cs'");
        assert!(machine.multiplex && !cgroup.multiplex);
        assert_eq!(config.models[0].glob.value, "neoverse-*");
        assert_eq!(config.models[0].scopes[0].kind, ScopeKind::Instance);
    }

    #[test]
    fn faults() {
        let cases = [
            (
                "",
                "1:1: the configuration has no scope, so that nothing is counted; the scopes are [machine], [cpu], [core], [socket], [pmu], [cgroup], [process]",
            ),
            ("machin = 1", "1:1: the configuration has no key `machin`; did you mean `machine`?"),
            (
                "[machine]\nevent = 'cs'",
                "1:2: [machine] has neither `events` nor `metrics`\n2:1: [machine] has no key `event`; did you mean `events`?",
            ),
            (
                "[machine]\nevents = ['cs', 1]",
                "2:17: `events` is 1; expected a string, or an array of strings",
            ),
            ("[machine]\nevents = ['cs', '']", "2:17: `events` has an empty string"),
            (
                "[machine]\nevents = 'cs'\npaths = 'a'",
                "3:1: [machine] has no key `paths`; the keys are events, metrics, multiplex",
            ),
            (
                "[[cgroup]]\nevents = 'cs'",
                "1:1: [cgroup] lacks `paths`: the control groups to count in",
            ),
            ("[process]\nevents = 'cs'", "1:2: [process] lacks `names`: the processes to count"),
            ("cpu = 3", "1:7: `cpu` is 3; expected a table"),
            (
                "every = 0\n[cpu]\nevents = 'cs'",
                "1:9: `every` is 0; expected a number of seconds from 0.1 to 86400",
            ),
            (
                "listen = 'host'\n[cpu]\nevents = 'cs'",
                "1:10: `listen` is the string \"host\"; expected an address with a port, such as \"127.0.0.1:9739\" or \"[::]:9739\"",
            ),
            (
                "[limits]\nseries = -1\n[cpu]\nevents = 'cs'",
                "2:10: `series` is -1; expected a whole number from 1 to 10000000",
            ),
            ("[model.x]\n", "1:8: [model.\"x\"] has no scope"),
            (
                "[model.x.core]\nevents = 'cs'\nlisten = 1",
                "3:1: [core] has no key `listen`; the keys are events, metrics, multiplex",
            ),
            (
                "[model.x]\nlisten = 'a'",
                "1:8: [model.\"x\"] has no scope\n2:1: [model.\"x\"] has no key `listen`; the keys are machine, cpu, core, socket, pmu, cgroup, process",
            ),
        ];
        for (text, expected) in cases {
            let faults = read(text).expect_err(text);
            let name = "x".to_owned();
            let report = Text { name, text: text.into() }.report(&faults).replace("x:", "");
            assert_eq!(report, expected, "{text}");
        }
    }

    /// The parser's own words may change; the place may not.
    #[test]
    fn faults_of_the_syntax_have_their_place() {
        for (text, place) in [("a = \n", "x:1:5: "), ("[machine]\nevents = ['cs'\n", "x:2:15: ")] {
            let faults = read(text).expect_err(text);
            let report = Text { name: "x".into(), text: text.into() }.report(&faults);
            assert!(report.starts_with(place), "{text}: {report}");
        }
    }
}
