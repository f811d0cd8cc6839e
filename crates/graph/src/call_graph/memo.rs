//! The calls that queries of one revision share.

use std::sync::{Arc, Mutex, OnceLock};

use codeweft_db::{
    Db, File, FileUses, Lang, Language, NameId, SymbolId, Unit, UnresolvedSite, Use,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::caller_table::CallerTable;
use crate::flow::FlowNodeId;
use crate::link::Link;
use crate::memo::{Garbage, Memo, locked};

/// The files that may use a symbol, by unit, ascending by their numbers.
pub(crate) type NamedFiles = FxHashMap<Unit, Vec<NamedFile>>;

/// A file that may use a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NamedFile {
    /// Its number in the unit.
    pub(crate) number: u32,
    /// The file.
    pub(crate) file: File,
    /// Whether it has a name of the symbol. If not, only bodies that look names up can have uses.
    pub(crate) has_name: bool,
}

impl NamedFile {
    /// Returns files of a unit by their numbers, as files that have the name.
    pub(crate) fn of_numbers(numbers: impl Iterator<Item = u32>, files: &[File]) -> Vec<NamedFile> {
        let named = numbers.filter_map(|number| {
            Some(NamedFile {
                number,
                file: *files.get(number as usize)?,
                has_name: true,
            })
        });
        named.collect()
    }

    /// Returns the uses of the file, at least all those of the symbol.
    pub(crate) fn uses(self, db: &dyn Db, language: &dyn Language) -> Arc<FileUses> {
        if self.has_name {
            language.uses(db, self.file)
        } else {
            language.look_up_uses(db, self.file)
        }
    }
}

/// The calls of one revision.
#[derive(Default)]
pub(crate) struct CallMemos {
    /// The merged index of all units.
    pub(crate) merged_index: OnceLock<MergedIndex>,
    /// Call sites, by called symbol.
    pub(crate) calls_of: Memo<SymbolId, Arc<CallSites>>,
    /// The callers of functions, compact.
    pub(crate) callers: Mutex<Arc<CallerTable>>,
    /// The calls of methods that may run others.
    pub(crate) method_sites: Memo<SymbolId, Arc<MethodSites>>,
    /// What functions call.
    pub(crate) steps: Memo<SymbolId, Arc<CallSteps>>,
    /// The unresolved calls of a name in the units of a language.
    pub(crate) unresolved: Memo<(Lang, NameId), NamedSites>,
    /// The calls of files, by caller; they outlive the revision.
    calls_in: Memo<File, CachedFileCalls>,
}

/// The uses of a file and its unit, with the calls computed from both.
type CachedFileCalls = (Arc<FileUses>, Unit, Arc<FileCalls>);

impl CallMemos {
    /// Returns the memos of the next revision.
    pub(crate) fn next(self) -> (CallMemos, Garbage) {
        let next = CallMemos {
            calls_in: self.calls_in,
            ..CallMemos::default()
        };
        (
            next,
            Box::new((
                self.merged_index,
                self.calls_of,
                self.callers,
                self.method_sites,
                (self.steps, self.unresolved),
            )),
        )
    }

    /// Takes out what questions have computed and can compute again.
    pub(crate) fn give_back(&self) -> Garbage {
        let callers = std::mem::take(&mut *locked(&self.callers));
        let lists = (self.calls_of.take(), self.method_sites.take());
        let sites = self.unresolved.take();
        Box::new((
            callers,
            lists,
            sites,
            self.steps.take(),
            self.calls_in.take(),
        ))
    }

    /// Returns the calls of a file; computes them if the uses of the file or its unit are others
    /// than those of the known calls.
    pub(crate) fn calls_in(
        &self,
        db: &dyn Db,
        language: &dyn Language,
        (file, unit): (File, Unit),
    ) -> Arc<FileCalls> {
        let uses = language.uses(db, file);
        if let Some((of, in_unit, calls)) = self.calls_in.lock().get(&file)
            && Arc::ptr_eq(of, &uses)
            && *in_unit == unit
        {
            return calls.clone();
        }
        let calls = Arc::new(FileCalls::read(db, language, file, unit));
        self.calls_in.insert(file, (uses, unit, calls.clone()));
        calls
    }
}

