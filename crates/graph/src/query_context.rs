//! One question at one revision: the database, the languages, and what was looked up already.

use std::cell::{Cell, RefCell};
use std::num::NonZero;
use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, File, Lang, Language, NodeKind, RootDb, SymbolClass, SymbolId, SymbolKey,
    SymbolRow, Unit, UnitGraph, UnitSymbols,
};
use rustc_hash::FxHashMap;

use crate::edges::{CallSites, FileCalls};
use crate::fan_out::fan_out;
use crate::flow::ForwardReach;
use crate::hierarchy::TypeTable;
use crate::revision_cache::RevisionCache;
use crate::units::{Imports, Units};

/// The languages that a question is asked of.
#[derive(Clone, Copy)]
pub(crate) struct Languages<'a>(pub(crate) &'a [&'a dyn Language]);

impl<'a> Languages<'a> {
    /// The room of a language.
    pub(crate) fn of(self, lang: Lang) -> Option<&'a dyn Language> {
        self.0.iter().copied().find(|room| room.lang() == lang)
    }
}

/// A question being answered. It lives on one thread; [`QueryContext::map`] calls others.
pub(crate) struct QueryContext<'a> {
    /// The database of this thread.
    pub(crate) db: &'a dyn Db,
    root: &'a RootDb,
    threads: NonZero<usize>,
    /// The languages.
    pub(crate) languages: Languages<'a>,
    /// Whether nothing of the answer is cut.
    pub(crate) whole: bool,
    /// All units.
    pub(crate) units: Arc<Units>,
    /// What questions of this revision share.
    pub(crate) kept: &'a RevisionCache,
    /// What this question looked up already.
    pub(crate) caches: QueryCaches,
}

/// From which units, over how many steps.
pub(crate) type ReachedUnits = (Vec<Unit>, usize);

/// What was looked up already. Every entry is a function of the revision alone.
#[derive(Default)]
pub(crate) struct QueryCaches {
    /// Printed ids.
    pub(crate) ids: RefCell<FxHashMap<SymbolId, Arc<str>>>,
    /// Declarations by unit.
    symbols: RefCell<FxHashMap<Unit, Arc<UnitSymbols>>>,
    /// Units by reach: from which, over how many steps.
    pub(crate) reached: RefCell<FxHashMap<ReachedUnits, Arc<[Unit]>>>,
    /// The call sites of a symbol.
    pub(crate) calls_of: RefCell<FxHashMap<SymbolId, Arc<CallSites>>>,
    /// The calls that may run a symbol where they name another.
    pub(crate) indirect_calls: RefCell<FxHashMap<SymbolId, Arc<CallSites>>>,
    /// How far values have come at places.
    pub(crate) waves: RefCell<FxHashMap<(Lang, u32), ForwardReach>>,
    /// The calls of a file, by caller.
    pub(crate) calls_in: RefCell<FxHashMap<File, Arc<FileCalls>>>,
    /// How many symbols were asked of the units.
    pub(crate) asked: Cell<u32>,
    /// How many look-ups there were.
    looked: Cell<u32>,
}

/// After so many look-ups, some microseconds, the end of a question is noticed.
const LOOKS: u32 = 64;

