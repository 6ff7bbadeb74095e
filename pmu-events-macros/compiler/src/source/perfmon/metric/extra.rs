//! Metrics that perf adds: of power states and interrupts, which are events of the
//! kernel's own PMUs.

use std::borrow::Cow;

use crate::entry::keys::Key;
use crate::faults::Place;
use crate::options::Encoding;
use crate::source::converted::ConvertedEvent;
use crate::source::perfmon::value::Value;

/// The power states of cores and packages that the kernel counts
/// (`arch/x86/events/intel/cstate.c`).
#[rustfmt::skip]
const STATES: &[(&[&str], &[u8], &[u8])] = &[
    (&["NHM-EP", "NHM-EX", "WSM-EP-DP", "WSM-EP-SP", "WSM-EX"], &[3, 6], &[3, 6, 7]),
    (
        &["SNB", "JKT", "IVB", "IVT", "HSW", "HSX", "BDW", "BDW-DE", "BDX", "SKL", "SKX", "CLX"],
        &[3, 6, 7], &[2, 3, 6, 7],
    ),
    (&["ICL", "TGL", "RKL"], &[6, 7], &[2, 3, 6, 7, 8, 9, 10]),
    (&["CWF", "ICX", "SPR", "EMR", "GNR"], &[1, 6], &[2, 6]),
    (&["ADL", "ADLN", "GRR", "SRF", "MTL", "ARL"], &[1, 6, 7], &[2, 3, 6, 8, 10]),
    (&["LNL"], &[1, 6, 7], &[2, 6, 10]),
    (&["SLM"], &[1, 6], &[6]),
    (&["KNL"], &[6], &[2, 3, 6]),
    (&["GLM", "SNR"], &[1, 3, 6], &[2, 3, 6, 10]),
];

/// The metrics of a model, whose place is that of its first row.
pub(in crate::source::perfmon) fn extra<'s>(
    short: &str,
    encoding: Encoding,
    place: Place,
) -> Vec<ConvertedEvent<'s>> {
    let known = STATES.iter().find(|(models, _, _)| models.contains(&short));
    let Some((_, cores, packages)) = known else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (states, pmu, of, whose, number) in [
        (cores, "cstate_core", "Core", "a core", "#num_cores"),
        (packages, "cstate_pkg", "Pkg", "a package", "#num_packages"),
    ] {
        // A state has one count for each core or package, the time one for each CPU.
        let time = match encoding {
            Encoding::Correct => format!("(msr@tsc@ * {number} / #num_cpus_online)"),
            Encoding::Perf => "msr@tsc@".into(),
        };
        all.extend(states.iter().map(|state| {
            metric(
                place,
                format!("C{state}_{of}_Residency"),
                format!(r"{pmu}@c{state}\-residency@ / {time}"),
                format!("Share of time that {whose} spends in C{state} or deeper states"),
                "Power",
                "100%",
            )
        }));
    }
    all.push(metric(place, "smi_num", "msr@smi@", "System management interrupts", "smi", "1SMI#"));
    let mut cycles = metric(
        place,
        "smi_cycles",
        "(msr@aperf@ - cycles) / msr@aperf@ if msr@smi@ > 0 else 0",
        "Share of cycles spent in system management interrupts",
        "smi",
        "100%",
    );
    cycles.values.push((Key::MetricThreshold, Value::new("smi_cycles > 0.1", place)));
    all.push(cycles);
    all
}

fn metric<'s>(
    place: Place,
    name: impl Into<Cow<'s, str>>,
    expression: impl Into<Cow<'s, str>>,
    description: impl Into<Cow<'s, str>>,
    group: &'static str,
    scale_unit: &'static str,
) -> ConvertedEvent<'s> {
    let values = vec![
        (Key::MetricName, Value::new(name, place)),
        (Key::MetricExpr, Value::new(expression, place)),
        (Key::BriefDescription, Value::new(description, place)),
        (Key::MetricGroup, Value::new(group, place)),
        (Key::ScaleUnit, Value::new(scale_unit, place)),
    ];
    ConvertedEvent::plain(place, "metrics", values)
}
