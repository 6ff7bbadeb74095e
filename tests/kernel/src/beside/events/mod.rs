//! Random event strings: a grammar over what a machine has, so that most are
//! valid or nearly so.

mod vocabulary;
mod words;

pub use vocabulary::Vocabulary;

use super::random::Random;
use vocabulary::PmuWords;
use words::{CACHES, HARDWARE, JUNK, OPERATIONS, OWN, RESULTS, SIGNS, SOFTWARE, TOOLS};

/// Writes one text after another.
#[derive(Debug)]
pub struct Writer<'v> {
    words: &'v Vocabulary,
    random: Random,
}

impl<'v> Writer<'v> {
    /// Texts over the words of a machine.
    #[must_use]
    pub fn new(words: &'v Vocabulary, random: Random) -> Self {
        Writer { words, random }
    }

    /// The next text.
    pub fn text(&mut self) -> String {
        let items = 1 + self.random.weighted(&[75, 15, 10]);
        let items: Vec<String> = (0..items).map(|_| self.item()).collect();
        let mut text = items.join(",");
        if self.random.percent(5) {
            self.slip(&mut text);
        }
        text
    }

    /// One character too many, too few, or another one.
    fn slip(&mut self, text: &mut String) {
        let mut characters: Vec<char> = text.chars().collect();
        let sign = SIGNS.chars().nth(self.random.below(SIGNS.len())).expect("it is below");
        let at = self.random.below(characters.len() + 1);
        match self.random.below(3) {
            0 => characters.insert(at, sign),
            1 if at < characters.len() => characters[at] = sign,
            2 if at < characters.len() && characters.len() > 1 => drop(characters.remove(at)),
            _ => characters.push(sign),
        }
        *text = characters.into_iter().collect();
    }

    fn item(&mut self) -> String {
        if !self.random.percent(18) {
            return self.event();
        }
        let members = 1 + self.random.weighted(&[10, 40, 25, 15]);
        let members: Vec<String> = (0..members).map(|_| self.event()).collect();
        let name =
            if self.random.percent(8) { self.random.one(&["g", "group.1", "e"]) } else { "" };
        let mut text = format!("{name}{{{}}}", members.join(","));
        if self.random.percent(40) {
            text.push(':');
            text.push_str(&self.modifiers());
        }
        text
    }

    fn modifiers(&mut self) -> String {
        // Most often those that go together with most others.
        const ALL: [&str; 14] =
            ["u", "k", "h", "p", "G", "H", "S", "D", "e", "I", "P", "W", "b", "R"];
        const OFTEN: [usize; 14] = [20, 20, 8, 14, 7, 7, 6, 5, 4, 4, 4, 2, 1, 1];
        let mut text = String::new();
        for _ in 0..1 + self.random.weighted(&[50, 30, 15, 5]) {
            let letter = ALL[self.random.weighted(&OFTEN)];
            if letter == "p" || !text.contains(letter) || self.random.percent(15) {
                text.push_str(letter);
            }
        }
        text
    }

    /// `:modifiers`, or nothing.
    fn colon(&mut self) -> String {
        match self.random.weighted(&[55, 38, 3]) {
            0 => String::new(),
            1 => format!(":{}", self.modifiers()),
            _ => ":".into(),
        }
    }

    /// `/terms/modifiers`, `//modifiers`, `:modifiers` or nothing.
    fn generic_tail(&mut self, rare_terms: bool) -> String {
        match self.random.weighted(&[50, 8, 25]) {
            0 => self.colon(),
            1 => format!("//{}", self.slash()),
            _ => {
                let terms = self.own_terms(rare_terms);
                format!("/{terms}/{}", self.slash())
            }
        }
    }

    /// What may stand behind the closing slash.
    fn slash(&mut self) -> String {
        match self.random.weighted(&[60, 36, 4]) {
            0 => String::new(),
            1 => self.modifiers(),
            _ => self.colon(),
        }
    }

    fn event(&mut self) -> String {
        match self.random.weighted(&[11, 8, 3, 10, 4, 5, 5, 32, 18, 4, 1]) {
            0 => self.random.one(HARDWARE).to_owned() + &self.generic_tail(false),
            1 => self.random.one(SOFTWARE).to_owned() + &self.generic_tail(false),
            2 => {
                let tool = self.random.one(TOOLS).to_owned();
                let rarely = self.random.percent(5);
                tool + &if rarely { self.generic_tail(true) } else { self.colon() }
            }
            3 => self.cache() + &self.generic_tail(true),
            4 => self.raw() + &self.generic_tail(true),
            5 => self.numeric() + &self.generic_tail(true),
            6 => self.breakpoint(),
            7 => self.on_pmu(),
            8 => self.named() + &self.colon(),
            9 => {
                let name = self.named();
                let terms = self.pmu_terms(None);
                format!("{name}/{terms}/{}", self.slash())
            }
            _ => self.random.one(JUNK).to_owned() + &self.generic_tail(true),
        }
    }

    fn cache(&mut self) -> String {
        let mut text = self.random.one(CACHES).to_owned();
        let mut words = [OPERATIONS, RESULTS];
        if self.random.percent(30) {
            words.reverse();
        }
        for n in 0..self.random.weighted(&[20, 40, 40]) {
            let n = if self.random.percent(8) { 1 - n } else { n };
            text.push('-');
            text.push_str(self.random.one(words[n]));
        }
        text
    }

