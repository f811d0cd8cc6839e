//! The operation `search`.

use codeweft_db::{ExcludedDeclaration, Lang, file_ranges};

use super::result::OperationResult;
use crate::answer::GraphRequest;
use crate::completeness::incomplete_files::unit_incomplete_files;
use crate::completeness::unresolved_sites::UnresolvedSites;
use crate::query_context::QueryContext;
use crate::rendering::filtering::ResultRow;
use crate::search;
use crate::search::SearchText;
use crate::targets;

/// Returns the declarations whose names match the text of the request, the best first.
pub(super) fn search(query: &QueryContext<'_>, request: &GraphRequest) -> OperationResult {
    let (langs, text) = targets::split_language_prefix(query, request.target.trim());
    let searched = SearchText::new(text);
    let found = search::search(query, &searched, &langs, None);
    let rows = found.into_iter().map(ResultRow::plain).collect();
    OperationResult::list(rows, possible_declarers(query, &langs, &searched))
}

/// Returns the files that could declare the whole name although no symbol says so: files with syntax
/// errors that mention it, and files that the build configuration excludes and that declare it.
fn possible_declarers(
    query: &QueryContext<'_>,
    langs: &[Lang],
    searched: &SearchText,
) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    let names = &query.db.shared().names;
    let wanted = searched.whole_names(names);
    if wanted.is_empty() {
        return unresolved;
    }
    for &unit in query.units.all.iter() {
        query.poll_cancellation();
        let lang = unit.lang(query.db);
        let Some(language) = query.languages.of(lang).filter(|_| langs.contains(&lang)) else {
            continue;
        };
        let package = names.text(unit.name(query.db));
        let fits = |one: &ExcludedDeclaration| {
            let container = match one.parent {
                Some(parent) => format!("{package}.{}", names.text(parent)),
                None => package.to_owned(),
            };
            wanted.contains(&one.name) && searched.is_within(&container)
        };
        for file in unit_incomplete_files(query.db, unit).iter() {
            if !wanted.iter().any(|&name| file.identifiers.contains(name)) {
                continue;
            }
            let at = match file.line {
                Some(line) => Some((line, 1)),
                None => {
                    let declared = language.declarations_of_excluded(query.db, file.file);
                    let one = declared.into_iter().find(fits);
                    one.map(|one| {
                        let ranges = file_ranges(query.db, file.file);
                        ranges.line_column(one.declaration.name.start)
                    })
                }
            };
            if let Some((line, column)) = at {
                unresolved.add_line(file.file, line, column, file.reason);
            }
        }
    }
    unresolved
}
