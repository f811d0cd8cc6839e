//! The memos that the queries of one revision share.
//!
//! The indexes of units are salsa queries; their join over all units is not, because one edited
//! file would invalidate it. A [`RevisionCache`] holds such joins and what was computed from them
//! instead. Each part of the graph declares its own memos; here they are put together. The next
//! revision takes over what is still valid (see [`crate::memo`]).

use std::any::Any;

use crate::call_graph::memo::CallMemos;
use crate::completeness::memo::CompletenessMemos;
use crate::flow::FlowMemos;
use crate::imports::UnitMemos;
use crate::symbols::memo::SymbolMemos;
use crate::type_graph::memo::TypeMemos;

/// The memos of one revision and one set of languages, computed on demand. They never influence an
/// answer: a query with an empty cache returns the same bytes.
#[derive(Default)]
pub struct RevisionCache {
    /// Units and imports.
    pub(crate) units: UnitMemos,
    /// Ids and packages.
    pub(crate) symbols: SymbolMemos,
    /// Uses and calls.
    pub(crate) calls: CallMemos,
    /// Types, classes and dispatch.
    pub(crate) types: TypeMemos,
    /// The flow of values.
    pub(crate) flow: FlowMemos,
    /// Files that were not read completely.
    pub(crate) completeness: CompletenessMemos,
}

impl RevisionCache {
    /// Returns the cache of the next revision, which takes over what is still valid, and the
    /// garbage of this one. Dropping the garbage takes long; callers drop it off the write path.
    pub fn next(self) -> (RevisionCache, Box<dyn Any + Send>) {
        let (units, unit_garbage) = self.units.next();
        let (symbols, symbol_garbage) = self.symbols.next();
        let (calls, call_garbage) = self.calls.next();
        let (types, type_garbage) = self.types.next();
        let (flow, flow_garbage) = self.flow.next();
        let (completeness, completeness_garbage) = self.completeness.next();
        let next = RevisionCache {
            units,
            symbols,
            calls,
            types,
            flow,
            completeness,
        };
        let garbage = [
            unit_garbage,
            symbol_garbage,
            call_garbage,
            type_garbage,
            flow_garbage,
            completeness_garbage,
        ];
        (next, Box::new(garbage))
    }
}