    fn raw(&mut self) -> String {
        let digits = 1 + self.random.below(8);
        let bits = self.random.bits() >> (64 - 4 * digits);
        let prefix = if self.random.percent(10) { "r0x" } else { "r" };
        match self.random.below(10) {
            0 => format!("{prefix}{bits:X}"),
            1 => format!("{prefix}{:x}", self.random.bits()),
            2 => format!("{prefix}{bits:017x}"),
            _ => format!("{prefix}{bits:x}"),
        }
    }

    fn number(&mut self, most: u64) -> String {
        let value = match self.random.weighted(&[45, 15, 12, 10, 4, 1]) {
            0 => self.random.bits() % most.saturating_add(1).max(1),
            1 => 1,
            2 => most,
            3 => 0,
            4 => most.wrapping_add(1),
            _ => self.random.bits(),
        };
        match self.random.weighted(&[50, 40, 4, 4]) {
            0 => format!("{value:#x}"),
            1 => value.to_string(),
            2 => format!("0{value}"),
            _ => format!("0x{value:016X}"),
        }
    }

    fn numeric(&mut self) -> String {
        let kind = match self.random.weighted(&[60, 35, 5]) {
            0 => self.random.below(8).to_string(),
            1 => self.random.of(&self.words.pmus).type_.to_string(),
            _ => self.number(u32::MAX.into()),
        };
        let config = self.number(0xffff);
        format!("{kind}:{config}")
    }

    fn breakpoint(&mut self) -> String {
        let mut text = format!("mem:{}", self.number(0xffff_ffff));
        if self.random.percent(40) {
            let length = self.random.one(&["1", "2", "4", "8", "3", "0x4", "0"]);
            text.push('/');
            text.push_str(length);
        }
        if self.random.percent(60) {
            let access = ["r", "w", "x", "rw", "rx", "rwx", "xr", "rr", "u", "rwxr"];
            text.push(':');
            text.push_str(self.random.one(&access));
        }
        text + &self.generic_tail(true)
    }

    /// The name of an event of some PMU, as it is or nearly so.
    fn named(&mut self) -> String {
        let pmu = self.pmu();
        self.event_of(pmu)
    }

    fn pmu(&mut self) -> &'v PmuWords {
        // Those with events are more worth than the many others.
        let pmu = self.random.of(&self.words.pmus);
        if pmu.events.is_empty() { self.random.of(&self.words.pmus) } else { pmu }
    }

    fn event_of(&mut self, pmu: &PmuWords) -> String {
        if pmu.events.is_empty() {
            return self.random.one(JUNK).to_owned();
        }
        let name = self.random.of(&pmu.events).clone();
        match self.random.weighted(&[75, 12, 8, 2]) {
            0 => name,
            1 => name.to_uppercase(),
            2 => name.to_lowercase(),
            _ => {
                let mut name = name;
                self.slip(&mut name);
                name
            }
        }
    }

    fn on_pmu(&mut self) -> String {
        let pmu = self.pmu();
        let name = match self.random.weighted(&[88, 5, 5]) {
            0 => self.random.of(&pmu.names).clone(),
            1 => pmu.names[0].to_uppercase(),
            _ => self.random.one(&["cpu", "default_core", "nothing", "*", "cpu*", "u*_0"]).into(),
        };
        let terms = self.pmu_terms(Some(pmu));
        format!("{name}/{terms}/{}", self.slash())
    }

    /// Terms of perf's own.
    fn own_terms(&mut self, rare: bool) -> String {
        let count = 1 + self.random.weighted(&[60, 30, 10]);
        let terms: Vec<String> = (0..count).map(|_| self.own_term(rare)).collect();
        terms.join(",")
    }

    fn own_term(&mut self, rare: bool) -> String {
        if rare && self.random.percent(8) {
            return self.random.one(JUNK).to_owned();
        }
        let (name, values) = *self.random.of(OWN);
        match self.random.weighted(&[86, 10, 2, 2]) {
            0 => format!("{name}={}", self.random.one(values)),
            // Those that take a number.
            1 if values[0].parse::<u64>().is_ok() => name.to_owned(),
            2 => name.to_owned(),
            _ => {
                let (_, others) = *self.random.of(OWN);
                format!("{name}={}", self.random.one(others))
            }
        }
    }

    fn pmu_terms(&mut self, pmu: Option<&'v PmuWords>) -> String {
        let count = self.random.weighted(&[6, 50, 28, 10, 6]);
        let terms: Vec<String> = (0..count).map(|_| self.pmu_term(pmu)).collect();
        terms.join(",")
    }

    fn pmu_term(&mut self, pmu: Option<&'v PmuWords>) -> String {
        let own = match pmu {
            Some(pmu) => pmu,
            None => self.pmu(),
        };
        match self.random.weighted(&[38, 22, 18, 4, 2, 4, 2, 4, 2, 1]) {
            0 if !own.formats.is_empty() => {
                let (name, most) = self.random.of(&own.formats).clone();
                match self.random.weighted(&[86, if most == 1 { 40 } else { 4 }, 2]) {
                    0 => format!("{name}={}", self.number(most)),
                    1 => name,
                    _ => format!("{name}={}", self.random.one(&["?", "x", "cycles", "period"])),
                }
            }
            0 | 1 => self.event_of(own),
            2 => self.own_term(true),
            3 => self.random.one(HARDWARE).to_owned(),
            4 => self.cache(),
            5 => self.raw(),
            6 => {
                let pmu = self.pmu();
                self.event_of(pmu)
            }
            7 => format!("event={}", self.event_of(own)),
            8 => self.random.one(&["@foo", "@a=b", "@a.b=1:2", "@"]).to_owned(),
            _ => self.random.one(JUNK).to_owned(),
        }
    }
}
