//! Reproducible random numbers.

/// An xorshift generator: small, fast, and a function of its seed alone.
#[derive(Clone, Debug)]
pub struct SeededRng(u64);

impl SeededRng {
    /// Returns a generator with a seed.
    pub fn new(seed: u64) -> SeededRng {
        let mut rng = SeededRng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // Similar seeds begin with similar numbers; a few steps separate them.
        for _ in 0..8 {
            rng.next();
        }
        rng
    }

    /// Returns a generator that is a function of several numbers.
    pub fn of(numbers: &[u64]) -> SeededRng {
        let seed = numbers
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, number| {
                (hash ^ number.wrapping_add(1)).wrapping_mul(0x0100_0000_01b3)
            });
        SeededRng::new(seed)
    }

    /// Returns the next number.
    #[allow(clippy::should_implement_trait, reason = "the sequence never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0 => 0,
            end => ((self.next() >> 16) % end as u64) as usize,
        }
    }

    /// Returns true in `times` of `of` draws.
    pub fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }

    /// Returns a random item of a list; `None` if it is empty.
    pub fn one<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// Shuffles a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SeededRng;

    #[test]
    fn one_seed_draws_the_same_numbers_and_another_seed_others() {
        let draw = |seed| {
            let mut rng = SeededRng::new(seed);
            (0..32).map(|_| rng.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
