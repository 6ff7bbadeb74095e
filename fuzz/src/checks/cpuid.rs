//! CPUIDs: any text against compiled trees, any bytes as an automaton.

use pmu_events::__private::Automaton;
use pmu_events::__private::cpuid::Midr;

use crate::trees::{arm64, x86};

pub fn check(data: &[u8]) {
    let packed = Automaton::new(data);
    for text in ["", "a", "GenuineIntel-6-8F-4"] {
        let matches = packed.matches(text);
        assert_eq!(matches.first(), matches.iter().next());
        assert!(matches.iter().count() <= data.len() / 4);
        assert!(matches.iter().all(|number| matches.contains(number)));
    }
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    of_x86(text);
    of_arm(text);
}

fn of_x86(text: &str) {
    let model = x86::model(text).map(|model| model.name());
    let dashes = text.matches('-').count();
    if model.is_some() {
        // What a stepping is made of, no row says.
        let mut cpu = text.splitn(4, '-').take(3);
        let is_plain = |part: &str| part.bytes().all(|c| c.is_ascii_alphanumeric());
        assert!(dashes >= 2 && cpu.all(is_plain), "{text:?}");
    }
    if let Some((cpu, stepping)) = text.rsplit_once('-')
        && dashes == 3
        && !stepping.is_empty()
    {
        let expected = match (cpu, stepping) {
            // The only CPU whose rows have steppings.
            ("GenuineIntel-6-55", "0" | "1" | "2" | "3" | "4") => Some("skylakex"),
            ("GenuineIntel-6-55", "5" | "6" | "7" | "8" | "9") => Some("cascadelakex"),
            ("GenuineIntel-6-55", "A" | "B" | "C" | "D" | "E" | "F") => Some("cascadelakex"),
            // A stepping makes no difference to the others.
            _ => x86::model(cpu).map(|model| model.name()),
        };
        assert_eq!(model, expected, "{text:?}");
    }
}

fn of_arm(text: &str) {
    let model = arm64::model(text);
    let Ok(midr) = Midr::parse(text) else {
        assert!(model.is_none());
        return;
    };
    // A later version of a core that is known is known.
    let latest = Midr::from_bits(midr.bits() | 0x00f0_000f);
    assert_eq!((latest.part(), latest.version()), (midr.part(), 0xff));
    let latest = arm64::model(&format!("{:#018x}", latest.bits()));
    assert!(model.is_none() || latest.is_some(), "{text:?}");
    assert_eq!(Midr::parse(&format!("{:x}", midr.bits())), Ok(midr));
}
