//! The operation `scope`: the scopes around a position, the innermost first.

use codeweft_db::scopes::ScopeForm;
use codeweft_db::{File, NameTarget, file_ranges};

use crate::answer::{
    AnalysisOperation, AnalysisResponse, ApiError, CheckedAnalysis, ErrorType, Scope, ScopeKind,
};
use crate::query_context::QueryContext;
use crate::symbols;
use crate::targets;

/// Lists the scopes around the position that the target is.
///
/// # Errors
///
/// The target is no position of a file that was read.
pub(super) fn scopes(
    query: &QueryContext<'_>,
    request: &CheckedAnalysis,
) -> Result<AnalysisResponse, ApiError> {
    let text = request.target.as_deref().unwrap_or_default().trim();
    let (file, offset) = position(query, text).ok_or_else(|| {
        ApiError::new(
            ErrorType::TargetNotFound,
            format!("{text}: no position of a file that was read"),
            "give path:line:column, both from 1, columns in bytes",
        )
    })?;
    let language = query.languages.of(file.lang(query.db));
    let found = language.map(|language| language.scopes_at(file.text(query.db), offset));
    let ranges = file_ranges(query.db, file);
    let scopes = found.into_iter().flatten().map(|scope| {
        let last = scope.span.end.saturating_sub(1).max(scope.span.start);
        let symbol_id =
            match scope.form {
                ScopeForm::File => symbols::package_of(query, file),
                _ => scope.name.and_then(|name| {
                    match language?.name_at(query.db, file, name.start)? {
                        NameTarget::Symbol(symbol) => Some(symbol),
                        NameTarget::Local { .. } => None,
                    }
                }),
            };
        Scope {
            kind: match scope.form {
                ScopeForm::File => ScopeKind::File,
                ScopeForm::Class => ScopeKind::Class,
                ScopeForm::Function => ScopeKind::Function,
                ScopeForm::Block => ScopeKind::Block,
                ScopeForm::Comprehension => ScopeKind::Comprehension,
            },
            file: file.path(query.db).to_string(),
            start_line: ranges.line_column(scope.span.start).0,
            end_line: ranges.line_column(last).0,
            symbol_id: symbol_id.map(|symbol| symbols::id(query, symbol).to_string()),
        }
    });
    Ok(AnalysisResponse {
        target: Some(text.to_owned()),
        scopes: Some(scopes.collect()),
        ..AnalysisResponse::new(AnalysisOperation::Scope)
    })
}

/// Returns the file and byte offset of `path:line:column`, or of the first word of `path:line`.
fn position(query: &QueryContext<'_>, text: &str) -> Option<(File, u32)> {
    if let Some(found) = targets::named_position(query, text) {
        return Some(found);
    }
    let (file, start) = targets::named_position(query, &format!("{text}:1"))?;
    let rest = file.text(query.db).get(start as usize..)?;
    let line = rest.split('\n').next().unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    Some((file, start + indent as u32))
}
