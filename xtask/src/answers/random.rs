//! A seeded generator of numbers: the same seed gives the same numbers on every run and machine.

/// An xorshift64* generator (S. Vigna, "An experimental exploration of Marsaglia's xorshift generators,
/// scrambled"). Its state is never 0.
pub struct Random(u64);

impl Random {
    /// A generator of this seed.
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // Seeds that differ in few bits begin alike.
        for _ in 0..8 {
            random.number();
        }
        random
    }

    /// The next number.
    fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0 => 0,
            end => ((self.number() >> 16) % end as u64) as usize,
        }
    }

    /// True in one of `of` draws.
    pub fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// An element of a list; `None` of an empty one.
    pub fn one<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_and_another_seed_gives_others() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..32).map(|_| random.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_eq!(Random::new(1).one::<u8>(&[]), None);
    }
}
