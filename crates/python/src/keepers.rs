//! What keeps the declarations of Python files in use without a use: entry points, decorators, test
//! runners, the language itself, bases in libraries, and the importers of a distribution.
//!
//! ```python
//! @app.route("/")              # Keeper::Start: the framework holds the function
//! def index(): ...
//! class Worker(Thread):
//!     def run(self): ...       # Keeper::Parent: the base's code runs it
//! def parse(text): ...         # Keeper::Api, in a package of a distribution
//! ```

use codeweft_db::{
    Db, DeclaredIn, File, HiddenUse, Keeper, NONE, NodeKind, Origin, Reason, SymbolClass, SymbolId,
    SymbolRow, Unit, UnitGraph, UnitKeepers, UnitSymbols,
};
use codeweft_python_syntax::ItemKind;
use rustc_hash::FxHashMap;

use crate::classes::{class_info, own_member};
use crate::declared::{items, module_of};
use crate::entry_points;
use crate::escapes::{declaration_escapes, is_run_by_test_runner};
use crate::frameworks::is_registered_by_decorator;
use crate::infer::decorator_paths;
use crate::keys::ClassKey;
use crate::language::is_test_path;
use crate::modules::py_modules;
use crate::symbols::{is_public, is_special, py_symbols};

/// Modules that tools run, and that no distribution has.
const SCRIPTS: &[&str] = &["setup", "conftest", "noxfile", "tasks", "__main__"];

/// Returns what keeps the declarations of a unit in use.
pub(crate) fn keepers(db: &dyn Db, unit: Unit) -> UnitKeepers {
    let symbols = py_symbols(db, unit);
    let files = unit.files(db);
    let api: Vec<bool> = files.iter().map(|&file| is_api(db, unit, file)).collect();
    let tests: Vec<bool> = files
        .iter()
        .map(|file| is_test_path(file.path(db)))
        .collect();
    let mut walk = Walk {
        db,
        symbols: &symbols,
        bases: FxHashMap::default(),
        found: UnitKeepers::default(),
    };
    for (number, row) in symbols.rows.iter().enumerate() {
        db.unwind_if_cancelled();
        let file = row.file as usize;
        let in_test = tests.get(file).copied().unwrap_or_default();
        walk.row(number, row, files.get(file).copied(), in_test);
        if api.get(file).copied().unwrap_or_default() && walk.is_public(row) {
            walk.keep(row.symbol, Keeper::Api);
        }
        if entry_points::is_named(db, row.symbol) {
            walk.keep(row.symbol, Keeper::Start);
        }
    }
    walk.found
}

/// Returns whether other projects can import the module of a file: it is of a distribution, no part of
/// its name is private, and it is no test.
fn is_api(db: &dyn Db, unit: Unit, file: File) -> bool {
    let path = file.path(db);
    let Some(graph) = UnitGraph::try_get(db) else {
        return false;
    };
    let is_below = |folder: &String| {
        let rest = path.strip_prefix(folder.as_str());
        folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let mut folders = graph.imports(db).distributed.iter();
    if unit.origin(db) != Origin::Workspace || is_test_path(path) || !folders.any(is_below) {
        return false;
    }
    let Some((_, module)) = module_of(db, file) else {
        return false;
    };
    let name = db.shared().names.text(module.name);
    let stem = db.shared().names.text(module.stem);
    let modules = py_modules(db, unit);
    let is_in_package = modules.modules.first().is_some_and(|own| own.file != NONE);
    // A module beside the project's files is a distribution of its own.
    let is_single = !name.contains('.') && !SCRIPTS.contains(&stem);
    (is_in_package || is_single) && stem != "__main__" && name.split('.').all(is_public)
}

/// A walk over the rows of a unit.
struct Walk<'a> {
    db: &'a dyn Db,
    symbols: &'a UnitSymbols,
    /// The bases of a class outside the workspace, and whether one of its bases is unknown.
    bases: FxHashMap<SymbolId, Bases>,
    found: UnitKeepers,
}

/// What the bases of a class mean for its members.
#[derive(Clone, Default)]
struct Bases {
    /// Those in libraries and in the language, without `object`.
    outside: Vec<SymbolId>,
    /// Whether its attributes may be read by code outside: a base or a decorator may do so.
    holds_fields: bool,
}

