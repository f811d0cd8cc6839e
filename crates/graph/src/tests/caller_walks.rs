//! The compact walk over callers gives what the plain traversal gives.

use std::cell::RefCell;
use std::collections::BTreeSet;

use codeweft_db::SymbolId;

use super::agreement::{XorShift, program};
use super::flows::shapes;
use crate::operations::caller_walk::walk;
use crate::operations::literal_calls::LiteralCalls;
use crate::operations::traversal::{Traversal, TraversalOptions, traverse};
use crate::operations::{IncludedCalls, callers_of};
use crate::query_context::QueryContext;
use crate::rendering::filtering::ResultRow;
use crate::{QueryOptions, RevisionCache};

/// Returns the rows of a traversal with their links in order.
fn rows(listed: Vec<ResultRow>) -> Vec<(SymbolId, Option<u32>, BTreeSet<String>)> {
    let rows = listed.into_iter();
    rows.map(|row| {
        let printed: BTreeSet<String> = row.links.iter().map(|link| format!("{link:?}")).collect();
        assert_eq!(printed.len(), row.links.len());
        (row.symbol, row.depth, printed)
    })
    .collect()
}

fn summary(traversal: &Traversal) -> (&[Vec<String>], u32, bool) {
    let cycles = &traversal.cycles;
    (cycles, traversal.cycles_total, traversal.bounded)
}

#[test]
fn a_walk_lists_counts_and_links_what_the_traversal_does() {
    let mut random = XorShift::new();
    let included = IncludedCalls {
        unresolved: false,
        of_literals: true,
    };
    let (mut deep_rows, mut cycles, mut hidden_sites) = (0, 0, 0);
    for _ in 0..20 {
        let db = shapes(&program(&mut random));
        let cache = RevisionCache::default();
        let query = &QueryContext::new(&db, QueryOptions::new(&cache, 1));
        let mut symbols: Vec<SymbolId> = Vec::new();
        for &unit in query.units.all.iter() {
            symbols.extend(query.symbols(unit).rows.iter().map(|row| row.symbol));
        }
        for (starts, hides) in symbols
            .chunks(2)
            .zip([true, false].into_iter().cycle())
            .chain(symbols.chunks(1).map(|one| (one, true)))
        {
            let literal_calls = || RefCell::new(LiteralCalls::hiding(hides));
            for max_nodes in [usize::MAX, 3] {
                let (of_plain, of_walk) = (literal_calls(), literal_calls());
                let step = |symbol: SymbolId, literal_calls: &RefCell<LiteralCalls>| {
                    let mut found = callers_of(query, symbol, included);
                    literal_calls.borrow_mut().hide(&mut found);
                    found
                };
                let options = TraversalOptions {
                    depth: 5,
                    backward: true,
                    max_nodes,
                    prepare: &|_| {},
                    step: &|symbol| step(symbol, &of_plain),
                };
                let plain = traverse(query, starts, &options);
                let first = |symbol: SymbolId| step(symbol, &of_walk);
                let (walked, walk) = walk(query, starts, (5, max_nodes), &first, &of_walk).unwrap();
                assert_eq!(summary(&plain), summary(&walked));
                let hidden = of_plain.borrow().hidden(std::iter::empty());
                assert_eq!(hidden, of_walk.borrow().hidden(std::iter::empty()));
                hidden_sites += hidden.0;
                cycles += plain.cycles_total;
                let plain: Vec<ResultRow> = plain.listed.into_iter().map(Into::into).collect();
                let mut walked: Vec<ResultRow> =
                    walked.listed.into_iter().map(Into::into).collect();
                for (plain, walked) in plain.iter().zip(&walked) {
                    assert_eq!(plain.site_count(), walked.site_count());
                    deep_rows += usize::from(!walked.counted.is_empty());
                }
                walk.add_links(query, &mut walked);
                assert_eq!(rows(plain), rows(walked));
            }
        }
    }
    assert!(deep_rows > 100 && cycles > 20, "{deep_rows} {cycles}");
    assert!(hidden_sites > 20, "{hidden_sites}");
}
