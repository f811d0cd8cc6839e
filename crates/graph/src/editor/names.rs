//! Names in texts: what a name resolves to, and the names in a file that use a symbol.

use codeweft_db::{File, NameTarget, Resolution, Role, Span, SymbolClass, SymbolId, file_ranges};

use super::editor_graph::EditorGraph;
use crate::link::{Link, SiteKey};
use crate::operations::uses::is_resolved;
use crate::symbols;

/// A name in a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NameUse {
    /// The file.
    pub file: File,
    /// The bytes of the name.
    pub span: Span,
}

/// Returns the symbol or local at a byte offset of a file; `None` in an excluded file.
pub fn name_at(graph: &EditorGraph<'_>, file: File, offset: u32) -> Option<NameTarget> {
    graph
        .language_of_file(file)?
        .name_at(graph.query.db, file, offset)
}

/// Returns the other symbols that the name at a byte offset resolves to with the same certainty
/// as `found`: bindings of several branches, members of a union.
pub fn equal_resolutions(
    graph: &EditorGraph<'_>,
    file: File,
    start: u32,
    found: SymbolId,
) -> Vec<SymbolId> {
    let query = &graph.query;
    let Some(language) = graph.language_of_file(file) else {
        return Vec::new();
    };
    let key = query.key(found);
    let uses = language.uses(query.db, file);
    let mut resolved: Vec<(SymbolId, Resolution)> = Vec::new();
    for (target, sites) in uses.iter() {
        let other = query.key(target);
        if (other.name, other.class) != (key.name, key.class) {
            continue;
        }
        let mut sites = sites.iter().filter(|one| is_resolved(one));
        let site =
            sites.find(|one| language.offset(query.db, file, one.body, one.occ) == Some(start));
        resolved.extend(site.map(|one| (target, one.resolution)));
    }
    let own = resolved.iter().find(|(target, _)| *target == found);
    let Some(&(_, resolution)) = own else {
        return Vec::new();
    };
    let equal_resolutions = resolved.iter().filter(|(_, other)| *other == resolution);
    let equal_resolutions = equal_resolutions.map(|&(target, _)| target);
    symbols::in_order(
        query,
        equal_resolutions
            .filter(|&target| target != found)
            .collect(),
    )
}

/// Returns the references in one file, with their roles.
pub fn references_in(
    graph: &EditorGraph<'_>,
    file: File,
    symbol: SymbolId,
) -> Vec<(NameUse, Role)> {
    let query = &graph.query;
    let Some(language) = graph.language_of_file(file) else {
        return Vec::new();
    };
    let uses = language.uses(query.db, file);
    let own = uses.of(symbol);
    let own = own.iter().filter(|one| is_resolved(one));
    let mut found: Vec<(NameUse, Role)> = own
        .filter_map(|one| Some((name_use(graph, &Link::of_use(file, one))?, one.role)))
        .collect();
    if let Some(unit) = query.owner(file) {
        let imports = language.imports(query.db, unit);
        let own = imports
            .iter()
            .filter(|row| row.to == symbol && row.file == file);
        let links = own.map(|row| Link::plain(file, SiteKey::Import(row.import)));
        found.extend(links.filter_map(|link| Some((name_use(graph, &link)?, Role::Import))));
    }
    found.sort_by_key(|(name_uses, role)| (name_uses.span.start, *role));
    found.dedup_by_key(|(name_uses, _)| name_uses.span);
    found
}

/// Returns the types that are named or constructed between two byte offsets of a file, in text
/// order.
pub fn types_in(
    graph: &EditorGraph<'_>,
    file: File,
    within: Span,
) -> Vec<(SymbolId, NameUse, Role)> {
    let query = &graph.query;
    let Some(language) = graph.language_of_file(file) else {
        return Vec::new();
    };
    let uses = language.uses(query.db, file);
    let mut found: Vec<(SymbolId, NameUse, Role)> = Vec::new();
    for (target, sites) in uses.iter() {
        if query.key(target).class != SymbolClass::Type {
            continue;
        }
        for one in sites.iter().filter(|one| is_resolved(one)) {
            let start = language.offset(query.db, file, one.body, one.occ);
            let inside = start.filter(|start| (within.start..within.end).contains(start));
            if inside.is_some()
                && let Some(name_uses) = name_use(graph, &Link::of_use(file, one))
            {
                found.push((target, name_uses, one.role));
            }
        }
    }
    found.sort_by_cached_key(|(target, name_uses, role)| {
        (name_uses.span.start, *role, symbols::id(query, *target))
    });
    found
}

pub(super) fn name_uses(
    graph: &EditorGraph<'_>,
    links: impl IntoIterator<Item = Link>,
) -> Vec<NameUse> {
    let links = links.into_iter();
    let mut name_uses: Vec<NameUse> = links.filter_map(|link| name_use(graph, &link)).collect();
    let db = graph.query.db;
    name_uses.sort_by(|a, b| {
        let by_file = if a.file == b.file {
            std::cmp::Ordering::Equal
        } else {
            a.file.path(db).cmp(b.file.path(db))
        };
        by_file.then_with(|| a.span.start.cmp(&b.span.start))
    });
    name_uses
}

fn name_use(graph: &EditorGraph<'_>, link: &Link) -> Option<NameUse> {
    let db = graph.query.db;
    let file = link.file;
    let span = match link.key {
        SiteKey::Import(number) => *file_ranges(db, file).imports.get(number as usize)?,
        _ => {
            let language = graph.query.languages.of(file.lang(db))?;
            token(file.text(db), link.offset(db, language)?)
        }
    };
    Some(NameUse { file, span })
}

/// Returns the token that starts at a byte offset of a text: a word, a string on one line with its
/// quotes, else one character. Empty past the end.
///
/// ```
/// let span = codeweft_graph::editor::token("x := \"a b\"", 5);
/// assert_eq!((span.start, span.end), (5, 10));
/// ```
pub fn token(text: &str, start: u32) -> Span {
    let rest = text.get(start as usize..).unwrap_or("");
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let len = match rest.chars().next() {
        Some(first) if in_word(first) => rest.find(|letter| !in_word(letter)).unwrap_or(rest.len()),
        Some(quote @ ('"' | '\'' | '`')) => {
            let line = rest[1..].split('\n').next().unwrap_or("");
            line.find(quote).map_or(1, |end| end + 2)
        }
        Some(other) => other.len_utf8(),
        None => 0,
    };
    Span {
        start,
        end: start + len as u32,
    }
}
