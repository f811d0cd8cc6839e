//! The table of recognisers for one database: by declaration where the library is loaded, by path where it is not.

use codeweft_db::{Db as _, Lang, NameId, RootDb, SymbolId};
use codeweft_graph::languages;
use codeweft_graph::public_names::{PublicNames, without_version};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Recogniser, expanded};

/// A row that a declaration or path matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Match {
    /// The number of the row.
    pub(crate) row: u32,
    /// The last name of the path by which the row names it.
    pub(crate) name: NameId,
    /// Whether it is known by its path alone, without the library's source.
    pub(crate) is_assumed: bool,
}

/// The table.
pub(crate) struct Resolved {
    pub(crate) rows: Vec<Recogniser>,
    by_symbol: FxHashMap<SymbolId, Vec<Match>>,
    by_path: FxHashMap<(Lang, String), Vec<Match>>,
    /// The types that functions return, by language and path of the function.
    results: FxHashMap<(Lang, String), String>,
    /// The types that rows name members of, by language and path.
    classes: FxHashSet<(Lang, String)>,
    /// The systems behind interfaces: language, library, system.
    systems: Vec<(Lang, String, String)>,
    /// The last names of all paths, by language.
    names: FxHashSet<(Lang, NameId)>,
}

impl Resolved {
    /// Resolves rows.
    pub(crate) fn new(db: &RootDb, rows: Vec<Recogniser>) -> Resolved {
        let public = PublicNames::new(db);
        let shared = db.shared();
        let mut resolved = Resolved {
            rows: Vec::new(),
            by_symbol: FxHashMap::default(),
            by_path: FxHashMap::default(),
            results: FxHashMap::default(),
            classes: FxHashSet::default(),
            systems: Vec::new(),
            names: FxHashSet::default(),
        };
        for (number, row) in (0..).zip(&rows) {
            let mut specs = languages::specs().zip(languages::ALL);
            let language = specs.find(|(spec, _)| spec.wire_name == row.language);
            let Some(lang) = language.map(|(_, language)| language.lang()) else {
                continue;
            };
            for path in row.paths() {
                let last = path.rsplit('.').next().unwrap_or(&path);
                let name = shared.names.intern(last);
                resolved.names.insert((lang, name));
                let found = Match {
                    row: number,
                    name,
                    is_assumed: false,
                };
                for symbol in public.resolve(lang, &path) {
                    let known = resolved.by_symbol.entry(symbol).or_default();
                    // Several paths may name one declaration.
                    if known.iter().all(|known| known.row != number) {
                        known.push(found);
                    }
                }
                if let Some((class, _)) = path.rsplit_once('.') {
                    resolved.classes.insert((lang, class.to_owned()));
                }
                let absent = Match {
                    is_assumed: true,
                    ..found
                };
                resolved
                    .by_path
                    .entry((lang, path))
                    .or_default()
                    .push(absent);
            }
            for (library, system) in &row.systems {
                let library = without_version(library);
                resolved.systems.push((lang, library, system.clone()));
            }
            for (function, class) in &row.result {
                for function in expanded(function) {
                    let class = without_version(class);
                    resolved.classes.insert((lang, class.clone()));
                    resolved
                        .results
                        .insert((lang, without_version(&function)), class);
                }
            }
        }
        resolved.rows = rows;
        resolved
    }

    /// Returns the rows that a declaration matches.
    pub(crate) fn of_symbol(&self, symbol: SymbolId) -> &[Match] {
        self.by_symbol.get(&symbol).map_or(&[], |found| found)
    }

    /// Returns the rows that a path matches: of a library that is not loaded.
    pub(crate) fn of_path(&self, lang: Lang, path: &str) -> &[Match] {
        let key = (lang, without_version(path));
        self.by_path.get(&key).map_or(&[], |found| found)
    }

    /// Returns the path of the type that a function of a library returns.
    pub(crate) fn result_of(&self, lang: Lang, path: &str) -> Option<String> {
        let path = without_version(path);
        self.results.get(&(lang, path)).cloned()
    }

    /// Returns the system behind what a package of a library makes; empty for one inside the process.
    pub(crate) fn system_of(&self, lang: Lang, package: &str) -> Option<&str> {
        let package = without_version(package);
        let is_of = |library: &str| {
            let rest = package.strip_prefix(library);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
        };
        let libraries = self.systems.iter();
        let mut known = libraries.filter(|(of, library, _)| *of == lang && is_of(library));
        known.next().map(|(_, _, system)| system.as_str())
    }

    /// Returns whether a path names a type that rows know.
    pub(crate) fn is_class(&self, lang: Lang, path: &str) -> bool {
        self.classes.contains(&(lang, without_version(path)))
    }

    /// Returns whether the last name of a path of a language is this.
    pub(crate) fn has_name(&self, lang: Lang, name: NameId) -> bool {
        self.names.contains(&(lang, name))
    }

    /// Returns the last names of all paths, by language.
    pub(crate) fn names(&self) -> impl Iterator<Item = (Lang, NameId)> + '_ {
        self.names.iter().copied()
    }
}
