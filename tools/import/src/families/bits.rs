//! Words for bits of an encoding.

use std::collections::BTreeMap;

use super::Phrase;
use crate::problem::Place;
use crate::record::{Record, number};

/// What the bits of one field mean.
#[derive(Clone, Debug)]
pub struct Table {
    /// The key of the field, such as `UMask`, or the name of a term within
    /// `Filter`, such as `config1`.
    pub field: String,
    /// The bits that the table is about.
    pub mask: u64,
    /// Words for whole values, in place.
    pub values: BTreeMap<u64, Phrase>,
    /// Words for single bits; those of several are joined.
    pub bits: BTreeMap<u64, Phrase>,
    /// Its own place.
    pub place: Place,
}

impl Table {
    /// The masked value of an event's field.
    ///
    /// # Errors
    ///
    /// When the field is not a number.
    pub fn value(&self, record: &Record) -> Result<u64, String> {
        let text = match record.get(&self.field) {
            Some(text) => Some(text),
            // Some encodings have a register only in the filter.
            None => record.get("Filter").and_then(|filter| {
                let mut terms = filter.split(',').filter_map(|term| term.split_once('='));
                terms.find(|(name, _)| *name == self.field).map(|(_, value)| value)
            }),
        };
        let first = text.unwrap_or("0").split(',').next().unwrap_or_default();
        let value = number(first.trim());
        let value = value.ok_or_else(|| format!("{} `{first}` is not a number", self.field))?;
        Ok(value & self.mask)
    }

    /// The words for an event.
    ///
    /// # Errors
    ///
    /// When the table does not know the value.
    pub fn words(&self, record: &Record) -> Result<Phrase, String> {
        let value = self.value(record)?;
        if let Some(phrase) = self.values.get(&value) {
            return Ok(phrase.clone());
        }
        let set = (0..u64::BITS).map(|bit| 1 << bit).filter(|bit| value & bit != 0);
        let words: Option<Vec<&Phrase>> = set.map(|bit| self.bits.get(&bit)).collect();
        match words.filter(|words| !words.is_empty()) {
            Some(words) => Ok(joined(&words)),
            None => {
                let (field, mask) = (&self.field, self.mask);
                Err(format!("no words for {field} {value:#x} (of the bits {mask:#x})"))
            }
        }
    }
}

/// `a`, `a or b`, `a, b or c`: an event with several of these bits counts
/// whatever matches one of them.
fn joined(words: &[&Phrase]) -> Phrase {
    let variants = words.iter().map(|phrase| phrase.0.len()).max().unwrap_or_default();
    let join = |n: usize| {
        let texts: Vec<&str> = words.iter().map(|phrase| phrase.at(n)).collect();
        match texts.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    };
    Phrase((0..variants).map(join).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::File;
    use crate::problem::Problems;
    use crate::record::Keep;

    #[test]
    fn words_for_values_and_bits() {
        let phrase = |texts: &[&str]| Phrase(texts.iter().map(|t| (*t).to_owned()).collect());
        let table = Table {
            field: "UMask".to_owned(),
            mask: 0xf0,
            values: [(0x30, phrase(&["reads"])), (0, phrase(&[""]))].into(),
            bits: [
                (0x10, phrase(&["data reads", "data"])),
                (0x20, phrase(&["code reads"])),
                (0x40, phrase(&["RFOs"])),
            ]
            .into(),
            place: Place::file("f.json"),
        };
        let config = Table { field: "config1".to_owned(), ..table.clone() };
        let cases: &[(&Table, &str, Result<&[&str], &str>)] = &[
            (&table, r#""UMask":"0x31""#, Ok(&["reads"])),
            (&table, r#""UMask":"1""#, Ok(&[""])),
            (&table, r#""PerPkg":"1""#, Ok(&[""])),
            (&table, r#""UMask":"0x11""#, Ok(&["data reads", "data"])),
            (
                &table,
                r#""UMask":"0x70""#,
                Ok(&["data reads, code reads or RFOs", "data, code reads or RFOs"]),
            ),
            (&table, r#""UMask":"0x80""#, Err("no words for UMask 0x80 (of the bits 0xf0)")),
            (&table, r#""UMask":"0x90""#, Err("no words for UMask 0x90 (of the bits 0xf0)")),
            (&config, r#""UMask":"0x10","Filter":"a=2,config1=0x40""#, Ok(&["RFOs"])),
            (&config, r#""Filter":"config1=x""#, Err("config1 `x` is not a number")),
        ];
        for (table, fields, expected) in cases {
            let text = format!(r#"{{"EventName":"A",{fields}}}"#);
            let file = File::new("x.json", &text);
            let object = file.value().object().unwrap();
            let record = Record::read(&object, Keep::Facts, &mut Problems::default()).unwrap();
            let expected = expected.map(phrase).map_err(str::to_owned);
            assert_eq!(table.words(&record), expected, "{fields}");
        }
    }
}
