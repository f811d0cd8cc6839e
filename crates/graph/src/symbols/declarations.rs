//! Declarations: what a type or a body declares, and where.

use codeweft_db::{DeclaredIn, File, NameId, NodeKind, SymbolClass, SymbolId, Unit};

use crate::query_context::QueryContext;

/// Returns the files whose bodies belong to a symbol: its own file and the matching stub or
/// source, or all files of a package.
pub(crate) fn files_of_body(query: &QueryContext<'_>, symbol: SymbolId) -> Vec<File> {
    if query.kind(symbol) != codeweft_db::NodeKind::Package {
        let own = query.file(symbol);
        let beside = own.and_then(|file| query.language(symbol)?.stub_counterpart(query.db, file));
        return own.into_iter().chain(beside).collect();
    }
    let codeweft_db::DeclaredIn::Unit(unit) = query.key(symbol).declared_in else {
        return Vec::new();
    };
    let Some(language) = query.languages.of(unit.lang(query.db)) else {
        return Vec::new();
    };
    let units = query.units.named(unit.lang(query.db), unit.name(query.db));
    let files = units
        .iter()
        .flat_map(|&unit| language.files(query.db, unit).to_vec());
    let own = |file: &File| {
        let module = language.module(query.db, *file);
        module.is_none_or(|module| module == symbol)
    };
    files.filter(own).collect()
}

/// Returns whether a file holds tests only.
pub(crate) fn is_test(query: &QueryContext<'_>, file: File) -> bool {
    let language = query.languages.of(file.lang(query.db));
    language.is_some_and(|language| language.is_test(query.db, file))
}

/// Returns whether a symbol is declared in a test file.
pub(crate) fn in_test(query: &QueryContext<'_>, symbol: SymbolId) -> bool {
    query.file(symbol).is_some_and(|file| is_test(query, file))
}

/// Returns the methods that a type declares itself, in text order.
pub(crate) fn methods_of(query: &QueryContext<'_>, ty: SymbolId) -> Vec<SymbolId> {
    let DeclaredIn::Unit(unit) = query.key(ty).declared_in else {
        return Vec::new();
    };
    let mut methods = Vec::new();
    for &unit in query.units.named(unit.lang(query.db), unit.name(query.db)) {
        let symbols = query.symbols(unit);
        let declared = symbols
            .rows
            .iter()
            .filter(|row| row.kind == NodeKind::Method && query.key(row.symbol).parent == Some(ty));
        methods.extend(declared.map(|row| row.symbol));
    }
    methods
}

/// Returns the members that a type declares itself: fields, methods, nested declarations.
pub(crate) fn members_of(query: &QueryContext<'_>, ty: SymbolId) -> Vec<SymbolId> {
    let DeclaredIn::Unit(unit) = query.key(ty).declared_in else {
        return Vec::new();
    };
    let mut members = Vec::new();
    for &unit in query.units.named(unit.lang(query.db), unit.name(query.db)) {
        let symbols = query.symbols(unit);
        let rows = symbols.rows.iter();
        let declared = rows.filter(|row| query.key(row.symbol).parent == Some(ty));
        members.extend(declared.map(|row| row.symbol));
    }
    members
}

/// Returns whether a symbol is a method that an interface declares. Methods of interface
/// literals have the enclosing function or variable as parent.
pub(crate) fn is_interface_method(query: &QueryContext<'_>, symbol: SymbolId) -> bool {
    let key = query.key(symbol);
    key.class == SymbolClass::Method
        && key.parent.is_some_and(|parent| {
            query.key(parent).class != SymbolClass::Type
                || declares_interface_method(query, query.kind(parent), symbol)
        })
}

/// Returns whether the method of a type of this kind is declared by an interface.
fn declares_interface_method(query: &QueryContext<'_>, of: NodeKind, method: SymbolId) -> bool {
    match of {
        NodeKind::Interface => true,
        NodeKind::Type | NodeKind::Struct => {
            let language = query.language(method);
            language.is_some_and(|language| language.is_of_interface_literal(query.db, method))
        }
        _ => false,
    }
}

