//! The paths of symbols from their packages: what their names across repositories are made of.

use std::sync::Arc;

use codeweft_db::{
    DeclaredIn, Lang, NodeKind, Origin, PackageSource, SymbolClass, SymbolId, Unit, visible_text,
};

use super::{DetailedPackage, ExportContext, ExportOptions, details};
use crate::query_context::{QueryContext, QueryOptions};
use crate::revision_cache::RevisionCache;
use crate::symbols;

/// The path of the package that documents what the language itself declares (Go's package `builtin`).
const BUILTIN: &str = "builtin";

/// A package with the paths of its nodes.
#[derive(Clone, PartialEq, Debug)]
pub struct PackageWithPaths {
    /// The nodes with their details, and the edges.
    pub detailed: DetailedPackage,
    /// The paths of the nodes, in their order.
    pub paths: Vec<SymbolPath>,
    /// The comments that document the nodes, in their order: empty where there are none, and for libraries.
    pub docs: Vec<String>,
}

/// A symbol by its package and the names that enclose it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SymbolPath {
    /// The language; `None` for a package that is not loaded and that no file imports any more.
    pub lang: Option<Lang>,
    /// The package; for what the language itself declares one of the path `builtin`.
    pub package: PackageSource,
    /// The names from the package to the symbol, the outermost first; none for the package itself.
    pub parts: Vec<PathPart>,
}

/// A name in a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PathPart {
    /// The name.
    pub name: Arc<str>,
    /// What it names.
    pub form: PathForm,
    /// The number of symbols of this name before it in what encloses it.
    pub number: u32,
}

/// What a name in a path is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PathForm {
    /// A type.
    Type,
    /// A function, or a method with a body.
    Function,
    /// A method that an interface of a language without classes declares.
    InterfaceMethod,
    /// A field, a variable or a constant.
    Variable,
    /// A name of a package that is not loaded, whose kind no text says.
    Unknown,
}

/// Visits every package with its rows, the parts of the nodes' declarations, and the nodes' paths.
pub fn each_package_with_paths(
    db: &codeweft_db::RootDb,
    options: &ExportOptions,
    threads: usize,
    visit: &mut dyn FnMut(PackageWithPaths),
) {
    let cache = RevisionCache::default();
    let query = QueryContext::new(db, QueryOptions::new(&cache, threads));
    let export = ExportContext::new(&query, options);
    for package in &export.packages {
        let symbols = export.symbols(package);
        let paths = symbols.iter().map(|&symbol| path(&query, symbol)).collect();
        visit(PackageWithPaths {
            detailed: DetailedPackage {
                lang: package.lang,
                rows: export.rows(package, &symbols),
                details: details::details(&query, &symbols, true),
                ..DetailedPackage::default()
            },
            paths,
            docs: docs(&query, &symbols),
        });
    }
}

/// Returns the comments that document symbols of the workspace, in their order.
fn docs(query: &QueryContext<'_>, symbols: &[SymbolId]) -> Vec<String> {
    let known = symbols.iter().map(|&symbol| {
        let own = !symbols::is_external(query, symbol);
        (
            symbol,
            query.lang(symbol).filter(|_| own),
            query.kind(symbol),
        )
    });
    let known: Vec<_> = known.collect();
    query.map(&known, |languages, db, &(symbol, lang, kind)| {
        let language = lang.and_then(|lang| languages.of(lang));
        let documented = language.and_then(|language| {
            let range = language.declaration_range(db, symbol)?;
            Some(language.doc(visible_text(db, range.file), &range, kind))
        });
        documented.unwrap_or_default()
    })
}

/// Returns the path of a symbol.
pub(super) fn path(query: &QueryContext<'_>, symbol: SymbolId) -> SymbolPath {
    let mut parts = Vec::new();
    let mut here = symbol;
    let package = loop {
        let key = query.key(here);
        if key.class == SymbolClass::Package {
            break package(query, here);
        }
        parts.push(part(query, here));
        match (key.parent, key.declared_in) {
            (Some(parent), _) => here = parent,
            (None, DeclaredIn::Unit(unit)) => match query.languages.of(unit.lang(query.db)) {
                Some(language) => break package(query, language.package(query.db, unit)),
                None => break of_unit(query, unit, None),
            },
            (None, DeclaredIn::Absent(path)) => break absent(query.db.shared().names.text(path)),
            (None, DeclaredIn::Builtin(_)) => break absent(BUILTIN),
        }
    };
    parts.reverse();
    SymbolPath {
        lang: query.lang(symbol),
        package,
        parts,
    }
}

fn part(query: &QueryContext<'_>, symbol: SymbolId) -> PathPart {
    let key = query.key(symbol);
    let names = &query.db.shared().names;
    let is_loaded = !matches!(key.declared_in, DeclaredIn::Absent(_));
    let form = match key.class {
        _ if !is_loaded => PathForm::Unknown,
        SymbolClass::Package | SymbolClass::Type => PathForm::Type,
        SymbolClass::Method
            if symbols::is_interface_method(query, symbol)
                && !symbols::is_of_class(query, symbol) =>
        {
            PathForm::InterfaceMethod
        }
        SymbolClass::Function | SymbolClass::Method => PathForm::Function,
        // A Python name that a class or function is bound to keeps its own kind.
        _ => match query.kind(symbol) {
            NodeKind::Function | NodeKind::Method => PathForm::Function,
            kind if kind.is_type() => PathForm::Type,
            _ => PathForm::Variable,
        },
    };
    PathPart {
        name: names.text(key.name).into(),
        form,
        number: match key.declared_in {
            DeclaredIn::Unit(_) => number(&symbols::id(query, symbol)),
            _ => 0,
        },
    }
}

/// Returns the number behind the last name of an id, from 0.
fn number(id: &str) -> u32 {
    let last = id.rsplit('.').next().unwrap_or(id);
    let (_, number) = symbols::ids::split_number(last);
    number.saturating_sub(1)
}

fn package(query: &QueryContext<'_>, package: SymbolId) -> PackageSource {
    match query.key(package).declared_in {
        DeclaredIn::Unit(unit) => of_unit(query, unit, Some(package)),
        DeclaredIn::Absent(path) => absent(query.db.shared().names.text(path)),
        DeclaredIn::Builtin(_) => absent(BUILTIN),
    }
}

fn absent(path: &str) -> PackageSource {
    PackageSource {
        import_path: path.into(),
        folder: None,
        library: true,
    }
}

/// Returns a package of a unit: the unit's own, or a module of its folder, whose printed name may begin with
/// what keeps modules of several roots apart.
fn of_unit(query: &QueryContext<'_>, unit: Unit, package: Option<SymbolId>) -> PackageSource {
    let db = query.db;
    let names = &db.shared().names;
    let own = names.text(unit.import_path(db));
    let import_path = match package {
        Some(package) if unit.lang(db).packages_are_files => {
            let printed = names.text(unit.name(db));
            let prefix = printed.strip_suffix(own).unwrap_or_default();
            let name = names.text(query.key(package).name);
            name.strip_prefix(prefix).unwrap_or(name)
        }
        _ => own,
    };
    PackageSource {
        import_path: import_path.into(),
        folder: Some(unit.dir(db).clone()),
        library: unit.origin(db) == Origin::Library,
    }
}