impl Walk<'_> {
    fn keep(&mut self, symbol: SymbolId, keeper: Keeper) {
        self.found.keepers.push((symbol, keeper));
    }

    fn parent(&self, row: &SymbolRow) -> Option<&SymbolRow> {
        self.symbols.rows.get(row.parent as usize)
    }

    /// Returns whether a name and all names around it are public.
    fn is_public(&self, row: &SymbolRow) -> bool {
        let mut around = Some(row);
        while let Some(row) = around {
            let is_nested = row.kind == NodeKind::Function && row.parent != NONE;
            if !row.public || is_nested {
                return false;
            }
            around = self.parent(row);
        }
        true
    }

    fn row(&mut self, number: usize, row: &SymbolRow, file: Option<File>, in_test: bool) {
        let db = self.db;
        let name = db.shared().names.text(row.name);
        let is_member = row.parent != NONE;
        if name == "_" || name == "__all__" || is_special(name) {
            let keeper = if is_member {
                Keeper::Parent
            } else {
                Keeper::Start
            };
            self.keep(row.symbol, keeper);
            self.found.unlisted.push(row.symbol);
            return;
        }
        match row.kind {
            NodeKind::Function | NodeKind::Method => {
                let item = file.and_then(|file| items(db, file)?.items.get(row.item as usize));
                if item.is_none_or(|item| item.kind == ItemKind::Lambda) {
                    self.keep(row.symbol, Keeper::Parent);
                    self.found.unlisted.push(row.symbol);
                    return;
                }
                self.function(row, in_test);
            }
            NodeKind::Class | NodeKind::Interface => {
                let escapes = declaration_escapes(db, row.symbol);
                if escapes
                    .iter()
                    .any(|&(.., reason)| reason == Reason::Decorated)
                {
                    let keeper = if is_member {
                        Keeper::Parent
                    } else {
                        Keeper::Start
                    };
                    self.keep(row.symbol, keeper);
                }
                if in_test && name.starts_with("Test") {
                    self.keep(row.symbol, Keeper::Test);
                }
            }
            NodeKind::Field => {
                let class = self.parent(row).map(|parent| parent.symbol);
                if class.is_some_and(|class| self.bases(class).holds_fields) {
                    self.keep(row.symbol, Keeper::Parent);
                } else if let Some(class) = class
                    && self.overrides_outside(class, row)
                {
                    self.keep(row.symbol, Keeper::Parent);
                }
            }
            NodeKind::Variable | NodeKind::Constant if in_test && name == "pytestmark" => {
                self.keep(row.symbol, Keeper::Test);
            }
            _ => {}
        }
        let _ = number;
    }

    fn function(&mut self, row: &SymbolRow, in_test: bool) {
        let is_member = row.parent != NONE;
        let around = if is_member {
            Keeper::Parent
        } else {
            Keeper::Start
        };
        let class = self
            .parent(row)
            .filter(|parent| parent.kind.is_type())
            .map(|parent| parent.symbol);
        if let Some(class) = class
            && self.overrides_outside(class, row)
        {
            self.keep(row.symbol, Keeper::Parent);
        }
        if in_test && is_run_by_test_runner(self.db, row.symbol) {
            // Others are `setup_method`, `pytest_configure` and the like.
            let name = self.db.shared().names.text(row.name);
            let is_test = name.starts_with("test");
            let keeper = if is_test {
                Keeper::Test
            } else {
                Keeper::TestSupport
            };
            self.keep(row.symbol, keeper);
        }
        if is_registered_by_decorator(self.db, row.symbol) {
            self.keep(row.symbol, around);
        }
        for (file, at, reason) in declaration_escapes(self.db, row.symbol) {
            match reason {
                Reason::Decorated => self.keep(row.symbol, around),
                _ => self.found.hidden.push((row.symbol, (file, at, reason))),
            }
        }
    }

    /// Returns whether a class outside the workspace, among the bases of a class, has a member of this
    /// name too: its code may use it.
    fn overrides_outside(&mut self, class: SymbolId, row: &SymbolRow) -> bool {
        let db = self.db;
        let outside = self.bases(class).outside;
        let mut outside = outside.into_iter();
        outside.any(|base| own_member(db, base, row.name).is_some())
    }

    fn bases(&mut self, class: SymbolId) -> Bases {
        let db = self.db;
        let symbols = &db.shared().symbols;
        let known = self.bases.entry(class).or_insert_with(|| {
            if symbols.key(class).class != SymbolClass::Type {
                return Bases::default();
            }
            let info = class_info(db, ClassKey::new(db, class));
            let is_outside = |base: &SymbolId| match symbols.key(*base).declared_in {
                DeclaredIn::Unit(unit) => unit.origin(db) != Origin::Workspace,
                DeclaredIn::Absent(_) | DeclaredIn::Builtin(_) => true,
            };
            let is_object =
                |base: &SymbolId| db.shared().names.text(symbols.key(*base).name) == "object";
            let bases = info.mro.iter().copied().skip(1);
            let outside: Vec<SymbolId> = bases
                .filter(|base| is_outside(base) && !is_object(base))
                .collect();
            let mut of_workspace = info.mro.iter().filter(|&base| !is_outside(base));
            let is_decorated = of_workspace.any(|&one| !decorator_paths(db, one).is_empty());
            Bases {
                holds_fields: !outside.is_empty()
                    || info.has_unknown_base
                    || info.metaclass.is_some()
                    || is_decorated,
                outside,
            }
        });
        known.clone()
    }
}

/// Returns how look-ups by values may use each of some symbols.
pub(crate) fn hidden_uses(db: &dyn Db, symbols: &[SymbolId]) -> Vec<(SymbolId, HiddenUse)> {
    crate::escapes::looked_up(db, symbols)
}
