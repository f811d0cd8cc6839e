//! Printed ids of symbols, and the way back (docs/graph.md §1, "IDs").
//!
//! ```text
//! net/http.Server.Close        package, type, method
//! m.home#2                     the second definition of home in m
//! m.f.<locals>.helper          a function inside a Python function
//! py:app.main                  prefixed: Go has the same id
//! ```

use std::sync::Arc;

use codeweft_db::{DeclaredIn, Lang, NameId, NodeKind, SymbolClass, SymbolId, SymbolKey, Unit};

use crate::languages::{LOCALS, syntax_of};
use crate::query_context::QueryContext;

impl QueryContext<'_> {
    /// Returns the printed id of a symbol, without a language prefix.
    pub(crate) fn id(&self, symbol: SymbolId) -> Arc<str> {
        self.caches.ids.get_or(symbol, || {
            let known = &self.cache.symbols.ids;
            known.get_or(symbol, || self.printed(symbol).into())
        })
    }

    fn printed(&self, symbol: SymbolId) -> String {
        let key = self.key(symbol);
        let names = &self.db.shared().names;
        if key.class == SymbolClass::Package {
            return names.text(self.package_name(symbol, &key)).to_owned();
        }
        let mut id = match (key.parent, key.declared_in) {
            (Some(parent), _) => {
                let mut id = self.id(parent).to_string();
                id.push_str(match (self.key(parent).class, self.lang(symbol)) {
                    (SymbolClass::Function | SymbolClass::Method, Some(lang)) => {
                        syntax_of(lang).inside_function
                    }
                    _ => ".",
                });
                id
            }
            (None, DeclaredIn::Unit(unit)) => format!("{}.", names.text(unit.name(self.db))),
            (None, DeclaredIn::Absent(path)) => format!("{}.", names.text(path)),
            (None, DeclaredIn::Builtin(_)) => String::new(),
        };
        id.push_str(names.text(key.name));
        let number = self.definition_number(symbol, &key);
        if number > 1 {
            id.push_str(&format!("#{number}"));
        }
        id
    }

    /// Returns the printed name of a package: its unit's name if the unit is that package, else its
    /// own.
    fn package_name(&self, symbol: SymbolId, key: &SymbolKey) -> NameId {
        match key.declared_in {
            DeclaredIn::Unit(unit) => match self.languages.of(unit.lang(self.db)) {
                Some(language) if language.package(self.db, unit) == symbol => unit.name(self.db),
                _ => key.name,
            },
            DeclaredIn::Absent(path) => path,
            DeclaredIn::Builtin(_) => key.name,
        }
    }

    /// Returns the number of a symbol among those of its parent and name, from 1: by unit (tests
    /// last), file and text.
    fn definition_number(&self, symbol: SymbolId, key: &SymbolKey) -> u32 {
        let mut number = 0;
        for other in self.same_named(key) {
            number += 1;
            if other == symbol {
                return number;
            }
        }
        key.disambiguator.n + 1
    }

    /// Returns all declarations of a parent and name, in order of their numbers.
    fn same_named(&self, key: &SymbolKey) -> Vec<SymbolId> {
        let DeclaredIn::Unit(unit) = key.declared_in else {
            return Vec::new();
        };
        let units = self.units.named(unit.lang(self.db), unit.name(self.db));
        self.declared(units, key.parent, key.name)
    }

    /// Returns the declarations of units under a parent and name, in order.
    pub(crate) fn declared(
        &self,
        units: &[Unit],
        parent: Option<SymbolId>,
        name: NameId,
    ) -> Vec<SymbolId> {
        let mut found = Vec::new();
        for &unit in units {
            let symbols = self.symbols(unit);
            for row in symbols.named(name) {
                let row = &symbols.rows[row as usize];
                if row.kind != NodeKind::Package && self.key(row.symbol).parent == parent {
                    found.push(row.symbol);
                }
            }
        }
        found
    }

    /// Returns the id of the package that a symbol belongs to; empty for builtins.
    pub(crate) fn package_id(&self, symbol: SymbolId) -> Arc<str> {
        let mut enclosing = symbol;
        loop {
            let key = self.key(enclosing);
            match (key.class, key.parent, key.declared_in) {
                (SymbolClass::Package, _, _) => return self.id(enclosing),
                (_, Some(parent), _) => enclosing = parent,
                (_, None, DeclaredIn::Unit(unit)) => {
                    return match self.languages.of(unit.lang(self.db)) {
                        Some(language) => self.id(language.package(self.db, unit)),
                        None => self.db.shared().names.text(unit.name(self.db)).into(),
                    };
                }
                (_, None, DeclaredIn::Absent(path)) => {
                    return self.db.shared().names.text(path).into();
                }
                (_, None, DeclaredIn::Builtin(_)) => return "".into(),
            }
        }
    }

    /// Returns the id, with a language prefix if another language has the same id.
    pub(crate) fn distinct_id(&self, symbol: SymbolId) -> String {
        let id = self.id(symbol);
        match self.by_id(&id).len() {
            0 | 1 => id.to_string(),
            _ => match self.lang(symbol) {
                Some(lang) => format!("{}{id}", syntax_of(lang).prefix),
                None => id.to_string(),
            },
        }
    }

    /// Returns the symbols with exactly this id, at most one per language, in the order of
    /// languages. A language prefix chooses one.
    pub(crate) fn by_id(&self, text: &str) -> Vec<SymbolId> {
        let languages = self.languages.0.iter();
        languages
            .filter_map(|language| {
                let lang = language.lang();
                let of_other = self.languages.0.iter().any(|other| {
                    other.lang() != lang && text.starts_with(syntax_of(other.lang()).prefix)
                });
                let prefix = syntax_of(lang).prefix;
                match text.strip_prefix(prefix) {
                    Some(rest) => self.by_id_in(lang, rest),
                    None if of_other => None,
                    None => self.by_id_in(lang, text),
                }
            })
            .collect()
    }

    /// Returns the symbol of a language with exactly this id. Declarations come before packages
    /// that are not loaded.
    pub(crate) fn by_id_in(&self, lang: Lang, id: &str) -> Option<SymbolId> {
        let package = self.package_by_name(lang, id);
        let is_absent =
            |package: &SymbolId| matches!(self.key(*package).declared_in, DeclaredIn::Absent(_));
        if let Some(package) = package.filter(|package| !is_absent(package)) {
            return Some(package);
        }
        for (at, _) in id.rmatch_indices('.') {
            let (package, rest) = (&id[..at], &id[at + 1..]);
            let Some(name) = self.db.shared().names.get(package) else {
                continue;
            };
            let units = self.units.named(lang, name);
            if !units.is_empty()
                && let Some(found) = self.member(units, None, rest)
            {
                return Some(found);
            }
            if let Some(module) = self.package_by_name(lang, package)
                && let DeclaredIn::Unit(unit) = self.key(module).declared_in
                && let Some(found) = self.member(&[unit], Some(module), rest)
            {
                return Some(found);
            }
        }
        let absent = || self.absent(lang, id).first().copied();
        self.builtin(lang, id).or(package).or_else(absent)
    }

    /// Returns the uses of members of a package that is not loaded, by id. The kind of such a
    /// member is unknown, so several symbols may have the id.
    pub(crate) fn absent(&self, lang: Lang, id: &str) -> Vec<SymbolId> {
        let names = &self.db.shared().names;
        let enclosing = id.rmatch_indices('.').map(|(at, _)| &id[..at]);
        let mut packages = std::iter::once(id).chain(enclosing);
        let is_absent = packages.any(|package| {
            let name = names.get(package);
            name.is_some_and(|name| self.imports().language_of_absent(name) == Some(lang))
        });
        let last = id.rsplit('.').next().unwrap_or(id);
        let Some(last) = names.get(last).filter(|_| is_absent) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for &unit in self.units.of_lang(self.db, lang).iter() {
            let Some(language) = self.languages.of(lang) else {
                continue;
            };
            let is_named = language.identifiers(self.db, unit).contains(last)
                || language.looks_up_by_literal(self.db, unit, &[last]);
            if is_named {
                let index = language.index(self.db, unit);
                found.extend(index.targets().filter(|&target| {
                    matches!(self.key(target).declared_in, DeclaredIn::Absent(_))
                        && &*self.id(target) == id
                }));
            }
        }
        found.sort_unstable_by_key(|&symbol| {
            let key = self.key(symbol);
            let package = match key.declared_in {
                DeclaredIn::Absent(package) => names.text(package),
                _ => "",
            };
            (key.class, package)
        });
        found.dedup();
        found
    }

    /// Returns the package of a printed name, absent ones included.
    pub(crate) fn package_by_name(&self, lang: Lang, name: &str) -> Option<SymbolId> {
        let names = &self.db.shared().names;
        let language = self.languages.of(lang)?;
        if let Some(name) = names.get(name) {
            let unit = self.units.named(lang, name).first();
            if let Some(&unit) = unit {
                let package = language.package(self.db, unit);
                if self.package_name(package, &self.key(package)) == name {
                    return Some(package);
                }
            }
            // Modules that share a unit: their rows have the full name.
            for unit in self.units.of_lang(self.db, lang).iter() {
                let symbols = self.symbols(*unit);
                for row in symbols.named(name) {
                    let row = &symbols.rows[row as usize];
                    if row.kind == NodeKind::Package && &*self.id(row.symbol) == names.text(name) {
                        return Some(row.symbol);
                    }
                }
            }
            if self.imports().language_of_absent(name) == Some(lang) {
                return self.imports().missing(name);
            }
        }
        None
    }

    /// Returns symbols of packages that are not loaded but have the id of a declaration: an import
    /// line takes the declaration, or what encloses it, for a package.
    pub(crate) fn absent_of_declared(&self, lang: Lang, id: &str) -> Vec<SymbolId> {
        let names = &self.db.shared().names;
        let imports = self.imports();
        let is_missing = |package: &str| {
            let name = names.get(package);
            name.is_some_and(|name| imports.missing(name).is_some())
        };
        let enclosing = id.rmatch_indices('.').map(|(at, _)| &id[..at]);
        if !std::iter::once(id).chain(enclosing).any(is_missing) {
            return Vec::new();
        }
        let mut found = self.absent(lang, id);
        let package = names.get(id).and_then(|name| imports.missing(name));
        found.extend(package.filter(|package| !found.contains(package)));
        found
    }

    /// Returns the declaration of units under a parent by the rest of an id. A part without a
    /// number means the first redefinition that declares the rest.
    fn member(&self, units: &[Unit], parent: Option<SymbolId>, rest: &str) -> Option<SymbolId> {
        let (segment, rest) = match rest.split_once('.') {
            Some((segment, rest)) => (segment, Some(rest)),
            None => (rest, None),
        };
        let (name, number) = split_number(segment);
        let name = self.db.shared().names.get(name)?;
        let mut found = self.declared(units, parent, name);
        if found.is_empty()
            && let Some(parent) = parent
        {
            found = self.declared_inside(parent, name);
        }
        let first = number.checked_sub(1)? as usize;
        let Some(rest) = rest else {
            return found.get(first).copied();
        };
        let inside = LOCALS.trim_matches('.');
        let rest = match rest.split_once('.') {
            Some((first, rest)) if first == inside => rest,
            _ => rest,
        };
        let count = match segment.contains('#') {
            true => 1,
            false => found.len(),
        };
        let enclosing = found.into_iter().skip(first).take(count);
        enclosing
            .into_iter()
            .find_map(|symbol| self.member(units, Some(symbol), rest))
    }

    /// Returns the declarations of a name inside a body, directly in a function or in a type there,
    /// in text order.
    pub(crate) fn declared_inside(&self, parent: SymbolId, name: NameId) -> Vec<SymbolId> {
        let Some((language, file)) = self.language(parent).zip(self.file(parent)) else {
            return Vec::new();
        };
        let uses = language.uses(self.db, file);
        let mut found: Vec<_> = uses
            .locals
            .iter()
            .map(|local| local.symbol)
            .filter(|&local| {
                let key = self.key(local);
                key.parent == Some(parent) && key.name == name
            })
            .collect();
        found.sort_by_key(|&local| self.key(local).disambiguator.n);
        found.dedup();
        found
    }

    /// Returns a builtin of a language, or a member of one.
    pub(crate) fn builtin(&self, lang: Lang, id: &str) -> Option<SymbolId> {
        let universe = self.languages.of(lang)?.universe(self.db);
        let rows = universe.types.iter().chain(&universe.interfaces);
        let mut symbols = rows.flat_map(|row| {
            let methods = row.methods.iter().map(|method| method.symbol);
            std::iter::once(row.symbol).chain(methods)
        });
        symbols.find(|&symbol| &*self.id(symbol) == id)
    }
}

/// Splits a segment of an id into its name and the number of the redefinition, from 1.
pub(crate) fn split_number(segment: &str) -> (&str, u32) {
    match segment.rsplit_once('#') {
        Some((name, number)) if !name.is_empty() => match number.parse() {
            Ok(number) => (name, number),
            Err(_) => (segment, 1),
        },
        _ => (segment, 1),
    }
}
