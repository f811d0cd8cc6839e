//! What one of the two states says of a difference: edges, tests and users.

use std::collections::BTreeMap;

use codeweft_db::{RootDb, SymbolId};
use rustc_hash::FxHashMap;

use super::affected_tests;
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

/// What a state says of a difference. It holds no database.
pub struct EndFacts {
    pub(super) symbols: Vec<ChangedSymbol>,
    /// By what is compared, with the first position.
    pub(super) edges: BTreeMap<EdgeRow, Option<Location>>,
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
        let mut edges: BTreeMap<EdgeRow, Option<Location>> = BTreeMap::new();
        for mut row in export::edges_in(query, &self.units) {
            let location = row.location.take();
            // Rows come in the order of their positions.
            edges.entry(row).or_insert(location);
        }
        let tests = affected_tests::affected(query, &self.symbols_at(end).collect::<Vec<_>>());
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
        let facts: Vec<_> = order.iter().map(|&one| rendering::facts(query, one)).collect();
        let nodes = query.map(&facts, |languages, db, facts| {
            let language = facts.lang().and_then(|lang| languages.of(lang));
            facts.node(db, language).0
        });
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

fn printed_tests(query: &QueryContext<'_>, tests: &[(SymbolId, bool)]) -> Vec<AffectedTest> {
    let facts: Vec<_> = tests
        .iter()
        .map(|&(test, _)| rendering::facts(query, test))
        .collect();
    let nodes = query.map(&facts, |languages, db, facts| {
        let language = facts.lang().and_then(|lang| languages.of(lang));
        facts.node(db, language).0
    });
    let tests = tests.iter().zip(nodes);
    tests
        .map(|(&(_, possible), node)| AffectedTest {
            id: node.id,
            file: node.file,
            line: node.name_line,
            possible,
        })
        .collect()
}
