//! Imports by names that are values (Python library, `importlib.import_module`).

use std::sync::Arc;

use codeweft_db::{Db, File, NameId, Reason, SymbolId, UnitGraph};
use rustc_hash::{FxHashMap, FxHashSet};

use super::computed::{ComputedImport, Lookup, computed_names};
use super::groups::current_groups;
use super::literals::LiteralNames;
use super::workspace_modules::WorkspaceModules;
use crate::declared::{file_of_module, module_by_symbol, module_of};
use crate::file_groups::PyGroupKey;
use crate::flow::known_look_up;
use crate::language::is_test_path;
use crate::locations::declaration_range;

/// A module, by its dotted name in its root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dotted {
    /// The module.
    pub(super) symbol: SymbolId,
    name: String,
    /// Whether it is a test, which code outside of the workspace cannot name.
    is_test: bool,
}

impl Dotted {
    pub(super) fn of(db: &dyn Db, symbol: SymbolId) -> Dotted {
        let names = &db.shared().names;
        let name = names.text(db.shared().symbols.key(symbol).name);
        let name = name.rsplit('/').next().unwrap_or(name).to_owned();
        let file = file_of_module(db, symbol);
        Dotted {
            symbol,
            name,
            is_test: file.is_some_and(|file| is_test_path(file.path(db))),
        }
    }

    /// Returns whether an import by a value may be of the module, or of one in it, by what is known of the value.
    pub(super) fn may_be_imported(&self, db: &dyn Db, import: &ComputedImport) -> bool {
        let start = import
            .site
            .start
            .map_or("", |start| db.shared().names.text(start));
        let is_of_start = start.starts_with('.') || self.name.starts_with(start);
        is_of_start
            && import
                .names(db, self.is_test)
                .is_none_or(|names| self.is_named(db, &names))
    }

    fn is_named(&self, db: &dyn Db, names: &[NameId]) -> bool {
        let mut names = names.iter().map(|&name| db.shared().names.text(name));
        names.any(|name| self.is_named_by(name))
    }

    /// Returns whether a name is of the module, or of one in it, in its root or in a folder there that may be on the path.
    pub(super) fn is_named_by(&self, name: &str) -> bool {
        let is_end = |prefix| self.ends().any(|end| end == prefix);
        name.starts_with('.') || dotted_prefixes(name).any(is_end)
    }

    /// Returns its first part.
    pub(super) fn top(&self) -> &str {
        self.name.split('.').next().unwrap_or("")
    }

    /// Returns the ends of its name that begin with a part of it, the longest first: `a.b` and `b` of `a.b`.
    pub(super) fn ends(&self) -> impl Iterator<Item = &str> {
        let starts = self.name.match_indices('.').map(|(at, _)| at + 1);
        std::iter::once(0)
            .chain(starts)
            .filter_map(|start| self.name.get(start..))
    }

    /// Returns its last part.
    fn last(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }
}

/// Returns the prefixes of a dotted name that end with a part of it, the shortest first: `a` and `a.b` of `a.b`.
pub(super) fn dotted_prefixes(name: &str) -> impl Iterator<Item = &str> {
    let ends = name.match_indices('.').map(|(at, _)| at);
    ends.chain([name.len()]).map(|end| &name[..end])
}

impl ComputedImport {
    /// Returns the names that it has, for a module that is a test or is not; `None` if others are possible.
    fn names(&self, db: &dyn Db, is_of_test: bool) -> Option<Arc<[NameId]>> {
        let Lookup {
            file,
            body,
            token,
            start,
            ..
        } = self.site;
        if let Some(literal) = start.filter(|_| self.is_literal) {
            return Some(Arc::new([literal]));
        }
        let known = known_look_up(db, file, body, token)?;
        known.beside(is_of_test).names.clone()
    }

    /// Returns the modules of the workspace that it may import, with those around them, for a symbol that is declared in a test or is not;
    /// `None` if any is possible.
    pub(super) fn modules(
        &self,
        db: &dyn Db,
        modules: &WorkspaceModules,
        is_of_test: bool,
    ) -> Option<FxHashSet<SymbolId>> {
        let names = self.names(db, is_of_test)?;
        let texts = names.iter().map(|&name| db.shared().names.text(name));
        Some(modules.named_by(texts))
    }
}

/// Returns where some modules may be imported without an import statement: by a computed name, by a
/// literal that is the dotted name, or as an entry point. Computed imports of a library count for
/// its own modules only; the names of others are in literals.
pub(crate) fn importers(db: &dyn Db, modules: &[SymbolId]) -> Vec<(File, u32, Reason)> {
    let Some(universe) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let modules = modules.iter();
    let modules: Vec<Dotted> = modules.map(|&module| Dotted::of(db, module)).collect();
    let mut found = Vec::new();
    let groups = current_groups(db, universe);
    let imports = || groups.iter().flat_map(|group| &group.names.imports);
    for import in imports().filter(|import| !import.is_literal) {
        let file = import.site.file;
        let importer = module_of(db, file).map(|(_, one)| Dotted::of(db, one.symbol));
        let fits = |module: &Dotted| {
            let is_near = |importer: &Dotted| importer.top() == module.top();
            (import.is_own || importer.as_ref().is_some_and(is_near))
                && module.may_be_imported(db, import)
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
