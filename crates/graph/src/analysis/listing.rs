//! Which declarations of the workspace a request lists, and in which order.

use codeweft_db::{NodeKind, SymbolId, Unit};

use crate::answer::{ApiError, CheckedAnalysis, Visibility};
use crate::pattern::{Pattern, plain_path};
use crate::query_context::QueryContext;
use crate::symbols;

/// The filters of a request on declarations.
pub(crate) struct Selection {
    kinds: Vec<NodeKind>,
    visibility: Option<Visibility>,
    path_prefix: String,
    pattern: Option<NamePattern>,
    include_tests: bool,
}

/// A pattern of names.
enum NamePattern {
    /// With wildcards, of the whole name.
    Whole(Pattern),
    /// Letters that the name has side by side, small and capital ones alike.
    Part(String),
}

impl Selection {
    /// Reads the filters of a request.
    ///
    /// # Errors
    ///
    /// A pattern that cannot be parsed.
    pub(crate) fn of(request: &CheckedAnalysis) -> Result<Selection, ApiError> {
        let pattern = match request.pattern.as_deref().map(str::trim) {
            None => None,
            Some(text) => Some(match Pattern::parse("pattern", text)? {
                Pattern::Plain(_) => NamePattern::Part(text.to_lowercase()),
                wild => NamePattern::Whole(wild),
            }),
        };
        let kinds = request.kinds.iter().flatten();
        Ok(Selection {
            kinds: kinds.filter_map(|kind| NodeKind::named(kind)).collect(),
            visibility: request.visibility,
            path_prefix: plain_path(request.path_prefix.as_deref().unwrap_or_default()),
            pattern,
            include_tests: request.include_tests,
        })
    }

    /// Returns whether a file with this path is one of those.
    pub(crate) fn has_path(&self, path: &str) -> bool {
        let rest = path.strip_prefix(&self.path_prefix);
        self.path_prefix.is_empty()
            || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    fn has_name(&self, name: &str) -> bool {
        match &self.pattern {
            None => true,
            Some(NamePattern::Whole(pattern)) => pattern.matches(name),
            Some(NamePattern::Part(part)) => name.to_lowercase().contains(part),
        }
    }

    fn has_kind(&self, kind: NodeKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    fn has_visibility(&self, public: bool) -> bool {
        match self.visibility {
            None => true,
            Some(visibility) => (visibility == Visibility::Public) == public,
        }
    }
}

/// Returns the selected declarations of the workspace, by package, file and text.
pub(crate) fn declared(query: &QueryContext<'_>, selection: &Selection) -> Vec<SymbolId> {
    declared_in(query, &symbols::own_units(query), selection)
}

/// Returns the selected declarations of some units, unit by unit in order of file and text.
pub(crate) fn declared_in(
    query: &QueryContext<'_>,
    units: &[Unit],
    selection: &Selection,
) -> Vec<SymbolId> {
    let names = &query.db.shared().names;
    let found = query.map(units, |languages, db, &unit| {
        let Some(language) = languages.of(unit.lang(db)) else {
            return Vec::new();
        };
        let files = language.files(db, unit);
        let is_selected: Vec<bool> = files
            .iter()
            .map(|&file| {
                let is_of_tests = || language.is_test(db, file);
                selection.has_path(file.path(db)) && (selection.include_tests || !is_of_tests())
            })
            .collect();
        let symbols = language.symbols(db, unit);
        let rows = symbols.rows.iter().filter(|row| {
            // A package without a file of its own, a folder say, has no path.
            let file = is_selected.get(row.file as usize).copied();
            file.unwrap_or(selection.path_prefix.is_empty())
                && selection.has_kind(row.kind)
                && selection.has_visibility(row.public)
                && selection.has_name(names.text(row.name))
        });
        rows.map(|row| row.symbol).collect()
    });
    let mut seen = rustc_hash::FxHashSet::default();
    let found = found.into_iter().flatten();
    // Units of one package share its symbol.
    found.filter(|&symbol| seen.insert(symbol)).collect()
}
