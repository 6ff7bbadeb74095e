//! The writes that count an event of perfmon's JSON, by the meaning of its keys and the
//! layout of the registers in the manual (Intel SDM, volume 3, “Performance
//! Monitoring”), apart from the library's reader, event strings and formats.

use serde_json::Value;

/// One write: register, value, and the bits that belong to the event.
pub(super) type Write = (u32, u64, u64);

/// An event as the file has it.
pub(super) struct VendorEvent {
    /// Its name in trees.
    pub(super) name: String,
    counters: Counters,
    /// What the event sets in `IA32_PERFEVTSELx`.
    select: u64,
    /// The register that refines it, and its value.
    msr: Option<(u32, u64)>,
}

enum Counters {
    General(Vec<u8>),
    /// The hardware's number.
    Fixed(u8),
}

/// User and kernel mode, and the enable bit.
const CONTROL: u64 = 1 << 16 | 1 << 17 | 1 << 22;
const ANY_THREAD: u64 = 1 << 21;
const PERFEVTSEL0: u32 = 0x186;
const FIXED_CTR_CTRL: u32 = 0x38d;
const PERF_GLOBAL_CTRL: u32 = 0x38f;

/// Names of the events that general counters can count by an architectural code, beside
/// the fixed counter under which perfmon has them.
const ARCHITECTURAL: [(&str, u64); 4] = [
    ("INST_RETIRED.ANY", 0xc0),
    ("CPU_CLK_UNHALTED.THREAD", 0x3c),
    ("CPU_CLK_UNHALTED.CORE", 0x3c),
    ("CPU_CLK_UNHALTED.THREAD_ANY", 0x3c | ANY_THREAD),
];

impl VendorEvent {
    /// `Err` says what is not understood.
    pub(super) fn of(json: &Value) -> Result<Self, String> {
        let name = tree_name(&text(json, "EventName").ok_or("an event has no name")?);
        let of = |why: String| format!("{name}: {why}");
        let numbers = |key: &str| list(json, key).map_err(of);
        let number = |key: &str| numbers(key).map(|all| all.first().copied().unwrap_or(0));
        let (codes, umasks) = (numbers("EventCode")?, numbers("UMask")?);
        let registers = numbers("MSRIndex")?;
        let register = registers.first().copied().filter(|&register| register != 0);
        // With one register and a list of codes or umasks, these are those of all
        // registers of its kind, of which 0x1a6 is the first.
        let place = match register {
            Some(0x1a7) if registers.len() == 1 => 1,
            _ => 0,
        };
        let at = |list: &[u64]| list.get(place).or(list.first()).copied().unwrap_or(0);
        let (code, umask) = (at(&codes), at(&umasks));
        let select = code
            | umask << 8
            | number("EdgeDetect")? << 18
            | number("AnyThread")? << 21
            | number("Invert")? << 23
            | number("CounterMask")? << 24
            | number("Equal")? << 36
            | number("UMaskExt")? << 40;
        let msr = match register {
            Some(register) => Some((
                u32::try_from(register).map_err(|_| of("the register is too large".to_owned()))?,
                number("MSRValue")?,
            )),
            None => None,
        };
        let counters = text(json, "Counter").ok_or_else(|| of("no Counter".to_owned()))?;
        let counters = match counters.strip_prefix("Fixed counter ") {
            Some(stated) => {
                let stated: u8 = stated.parse().map_err(|_| of(format!("counter {stated}")))?;
                // The code 0 has the number plus one as umask. The oldest lists have no
                // code at all and number the counters from one.
                Counters::Fixed(match (code, umask) {
                    (0, 1..) => umask as u8 - 1,
                    _ => stated - 1,
                })
            }
            None => {
                let numbers: Result<_, _> = counters.split(',').map(|n| n.trim().parse()).collect();
                Counters::General(numbers.map_err(|_| of(format!("counters {counters}")))?)
            }
        };
        Ok(VendorEvent { name, counters, select, msr })
    }

    /// The writes that make a general counter count the event; `None` if it cannot.
    pub(super) fn on_general(&self, n: u8) -> Option<Vec<Write>> {
        let select = match &self.counters {
            Counters::General(all) => all.contains(&n).then_some(self.select)?,
            Counters::Fixed(_) => self.architectural()?,
        };
        let mut writes: Vec<Write> = Vec::new();
        writes.extend(self.msr.map(|(register, value)| (register, value, u64::MAX)));
        writes.push((PERFEVTSEL0 + u32::from(n), select | CONTROL, u64::MAX));
        writes.push((PERF_GLOBAL_CTRL, 1 << n, 1 << n));
        Some(writes)
    }

    /// The writes that make a fixed counter count the event; `None` if it cannot.
    pub(super) fn on_fixed(&self, n: u8) -> Option<Vec<Write>> {
        let only = match self.counters {
            Counters::Fixed(only) => only,
            // The fixed counters of instructions and cycles count what the architectural
            // codes select.
            Counters::General(_) => match self.select & !ANY_THREAD {
                0xc0 => 0,
                0x3c => 1,
                _ => return None,
            },
        };
        let (shift, bit) = (4 * u32::from(n), 1 << (32 + u32::from(n)));
        let any_thread = u64::from(self.select & ANY_THREAD != 0) << 2;
        (only == n).then(|| {
            vec![
                (FIXED_CTR_CTRL, (0b11 | any_thread) << shift, 0xf << shift),
                (PERF_GLOBAL_CTRL, bit, bit),
            ]
        })
    }

    fn architectural(&self) -> Option<u64> {
        let is_it = |(name, _): &&(&str, u64)| self.name.eq_ignore_ascii_case(name);
        ARCHITECTURAL.iter().find(is_it).map(|&(_, code)| code)
    }
}

/// The name that trees have: those of some offcore events are written in another way.
fn tree_name(name: &str) -> String {
    let name = name.replacen("OFFCORE_RESPONSE_0", "OFFCORE_RESPONSE", 1);
    name.replacen(":request=", ".", 1).replacen(":response=", ".", 1)
}

fn text(json: &Value, key: &str) -> Option<String> {
    json.get(key).and_then(Value::as_str).map(|text| text.trim().to_owned())
}

/// The numbers of a list; none if the key is missing.
fn list(json: &Value, key: &str) -> Result<Vec<u64>, String> {
    let Some(all) = text(json, key) else {
        return Ok(Vec::new());
    };
    let number = |one: &str| {
        let one = one.trim().to_ascii_lowercase();
        match one.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => one.parse(),
        }
    };
    let numbers: Result<Vec<u64>, _> = all.split(',').map(number).collect();
    numbers.map_err(|_| format!("{key} is {all}"))
}
