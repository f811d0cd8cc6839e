//! Integers of constant expressions, exact up to 512 bits like the gc compiler's (Go spec,
//! Constants).

use std::cmp::Ordering;

use num_bigint::BigInt;

/// An integer constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Integer {
    /// A value that fits; always this variant if it does.
    Small(i128),
    /// A larger one.
    Wide(Box<BigInt>),
}

/// The limit of the compiler; larger results are errors.
const MAX_BITS: u64 = 512;

/// The operations on two integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    AndNot,
    Shl,
    Shr,
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        Integer::Small(value)
    }
}

impl Integer {
    /// Returns the value if it fits.
    pub fn small(&self) -> Option<i128> {
        match self {
            Integer::Small(value) => Some(*value),
            Integer::Wide(_) => None,
        }
    }

    /// Returns `-self`.
    pub fn negated(&self) -> Option<Integer> {
        Integer::Small(0).apply(Arithmetic::Sub, self)
    }

    /// Returns `^self` for signed and untyped integers.
    pub fn inverted(&self) -> Option<Integer> {
        self.negated()?.apply(Arithmetic::Sub, &Integer::Small(1))
    }

    /// Returns the result of an operation; `None` if it is an error.
    pub fn apply(&self, op: Arithmetic, right: &Integer) -> Option<Integer> {
        if let (Integer::Small(left), Integer::Small(right)) = (self, right)
            && let Some(value) = small(op, *left, *right)
        {
            return Some(Integer::Small(value));
        }
        let (left, right) = (self.wide(), right.wide());
        let zero = BigInt::ZERO;
        let value = match op {
            Arithmetic::Add => left + right,
            Arithmetic::Sub => left - right,
            Arithmetic::Mul => left * right,
            Arithmetic::Div if right != zero => left / right,
            Arithmetic::Rem if right != zero => left % right,
            Arithmetic::Div | Arithmetic::Rem => return None,
            Arithmetic::And => left & right,
            Arithmetic::Or => left | right,
            Arithmetic::Xor => left ^ right,
            Arithmetic::AndNot => left & !right,
            Arithmetic::Shl if left == zero => left,
            Arithmetic::Shl => left << u64::try_from(right).ok().filter(|&by| by <= MAX_BITS)?,
            Arithmetic::Shr => left >> u64::try_from(right.min(MAX_BITS.into())).ok()?,
        };
        if value.bits() > MAX_BITS {
            return None;
        }
        Some(match i128::try_from(&value) {
            Ok(value) => Integer::Small(value),
            Err(_) => Integer::Wide(Box::new(value)),
        })
    }

    fn wide(&self) -> BigInt {
        match self {
            Integer::Wide(wide) => BigInt::clone(wide),
            Integer::Small(value) => BigInt::from(*value),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.wide().cmp(&other.wide())
    }
}

/// Computes an operation that does not overflow.
fn small(op: Arithmetic, left: i128, right: i128) -> Option<i128> {
    match op {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Sub => left.checked_sub(right),
        Arithmetic::Mul => left.checked_mul(right),
        Arithmetic::Div => left.checked_div(right),
        Arithmetic::Rem => left.checked_rem(right),
        Arithmetic::And => Some(left & right),
        Arithmetic::Or => Some(left | right),
        Arithmetic::Xor => Some(left ^ right),
        Arithmetic::AndNot => Some(left & !right),
        Arithmetic::Shl => {
            let by = u32::try_from(right).ok().filter(|&by| by < 120)?;
            left.checked_mul(1 << by)
        }
        Arithmetic::Shr => Some(left >> u32::try_from(right).ok()?.min(127)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_to_the(by: i128) -> Integer {
        Integer::Small(1)
            .apply(Arithmetic::Shl, &Integer::Small(by))
            .expect("in range")
    }

    #[test]
    fn wide_values_come_back_exact() {
        let huge = two_to_the(400);
        assert_eq!(huge.small(), None);
        let seven = Integer::Small(7);
        let product = huge.apply(Arithmetic::Mul, &seven).expect("in range");
        let back = product.apply(Arithmetic::Div, &huge);
        assert_eq!(back, Some(Integer::Small(7)));
        let rest = product
            .apply(Arithmetic::Sub, &Integer::Small(3))
            .and_then(|value| value.apply(Arithmetic::Rem, &seven));
        assert_eq!(rest, Some(Integer::Small(4)));
        let shifted = product
            .negated()
            .and_then(|v| v.apply(Arithmetic::Shr, &Integer::Small(400)));
        assert_eq!(shifted, Some(Integer::Small(-7)));
        assert!(huge.negated() < Some(Integer::Small(0)));
        assert!(huge > seven);
    }

    #[test]
    fn values_beyond_the_compilers_limit_are_none() {
        assert_eq!(
            two_to_the(500).apply(Arithmetic::Shl, &Integer::Small(100)),
            None
        );
        assert_eq!(
            two_to_the(300).apply(Arithmetic::Mul, &two_to_the(300)),
            None
        );
        assert_eq!(
            Integer::Small(1).apply(Arithmetic::Div, &Integer::Small(0)),
            None
        );
        assert_eq!(
            Integer::Small(1).apply(Arithmetic::Shl, &Integer::Small(-1)),
            None
        );
        let min = Integer::Small(i128::MIN);
        assert_eq!(min.negated().and_then(|value| value.negated()), Some(min));
    }
}