/// What declares a method, as far as calls of it may run another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MethodOwner {
    /// A class: its overrides may run, and for an interface that is a class the methods of types
    /// that satisfy it.
    Class,
    /// An interface that is no class: the methods of types that satisfy it run.
    Interface,
    /// Another type: the method itself runs.
    Type,
}

/// Returns what declares a method; `None` for any other symbol.
pub(crate) fn method_owner(query: &QueryContext<'_>, method: SymbolId) -> Option<MethodOwner> {
    let key = query.key(method);
    if key.class != SymbolClass::Method {
        return None;
    }
    let Some(parent) = key.parent else {
        return Some(MethodOwner::Type);
    };
    if query.key(parent).class != SymbolClass::Type {
        return Some(MethodOwner::Interface);
    }
    let kind = query.kind(parent);
    Some(if is_class_of_kind(query, parent, kind) {
        MethodOwner::Class
    } else if declares_interface_method(query, kind, method) {
        MethodOwner::Interface
    } else {
        MethodOwner::Type
    })
}

/// Returns the declarations of units under a parent and name, in order.
pub(super) fn declared(
    query: &QueryContext<'_>,
    units: &[Unit],
    parent: Option<SymbolId>,
    name: NameId,
) -> Vec<SymbolId> {
    let mut found = Vec::new();
    for &unit in units {
        let symbols = query.symbols(unit);
        for row in symbols.named(name) {
            let row = &symbols.rows[row as usize];
            if row.kind != NodeKind::Package && query.key(row.symbol).parent == parent {
                found.push(row.symbol);
            }
        }
    }
    found
}

/// Returns the declarations of a name inside a body, directly in a function or in a type there,
/// in text order.
pub(super) fn declared_inside(
    query: &QueryContext<'_>,
    parent: SymbolId,
    name: NameId,
) -> Vec<SymbolId> {
    let Some((language, file)) = query.language(parent).zip(query.file(parent)) else {
        return Vec::new();
    };
    let uses = language.uses(query.db, file);
    let mut found: Vec<_> = uses
        .locals
        .iter()
        .map(|local| local.symbol)
        .filter(|&local| {
            let key = query.key(local);
            key.parent == Some(parent) && key.name == name
        })
        .collect();
    found.sort_by_key(|&local| query.key(local).disambiguator.n);
    found.dedup();
    found
}

/// Returns whether a symbol is a class: it has a body that runs and can be called to construct
/// an object. Abstract classes and protocols count, although their kind is interface.
pub(crate) fn is_class(query: &QueryContext<'_>, symbol: SymbolId) -> bool {
    is_class_of_kind(query, symbol, query.kind(symbol))
}

fn is_class_of_kind(query: &QueryContext<'_>, symbol: SymbolId, kind: NodeKind) -> bool {
    match kind {
        NodeKind::Class => true,
        NodeKind::Interface => query
            .language(symbol)
            .is_some_and(|language| language.is_abstract_class(query.db, symbol)),
        _ => false,
    }
}

/// Returns whether a symbol is a class or the method of one.
pub(crate) fn is_of_class(query: &QueryContext<'_>, symbol: SymbolId) -> bool {
    match query.key(symbol).class {
        SymbolClass::Method => method_owner(query, symbol) == Some(MethodOwner::Class),
        SymbolClass::Type => is_class(query, symbol),
        _ => false,
    }
}

/// Returns the methods of a name that a class declares itself.
pub(crate) fn methods_named(
    query: &QueryContext<'_>,
    class: SymbolId,
    name: NameId,
) -> Vec<SymbolId> {
    let DeclaredIn::Unit(unit) = query.key(class).declared_in else {
        return Vec::new();
    };
    let units = query.units.named(unit.lang(query.db), unit.name(query.db));
    let mut found = declared(query, units, Some(class), name);
    found.extend(declared_inside(query, class, name));
    found.retain(|&symbol| query.kind(symbol) == NodeKind::Method);
    found.sort_unstable();
    found.dedup();
    found
}
