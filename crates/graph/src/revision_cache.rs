//! The memos that the queries of one revision share.
//!
//! The indexes of units are salsa queries; their join over all units is not, because one edited
//! file would invalidate it. A [`RevisionCache`] holds such joins and what was computed from them
//! instead. Each part of the graph declares its own memos; here they are put together. The next
//! revision takes over what is still valid (see [`crate::memo`]).

use std::any::Any;

use crate::analysis::memo::AnalysisMemos;
use crate::call_graph::memo::CallMemos;
use crate::completeness::{IncompleteFileMemos, UnresolvedMemos};
use crate::flow::FlowMemos;
use crate::imports::ImportMemos;
use crate::reachability::memo::ReachabilityMemos;
use crate::symbols::memo::SymbolMemos;
use crate::type_graph::memo::TypeMemos;

/// The memos of one revision, computed on demand. They never influence an
/// answer: a query with an empty cache returns the same bytes.
#[derive(Default)]
pub struct RevisionCache {
    /// Imports.
    pub(crate) imports: ImportMemos,
    /// Ids and packages.
    pub(crate) symbols: SymbolMemos,
    /// Uses and calls.
    pub(crate) calls: CallMemos,
    /// Types, classes and dispatch.
    pub(crate) types: TypeMemos,
    /// The flow of values.
    pub(crate) flow: FlowMemos,
    /// Unresolved sites.
    pub(crate) unresolved: UnresolvedMemos,
    /// Files that could not be read completely.
    pub(crate) incomplete_files: IncompleteFileMemos,
    /// What declarations use.
    pub(crate) reachability: ReachabilityMemos,
    /// Analyses.
    pub(crate) analysis: AnalysisMemos,
}

impl RevisionCache {
    /// Creates a cache that keeps at most so many bytes of solved values between queries, for each
    /// thousand bytes of source text.
    pub fn with_budget(per_mille: usize) -> RevisionCache {
        RevisionCache {
            flow: FlowMemos::with_budget(per_mille),
            ..RevisionCache::default()
        }
    }

    /// Takes out what queries have computed for themselves and can compute again: solved values,
    /// callers, ids. Queries that run keep what they hold. Dropping the result takes long.
    pub fn give_back(&self) -> Box<dyn Any + Send> {
        let of_graph = (self.calls.give_back(), self.flow.give_back());
        let of_parts = (self.symbols.give_back(), self.unresolved.give_back());
        let of_analyses = (self.reachability.give_back(), self.analysis.give_back());
        Box::new((of_graph, of_parts, of_analyses))
    }

    /// Returns the cache of the next revision, which takes over what is still valid, and the
    /// garbage of this one. Dropping the garbage takes long; callers drop it off the write path.
    pub fn next(self) -> (RevisionCache, Box<dyn Any + Send>) {
        let (symbols, symbol_garbage) = self.symbols.next();
        let (calls, call_garbage) = self.calls.next();
        let (types, type_garbage) = self.types.next();
        let (flow, flow_garbage) = self.flow.next();
        let (analysis, analysis_garbage) = self.analysis.next();
        let next = RevisionCache {
            analysis,
            reachability: self.reachability,
            imports: self.imports.next(),
            incomplete_files: self.incomplete_files.next(),
            unresolved: UnresolvedMemos::default(),
            symbols,
            calls,
            types,
            flow,
        };
        let garbage = [symbol_garbage, call_garbage, type_garbage, flow_garbage];
        let garbage = (garbage, analysis_garbage, self.unresolved);
        (next, Box::new(garbage))
    }
}
