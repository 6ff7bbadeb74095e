//! Apple's cores, from the sources of Linux: its driver has their events, and its list of
//! CPUs has their part numbers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use pmu_events_compiler::tree_json::Key;

use crate::arch::{Arch, Row};
use crate::problem::{Place, Problems};
use crate::published::Published;
use crate::record::{Keep, Record};

/// The driver, whose path is that of the source.
pub const DRIVER: &str = "apple_m1_cpu_pmu.c";

/// The list of CPUs, from the driver's directory.
const CPUS: &str = "../../arch/arm64/include/asm/cputype.h";

/// The version in the map file: Linux has no list of these events with one of its own.
const VERSION: &str = "v1";

/// Events that Apple's own list of a model lacks, although the driver has one list for all.
const ABSENT: &[(&str, &str)] = &[("apple/m2", "SCHEDULE_UOP")];

/// Reads the driver and the list of CPUs beside it; `None` if the path is another's.
pub fn read(path: &Path, keep: Keep, problems: &mut Problems) -> Option<Published> {
    if path.file_name()? != DRIVER {
        return None;
    }
    let arch = Arch { name: "arm64".to_owned(), ..Arch::default() };
    let mut published = Published { arch, has_versions: false };
    let cpus = path.with_file_name(CPUS);
    let mut text = |path: &Path| {
        fs::read_to_string(path).unwrap_or_else(|error| {
            let place = Place::file(&path.to_string_lossy());
            problems.error(place, format!("cannot be read: {error}"));
            String::new()
        })
    };
    let [driver, cpus] = [text(path), text(&cpus)];
    published.arch.rows = rows(&cpus);
    let events = events(&driver);
    if events.is_empty() || published.arch.rows.is_empty() {
        let place = Place::file(&path.to_string_lossy());
        problems.error(place, "expected events, and parts of APPLE_CPU_PART_* in cputype.h");
    }
    let models: BTreeSet<String> =
        published.arch.rows.iter().map(|row| row.directory.clone()).collect();
    for model in models {
        let is_there = |(name, ..): &&(String, u64, Vec<u8>)| !ABSENT.contains(&(&model, name));
        let record = |(name, code, counters): &(String, u64, Vec<u8>)| {
            let counters: Vec<String> = counters.iter().map(u8::to_string).collect();
            let fields = [
                (Key::EventName, name.clone()),
                (Key::EventCode, format!("{code:#x}")),
                (Key::Counter, counters.join(",")),
            ];
            Record::of(&fields, keep, Place::file(&path.to_string_lossy()), problems)
        };
        let mut records: Vec<Record> = events.iter().filter(is_there).filter_map(record).collect();
        records.sort_by(|a, b| a.key().cmp(&b.key()));
        let files = BTreeMap::from([("core.json".to_owned(), records)]);
        published.arch.tables.insert(model, files);
    }
    Some(published)
}

/// A row for each part: `MIDR_EL1` of its first revision, which includes the later ones.
fn rows(cpus: &str) -> Vec<Row> {
    let defined = |line: &str| -> Option<(String, u64)> {
        let mut words = line.strip_prefix("#define")?.split_whitespace();
        Some((words.next()?.to_owned(), crate::record::number(words.next()?)?))
    };
    let defined: Vec<(String, u64)> = cpus.lines().filter_map(defined).collect();
    let implementer = defined.iter().find(|(name, _)| name == "ARM_CPU_IMP_APPLE");
    let Some((_, implementer)) = implementer else {
        return Vec::new();
    };
    let row = |(name, part): &(String, u64)| {
        let (chip, _) = name.strip_prefix("APPLE_CPU_PART_")?.split_once('_')?;
        // The architecture is the one that the ID registers tell.
        let midr = implementer << 24 | 0xf << 16 | part << 4;
        Some(Row {
            pattern: format!("0x{midr:016x}"),
            version: VERSION.to_owned(),
            directory: format!("apple/{}", chip.to_ascii_lowercase()),
            kind: "core".to_owned(),
        })
    };
    defined.iter().filter_map(row).collect()
}

/// Name, code and counters of each event with a name.
fn events(driver: &str) -> Vec<(String, u64, Vec<u8>)> {
    let lines: Vec<&str> = driver.lines().map(str::trim).collect();
    let masks: HashMap<&str, &str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("#define ")?.split_once(char::is_whitespace))
        .collect();
    // `[M1_PMU_PERFCTR_INST_ALL] = BIT(7) | BIT(1),`
    let affinity = |line: &&str| -> Option<(String, u64)> {
        let (event, mask) = line.strip_prefix('[')?.trim_end_matches(',').split_once(']')?;
        let mask = mask_of(mask.trim().strip_prefix('=')?, &masks)?;
        Some((event.trim_start_matches("0 ... ").to_owned(), mask))
    };
    let affinities: HashMap<String, u64> = lines.iter().filter_map(affinity).collect();
    let any = affinities.get("M1_PMU_PERFCTR_LAST").copied();
    let event = |line: &&str| {
        let (name, code) = line.strip_suffix(',')?.split_once('=')?;
        let (name, code) = (name.trim(), crate::record::number(code.trim())?);
        let own = name.strip_prefix("M1_PMU_PERFCTR_")?;
        if own.starts_with("UNKNOWN_") {
            return None;
        }
        let mask = affinities.get(name).copied().or(any)?;
        let counters = (0..64).filter(|n| mask >> n & 1 != 0).collect();
        Some((own.to_owned(), code, counters))
    };
    lines.iter().filter_map(event).collect()
}

