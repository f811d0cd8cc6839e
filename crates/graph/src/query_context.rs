//! The context of one query: the database at one revision, the languages, and per-query caches.

use std::cell::{Cell, RefCell};
use std::num::NonZero;
use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, File, Lang, Language, NodeKind, RootDb, SymbolClass, SymbolId, SymbolKey,
    SymbolRow, Unit, UnitGraph, UnitSymbols,
};
use rustc_hash::FxHashMap;

use crate::call_graph::memo::{CallSites, FileCalls};
use crate::fan_out::FanOut;
use crate::flow::ForwardReach;
use crate::imports::{Imports, JoinedImports};
use crate::languages::Languages;
use crate::memo::LocalMemo;
use crate::revision_cache::RevisionCache;
use crate::units::Units;

/// A query in progress at one revision. It lives on one thread; [`QueryContext::map`] uses others.
pub(crate) struct QueryContext<'a> {
    /// The database handle of this thread.
    pub(crate) db: &'a dyn Db,
    /// The threads of the query.
    pub(crate) fan_out: FanOut<'a>,
    /// The covered languages.
    pub(crate) languages: Languages<'a>,
    /// Whether all limits on results, sites and walks are lifted.
    pub(crate) unlimited: bool,
    /// All units.
    pub(crate) units: Arc<Units>,
    /// Joins shared by all queries of this revision.
    pub(crate) cache: &'a RevisionCache,
    /// What this query has looked up so far.
    pub(crate) caches: QueryCaches,
}

/// The arguments of [`QueryContext::visible_units`]: the units to start from and the number of
/// import steps.
pub(crate) type VisibilityKey = (Vec<Unit>, usize);

/// Per-query memos. Every entry is a function of the revision alone.
#[derive(Default)]
pub(crate) struct QueryCaches {
    /// Printed ids.
    pub(crate) ids: LocalMemo<SymbolId, Arc<str>>,
    /// Declarations by unit.
    symbols: LocalMemo<Unit, Arc<UnitSymbols>>,
    /// Units that can name a symbol, by starting units and import steps.
    pub(crate) visible_units: LocalMemo<VisibilityKey, Arc<[Unit]>>,
    /// The call sites of a symbol.
    pub(crate) calls_of: LocalMemo<SymbolId, Arc<CallSites>>,
    /// The calls that may run a symbol although they name another one, or none.
    pub(crate) indirect_calls: LocalMemo<SymbolId, Arc<CallSites>>,
    /// The calls of a file, by caller.
    pub(crate) calls_in: LocalMemo<File, Arc<FileCalls>>,
    /// The forward reach of flow values, by language and value number.
    pub(crate) forward_reaches: RefCell<FxHashMap<(Lang, u32), ForwardReach>>,
    /// How many symbols have been looked up in the indexes of the units.
    pub(crate) index_lookups: Cell<u32>,
    /// How many times [`QueryContext::poll_cancellation`] was called.
    polls: Cell<u32>,
}

/// Cancellation is checked once in so many polls, which is some microseconds of work.
const POLL_INTERVAL: u32 = 64;

