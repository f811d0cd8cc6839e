//! The operation `outline`: what a file, a package or a type declares, in text order.
//!
//! ```text
//! store/db.go                 depth
//!   type DB struct            1
//!     path string             2      the nesting, not the indentation: a method of Go is written
//!   func (db *DB) Close()     2      outside of its type
//!   func Open() *DB           1
//! ```
//!
//! A Python package has its modules as members, whose declarations are one deeper.

use std::collections::BTreeMap;

use codeweft_db::{DeclaredIn, File, Lang, SymbolClass, SymbolId, Unit};

use super::declarations;
use super::result::OperationResult;
use crate::answer::{ApiError, ErrorType, GraphRequest, GraphResult};
use crate::completeness::incomplete_files::unit_incomplete_files;
use crate::completeness::unresolved_sites::UnresolvedSites;
use crate::outline::{FileDeclaration, declarations_of_unit};
use crate::query_context::QueryContext;
use crate::rendering::filtering::ResultRow;
use crate::rendering::line;
use crate::symbols;
use crate::targets;
use crate::targets::resolved::Target;

/// The maximum number of symbols around a declaration that are counted.
const MAX_NESTING: u32 = 64;

/// Returns the declarations of the target to the depth of the request.
///
/// # Errors
///
/// A package whose code was not read.
pub(super) fn outline(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> Result<OperationResult, ApiError> {
    let mut unresolved = UnresolvedSites::default();
    if let Some(file) = target.file {
        if let Some(printed) = excluded(query, request, file) {
            return Ok(OperationResult {
                printed,
                ..OperationResult::list(Vec::new(), unresolved)
            });
        }
        let mut outline = Outline::new(query, request.depth);
        if let Some(unit) = query.owner(file) {
            outline.add(unit, None, |other| other == file);
            add_incomplete(query, &mut unresolved, unit, |other| other == file);
        }
        return Ok(OperationResult::list(outline.rows(), unresolved));
    }
    let mut rows = Vec::new();
    for &symbol in &target.symbols {
        let mut outline = Outline::new(query, request.depth);
        match query.key(symbol).declared_in {
            DeclaredIn::Unit(unit) => {
                let units = query.units.named(unit.lang(query.db), unit.name(query.db));
                for &unit in units {
                    match query.key(symbol).class {
                        SymbolClass::Package => {
                            outline.add_package(&mut unresolved, unit, symbol);
                        }
                        _ => {
                            outline.add(unit, Some(symbol), |_| true);
                            add_members(query, &mut unresolved, unit, symbol);
                        }
                    }
                }
            }
            DeclaredIn::Absent(_) => return Err(not_read(query, symbol)),
            DeclaredIn::Builtin(lang) => outline.add_builtin(lang, symbol),
        }
        rows.append(&mut outline.rows());
    }
    Ok(OperationResult::list(rows, unresolved))
}

fn not_read(query: &QueryContext<'_>, symbol: SymbolId) -> ApiError {
    let id = symbols::id(query, symbol);
    ApiError::new(
        ErrorType::TargetNotFound,
        format!("outline of {id}: it is imported, but its code was not found"),
        "codeweft doctor says which packages are missing",
    )
}

/// A row with where its declaration is: the file's path, and the bytes of declaration and name.
type LocatedRow<'q> = ((&'q str, (u32, u32)), ResultRow);

/// The rows of an outline.
struct Outline<'q, 'a> {
    query: &'q QueryContext<'a>,
    /// The greatest depth that is listed.
    depth: u32,
    rows: Vec<LocatedRow<'q>>,
}

impl<'q, 'a> Outline<'q, 'a> {
    fn new(query: &'q QueryContext<'a>, depth: u32) -> Outline<'q, 'a> {
        Outline {
            query,
            depth,
            rows: Vec::new(),
        }
    }

    /// Returns the rows by path and position.
    fn rows(mut self) -> Vec<ResultRow> {
        self.rows.sort_by_key(|&(at, _)| at);
        self.rows.into_iter().map(|(_, row)| row).collect()
    }

    /// Adds what a unit declares in some files and inside a symbol.
    fn add(&mut self, unit: Unit, inside: Option<SymbolId>, is_wanted: impl Fn(File) -> bool) {
        let query = self.query;
        let depth = self.depth;
        let nesting = |symbol| nesting(query, symbol, inside).filter(|&nesting| nesting <= depth);
        let declared = declarations_of_unit(query, unit, is_wanted, |one| nesting(one).is_some());
        for one in declared {
            self.add_row(&one, nesting(one.symbol));
        }
    }

