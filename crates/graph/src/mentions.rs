//! Mentions of names in texts, found without lowering them.
//!
//! Where files of libraries may be unread, most of them need not be read for a question: their texts do
//! not have the name that it is about.
//!
//! ```text
//! callers of m.load      a text without `load` has no call of it, and no broken line that could be one
//! ```

use codeweft_db::{NameId, Origin, Unit};

use crate::query_context::QueryContext;

/// Returns those of some units that may have one of `names`: of libraries in a language where a name is
/// written in one way only, those whose texts have it, and all others (Python reference, Identifiers).
pub(crate) fn units_with_text(
    query: &QueryContext<'_>,
    units: Vec<Unit>,
    names: &[NameId],
) -> Vec<Unit> {
    let interned = &query.db.shared().names;
    let texts: Vec<&str> = names.iter().map(|&name| interned.text(name)).collect();
    let has_text = query.map(&units, |_, db, &unit| {
        let mut files = unit.files(db).iter();
        unit.origin(db) == Origin::Workspace
            || unit.lang(db).lower_parts.is_none()
            || files.any(|file| texts.iter().any(|text| file.text(db).contains(text)))
    });
    let units = units.into_iter().zip(has_text);
    let units = units.filter_map(|(unit, has_text)| has_text.then_some(unit));
    units.collect()
}
