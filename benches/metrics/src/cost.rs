//! What an operator costs.

use crate::contestants::Way;
use crate::table::Row;

/// A formula's operators, and the nanoseconds that one way takes for it.
pub struct Point {
    operators: f64,
    nanoseconds: f64,
}

impl Point {
    /// `None` where the way was not measured.
    pub fn of(row: &Row, way: Way) -> Option<Self> {
        let operators = row.formula.operators() as f64;
        Some(Point { operators, nanoseconds: row.of(way)? })
    }
}

/// Of some formulas, in nanoseconds; NaN where there are too few.
pub struct Cost {
    /// Their time over their operators.
    pub operator: f64,
    /// What each further operator adds, by least squares.
    pub further_operator: f64,
    /// What a formula takes apart from that.
    pub formula: f64,
}

impl Cost {
    pub fn of(points: impl Iterator<Item = Point>) -> Self {
        let [mut count, mut x, mut y, mut xx, mut xy] = [0.0; 5];
        for Point { operators, nanoseconds } in points {
            count += 1.0;
            x += operators;
            y += nanoseconds;
            xx += operators * operators;
            xy += operators * nanoseconds;
        }
        let slope = (count * xy - x * y) / (count * xx - x * x);
        Cost { operator: y / x, further_operator: slope, formula: (y - slope * x) / count }
    }
}
