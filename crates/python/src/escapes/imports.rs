//! Imports by names that are values (Python library, `importlib.import_module`).

use codeweft_db::{Db, File, Reason, SymbolId, UnitGraph};
use rustc_hash::{FxHashMap, FxHashSet};

use super::computed::computed_names;
use super::groups::current_groups;
use super::literals::LiteralNames;
use crate::declared::{file_of_module, module_by_symbol, module_of};
use crate::file_groups::PyGroupKey;
use crate::locations::declaration_range;

/// A module, by its dotted name in its root.
struct Dotted {
    symbol: SymbolId,
    name: String,
}

impl Dotted {
    fn of(db: &dyn Db, symbol: SymbolId) -> Dotted {
        let names = &db.shared().names;
        let name = names.text(db.shared().symbols.key(symbol).name);
        let name = name.rsplit('/').next().unwrap_or(name).to_owned();
        Dotted { symbol, name }
    }

    /// Returns its first part.
    fn top(&self) -> &str {
        self.name.split('.').next().unwrap_or("")
    }

    /// Returns its last part.
    fn last(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }
}

/// Returns where some modules may be imported without an import statement: by a computed name, by a
/// literal that is the dotted name, or as an entry point. Computed imports of a library count for
/// its own modules only; the names of others are in literals.
pub(crate) fn importers(db: &dyn Db, modules: &[SymbolId]) -> Vec<(File, u32, Reason)> {
    let Some(universe) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let names = &db.shared().names;
    let modules = modules.iter();
    let modules: Vec<Dotted> = modules.map(|&module| Dotted::of(db, module)).collect();
    let mut found = Vec::new();
    let groups = current_groups(db, universe);
    let imports = || groups.iter().flat_map(|group| &group.names.imports);
    for import in imports().filter(|import| !import.is_literal) {
        let file = import.site.file;
        let start = import.site.start.map_or("", |start| names.text(start));
        let importer = module_of(db, file).map(|(_, one)| Dotted::of(db, one.symbol));
        let fits = |module: &Dotted| {
            let is_near = |importer: &Dotted| importer.top() == module.top();
            (import.is_own || importer.as_ref().is_some_and(is_near))
                && (start.starts_with('.') || module.name.starts_with(start))
        };
        if modules.iter().any(fits) {
            found.push((file, import.site.at, Reason::DynamicAttribute));
        }
    }
    let entries = universe.imports(db).entries.iter();
    let entries: FxHashSet<&str> = entries
        .map(|entry| entry.split(':').next().unwrap_or("").trim())
        .collect();
    for module in &modules {
        if entries.contains(module.name.as_str())
            && let Some(own) = declaration_range(db, module.symbol)
        {
            found.push((own.file, own.name.start, Reason::CalledByName));
        }
    }
    let computes = imports().any(|import| import.is_own);
    let mut by_last: FxHashMap<&str, Vec<&Dotted>> = FxHashMap::default();
    for module in &modules {
        // A literal of a single word is too often something else.
        if module.name.contains('.') || computes {
            by_last.entry(module.last()).or_default().push(module);
        }
    }
    let names = LiteralNames::new(by_last.keys().copied());
    for group in groups.iter().filter(|group| group.is_own) {
        group.literals_with(db, &names, false, |last, file, at| {
            let mut modules = by_last.get(last).into_iter().flatten();
            if modules.any(|module| is_path(file.text(db), at as usize, &module.name, last)) {
                found.push((file, at, Reason::DynamicAttribute));
            }
        });
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
