//! Twins: declarations of one name in one place. Whoever asks for the name asks for all of them
//! (docs/graph.md §1, "Ids", and §2).

use codeweft_db::{DeclaredIn, File, SymbolClass, SymbolId};
use rustc_hash::FxHashMap;

use crate::ids::twin_mark;
use crate::languages::LOCALS;
use crate::link::{Link, SiteKey};
use crate::query_context::QueryContext;

impl QueryContext<'_> {
    /// The symbols that have the id of this one but for the numbers of twins, in order of those
    /// numbers; of what has no twins only itself. What is inside of twins are twins too. What has
    /// no name, as a lambda, has none.
    pub(crate) fn twins_of(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let key = self.key(symbol);
        let nameless = self.db.shared().names.text(key.name).starts_with('<');
        if let (DeclaredIn::Absent(_), Some(lang)) = (key.declared_in, self.lang(symbol)) {
            // What an import line names alone is used by no other text.
            let mut same = self.absent(lang, &self.id(symbol));
            if !same.contains(&symbol) {
                same.insert(0, symbol);
            }
            let is_declared =
                |one: &SymbolId| matches!(self.key(*one).declared_in, DeclaredIn::Unit(_));
            if let Some(declared) = self.by_id_in(lang, &self.id(symbol)).filter(is_declared) {
                let declared = self.twins_of(declared).into_iter();
                same.extend(declared.filter(is_declared));
            }
            return same;
        }
        if key.class == SymbolClass::Package || nameless {
            return vec![symbol];
        }
        let around = match key.parent {
            Some(parent) => self.twins_of(parent).into_iter().map(Some).collect(),
            None => vec![None],
        };
        let mut found = Vec::new();
        for parent in around {
            let home = parent.map_or(key.declared_in, |parent| self.key(parent).declared_in);
            let mut declared = match home {
                DeclaredIn::Unit(unit) => {
                    let units = self.units.named(unit.lang(self.db), unit.name(self.db));
                    self.declared(units, parent, key.name)
                }
                _ => Vec::new(),
            };
            if let Some(parent) = parent.filter(|_| declared.is_empty()) {
                declared = self.declared_inside(parent, key.name);
            }
            found.append(&mut declared);
        }
        if !found.contains(&symbol) {
            found = vec![symbol];
        }
        if let Some(lang) = self.lang(symbol) {
            found.extend(self.absent_of_declared(lang, &without_numbers(&self.id(symbol))));
        }
        found
    }

    /// The twins of a symbol that an id, or the end of one, means: its parts with a number mean
    /// that one alone, the others all.
    pub(crate) fn meant(&self, symbol: SymbolId, written: &str) -> Vec<SymbolId> {
        let twins = self.twins_of(symbol);
        if twins.len() < 2 || !written.contains('#') {
            return twins;
        }
        let twins = twins.into_iter();
        twins
            .filter(|&twin| fits(&self.id(twin), written))
            .collect()
    }

    /// The ids of symbols, in order.
    pub(crate) fn ids_of(&self, symbols: &[SymbolId]) -> Vec<String> {
        let mut ids: Vec<String> = symbols.iter().map(|&one| self.distinct_id(one)).collect();
        ids.sort_unstable();
        ids
    }
}

/// An id without the numbers of twins: it means them all. What has no name keeps its number.
pub(crate) fn without_numbers(id: &str) -> String {
    let parts = id.split('.').map(|part| match twin_mark(part) {
        (name, _) if !name.starts_with('<') => name,
        _ => part,
    });
    parts.collect::<Vec<&str>>().join(".")
}

/// Whether the parts of an id have the numbers that the same parts of a written end of it have.
fn fits(id: &str, written: &str) -> bool {
    let inside = LOCALS.trim_matches('.');
    let parts = |text| str::rsplit(text, '.').filter(move |part| *part != inside);
    let mut pairs = parts(id).zip(parts(written));
    pairs.all(|(own, part)| !part.contains('#') || twin_mark(own) == twin_mark(part))
}

/// Which of several targets a site is of: by the neighbour that is listed and the site.
#[derive(Default)]
pub(crate) struct TargetsOfSites {
    several: bool,
    of: FxHashMap<(SymbolId, File, SiteKey), Vec<SymbolId>>,
}

impl TargetsOfSites {
    /// Notes nothing where there is one target only.
    pub(crate) fn among(targets: &[SymbolId]) -> TargetsOfSites {
        TargetsOfSites {
            several: targets.len() > 1,
            ..TargetsOfSites::default()
        }
    }

    /// Notes the neighbours that one target leads to.
    pub(crate) fn note(&mut self, target: SymbolId, found: &[(SymbolId, Vec<Link>)]) {
        if !self.several {
            return;
        }
        for (neighbour, links) in found {
            for link in links {
                self.note_link(target, *neighbour, link);
            }
        }
    }

    /// Notes one site of a target.
    pub(crate) fn note_link(&mut self, target: SymbolId, neighbour: SymbolId, link: &Link) {
        if !self.several {
            return;
        }
        let slot = self.of.entry((neighbour, link.file, link.spot));
        let targets = slot.or_default();
        if !targets.contains(&target) {
            targets.push(target);
        }
    }

    /// The targets that a site of a neighbour is of; of one alone none.
    pub(crate) fn of(&self, neighbour: SymbolId, link: &Link) -> &[SymbolId] {
        let known = self.of.get(&(neighbour, link.file, link.spot));
        known.map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::{fits, without_numbers};

    #[test]
    fn an_id_without_numbers_keeps_those_of_lambdas() {
        assert_eq!(without_numbers("m.C#2.k#3"), "m.C.k");
        let lambda = "m.f.<locals>.<lambda>#2";
        assert_eq!(without_numbers(lambda), lambda);
        assert_eq!(without_numbers("example.com/a.T"), "example.com/a.T");
    }

    #[test]
    fn a_number_means_one_and_no_number_means_all() {
        assert!(fits("m.f", "m.f") && fits("m.f#2", "m.f"));
        assert!(fits("m.f#2", "f#2") && !fits("m.f", "f#2"));
        assert!(fits("m.f", "f#1") && !fits("m.f#2", "f#1"));
        assert!(fits("m.C#2.k", "C#2.k") && !fits("m.C.k", "C#2.k"));
        assert!(fits("m.C#2.k#2", "C#2.k") && fits("m.C#2.k", "C#2.k"));
        assert!(fits("m.f#2.<locals>.g", "f#2.g") && !fits("m.f.<locals>.g", "f#2.g"));
    }
}
