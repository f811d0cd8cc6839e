//! Integers of constant expressions: exact up to 512 bits, as the compiler keeps them (Go spec,
//! Constants).

use std::cmp::Ordering;

/// An integer constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Integer {
    /// One that fits; always this form where it does.
    Small(i128),
    /// A larger one.
    Wide(Box<Wide>),
}

/// Two's complement, least significant word first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide([u64; WORDS]);

const WORDS: usize = 9;
const BITS: u32 = 64 * WORDS as u32;
/// What the compiler keeps; results beyond are errors.
const MAX_BITS: u32 = 512;

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
    /// The value, where it fits.
    pub fn small(&self) -> Option<i128> {
        match self {
            Integer::Small(value) => Some(*value),
            Integer::Wide(_) => None,
        }
    }

    /// `-self`
    pub fn negated(&self) -> Option<Integer> {
        Integer::Small(0).apply(Arithmetic::Sub, self)
    }

    /// `^self` for signed and untyped integers.
    pub fn inverted(&self) -> Option<Integer> {
        self.negated()?.apply(Arithmetic::Sub, &Integer::Small(1))
    }

    /// The result of an operation; `None` where it is an error.
    pub fn apply(&self, op: Arithmetic, right: &Integer) -> Option<Integer> {
        if let (Integer::Small(left), Integer::Small(right)) = (self, right)
            && let Some(value) = small(op, *left, *right)
        {
            return Some(Integer::Small(value));
        }
        let (left, right) = (self.wide(), right.wide());
        let value = match op {
            Arithmetic::Add => left.plus(right),
            Arithmetic::Sub => left.plus(right.negated()),
            Arithmetic::Mul => left.times(right)?,
            Arithmetic::Div => left.divided(right)?.0,
            Arithmetic::Rem => left.divided(right)?.1,
            Arithmetic::And => left.each(right, |l, r| l & r),
            Arithmetic::Or => left.each(right, |l, r| l | r),
            Arithmetic::Xor => left.each(right, |l, r| l ^ r),
            Arithmetic::AndNot => left.each(right, |l, r| l & !r),
            Arithmetic::Shl => left.shifted_left(right.count()?)?,
            Arithmetic::Shr => left.shifted_right(right.count()?),
        };
        (value.bits() <= MAX_BITS).then(|| value.shortest())
    }

    fn wide(&self) -> Wide {
        match self {
            Integer::Wide(wide) => **wide,
            Integer::Small(value) => {
                let mut words = [if *value < 0 { u64::MAX } else { 0 }; WORDS];
                words[0] = *value as u64;
                words[1] = (*value >> 64) as u64;
                Wide(words)
            }
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
        let (left, right) = (self.wide(), other.wide());
        right
            .is_negative()
            .cmp(&left.is_negative())
            .then_with(|| left.0.iter().rev().cmp(right.0.iter().rev()))
    }
}

/// The operation where nothing overflows.
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

impl Wide {
    fn is_negative(&self) -> bool {
        self.0[WORDS - 1] >> 63 == 1
    }

    fn is_zero(&self) -> bool {
        self.0 == [0; WORDS]
    }

