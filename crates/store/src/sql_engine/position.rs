//! Positions as targets: `path:line` and `path:line:column`, both 1-based, columns in bytes; and files by their
//! paths.

use std::rc::Rc;

use codeweft_db::NodeKind;
use codeweft_graph::answer::{ApiError, ErrorType};
use codeweft_graph::shaping::{MAX_CANDIDATES, numbered, plain_path, words_around};

use super::failure::Found;
use super::rows::{FileId, Rows, Sid, Symbol};
use super::target::{self, Target};
use super::text::Text;
use super::{package, statements};
use crate::sqlite::codes;

/// A name in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameAt {
    pub(super) file: FileId,
    /// 1-based.
    pub(super) line: u32,
    /// Where the name begins, 1-based, in bytes.
    pub(super) column: u32,
}

fn missing(text: &str, why: &str, instead: &str) -> ApiError {
    ApiError::new(ErrorType::TargetNotFound, format!("{text}: {why}"), instead)
}

/// Resolves a position; `None` if the text is not of this form or names no file.
pub(super) fn target_at(rows: &Rows<'_>, text: &str) -> Found<Option<Target>> {
    let Some((rest, last)) = numbered(text) else {
        return Ok(None);
    };
    let (path, line, column) = match numbered(rest) {
        Some((path, line)) => (path, line, Some(last)),
        None => (rest, last, None),
    };
    let Some(file) = find_file(rows, path)? else {
        return Ok(None);
    };
    let Some(fact) = rows.file(file)? else {
        return Ok(None);
    };
    if !fact.is_built {
        return Err(package::excluded_file(rows, text, fact.lang).into());
    }
    let Some(found) = Text::read(rows, file)? else {
        let why = "the text of the file is not in the database";
        return Err(missing(text, why, "ask by id").into());
    };
    let Some(content) = found.line(line) else {
        let why = format!("the file has {} lines", found.line_count());
        return Err(missing(text, &why, "give a line of the file").into());
    };
    let Some(column) = column else {
        return symbol_on_line(rows, file, line)?
            .map(|symbol| target::target_of_id(rows, &symbol, ""))
            .transpose();
    };
    if column == 0 || column as usize > content.len() + 1 {
        let why = format!("line {line} has {} bytes", content.len());
        return Err(missing(text, &why, "give a column of the line, in bytes from 1").into());
    }
    let Some(at) = name_around(content, column as usize - 1) else {
        let (left, right) = words_around(content, column as usize - 1);
        let why = format!("no symbol stands there; left of it: {left}; right of it: {right}");
        return Err(missing(text, &why, "give the column of a name").into());
    };
    let at = NameAt {
        file,
        line,
        column: at as u32 + 1,
    };
    match named_at(rows, at)? {
        Some(symbol) => {
            let target = target::target_of_id(rows, &symbol, "")?;
            Ok(Some(Target {
                at: Some(at),
                ..target
            }))
        }
        None => Err(ApiError::new(
            ErrorType::LimitExceeded,
            format!("{text}: no declaration and no resolved use of one is there, and local variables are not in the database"),
            "ask the live database: codeweft query without --db",
        )
        .into()),
    }
}

/// Returns where the name around a byte of a line begins; of two names beside the byte the one that begins there.
fn name_around(line: &str, at: usize) -> Option<usize> {
    let in_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut at = at.min(line.len());
    while !line.is_char_boundary(at) {
        at -= 1;
    }
    let (before, after) = line.split_at(at);
    let begins = before.trim_end_matches(in_name).len();
    let is_inside = after.starts_with(in_name) || begins < at;
    is_inside.then_some(begins)
}

/// Returns the symbol that a name means: the declaration that it is the name of, else what is used there.
fn named_at(rows: &Rows<'_>, at: NameAt) -> Found<Option<Rc<Symbol>>> {
    let sids = rows.sids(statements::IN_FILE, [at.file])?;
    let mut uses: Vec<(u8, Sid)> = Vec::new();
    for &sid in &sids {
        let Some(owner) = rows.owner(sid)? else {
            continue;
        };
        if !owner.is_top_level
            && let Some(symbol) = rows.symbol(sid)?
            && symbol.kind != NodeKind::Package
            && symbol.name_at == (at.line, at.column)
        {
            return Ok(Some(symbol));
        }
        let below = i64::from(at.line) - i64::from(owner.start_line);
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, u8>(1)?, row.get::<_, Sid>(0)?));
        rows.each(
            statements::USES_AT,
            (sid, below, at.column),
            read,
            &mut |(kind, target)| uses.push((kind & ((1 << codes::FLAGS_BEHIND) - 1), target)),
        )?;
    }
    // A class comes before the constructor that it runs, a type before what else its name means.
    uses.sort_unstable();
    let mut found = rows.symbols(uses.into_iter().map(|(_, target)| target))?;
    found.sort_by_key(|symbol| !symbol.kind.is_type());
    Ok(found.into_iter().next())
}

