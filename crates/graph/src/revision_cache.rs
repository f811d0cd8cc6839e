//! Joins over all units that the queries of one revision share.
//!
//! The indexes of units are salsa queries; their join over all units is not, because one edited
//! file would invalidate it. A [`RevisionCache`] holds such joins instead. The next revision reuses
//! a join if all of its parts are the very same `Arc`s, which salsa guarantees for units that
//! nothing changed:
//!
//! ```text
//! revision 7:  join = merge([unit a: Arc#1, unit b: Arc#2])
//! edit in b:   unit a: Arc#1 (same pointer), unit b: Arc#3   -> merge again
//! edit in a body without effect on b's index: Arc#1, Arc#3   -> reuse by pointer
//! ```

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock};

use codeweft_db::{File, FileUses, Lang, NameId, SymbolId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::classes::Classes;
use crate::edges::{CallSites, FileCalls};
use crate::flow::FlowGraph;
use crate::hierarchy::TypeTable;
use crate::incomplete_files::IncompleteFile;
use crate::units::{Imports, Units};

/// The joins of one revision and one set of languages, computed on demand. They never influence an
/// answer: a query with an empty cache returns the same bytes.
#[derive(Default)]
pub struct RevisionCache {
    /// All imports.
    pub(crate) imports: OnceLock<Arc<Imports>>,
    /// Types and interfaces, by language.
    pub(crate) types: Mutex<FxHashMap<Lang, Arc<TypeTable>>>,
    /// Value-flow graphs, by language.
    pub(crate) flows: Mutex<FxHashMap<Lang, Arc<FlowGraph>>>,
    /// Classes of nominal languages, by language.
    pub(crate) classes: Mutex<FxHashMap<Lang, Arc<Classes>>>,
    /// The merged index of all units.
    pub(crate) merged_index: OnceLock<MergedIndex>,
    /// Printed ids, by symbol.
    pub(crate) ids: Mutex<FxHashMap<SymbolId, Arc<str>>>,
    /// Call sites, by called symbol.
    pub(crate) calls_of: Mutex<FxHashMap<SymbolId, Arc<CallSites>>>,
    /// The calls of files, by caller.
    pub(crate) calls_in: Mutex<FxHashMap<File, CachedFileCalls>>,
    /// All packages and modules, absent ones included.
    pub(crate) packages: OnceLock<Vec<NamedPackage>>,
    /// Excluded and broken files, by unit.
    pub(crate) incomplete: Mutex<FxHashMap<Unit, Arc<[IncompleteFile]>>>,
    /// All units.
    pub(crate) units: OnceLock<Arc<Units>>,
    /// The methods that may run where a method is called.
    pub(crate) dispatch_targets: SymbolMemo,
    /// The methods of interfaces and bases whose calls may run a method.
    pub(crate) dispatched_from: SymbolMemo,
    /// Joins of an earlier revision, reused if their parts are unchanged.
    pub(crate) previous: PreviousRevision,
}

/// The uses of a file and its unit, with the calls computed from both.
type CachedFileCalls = (Arc<FileUses>, Unit, Arc<FileCalls>);

/// The joins of an earlier revision.
#[derive(Default)]
pub(crate) struct PreviousRevision {
    pub(crate) imports: Option<Arc<Imports>>,
    pub(crate) types: FxHashMap<Lang, Arc<TypeTable>>,
    pub(crate) classes: FxHashMap<Lang, Arc<Classes>>,
    /// Removed by the first query that patches it to the new revision.
    pub(crate) flows: Mutex<FxHashMap<Lang, Arc<FlowGraph>>>,
}

impl RevisionCache {
    /// Returns the cache of the next revision, which reuses joins whose parts are unchanged, and
    /// the garbage of this one. Dropping the garbage takes long; callers drop it off the write
    /// path.
    pub fn next(self) -> (RevisionCache, Box<dyn Any + Send>) {
        let mut types = self.previous.types;
        types.extend(self.types.into_inner().unwrap_or_default());
        let mut classes = self.previous.classes;
        classes.extend(self.classes.into_inner().unwrap_or_default());
        let mut flows = into_inner(self.previous.flows);
        flows.extend(into_inner(self.flows));
        let garbage = (
            self.merged_index,
            self.packages,
            self.incomplete,
            self.units,
            self.calls_of,
            self.ids,
        );
        let next = RevisionCache {
            calls_in: self.calls_in,
            previous: PreviousRevision {
                imports: self.imports.into_inner().or(self.previous.imports),
                types,
                classes,
                flows: Mutex::new(flows),
            },
            ..RevisionCache::default()
        };
        (
            next,
            Box::new((garbage, self.dispatch_targets, self.dispatched_from)),
        )
    }
}

/// Returns the content of a mutex, ignoring poisoning: a cancelled query unwinds while it holds a
/// lock.
fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A package or module with its printed name.
pub(crate) struct NamedPackage {
    pub(crate) symbol: SymbolId,
    pub(crate) lang: Lang,
    pub(crate) id: Arc<str>,
    pub(crate) external: bool,
}

/// The merged index of all units, for queries about many symbols. Lists of units are in the order
/// of all units.
#[derive(Default)]
pub(crate) struct MergedIndex {
    /// The units that use a symbol.
    pub(crate) users: FxHashMap<SymbolId, Vec<Unit>>,
    /// The units with unresolved calls of a name.
    pub(crate) open: FxHashMap<NameId, Vec<Unit>>,
    /// The units that call function values of a signature without a known target.
    pub(crate) dynamic: FxHashMap<u32, Vec<Unit>>,
    /// The symbols that are used as a value anywhere.
    pub(crate) escaped: FxHashSet<SymbolId>,
}

/// A memo from a symbol to a sorted list of symbols.
#[derive(Default)]
pub(crate) struct SymbolMemo(Mutex<FxHashMap<SymbolId, Arc<[SymbolId]>>>);

impl SymbolMemo {
    /// Returns the memoised list of a symbol, or computes it. Two threads may both compute it.
    pub(crate) fn get(
        &self,
        symbol: SymbolId,
        make: impl FnOnce() -> Vec<SymbolId>,
    ) -> Arc<[SymbolId]> {
        if let Ok(known) = self.0.lock()
            && let Some(list) = known.get(&symbol)
        {
            return list.clone();
        }
        let mut list = make();
        list.sort_unstable();
        list.dedup();
        let list: Arc<[SymbolId]> = list.into();
        if let Ok(mut known) = self.0.lock() {
            known.insert(symbol, list.clone());
        }
        list
    }
}
