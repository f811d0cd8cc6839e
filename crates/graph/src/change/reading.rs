//! What one of the two states says of a difference: edges, tests and users.

use std::collections::BTreeMap;

use codeweft_db::{RootDb, SymbolId};
use rustc_hash::FxHashMap;

use super::affected_tests::{self, AffectedBy};
use super::difference::{Difference, End};
use crate::answer::{
    AffectedTest, ApiError, ChangedSymbol, CheckedRequest, GraphResponse, SymbolChange,
};
use crate::execute::execute_target;
use crate::export::{self, EdgeRow, Location};
use crate::query_context::{QueryContext, QueryOptions};
use crate::rendering;
use crate::symbols;
use crate::targets::resolved::Target;

/// Edges without their positions, each with its first.
pub(super) type EdgesByRow = BTreeMap<EdgeRow, Option<Location>>;

/// What a state says of a difference. It holds no database.
pub struct EndFacts {
    pub(super) symbols: Vec<ChangedSymbol>,
    pub(super) edges: EdgesByRow,
    pub(super) tests: Vec<AffectedTest>,
    /// What the symbols that are looked for here reach.
    pub(super) reached: GraphResponse,
}

impl Difference {
    /// Reads what a state of the database, which is one `end` of the change, says of the difference.
    ///
    /// # Errors
    ///
    /// As those of `impact`.
    pub fn read(
        &self,
        db: &RootDb,
        options: QueryOptions<'_>,
        end: End,
        request: &CheckedRequest,
    ) -> Result<EndFacts, ApiError> {
        let query = &QueryContext::new(db, options);
        let changes = self.changes_at(end);
        let reached = symbols::in_order(query, changes.keys().copied().collect());
        let target = Target::of_change(reached, request.target.clone(), changes);
        let mut edges = EdgesByRow::new();
        for mut row in export::edges_in(query, &self.units) {
            let location = row.location.take();
            // Rows come in the order of their positions.
            edges.entry(row).or_insert(location);
        }
        // What is removed matters before the change, all else after it: a test that ran what differs before
        // still runs it, or something else that differs.
        let tests = affected_tests::affected(query, &target.changes);
        Ok(EndFacts {
            symbols: self.symbols_of(query, end),
            edges,
            tests: printed_tests(query, &tests),
            reached: execute_target(query, request, &target)?,
        })
    }

    /// Returns the symbols whose positions are those of this state.
    fn symbols_of(&self, query: &QueryContext<'_>, end: End) -> Vec<ChangedSymbol> {
        let own = self.symbols.iter().filter(|&&(_, change)| match end {
            End::Before => change == SymbolChange::Removed,
            End::After => change != SymbolChange::Removed,
        });
        let changes: FxHashMap<SymbolId, SymbolChange> = own.copied().collect();
        let order = symbols::in_order(query, changes.keys().copied().collect());
        let nodes = rendering::nodes(query, &order);
        let symbols = order.iter().zip(nodes).filter_map(|(symbol, node)| {
            Some(ChangedSymbol {
                id: node.id,
                kind: node.kind,
                file: node.file,
                line: node.name_line,
                change: *changes.get(symbol)?,
            })
        });
        symbols.collect()
    }
}

fn printed_tests(query: &QueryContext<'_>, tests: &[AffectedBy]) -> Vec<AffectedTest> {
    let symbols: Vec<SymbolId> = tests.iter().map(|one| one.test).collect();
    let nodes = rendering::nodes(query, &symbols);
    let tests = tests.iter().zip(nodes);
    tests
        .map(|(one, node)| AffectedTest {
            id: node.id,
            file: node.file,
            line: node.name_line,
            steps: one.steps,
            possible: one.possible,
        })
        .collect()
}
