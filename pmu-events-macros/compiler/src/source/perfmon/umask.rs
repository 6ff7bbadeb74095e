//! `UMask`, its extension, and the register that it goes with.

use super::keys::Key;
use super::value::{Value, Values};
use crate::entry::repairs::Repairs;
use crate::faults::quoted;
use crate::options::Encoding;

/// The umask of each register, as terms: `0x1a6=0x1,0x1a7=0x2`; `None` unless
/// there are several of both.
pub(super) fn pairs(values: &mut Values<'_, '_>) -> Option<String> {
    let (umask, index) = (values.get(Key::UMask)?, values.get(Key::MSRIndex)?);
    let (umasks, registers) = (Values::items(&umask), Values::items(&index));
    if registers.len() < 2 || umasks.len() != registers.len() {
        return None;
    }
    let mut pairs = String::new();
    for (register, written) in registers.iter().zip(&umasks) {
        let register = values.parse_hexadecimal(Key::MSRIndex, &index, register)?;
        let written = values.parse_hexadecimal(Key::UMask, &umask, written)?;
        let comma = if pairs.is_empty() { "" } else { "," };
        pairs.push_str(&format!("{comma}{register:#x}={written:#x}"));
    }
    Some(pairs)
}

/// The umask of an event; `None` is 0.
pub(super) fn umask<'s>(
    values: &mut Values<'_, 's>,
    encoding: Encoding,
    repairs: &mut Repairs,
) -> Option<Value<'s>> {
    let value = values.get(Key::UMask);
    // Port and channel masks repeat the extension in terms of their own.
    let has_masks = values.hexadecimal(Key::PortMask) != 0 || values.hexadecimal(Key::FCMask) != 0;
    let extension = values.hexadecimal(Key::UMaskExt);
    let extension = if has_masks { 0 } else { extension };
    let Some(value) = value else {
        let written = values.written(Key::UMaskExt)?;
        if extension == 0 {
            return None;
        }
        repairs.insert(Repairs::UMASK_EXTENSION);
        return match encoding {
            Encoding::Perf => None,
            Encoding::Correct => Some(Value::new(format!("{:#x}", extension << 8), written.place)),
        };
    };
    let items = Values::items(&value);
    let paired = pair(values, &value, items.len());
    let item = match encoding {
        Encoding::Perf => 0,
        Encoding::Correct => paired,
    };
    let first = values.parse_hexadecimal(Key::UMask, &value, &items[0])?;
    let umask = values.parse_hexadecimal(Key::UMask, &value, &items[item])?;
    if first != umask {
        repairs.insert(Repairs::REGISTER);
    }
    if umask > 0xff && extension != 0 {
        let message = format!("UMask {} leaves no place for UMaskExt", quoted(&value.text));
        values.error(value.place, message);
    }
    Some(Value::new(format!("{:#x}", extension << 8 | umask), value.place))
}

/// The registers of offcore response: the first goes with the first umask or
/// event code, the second with the second (Intel SDM, volume 3B, “Off-core
/// Response Performance Monitoring”).
const OFFCORE: [u64; 2] = [0x1a6, 0x1a7];

/// Which of several umasks goes with the first register of `MSRIndex`: item for
/// item, and with one register that whose place among the pair is the register's.
fn pair(values: &mut Values<'_, '_>, umask: &Value<'_>, umasks: usize) -> usize {
    let restriction = values.get(Key::ProgrammingRestriction);
    let is_paired = match restriction {
        None => false,
        Some(value) if value.text == "None" => false,
        Some(value) if value.text == "MSRIndex-UMask" => true,
        Some(value) => {
            let found = quoted(&value.text);
            let message = format!(
                "unknown ProgrammingRestriction {found}: expected `None` or `MSRIndex-UMask`"
            );
            values.error(value.place, message);
            return 0;
        }
    };
    let Some(index) = values.get(Key::MSRIndex) else {
        if is_paired {
            let message = "is paired with MSRIndex, which is missing";
            values.error(umask.place, format!("UMask {} {message}", quoted(&umask.text)));
        }
        return 0;
    };
    let registers = Values::items(&index);
    match (umasks, &registers[..]) {
        (1, _) if !is_paired => 0,
        (n, registers) if n == registers.len() => 0,
        (2, [register]) if !is_paired => {
            let Some(number) = values.parse_hexadecimal(Key::MSRIndex, &index, register) else {
                return 0;
            };
            match OFFCORE.iter().position(|&known| known == number) {
                Some(place) => place,
                None => {
                    let message = format!(
                        "no rule says which umask of {} goes with register {}",
                        quoted(&umask.text),
                        quoted(register)
                    );
                    values.error(index.place, message);
                    0
                }
            }
        }
        (n, registers) => {
            let message = format!(
                "MSRIndex {} lists {}, but UMask {} lists {n}: expected a umask for each register",
                quoted(&index.text),
                registers.len(),
                quoted(&umask.text)
            );
            values.error(index.place, message);
            0
        }
    }
}
