//! What declares a symbol, what a file declares, and what is declared by a name.

use codeweft_db::{ExcludedDeclaration, File, Lang, NodeKind, SymbolId};

use super::editor_graph::EditorGraph;
use crate::outline;
use crate::outline::FileDeclaration;
use crate::search;
use crate::search::SearchText;
use crate::symbols;
use crate::targets;
use crate::type_graph;

/// Returns the type that a field embeds, if `at` is inside the name that declares the field.
pub fn embedded_at(
    graph: &EditorGraph<'_>,
    field: SymbolId,
    file: File,
    name_at: u32,
) -> Option<SymbolId> {
    type_graph::embedded_at(&graph.query, field, file, name_at)
}

/// Returns the files of a package, the declaring file first; empty for other symbols.
pub fn files_of_package(graph: &EditorGraph<'_>, symbol: SymbolId) -> Vec<File> {
    let query = &graph.query;
    if query.kind(symbol) != NodeKind::Package {
        return Vec::new();
    }
    let first = graph
        .declaration_range(symbol)
        .map(|declaration_range| declaration_range.file);
    let tests = |file: &File| {
        let unit = query.owner(*file);
        unit.is_some_and(|unit| unit.kind(query.db).extends_package())
    };
    let mut files: Vec<File> = first.into_iter().collect();
    let others = symbols::files_of_body(query, symbol).into_iter();
    files.extend(others.filter(|file| Some(*file) != first && !tests(file)));
    files
}

/// Returns the declarations whose names match a text, the best first, at most `most`: the first of
/// those that the operation `search` lists.
pub fn search(graph: &EditorGraph<'_>, text: &str, most: usize) -> Vec<SymbolId> {
    let query = &graph.query;
    let langs = query.languages.0.iter().map(|language| language.lang());
    let langs: Vec<Lang> = langs.collect();
    search::search(query, &SearchText::new(text), &langs, Some(most))
}

/// Returns the declarations of a file in text order; empty for an excluded file.
pub fn declarations_of_file(graph: &EditorGraph<'_>, file: File) -> Vec<FileDeclaration> {
    outline::declarations_of_file(&graph.query, file)
}

/// Returns the declarations of an excluded file with their ids; empty for an included file.
pub fn excluded_declarations(
    graph: &EditorGraph<'_>,
    file: File,
) -> Vec<(String, ExcludedDeclaration)> {
    let query = &graph.query;
    let language = query.languages.of(file.lang(query.db));
    let (None, Some((language, unit))) = (
        graph.language_of_file(file),
        language.zip(query.owner(file)),
    ) else {
        return Vec::new();
    };
    let declared = language
        .declarations_of_excluded(query.db, file)
        .into_iter();
    declared
        .map(|one| {
            let id = targets::excluded_target(query, language, unit, one.clone()).printed;
            (id, one)
        })
        .collect()
}
