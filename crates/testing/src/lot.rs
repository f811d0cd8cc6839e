//! Numbers by lot that are the same on every run.

/// An xorshift generator: small, fast, and a function of its seed alone.
#[derive(Clone, Debug)]
pub struct SeededRng(u64);

impl SeededRng {
    /// A lot of its own for each seed.
    pub fn new(seed: u64) -> SeededRng {
        let mut lot = SeededRng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // Near seeds begin alike; a few steps part them.
        for _ in 0..8 {
            lot.next();
        }
        lot
    }

    /// The lot of several numbers together: what it draws depends on nothing else.
    pub fn of(numbers: &[u64]) -> SeededRng {
        let seed = numbers
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, number| {
                (hash ^ number.wrapping_add(1)).wrapping_mul(0x0100_0000_01b3)
            });
        SeededRng::new(seed)
    }

    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "a lot never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`; 0 where `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0 => 0,
            end => ((self.next() >> 16) % end as u64) as usize,
        }
    }

    /// Whether it falls so: true in `times` of `of` draws.
    pub fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }

    /// One of a list; `None` of an empty one.
    pub fn one<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// Brings a list into an order by lot.
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
            let mut lot = SeededRng::new(seed);
            (0..32).map(|_| lot.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
