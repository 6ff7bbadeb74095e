use super::item::{Function, Operator};

impl Operator {
    /// Applies the operator to two values, as perf does at run time
    /// (`tools/perf/util/expr.y`); `None` where perf aborts the whole formula,
    /// which is the case for a remainder by zero.
    ///
    /// - `+ - *` and comparisons are NaN if an operand is NaN; true is 1, false
    ///   is 0.
    /// - `a / 0` is NaN.
    /// - `%` truncates its operands to integers. A right operand of zero makes
    ///   perf abort (if zero before truncation) or crash (if zero after it);
    ///   here the formula is aborted in both cases. The result is NaN if an
    ///   operand is NaN.
    /// - `|`, `&` and `^` test whether finite operands are zero and return 1 or
    ///   0. If only one operand is finite, `|` is 1 if that operand is not
    ///   zero, `&` is 0 if it is zero, and otherwise both return the other
    ///   operand. In all remaining cases, the result is NaN.
    ///
    /// ```
    /// use pmu_events::__private::expr::Operator;
    ///
    /// assert_eq!(Operator::Remainder.apply(10.0, 4.9), Some(2.0));
    /// assert_eq!(Operator::Remainder.apply(1.0, 0.0), None);
    /// assert_eq!(Operator::Or.apply(f64::NAN, 5.0), Some(1.0));
    /// assert!(Operator::Divide.apply(1.0, 0.0).is_some_and(f64::is_nan));
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn apply(self, left: f64, right: f64) -> Option<f64> {
        Some(match self {
            // Arithmetic propagates NaN by itself.
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide if right == 0.0 => f64::NAN,
            Self::Divide => left / right,
            Self::Remainder => return remainder(left, right),
            Self::Less => compare(left, right, left < right),
            Self::Greater => compare(left, right, left > right),
            Self::Or => match (left.is_finite(), right.is_finite()) {
                (true, true) => truth(left != 0.0 || right != 0.0),
                (true, false) => {
                    if left != 0.0 {
                        1.0
                    } else {
                        right
                    }
                }
                (false, true) => {
                    if right != 0.0 {
                        1.0
                    } else {
                        left
                    }
                }
                (false, false) => f64::NAN,
            },
            Self::And => match (left.is_finite(), right.is_finite()) {
                (true, true) => truth(left != 0.0 && right != 0.0),
                (true, false) => {
                    if left == 0.0 {
                        0.0
                    } else {
                        right
                    }
                }
                (false, true) => {
                    if right == 0.0 {
                        0.0
                    } else {
                        left
                    }
                }
                (false, false) => f64::NAN,
            },
            Self::Xor if left.is_finite() && right.is_finite() => {
                truth((left != 0.0) != (right != 0.0))
            }
            Self::Xor => f64::NAN,
        })
    }
}

impl Function {
    /// Applies the function to two values, as perf does at run time. If one is
    /// NaN, `min` and `max` return the second.
    ///
    /// ```
    /// use pmu_events::__private::expr::Function;
    ///
    /// assert_eq!(Function::DRatio.apply(1.0, 0.0), 0.0);
    /// assert_eq!(Function::Max.apply(f64::NAN, 1.0), 1.0);
    /// assert!(Function::Max.apply(1.0, f64::NAN).is_nan());
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn apply(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Min => {
                if left < right {
                    left
                } else {
                    right
                }
            }
            Self::Max => {
                if left > right {
                    left
                } else {
                    right
                }
            }
            Self::DRatio => {
                if right == 0.0 {
                    0.0
                } else {
                    left / right
                }
            }
        }
    }
}

/// `then if condition else otherwise`: NaN is not zero, and so it is true.
#[inline]
pub(crate) fn choose(then: f64, condition: f64, otherwise: f64) -> f64 {
    if condition == 0.0 { otherwise } else { then }
}

#[inline]
fn truth(is_true: bool) -> f64 {
    f64::from(is_true)
}

#[inline]
fn compare(left: f64, right: f64, is_true: bool) -> f64 {
    if left.is_nan() || right.is_nan() { f64::NAN } else { truth(is_true) }
}

