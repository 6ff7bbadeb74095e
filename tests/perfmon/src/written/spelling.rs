//! Events with perfmon's options, as perf spells them.

use pmu_events_core::{Model, pmu};

/// Fields of one register, and what the kernel calls them
/// (`arch/x86/events/intel/core.c`).
const FIELDS: [(&str, &str); 8] = [
    ("retiring", "topdown-retiring"),
    ("bad_speculation", "topdown-bad-spec"),
    ("frontend_bound", "topdown-fe-bound"),
    ("backend_bound", "topdown-be-bound"),
    ("heavy_operations", "topdown-heavy-ops"),
    ("branch_mispredicts", "topdown-br-mispredict"),
    ("fetch_latency", "topdown-fetch-lat"),
    ("memory_bound", "topdown-mem-bound"),
];

/// Options of perfmon and terms of perf.
const TERMS: [(&str, &str); 10] = [
    ("ocr_msr_val=", "offcore_rsp"),
    ("filter1=", "config1"),
    ("opc=", "filter_opc"),
    ("match=", "filter_opc"),
    ("tid=", "filter_tid"),
    ("eq", "eq"),
    ("c", "cmask"),
    ("e", "edge"),
    ("i", "inv"),
    ("u", "umask"),
];

/// An event with perfmon's options, as perf spells it.
///
/// # Errors
///
/// Says what is not known of it.
pub fn spelt(written: &str, model: Model) -> Result<String, String> {
    let is_of = |register: &str| written.starts_with(&format!("msr_event:msr={register}:"));
    match written {
        "tsc" => return Ok("tsc".to_owned()),
        _ if written.ends_with("pkg_energy_status") || is_of("0x611") => {
            return Ok("power/energy-pkg/".to_owned());
        }
        _ if written.ends_with("dram_energy_status") || is_of("0x619") => {
            return Ok("power/energy-ram/".to_owned());
        }
        _ => {}
    }
    let mut parts = written.split(':');
    let mut name = parts.next().unwrap_or_default().to_owned();
    if let Some(field) = name.strip_prefix("perf_metrics.") {
        let known = FIELDS.iter().find(|(known, _)| *known == field);
        return known.map(|(_, spelt)| (*spelt).to_owned()).ok_or(format!("unknown `{name}`"));
    }
    // The same counter, and its older name.
    name = name.replace("unc_iio_payload_bytes_in.mem_read.", "unc_iio_data_req_of_cpu.mem_read.");
    let event = model.event(&name);
    if event.is_none() && name != "topdown.slots" {
        return Err(format!("`{name}` is neither an event nor a metric"));
    }
    let (mut terms, mut modifiers) = (String::new(), "");
    for option in parts {
        match option {
            "sup" => modifiers = "k",
            "user" => modifiers = "u",
            "retire_latency" => modifiers = "R",
            // One unit has as many as each.
            "one_unit" | "perf_metrics" | "percore" => {}
            _ => terms += &format!(",{}", term(option).ok_or(format!("unknown `{option}`"))?),
        }
    }
    let unit = match event {
        Some(event) if !pmu::is_core(event.pmu()) => event.pmu(),
        _ => "cpu",
    };
    Ok(format!("{unit}/{name}{terms}/{modifiers}"))
}

fn term(option: &str) -> Option<String> {
    let (name, number) = TERMS.iter().find_map(|(start, term)| {
        let number = option.strip_prefix(start)?;
        let digits = number.strip_prefix("0x");
        let number = match digits {
            Some(digits) => u64::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        // The second register is the upper half.
        Some((*term, if *start == "filter1=" { number << 32 } else { number }))
    })?;
    Some(format!("{name}={number}"))
}
