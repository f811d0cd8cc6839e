//! Files as targets: the declarations of a file, seen from outside of it (docs/graph.md §2).

use codeweft_db::{File, NodeKind, SymbolId};
use rustc_hash::FxHashMap;

use super::accepted;
use super::resolved::Target;
use crate::answer::{ApiError, ErrorType, FileScope, TargetRules};
use crate::query_context::QueryContext;
use crate::symbols;

/// Resolves a file to the symbols that the operation's [`FileScope`] says, and to its package if
/// there are none. `None` for a file without a package.
pub(super) fn file_target(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    file: File,
) -> Result<Option<Target>, ApiError> {
    let Some(package) = symbols::package_of(query, file) else {
        return Ok(None);
    };
    let path = file.path(query.db).to_string();
    let scope = rules.files;
    let declared = match scope {
        FileScope::Package => Vec::new(),
        _ => declared_in(query, rules, file, &path)?,
    };
    let language = query.languages.of(file.lang(query.db));
    let module = language.and_then(|language| language.module(query.db, file));
    // Package-level code has callers, callees and paths; but only a module is imported by its
    // file.
    let with_package = match scope {
        FileScope::Package | FileScope::WithPackageCode => true,
        FileScope::WithModule => module == Some(package),
        FileScope::Declarations => false,
    };
    let note = (rules.counts_file_declarations).then(|| declarations_note(&path, declared.len()));
    let mut symbols = declared;
    if with_package || symbols.is_empty() {
        symbols.push(package);
    }
    Ok(Some(Target {
        note,
        symbols: symbols::in_order(query, symbols),
        printed: path,
        file: Some(file),
        local: None,
        changes: FxHashMap::default(),
    }))
}

/// Returns what a file is taken for, in words, with the number of declarations in it that the
/// operation takes.
pub fn declarations_note(path: &str, declared: usize) -> String {
    match declared {
        0 => format!("{path} declares nothing that can be called"),
        1 => format!("{path} is taken for the 1 declaration in it, called from outside of it"),
        _ => format!(
            "{path} is taken for the {declared} declarations in it, called from outside of it"
        ),
    }
}

fn declared_in(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    file: File,
    path: &str,
) -> Result<Vec<SymbolId>, ApiError> {
    let language = query.languages.of(file.lang(query.db));
    let Some((language, unit)) = language.zip(query.owner(file)) else {
        return Ok(Vec::new());
    };
    let files = language.files(query.db, unit);
    let Some(number) = files.iter().position(|&other| other == file) else {
        let configuration = language.configuration(query.db);
        return Err(ApiError::new(
            ErrorType::TargetNotFound,
            format!("{path}: the file is left out under {configuration}"),
            "ask under a configuration that chooses it",
        ));
    };
    let symbols = query.symbols(unit);
    let rows = symbols.rows.iter();
    let own = rows.filter(|row| row.file == number as u32 && row.kind != NodeKind::Package);
    let own = own.map(|row| row.symbol);
    Ok(own
        .filter(|&symbol| accepted::takes(query, rules, symbol))
        .collect())
}
