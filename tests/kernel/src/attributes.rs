//! What an event resolves to, as lines: `cases/attributes/lists.txt` has perf's
//! in the same words, and `perf/answers.c` prints them.

use pmu_events::__private::{AttributeTerm, attribute_terms};
use pmu_events::Model;
use pmu_events::config::Sampling;
use pmu_events::format::Words;
use pmu_events::resolve::{Resolution, Resolved};

use crate::{Arch, kernel_arch};

/// The CPUID that goes with a made-up machine; what perf does not know of where
/// there is none.
#[must_use]
pub fn cpuid(machine: &str) -> &'static str {
    match machine {
        "skylakex" => "GenuineIntel-6-55-4",
        "sapphirerapids" => "GenuineIntel-6-8F-4",
        "alderlake" => "GenuineIntel-6-97-2",
        "zen4" => "AuthenticAMD-25-61-2",
        "neoverse-n1" => "0x00000000410fd0c0",
        "power9" => "0x004e1200",
        "testcpu" => "testcpu",
        _ => "none",
    }
}

/// The model of a machine's CPU, in Linux 6.12.
///
/// # Panics
///
/// When the kernel's map file does not have it.
#[must_use]
pub fn model(machine: &str) -> Option<Model> {
    model_among(machine, |arch| *kernel_arch(arch))
}

/// The model of a machine's CPU, in trees that are found by the names of architectures.
///
/// # Panics
///
/// When the map file does not have it.
#[must_use]
pub fn model_among(machine: &str, tree: impl Fn(&str) -> Arch) -> Option<Model> {
    let arch = match machine {
        "skylakex" | "sapphirerapids" | "alderlake" | "zen4" => "x86",
        "neoverse-n1" => "arm64",
        "power9" => "powerpc",
        // perf's own table for tests, which no map file names.
        "testcpu" => return tree("test").tree.model_named("test_soc/cpu"),
        _ => return None,
    };
    Some((tree(arch).model)(cpuid(machine)).expect("the kernel's map file has it"))
}

/// Config words in hexadecimal, without the zeros at the end.
#[must_use]
pub fn words(config: Words) -> String {
    let used = config.iter().rposition(|(_, bits)| bits != 0).unwrap_or(0);
    let words: Vec<String> =
        config.iter().take(used + 1).map(|(_, bits)| format!("{bits:x}")).collect();
    words.join(",")
}

/// perf's scale and unit, if there are any.
#[must_use]
pub fn scale(resolved: &Resolved) -> String {
    let (scale, unit) = resolved.perf_unit();
    if (scale, unit) == (1.0, "") {
        return String::new();
    }
    // As C's `%g` has it.
    let exponent = scale.abs().log10().floor();
    let number = if (-4.0..6.0).contains(&exponent) {
        format!("{scale}")
    } else {
        let digits = format!("{scale:.5e}");
        let (mantissa, power) = digits.split_once('e').expect("it was written so");
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        format!("{mantissa}e{:+03}", power.parse::<i32>().expect("it was written so"))
    };
    format!(" scale={number}{unit}")
}

/// What perf keeps of a term: a star where it is the description's, and the
/// number without its base.
fn kept(attribute: AttributeTerm<'_>) -> Option<String> {
    let (term, is_default) = (attribute.term(), attribute.is_default());
    let star = if is_default { "*" } else { "" };
    let switch = |name, is_on: bool| Some(format!("{star}{name}={}", u8::from(is_on)));
    match (term.name(), term.number()) {
        ("name" | "metric-id", _) => None,
        // perf keeps them as truths.
        ("inherit" | "overwrite" | "aux-output", Some(number)) => switch(term.name(), number != 0),
        ("no-inherit", Some(number)) => switch("inherit", number == 0),
        ("no-overwrite", Some(number)) => switch("overwrite", number == 0),
        (name, Some(number)) if !name.starts_with('@') => Some(format!("{star}{name}={number}")),
        _ => Some(format!("{star}{term}")),
    }
}