/// The merged index of all units, for queries about many symbols. Lists of units are in the order
/// of all units.
#[derive(Default)]
pub(crate) struct MergedIndex {
    /// The units that use a symbol.
    pub(crate) users: FxHashMap<SymbolId, Vec<Unit>>,
    /// The units with unresolved calls of a name.
    pub(crate) unresolved: FxHashMap<NameId, Vec<Unit>>,
    /// The units that call function values of a signature without a known target.
    pub(crate) dynamic: FxHashMap<u32, Vec<Unit>>,
    /// The symbols that are used as a value anywhere.
    pub(crate) escaped: FxHashSet<SymbolId>,
}

/// An unresolved call.
#[derive(Clone, Copy)]
pub(crate) struct NamedSite {
    /// The number of the unit in [`Units::all`](crate::units::Units::all), of the file in the unit, and
    /// of the site in the file: sites are in this order.
    pub(crate) at: (u32, u32, u32),
    /// The file.
    pub(crate) file: File,
    /// The function that calls.
    pub(crate) caller: SymbolId,
    /// The site.
    pub(crate) site: UnresolvedSite,
}

/// The unresolved calls of one name in the units of a language that are open, in order.
pub(crate) type NamedSites = Arc<[NamedSite]>;

/// A call site with its caller.
pub(crate) type CallSite = (SymbolId, Link);

/// Call sites, each with its caller.
pub(crate) type CallSites = [CallSite];

/// The calls of a method that may run others, each with its caller.
#[derive(Default)]
pub(crate) struct MethodSites {
    /// Those at which the class hierarchy decides what runs.
    pub(crate) by_rows: Vec<CallSite>,
    /// Those at which values decide it, by node.
    pub(crate) by_node: Vec<(Option<FlowNodeId>, Vec<CallSite>)>,
}

/// The calls of a file.
#[derive(Default)]
pub(crate) struct FileCalls {
    /// (caller, target, use), sorted by caller number, then position.
    rows: Box<[(SymbolId, SymbolId, Use)]>,
}

impl FileCalls {
    fn read(db: &dyn Db, language: &dyn Language, file: File, unit: Unit) -> FileCalls {
        let uses = language.uses(db, file);
        let mut rows = Vec::new();
        for (target, sites) in uses.iter() {
            for one in sites.iter().filter(|one| one.role.is_call()) {
                let caller = uses.bodies.get(one.body as usize).copied();
                let caller = caller.unwrap_or_else(|| package_in(language, db, unit, file));
                rows.push((caller, target, *one));
            }
        }
        rows.sort_unstable_by_key(|(caller, target, one)| (*caller, one.body, one.occ, *target));
        FileCalls { rows: rows.into() }
    }

    /// Returns the calls that a caller makes.
    pub(crate) fn of(&self, caller: SymbolId) -> &[(SymbolId, SymbolId, Use)] {
        let from = self.rows.partition_point(|(other, _, _)| *other < caller);
        let to = self.rows.partition_point(|(other, _, _)| *other <= caller);
        &self.rows[from..to]
    }

    /// Returns the calls of all callers.
    pub(crate) fn all(&self) -> &[(SymbolId, SymbolId, Use)] {
        &self.rows
    }
}

/// Returns the package that a file of a unit belongs to: its module where units hold several.
pub(crate) fn package_in(language: &dyn Language, db: &dyn Db, unit: Unit, file: File) -> SymbolId {
    let module = language.module(db, file);
    module.unwrap_or_else(|| language.package(db, unit))
}

/// What a function calls.
#[derive(Default)]
pub(crate) struct CallSteps {
    /// Callees of exact edges, then those of others, then called methods without value flow.
    pub(super) all: Box<[SymbolId]>,
    pub(super) exact: u32,
    pub(super) other: u32,
}

impl CallSteps {
    /// Returns the callees of exact edges.
    pub(crate) fn exact(&self) -> &[SymbolId] {
        self.all.get(..self.exact as usize).unwrap_or_default()
    }

    /// Returns the callees of other edges.
    pub(crate) fn other(&self) -> &[SymbolId] {
        let range = self.exact as usize..self.other as usize;
        self.all.get(range).unwrap_or_default()
    }

    /// Returns the called methods of interfaces and bases without value flow: each of their dispatch
    /// targets is one inexact edge away.
    pub(crate) fn through(&self) -> &[SymbolId] {
        self.all.get(self.other as usize..).unwrap_or_default()
    }
}
