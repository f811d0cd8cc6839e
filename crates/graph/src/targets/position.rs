//! Positions as targets: `path:line` and `path:line:column`, both 1-based, columns in bytes.

use codeweft_db::{File, Language, NameTarget, NodeKind, SymbolId, Unit, file_ranges};
use rustc_hash::FxHashMap;

use super::excluded;
use super::resolved;
use super::resolved::{LocalTarget, MAX_CANDIDATES, Target};
use crate::answer::{ApiError, ErrorType};
use crate::pattern::plain_path;
use crate::query_context::QueryContext;
use crate::symbols;

/// Resolves a position; `None` if the text is not of this form or names no file.
pub(super) fn target_at(query: &QueryContext<'_>, text: &str) -> Result<Option<Target>, ApiError> {
    let Some((rest, last)) = numbered(text) else {
        return Ok(None);
    };
    let (path, line, column) = match numbered(rest) {
        Some((path, line)) => (path, line, Some(last)),
        None => (rest, last, None),
    };
    let Some(file) = find_file(query, path)? else {
        return Ok(None);
    };
    let missing = |why: String, instead: &str| {
        Err(ApiError::new(
            ErrorType::TargetNotFound,
            format!("{text}: {why}"),
            instead,
        ))
    };
    let Some((language, unit)) = query
        .languages
        .of(file.lang(query.db))
        .zip(query.owner(file))
    else {
        return missing("the file belongs to no package".to_owned(), "ask by id");
    };
    let files = language.files(query.db, unit);
    let Some(number) = files.iter().position(|&other| other == file) else {
        if let Some(target) = excluded::excluded_at(query, language, unit, file, line, column) {
            return Ok(Some(target));
        }
        let configuration = language.configuration(query.db);
        return missing(
            format!("the file is left out under {configuration}"),
            "ask under a configuration that chooses it",
        );
    };
    let ranges = file_ranges(query.db, file);
    let Some(start) = (line as usize)
        .checked_sub(1)
        .and_then(|line| ranges.lines.get(line).copied())
    else {
        return missing(
            format!("the file has {} lines", ranges.lines.len()),
            "give a line of the file",
        );
    };
    let Some(column) = column else {
        let symbol = symbol_on_line(query, language, unit, file, number as u32, line);
        return Ok(Some(resolved::target_of_symbol(query, symbol)));
    };
    let rest = file.text(query.db).get(start as usize..).unwrap_or("");
    let rest = rest.split('\n').next().unwrap_or("");
    if column == 0 || column as usize > rest.len() + 1 {
        return missing(
            format!("line {line} has {} bytes", rest.len()),
            "give a column of the line, in bytes from 1",
        );
    }
    match language.name_at(query.db, file, start + column - 1) {
        Some(NameTarget::Symbol(symbol)) => Ok(Some(resolved::target_of_symbol(query, symbol))),
        Some(NameTarget::Local {
            owner,
            name,
            declaration,
        }) => {
            let name = query.db.shared().names.text(name).to_owned();
            let inside = crate::languages::LOCALS;
            Ok(Some(Target {
                note: None,
                printed: format!("{}{inside}{name}", symbols::id(query, owner)),
                symbols: vec![owner],
                file: None,
                local: Some(LocalTarget {
                    name,
                    kind: NodeKind::Variable,
                    public: false,
                    excluded: false,
                    range: declaration,
                }),
                changes: FxHashMap::default(),
            }))
        }
        None => {
            let (left, right) = words_around(rest, column as usize - 1);
            missing(
                format!("no symbol stands there; left of it: {left}; right of it: {right}"),
                "give the column of a name",
            )
        }
    }
}

/// Returns the file and byte offset of a text of the form `path:line:column`.
pub(crate) fn named_position(query: &QueryContext<'_>, text: &str) -> Option<(File, u32)> {
    let (rest, column) = numbered(text)?;
    let (path, line) = numbered(rest)?;
    let file = find_file(query, path).ok()??;
    let ranges = file_ranges(query.db, file);
    let start = ranges.lines.get((line as usize).checked_sub(1)?)?;
    Some((file, start.checked_add(column.checked_sub(1)?)?))
}

