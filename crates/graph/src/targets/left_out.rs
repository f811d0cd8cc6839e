//! Declarations that the configuration leaves out: `name@file_stem` (docs/graph.md §1, "IDs").

use codeweft_db::{ExcludedDeclaration, File, Lang, Language, Unit, file_ranges};

use super::{LocalTarget, Target};
use crate::query_context::QueryContext;

/// Between the name of a left-out declaration and its file.
const MARK: char = '@';

impl QueryContext<'_> {
    /// The left-out declaration of an id.
    pub(super) fn left_out_twin(&self, langs: &[Lang], plain: &str) -> Option<Target> {
        let (id, wanted) = plain.rsplit_once(MARK)?;
        let names = &self.db.shared().names;
        for (at, _) in id.rmatch_indices('.') {
            let (parent, name) = match id[at + 1..].rsplit_once('.') {
                Some((parent, name)) => (Some(parent), name),
                None => (None, &id[at + 1..]),
            };
            let Some(package) = names.get(&id[..at]) else {
                continue;
            };
            let fits = |one: &ExcludedDeclaration| {
                names.text(one.name) == name && one.parent.map(|own| names.text(own)) == parent
            };
            for &lang in langs {
                let Some(language) = self.languages.of(lang) else {
                    continue;
                };
                for &unit in self.units.named(lang, package) {
                    for &file in language.excluded(self.db, unit).iter() {
                        if stem(file.path(self.db)) != wanted {
                            continue;
                        }
                        let declared = language.declarations_of_excluded(self.db, file);
                        if let Some(one) = declared.into_iter().find(fits) {
                            return Some(self.left_out(language, unit, one));
                        }
                    }
                }
            }
        }
        None
    }

    /// What a left-out file declares on a line, or at a column of it.
    pub(super) fn left_out_at(
        &self,
        language: &dyn Language,
        unit: Unit,
        file: File,
        line: u32,
        column: Option<u32>,
    ) -> Option<Target> {
        let ranges = file_ranges(self.db, file);
        let stands = |one: &ExcludedDeclaration| {
            let (first, from) = ranges.line_column(one.place.name.start);
            let to = from + (one.place.name.end - one.place.name.start);
            first == line && column.is_none_or(|column| (from..to).contains(&column))
        };
        let declared = language.declarations_of_excluded(self.db, file);
        let one = declared.into_iter().find(stands)?;
        Some(self.left_out(language, unit, one))
    }

    pub(crate) fn left_out(
        &self,
        language: &dyn Language,
        unit: Unit,
        one: ExcludedDeclaration,
    ) -> Target {
        let names = &self.db.shared().names;
        let package = language.package(self.db, unit);
        let mut id = format!("{}.", names.text(unit.name(self.db)));
        if let Some(parent) = one.parent {
            id.push_str(names.text(parent));
            id.push('.');
        }
        let name = names.text(one.name).to_owned();
        id.push_str(&name);
        id.push(MARK);
        id.push_str(stem(one.place.file.path(self.db)));
        Target {
            symbols: vec![package],
            printed: id,
            file: None,
            local: Some(LocalTarget {
                name,
                kind: one.kind,
                public: one.public,
                left_out: true,
                place: one.place,
            }),
        }
    }
}

/// A file's name without its ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
