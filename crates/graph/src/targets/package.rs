//! Packages as targets: what an operation takes them for (docs/graph.md §2). Nothing calls a package,
//! so `callers` takes it for what it declares, as seen from outside of it.

use codeweft_db::{DeclaredIn, File, Language, NodeKind, Origin, SymbolId, Unit};
use rustc_hash::FxHashSet;

use super::accepted;
use super::resolved::Target;
use super::{MAX_PATTERN_MATCHES, too_many};
use crate::answer::{ApiError, Operation};
use crate::query_context::QueryContext;
use crate::symbols;

/// Returns a target of packages with a note what they are taken for: if the operation reads
/// packages so, the declarations in their files, modules below a package included. Other targets
/// stay.
pub(super) fn with_declarations(
    query: &QueryContext<'_>,
    operation: Operation,
    text: &str,
    mut target: Target,
) -> Result<Target, ApiError> {
    let is_loaded = |&symbol: &SymbolId| {
        query.kind(symbol) == NodeKind::Package
            && matches!(query.key(symbol).declared_in, DeclaredIn::Unit(_))
    };
    if target.file.is_some() || target.local.is_some() || !target.symbols.iter().all(is_loaded) {
        return Ok(target);
    }
    let spec = operation.spec();
    if let Some(means) = spec.package_means {
        add_note(&mut target, format!("{text} is taken for {means}"));
    }
    if spec.of_package.is_none() {
        return Ok(target);
    }
    let mut declared = Vec::new();
    for &package in &target.symbols {
        let DeclaredIn::Unit(own) = query.key(package).declared_in else {
            continue;
        };
        let Some(language) = query.language(package) else {
            continue;
        };
        for &unit in units_around(query, own).iter() {
            query.poll_cancellation();
            let inside = files_inside(query, language, unit, package);
            if inside.is_empty() {
                continue;
            }
            let files = language.files(query.db, unit);
            let rows = query.symbols(unit);
            let own = rows.rows.iter().filter(|row| {
                let file = files.get(row.file as usize);
                row.kind != NodeKind::Package && file.is_some_and(|file| inside.contains(file))
            });
            let own = own.map(|row| row.symbol);
            declared.extend(own.filter(|&symbol| accepted::takes(query, operation, symbol)));
            target.package_files.extend(inside);
        }
        if declared.len() > MAX_PATTERN_MATCHES {
            return Err(too_many(text, "name a module or file of it"));
        }
    }
    add_note(&mut target, declarations_note(text, declared.len()));
    target.symbols.extend(declared);
    target.symbols = symbols::in_order(query, target.symbols);
    Ok(target)
}

fn add_note(target: &mut Target, note: String) {
    target.note = Some(match target.note.take() {
        Some(known) => format!("{known}; {note}"),
        None => note,
    });
}

/// Returns what a file or package is taken for, in words, with the number of declarations in it
/// that the operation takes.
pub(super) fn declarations_note(text: &str, declared: usize) -> String {
    match declared {
        0 => format!("{text} declares nothing that can be called"),
        1 => format!("{text} is taken for the 1 declaration in it, called from outside of it"),
        _ => format!(
            "{text} is taken for the {declared} declarations in it, called from outside of it"
        ),
    }
}

/// Returns the units that files of a package may be in: those of its name, and all of a language
/// whose files are modules, which a package may hold.
fn units_around(query: &QueryContext<'_>, own: Unit) -> Vec<Unit> {
    let lang = own.lang(query.db);
    let named = query.units.named(lang, own.name(query.db));
    let modules = query.languages.of(lang).is_some_and(|language| {
        let mut files = own.files(query.db).iter();
        files.any(|&file| language.module(query.db, file).is_some())
    });
    if !modules {
        return named.to_vec();
    }
    let origin: Origin = own.origin(query.db);
    let all = query.units.of_lang(lang);
    let near = all.iter().copied();
    near.filter(|unit| unit.origin(query.db) == origin)
        .collect()
}

/// Returns the files of a unit that belong to a package or to a module below it.
fn files_inside(
    query: &QueryContext<'_>,
    language: &dyn Language,
    unit: Unit,
    package: SymbolId,
) -> FxHashSet<File> {
    let name = symbols::id(query, package);
    let separator = language.lang().package_separator;
    let is_below = |id: &str| {
        let rest = id.strip_prefix(&*name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(separator))
    };
    let files = language.files(query.db, unit);
    let inside = files
        .iter()
        .copied()
        .filter(|&file| match language.module(query.db, file) {
            Some(module) => is_below(&symbols::id(query, module)),
            None => {
                symbols::package_of(query, file).is_some_and(|own| symbols::id(query, own) == name)
            }
        });
    inside.collect()
}