impl<'a> QueryContext<'a> {
    /// A question of these languages on at most so many threads.
    pub(crate) fn new(
        root: &'a RootDb,
        kept: &'a RevisionCache,
        languages: &'a [&'a dyn Language],
        threads: usize,
    ) -> QueryContext<'a> {
        QueryContext {
            db: root,
            root,
            threads: NonZero::new(threads).unwrap_or(NonZero::<usize>::MIN),
            languages: Languages(languages),
            whole: false,
            units: kept
                .units
                .get_or_init(|| Arc::new(Units::read(root)))
                .clone(),
            kept,
            caches: QueryCaches::default(),
        }
    }

    /// The results of `job` in the order of `items`, on the question's threads. A job sees the
    /// database of its own thread and none of the question's caches.
    pub(crate) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        job: impl Fn(Languages<'_>, &dyn Db, &T) -> R + Sync,
    ) -> Vec<R> {
        let languages = self.languages;
        fan_out(self.root, self.threads, items, |db, item| {
            job(languages, db, item)
        })
    }

    /// All imports.
    pub(crate) fn imports(&self) -> &Imports {
        self.kept.imports.get_or_init(|| Imports::read(self))
    }

    /// The types and interfaces of a language.
    pub(crate) fn types(&self, lang: Lang) -> Arc<TypeTable> {
        if let Ok(known) = self.kept.types.lock()
            && let Some(types) = known.get(&lang)
        {
            return types.clone();
        }
        let types = TypeTable::read(self, lang);
        if let Ok(mut known) = self.kept.types.lock() {
            known.insert(lang, types.clone());
        }
        types
    }

    /// Unwinds now and then where the question was cancelled or a write waits. What every loop
    /// outside queries comes by.
    pub(crate) fn look_up(&self) {
        let looked = self.caches.looked.get().wrapping_add(1);
        self.caches.looked.set(looked);
        if looked.is_multiple_of(LOOKS) {
            self.db.unwind_if_cancelled();
        }
    }

    /// What a symbol is.
    pub(crate) fn key(&self, symbol: SymbolId) -> SymbolKey {
        self.look_up();
        self.db.shared().symbols.key(symbol)
    }

    /// The language that a symbol belongs to.
    pub(crate) fn lang(&self, symbol: SymbolId) -> Option<Lang> {
        match self.key(symbol).declared_in {
            DeclaredIn::Unit(unit) => Some(unit.lang(self.db)),
            DeclaredIn::Builtin(lang) => Some(lang),
            DeclaredIn::Absent(path) => self.imports().language_of_absent(path),
        }
    }

    /// The room of a symbol's language.
    pub(crate) fn language(&self, symbol: SymbolId) -> Option<&'a dyn Language> {
        self.languages.of(self.lang(symbol)?)
    }

    /// The declarations of a unit.
    pub(crate) fn symbols(&self, unit: Unit) -> Arc<UnitSymbols> {
        self.look_up();
        if let Some(symbols) = self.caches.symbols.borrow().get(&unit) {
            return symbols.clone();
        }
        let symbols = match self.languages.of(unit.lang(self.db)) {
            Some(language) => language.symbols(self.db, unit),
            None => Arc::default(),
        };
        let mut known = self.caches.symbols.borrow_mut();
        known.insert(unit, symbols.clone());
        symbols
    }

    /// The declaration of a symbol: its unit and its row.
    pub(crate) fn row(&self, symbol: SymbolId) -> Option<(Unit, SymbolRow)> {
        let DeclaredIn::Unit(unit) = self.key(symbol).declared_in else {
            return None;
        };
        let symbols = self.symbols(unit);
        let row = symbols.row(symbol)?;
        Some((unit, symbols.rows[row as usize]))
    }

    /// The kind of a symbol. One that is not declared where we can see has the kind of its class.
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

    /// The kind of a declaration inside a body, without reading ranges.
    fn kind_of_local(&self, symbol: SymbolId) -> Option<NodeKind> {
        self.key(symbol).parent?;
        let uses = self.language(symbol)?.uses(self.db, self.file(symbol)?);
        let mut locals = uses.locals.iter();
        Some(locals.find(|local| local.symbol == symbol)?.kind)
    }

    /// The file that declares a symbol, without reading ranges where a row says it.
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

    /// The unit that a file belongs to.
    pub(crate) fn owner(&self, file: File) -> Option<Unit> {
        let universe = UnitGraph::try_get(self.db)?;
        universe.owners(self.db).get(&file).copied()
    }

    /// The package that a file stands for: a module of its own, else its unit's.
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
        let own = number.and_then(|number| {
            rows.find(|row| row.kind == NodeKind::Package && row.file == number as u32)
        });
        Some(match own {
            Some(row) => row.symbol,
            None => language.package(self.db, unit),
        })
    }

    /// The package that a unit stands for; `None` where it only holds modules.
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

    /// The packages that lie in a unit's folder: its own, else its modules.
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

    /// Whether a file holds tests only.
    pub(crate) fn is_test(&self, file: File) -> bool {
        let language = self.languages.of(file.lang(self.db));
        language.is_some_and(|language| language.is_test(self.db, file))
    }

    /// Whether a symbol is declared in a file of tests.
    pub(crate) fn in_test(&self, symbol: SymbolId) -> bool {
        self.file(symbol).is_some_and(|file| self.is_test(file))
    }

    /// The methods that a type declares itself, in text order.
    pub(crate) fn methods_of(&self, ty: SymbolId) -> Vec<SymbolId> {
        let DeclaredIn::Unit(unit) = self.key(ty).declared_in else {
            return Vec::new();
        };
        let mut methods = Vec::new();
        for &unit in self.units.named(unit.lang(self.db), unit.name(self.db)) {
            let symbols = self.symbols(unit);
            let own = symbols.rows.iter().filter(|row| {
                row.kind == NodeKind::Method && self.key(row.symbol).parent == Some(ty)
            });
            methods.extend(own.map(|row| row.symbol));
        }
        methods
    }

    /// Whether a symbol is a method that an interface declares. What an interface literal declares
    /// belongs to the function or variable around it.
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

    /// Sorts symbols by (language, id) and drops repeats.
    pub(crate) fn in_order(&self, mut symbols: Vec<SymbolId>) -> Vec<SymbolId> {
        symbols.sort_unstable();
        symbols.dedup();
        symbols.sort_by_cached_key(|&symbol| (self.lang(symbol), self.id(symbol)));
        symbols
    }
}
