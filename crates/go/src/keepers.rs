//! What keeps the declarations of a package in use without a use: what the runtime, tests, other
//! modules, the linker and assembly reach (Go spec, Program initialization and execution; `go help
//! test`, "Testing functions"; `go help packages`, internal directories; cmd/compile, Compiler
//! Directives).

use codeweft_db::{
    Db, File, HiddenUse, Keeper, NONE, NameId, NodeKind, Origin, Reason, SymbolClass, SymbolId,
    SymbolRow, Unit, UnitGraph, UnitKeepers, UnitKind,
};
use codeweft_go_syntax::{FieldKind, GO, ItemKind, Items};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::linkname_offset;
use crate::locations::declaration_range;
use crate::symbols::{unit_linknames, unit_symbols};
use crate::units::{items, package_path, unit_files, unit_name};

/// Returns what keeps the declarations of a unit in use.
pub(crate) fn keepers(db: &dyn Db, unit: Unit) -> UnitKeepers {
    let names = &db.shared().names;
    let symbols = unit_symbols(db, unit);
    let files = &unit_files(db, unit).chosen;
    let is_base = unit.kind(db) == UnitKind::BASE;
    let clause = unit_name(db, unit).map_or("", |name| names.text(name));
    let is_api = is_base && clause != "main" && is_importable(names.text(unit.import_path(db)));
    let mut found = UnitKeepers::default();
    for row in symbols.rows.iter() {
        let name = names.text(row.name);
        let is_top = row.parent == NONE && row.field == NONE;
        match row.kind {
            NodeKind::Package => {}
            NodeKind::Function if name == "init" || name == "main" && clause == "main" => {
                found.keepers.push((row.symbol, Keeper::Start));
            }
            NodeKind::Function if name == "_" => {
                found.keepers.push((row.symbol, Keeper::Start));
                found.unlisted.push(row.symbol);
            }
            NodeKind::Function if !is_base && is_run_by_tests(name) => {
                let is_main = name == "TestMain";
                let keeper = if is_main {
                    Keeper::TestSupport
                } else {
                    Keeper::Test
                };
                found.keepers.push((row.symbol, keeper));
            }
            NodeKind::Method if name == "_" => found.unlisted.push(row.symbol),
            _ if is_api && row.public && (is_top || is_of_public(&symbols.rows, row)) => {
                found.keepers.push((row.symbol, Keeper::Api));
            }
            _ => {}
        }
        if row.field != NONE
            && let Some(items) = files
                .get(row.file as usize)
                .and_then(|&file| items(db, file))
        {
            add_member(&mut found, &symbols.rows, items, row);
        }
    }
    let by_item: FxHashMap<(u32, u32), SymbolId> = symbols
        .rows
        .iter()
        .filter(|row| row.field == NONE && row.item != NONE)
        .map(|row| ((row.file, row.item), row.symbol))
        .collect();
    for (number, &file) in (0..).zip(files.iter()) {
        if let Some(items) = items(db, file) {
            add_groups(&mut found, &by_item, (number, items));
            add_assembly(&mut found, db, &by_item, (number, file, items));
        }
        add_exports(&mut found, db, &symbols.rows, (number, file));
    }
    add_linknames(&mut found, db, unit);
    found
}

/// Returns the function that runs the tests of a unit, if it declares one (`go doc testing`, Main).
pub(crate) fn test_main(db: &dyn Db, unit: Unit) -> Vec<SymbolId> {
    let is_main = |row: &&SymbolRow| {
        let name = db.shared().names.text(row.name);
        row.kind == NodeKind::Function && name == "TestMain"
    };
    if unit.kind(db) == UnitKind::BASE {
        return Vec::new();
    }
    let symbols = unit_symbols(db, unit);
    let rows = symbols.rows.iter().filter(is_main);
    rows.map(|row| row.symbol).collect()
}

/// The package that the programs which `go test` writes import.
const OF_TEST_PROGRAMS: &str = "testing/internal/testdeps";

/// Returns whether other modules, or programs that are written for a test, can import a package by its
/// path: no element is `internal` or `vendor`.
fn is_importable(path: &str) -> bool {
    let mut parts = path.split('/');
    path == OF_TEST_PROGRAMS || !parts.any(|part| part == "internal" || part == "vendor")
}

/// Returns whether `go test` runs a function of this name.
fn is_run_by_tests(name: &str) -> bool {
    let is_of = |prefix: &str| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
    };
    ["Test", "Benchmark", "Fuzz", "Example"]
        .into_iter()
        .any(is_of)
}

/// Returns whether all types around a member are exported.
fn is_of_public(rows: &[SymbolRow], row: &SymbolRow) -> bool {
    let mut parent = row.parent;
    while let Some(around) = rows.get(parent as usize) {
        if !around.public {
            return false;
        }
        parent = around.parent;
    }
    // A test declares methods on the types of its package, which is another unit.
    row.parent != NONE
}

/// Adds an embedded field, or a method of an interface: both are in use with their types.
fn add_member(found: &mut UnitKeepers, rows: &[SymbolRow], items: &Items, row: &SymbolRow) {
    let is_of_interface = row.kind == NodeKind::Method;
    let fields = items.code.fields.iter().nth(row.field as usize);
    let is_embedded = fields.is_some_and(|(_, field)| field.kind == FieldKind::Embedded);
    let parent = rows.get(row.parent as usize);
    // A field of a struct literal in a variable's or parameter's type has no type of its own.
    let is_of_literal = parent.is_none_or(|parent| !parent.kind.is_type());
    if is_of_interface || is_embedded {
        found.keepers.push((row.symbol, Keeper::Parent));
    }
    if is_of_interface || is_embedded || is_of_literal {
        found.unlisted.push(row.symbol);
    }
}

