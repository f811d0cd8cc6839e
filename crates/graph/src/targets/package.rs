//! Packages as targets: a note what an operation takes them for (docs/graph.md §2).

use codeweft_db::{DeclaredIn, NodeKind, SymbolId};

use super::resolved::Target;
use crate::answer::TargetRules;
use crate::query_context::QueryContext;

/// Returns a target of packages with a note what they are taken for, if the operation takes them for
/// less than their names suggest: what calls a package calls its code outside functions, not what it
/// declares. Other targets stay.
pub(super) fn with_note(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    text: &str,
    mut target: Target,
) -> Target {
    let is_loaded = |&symbol: &SymbolId| {
        query.kind(symbol) == NodeKind::Package
            && matches!(query.key(symbol).declared_in, DeclaredIn::Unit(_))
    };
    if target.file.is_some() || target.local.is_some() || !target.symbols.iter().all(is_loaded) {
        return target;
    }
    if let Some(means) = rules.package_means {
        let note = format!("{text} is taken for {means}");
        target.note = Some(match target.note.take() {
            Some(known) => format!("{known}; {note}"),
            None => note,
        });
    }
    target
}
