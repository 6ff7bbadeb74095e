//! The output for people and shells: one line per attribute, with its name
//! first, then `key=value` for the fields that are not zero, named as in
//! `perf_event_attr`.

use std::io::{self, Write};

use pmu_events::__private::evsel_flags;
use pmu_events::config::Sampling;
use pmu_events::resolve::Resolution;
use pmu_events::sysfs::Pmu;

use crate::output::one_line;

pub(crate) fn resolved(out: &mut impl Write, all: &Resolution) -> io::Result<()> {
    let members =
        all.groups().flat_map(|group| group.iter().enumerate().map(move |one| (group, one)));
    for (group, (n, one)) in members {
        write!(out, "{}", one_line(one.name()))?;
        if let Some(pmu) = one.pmu() {
            write!(out, " pmu={}", one_line(pmu.name()))?;
        }
        match one.type_() {
            Pmu::DYNAMIC => write!(out, " type=?")?,
            type_ => write!(out, " type={type_}")?,
        }
        write!(out, " config={:#x}", one.words().config())?;
        let words = one.words().iter().skip(1);
        for (word, bits) in words.filter(|&(_, bits)| bits != 0) {
            write!(out, " {word}={bits:#x}")?;
        }
        if let Some(breakpoint) = one.breakpoint() {
            write!(out, " bp_type={}", breakpoint.access())?;
        }
        match one.attributes().sampling() {
            Some(Sampling::Period(period)) => write!(out, " period={period}")?,
            Some(Sampling::Frequency(frequency)) => write!(out, " freq={frequency}")?,
            None => {}
        }
        if one.precise_ip() > 0 {
            write!(out, " precise_ip={}", one.precise_ip())?;
        }
        for (name, _) in evsel_flags(one).iter().filter(|(_, set)| *set) {
            write!(out, " {name}")?;
        }
        if one.scale() != 1.0 {
            write!(out, " scale={}", one.scale())?;
        }
        if !one.unit().is_empty() {
            write!(out, " unit={}", one_line(one.unit()))?;
        }
        if let Ok(Some(cpus)) = one.cpus() {
            write!(out, " cpus={cpus}")?;
        }
        if group.len() > 1 {
            write!(out, " group={}", if n == 0 { "leads" } else { "joins" })?;
        }
        writeln!(out)?;
    }
    Ok(())
}
