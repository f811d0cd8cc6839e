//! What projects name as entry points: scripts, and what plug-ins are found by (Python packaging, Entry points
//! specification).
//!
//! ```toml
//! [project.scripts]
//! shop = "shop.cli:main"                # the function is called
//! [project.entry-points."shop.stores"]
//! files = "shop.stores:FileStore"       # the class is: its constructor runs
//! ```

use std::sync::Arc;

use codeweft_db::{Db, NameId, Origin, SymbolClass, SymbolId, Unit, UnitGraph};
use codeweft_python_syntax::PYTHON;
use rustc_hash::FxHashSet;

use crate::classes::lookup;
use crate::declared::is_of_workspace;
use crate::infer::{ModuleName, resolve, resolve_import_module};
use crate::members::Reading;

/// The methods that the call of a class runs.
const CONSTRUCTORS: [&str; 2] = ["__init__", "__new__"];

/// The entry points of the projects of the workspace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EntryPoints {
    /// What they call, each without its disambiguator: of redefinitions any may run.
    called: FxHashSet<SymbolId>,
    /// Those of them that code may look up and call: all but scripts.
    plug_ins: FxHashSet<SymbolId>,
    /// What is called, and the classes that the names lead through.
    named: FxHashSet<SymbolId>,
    /// The last names of those whose objects are not known.
    unresolved: FxHashSet<NameId>,
}

/// Returns the entry points of the projects. It reads what their names mean, no other declarations.
#[salsa::tracked(returns(clone))]
pub fn py_entry_points(db: &dyn Db, graph: UnitGraph) -> Arc<EntryPoints> {
    let mut found = EntryPoints::default();
    // A module is found from each project by the tables of its chain.
    let mut importers: Vec<Unit> = Vec::new();
    for &unit in graph.units(db).iter() {
        let is_own = unit.lang(db) == PYTHON && unit.origin(db) == Origin::Workspace;
        let mut known = importers.iter();
        if is_own && !known.any(|known| known.chain(db) == unit.chain(db)) {
            importers.push(unit);
        }
    }
    for entry in &graph.imports(db).entries {
        // One that is a module alone is imported, and nothing of it is called.
        if let Some((module, object)) = entry.split_once(':') {
            let is_script = graph.imports(db).scripts.contains(entry);
            found.add(db, &importers, (module, object), is_script);
        }
    }
    Arc::new(found)
}

impl EntryPoints {
    /// Returns those of the workspace, if it has been laid out.
    fn of(db: &dyn Db) -> Option<Arc<EntryPoints>> {
        Some(py_entry_points(db, UnitGraph::try_get(db)?))
    }

    fn add(
        &mut self,
        db: &dyn Db,
        importers: &[Unit],
        (module, object): (&str, &str),
        is_script: bool,
    ) {
        let names = &db.shared().names;
        let mut is_found = false;
        for &unit in importers {
            let ModuleName::Loaded(module) = resolve_import_module(db, unit, module, false) else {
                continue;
            };
            let mut parts = object.split('.').map(|part| names.intern(part));
            let mut symbol = parts.next().and_then(|name| resolve(db, module, name));
            for name in parts {
                if let Some(class) = symbol {
                    self.named.insert(first_of(db, class));
                }
                symbol = symbol.and_then(|class| lookup(db, class, name, Reading::ByName));
            }
            let Some(symbol) = symbol else {
                continue;
            };
            is_found = true;
            let mut called = vec![symbol];
            if db.shared().symbols.key(symbol).class == SymbolClass::Type {
                let constructors = CONSTRUCTORS
                    .map(|name| lookup(db, symbol, names.intern(name), Reading::ByName));
                called.extend(constructors.into_iter().flatten());
            }
            for one in called.into_iter().filter(|&one| is_of_workspace(db, one)) {
                self.called.insert(first_of(db, one));
                if !is_script {
                    self.plug_ins.insert(first_of(db, one));
                }
                self.named.insert(first_of(db, one));
            }
        }
        if let Some(last) = object.rsplit('.').next().filter(|_| !is_found) {
            self.unresolved.insert(names.intern(last));
        }
    }
}

/// Returns the first of the declarations of a symbol's scope and name.
fn first_of(db: &dyn Db, symbol: SymbolId) -> SymbolId {
    let symbols = &db.shared().symbols;
    let mut key = symbols.key(symbol);
    key.disambiguator.n = 0;
    symbols.intern(key)
}

/// Returns whether an entry point calls a function, a class or its constructor.
pub(crate) fn is_called(db: &dyn Db, symbol: SymbolId) -> bool {
    EntryPoints::of(db).is_some_and(|entries| {
        !entries.called.is_empty() && entries.called.contains(&first_of(db, symbol))
    })
}

/// Returns whether an entry point that is no script calls a function, a class or its constructor: what looks plug-ins up calls it, and
/// may be code of the workspace.
pub(crate) fn is_plug_in(db: &dyn Db, symbol: SymbolId) -> bool {
    EntryPoints::of(db).is_some_and(|entries| {
        !entries.plug_ins.is_empty() && entries.plug_ins.contains(&first_of(db, symbol))
    })
}

/// Returns whether an entry point names a declaration, or may name it: then something uses it.
pub(crate) fn is_named(db: &dyn Db, symbol: SymbolId) -> bool {
    let key = db.shared().symbols.key(symbol);
    let parent = key
        .parent
        .map(|parent| db.shared().symbols.key(parent).class);
    EntryPoints::of(db).is_some_and(|entries| {
        let is_of_module = parent == Some(SymbolClass::Package);
        entries.named.contains(&first_of(db, symbol))
            || is_of_module && entries.unresolved.contains(&key.name)
    })
}

/// Returns whether an entry point whose object is not known ends with a name.
pub(crate) fn may_be_named(db: &dyn Db, name: NameId) -> bool {
    EntryPoints::of(db).is_some_and(|entries| entries.unresolved.contains(&name))
}
