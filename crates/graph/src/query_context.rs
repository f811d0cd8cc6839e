//! The context of one query: the database at one revision, the languages, and per-query caches.

use std::cell::{Cell, OnceCell};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use codeweft_db::{
    Db, DeclaredIn, File, FlowNode, Lang, Language, NameId, NodeKind, RootDb, SymbolClass,
    SymbolId, SymbolKey, SymbolRow, Unit, UnitGraph, UnitSymbols,
};

use crate::call_graph::caller_table::CallerTable;
use crate::call_graph::memo::{CallSites, FileCalls, NamedFiles};
use crate::covered_languages::Languages;
use crate::fan_out::FanOut;
use crate::flow::HeldFlowGraph;
use crate::imports::{Imports, JoinedImports};
use crate::memo::{LocalMemo, locked};
use crate::revision_cache::RevisionCache;
use crate::units::Units;
use crate::visibility::UnitSet;

/// How a request is executed. No option but `unlimited` changes an answer.
#[derive(Clone, Copy)]
pub struct QueryOptions<'a> {
    /// The memos of earlier queries of the same revision. Those of an older revision
    /// yield stale answers.
    pub cache: &'a RevisionCache,
    /// The number of threads.
    pub threads: usize,
    /// Whether all limits on results, sites and nodes are lifted, whatever the request says:
    /// editors need complete lists.
    pub unlimited: bool,
}

impl<'a> QueryOptions<'a> {
    /// Returns the options for the languages of the database, with limits.
    pub fn new(cache: &'a RevisionCache, threads: usize) -> QueryOptions<'a> {
        QueryOptions {
            cache,
            threads,
            unlimited: false,
        }
    }
}

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

/// Per-query memos. Every entry is a function of the revision alone.
#[derive(Default)]
pub(crate) struct QueryCaches {
    /// Printed ids.
    pub(crate) ids: LocalMemo<SymbolId, Arc<str>>,
    /// Declarations by unit.
    symbols: LocalMemo<Unit, Arc<UnitSymbols>>,
    /// The names by which a text can mention a symbol.
    pub(crate) search_names: LocalMemo<SymbolId, Arc<[NameId]>>,
    /// Units that can name a symbol.
    pub(crate) visible_units: LocalMemo<SymbolId, Arc<UnitSet>>,
    /// The call sites of a symbol.
    pub(crate) calls_of: LocalMemo<SymbolId, Arc<CallSites>>,
    /// The calls that may run a symbol although they name another one, or none.
    pub(crate) indirect_calls: LocalMemo<SymbolId, Arc<CallSites>>,
    /// Whether nothing but its name calls a symbol: see [`crate::flow::is_only_named`].
    pub(crate) only_named: LocalMemo<SymbolId, bool>,
    /// The only files that can use a symbol: see [`crate::call_graph::named_files`].
    pub(crate) named_files: LocalMemo<SymbolId, Option<Arc<NamedFiles>>>,
    /// The flow graphs, each with what was solved in it when this query first needed it.
    pub(crate) flows: LocalMemo<Lang, HeldFlowGraph>,
    /// The table of callers that this query uses.
    callers: OnceCell<Arc<CallerTable>>,
    /// The calls of a file, by caller.
    pub(crate) calls_in: LocalMemo<File, Arc<FileCalls>>,
    /// The calls through which nodes of the flow graph escape: file, body, number of the use.
    pub(crate) flow_calls: LocalMemo<FlowNode, Option<(File, u32, u32)>>,
    /// The languages of which what completeness reads of hidden callers was read on all threads.
    pub(crate) hidden_callers_read: LocalMemo<Lang, ()>,
    /// How many symbols have been looked up in the indexes of the units, by all threads of the query.
    pub(crate) index_lookups: Arc<AtomicU32>,
    /// How many times [`QueryContext::poll_cancellation`] was called.
    polls: Cell<u32>,
}

/// Cancellation is checked once in so many polls, which is some microseconds of work.
const POLL_INTERVAL: u32 = 64;

/// A context is made for so many items at once: they share what it looks up.
const ITEMS_OF_CONTEXT: usize = 32;

impl<'a> QueryContext<'a> {
    /// Creates a query.
    pub(crate) fn new(root: &'a RootDb, options: QueryOptions<'a>) -> QueryContext<'a> {
        let languages = Languages(root.tables().languages());
        let cache = options.cache;
        QueryContext {
            db: root,
            fan_out: FanOut {
                root,
                threads: NonZero::new(options.threads).unwrap_or(NonZero::<usize>::MIN),
                languages,
            },
            languages,
            unlimited: options.unlimited,
            units: Units::read(root),
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

    /// As [`QueryContext::map`], for jobs that are questions themselves: each gets a context of its own
    /// thread, with memos of its own beside those of the revision.
    pub(crate) fn map_in_contexts<T: Sync, R: Send>(
        &self,
        items: &[T],
        job: impl Fn(&QueryContext<'_>, &T) -> R + Sync,
    ) -> Vec<R> {
        if items.len() <= ITEMS_OF_CONTEXT || self.fan_out.threads.get() == 1 {
            return items.iter().map(|item| job(self, item)).collect();
        }
        let options = QueryOptions {
            cache: self.cache,
            threads: 1,
            unlimited: self.unlimited,
        };
        let parts: Vec<&[T]> = items.chunks(ITEMS_OF_CONTEXT).collect();
        let index_lookups = &self.caches.index_lookups;
        let found = self.fan_out.map_roots(&parts, |db, part| {
            let mut query = QueryContext::new(db, options);
            query.caches.index_lookups = index_lookups.clone();
            let found = part.iter().map(|item| job(&query, item));
            found.collect::<Vec<_>>()
        });
        found.into_iter().flatten().collect()
    }

    /// Returns the table of callers, the same one for the whole query.
    pub(crate) fn callers(&self) -> &CallerTable {
        let callers = || locked(&self.cache.calls.callers).clone();
        self.caches.callers.get_or_init(callers)
    }

    /// Returns all imports.
    pub(crate) fn imports(&self) -> &JoinedImports {
        let memos = &self.cache.imports;
        memos.joined.get_or_init(|| {
            let previous = memos.previous.as_ref();
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
                .map(|declaration| declaration.file),
        }
    }

    /// Returns the unit that a file belongs to.
    pub(crate) fn owner(&self, file: File) -> Option<Unit> {
        let universe = UnitGraph::try_get(self.db)?;
        universe.owners(self.db).get(&file).copied()
    }
}
