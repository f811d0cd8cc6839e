//! Imports by names that are values (Python library, `importlib.import_module`).

use codeweft_db::{Db, File, Reason, SymbolId, UnitGraph};

use super::computed::computed_names;
use super::groups::current_groups;
use super::literals::LiteralNames;
use crate::declared::{file_of_module, module_by_symbol, module_of};
use crate::file_groups::PyGroupKey;
use crate::locations::declaration_range;

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
    let mut found = Vec::new();
    let mut computes = false;
    let groups = current_groups(db, universe);
    for group in &groups {
        for import in &group.names.imports {
            computes |= import.is_own;
            let file = import.site.file;
            let start = import.site.start.map_or("", |start| names.text(start));
            let fits = start.starts_with('.') || name.starts_with(start);
            let of_library = || {
                let importer = module_of(db, file);
                importer.is_some_and(|(_, one)| top(&dotted_in_root(db, one.symbol)) == top(&name))
            };
            if !import.is_literal && fits && (import.is_own || of_library()) {
                found.push((file, import.site.at, Reason::DynamicAttribute));
            }
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
    let last = name.rsplit('.').next().unwrap_or(&name);
    // A literal of a single word is too often something else.
    if name.contains('.') || computes {
        let names = LiteralNames::new([(last, 0)].into_iter());
        for group in groups.iter().filter(|group| group.is_own) {
            group.literals_with(db, &names, false, |_, file, at| {
                if is_path(file.text(db), at as usize, &name, last) {
                    found.push((file, at, Reason::DynamicAttribute));
                }
            });
        }
    }
    found
}

/// Returns where a module imports by a value.
pub(crate) fn imports(db: &dyn Db, module: SymbolId) -> Vec<(File, u32, Reason)> {
    let (Some((unit, _)), Some(file)) = (module_by_symbol(db, module), file_of_module(db, module))
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for group in PyGroupKey::of_unit(db, unit) {
        let imports = computed_names(db, group);
        let own = imports.imports.iter().map(|import| import.site);
        let own = own.filter(|site| site.file == file);
        found.extend(own.map(|site| (file, site.at, Reason::DynamicAttribute)));
    }
    found
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