/// The bits of `BIT(7) | ANY_BUT_0_1`.
fn mask_of(text: &str, masks: &HashMap<&str, &str>) -> Option<u64> {
    let text = text.trim();
    if let Some((one, others)) = text.split_once('|') {
        return Some(mask_of(one, masks)? | mask_of(others, masks)?);
    }
    let arguments = |function: &str| text.strip_prefix(function)?.strip_suffix(')');
    if let Some(bit) = arguments("BIT(") {
        return 1_u64.checked_shl(bit.trim().parse().ok()?);
    }
    if let Some(bits) = arguments("GENMASK(") {
        let (high, low) = bits.split_once(',')?;
        let [high, low]: [u32; 2] = [high.trim().parse().ok()?, low.trim().parse().ok()?];
        let up_to = |bit: u32| 1_u64.checked_shl(bit).map(|bit| bit - 1);
        return Some(up_to(high + 1)? & !up_to(low)?);
    }
    let named = masks.get(text)?.trim();
    let named = named.strip_prefix('(').and_then(|named| named.strip_suffix(')')).unwrap_or(named);
    mask_of(named, masks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: &str = "#define ARM_CPU_IMP_APPLE\t\t0x61\n\
        #define APPLE_CPU_PART_M1_ICESTORM\t0x022\n\
        #define APPLE_CPU_PART_M2_AVALANCHE_MAX\t0x039\n\
        #define MIDR_APPLE_M1_ICESTORM MIDR_CPU_MODEL(ARM_CPU_IMP_APPLE, APPLE_CPU_PART_M1_ICESTORM)\n";
    const EVENTS: &str = "#define ANY_BUT_0_1\t\tGENMASK(9, 2)\n\
        #define ONLY_5_6_7\t(BIT(5) | BIT(6) | BIT(7))\n\
        enum m1_pmu_events {\n\
        \tM1_PMU_PERFCTR_RETIRE_UOP\t= 0x1,\n\
        \tM1_PMU_PERFCTR_CYCLE\t= 0x2,\n\
        \tM1_PMU_PERFCTR_SCHEDULE_UOP\t= 0x52,\n\
        \tM1_PMU_PERFCTR_BRANCH\t= 0x8d,\n\
        \tM1_PMU_PERFCTR_UNKNOWN_9f\t= 0x9f,\n\
        \tM1_PMU_PERFCTR_LAST\t= M1_PMU_CFG_EVENT,\n};\n\
        \t[0 ... M1_PMU_PERFCTR_LAST]\t= ANY_BUT_0_1,\n\
        \t[M1_PMU_PERFCTR_RETIRE_UOP]\t= BIT(7),\n\
        \t[M1_PMU_PERFCTR_CYCLE]\t= ANY_BUT_0_1 | BIT(0),\n\
        \t[M1_PMU_PERFCTR_BRANCH]\t= ONLY_5_6_7,\n";

    #[test]
    fn parts() {
        let rows = rows(PARTS);
        let found: Vec<_> = rows.iter().map(|row| (&*row.pattern, &*row.directory)).collect();
        let expected = [("0x00000000610f0220", "apple/m1"), ("0x00000000610f0390", "apple/m2")];
        assert_eq!(found, expected);
    }

    #[test]
    fn numbers_and_counters() {
        let found = events(EVENTS);
        let found: Vec<_> = found.iter().map(|(name, code, on)| (&**name, *code, &**on)).collect();
        let expected: [(&str, u64, &[u8]); 4] = [
            ("RETIRE_UOP", 1, &[7]),
            ("CYCLE", 2, &[0, 2, 3, 4, 5, 6, 7, 8, 9]),
            ("SCHEDULE_UOP", 0x52, &[2, 3, 4, 5, 6, 7, 8, 9]),
            ("BRANCH", 0x8d, &[5, 6, 7]),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_driver_beside_its_kernel() {
        let root = std::env::temp_dir().join(format!("pmu-events-apple-{}", std::process::id()));
        let driver = root.join("drivers/perf").join(DRIVER);
        for (path, text) in
            [(&driver, EVENTS), (&root.join("arch/arm64/include/asm/cputype.h"), PARTS)]
        {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut problems = Problems::default();
        assert!(read(&root, Keep::Facts, &mut problems).is_none());
        let arch = read(&driver, Keep::Facts, &mut problems).unwrap().arch;
        let empty = root.join(DRIVER);
        fs::write(&empty, "").unwrap();
        let _ = read(&empty, Keep::Facts, &mut problems);
        fs::remove_dir_all(&root).unwrap();
        let names = |model: &str| arch.records(model).filter_map(Record::name).count();
        assert_eq!((names("apple/m1"), names("apple/m2")), (4, 3));
        // The second has neither events nor a list of CPUs.
        let errors: Vec<String> = problems.errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors.len(), 2, "{errors:?}");
    }
}
