//! The owners of uses: the innermost declaration around each.

use std::sync::Arc;

use codeweft_graph::export::Location;
use rustc_hash::FxHashMap;

/// The declarations of some files, to find the innermost one around a line.
#[derive(Default)]
pub(crate) struct Declarations {
    by_file: FxHashMap<Arc<str>, Vec<Declaration>>,
}

/// A declaration with its lines, 1-based and inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Declaration {
    start: u32,
    end: u32,
    symbol: u32,
    /// The greatest `end` of this declaration and those before it.
    reach: u32,
}

impl Declarations {
    /// Adds a declaration that is no package.
    pub(crate) fn add(&mut self, file: &Arc<str>, start: u32, end: u32, symbol: u32) {
        let of_file = self.by_file.entry(file.clone()).or_default();
        of_file.push(Declaration {
            start,
            end,
            symbol,
            reach: 0,
        });
    }

    /// Sorts what was added; [`Declarations::around`] is right from then on.
    pub(crate) fn sort(&mut self) {
        for of_file in self.by_file.values_mut() {
            // The innermost last: it begins last, and ends first; of several in the same lines the one that was added last.
            of_file.sort_by_key(|one| (one.start, std::cmp::Reverse(one.end)));
            let mut reach = 0;
            for one in of_file {
                reach = reach.max(one.end);
                one.reach = reach;
            }
        }
    }

    /// Returns the innermost declaration around a line; of several on the line the last one.
    pub(crate) fn around(&self, location: &Location) -> Option<u32> {
        let of_file = self.by_file.get(&location.file)?;
        let before = of_file.partition_point(|one| one.start <= location.line);
        let mut before = of_file[..before].iter().rev();
        before
            .by_ref()
            .take_while(|one| one.reach >= location.line)
            .find(|one| one.end >= location.line)
            .map(|one| one.symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_is_the_innermost_declaration() {
        let file: Arc<str> = "a.py".into();
        let mut declarations = Declarations::default();
        for (start, end, symbol) in [(1, 9, 1), (2, 5, 2), (3, 3, 3), (7, 8, 4), (12, 12, 5)] {
            declarations.add(&file, start, end, symbol);
        }
        declarations.sort();
        let around = |line| {
            declarations.around(&Location {
                file: file.clone(),
                line,
                column: 1,
            })
        };
        let found: Vec<_> = [1, 2, 3, 4, 6, 8, 9, 10, 12, 13].map(around).into();
        let words = format!(
            "{:?}",
            found.iter().map(|one| one.unwrap_or(0)).collect::<Vec<_>>()
        );
        assert_eq!(words, "[1, 2, 3, 2, 1, 4, 1, 0, 5, 0]");
    }
}