impl<'a> QueryContext<'a> {
    /// Creates a query over `languages` that uses up to `threads` threads.
    pub(crate) fn new(
        root: &'a RootDb,
        cache: &'a RevisionCache,
        languages: &'a [&'a dyn Language],
        threads: usize,
    ) -> QueryContext<'a> {
        QueryContext {
            db: root,
            fan_out: FanOut {
                root,
                threads: NonZero::new(threads).unwrap_or(NonZero::<usize>::MIN),
                languages: Languages(languages),
            },
            languages: Languages(languages),
            unlimited: false,
            units: cache
                .units
                .units
                .get_or_init(|| Arc::new(Units::read(root)))
                .clone(),
            cache,
            caches: QueryCaches::default(),
        }
    }

    /// Runs `job` over `items` on the query's threads; returns the results in the order of `items`.
    /// A job sees the database handle of its own thread and none of the query's memos.
    pub(crate) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        job: impl Fn(Languages<'_>, &dyn Db, &T) -> R + Sync,
    ) -> Vec<R> {
        self.fan_out.map(items, job)
    }

    /// Returns all imports.
    pub(crate) fn imports(&self) -> &JoinedImports {
        let memos = &self.cache.units;
        memos.imports.get_or_init(|| {
            let previous = memos.previous_imports.as_ref();
            Imports::read(&self.fan_out, &self.units, previous)
        })
    }

    /// Unwinds if the query was cancelled or a write waits; checks only every [`POLL_INTERVAL`]
    /// calls. Every loop outside salsa queries calls it.
    pub(crate) fn poll_cancellation(&self) {
        let polls = self.caches.polls.get().wrapping_add(1);
        self.caches.polls.set(polls);
        if polls.is_multiple_of(POLL_INTERVAL) {
            self.db.unwind_if_cancelled();
        }
    }

    /// Returns what identifies a symbol: its class, name, parent and home.
    pub(crate) fn key(&self, symbol: SymbolId) -> SymbolKey {
        self.poll_cancellation();
        self.db.shared().symbols.key(symbol)
    }

    /// Returns the language that a symbol belongs to.
    pub(crate) fn lang(&self, symbol: SymbolId) -> Option<Lang> {
        match self.key(symbol).declared_in {
            DeclaredIn::Unit(unit) => Some(unit.lang(self.db)),
            DeclaredIn::Builtin(lang) => Some(lang),
            DeclaredIn::Absent(path) => self.imports().language_of_absent(path),
        }
    }

    /// Returns the language crate of a symbol.
    pub(crate) fn language(&self, symbol: SymbolId) -> Option<&'a dyn Language> {
        self.languages.of(self.lang(symbol)?)
    }

    /// Returns the declarations of a unit.
    pub(crate) fn symbols(&self, unit: Unit) -> Arc<UnitSymbols> {
        self.poll_cancellation();
        self.caches.symbols.get_or(unit, || {
            let language = self.languages.of(unit.lang(self.db));
            language.map_or_else(Arc::default, |language| language.symbols(self.db, unit))
        })
    }

    /// Returns a symbol's declaration as its unit and its row there.
    pub(crate) fn row(&self, symbol: SymbolId) -> Option<(Unit, SymbolRow)> {
        let DeclaredIn::Unit(unit) = self.key(symbol).declared_in else {
            return None;
        };
        let symbols = self.symbols(unit);
        let row = symbols.row(symbol)?;
        Some((unit, symbols.rows[row as usize]))
    }

    /// Returns the kind of a symbol. One without a visible declaration (absent package, builtin)
    /// gets the kind of its class.
    pub(crate) fn kind(&self, symbol: SymbolId) -> NodeKind {
        if let Some((_, row)) = self.row(symbol) {
            return row.kind;
        }
        if let Some(kind) = self.kind_of_local(symbol) {
            return kind;
        }
        let known = self
            .language(symbol)
            .and_then(|language| language.kind(self.db, symbol));
        known.unwrap_or(match self.key(symbol).class {
            SymbolClass::Package => NodeKind::Package,
            SymbolClass::Type => NodeKind::Type,
            SymbolClass::Function => NodeKind::Function,
            SymbolClass::Method => NodeKind::Method,
            SymbolClass::Field => NodeKind::Field,
            SymbolClass::Constant => NodeKind::Constant,
            SymbolClass::Variable => NodeKind::Variable,
        })
    }

    /// Returns the kind of a declaration inside a body, without reading ranges.
    fn kind_of_local(&self, symbol: SymbolId) -> Option<NodeKind> {
        self.key(symbol).parent?;
        let uses = self.language(symbol)?.uses(self.db, self.file(symbol)?);
        let mut locals = uses.locals.iter();
        Some(locals.find(|local| local.symbol == symbol)?.kind)
    }

    /// Returns the file that declares a symbol; reads ranges only if no row has the file.
    pub(crate) fn file(&self, symbol: SymbolId) -> Option<File> {
        let language = self.language(symbol)?;
        if let Some((unit, row)) = self.row(symbol)
            && let Some(file) = language.files(self.db, unit).get(row.file as usize)
        {
            return Some(*file);
        }
        match self.key(symbol) {
            SymbolKey {
                declared_in: DeclaredIn::Unit(_),
                parent: Some(parent),
                ..
            } if parent != symbol => self.file(parent),
            _ => language
                .declaration_range(self.db, symbol)
                .map(|place| place.file),
        }
    }

    /// Returns the unit that a file belongs to.
    pub(crate) fn owner(&self, file: File) -> Option<Unit> {
        let universe = UnitGraph::try_get(self.db)?;
        universe.owners(self.db).get(&file).copied()
    }

    /// Returns the package of a file: the file's own module (Python), else the package of its unit.
    pub(crate) fn package_of(&self, file: File) -> Option<SymbolId> {
        let unit = self.owner(file)?;
        let language = self.languages.of(unit.lang(self.db))?;
        if let Some(module) = language.module(self.db, file) {
            return Some(module);
        }
        let number = language
            .files(self.db, unit)
            .iter()
            .position(|&one| one == file);
        let symbols = self.symbols(unit);
        let mut rows = symbols.rows.iter();
        let declared = number.and_then(|number| {
            rows.find(|row| row.kind == NodeKind::Package && row.file == number as u32)
        });
        Some(match declared {
            Some(row) => row.symbol,
            None => language.package(self.db, unit),
        })
    }

    /// Returns the package that a unit is; `None` if the unit only holds modules.
    pub(crate) fn own_package(&self, unit: Unit) -> Option<SymbolId> {
        let language = self.languages.of(unit.lang(self.db))?;
        let package = language.package(self.db, unit);
        let holds_modules = || {
            let mut files = unit.files(self.db).iter();
            files.any(|&file| language.module(self.db, file).is_some())
        };
        let declared = self.symbols(unit).row(package).is_some() || !holds_modules();
        declared.then_some(package)
    }

    /// Returns the packages of a unit's folder: the unit's own, else its modules.
    pub(crate) fn packages_in(&self, unit: Unit) -> Vec<SymbolId> {
        match self.own_package(unit) {
            Some(package) => vec![package],
            None => {
                let symbols = self.symbols(unit);
                let rows = symbols.rows.iter();
                let modules = rows.filter(|row| row.kind == NodeKind::Package);
                modules.map(|row| row.symbol).collect()
            }
        }
    }

    /// Returns whether a file holds tests only.
    pub(crate) fn is_test(&self, file: File) -> bool {
        let language = self.languages.of(file.lang(self.db));
        language.is_some_and(|language| language.is_test(self.db, file))
    }

    /// Returns whether a symbol is declared in a test file.
    pub(crate) fn in_test(&self, symbol: SymbolId) -> bool {
        self.file(symbol).is_some_and(|file| self.is_test(file))
    }

    /// Returns the methods that a type declares itself, in text order.
    pub(crate) fn methods_of(&self, ty: SymbolId) -> Vec<SymbolId> {
        let DeclaredIn::Unit(unit) = self.key(ty).declared_in else {
            return Vec::new();
        };
        let mut methods = Vec::new();
        for &unit in self.units.named(unit.lang(self.db), unit.name(self.db)) {
            let symbols = self.symbols(unit);
            let declared = symbols.rows.iter().filter(|row| {
                row.kind == NodeKind::Method && self.key(row.symbol).parent == Some(ty)
            });
            methods.extend(declared.map(|row| row.symbol));
        }
        methods
    }

    /// Returns whether a symbol is a method that an interface declares. Methods of interface
    /// literals have the enclosing function or variable as parent.
    pub(crate) fn is_interface_method(&self, symbol: SymbolId) -> bool {
        let key = self.key(symbol);
        key.class == SymbolClass::Method
            && key.parent.is_some_and(|parent| {
                self.key(parent).class != SymbolClass::Type
                    || match self.kind(parent) {
                        NodeKind::Interface => true,
                        NodeKind::Type | NodeKind::Struct => {
                            let language = self.language(symbol);
                            language.is_some_and(|language| {
                                language.is_of_interface_literal(self.db, symbol)
                            })
                        }
                        _ => false,
                    }
            })
    }

    /// Sorts symbols by (language, id) and drops duplicates.
    pub(crate) fn in_order(&self, mut symbols: Vec<SymbolId>) -> Vec<SymbolId> {
        symbols.sort_unstable();
        symbols.dedup();
        symbols.sort_by_cached_key(|&symbol| (self.lang(symbol), self.id(symbol)));
        symbols
    }
}
