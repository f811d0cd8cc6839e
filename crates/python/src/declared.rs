//! The mapping between symbols and the items of a file that declare them.

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, Disambiguator, File, NameId, Origin, SymbolClass, SymbolId, SymbolKey, Unit,
    UnitGraph,
};
use codeweft_python_syntax::AsPython as _;
use codeweft_python_syntax::{self as python, ItemKind};

use crate::modules::{Module, Modules, py_modules};
use crate::overloads::Overloads;

/// Returns the items of a Python file.
pub(crate) fn items(db: &dyn Db, file: File) -> Option<&python::Items> {
    file.items(db).python()
}

/// Returns the unit of a file and its module.
pub(crate) fn module_of(db: &dyn Db, file: File) -> Option<(Unit, Module)> {
    let unit = *UnitGraph::get(db).owners(db).get(&file)?;
    let number = unit.files(db).iter().position(|&other| other == file)?;
    let modules = py_modules(db, unit);
    let module = *modules.of_file.get(number)?;
    Some((unit, *modules.modules.get(module as usize)?))
}

/// Returns the stub next to the file that runs as a module.
pub(crate) fn stub_beside(db: &dyn Db, file: File) -> Option<File> {
    let (unit, module) = module_of(db, file)?;
    let stub = *unit.files(db).get(module.stub as usize)?;
    (stub != file).then_some(stub)
}

/// Returns the symbols that a file's bodies belong to, by item number. A declaration that only a
/// stub has, or that repeats in the stub what the module imports, has no node (docs/graph.md §1,
/// "Ids"): its body belongs to the nearest enclosing declaration that has one.
pub(crate) fn body_owners(db: &dyn Db, file: File) -> Box<[SymbolId]> {
    let symbols = file_symbols(db, file);
    let runs = module_of(db, file).and_then(|(unit, module)| {
        let files = unit.files(db);
        files.get(module.file as usize).copied()
    });
    let (Some(runs), Some(items)) = (runs.filter(|&runs| runs != file), items(db, file)) else {
        return symbols.iter().copied().collect();
    };
    let nodes = file_items_by_symbol(db, runs);
    let mut owners: Vec<SymbolId> = Vec::with_capacity(symbols.len());
    for (item, &symbol) in items.items.iter().zip(symbols.iter()) {
        let is_node = nodes.binary_search_by_key(&symbol, |&(node, _)| node);
        let enclosing = owners.get(item.parent as usize).copied();
        owners.push(match is_node {
            Ok(_) => symbol,
            Err(_) => enclosing.unwrap_or(symbol),
        });
    }
    owners.into()
}

/// Returns the module of a module's symbol.
pub(crate) fn module_by_symbol(db: &dyn Db, symbol: SymbolId) -> Option<(Unit, Module)> {
    let unit = unit_of_module(db, symbol)?;
    let (_, module) = modules_with(db, symbol)?;
    Some((unit, module))
}

fn unit_of_module(db: &dyn Db, symbol: SymbolId) -> Option<Unit> {
    let key = db.shared().symbols.key(symbol);
    match (key.class, key.declared_in) {
        (SymbolClass::Package, DeclaredIn::Unit(unit)) => Some(unit),
        _ => None,
    }
}

/// Returns the module of a module's symbol, and all of its unit.
fn modules_with(db: &dyn Db, symbol: SymbolId) -> Option<(Arc<Modules>, Module)> {
    let modules = py_modules(db, unit_of_module(db, symbol)?);
    let mut all = modules.modules.iter();
    let module = *all.find(|module| module.symbol == symbol)?;
    Some((modules, module))
}

/// Returns the file that runs as a module: its `.py`, else its `.pyi`.
pub(crate) fn file_of_module(db: &dyn Db, symbol: SymbolId) -> Option<File> {
    let (modules, module) = modules_with(db, symbol)?;
    modules.files.get(module.file as usize).copied()
}

/// Returns the symbols of a file's items by item number; the module's own is first. An overload has
/// the symbol of the function whose signature it is.
#[salsa::tracked(returns(clone))]
pub fn file_symbols(db: &dyn Db, file: File) -> Arc<[SymbolId]> {
    let (Some(items), Some((unit, module))) = (items(db, file), module_of(db, file)) else {
        return Arc::default();
    };
    let overloads = Overloads::of_file(db, file, items);
    let mut symbols: Vec<SymbolId> = Vec::with_capacity(items.items.len());
    for (item, number) in items.items.iter().zip(0..) {
        let parent = items.items.get(item.parent as usize);
        let class = match (item.kind, parent.map(|parent| parent.kind)) {
            (ItemKind::Module, _) => {
                symbols.push(module.symbol);
                continue;
            }
            (ItemKind::Class, _) => SymbolClass::Type,
            (ItemKind::Function, Some(ItemKind::Class)) => SymbolClass::Method,
            (ItemKind::Function | ItemKind::Lambda, _) => SymbolClass::Function,
        };
        let enclosing = symbols.get(item.parent as usize).copied();
        symbols.push(member_symbol(
            db,
            unit,
            enclosing.unwrap_or(module.symbol),
            class,
            item.name,
            overloads.nth(items, number),
        ));
    }
    symbols.into()
}

