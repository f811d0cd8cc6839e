//! Symbols as analyses print them.

use codeweft_db::SymbolId;

use super::reference_counts::reference_counts;
use crate::answer::SymbolInfo;
use crate::query_context::QueryContext;
use crate::rendering;
use crate::rendering::line;

/// Prints symbols in their order, with their uses counted, on all threads.
pub(crate) fn symbol_infos(query: &QueryContext<'_>, symbols: &[SymbolId]) -> Vec<SymbolInfo> {
    let counts = reference_counts(query);
    let facts = symbols
        .iter()
        .map(|&symbol| rendering::facts(query, symbol));
    let facts: Vec<_> = facts.collect();
    query.map(&facts, |languages, db, facts| {
        let language = facts.lang().and_then(|lang| languages.of(lang));
        let (node, range) = facts.node(db, language);
        let declared = range.as_ref().zip(language);
        let count = counts.of(facts.symbol);
        SymbolInfo {
            id: node.id,
            name: node.name,
            kind: node.kind,
            visibility: node.visibility,
            file: node.file,
            start_line: node.start_line,
            end_line: node.end_line,
            ref_count: count.all,
            external_ref_count: count.external,
            context: declared
                .and_then(|(range, language)| line::signature(db, language, range, facts.kind())),
        }
    })
}

/// Prints one symbol.
pub(crate) fn symbol_info(query: &QueryContext<'_>, symbol: SymbolId) -> SymbolInfo {
    symbol_infos(query, &[symbol]).pop().unwrap_or_default()
}
