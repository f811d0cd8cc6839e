//! Qualified names (Go spec, Qualified identifiers), and the names in package clauses: what an export adds
//! to the uses of a file.

use codeweft_db::{Db, File, QualifiedName, Span, SymbolId, file_bodies, file_ranges};
use codeweft_go_syntax::{AsGo as _, ImportKind};

use crate::symbols::imported;
use crate::typing::UseRecord;
use crate::units::file_imports;
use crate::uses::{FilePart, walk};

/// Returns the qualified names of a file. Walks the file anew, since nothing else needs them.
pub(crate) fn qualified_names(db: &dyn Db, file: File) -> Vec<QualifiedName> {
    let all = file_bodies(db, file);
    let Some(bodies) = all.go() else {
        return Vec::new();
    };
    let part = FilePart {
        chunks: &bodies.chunks,
        declarations: Some(bodies.count() as u32),
    };
    let record = UseRecord::of_qualified_names();
    let walked = walk(db, file, record, &part, |_, _| true);
    let mut names = walked
        .and_then(|walked| walked.record.qualified)
        .unwrap_or_default();
    // A constant expression may be walked twice.
    names.sort_by_key(|name| (name.body, name.occ, name.member.is_none()));
    names.dedup_by_key(|name| (name.body, name.occ));
    names
}

/// Returns the range of the name in a file's package clause.
pub(crate) fn package_clause_name(db: &dyn Db, file: File) -> Option<Span> {
    let name = file.header(db).go()?.package;
    let length = db.shared().names.text(name).len() as u32;
    let end = file_ranges(db, file).package.end;
    let start = end.checked_sub(length)?;
    (length > 0).then_some(Span { start, end })
}

/// Returns the names that imports give packages (Go spec, Import declarations). The range of an import is that
/// of its path, which the name precedes.
pub(crate) fn import_names(db: &dyn Db, file: File) -> Vec<(SymbolId, Span)> {
    let (Some(header), text) = (file.header(db).go(), file.text(db)) else {
        return Vec::new();
    };
    let ranges = file_ranges(db, file);
    let targets = file_imports(db, file);
    let imports = header.imports.iter().zip(&targets.targets);
    let named = imports
        .zip(&ranges.imports)
        .filter_map(|((import, &target), span)| {
            let ImportKind::Named(name) = import.kind else {
                return None;
            };
            let name = db.shared().names.text(name);
            let before = text.get(..span.start as usize)?.trim_end();
            let start = before.strip_suffix(name)?.len() as u32;
            let end = start + name.len() as u32;
            Some((imported(db, target)?, Span { start, end }))
        });
    named.collect()
}