/// Returns the symbol of a declaration inside another symbol of a unit. `nth` counts declarations
/// of the same scope and name.
pub(crate) fn member_symbol(
    db: &dyn Db,
    unit: Unit,
    parent: SymbolId,
    class: SymbolClass,
    name: NameId,
    nth: u32,
) -> SymbolId {
    db.shared().symbols.intern(SymbolKey {
        declared_in: DeclaredIn::Unit(unit),
        parent: Some(parent),
        class,
        name,
        disambiguator: Disambiguator { file: None, n: nth },
    })
}

/// Returns the items of a file by symbol, sorted by symbol number; for a function with overloads
/// the item of the function.
#[salsa::tracked(returns(clone))]
pub fn file_items_by_symbol(db: &dyn Db, file: File) -> Arc<[(SymbolId, u32)]> {
    let Some(items) = items(db, file) else {
        return Arc::default();
    };
    let overloads = Overloads::of_file(db, file, items);
    let symbols = file_symbols(db, file);
    let own = symbols
        .iter()
        .zip(0..)
        .filter(|&(_, item)| overloads.is_node(item));
    let mut by_symbol: Vec<_> = own.map(|(&symbol, item)| (symbol, item)).collect();
    by_symbol.sort_unstable();
    by_symbol.into()
}

/// Returns whether the workspace declares a symbol.
pub(crate) fn is_of_workspace(db: &dyn Db, symbol: SymbolId) -> bool {
    match db.shared().symbols.key(symbol).declared_in {
        DeclaredIn::Unit(unit) => unit.origin(db) == Origin::Workspace,
        DeclaredIn::Absent(_) | DeclaredIn::Builtin(_) => false,
    }
}

/// Returns the module that contains a symbol.
pub(crate) fn enclosing_module(db: &dyn Db, symbol: SymbolId) -> SymbolId {
    let symbols = &db.shared().symbols;
    let mut enclosing = symbol;
    while let Some(parent) = symbols.key(enclosing).parent {
        enclosing = parent;
    }
    enclosing
}

/// Returns the file that declares a symbol and its item number there; `None` for a field or
/// variable.
pub(crate) fn declaration_of(db: &dyn Db, symbol: SymbolId) -> Option<(File, u32)> {
    let file = file_of_module(db, enclosing_module(db, symbol))?;
    Some((file, item_in(db, file, symbol)?))
}

/// Returns the item number of a symbol in a file, if that declares it.
pub(crate) fn item_in(db: &dyn Db, file: File, symbol: SymbolId) -> Option<u32> {
    let by_symbol = file_items_by_symbol(db, file);
    let at = by_symbol.binary_search_by_key(&symbol, |&(other, _)| other);
    Some(by_symbol[at.ok()?].1)
}

/// Returns the item of a symbol in the stub next to its module, if there is one.
pub(crate) fn stub_declaration_of(db: &dyn Db, symbol: SymbolId) -> Option<(File, u32)> {
    let (unit, module) = module_by_symbol(db, enclosing_module(db, symbol))?;
    let modules = py_modules(db, unit);
    let number = modules
        .modules
        .iter()
        .position(|other| other.symbol == module.symbol)? as u32;
    let mut files = modules
        .of_file
        .iter()
        .zip(unit.files(db).iter())
        .enumerate();
    let (_, (_, &file)) = files.find(|&(at, (&of, file))| {
        of == number && at as u32 != module.file && file.path(db).ends_with(".pyi")
    })?;
    Some((file, item_in(db, file, symbol)?))
}

/// Returns the dotted path of a symbol: `functools.wraps`, `pkg.mod.C.m`.
pub(crate) fn dotted_path(db: &dyn Db, symbol: SymbolId) -> String {
    let shared = db.shared();
    let mut parts = Vec::new();
    let mut enclosing = Some(symbol);
    while let Some(symbol) = enclosing {
        let key = shared.symbols.key(symbol);
        parts.push(shared.names.text(key.name));
        enclosing = key.parent;
    }
    parts.reverse();
    parts.join(".")
}

/// Returns the name of the module that contains a symbol.
pub(crate) fn module_name(db: &dyn Db, symbol: SymbolId) -> &str {
    let shared = db.shared();
    shared
        .names
        .text(shared.symbols.key(enclosing_module(db, symbol)).name)
}