/// Adds the groups of constants of a file: specs of one declaration are numbered from 0.
fn add_groups(
    found: &mut UnitKeepers,
    by_item: &FxHashMap<(u32, u32), SymbolId>,
    (number, items): (u32, &Items),
) {
    let mut group: Vec<SymbolId> = Vec::new();
    let mut last = None;
    for (at, item) in (0..).zip(&items.items) {
        let iota = match item.kind {
            ItemKind::Const { iota, .. } => Some(iota),
            _ => None,
        };
        let continues = match (last, iota) {
            (Some(last), Some(iota)) => iota > 0 && iota >= last,
            _ => false,
        };
        if !continues {
            let finished = std::mem::take(&mut group);
            if finished.len() > 1 {
                found.groups.push(finished);
            }
        }
        if iota.is_some() {
            group.extend(by_item.get(&(number, at)));
        }
        last = iota;
    }
    if group.len() > 1 {
        found.groups.push(group);
    }
}

/// Adds the assembly of a package: it has some if a function has no body, and its code can use any
/// function and variable of the package.
fn add_assembly(
    found: &mut UnitKeepers,
    db: &dyn Db,
    by_item: &FxHashMap<(u32, u32), SymbolId>,
    (number, file, items): (u32, File, &Items),
) {
    if found.hidden_of_all.is_some() {
        return;
    }
    let linked = linked_names(db, file);
    let mut functions = (0..).zip(&items.items);
    let without_body = functions.find(|(_, item)| {
        let has_body = match item.kind {
            ItemKind::Func { has_body, .. } | ItemKind::Method { has_body, .. } => has_body,
            _ => true,
        };
        !has_body && !item.broken && !linked.contains(&item.name)
    });
    if let Some((at, _)) = without_body
        && let Some(&symbol) = by_item.get(&(number, at))
        && let Some(declared) = declaration_range(db, symbol)
    {
        let site = (declared.file, declared.name.start, Reason::Assembly);
        found.hidden_of_all = Some(site);
    }
}

/// Returns the names that linkname directives of a file name.
fn linked_names(db: &dyn Db, file: File) -> FxHashSet<NameId> {
    use codeweft_go_syntax::AsGo as _;
    let header = file.header(db).go();
    let pairs = header
        .into_iter()
        .flat_map(|header| header.linknames.iter());
    pairs.map(|&(local, _)| local).collect()
}

/// Adds the functions that a file gives to C or to a host.
fn add_exports(
    found: &mut UnitKeepers,
    db: &dyn Db,
    rows: &[SymbolRow],
    (number, file): (u32, File),
) {
    let names = &db.shared().names;
    let text = file.text(db);
    for (directive, reason) in [
        ("\n//export ", Reason::Cgo),
        ("\n//go:wasmexport ", Reason::Linkname),
        ("\n//go:cgo_export_static ", Reason::Cgo),
        ("\n//go:cgo_export_dynamic ", Reason::Cgo),
    ] {
        for (at, _) in text.match_indices(directive) {
            let rest = &text[at + directive.len()..];
            let name = rest.split_whitespace().next().unwrap_or("");
            // `wasmexport` gives the function below it another name.
            let below = rest.split_once("\nfunc ").map_or("", |(_, below)| below);
            let below = below.split(['(', '[']).next().unwrap_or("");
            let mut own = rows.iter().filter(|row| row.file == number);
            let declared = own.find(|row| {
                let own = names.text(row.name);
                row.kind == NodeKind::Function && (own == name || own == below)
            });
            if let Some(row) = declared {
                let site = (file, at as u32 + 1, reason);
                found.hidden.push((row.symbol, site));
            }
        }
    }
}

/// Adds the functions and variables that the package's own linkname directives give away.
fn add_linknames(found: &mut UnitKeepers, db: &dyn Db, unit: Unit) {
    let symbols = unit_symbols(db, unit);
    for &(local, file) in &unit_linknames(db, unit).locals {
        for row in symbols.named(local) {
            let row = symbols.rows[row as usize];
            if row.parent == NONE
                && row.field == NONE
                && let Some(declared) = declaration_range(db, row.symbol)
                && declared.file == file
            {
                let site = (file, declared.name.start, Reason::Linkname);
                found.hidden.push((row.symbol, site));
            }
        }
    }
}

/// Returns the linkname directives of other packages that lead to some symbols.
pub(crate) fn linked_from_elsewhere(
    db: &dyn Db,
    symbols: &[SymbolId],
) -> Vec<(SymbolId, HiddenUse)> {
    let mut found = Vec::new();
    let shared = db.shared();
    let mut targets: FxHashMap<NameId, Vec<File>> = FxHashMap::default();
    for &unit in UnitGraph::get(db).units(db).iter() {
        if unit.lang(db) == GO {
            for &(target, file) in &unit_linknames(db, unit).targets {
                targets.entry(target).or_default().push(file);
            }
        }
    }
    if targets.is_empty() {
        return found;
    }
    for &symbol in symbols {
        let key = shared.symbols.key(symbol);
        let codeweft_db::DeclaredIn::Unit(unit) = key.declared_in else {
            continue;
        };
        let is_linked = matches!(key.class, SymbolClass::Function | SymbolClass::Variable);
        if !is_linked || key.parent.is_some() || unit.origin(db) != Origin::Workspace {
            continue;
        }
        let path = shared.names.text(package_path(db, unit));
        let full = format!("{path}.{}", shared.names.text(key.name));
        let files = shared.names.get(&full).and_then(|name| targets.get(&name));
        for &file in files.into_iter().flatten() {
            let clause = codeweft_db::file_ranges(db, file).package.start;
            let at = linkname_offset(file.text(db), &full).unwrap_or(clause);
            found.push((symbol, (file, at, Reason::Linkname)));
        }
    }
    found
}
