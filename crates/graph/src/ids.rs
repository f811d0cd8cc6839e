//! Symbols to printed ids and back (docs/graph.md §1, "IDs").

use std::sync::Arc;

use codeweft_db::{DeclaredIn, Lang, NameId, NodeKind, SymbolClass, SymbolId, SymbolKey, Unit};

use crate::languages::{LOCALS, spelling};
use crate::query_context::QueryContext;

impl QueryContext<'_> {
    /// The printed id of a symbol, without the language before it.
    pub(crate) fn id(&self, symbol: SymbolId) -> Arc<str> {
        if let Some(id) = self.caches.ids.borrow().get(&symbol) {
            return id.clone();
        }
        let known = self.kept.ids.lock().ok();
        let known = known.and_then(|known| known.get(&symbol).cloned());
        let id = known.unwrap_or_else(|| {
            let id: Arc<str> = self.printed(symbol).into();
            if let Ok(mut known) = self.kept.ids.lock() {
                known.insert(symbol, id.clone());
            }
            id
        });
        self.caches.ids.borrow_mut().insert(symbol, id.clone());
        id
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
                        spelling(lang).inside_function
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
        let number = self.twin_number(symbol, &key);
        if number > 1 {
            id.push_str(&format!("#{number}"));
        }
        id
    }

    /// The printed name of a package: its unit's where the unit is that package, else its own.
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

    /// The number of a symbol among those of its parent and name, from 1: in order of unit (tests
    /// last), file and text.
    fn twin_number(&self, symbol: SymbolId, key: &SymbolKey) -> u32 {
        let mut number = 0;
        for twin in self.twins(key) {
            number += 1;
            if twin == symbol {
                return number;
            }
        }
        key.disambiguator.n + 1
    }

    /// All declarations of a parent and name, in order of their numbers.
    fn twins(&self, key: &SymbolKey) -> Vec<SymbolId> {
        let DeclaredIn::Unit(unit) = key.declared_in else {
            return Vec::new();
        };
        let units = self.units.named(unit.lang(self.db), unit.name(self.db));
        self.declared(units, key.parent, key.name)
    }

    /// What units declare under a parent and name, in order.
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

    /// The id of the package that a symbol belongs to; of the universe the empty text.
    pub(crate) fn package_id(&self, symbol: SymbolId) -> Arc<str> {
        let mut around = symbol;
        loop {
            let key = self.key(around);
            match (key.class, key.parent, key.declared_in) {
                (SymbolClass::Package, _, _) => return self.id(around),
                (_, Some(parent), _) => around = parent,
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

    /// The id as an answer about several languages names it: with its language before it where
    /// another language has the same.
    pub(crate) fn distinct_id(&self, symbol: SymbolId) -> String {
        let id = self.id(symbol);
        match self.by_id(&id).len() {
            0 | 1 => id.to_string(),
            _ => match self.lang(symbol) {
                Some(lang) => format!("{}{id}", spelling(lang).prefix),
                None => id.to_string(),
            },
        }
    }

    /// The symbols with exactly this id, at most one a language, in the order of languages. A
    /// language before the id chooses among them.
    pub(crate) fn by_id(&self, text: &str) -> Vec<SymbolId> {
        let rooms = self.languages.0.iter();
        rooms
            .filter_map(|room| {
                let lang = room.lang();
                let of_other = self.languages.0.iter().any(|other| {
                    other.lang() != lang && text.starts_with(spelling(other.lang()).prefix)
                });
                let prefix = spelling(lang).prefix;
                match text.strip_prefix(prefix) {
                    Some(rest) => self.by_id_in(lang, rest),
                    None if of_other => None,
                    None => self.by_id_in(lang, text),
                }
            })
            .collect()
    }

    /// The symbol of a language with exactly this id. What is declared comes before a package that
    /// is not loaded.
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

    /// What texts use of a package that is not loaded, by its id. Nobody knows what it is, so
    /// several uses may take it for several things.
    pub(crate) fn absent(&self, lang: Lang, id: &str) -> Vec<SymbolId> {
        let names = &self.db.shared().names;
        let around = id.rmatch_indices('.').map(|(at, _)| &id[..at]);
        let mut packages = std::iter::once(id).chain(around);
        let is_absent = packages.any(|package| {
            let name = names.get(package);
            name.is_some_and(|name| self.imports().language_of_absent(name) == Some(lang))
        });
        let last = id.rsplit('.').next().unwrap_or(id);
        let Some(last) = names.get(last).filter(|_| is_absent) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for &unit in self.units_of(lang).iter() {
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

    /// The package of a printed name, absent ones too.
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
            // Modules that share a unit: their rows carry the whole name.
            for unit in self.units_of(lang).iter() {
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

    /// What has the id of a declaration and belongs to a package that is not loaded: an import line
    /// takes the declaration, or what is around it, for a package.
    pub(crate) fn absent_of_declared(&self, lang: Lang, id: &str) -> Vec<SymbolId> {
        let names = &self.db.shared().names;
        let imports = self.imports();
        let is_missing = |package: &str| {
            let name = names.get(package);
            name.is_some_and(|name| imports.missing(name).is_some())
        };
        let around = id.rmatch_indices('.').map(|(at, _)| &id[..at]);
        if !std::iter::once(id).chain(around).any(is_missing) {
            return Vec::new();
        }
        let mut found = self.absent(lang, id);
        let package = names.get(id).and_then(|name| imports.missing(name));
        found.extend(package.filter(|package| !found.contains(package)));
        found
    }

    /// What units declare under a parent by the rest of an id. A part without a number is the first
    /// of the twins in which the rest is declared.
    fn member(&self, units: &[Unit], parent: Option<SymbolId>, rest: &str) -> Option<SymbolId> {
        let (segment, rest) = match rest.split_once('.') {
            Some((segment, rest)) => (segment, Some(rest)),
            None => (rest, None),
        };
        let (name, number) = twin_mark(segment);
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
        let most = match segment.contains('#') {
            true => 1,
            false => found.len(),
        };
        let around = found.into_iter().skip(first).take(most);
        around
            .into_iter()
            .find_map(|symbol| self.member(units, Some(symbol), rest))
    }

    /// What a body declares by a name, directly in a function or inside a type there, in text
    /// order.
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

    /// A name of a language's universe, or a member of one.
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

/// A segment of an id without its twin mark, and the twin's number from 1.
pub(crate) fn twin_mark(segment: &str) -> (&str, u32) {
    match segment.rsplit_once('#') {
        Some((name, number)) if !name.is_empty() => match number.parse() {
            Ok(number) => (name, number),
            Err(_) => (segment, 1),
        },
        _ => (segment, 1),
    }
}
