//! Symbols by id, by name and by pattern.

use std::rc::Rc;

use codeweft_db::{Lang, NodeKind};
use codeweft_graph::shaping::{Pattern, Wild, split_number, without_numbers};

use super::failure::Found;
use super::rows::{Rows, Sid, Symbol};
use super::statements;
use crate::sqlite::{name_number, packed_numbers};

/// The separator between a function and its locals, beside a dot.
const INSIDE: &str = "<locals>.";

/// A text after every id.
const BEHIND_ALL: &str = "\u{10ffff}";

/// Returns whether a symbol is of one of some languages. One of an absent package may have none.
pub(super) fn is_of(rows: &Rows<'_>, langs: &[Lang], symbol: &Symbol) -> Found<bool> {
    let lang = rows.lang(symbol)?;
    Ok(lang.is_none_or(|lang| langs.contains(&lang)))
}

/// Returns the symbols with exactly this id, at most one a language. `#1` is no number, and what is inside a
/// function may be written without `<locals>`.
pub(super) fn by_id(rows: &Rows<'_>, langs: &[Lang], id: &str) -> Found<Vec<Rc<Symbol>>> {
    let id = codeweft_graph::shaping::without_first(id);
    let mut found = Vec::new();
    for symbol in rows.symbols(rows.sids(statements::BY_ID, [&id])?)? {
        if is_of(rows, langs, &symbol)? {
            found.push(symbol);
        }
    }
    if found.is_empty() && id.contains('.') {
        let (last, _) = split_number(id.rsplit('.').next().unwrap_or(&id));
        for symbol in named(rows, last)? {
            let is_inside = symbol.id.contains(INSIDE) && symbol.id.replace(INSIDE, "") == id;
            if is_inside && is_of(rows, langs, &symbol)? {
                found.push(symbol);
            }
        }
    }
    Ok(found)
}

/// Returns the id, with a language prefix if another language has the same id.
pub(super) fn distinct_id(rows: &Rows<'_>, symbol: &Symbol) -> Found<String> {
    let same = rows.sids(statements::BY_ID, [&*symbol.id])?;
    let lang = rows.lang(symbol)?;
    Ok(match lang.filter(|_| same.len() > 1) {
        Some(lang) => format!("{}{}", lang.id_prefix, symbol.id),
        None => symbol.id.to_string(),
    })
}

/// Returns the symbols of a name.
pub(super) fn named(rows: &Rows<'_>, name: &str) -> Found<Vec<Rc<Symbol>>> {
    let read = |row: &rusqlite::Row<'_>| row.get::<_, Vec<u8>>(0);
    let packed = rows.first(statements::BY_NAME, [name_number(name)], read)?;
    let mut sid = 0_u32;
    let sids: Vec<Sid> = packed_numbers(&packed.unwrap_or_default())
        .map(|step| {
            sid = sid.saturating_add(step);
            sid
        })
        .collect();
    let mut found = rows.symbols(sids)?;
    // Other names may have the same number.
    found.retain(|symbol| symbol.name() == name);
    Ok(found)
}

/// Returns the symbols whose ids equal this one's up to numbers, by id; an anonymous declaration or a package has
/// none but itself.
pub(super) fn redefinitions(rows: &Rows<'_>, symbol: &Rc<Symbol>) -> Found<Vec<Rc<Symbol>>> {
    if symbol.kind == NodeKind::Package || symbol.name().starts_with('<') {
        return Ok(vec![symbol.clone()]);
    }
    let lang = rows.lang(symbol)?;
    let plain = without_numbers(&symbol.id);
    let mut found = Vec::new();
    for other in named(rows, symbol.name())? {
        let is_same = other.kind != NodeKind::Package && without_numbers(&other.id) == plain;
        if is_same && rows.lang(&other)? == lang {
            found.push(other);
        }
    }
    let number = |one: &Symbol| {
        let parts = one.id.split('.');
        parts.map(|part| split_number(part).1).collect::<Vec<u32>>()
    };
    found.sort_by_cached_key(|one| number(one));
    if found.is_empty() {
        found.push(symbol.clone());
    }
    Ok(found)
}

/// Returns the symbols whose ids match a pattern; the part of the index is read that its beginning leaves.
pub(super) fn matching(rows: &Rows<'_>, pattern: &Pattern) -> Found<Vec<Sid>> {
    let head = match pattern {
        Pattern::Wild(wild) => Wild::head(wild),
        Pattern::Plain(text) => text,
    };
    let mut found = Vec::new();
    each_id(rows, head, &mut |sid, id| {
        if pattern.matches(id) {
            found.push(sid);
        }
    })?;
    Ok(found)
}

/// Passes the ids that begin with a text to `visit`, with their symbols.
pub(super) fn each_id(rows: &Rows<'_>, head: &str, visit: &mut dyn FnMut(Sid, &str)) -> Found<()> {
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Sid>(0)?, row.get::<_, String>(1)?));
    let bounds = [head.to_owned(), format!("{head}{BEHIND_ALL}")];
    rows.each(statements::IN_RANGE, bounds, read, &mut |(sid, id)| {
        visit(sid, &id);
    })
}

/// Returns whether a symbol is declared inside a function and no target by the end of its id: a local type of Go. The
/// functions inside a Python function are declarations of their module.
pub(super) fn is_inside_function(rows: &Rows<'_>, symbol: &Symbol) -> Found<bool> {
    if rows
        .lang(symbol)?
        .is_some_and(|lang| lang.packages_are_files)
    {
        return Ok(false);
    }
    let mut parent = symbol.parent;
    // Broken rows could be a cycle.
    for _ in 0..64 {
        let Some(around) = parent.map_or(Ok(None), |parent| rows.symbol(parent))? else {
            return Ok(false);
        };
        match around.kind {
            NodeKind::Function | NodeKind::Method => return Ok(true),
            NodeKind::Package => return Ok(false),
            _ => parent = around.parent,
        }
    }
    Ok(false)
}