#[inline]
fn remainder(left: f64, right: f64) -> Option<f64> {
    if right.is_nan() {
        return Some(f64::NAN);
    }
    let divisor = right as i64;
    if divisor == 0 {
        return None;
    }
    // For the smallest integer and -1, the quotient is out of range, but the
    // remainder is not.
    Some(if left.is_nan() { f64::NAN } else { (left as i64).wrapping_rem(divisor) as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAN: f64 = f64::NAN;
    const INFINITE: f64 = f64::INFINITY;
    const LEAST: f64 = i64::MIN as f64;

    fn are_same(one: Option<f64>, other: Option<f64>) -> bool {
        match (one, other) {
            (Some(one), Some(other)) => one == other || one.is_nan() && other.is_nan(),
            (one, other) => one == other,
        }
    }

    /// By the rules of `expr.y`, only finite values are known.
    #[test]
    fn truths() {
        let values = [0.0, -0.0, 1.0, -2.5, 1e-300, NAN, INFINITE, -INFINITE];
        for (left, right) in values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b))) {
            let known = |value: f64| value.is_finite().then_some(value != 0.0);
            let (or, and, xor) = match (known(left), known(right)) {
                (Some(a), Some(b)) => (f64::from(a || b), f64::from(a && b), f64::from(a ^ b)),
                (Some(true), None) => (1.0, right, NAN),
                (Some(false), None) => (right, 0.0, NAN),
                (None, Some(true)) => (1.0, left, NAN),
                (None, Some(false)) => (left, 0.0, NAN),
                (None, None) => (NAN, NAN, NAN),
            };
            for (operator, value) in
                [(Operator::Or, or), (Operator::And, and), (Operator::Xor, xor)]
            {
                let is = operator.apply(left, right);
                assert!(are_same(is, Some(value)), "{left} {} {right}: {is:?}", operator.symbol());
            }
        }
    }

    #[test]
    fn numbers() {
        use Operator::*;
        let cases: &[(f64, Operator, f64, Option<f64>)] = &[
            (7.0, Add, 2.0, Some(9.0)),
            (7.0, Subtract, 2.0, Some(5.0)),
            (7.0, Multiply, 2.0, Some(14.0)),
            (7.0, Divide, 2.0, Some(3.5)),
            (7.0, Divide, 0.0, Some(NAN)),
            (7.0, Divide, -0.0, Some(NAN)),
            (NAN, Add, 1.0, Some(NAN)),
            (1.0, Less, 2.0, Some(1.0)),
            (2.0, Less, 2.0, Some(0.0)),
            (3.0, Less, 2.0, Some(0.0)),
            (NAN, Less, 2.0, Some(NAN)),
            (2.0, Less, NAN, Some(NAN)),
            (1.0, Greater, 2.0, Some(0.0)),
            (2.0, Greater, 2.0, Some(0.0)),
            (3.0, Greater, 2.0, Some(1.0)),
            (NAN, Greater, 2.0, Some(NAN)),
            (2.0, Greater, NAN, Some(NAN)),
            (7.9, Remainder, 4.9, Some(3.0)),
            (-7.9, Remainder, 4.0, Some(-3.0)),
            (7.0, Remainder, 0.0, None),
            (7.0, Remainder, 0.9, None),
            (NAN, Remainder, 0.0, None),
            (7.0, Remainder, NAN, Some(NAN)),
            (NAN, Remainder, 7.0, Some(NAN)),
            (LEAST, Remainder, -1.0, Some(0.0)),
        ];
        for &(left, operator, right, expected) in cases {
            let is = operator.apply(left, right);
            assert!(are_same(is, expected), "{left} {} {right}: {is:?}", operator.symbol());
        }
    }

    #[test]
    fn functions() {
        use Function::*;
        let cases: &[(Function, f64, f64, f64)] = &[
            (Min, 1.0, 2.0, 1.0),
            (Min, 2.0, 1.0, 1.0),
            (Min, 1.0, NAN, NAN),
            (Min, NAN, 1.0, 1.0),
            (Max, 1.0, 2.0, 2.0),
            (Max, 2.0, 1.0, 2.0),
            (Max, 1.0, NAN, NAN),
            (Max, NAN, 1.0, 1.0),
            (DRatio, 3.0, 4.0, 0.75),
            (DRatio, 3.0, 0.0, 0.0),
            (DRatio, NAN, 0.0, 0.0),
            (DRatio, NAN, 1.0, NAN),
        ];
        for &(function, left, right, expected) in cases {
            let is = function.apply(left, right);
            let name = function.name();
            assert!(are_same(Some(is), Some(expected)), "{name}({left}, {right}): {is}");
        }
    }
}
