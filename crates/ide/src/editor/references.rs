//! References and highlights: LSP `textDocument/references` and `documentHighlight`.

use codeweft_db::{DeclarationRange, File, NameTarget, Role, Span};
use codeweft_graph::editor::{self, NameUse};
use codeweft_vfs::{Encoding, Position, Range};
use codeweft_workspace::Snapshot;

use super::cursor::Cursor;
use super::data::{Access, Location};
use super::query::EditorQuery;

/// Returns every use of the name at a position, also of a local, sorted: the sites of the operation `references`.
/// With `declaration` its declarations are included; without, the binding that declares a Python variable is
/// not one of its uses.
pub fn references(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
    declaration: bool,
) -> Vec<Location> {
    let query = EditorQuery::new(snapshot, encoding);
    let Some(cursor) = Cursor::at(&query, path, at) else {
        return Vec::new();
    };
    let (used, declared) = match &cursor.found {
        NameTarget::Local { declaration, .. } => {
            (local_uses(&query, declaration), vec![declaration.clone()])
        }
        NameTarget::Symbol(_) => {
            let symbols = cursor.symbols(&query);
            let declarations = symbols
                .iter()
                .filter_map(|&symbol| query.graph.declaration_range(symbol));
            (
                editor::references(&query.graph, &symbols),
                declarations.collect(),
            )
        }
    };
    let mut locations = query.locations(used);
    let declared = declared.into_iter();
    for declared in
        declared.filter_map(|declaration| query.location(declaration.file, declaration.name))
    {
        locations.retain(|location| *location != declared);
        if declaration {
            locations.push(declared);
        }
    }
    locations.sort();
    locations.dedup();
    locations
}

/// Returns the uses of the name at a position in the same file and its declaration, in order of the text. For a
/// local the text decides whether a use writes: an assignment follows the name.
pub fn highlights(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<(Range, Access)> {
    let query = EditorQuery::new(snapshot, encoding);
    let Some(cursor) = Cursor::at(&query, path, at) else {
        return Vec::new();
    };
    let file = cursor.file;
    let text = file.text(snapshot.db());
    let (mut found, declared): (Vec<(Span, Access)>, Vec<DeclarationRange>) = match &cursor.found {
        NameTarget::Local { declaration, .. } => {
            let used = local_uses(&query, declaration).into_iter();
            let used = used.map(|one| (one.span, access_by_text(text, one.span)));
            (used.collect(), vec![declaration.clone()])
        }
        NameTarget::Symbol(_) => {
            let symbols = cursor.symbols(&query);
            let used = symbols.iter();
            let used = used.flat_map(|&symbol| editor::references_in(&query.graph, file, symbol));
            let used = used.map(|(one, role)| (one.span, access(role)));
            let declarations = symbols
                .iter()
                .filter_map(|&symbol| query.graph.declaration_range(symbol));
            (used.collect(), declarations.collect())
        }
    };
    for declaration in declared
        .into_iter()
        .filter(|declaration| declaration.file == file)
    {
        found.retain(|(span, _)| *span != declaration.name);
        if declaration.name.start < declaration.name.end {
            found.push((declaration.name, Access::Write));
        }
    }
    found.sort_unstable_by_key(|(span, access)| (span.start, *access));
    found.dedup();
    let found = found.into_iter();
    found
        .map(|(span, access)| (query.range(file, span), access))
        .collect()
}

/// Returns the uses of a local by its declaration.
fn local_uses(query: &EditorQuery<'_>, declaration: &DeclarationRange) -> Vec<NameUse> {
    let file: File = declaration.file;
    let Some(language) = query.language(file) else {
        return Vec::new();
    };
    let db = query.snapshot.db();
    let uses = language.local_uses(db, declaration).into_iter();
    uses.map(|one| NameUse {
        file,
        span: editor::token(file.text(db), one.offset),
    })
    .collect()
}

/// Returns the access that a role of the graph means.
fn access(role: Role) -> Access {
    match role {
        Role::Write | Role::ReadWrite => Access::Write,
        _ => Access::Read,
    }
}

/// Returns whether an assignment or an increment follows a name, alone or in a list of names.
fn access_by_text(text: &str, name: Span) -> Access {
    let (start, end) = (name.start as usize, name.end as usize);
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else {
        return Access::Read;
    };
    let before = before.rsplit('\n').next().unwrap_or("");
    let after = after.split('\n').next().unwrap_or("");
    let in_list =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ',' | ' ' | '\t');
    let rest = if before.chars().all(in_list) {
        after.trim_start_matches(in_list)
    } else {
        after.trim_start()
    };
    let operator: String = rest
        .chars()
        .take_while(|letter| "=:+-*/%&|^<>@".contains(*letter))
        .collect();
    match operator.as_str() {
        "++" | "--" | "=" | ":=" | "=-" | "=&" | "=*" | "=<" => Access::Write,
        "==" | "<=" | ">=" | ":" | "" => Access::Read,
        operator if operator.ends_with('=') => Access::Write,
        _ => Access::Read,
    }
}
