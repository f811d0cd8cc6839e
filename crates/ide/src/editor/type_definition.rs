//! Go to type definition, as far as types are written in the text: LSP `textDocument/typeDefinition`.

use codeweft_db::{DeclarationRange, File, NameTarget, NodeKind, Role, Span, SymbolId};
use codeweft_graph::editor;
use codeweft_vfs::{Encoding, Position};
use codeweft_workspace::Snapshot;

use super::cursor::Cursor;
use super::data::Location;
use super::declarations::declaration_locations;
use super::query::EditorQuery;

/// Returns the locations that declare the type of the name at a position. A type that is only inferred has none.
///
/// ```text
/// type                                itself
/// function, method                    the types of its results
/// variable, field, parameter, local   the type behind it: n *T, n: T, n := T{}, n = T()
/// ```
pub fn type_definition(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<Location> {
    let query = EditorQuery::new(snapshot, encoding);
    let Some(cursor) = Cursor::at(&query, path, at) else {
        return Vec::new();
    };
    let types = match &cursor.found {
        NameTarget::Local { declaration, .. } => type_behind(&query, declaration),
        NameTarget::Symbol(symbol) => type_of(&query, *symbol),
    };
    declaration_locations(&query, types)
}

fn type_of(query: &EditorQuery<'_>, symbol: SymbolId) -> Vec<SymbolId> {
    let kind = query.graph.kind(symbol);
    if kind.is_type() {
        return vec![symbol];
    }
    let Some(declaration) = query.graph.declaration_range(symbol) else {
        return Vec::new();
    };
    match kind {
        NodeKind::Package => Vec::new(),
        NodeKind::Function | NodeKind::Method => results(query, &declaration),
        _ => type_behind(query, &declaration),
    }
}

/// Returns the types of results that a header names.
fn results(query: &EditorQuery<'_>, declaration: &DeclarationRange) -> Vec<SymbolId> {
    let text = declaration.file.text(query.snapshot.db());
    let start = declaration.name.end;
    let language = query.language(declaration.file);
    let end = language.and_then(|language| language.header_end(text, declaration));
    let header = Span {
        start,
        end: end.map_or(declaration.span.end, |end| end as u32),
    };
    let words = text.get(start as usize..header.end as usize).unwrap_or("");
    let arrow = words.rfind("->").map(|at| start + at as u32);
    let types = editor::types_in(&query.graph, declaration.file, header).into_iter();
    types
        .filter(|(_, used, role)| match role {
            Role::Result => true,
            Role::Annotation => arrow.is_some_and(|arrow| arrow < used.span.start),
            _ => false,
        })
        .map(|(ty, ..)| ty)
        .collect()
}

/// Returns the type that is written behind a name in its line, if nothing in between makes it another type.
fn type_behind(query: &EditorQuery<'_>, declaration: &DeclarationRange) -> Vec<SymbolId> {
    let file: File = declaration.file;
    let text = file.text(query.snapshot.db());
    let start = declaration.name.end;
    let rest = text.get(start as usize..).unwrap_or("");
    let line = rest.split('\n').next().unwrap_or("");
    let within = Span {
        start,
        end: start + line.len() as u32,
    };
    let names_share_a_type = file.lang(query.snapshot.db()).names_share_a_type;
    let types = editor::types_in(&query.graph, file, within);
    let first = types.first().filter(|(_, used, _)| {
        let between = &line[..(used.span.start - start) as usize];
        if names_share_a_type {
            leads_to_type(after_names(between))
        } else {
            leads_to_type(between)
        }
    });
    first.map(|(ty, ..)| *ty).into_iter().collect()
}

/// Returns whether the text between a name and a type means that the name has the type: no comma, no call, and no
/// operator but that of a declaration.
fn leads_to_type(between: &str) -> bool {
    let fits = |letter: char| letter.is_alphanumeric() || " \t_.*&[]:=\"'".contains(letter);
    between.chars().all(fits)
}

/// Returns a text without the names of a list at its beginning: `, b, c`.
fn after_names(text: &str) -> &str {
    let mut rest = text;
    while let Some(names) = rest.trim_start().strip_prefix(',') {
        let names = names.trim_start();
        rest = names.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    }
    rest
}
