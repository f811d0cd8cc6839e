//! `textDocument/implementation`: implementing types, subclasses and overrides; for a concrete Go
//! type its interfaces.

use codeweft_ide::editor;
use lsp_types::ImplementationParams;

use super::plan::{ClientSession, RequestPlan};
use super::query_forms::locations_at;

pub(super) const METHOD: &str = "textDocument/implementation";

pub(super) fn plan(params: ImplementationParams, session: &ClientSession<'_>) -> RequestPlan {
    let at = &params.text_document_position_params;
    locations_at(at, session, editor::implementation)
}
