//! Lowering of Go: text to [`FileIr`].
//!
//! `lower` parses the text into one or more trees (`parse`: `parser` for healthy text; else tree-sitter,
//! with `repair`, `split` and `scan` for broken text), which have the same form (`flat`). Then it walks
//! their declarations with a cursor (`walk`, `items`, `bodies`, `exprs`, `types`) and fills the arenas of [`ir`](self). Bodies are grouped into chunks by
//! `chunking`; `edited` lowers only the chunk that an edit touched.
//!
//! ```text
//! text ── parse ──> pieces (trees) ── GoLowering ──> Header, Items, Bodies, Ranges
//!           │
//!           └─ with errors: repaired copy of the text, else one piece per declaration
//! ```

mod arenas;
mod bodies;
mod chunking;
pub mod code;
mod composites;
mod constraint;
pub mod detail;
mod edited;
mod exprs;
mod flat;
mod grammar;
mod header;
mod ir;
mod items;
mod kinds;
mod literals;
mod outline;
mod parse;
mod parser;
mod parts;
mod print;
mod repair;
mod scan;
pub mod scopes;
mod signatures;
mod spec;
mod split;
mod text_parts;
pub mod texts;
mod types;
mod walk;

use std::sync::Arc;

pub use ir::*;
pub use parts::AsGo;
pub use print::print_ir;
pub use spec::GO;

use codeweft_syntax::{CachedTree, FileIr, Identifiers, Names, Ranges, Report};
use header::HeaderParts;
use items::Declarations;
use kinds::GoKind;
use repair::BlankedReceiver;
use walk::GoLowering;

/// Returns whether the parser for healthy text reads a text, rather than tree-sitter.
pub fn is_healthy(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    parser::parse(text, &|| false).is_some()
}

/// Lowers a Go text; see [`codeweft_syntax::lower`].
fn lower(
    text: &str,
    names: &Names,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    lower_parsed(text, &parse::parse(text, last, stop)?, names, stop)
}

/// Lowers a Go text with the same result as [`codeweft_syntax::lower_next`], by tree-sitter alone: what the
/// parser for healthy text is compared with.
pub fn lower_by_tree_sitter(
    text: &str,
    names: &Names,
    last: &mut CachedTree,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = parse::parse_by_tree_sitter(text, Some(last), stop)?;
    lower_parsed(text, &parsed, names, stop)
}

fn lower_parsed(
    text: &str,
    parsed: &parse::ParsedPieces,
    names: &Names,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let mut lowering = GoLowering::new(text, names, stop, parsed.pieces.first()?);
    let mut header = HeaderParts::default();
    let mut declarations = Declarations::default();
    declarations.bodies.borders = chunking::borders(text, &parsed.pieces);
    for piece in &parsed.pieces {
        lowering.enter_piece(piece);
        let (items, bodies) = (declarations.items.len(), declarations.bodies.len());
        lowering.source_file(&mut header, &mut declarations, &parsed.receivers);
        if lowering.stopped {
            return None;
        }
        if piece.unclosed {
            declarations.mark_last_broken(text, piece.end, items, bodies);
        }
    }
    let mut ranges = Ranges {
        lines: codeweft_syntax::line_starts(text),
        ..Ranges::default()
    };
    let report = Report {
        repaired: parsed.repaired,
        chunked: parsed.chunked,
        error_lines: parsed.error_lines(|offset| ranges.line_column(offset).0),
        cut: lowering.cut,
    };
    let identifiers = Identifiers::from_names(lowering.identifiers());
    let empty = lowering.empty;
    let (item_code, fields, item_tokens) = lowering.out.finish();
    let bodies = declarations.bodies.finish(lowering.other);
    ranges.package = header.package_span();
    ranges.imports = std::mem::take(&mut header.import_spans).into();
    ranges.items = declarations.item_spans.into();
    ranges.fields = fields;
    ranges.item_tokens = item_tokens;
    ranges.chunks = declarations.bodies.regions.into();
    ranges.bodies = declarations.bodies.spans.into();
    ranges.body_tokens = declarations.bodies.tokens.into();
    let header = header.finish(text, empty);
    let items = Items {
        code: item_code,
        items: declarations.items.into(),
    };
    Some(FileIr {
        header: Arc::new(codeweft_syntax::Header::new(header)),
        items: Arc::new(codeweft_syntax::Items::new(items)),
        bodies: Arc::new(codeweft_syntax::Bodies::new(bodies)),
        ranges: Arc::new(ranges),
        identifiers: Arc::new(identifiers),
        report: Arc::new(report),
    })
}

impl GoLowering<'_, '_> {
    /// Returns whether the declaration under the cursor is in a broken piece and does not begin a
    /// line. Then it is a local declaration of a broken function that lost its body.
    fn is_stray_local(&self) -> bool {
        let start = self.span().start as usize;
        self.tree_has_error && !scan::is_line_start(self.text.as_bytes(), start)
    }

    /// Lowers the declarations below the node under the cursor.
    fn source_file(
        &mut self,
        header: &mut HeaderParts,
        into: &mut Declarations,
        blanked: &[BlankedReceiver],
    ) {
        if !self.cursor.goto_first_child() {
            return;
        }
        loop {
            into.bodies.enter(self.span());
            match self.kind() {
                GoKind::Comment => self.directive(header),
                GoKind::PackageClause => self.package_clause(header),
                GoKind::ImportDeclaration => self.imports(header),
                GoKind::FunctionDeclaration | GoKind::MethodDeclaration => {
                    self.function(into, blanked)
                }
                // The locals of a broken function can end up outside of it.
                kind if kind.is_declaration() && self.is_stray_local() => self.intern_below(),
                GoKind::TypeDeclaration => self.types(into),
                GoKind::ConstDeclaration => self.consts(into),
                GoKind::VarDeclaration => self.vars(into),
                // Declarations inside an ERROR node may be whole.
                GoKind::Error if self.enter() => {
                    self.source_file(header, into, blanked);
                    self.leave();
                }
                _ => self.intern_below(),
            }
            if self.stopped || !self.cursor.goto_next_sibling() {
                break;
            }
        }
        self.cursor.goto_parent();
    }
}
