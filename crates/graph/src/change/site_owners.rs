//! The declarations whose code has a site, by the site's offset.

use codeweft_db::{File, NodeKind, Span, SymbolId};
use rustc_hash::FxHashMap;

use crate::outline::declarations_of_file;
use crate::query_context::QueryContext;
use crate::symbols;

/// The functions of files, read as they are needed.
#[derive(Default)]
pub(super) struct SiteOwners(FxHashMap<File, Vec<(Span, SymbolId)>>);

impl SiteOwners {
    /// Returns the innermost function around a byte offset of a file, else the file's package.
    pub(super) fn owner(
        &mut self,
        query: &QueryContext<'_>,
        file: File,
        offset: u32,
    ) -> Option<SymbolId> {
        let functions = self.0.entry(file).or_insert_with(|| {
            let declared = declarations_of_file(query, file).into_iter();
            let functions = declared
                .filter(|one| matches!(one.kind, NodeKind::Function | NodeKind::Method))
                .map(|one| (one.declaration.span, one.symbol));
            functions.collect()
        });
        let around = functions.iter().rev();
        let mut around = around.filter(|(span, _)| span.start <= offset && offset < span.end);
        let function = around.next().map(|&(_, function)| function);
        function.or_else(|| symbols::package_of(query, file))
    }
}
