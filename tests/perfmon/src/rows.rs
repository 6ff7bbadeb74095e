//! The rows of the map file.

use crate::Outcome;
use crate::trees::Side;

pub(crate) fn compare(ours: &Side, theirs: &Side, outcome: &mut Outcome) {
    for (n, row) in theirs.rows.iter().enumerate() {
        let our = ours.rows.get(n).map_or("", String::as_str);
        outcome.differs("", "mapfile.csv", &format!("row {n}"), our, row);
    }
    let lengths = [ours, theirs].map(|side| side.rows.len().to_string());
    outcome.differs("", "mapfile.csv", "rows", &lengths[0], &lengths[1]);
}