/// Returns the declaration whose name is on a line, else the innermost function around the line, else the package.
fn symbol_on_line(rows: &Rows<'_>, file: FileId, line: u32) -> Found<Option<Rc<Symbol>>> {
    let mut declared: Option<(u32, Rc<Symbol>)> = None;
    let mut inside: Option<(u32, Rc<Symbol>)> = None;
    for symbol in declared_in(rows, file)? {
        let (name_line, column) = symbol.name_at;
        if name_line == line && declared.as_ref().is_none_or(|(at, _)| column < *at) {
            declared = Some((column, symbol.clone()));
        }
        let (first, last) = symbol.lines;
        if matches!(symbol.kind, NodeKind::Function | NodeKind::Method)
            && (first..=last).contains(&line)
        {
            let read = |row: &rusqlite::Row<'_>| {
                let bytes: (u32, u32) = (row.get(0)?, row.get(1)?);
                Ok(bytes.1.saturating_sub(bytes.0))
            };
            let length = rows.first(statements::PRINTED, [symbol.sid], read)?;
            let length = length.unwrap_or(u32::MAX);
            if inside
                .as_ref()
                .is_none_or(|(shortest, _)| length < *shortest)
            {
                inside = Some((length, symbol));
            }
        }
    }
    match declared.or(inside) {
        Some((_, symbol)) => Ok(Some(symbol)),
        None => package::of_file(rows, file),
    }
}

/// Returns the type that a field embeds if the position is that of the name which declares the field: that name is
/// also a use of the type.
pub(super) fn embedded_at(
    rows: &Rows<'_>,
    field: &Symbol,
    at: NameAt,
) -> Found<Option<Rc<Symbol>>> {
    if field.kind != NodeKind::Field
        || field.file != Some(at.file)
        || field.name_at != (at.line, at.column)
    {
        return Ok(None);
    }
    for &sid in &rows.sids(statements::IN_FILE, [at.file])? {
        let Some(owner) = rows.owner(sid)? else {
            continue;
        };
        let (first, below) = (owner.start_line, i64::from(at.line));
        let below = below - i64::from(first);
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Sid>(0)?, row.get::<_, u8>(1)?));
        for (target, kind) in rows.all(statements::USES_AT, (sid, below, at.column), read)? {
            let code = kind & ((1 << codes::FLAGS_BEHIND) - 1);
            if code == codes::EMBED
                && let Some(symbol) = rows.symbol(target)?
                && symbol.kind.is_type()
            {
                return Ok(Some(symbol));
            }
        }
    }
    Ok(None)
}

/// Returns the declarations of a file.
pub(super) fn declared_in(rows: &Rows<'_>, file: FileId) -> Found<Vec<Rc<Symbol>>> {
    let mut found = Vec::new();
    for sid in rows.sids(statements::IN_FILE, [file])? {
        if rows.owner(sid)?.is_some_and(|owner| !owner.is_top_level) {
            found.extend(rows.symbol(sid)?);
        }
    }
    Ok(found)
}

/// Finds a file by its path, its absolute path, or a unique end of its path; files of the workspace come first.
pub(super) fn find_file(rows: &Rows<'_>, text: &str) -> Found<Option<FileId>> {
    let path = plain_path(text);
    if !path.contains('.') {
        return Ok(None);
    }
    if let Some(file) = rows.first(statements::FILE_OF_PATH, [&path], |row| row.get(0))? {
        return Ok(Some(file));
    }
    let below = |long: &str, end: &str| {
        let before = long.strip_suffix(end);
        before.is_some_and(|before| before.ends_with('/'))
    };
    let mut containing: Option<(usize, FileId)> = None;
    let mut ends: [Vec<(FileId, String)>; 2] = Default::default();
    let read = |row: &rusqlite::Row<'_>| {
        let file: (FileId, String, bool) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(file)
    };
    rows.each(statements::FILES, [], read, &mut |(
        file,
        other,
        external,
    )| {
        if path.starts_with('/') && !other.starts_with('/') && below(&path, &other) {
            if containing.is_none_or(|(length, _)| other.len() > length) {
                containing = Some((other.len(), file));
            }
        } else if below(&other, &path)
            && let Some(group) = ends.get_mut(usize::from(external))
        {
            group.push((file, other));
        }
    })?;
    if let Some((_, file)) = containing {
        return Ok(Some(file));
    }
    let found = ends.into_iter().find(|found| !found.is_empty());
    let found = found.unwrap_or_default();
    match &found[..] {
        [] => Ok(None),
        [(file, _)] => Ok(Some(*file)),
        _ => {
            let total = found.len();
            let mut paths: Vec<String> = found.into_iter().map(|(_, path)| path).collect();
            paths.sort_unstable();
            paths.truncate(MAX_CANDIDATES);
            Err(ApiError::new(
                ErrorType::AmbiguousTarget,
                format!("{text} fits {total} files"),
                "ask with one of the candidates",
            )
            .with_candidates(paths)
            .into())
        }
    }
}
