//! The declarations of a file in text order, with what encloses each: the operation `outline`, and
//! `textDocument/documentSymbol` of editors.

use codeweft_db::{DeclarationRange, File, NodeKind, SymbolId, Unit};

use crate::query_context::QueryContext;

/// A declaration of a file that the build configuration includes.
#[derive(Clone, Debug)]
pub struct FileDeclaration {
    /// The symbol.
    pub symbol: SymbolId,
    /// Its kind.
    pub kind: NodeKind,
    /// The symbol that encloses it, which other files may declare: Go's methods have their type.
    pub parent: Option<SymbolId>,
    /// Its range.
    pub declaration: DeclarationRange,
}

impl FileDeclaration {
    /// Returns the sort key of text order.
    pub(crate) fn at(&self) -> (u32, u32) {
        let (span, name) = (self.declaration.span, self.declaration.name);
        (span.start.min(name.start), name.start)
    }
}

/// Returns the declarations of a file in text order. Packages, lambdas and the declarations in bodies
/// of Go are not included. Empty for a file that the build configuration excludes.
pub(crate) fn declarations_of_file(query: &QueryContext<'_>, file: File) -> Vec<FileDeclaration> {
    let Some(unit) = query.owner(file) else {
        return Vec::new();
    };
    let mut found = declarations_of_unit(query, unit, |other| other == file, |_| true);
    found.retain(|one| one.declaration.file == file);
    found.sort_by_key(FileDeclaration::at);
    found
}

/// Returns the declarations of a unit in files and of symbols that are wanted, in no order.
pub(crate) fn declarations_of_unit(
    query: &QueryContext<'_>,
    unit: Unit,
    is_wanted_file: impl Fn(File) -> bool,
    is_wanted: impl Fn(SymbolId) -> bool,
) -> Vec<FileDeclaration> {
    let Some(language) = query.languages.of(unit.lang(query.db)) else {
        return Vec::new();
    };
    let files = language.files(query.db, unit);
    let wanted: Vec<bool> = files.iter().map(|&file| is_wanted_file(file)).collect();
    let symbols = query.symbols(unit);
    let names = &query.db.shared().names;
    let rows = symbols.rows.iter().filter(|row| {
        wanted.get(row.file as usize) == Some(&true)
            && row.kind != NodeKind::Package
            && !names.text(row.name).starts_with('<')
            && is_wanted(row.symbol)
    });
    let declarations = rows.filter_map(|row| {
        query.poll_cancellation();
        Some(FileDeclaration {
            symbol: row.symbol,
            kind: row.kind,
            parent: query.key(row.symbol).parent,
            declaration: language.declaration_range(query.db, row.symbol)?,
        })
    });
    declarations.collect()
}