/// Returns the declaration whose name is on a line, else the innermost function around the
/// line, else the package.
fn symbol_on_line(
    query: &QueryContext<'_>,
    language: &dyn Language,
    unit: Unit,
    file: File,
    number: u32,
    line: u32,
) -> SymbolId {
    let symbols = query.symbols(unit);
    let mut candidates: Vec<SymbolId> = symbols
        .rows
        .iter()
        .filter(|row| row.file == number)
        .map(|row| row.symbol)
        .collect();
    let uses = language.uses(query.db, file);
    candidates.extend(uses.locals.iter().map(|local| local.symbol));
    let ranges = file_ranges(query.db, file);
    let mut declared: Option<(u32, SymbolId)> = None;
    let mut inside: Option<(u32, SymbolId)> = None;
    for symbol in candidates {
        let range = language.declaration_range(query.db, symbol);
        let Some(range) = range.filter(|range| range.file == file) else {
            continue;
        };
        if ranges.line_column(range.name.start).0 == line
            && declared.is_none_or(|(at, _)| range.name.start < at)
        {
            declared = Some((range.name.start, symbol));
        }
        let last = range.span.end.saturating_sub(1).max(range.span.start);
        let lines = ranges.line_column(range.span.start).0..=ranges.line_column(last).0;
        let length = range.span.end - range.span.start;
        if matches!(query.kind(symbol), NodeKind::Function | NodeKind::Method)
            && lines.contains(&line)
            && inside.is_none_or(|(shortest, _)| length < shortest)
        {
            inside = Some((length, symbol));
        }
    }
    match declared.or(inside) {
        Some((_, symbol)) => symbol,
        None => {
            symbols::package_of(query, file).unwrap_or_else(|| language.package(query.db, unit))
        }
    }
}

/// Finds a file by its printed path, its absolute path, or a unique suffix of its path; files
/// of the workspace come first.
pub(super) fn find_file(query: &QueryContext<'_>, text: &str) -> Result<Option<File>, ApiError> {
    let path = plain_path(text);
    if !path.contains('.') {
        return Ok(None);
    }
    let mut containing: Option<(usize, File)> = None;
    let mut ends: [Vec<File>; 2] = Default::default();
    for &unit in query.units.all.iter() {
        for &file in unit.files(query.db).iter() {
            let other: &str = file.path(query.db);
            if other == path {
                return Ok(Some(file));
            }
            let below = |long: &str, end: &str| {
                long.strip_suffix(end)
                    .is_some_and(|before| before.ends_with('/'))
            };
            if path.starts_with('/') && !other.starts_with('/') && below(&path, other) {
                let longest = containing.is_none_or(|(length, _)| other.len() > length);
                containing = if longest {
                    Some((other.len(), file))
                } else {
                    containing
                };
            } else if below(other, &path) {
                ends[usize::from(symbols::is_library(query, unit))].push(file);
            }
        }
    }
    if let Some((_, file)) = containing {
        return Ok(Some(file));
    }
    let found = ends.into_iter().find(|found| !found.is_empty());
    match found.unwrap_or_default()[..] {
        [] => Ok(None),
        [file] => Ok(Some(file)),
        ref several => {
            let mut paths: Vec<String> = several
                .iter()
                .map(|file| file.path(query.db).to_string())
                .collect();
            paths.sort_unstable();
            paths.truncate(MAX_CANDIDATES);
            Err(ApiError::new(
                ErrorType::AmbiguousTarget,
                format!("{text} fits {} files", several.len()),
                "ask with one of the candidates",
            )
            .with_candidates(paths))
        }
    }
}

/// Splits a trailing `:number` off a text.
pub fn numbered(text: &str) -> Option<(&str, u32)> {
    let (rest, number) = text.rsplit_once(':')?;
    if rest.is_empty() {
        return None;
    }
    Some((rest, number.parse().ok()?))
}

/// Returns the words before and after a byte of a line.
pub fn words_around(line: &str, at: usize) -> (String, String) {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut at = at.min(line.len());
    while !line.is_char_boundary(at) {
        at -= 1;
    }
    let (before, after) = line.split_at(at);
    let mut words_before = before.split(|letter| !in_word(letter));
    let mut words_after = after.split(|letter| !in_word(letter));
    let word = |word: Option<&str>| word.unwrap_or("nothing").to_owned();
    (
        word(words_before.rfind(|word| !word.is_empty())),
        word(words_after.find(|word| !word.is_empty())),
    )
}
