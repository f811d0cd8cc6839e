//! What an export for other repositories adds to the edges: names of packages in the text, uses of packages
//! that are not loaded, and names that mean what another package declares.

use std::sync::Arc;

use codeweft_db::{
    Db as _, File, Lang, Language, QualifiedName, Role, RootDb, SymbolClass, file_ranges,
};
use rustc_hash::FxHashSet;

use super::SymbolPath;
use super::paths::path;
use crate::call_graph;
use crate::operations::uses::reference_kind;
use crate::query_context::{QueryContext, QueryOptions};
use crate::revision_cache::RevisionCache;
use crate::symbols;

/// The names of packages in a file of the workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QualifiedFile {
    /// As paths of nodes.
    pub path: Arc<str>,
    /// The language.
    pub lang: Lang,
    /// The id of the file's package with the position of its name in the clause that begins the file.
    pub clause: Option<(Arc<str>, Position)>,
    /// The ids of packages with the positions of the names that imports give them in the file, and of
    /// declarations that imports name.
    pub imported: Vec<(Arc<str>, Position)>,
    /// The qualified names, by position.
    pub names: Vec<QualifiedRow>,
    /// The number of calls of what packages without source give, of which the text does not say the name in
    /// the package.
    pub unnamed: u64,
}

/// A position in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
}

/// A qualified name in the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct QualifiedRow {
    /// The position of the package's name.
    pub position: Position,
    /// The id of the package.
    pub package: Arc<str>,
    /// The id of the enclosing declaration.
    pub from: Arc<str>,
    /// What is behind the dot, if the package is not loaded.
    pub member: Option<AbsentRow>,
}

/// A use of what a package that is not loaded declares.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AbsentRow {
    /// The name in the package.
    pub name: Arc<str>,
    /// The position of the name.
    pub position: Position,
    /// The kind of the use as of a reference; `None` for a call.
    pub kind: Option<&'static str>,
    /// Whether the use is inside a function literal.
    pub in_literal: bool,
}

/// A name of a package that means what another package declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AliasRow {
    /// The path of the package.
    pub package: SymbolPath,
    /// The name in it.
    pub name: Arc<str>,
    /// What it means.
    pub target: SymbolPath,
}

/// Visits every file of the workspace that the build configuration selects, by path.
pub fn each_qualified_file(db: &RootDb, threads: usize, visit: &mut dyn FnMut(QualifiedFile)) {
    let cache = RevisionCache::default();
    let query = QueryContext::new(db, QueryOptions::new(&cache, threads));
    let mut files: Vec<File> = Vec::new();
    for unit in symbols::own_units(&query) {
        if let Some(language) = query.languages.of(unit.lang(db)) {
            files.extend(language.files(db, unit).iter());
        }
    }
    files.sort_by(|one, other| one.path(db).cmp(other.path(db)));
    files.dedup();
    let names = query.map(&files, |languages, db, &file| {
        let language = languages.of(file.lang(db))?;
        Some(language.qualified_names(db, file))
    });
    for (file, names) in files.into_iter().zip(names) {
        if let Some(language) = query.languages.of(file.lang(db)) {
            visit(qualified_file(
                &query,
                language,
                file,
                &names.unwrap_or_default(),
            ));
        }
    }
}

fn qualified_file(
    query: &QueryContext<'_>,
    language: &dyn Language,
    file: File,
    names: &[QualifiedName],
) -> QualifiedFile {
    let db = query.db;
    let ranges = file_ranges(db, file);
    let at = |offset: u32| {
        let (line, column) = ranges.line_column(offset);
        Position { line, column }
    };
    let clause = language
        .package_clause_name(db, file)
        .zip(symbols::package_of(query, file))
        .map(|(span, package)| (symbols::id(query, package), at(span.start)));
    let imported = language.import_names(db, file).into_iter();
    let mut imported: Vec<(Arc<str>, Position)> = imported
        .map(|(package, span)| (symbols::id(query, package), at(span.start)))
        .collect();
    let mut rows = Vec::new();
    let mut unnamed = 0;
    call_graph::enclosing(query, file, |uses, owner| {
        let named: FxHashSet<(u32, u32)> = names
            .iter()
            .filter_map(|name| Some((name.body, name.member?.occ)))
            .collect();
        for (target, sites) in uses.iter() {
            let is_package = query.key(target).class == SymbolClass::Package;
            let imports = sites.iter().filter(|one| one.role == Role::Import);
            let offsets = imports.filter_map(|one| language.offset(db, file, one.body, one.occ));
            if !is_package {
                imported.extend(offsets.map(|offset| (symbols::id(query, target), at(offset))));
            }
        }
        let of_absent = uses.unresolved.iter().filter(|site| site.absent.is_some());
        unnamed = of_absent
            .filter(|site| !named.contains(&(site.body, site.occ)))
            .count() as u64;
        rows.extend(names.iter().filter_map(|name| {
            let position = at(language.offset(db, file, name.body, name.occ)?);
            let member = name.member.and_then(|member| {
                Some(AbsentRow {
                    name: db.shared().names.text(member.name).into(),
                    position: at(language.offset(db, file, name.body, member.occ)?),
                    kind: reference_kind(member.role),
                    in_literal: member.in_literal,
                })
            });
            Some(QualifiedRow {
                position,
                package: symbols::id(query, name.package),
                from: symbols::id(query, owner(name.body)),
                member,
            })
        }));
    });
    imported.sort();
    imported.dedup();
    rows.sort();
    rows.dedup();
    QualifiedFile {
        path: file.path(db).clone(),
        lang: file.lang(db),
        clause,
        imported,
        names: rows,
        unnamed,
    }
}

/// Visits every name of a package of the workspace that means what another package declares, by unit.
pub fn each_alias(db: &RootDb, threads: usize, visit: &mut dyn FnMut(AliasRow)) {
    let cache = RevisionCache::default();
    let query = QueryContext::new(db, QueryOptions::new(&cache, threads));
    let units = symbols::own_units(&query);
    let found = query.map(&units, |languages, db, unit| {
        let language = languages.of(unit.lang(db))?;
        Some(language.aliases(db, *unit))
    });
    for alias in found.into_iter().flatten().flatten() {
        visit(AliasRow {
            package: path(&query, alias.package),
            name: db.shared().names.text(alias.name).into(),
            target: path(&query, alias.target),
        });
    }
}
