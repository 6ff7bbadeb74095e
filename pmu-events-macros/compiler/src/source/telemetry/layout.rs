//! The models of the specifications, and their CPUs.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::object::{Fields, Text, hexadecimal};
use crate::faults::{Faults, Message, Place, narrow, quoted};
use crate::files::Files;
use crate::mapfile::{Row, Rows};

/// The company whose models the kernel has below `arm/`.
const ARM: u32 = 0x41;

/// The parts of a specification.
const KEYS: [&str; 7] = [
    "$schema",
    "document",
    "product_configuration",
    "events",
    "metrics",
    "groups",
    "methodologies",
];

/// The keys of `product_configuration`.
const PRODUCT_KEYS: [&str; 9] = [
    "product_name",
    "part_num",
    "major_revision",
    "minor_revision",
    "implementer",
    "architecture",
    "pmu_architecture",
    "num_slots",
    "num_bus_slots",
];

/// One specification.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// The directory of the kernel's tree: `arm/neoverse-n1`.
    pub(crate) name: String,
    pub(super) file: u32,
    pub(super) is_kept: bool,
    implementer: u32,
    part: u32,
    /// `r1p2` is 1 and 2.
    revision: (u32, u32),
    /// When the specification was written.
    timestamp: String,
    place: Place,
    /// Whether an earlier revision has a specification of its own.
    is_later: bool,
}

impl Model {
    /// MIDR_EL1 from which on the specification applies, as the kernel's map file
    /// writes it: the earliest one covers all revisions before it, too.
    fn pattern(&self) -> String {
        let (major, minor) = if self.is_later { self.revision } else { (0, 0) };
        let midr = self.implementer << 24 | major << 20 | 0xf << 16 | self.part << 4 | minor;
        format!("{midr:#018x}")
    }

    /// Where its facts come from.
    fn origin(&self) -> String {
        let (major, minor) = self.revision;
        format!("Arm telemetry r{major}p{minor} ({})", self.timestamp)
    }
}

/// The models, sorted by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) models: Vec<Model>,
    is_whole: bool,
}

impl Layout {
    /// Reads what each file says of its product.
    pub(super) fn read(files: &Files, faults: &mut Faults) -> Self {
        let mut models = Vec::new();
        let mut is_whole = true;
        for number in 0..files.all.len() {
            match model(files, narrow(number), faults) {
                Some(model) => models.push(model),
                None => is_whole = false,
            }
        }
        name(&mut models, faults);
        models.sort_by(|a: &Model, b| a.name.cmp(&b.name));
        Layout { models, is_whole }
    }

    /// The rows that the kernel's map file would have: the latest revision of a
    /// product first.
    pub(crate) fn rows(&self) -> Rows {
        let mut models: Vec<&Model> = self.models.iter().collect();
        models.sort_by_key(|model| (model.implementer, model.part, Reverse(model.revision)));
        let row = |model: &Model| Row {
            pattern: model.pattern(),
            directory: model.name.clone(),
            place: model.place,
            directory_place: model.place,
            columns: 4,
        };
        Rows { rows: models.into_iter().map(row).collect(), is_whole: self.is_whole }
    }

    /// The source of each model.
    pub(crate) fn origins(&self) -> HashMap<String, String> {
        self.models.iter().map(|model| (model.name.clone(), model.origin())).collect()
    }
}

fn model(files: &Files, file: u32, faults: &mut Faults) -> Option<Model> {
    if !files[file].is_whole {
        return None;
    }
    let before = faults.errors.kept.len();
    let all = Fields::of_file(files, file, faults);
    if faults.errors.kept.len() > before {
        return None;
    }
    let Some(product) = all.get("product_configuration") else {
        let message = "missing `product_configuration`: expected the specification of a CPU";
        faults.error(all.place, message);
        return None;
    };
    all.only(&KEYS, faults);
    let place = product.place;
    let product = Fields::of(files, product, faults);
    product.only(&PRODUCT_KEYS, faults);
    let name = product.string("product_name", faults);
    let mut number = |key: &str, most| {
        let text = product.string(key, faults)?;
        hexadecimal(&format!("`{key}`"), &text, most, faults)
    };
    let (implementer, part) = (number("implementer", 0xff), number("part_num", 0xfff));
    let mut revision = |key| {
        let text = product.string(key, faults)?;
        decimal(key, &text, faults)
    };
    let (major, minor) = (revision("major_revision"), revision("minor_revision"));
    let document = all.below("document", files, faults);
    let timestamp = document.and_then(|document| document.optional("timestamp", faults));
    let implementer = implementer?;
    let plain = name?.text.to_lowercase().replace(' ', "-");
    Some(Model {
        name: if implementer == ARM { format!("arm/{plain}") } else { plain },
        file,
        is_kept: true,
        implementer,
        part: part?,
        revision: (major?, minor?),
        timestamp: timestamp.map_or_else(|| "undated".to_owned(), |text| text.text.into_owned()),
        place,
        is_later: false,
    })
}

/// A part of a revision, which MIDR_EL1 has four bits for.
fn decimal(key: &str, text: &Text<'_>, faults: &mut Faults) -> Option<u32> {
    let number = text.text.parse().ok().filter(|&number: &u32| number <= 15);
    if number.is_none() {
        let found = quoted(&text.text);
        faults.error(text.place, format!("invalid `{key}` {found}: expected a number up to 15"));
    }
    number
}

/// Distinguishes the revisions of a product: `arm/neoverse-n2` and
/// `arm/neoverse-n2-r0p3`.
fn name(models: &mut [Model], faults: &mut Faults) {
    models.sort_by(|a, b| {
        let key = |model: &Model| (model.implementer, model.part, model.revision);
        key(a).cmp(&key(b)).then(a.file.cmp(&b.file))
    });
    for number in 1..models.len() {
        let (earlier, [model, ..]) = models.split_at_mut(number) else { continue };
        let before = &earlier[number - 1];
        if (before.implementer, before.part) != (model.implementer, model.part) {
            continue;
        }
        let (major, minor) = model.revision;
        if before.revision == model.revision {
            let message = format!("part {:#x} r{major}p{minor} is also specified at ", model.part);
            faults.error(model.place, Message::from(message).place(before.place));
        }
        model.is_later = true;
        model.name = format!("{}-r{major}p{minor}", model.name);
    }
}
