//! The outline of a document: LSP `textDocument/documentSymbol`.

use codeweft_db::{
    Db as _, DeclarationRange, ExcludedDeclaration, File, NodeKind, SymbolId, visible_text,
};
use codeweft_graph::editor;
use codeweft_vfs::Encoding;
use codeweft_workspace::Snapshot;
use rustc_hash::FxHashMap;

use super::data::{OutlineItem, SymbolItem};
use super::declarations::symbol_item_at;
use super::query::EditorQuery;

/// The largest number of characters of a detail.
const MAX_DETAIL: usize = 120;

/// Returns the declarations of a document as a tree, in order of the text.
///
/// Fields and methods are children of their type if it is declared in the same file, also Go's methods, which are
/// written outside of it; functions inside functions (Python) are children of these. Lambdas and the declarations
/// in bodies of Go are not included. A file that the build configuration excludes has an outline too.
pub fn outline(snapshot: &Snapshot<'_>, path: &str, encoding: Encoding) -> Vec<OutlineItem> {
    let query = EditorQuery::new(snapshot, encoding);
    let Some(file) = query.file(path) else {
        return Vec::new();
    };
    let entries = match query.graph.language_of_file(file) {
        Some(_) => declarations(&query, file),
        None => excluded(&query, file),
    };
    nested(entries)
}

/// A declaration with the index of its parent.
struct OutlineEntry {
    outline: OutlineItem,
    parent: Option<usize>,
}

/// Returns the declarations of a file that is built.
fn declarations(query: &EditorQuery<'_>, file: File) -> Vec<OutlineEntry> {
    let mut entries = Vec::new();
    let mut numbers: FxHashMap<SymbolId, usize> = FxHashMap::default();
    let mut parents = Vec::new();
    for one in editor::declarations_of_file(&query.graph, file) {
        let Some(item) = symbol_item_at(query, one.symbol, &one.declaration) else {
            continue;
        };
        numbers.insert(one.symbol, entries.len());
        parents.push(one.parent);
        entries.push(outline_entry(query, item, one.kind, &one.declaration));
    }
    for (entry, parent) in entries.iter_mut().zip(parents) {
        entry.parent = parent.and_then(|parent| numbers.get(&parent).copied());
    }
    entries
}

/// Returns the declarations of a file that the build configuration excludes.
fn excluded(query: &EditorQuery<'_>, file: File) -> Vec<OutlineEntry> {
    let names = &query.snapshot.db().shared().names;
    let declared = editor::excluded_declarations(&query.graph, file);
    let parent = |one: &ExcludedDeclaration| {
        let wanted = one.parent?;
        let mut all = declared.iter();
        all.position(|(_, other)| other.parent.is_none() && other.name == wanted)
    };
    let entries = declared.iter().filter_map(|(id, one)| {
        query.snapshot.check();
        let name = names.text(one.name).to_owned();
        let container = id.strip_suffix(name.as_str()).unwrap_or(id);
        let item = SymbolItem {
            container: container.trim_end_matches('.').to_owned(),
            id: id.clone(),
            name,
            kind: one.kind,
            is_module: file.lang(query.snapshot.db()).packages_are_files,
            path: query.path(file)?,
            range: query.range(file, one.declaration.span),
            selection: query.range(file, one.declaration.name),
        };
        Some(OutlineEntry {
            parent: parent(one),
            ..outline_entry(query, item, one.kind, &one.declaration)
        })
    });
    entries.collect()
}

fn outline_entry(
    query: &EditorQuery<'_>,
    item: SymbolItem,
    kind: NodeKind,
    declaration: &DeclarationRange,
) -> OutlineEntry {
    let text = visible_text(query.snapshot.db(), declaration.file);
    let language = query.language(declaration.file);
    let words = language.map(|language| language.declaration_header(text, declaration, kind));
    let words = words.unwrap_or_default();
    let first = words.lines().next().unwrap_or("");
    OutlineEntry {
        outline: OutlineItem {
            item,
            detail: first.chars().take(MAX_DETAIL).collect(),
            children: Vec::new(),
        },
        parent: None,
    }
}

/// Makes a tree of declarations with parents.
fn nested(entries: Vec<OutlineEntry>) -> Vec<OutlineItem> {
    let parents: Vec<Option<usize>> = entries.iter().map(|entry| entry.parent).collect();
    // The deepest first, so that a declaration has all its children before it becomes one.
    let depth = |at: usize| {
        let mut depth = 0;
        let mut around = parents[at];
        while let Some(parent) = around.filter(|_| depth <= parents.len()) {
            depth += 1;
            around = parents[parent];
        }
        depth
    };
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_cached_key(|&at| std::cmp::Reverse(depth(at)));
    let mut outlines: Vec<Option<OutlineItem>> = entries
        .into_iter()
        .map(|entry| Some(entry.outline))
        .collect();
    let mut top = Vec::new();
    for at in order {
        let Some(mut outline) = outlines[at].take() else {
            continue;
        };
        outline.children.sort_by_key(|child| child.item.range.start);
        match parents[at].and_then(|parent| outlines[parent].as_mut()) {
            Some(parent) => parent.children.push(outline),
            None => top.push(outline),
        }
    }
    top.sort_by_key(|outline| outline.item.range.start);
    top
}
