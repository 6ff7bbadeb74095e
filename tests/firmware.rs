//! `examples/firmware` carries the words it programs, and nothing of the
//! event trees they come from: proved on the linked program.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/cargo.rs"]
mod cargo;

/// The events of the example, and the words that the manuals put together for
/// them.
const WORDS: [(&str, u32); 10] = [
    ("INST_RETIRED.ANY_P", 0x0043_00c0),
    ("LONGEST_LAT_CACHE.MISS", 0x0043_412e),
    ("BR_MISP_RETIRED.ALL_BRANCHES", 0x0043_00c5),
    ("L2_RQSTS.MISS", 0x0043_3f24),
    ("L1D_PEND_MISS.FB_FULL_PERIODS", 0x0147_0248),
    ("ex_ret_brn_misp", 0x0043_00c3),
    ("L1D_CACHE_REFILL", 0x0000_0003),
    ("BR_MIS_PRED_RETIRED", 0x0000_0022),
    ("PM_BR_MPRED_CMPL", 0x0004_00f6),
    ("COUNTER.NONE", 0x0000_00a7),
];

/// What else every table has.
const TRACES: [&str; 4] = ["default_core", "event=0x", ",period=", "silvermont"];

/// Bytes of a section. The smallest of the trees has 22 thousand.
const SECTION_LIMIT: u64 = 512;
/// Bytes of a read-only section besides code.
const CONSTANTS_LIMIT: u64 = 128;

#[test]
fn carries_its_words_and_no_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("firmware");
    let arguments = [OsStr::new("--release"), OsStr::new("--target-dir"), target.as_os_str()];
    let program = cargo::build(&root.join("examples/firmware"), &arguments);
    let elf = Elf(fs::read(&program).expect("the program can be read"));

    let mut allocated = Vec::new();
    for section in elf.sections() {
        // Nothing is relocated when it starts, and no library found.
        assert!(
            ![RELOCATIONS_ADDED, DYNAMIC, RELOCATIONS].contains(&section.kind),
            "{}",
            section.name
        );
        if section.flags & ALLOCATED == 0 || section.kind == NO_BITS {
            continue;
        }
        assert!(section.size <= SECTION_LIMIT, "{}", section.name);
        if section.flags & (WRITABLE | CODE) == 0 {
            assert!(section.size <= CONSTANTS_LIMIT, "{}", section.name);
        }
        allocated.extend_from_slice(elf.bytes(&section));
    }

    let mut symbols = elf.symbols();
    symbols.sort_unstable();
    let registers = ("REGISTERS".to_string(), size_of_val(&WORDS.map(|(_, word)| word)) as u64);
    assert_eq!(symbols[0], registers);
    // No code but its own: not of the standard library, an allocator or
    // `pmu_events`.
    assert_eq!(symbols.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>()[1..], ["_start"]);

    for (event, word) in WORDS {
        assert!(contains(&allocated, &word.to_ne_bytes()), "{event}: {word:#x} is there");
    }
    // Where there are tables these texts are found; but the made-up SoC is in this program
    // alone.
    let with_tables = fs::read(cargo::example("cookbook")).expect("the example can be read");
    for text in WORDS.map(|(name, _)| name).into_iter().chain(TRACES) {
        assert!(!contains(&elf.0, text.as_bytes()), "{text} is in {}", program.display());
        let is_made_up = text == "COUNTER.NONE";
        assert!(is_made_up || contains(&with_tables, text.as_bytes()), "{text} is in every table");
    }

    // Elsewhere it stops by not going on.
    if cfg!(target_arch = "x86_64") {
        let status = Command::new(&program).status().expect("it runs");
        assert_eq!(status.code(), Some(0));
    }
}

/// A selection of a tree, or a tree of one's own, is compiled by a macro; whole trees come packed.
#[test]
fn whole_trees_take_no_macro() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--prefix=none", "--edges=normal,build", "--format={lib}"])
        .args([
            "--package=pmu-events",
            "--no-default-features",
            "--features=arm64,powerpc,register",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let libraries = String::from_utf8(output.stdout).expect("names are UTF-8");
    let mut libraries: Vec<_> = libraries.lines().collect();
    libraries.sort_unstable();
    libraries.dedup();
    let own = ["pmu_events", "pmu_events_core", "pmu_events_register", "pmu_events_tables"];
    assert_eq!(libraries, own);
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// A 64-bit ELF file of this machine's byte order (`/usr/include/elf.h`).
struct Elf(Vec<u8>);

const SYMBOL_TABLE: u64 = 2;
const RELOCATIONS_ADDED: u64 = 4;
const DYNAMIC: u64 = 6;
const NO_BITS: u64 = 8;
const RELOCATIONS: u64 = 9;
const WRITABLE: u64 = 1;
const ALLOCATED: u64 = 2;
const CODE: u64 = 4;

struct Section {
    name: String,
    kind: u64,
    flags: u64,
    offset: u64,
    size: u64,
    link: u64,
}

impl Elf {
    fn number(&self, at: u64, bytes: usize) -> u64 {
        let mut word = [0; 8];
        let start = if cfg!(target_endian = "big") { 8 - bytes } else { 0 };
        word[start..start + bytes].copy_from_slice(&self.0[at as usize..at as usize + bytes]);
        u64::from_ne_bytes(word)
    }

    fn text(&self, at: u64) -> String {
        let bytes = self.0[at as usize..].split(|&byte| byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn bytes(&self, section: &Section) -> &[u8] {
        &self.0[section.offset as usize..(section.offset + section.size) as usize]
    }

    fn sections(&self) -> Vec<Section> {
        assert_eq!(self.0[..5], *b"\x7fELF\x02");
        let (table, count) = (self.number(0x28, 8), self.number(0x3c, 2));
        let header = |n: u64| table + 64 * n;
        let names = self.number(header(self.number(0x3e, 2)) + 24, 8);
        let section = |at: u64| Section {
            name: self.text(names + self.number(at, 4)),
            kind: self.number(at + 4, 4),
            flags: self.number(at + 8, 8),
            offset: self.number(at + 24, 8),
            size: self.number(at + 32, 8),
            link: self.number(at + 40, 4),
        };
        (1..count).map(|n| section(header(n))).collect()
    }

    /// Names and sizes of functions and objects.
    fn symbols(&self) -> Vec<(String, u64)> {
        const OBJECT: u64 = 1;
        const FUNCTION: u64 = 2;
        let sections = self.sections();
        let table = sections.iter().find(|section| section.kind == SYMBOL_TABLE);
        let table = table.expect("the program is not stripped");
        let names = sections[table.link as usize - 1].offset;
        let entries = (table.offset..table.offset + table.size).step_by(24);
        entries
            .filter(|&at| matches!(self.number(at + 4, 1) & 0xf, OBJECT | FUNCTION))
            .map(|at| (self.text(names + self.number(at, 4)), self.number(at + 16, 8)))
            .collect()
    }
}
