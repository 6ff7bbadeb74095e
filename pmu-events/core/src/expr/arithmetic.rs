use super::item::{Function, Operator};

impl Operator {
    /// The operator applied to two values, as perf does it at run time
    /// (`tools/perf/util/expr.y`); `None` where perf gives the whole formula
    /// up, which is a remainder by zero.
    ///
    /// * `+ - *` and comparisons of NaN are NaN; true is 1, false 0.
    /// * `a / 0` is NaN.
    /// * `%` cuts its operands to integers. A right one that is zero then
    ///   stops perf (before the cut) or kills it (after); here both give the
    ///   formula up. Of NaN it is NaN.
    /// * `|`, `&` and `^` ask whether finite operands are zero and give 1 or 0.
    ///   Of one finite operand and one that is not, `|` gives 1 if the finite
    ///   one is not zero, `&` gives 0 if it is, and either else gives the other
    ///   operand; everything else is NaN.
    ///
    /// ```
    /// use pmu_events_core::expr::Operator;
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
            // Arithmetic carries NaN by itself.
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
    /// The function of two values, as perf does it at run time. Where one is
    /// NaN, `min` and `max` give the second.
    ///
    /// ```
    /// use pmu_events_core::expr::Function;
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

/// `then if condition else otherwise`: NaN is no zero, and so true.
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
    // Of the smallest integer and -1, the quotient is out of range; the
    // remainder is not.
    Some(if left.is_nan() { f64::NAN } else { (left as i64).wrapping_rem(divisor) as f64 })
}
