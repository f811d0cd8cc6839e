//! Hovers: LSP `textDocument/hover`.

use codeweft_db::{
    DeclarationRange, NameTarget, NodeKind, SymbolId, excerpt, skipped, visible_text,
};
use codeweft_graph::editor;
use codeweft_vfs::{Encoding, Position};
use codeweft_workspace::Snapshot;

use super::cursor::Cursor;
use super::data::Hover;
use super::query::EditorQuery;

/// Returns the hover at a position: the declaration's header and comment as they are written, and the numbers of
/// callers and implementations, or of references. For a local: the line that declares it.
pub fn hover(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Option<Hover> {
    let query = EditorQuery::new(snapshot, encoding);
    let cursor = Cursor::at(&query, path, at)?;
    let (declaration, signature, doc, counts) = match &cursor.found {
        NameTarget::Local { declaration, .. } => {
            let text = visible_text(snapshot.db(), declaration.file);
            let line = excerpt::line_of(text, declaration.name.start);
            (declaration.clone(), line, String::new(), String::new())
        }
        NameTarget::Symbol(symbol) => {
            let declaration = query.graph.declaration_range(*symbol)?;
            let kind = query.graph.kind(*symbol);
            let text = visible_text(snapshot.db(), declaration.file);
            let doc = query
                .language(declaration.file)
                .map(|language| language.doc(text, &declaration, kind));
            (
                declaration.clone(),
                signature(&query, *symbol, kind, &declaration),
                doc.unwrap_or_default(),
                counts(&query, &cursor.symbols(&query), kind),
            )
        }
    };
    let notice = skipped(snapshot.db(), declaration.file).map(|(_, words)| words);
    Some(Hover {
        range: query.range(cursor.file, cursor.name),
        language: declaration.file.lang(snapshot.db()).wire_name(),
        signature,
        doc: notice.unwrap_or(doc),
        counts,
    })
}

fn signature(
    query: &EditorQuery<'_>,
    symbol: SymbolId,
    kind: NodeKind,
    declaration: &DeclarationRange,
) -> String {
    let db = query.snapshot.db();
    let text = visible_text(db, declaration.file);
    if kind != NodeKind::Package {
        let language = query.language(declaration.file);
        let signature =
            language.map(|language| language.declaration_header(text, declaration, kind));
        return signature.unwrap_or_default();
    }
    let clause = text.get(declaration.span.start as usize..declaration.span.end as usize);
    match clause.unwrap_or("").trim() {
        "" => format!("module {}", query.graph.id(symbol)),
        clause => clause.to_owned(),
    }
}

fn counts(query: &EditorQuery<'_>, symbols: &[SymbolId], kind: NodeKind) -> String {
    let mut counts = Vec::new();
    match kind {
        NodeKind::Function | NodeKind::Method | NodeKind::Class => {
            counts.push(counted(
                editor::count_callers(&query.graph, symbols),
                "caller",
            ));
        }
        NodeKind::Interface => {}
        _ => counts.push(counted(
            editor::count_references(&query.graph, symbols),
            "reference",
        )),
    }
    let implementations = editor::implementations(&query.graph, symbols).len();
    if implementations > 0 || kind == NodeKind::Interface {
        counts.push(counted(implementations, "implementation"));
    }
    counts.join(", ")
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
