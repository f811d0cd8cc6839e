//! What all questions of one revision share, so that the second is cheaper than the first.

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

/// Joins over all units, made when a question first needs them and kept for the next: one for
/// each revision and set of languages. Never part of an answer: with a fresh one every answer is
/// the same.
#[derive(Default)]
pub struct RevisionCache {
    /// All imports.
    pub(crate) imports: OnceLock<Arc<Imports>>,
    /// The types and interfaces of each language.
    pub(crate) types: Mutex<FxHashMap<Lang, Arc<TypeTable>>>,
    /// How values flow in each language.
    pub(crate) flows: Mutex<FxHashMap<Lang, Arc<FlowGraph>>>,
    /// The classes of each nominal language.
    pub(crate) classes: Mutex<FxHashMap<Lang, Arc<Classes>>>,
    /// What the indexes of all units say.
    pub(crate) directory: OnceLock<MergedIndex>,
    /// The printed ids of symbols.
    pub(crate) ids: Mutex<FxHashMap<SymbolId, Arc<str>>>,
    /// The call sites of symbols.
    pub(crate) calls_of: Mutex<FxHashMap<SymbolId, Arc<CallSites>>>,
    /// The calls of files, by caller.
    pub(crate) calls_in: Mutex<FxHashMap<File, CachedFileCalls>>,
    /// All packages and modules, absent ones too.
    pub(crate) packages: OnceLock<Vec<NamedPackage>>,
    /// The files of a unit that were not read whole.
    pub(crate) unread: Mutex<FxHashMap<Unit, Arc<[IncompleteFile]>>>,
    /// All units.
    pub(crate) units: OnceLock<Arc<Units>>,
    /// The methods that may run where an interface's or base's method is called.
    pub(crate) runs: SymbolMemo,
    /// The methods of interfaces and bases that a method stands for.
    pub(crate) stands_for: SymbolMemo,
    /// Joins of an earlier revision, to be taken again where they are made of the same parts.
    pub(crate) earlier: PreviousRevision,
}

/// The uses of a file, its unit, and the calls that were read from both.
type CachedFileCalls = (Arc<FileUses>, Unit, Arc<FileCalls>);

/// What an earlier revision joined.
#[derive(Default)]
pub(crate) struct PreviousRevision {
    pub(crate) imports: Option<Arc<Imports>>,
    pub(crate) types: FxHashMap<Lang, Arc<TypeTable>>,
    pub(crate) classes: FxHashMap<Lang, Arc<Classes>>,
    /// Taken by the first who makes the next of it.
    pub(crate) flows: Mutex<FxHashMap<Lang, Arc<FlowGraph>>>,
}

impl RevisionCache {
    /// For the next revision. A join that would be made of the very same parts is taken from this
    /// one; every other is made anew. Beside it what is not wanted any more, which takes long to
    /// drop.
    pub fn next(self) -> (RevisionCache, Box<dyn Any + Send>) {
        let mut types = self.earlier.types;
        types.extend(self.types.into_inner().unwrap_or_default());
        let mut classes = self.earlier.classes;
        classes.extend(self.classes.into_inner().unwrap_or_default());
        let mut flows = taken(self.earlier.flows);
        flows.extend(taken(self.flows));
        let spent = (
            self.directory,
            self.packages,
            self.unread,
            self.units,
            self.calls_of,
            self.ids,
        );
        let next = RevisionCache {
            calls_in: self.calls_in,
            earlier: PreviousRevision {
                imports: self.imports.into_inner().or(self.earlier.imports),
                types,
                classes,
                flows: Mutex::new(flows),
            },
            ..RevisionCache::default()
        };
        (next, Box::new((spent, self.runs, self.stands_for)))
    }
}

/// What is under a lock, also of one that a thread left by unwinding.
fn taken<T>(mutex: Mutex<T>) -> T {
    mutex
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A package or module by its printed name.
pub(crate) struct NamedPackage {
    pub(crate) symbol: SymbolId,
    pub(crate) lang: Lang,
    pub(crate) id: Arc<str>,
    pub(crate) external: bool,
}

/// The indexes of all units, joined for questions that ask of many symbols. Units stand in the
/// order of all units.
#[derive(Default)]
pub(crate) struct MergedIndex {
    /// Which units use a symbol.
    pub(crate) users: FxHashMap<SymbolId, Vec<Unit>>,
    /// Which units have open calls of a name.
    pub(crate) open: FxHashMap<NameId, Vec<Unit>>,
    /// Which units call function values of a signature, without known target.
    pub(crate) dynamic: FxHashMap<u32, Vec<Unit>>,
    /// What is used as a value somewhere.
    pub(crate) escaped: FxHashSet<SymbolId>,
}

/// Symbols by symbol.
#[derive(Default)]
pub(crate) struct SymbolMemo(Mutex<FxHashMap<SymbolId, Arc<[SymbolId]>>>);

impl SymbolMemo {
    /// What is known of a symbol, else what `make` says. Two threads may both make it.
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
