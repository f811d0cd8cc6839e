//! Redefinitions of a symbol.
//!
//! A name may be defined several times in one scope; all definitions share the id and differ in a
//! number. A query for the id means all of them (docs/graph.md §1, "Ids", and §2):
//!
//! ```python
//! if sys.platform == "win32":
//!     def home(): ...      # m.home
//! else:
//!     def home(): ...      # m.home#2
//! ```

use codeweft_db::{DeclaredIn, SymbolClass, SymbolId};

use super::declarations;
use super::ids;
use super::ids::split_number;
use crate::languages::LOCALS;
use crate::query_context::QueryContext;

/// Returns the symbols whose ids equal this one's up to numbers, in order of the numbers.
/// Members of redefined declarations are redefinitions too; anonymous declarations such as
/// lambdas have none.
pub(crate) fn redefinitions(query: &QueryContext<'_>, symbol: SymbolId) -> Vec<SymbolId> {
    let key = query.key(symbol);
    let is_anonymous = query.db.shared().names.text(key.name).starts_with('<');
    if let (DeclaredIn::Absent(_), Some(lang)) = (key.declared_in, query.lang(symbol)) {
        // A package that only an import line names: no other text uses it.
        let mut same = ids::absent(query, lang, &ids::id(query, symbol));
        if !same.contains(&symbol) {
            same.insert(0, symbol);
        }
        let is_declared =
            |one: &SymbolId| matches!(query.key(*one).declared_in, DeclaredIn::Unit(_));
        if let Some(declared) =
            ids::by_id_in(query, lang, &ids::id(query, symbol)).filter(is_declared)
        {
            let declared = redefinitions(query, declared).into_iter();
            same.extend(declared.filter(is_declared));
        }
        return same;
    }
    if key.class == SymbolClass::Package || is_anonymous {
        return vec![symbol];
    }
    let enclosing = match key.parent {
        Some(parent) => redefinitions(query, parent).into_iter().map(Some).collect(),
        None => vec![None],
    };
    let mut found = Vec::new();
    for parent in enclosing {
        let home = parent.map_or(key.declared_in, |parent| query.key(parent).declared_in);
        let mut declared = match home {
            DeclaredIn::Unit(unit) => {
                let units = query.units.named(unit.lang(query.db), unit.name(query.db));
                declarations::declared(query, units, parent, key.name)
            }
            _ => Vec::new(),
        };
        if let Some(parent) = parent.filter(|_| declared.is_empty()) {
            declared = declarations::declared_inside(query, parent, key.name);
        }
        found.append(&mut declared);
    }
    if !found.contains(&symbol) {
        found = vec![symbol];
    }
    if let Some(lang) = query.lang(symbol) {
        found.extend(ids::absent_of_declared(
            query,
            lang,
            &without_numbers(&ids::id(query, symbol)),
        ));
    }
    found
}

/// Returns the redefinitions of a symbol that an id, or the end of one, means: a part with a
/// number means that definition alone.
pub(crate) fn definitions_of_id(
    query: &QueryContext<'_>,
    symbol: SymbolId,
    written: &str,
) -> Vec<SymbolId> {
    let others = redefinitions(query, symbol);
    if others.len() < 2 || !written.contains('#') {
        return others;
    }
    let others = others.into_iter();
    others
        .filter(|&other| numbers_match(&ids::id(query, other), written))
        .collect()
}

/// Removes the numbers of redefinitions from an id, so that it means all of them. Anonymous parts
/// keep theirs.
pub fn without_numbers(id: &str) -> String {
    let parts = id.split('.').map(|part| match split_number(part) {
        (name, _) if !name.starts_with('<') => name,
        _ => part,
    });
    parts.collect::<Vec<&str>>().join(".")
}

/// Returns whether the parts of an id have the numbers that the written suffix gives.
pub fn numbers_match(id: &str, written: &str) -> bool {
    let inside = LOCALS.trim_matches('.');
    let parts = |text| str::rsplit(text, '.').filter(move |part| *part != inside);
    let mut pairs = parts(id).zip(parts(written));
    pairs.all(|(own, part)| !part.contains('#') || split_number(own) == split_number(part))
}

#[cfg(test)]
mod tests {
    use super::{numbers_match, without_numbers};

    #[test]
    fn an_id_without_numbers_keeps_those_of_lambdas() {
        assert_eq!(without_numbers("m.C#2.k#3"), "m.C.k");
        let lambda = "m.f.<locals>.<lambda>#2";
        assert_eq!(without_numbers(lambda), lambda);
        assert_eq!(without_numbers("example.com/a.T"), "example.com/a.T");
    }

    #[test]
    fn a_number_means_one_redefinition_and_no_number_means_all() {
        assert!(numbers_match("m.f", "m.f") && numbers_match("m.f#2", "m.f"));
        assert!(numbers_match("m.f#2", "f#2") && !numbers_match("m.f", "f#2"));
        assert!(numbers_match("m.f", "f#1") && !numbers_match("m.f#2", "f#1"));
        assert!(numbers_match("m.C#2.k", "C#2.k") && !numbers_match("m.C.k", "C#2.k"));
        assert!(numbers_match("m.C#2.k#2", "C#2.k") && numbers_match("m.C#2.k", "C#2.k"));
        assert!(
            numbers_match("m.f#2.<locals>.g", "f#2.g") && !numbers_match("m.f.<locals>.g", "f#2.g")
        );
    }
}
