//! The files of the workspace, with their texts and what could not be resolved in them.

use std::sync::Arc;

use codeweft_db::{
    Db, File, Lang, Language, Origin, RootDb, Unit, UnresolvedSite, file_ranges, file_report,
    has_secret,
};
use rustc_hash::FxHashSet;

use crate::query_context::{QueryContext, QueryOptions};
use crate::revision_cache::RevisionCache;
use crate::symbols;

/// A file of the workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileRow {
    /// Relative to the workspace's root with `/`; absolute outside it.
    pub path: Arc<str>,
    /// The language.
    pub lang: Lang,
    /// The id of its package; empty if it is in none.
    pub package: Arc<str>,
    /// The folder of its unit, as paths of files.
    pub directory: Arc<str>,
    /// Whether it has only tests.
    pub test: bool,
    /// Whether it says that it is generated, by the language's rule.
    pub generated: bool,
    /// Whether the build configuration selects it.
    pub built: bool,
    /// The text, without a byte-order mark. Written nowhere if `has_secret`: see [`FileRow::visible_text`].
    pub text: Arc<str>,
    /// Whether the text has a secret.
    pub has_secret: bool,
    /// What its lines are.
    pub lines: LineCounts,
    /// The first line that could not be read, 1-based, and their number; of files that are built.
    pub error_lines: Option<(u32, u32)>,
    /// The calls whose target is not known, by position.
    pub unresolved: Vec<UnresolvedRow>,
}

impl FileRow {
    /// Returns the text as far as it may be written: nothing of one with a secret.
    pub fn visible_text(&self) -> &str {
        if self.has_secret { "" } else { &self.text }
    }
}

/// The numbers of lines of a text. A line that has code and a comment is one of code, an empty line inside a
/// token, as of a raw string, too.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LineCounts {
    /// All of them; one without a line break at its end counts.
    pub total: u32,
    /// With a token of code.
    pub code: u32,
    /// With a comment alone.
    pub comment: u32,
    /// With white space alone.
    pub blank: u32,
}

/// A call whose target is not known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnresolvedRow {
    /// 1-based; 0, as `column`, without a position.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
    /// The name that is called; empty for a call of a function value.
    pub name: String,
    /// The number of arguments, if it is known.
    pub arguments: Option<u8>,
    /// The reason, by its name on the wire.
    pub reason: &'static str,
}

/// Visits every file of the workspace that belongs to a package, those that the build configuration
/// excludes too, by path.
pub fn each_file(db: &RootDb, threads: usize, visit: &mut dyn FnMut(FileRow)) {
    let cache = RevisionCache::default();
    let query = QueryContext::new(db, QueryOptions::new(&cache, threads));
    for row in file_rows(&query) {
        visit(row);
    }
}

/// A file of the workspace, without what has to be read of it.
#[derive(Clone, Debug)]
pub(super) struct ListedFile {
    pub(super) file: File,
    pub(super) unit: Unit,
    /// Its number in the unit's files; `None` if the build configuration excludes it.
    pub(super) number: Option<u32>,
    /// The id of its package; empty if it is in none.
    pub(super) package: Arc<str>,
    pub(super) directory: Arc<str>,
}

/// Returns the files of the workspace that belong to a package, by path.
pub(super) fn listed(query: &QueryContext<'_>) -> Vec<ListedFile> {
    let db = query.db;
    let mut files = Vec::new();
    let mut seen: FxHashSet<File> = FxHashSet::default();
    for &unit in query.units.all.iter() {
        let Some(language) = query.languages.of(unit.lang(db)) else {
            continue;
        };
        if unit.origin(db) != Origin::Workspace {
            continue;
        }
        let built = language.files(db, unit);
        let built = built.iter().zip(0_u32..);
        let built = built.map(|(&file, number)| (file, Some(number)));
        let others = unit.files(db).iter().map(|&file| (file, None));
        for (file, number) in built.chain(others) {
            if seen.insert(file) {
                let package = symbols::package_of(query, file);
                let package = package.map(|package| symbols::id(query, package));
                files.push(ListedFile {
                    file,
                    unit,
                    number,
                    package: package.unwrap_or_default(),
                    directory: unit.dir(db).clone(),
                });
            }
        }
    }
    files.sort_by(|a, b| a.file.path(db).cmp(b.file.path(db)));
    files
}

/// Returns the row of a listed file.
pub(super) fn row(db: &dyn Db, language: &dyn Language, listed: &ListedFile) -> FileRow {
    let file = listed.file;
    let text = file.text(db).clone();
    let built = listed.number.is_some();
    FileRow {
        path: file.path(db).clone(),
        lang: file.lang(db),
        package: listed.package.clone(),
        directory: listed.directory.clone(),
        test: language.is_test(db, file),
        generated: language.is_generated(db, file),
        built,
        has_secret: has_secret(db, file),
        lines: line_counts(language, &text),
        error_lines: built.then(|| error_lines(db, file)).flatten(),
        unresolved: if built {
            unresolved(db, language, file)
        } else {
            Vec::new()
        },
        text,
    }
}

fn file_rows(query: &QueryContext<'_>) -> Vec<FileRow> {
    let rows = query.map(&listed(query), |languages, db, listed| {
        let language = languages.of(listed.file.lang(db))?;
        Some(row(db, language, listed))
    });
    rows.into_iter().flatten().collect()
}

fn error_lines(db: &dyn Db, file: File) -> Option<(u32, u32)> {
    let report = file_report(db, file);
    let first = report.error_lines.first()?;
    Some((*first, report.error_lines.len() as u32))
}

fn unresolved(db: &dyn Db, language: &dyn Language, file: File) -> Vec<UnresolvedRow> {
    let uses = language.uses(db, file);
    let sites = uses.unresolved.iter();
    let mut rows: Vec<UnresolvedRow> = sites
        .filter(|site| !site.is_possible_other_use())
        .map(|site| {
            let offset = language.offset(db, file, site.body, site.occ);
            let position = offset.map(|offset| file_ranges(db, file).line_column(offset));
            let (line, column) = position.unwrap_or_default();
            let counted = site.arguments != UnresolvedSite::ANY_COUNT;
            UnresolvedRow {
                line,
                column,
                name: db.shared().names.text(site.name).to_owned(),
                arguments: counted.then_some(site.arguments),
                reason: site.reason.wire_name(),
            }
        })
        .collect();
    rows.sort();
    rows
}

/// Counts the lines of a text.
fn line_counts(language: &dyn Language, text: &str) -> LineCounts {
    let mut counts = LineCounts::default();
    let tokens = language.code_tokens(text);
    let mut tokens = tokens.iter().peekable();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        counts.total += 1;
        while tokens
            .peek()
            .is_some_and(|token| token.span.end as usize <= start)
        {
            tokens.next();
        }
        let has_code = tokens
            .peek()
            .is_some_and(|token| (token.span.start as usize) < end);
        if has_code {
            counts.code += 1;
        } else if line.trim().is_empty() {
            counts.blank += 1;
        } else {
            counts.comment += 1;
        }
        start = end;
    }
    counts
}