    fn each(self, other: Wide, op: impl Fn(u64, u64) -> u64) -> Wide {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            *word = op(*word, other);
        }
        Wide(words)
    }

    /// Cannot overflow: both have at most [`MAX_BITS`].
    fn plus(self, other: Wide) -> Wide {
        let mut carry = false;
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            let (sum, first) = word.overflowing_add(other);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, first | second);
        }
        Wide(words)
    }

    fn negated(self) -> Wide {
        let inverted = Wide(self.0.map(|word| !word));
        let mut one = [0; WORDS];
        one[0] = 1;
        inverted.plus(Wide(one))
    }

    fn magnitude(self) -> Wide {
        if self.is_negative() {
            self.negated()
        } else {
            self
        }
    }

    fn signed(self, negative: bool) -> Wide {
        if negative { self.negated() } else { self }
    }

    /// Bits of the magnitude.
    fn bits(&self) -> u32 {
        let magnitude = self.magnitude();
        let used = magnitude.0.iter().rposition(|&word| word != 0);
        used.map_or(0, |at| {
            at as u32 * 64 + 64 - magnitude.0[at].leading_zeros()
        })
    }

    fn times(self, other: Wide) -> Option<Wide> {
        if self.bits() + other.bits() > BITS - 1 {
            return None;
        }
        let (left, right) = (self.magnitude(), other.magnitude());
        let mut words = [0u64; WORDS];
        for (at, &factor) in left.0.iter().enumerate() {
            let mut carry = 0u128;
            for (word, &other) in words[at..].iter_mut().zip(&right.0) {
                let sum = u128::from(factor) * u128::from(other) + u128::from(*word) + carry;
                *word = sum as u64;
                carry = sum >> 64;
            }
        }
        Some(Wide(words).signed(self.is_negative() != other.is_negative()))
    }

    /// Quotient, truncated towards zero, and remainder, with the sign of the dividend.
    fn divided(self, other: Wide) -> Option<(Wide, Wide)> {
        if other.is_zero() {
            return None;
        }
        let (left, right) = (self.magnitude(), other.magnitude());
        let mut quotient = Wide([0; WORDS]);
        let mut rest = Wide([0; WORDS]);
        for bit in (0..left.bits()).rev() {
            let (word, shift) = ((bit / 64) as usize, bit % 64);
            rest = rest.shifted_left(1)?;
            rest.0[0] |= left.0[word] >> shift & 1;
            let less = rest.plus(right.negated());
            if !less.is_negative() {
                rest = less;
                quotient.0[word] |= 1 << shift;
            }
        }
        let quotient = quotient.signed(self.is_negative() != other.is_negative());
        Some((quotient, rest.signed(self.is_negative())))
    }

    /// As the count of a shift.
    fn count(&self) -> Option<u32> {
        if self.is_negative() {
            return None;
        }
        let fits = self.0[1..].iter().all(|&word| word == 0);
        let count = if fits { self.0[0] } else { u64::MAX };
        Some(u32::try_from(count).unwrap_or(u32::MAX))
    }

    fn shifted_left(self, by: u32) -> Option<Wide> {
        if self.is_zero() {
            return Some(self);
        }
        if self.bits().checked_add(by)? > BITS - 1 {
            return None;
        }
        let (skip, shift) = ((by / 64) as usize, by % 64);
        let mut words = [0; WORDS];
        for at in skip..WORDS {
            words[at] = self.0[at - skip] << shift;
            if shift > 0 && at > skip {
                words[at] |= self.0[at - skip - 1] >> (64 - shift);
            }
        }
        Some(Wide(words))
    }

    fn shifted_right(self, by: u32) -> Wide {
        let fill = if self.is_negative() { u64::MAX } else { 0 };
        let by = by.min(BITS - 1);
        let (skip, shift) = ((by / 64) as usize, by % 64);
        let word = |at: usize| self.0.get(at).copied().unwrap_or(fill);
        let mut words = [fill; WORDS];
        for (at, out) in words.iter_mut().enumerate() {
            *out = word(at + skip) >> shift;
            if shift > 0 {
                *out |= word(at + skip + 1) << (64 - shift);
            }
        }
        Wide(words)
    }

    fn shortest(self) -> Integer {
        let value = i128::from(self.0[1] as i64) << 64 | i128::from(self.0[0]);
        if Integer::Small(value).wide() == self {
            Integer::Small(value)
        } else {
            Integer::Wide(Box::new(self))
        }
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
    fn what_the_compiler_cannot_hold_is_none() {
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
        let most = Integer::Small(i128::MIN);
        assert_eq!(most.negated().and_then(|value| value.negated()), Some(most));
    }
}
