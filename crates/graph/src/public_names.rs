//! The declarations that code of other packages names by a path: `net/http.ServeMux.HandleFunc`, `fastapi.APIRouter.get`.
//!
//! A path is a package and the names behind it as code writes them, not an id: `fastapi.APIRouter.get` is declared in
//! `fastapi.routing`, and a method of a Go type may be promoted from another.

use codeweft_db::{Db, Lang, Language, RootDb, SymbolId, Unit, UnitGraph, UnitKind};
use rustc_hash::FxHashMap;

use crate::languages::language_of;

/// The packages of a database by their names.
pub struct PublicNames<'a> {
    db: &'a RootDb,
    /// By language and name [without version](without_version).
    units: FxHashMap<(Lang, String), Vec<Unit>>,
}

impl<'a> PublicNames<'a> {
    /// Reads the names of all packages.
    pub fn new(db: &'a RootDb) -> PublicNames<'a> {
        let mut units: FxHashMap<(Lang, String), Vec<Unit>> = FxHashMap::default();
        let all = UnitGraph::try_get(db).map(|graph| graph.units(db).clone());
        for &unit in all.iter().flat_map(|all| all.iter()) {
            if unit.kind(db) == UnitKind::BASE {
                // An id has the name, an import line the path.
                for name in [unit.name(db), unit.import_path(db)] {
                    let name = without_version(db.shared().names.text(name));
                    let known = units.entry((unit.lang(db), name)).or_default();
                    if !known.contains(&unit) {
                        known.push(unit);
                    }
                }
            }
        }
        PublicNames { db, units }
    }

    /// Returns the declarations that a path names, in the order of their units: several if several versions of a package
    /// are loaded, none if none is. A path names any major version.
    pub fn resolve(&self, lang: Lang, path: &str) -> Vec<SymbolId> {
        let Some(language) = language_of(lang) else {
            return Vec::new();
        };
        let path = without_version(path);
        let ends = path.rmatch_indices('.').map(|(at, _)| at);
        for end in std::iter::once(path.len()).chain(ends) {
            let (Some(package), Some(rest)) = (path.get(..end), path.get(end..)) else {
                continue;
            };
            let packages = self.packages(language, package);
            let members = rest.split('.').filter(|name| !name.is_empty());
            let found = packages.into_iter().filter_map(|package| {
                let mut members = members.clone();
                members.try_fold(package, |of, name| {
                    let name = self.db.shared().names.intern(name);
                    language.member_named(self.db, of, name)
                })
            });
            let found: Vec<SymbolId> = found.collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Returns the packages of a name.
    fn packages(&self, language: &dyn Language, name: &str) -> Vec<SymbolId> {
        let (db, lang) = (self.db, language.lang());
        let shared = db.shared();
        let of = |name: &str| self.units.get(&(lang, name.to_owned()));
        let own = of(name).into_iter().flatten();
        if !lang.packages_are_files {
            return own.map(|&unit| language.package(db, unit)).collect();
        }
        // A module is a file of the unit of its folder.
        let folder = name.rsplit_once('.').map_or("", |(folder, _)| folder);
        let units = own.chain(of(folder).into_iter().flatten());
        let mut found = Vec::new();
        for &unit in units {
            for &file in language.files(db, unit).iter() {
                let module = language.module(db, file);
                let named = module
                    .filter(|&module| shared.names.text(shared.symbols.key(module).name) == name);
                found.extend(named.filter(|module| !found.contains(module)));
            }
        }
        found
    }
}

/// Returns a path without the major versions in it: `github.com/go-chi/chi/v5.Mux` is `github.com/go-chi/chi.Mux` (Go
/// modules reference, Major version suffixes).
///
/// ```
/// use codeweft_graph::public_names::without_version;
///
/// assert_eq!(without_version("example.com/chi/v5.Mux.Get"), "example.com/chi.Mux.Get");
/// assert_eq!(without_version("example.com/chi/v*/sub.F"), "example.com/chi/sub.F");
/// assert_eq!(without_version("fastapi.APIRouter.get"), "fastapi.APIRouter.get");
/// ```
pub fn without_version(path: &str) -> String {
    let mut kept = String::with_capacity(path.len());
    for (number, part) in path.split('/').enumerate() {
        let (head, rest) = match part.find('.') {
            Some(dot) => part.split_at(dot),
            None => (part, ""),
        };
        let digits = head.strip_prefix('v').unwrap_or("");
        let is_version = number > 0
            && (digits == "*"
                || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
        if is_version {
            kept.push_str(rest);
        } else {
            if number > 0 {
                kept.push('/');
            }
            kept.push_str(part);
        }
    }
    kept
}
