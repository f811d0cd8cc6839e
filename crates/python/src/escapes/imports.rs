//! Imports by names that are values (Python library, `importlib.import_module`).

use codeweft_db::{Db, File, Reason, SymbolId, UnitGraph, UnresolvedSite};

use super::computed::computed_sites;
use super::literals::literal_words;
use crate::declared::{file_of_module, module_of};
use crate::locations::{declaration_range, offset};

/// Returns where a module may be imported without an import statement: by a computed name, by a
/// literal that is its dotted name, or as an entry point. Computed imports of a library count for
/// its own modules only; the names of others are in literals.
pub(crate) fn importers(db: &dyn Db, module: SymbolId) -> Vec<(File, u32, Reason)> {
    let Some(universe) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let names = &db.shared().names;
    let name = dotted_in_root(db, module);
    let top = |name: &str| name.split('.').next().unwrap_or("").to_owned();
    let sites = computed_sites(db, universe);
    let mut found = Vec::new();
    for &(file, site, is_own) in &sites.imports {
        let start = site.absent.map_or("", |start| names.text(start));
        // The literal is the whole name.
        let is_literal = site.arguments == 0;
        let fits = start.starts_with('.') || name.starts_with(start);
        let of_library = || {
            let importer = module_of(db, file);
            importer.is_some_and(|(_, one)| top(&dotted_in_root(db, one.symbol)) == top(&name))
        };
        if !is_literal && fits && (is_own || of_library()) {
            found.extend(at(db, file, &site));
        }
    }
    let entries = universe.imports(db).entries.iter();
    let is_entry = |entry: &String| {
        let module = entry.split(':').next().unwrap_or("");
        module.trim() == name
    };
    if entries.into_iter().any(is_entry)
        && let Some(own) = declaration_range(db, module)
    {
        found.push((own.file, own.name.start, Reason::CalledByName));
    }
    let computes = sites.imports.iter().any(|&(.., is_own)| is_own);
    let last = name.rsplit('.').next().unwrap_or(&name);
    // A literal of a single word is too often something else.
    if name.contains('.') || computes {
        for &file in &sites.files {
            let text = file.text(db);
            let words = literal_words(db, file);
            let positions = words.of(text, last, false);
            let fits = positions.filter(|&at| is_path(text, at as usize, &name, last));
            found.extend(fits.map(|at| (file, at, Reason::DynamicAttribute)));
        }
    }
    found
}

/// Returns where a module imports by a value.
pub(crate) fn imports(db: &dyn Db, module: SymbolId) -> Vec<(File, u32, Reason)> {
    let (Some(universe), Some(file)) = (UnitGraph::try_get(db), file_of_module(db, module)) else {
        return Vec::new();
    };
    let sites = computed_sites(db, universe);
    let own = sites.imports.iter().filter(|(other, ..)| *other == file);
    own.filter_map(|(file, site, _)| at(db, *file, site))
        .collect()
}

fn at(db: &dyn Db, file: File, site: &UnresolvedSite) -> Option<(File, u32, Reason)> {
    let at = offset(db, file, site.body, site.occ)?;
    Some((file, at, Reason::DynamicAttribute))
}

/// Returns the dotted name of a module in its root.
fn dotted_in_root(db: &dyn Db, module: SymbolId) -> String {
    let name = db.shared().names.text(db.shared().symbols.key(module).name);
    name.rsplit('/').next().unwrap_or(name).to_owned()
}

/// Returns whether the word at `at` ends a literal that begins with `name`, or with a dotted suffix
/// of it.
fn is_path(text: &str, at: usize, name: &str, last: &str) -> bool {
    let (before, after) = text.split_at(at);
    let lead = before
        .rfind(['"', '\''])
        .map_or("", |quote| &before[quote + 1..]);
    let ends = after[last.len()..].starts_with(['"', '\'', '.', ':']);
    let above = name.strip_suffix(last).unwrap_or("");
    let relative = lead.trim_start_matches('.');
    let is_end =
        relative.is_empty() || above == relative || above.ends_with(&format!(".{relative}"));
    ends && (lead == above || lead.starts_with('.') && is_end)
}