/// An answer as of perf 6.12, here or recorded, without what 7.3 has otherwise in nearly every
/// one: it finds a PMU for each type that the kernel numbers, which `answers.c` leaves out, and
/// guests count.
#[must_use]
pub fn as_newest(answer: &[String]) -> Vec<String> {
    const NUMBERED_BY_KERNEL: u32 = 6;
    let mut answer = with_guests(answer);
    for line in &mut answer {
        let mut fields: Vec<&str> = line.split('\t').collect();
        let number = fields.iter().find_map(|field| field.strip_prefix("type=")?.parse().ok());
        if number.is_some_and(|number: u32| number < NUMBERED_BY_KERNEL) {
            let pmus = fields.iter_mut().filter(|field| field.starts_with("pmu="));
            pmus.for_each(|pmu| *pmu = "pmu=-");
        }
        *line = fields.join("\t");
    }
    answer
}

/// Without `exclude_guest`, unless guests are what counts.
#[must_use]
pub fn with_guests(answer: &[String]) -> Vec<String> {
    let counts = |line: &String| match line.contains("\texclude_host") {
        true => line.clone(),
        false => line.replace("\texclude_guest", ""),
    };
    answer.iter().map(counts).collect()
}

/// A line for each attribute, as `perf/answers.c` prints it.
#[must_use]
pub fn lines(all: &Resolution) -> Vec<String> {
    let mut lines = Vec::new();
    for group in all.groups() {
        let leader = lines.len();
        lines.extend(group.iter().enumerate().map(|(n, one)| {
            let fields = fields_of(one, leader, if n == 0 { group.len() } else { 0 });
            format!("\t{}", fields.join("\t"))
        }));
    }
    lines
}

/// `leader` is the place of its group's leader; `members` that leader's alone.
fn fields_of(one: &Resolved, leader: usize, members: usize) -> Vec<String> {
    let mut fields = vec![
        format!("pmu={}", one.pmu().map_or("-", |pmu| pmu.name())),
        format!("type={}", one.type_()),
        format!("config={}", words(one.words())),
    ];
    let settings = one.settings();
    let numbers = [
        ("bp_type", one.breakpoint().map_or(0, |breakpoint| breakpoint.access())),
        ("precise_ip", settings.precise().into()),
        ("percore", one.attributes().percore().unwrap_or_default().into()),
    ];
    let numbers = numbers.iter().filter(|(_, number)| *number != 0);
    fields.extend(numbers.map(|(name, number)| format!("{name}={number}")));
    let flags = [
        ("exclude_user", settings.exclude_user()),
        ("exclude_kernel", settings.exclude_kernel()),
        ("exclude_hv", settings.exclude_hv()),
        ("exclude_host", settings.exclude_host()),
        ("exclude_guest", settings.exclude_guest()),
        ("exclude_idle", settings.exclude_idle()),
        ("pinned", settings.pinned()),
        ("exclusive", settings.exclusive()),
        ("sample_read", settings.sample_read()),
        ("precise_max", settings.precise_max()),
        ("weak_group", settings.weak()),
        ("bpf_counter", settings.bpf()),
        ("retire_lat", settings.retire_latency()),
        ("per_pkg", one.is_per_package()),
        ("snapshot", one.is_snapshot()),
    ];
    fields.extend(flags.iter().filter(|(_, set)| *set).map(|(name, _)| (*name).to_owned()));
    fields.extend(one.tool().map(|tool| format!("tool={}", tool.name())));
    match one.attributes().sampling() {
        Some(Sampling::Period(period)) if period > 0 => fields.push(format!("period={period}")),
        Some(Sampling::Frequency(frequency)) if frequency > 0 => {
            fields.push(format!("freq={frequency}"));
        }
        _ => {}
    }
    let scale = scale(one);
    if !scale.is_empty() {
        fields.push(scale.trim_start().into());
    }
    if leader != 0 {
        fields.push(format!("leader={leader}"));
    }
    if members > 1 {
        fields.push(format!("members={members}"));
    }
    let terms: Vec<String> = attribute_terms(one).filter_map(kept).collect();
    if !terms.is_empty() {
        fields.push(format!("terms={}", terms.join(",")));
    }
    fields.push(format!("name={}", one.name()));
    fields.extend(one.attributes().metric_id().map(|id| format!("metric_id={id}")));
    fields
}