    /// Adds what a unit declares of a package: of a module that is a folder its other modules too.
    fn add_package(&mut self, unresolved: &mut UnresolvedSites, unit: Unit, package: SymbolId) {
        let query = self.query;
        let Some(language) = query.languages.of(unit.lang(query.db)) else {
            return;
        };
        let holds_all = language.package(query.db, unit) == package;
        let module = |file: File| {
            let module = language.module(query.db, file);
            module.filter(|&module| module != package)
        };
        add_incomplete(query, unresolved, unit, |file| {
            holds_all || module(file).is_none()
        });
        self.add(unit, None, |file| module(file).is_none());
        if !holds_all {
            return;
        }
        let mut modules: BTreeMap<SymbolId, Vec<File>> = BTreeMap::new();
        for &file in language.files(query.db, unit).iter() {
            if let Some(module) = module(file) {
                modules.entry(module).or_default().push(file);
            }
        }
        for (module, files) in modules {
            if let Some(first) = query.file(module) {
                let row = ResultRow {
                    depth: Some(1),
                    ..ResultRow::plain(module)
                };
                self.rows.push(((first.path(query.db), (0, 0)), row));
            }
            let depth = self.depth;
            let nesting = |symbol| {
                let nesting = nesting(query, symbol, None)? + 1;
                (nesting <= depth).then_some(nesting)
            };
            let is_wanted = |file: File| files.contains(&file);
            for one in declarations_of_unit(query, unit, is_wanted, |one| nesting(one).is_some()) {
                self.add_row(&one, nesting(one.symbol));
            }
        }
    }

    /// Adds the methods of a predeclared type: of Go's `error`.
    fn add_builtin(&mut self, lang: Lang, ty: SymbolId) {
        let Some(language) = self.query.languages.of(lang) else {
            return;
        };
        let universe = language.universe(self.query.db);
        let types = universe.types.iter().chain(&universe.interfaces);
        let own = types.filter(|row| row.symbol == ty);
        let methods = own.flat_map(|row| row.methods.iter());
        let methods = methods.map(|method| method.symbol).collect();
        for (method, at) in symbols::in_order(self.query, methods).into_iter().zip(0..) {
            let row = ResultRow {
                depth: Some(1),
                ..ResultRow::plain(method)
            };
            self.rows.push((("", (at, 0)), row));
        }
    }

    fn add_row(&mut self, one: &FileDeclaration, depth: Option<u32>) {
        let row = ResultRow {
            depth,
            ..ResultRow::plain(one.symbol)
        };
        let path = one.declaration.file.path(self.query.db);
        self.rows.push(((path, one.at()), row));
    }
}

/// Returns the number of symbols around a declaration, itself counted: all but its package, or those
/// inside one; `None` if it is not inside.
fn nesting(query: &QueryContext<'_>, symbol: SymbolId, inside: Option<SymbolId>) -> Option<u32> {
    let around = |symbol: SymbolId| {
        let parent = query.key(symbol).parent?;
        // Python's declarations have their module as parent, Go's none.
        (query.key(parent).class != SymbolClass::Package).then_some(parent)
    };
    let mut depth = 1;
    let mut enclosing = around(symbol);
    while enclosing != inside {
        depth += 1;
        enclosing = around(enclosing?);
        if depth > MAX_NESTING {
            return None;
        }
    }
    Some(depth)
}

/// Returns what a file declares that the build configuration excludes; `None` of any other file.
fn excluded(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    file: File,
) -> Option<Vec<GraphResult>> {
    let unit = query.owner(file)?;
    let language = query.languages.of(unit.lang(query.db))?;
    if !language.excluded(query.db, unit).contains(&file) {
        return None;
    }
    let mut declared = language.declarations_of_excluded(query.db, file);
    declared.sort_by_key(|one| (one.declaration.span.start, one.declaration.name.start));
    let results = declared.into_iter().filter_map(|one| {
        query.poll_cancellation();
        let depth = 1 + u32::from(one.parent.is_some());
        let signature = line::signature(query.db, language, &one.declaration, one.kind);
        let target = targets::excluded_target(query, language, unit, one);
        let mut result = declarations::printed(query, request, &target)?;
        result.depth = Some(depth);
        result.node.signature = signature;
        (depth <= request.depth).then_some(result)
    });
    Some(results.collect())
}

/// Adds the files of a unit that could declare more: those with syntax errors, and those that the build
/// configuration excludes.
fn add_incomplete(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    unit: Unit,
    is_wanted: impl Fn(File) -> bool,
) {
    for one in unit_incomplete_files(query.db, unit).iter() {
        if is_wanted(one.file) {
            unresolved.add_line(one.file, one.line.unwrap_or(1), 1, one.reason);
        }
    }
}

/// Adds the files of a unit that could declare members of a type: those with syntax errors that mention
/// it, and excluded ones that declare one.
fn add_members(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    unit: Unit,
    ty: SymbolId,
) {
    let Some(language) = query.languages.of(unit.lang(query.db)) else {
        return;
    };
    let name = query.key(ty).name;
    for one in unit_incomplete_files(query.db, unit).iter() {
        if !one.identifiers.contains(name) {
            continue;
        }
        let line = one.line.or_else(|| {
            let declared = language.declarations_of_excluded(query.db, one.file);
            let mut members = declared.iter().filter(|one| one.parent == Some(name));
            let first = members.next()?.declaration.name.start;
            let ranges = codeweft_db::file_ranges(query.db, one.file);
            Some(ranges.line_column(first).0)
        });
        if let Some(line) = line {
            unresolved.add_line(one.file, line, 1, one.reason);
        }
    }
}
