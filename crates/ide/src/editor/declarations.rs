//! Symbols by their declarations: as items, and as locations of their names.

use std::collections::BTreeSet;

use codeweft_db::{DeclarationRange, File, Span, SymbolId, file_ranges};

use super::cursor::word_around;
use super::data::{Location, SymbolItem};
use super::query::EditorQuery;

/// Returns the location of the name that declares a symbol.
pub(super) fn declaration_location(query: &EditorQuery<'_>, symbol: SymbolId) -> Option<Location> {
    query.snapshot.check();
    let declaration = query.graph.declaration_range(symbol)?;
    query.location(declaration.file, declaration.name)
}

/// Returns the locations that declare symbols, in their order, without duplicates.
pub(super) fn declaration_locations(
    query: &EditorQuery<'_>,
    symbols: Vec<SymbolId>,
) -> Vec<Location> {
    let symbols = symbols.into_iter();
    let mut seen = BTreeSet::new();
    let locations = symbols.filter_map(|symbol| declaration_location(query, symbol));
    locations
        .filter(|location| seen.insert(location.clone()))
        .collect()
}

/// Returns a symbol as an item; `None` without a text that an editor can open.
pub(super) fn symbol_item(query: &EditorQuery<'_>, symbol: SymbolId) -> Option<SymbolItem> {
    query.snapshot.check();
    symbol_item_at(query, symbol, &query.graph.declaration_range(symbol)?)
}

/// Returns symbols as items.
pub(super) fn symbol_items(query: &EditorQuery<'_>, symbols: Vec<SymbolId>) -> Vec<SymbolItem> {
    let symbols = symbols.into_iter();
    symbols
        .filter_map(|symbol| symbol_item(query, symbol))
        .collect()
}

/// Returns a package as an item in one of its files.
pub(super) fn package_item(
    query: &EditorQuery<'_>,
    package: SymbolId,
    file: File,
) -> Option<SymbolItem> {
    symbol_item_at(query, package, &package_clause(query, file))
}

/// Returns a symbol as an item by the range of its declaration; `None` without a text that an editor
/// can open.
pub(super) fn symbol_item_at(
    query: &EditorQuery<'_>,
    symbol: SymbolId,
    declaration: &DeclarationRange,
) -> Option<SymbolItem> {
    let around = Span {
        start: declaration.span.start.min(declaration.name.start),
        end: declaration.span.end.max(declaration.name.end),
    };
    Some(SymbolItem {
        id: query.graph.id(symbol),
        name: query.graph.name(symbol),
        kind: query.graph.kind(symbol),
        container: query.graph.container(symbol).to_string(),
        is_module: declaration
            .file
            .lang(query.snapshot.db())
            .packages_are_files,
        path: query.path(declaration.file)?,
        range: query.range(declaration.file, around),
        selection: query.range(declaration.file, declaration.name),
    })
}

/// Returns the package clause of a file; without one the start of the text.
pub(super) fn package_clause(query: &EditorQuery<'_>, file: File) -> DeclarationRange {
    let span = file_ranges(query.snapshot.db(), file).package;
    let text = file.text(query.snapshot.db());
    let clause = text.get(..span.end as usize).unwrap_or("");
    let name = word_around(clause, "").filter(|word| word.start >= span.start);
    DeclarationRange {
        file,
        span,
        name: name.unwrap_or(span),
    }
}
