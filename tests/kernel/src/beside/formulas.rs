//! Random metric expressions.

use super::random::Random;

/// Names that have values, as expressions spell them.
pub const NAMES: &[&str] =
    &["a", "b", "c.d", "e1", "4k_pages", "f\\-g", "cpu@event\\=0x3c\\,umask\\=1@", "h:u", "slots"];
/// Names that have none.
const UNKNOWN: &[&str] = &["nothing", "x.y", "cpu@nothing@"];
const LITERALS: &[&str] = &[
    "#smt_on",
    "#num_cpus",
    "#num_cpus_online",
    "#num_cores",
    "#num_dies",
    "#num_packages",
    "#core_wide",
    "#has_pmem",
    "#SMT_on",
    "#nothing",
];
const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "<", ">", "&", "|", "^"];
const NUMBERS: &[&str] =
    &["0", "1", "2", "3.5", ".5", "7.", "100", "1e3", "1e-9", "64", "0.0", "NaN", "1000000000"];
const CPUIDS: &[&str] = &[
    "GenuineIntel\\-6\\-55\\-4",
    "GenuineIntel\\-6\\-55",
    "GenuineIntel\\-6\\-8F\\-4",
    "AuthenticAMD\\-25\\-61\\-2",
    "AuthenticAMD\\-25\\-6.",
    "GenuineIntel\\-6\\-97\\-2",
];
const SIGNS: &str = "()+-*/%<>&|^,ifelse.#\\ @:?=!0aeN";

/// Values for [`NAMES`], zeros among them. What has none is NaN.
pub fn values(random: &mut Random) -> Vec<f64> {
    let mut value = |_: &&str| match random.weighted(&[40, 15, 15, 10, 10, 10]) {
        0 => random.below(1000) as f64,
        1 => 0.0,
        2 => 1.0,
        3 => random.below(1_000_000) as f64 / 64.0,
        4 => -(random.below(100) as f64),
        _ => random.bits() as f64,
    };
    NAMES.iter().map(&mut value).collect()
}

/// An expression; most parse.
pub fn text(random: &mut Random) -> String {
    let mut text = String::new();
    let depth = 1 + random.below(4);
    conditional(random, depth, &mut text);
    if random.percent(8) {
        let mut characters: Vec<char> = text.chars().collect();
        let sign = SIGNS.chars().nth(random.below(SIGNS.len())).expect("it is below");
        let at = random.below(characters.len());
        match random.below(3) {
            0 => characters.insert(at, sign),
            1 => characters[at] = sign,
            _ if characters.len() > 1 => drop(characters.remove(at)),
            _ => {}
        }
        text = characters.into_iter().collect();
    }
    text
}

fn blank(random: &mut Random, text: &mut String) {
    if random.percent(60) {
        text.push(' ');
    }
}

fn conditional(random: &mut Random, depth: usize, text: &mut String) {
    operand(random, depth, text);
    if depth > 0 && random.percent(20) {
        text.push_str(" if ");
        operand(random, depth - 1, text);
        text.push_str(" else ");
        conditional(random, depth - 1, text);
    }
}

fn operand(random: &mut Random, depth: usize, text: &mut String) {
    if depth == 0 {
        return atom(random, text);
    }
    match random.weighted(&[15, 50, 15, 8, 12]) {
        0 => atom(random, text),
        1 => {
            operand(random, depth - 1, text);
            for _ in 0..1 + random.below(2) {
                blank(random, text);
                text.push_str(random.one(OPERATORS));
                blank(random, text);
                operand(random, depth - 1, text);
            }
        }
        2 => {
            text.push('(');
            conditional(random, depth - 1, text);
            text.push(')');
        }
        3 => {
            text.push('-');
            blank(random, text);
            operand(random, depth - 1, text);
        }
        _ => {
            text.push_str(random.one(&["min", "max", "d_ratio"]));
            blank(random, text);
            text.push('(');
            operand(random, depth - 1, text);
            text.push(',');
            blank(random, text);
            operand(random, depth - 1, text);
            text.push(')');
        }
    }
}

fn atom(random: &mut Random, text: &mut String) {
    match random.weighted(&[50, 28, 6, 6, 4, 4, 2]) {
        0 => text.push_str(random.one(NAMES)),
        1 => text.push_str(random.one(NUMBERS)),
        2 => text.push_str(random.one(LITERALS)),
        3 => text.push_str(random.one(UNKNOWN)),
        4 => query(random, "source_count", NAMES, text),
        5 => {
            let of = if random.percent(50) { NAMES } else { UNKNOWN };
            query(random, "has_event", of, text);
        }
        _ => query(random, "strcmp_cpuid_str", CPUIDS, text),
    }
}

fn query(random: &mut Random, name: &str, of: &[&str], text: &mut String) {
    text.push_str(name);
    text.push('(');
    text.push_str(random.one(of));
    text.push(')');
}
