//! Resolved targets.

use codeweft_db::{DeclarationRange, File, NodeKind, SymbolId};
use rustc_hash::FxHashMap;

use crate::answer::{ApiError, ChangeType, ErrorType};
use crate::query_context::QueryContext;
use crate::symbols;
use crate::symbols::redefinitions::without_numbers;

/// How many candidates an error lists.
pub const MAX_CANDIDATES: usize = 20;

/// A resolved target.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The symbols, by id; several for redefined names, patterns, folders and files. For a local
    /// the enclosing function.
    pub(crate) symbols: Vec<SymbolId>,
    /// The resolved id; for a set the text as given.
    pub(crate) printed: String,
    /// Why the text was taken for the symbols, if it is neither their id nor the end of it alone.
    pub(crate) note: Option<String>,
    /// The file, if the target is a file: it means the file's declarations as seen from outside of
    /// it.
    pub(crate) file: Option<File>,
    /// A local variable, parameter or constant, or an excluded declaration.
    pub(crate) local: Option<LocalTarget>,
    /// For a change of texts: how each of the symbols changes.
    pub(crate) changes: FxHashMap<SymbolId, ChangeType>,
}

/// A declaration without a symbol: a local of a function, or a declaration of an excluded file.
#[derive(Clone, Debug)]
pub(crate) struct LocalTarget {
    /// The name.
    pub(crate) name: String,
    /// The kind.
    pub(crate) kind: NodeKind,
    /// Whether the name alone makes it visible outside its package.
    pub(crate) public: bool,
    /// Whether the build configuration excludes its file.
    pub(crate) excluded: bool,
    /// The range of the declaration.
    pub(crate) range: DeclarationRange,
}

impl Target {
    /// Returns a text to search for: it means no symbol.
    pub(super) fn text(text: &str) -> Target {
        Target {
            symbols: Vec::new(),
            printed: text.to_owned(),
            note: None,
            file: None,
            local: None,
            changes: FxHashMap::default(),
        }
    }

    /// Returns the target of a change of texts that touches some symbols.
    pub(crate) fn of_change(
        symbols: Vec<SymbolId>,
        printed: String,
        changes: FxHashMap<SymbolId, ChangeType>,
    ) -> Target {
        Target {
            symbols,
            printed,
            changes,
            ..Target::text("")
        }
    }

    /// Returns how a symbol changes, in an `impact` that assumes `otherwise` for a single target.
    pub(crate) fn change_of(&self, symbol: SymbolId, otherwise: ChangeType) -> ChangeType {
        self.changes.get(&symbol).copied().unwrap_or(otherwise)
    }
}

fn single_target(query: &QueryContext<'_>, symbol: SymbolId) -> Target {
    Target {
        note: None,
        symbols: vec![symbol],
        printed: symbols::distinct_id(query, symbol),
        file: None,
        local: None,
        changes: FxHashMap::default(),
    }
}

/// Returns the target of a symbol found by an id or the end of one: all its redefinitions, or
/// those with the written numbers.
pub(super) fn target_of_id(query: &QueryContext<'_>, symbol: SymbolId, written: &str) -> Target {
    let symbols = symbols::definitions_of_id(query, symbol, written);
    let first = symbols::distinct_id(query, symbols.first().copied().unwrap_or(symbol));
    let all = symbols.len() > 1 && !written.contains('#');
    Target {
        note: None,
        printed: if all { without_numbers(&first) } else { first },
        symbols: symbols::in_order(query, symbols),
        file: None,
        local: None,
        changes: FxHashMap::default(),
    }
}

/// Returns the target of a symbol found by position: all its redefinitions.
pub(super) fn target_of_symbol(query: &QueryContext<'_>, symbol: SymbolId) -> Target {
    target_of_id(query, symbol, "")
}

pub(super) fn set_target(query: &QueryContext<'_>, symbols: Vec<SymbolId>, text: &str) -> Target {
    let symbols = symbols::in_order(query, symbols);
    match symbols[..] {
        [symbol] => single_target(query, symbol),
        _ => Target {
            note: None,
            symbols,
            printed: text.to_owned(),
            file: None,
            local: None,
            changes: FxHashMap::default(),
        },
    }
}

/// Returns the error for a text that fits several symbols, which are listed in this order.
pub(super) fn ambiguous(query: &QueryContext<'_>, text: &str, symbols: &[SymbolId]) -> ApiError {
    let candidates = symbols.iter().take(MAX_CANDIDATES);
    let instead = match symbols.len() {
        0..=MAX_CANDIDATES => "ask with one of the candidates",
        _ => "ask with one of the candidates; search lists all",
    };
    ApiError::new(
        ErrorType::AmbiguousTarget,
        format!("{text} fits {} symbols", symbols.len()),
        instead,
    )
    .with_candidates(
        candidates
            .map(|&symbol| symbols::distinct_id(query, symbol))
            .collect(),
    )
}
