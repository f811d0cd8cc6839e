//! Mentions of names in texts, found without lowering them.
//!
//! Where files may be unread or unresolved, most of them need not be for a question: their texts do not
//! have the name that it is about.
//!
//! ```text
//! callers of m.load      a text without `load` has no call of it, and no broken line that could be one
//! ```

use codeweft_db::{NameId, Unit};
use memchr::memmem::Finder;

use crate::query_context::QueryContext;

/// Returns those of some units that may have one of `names`: in a language where a name is written in one
/// way only, those whose texts have it, and all others (Python reference, Identifiers). All of them once
/// every file is resolved: then the memos decide as fast.
pub(crate) fn units_with_text(
    query: &QueryContext<'_>,
    units: Vec<Unit>,
    names: &[NameId],
) -> Vec<Unit> {
    if !query.db.shared().may_have_unresolved_files() {
        return units;
    }
    let interned = &query.db.shared().names;
    let names = names.iter().map(|&name| Finder::new(interned.text(name)));
    let names: Vec<Finder<'_>> = names.collect();
    let has_text = query.map(&units, |_, db, &unit| {
        let mut files = unit.files(db).iter();
        unit.lang(db).lower_parts.is_none()
            || files.any(|file| {
                let text = file.text(db).as_bytes();
                names.iter().any(|name| name.find(text).is_some())
            })
    });
    let units = units.into_iter().zip(has_text);
    let units = units.filter_map(|(unit, has_text)| has_text.then_some(unit));
    units.collect()
}

/// Returns those of some units that mention one of `names`, by [`units_with_text`] and their identifiers.
pub(crate) fn units_with_name(
    query: &QueryContext<'_>,
    units: Vec<Unit>,
    names: &[NameId],
) -> Vec<Unit> {
    let units = units_with_text(query, units, names);
    let named = query.map(&units, |languages, db, &unit| {
        let identifiers = languages.of(unit.lang(db))?.identifiers(db, unit);
        let mut names = names.iter();
        names
            .any(|&name| identifiers.contains(name))
            .then_some(unit)
    });
    named.into_iter().flatten().collect()
}
