//! Lowering of Python: text to [`FileIr`].
//!
//! A text is parsed into one flat tree (`flat`): by ruff's parser (`healthy`), if it has no error or none once missing
//! brackets, quotes and operands are mended (`repair::mended`), else by tree-sitter (`repair`). One pass over it finds
//! scopes, items and imports (`scopes`). Then the body of each item is lowered on its own, in the order of the items,
//! following the flow of values through it (`walk`, `flow`).
//!
//! ```text
//! text ─┬──────────────── healthy::push ──> Flat ──┬─ scopes ──> items, bindings, imports
//!       ├─ repair::mended ──┘                │     └─ PythonLowering ──> nodes and uses of each body ── finish ──> FileIr
//!       └─ repair::parse ── tree ────────────┘
//! ```

mod binders;
mod calls;
mod chunks;
pub mod code;
mod comprehensions;
mod conditions;
mod cut;
mod declarations;
pub mod detail;
mod exports;
mod exprs;
mod finish;
mod flat;
mod flow;
mod grammar;
mod guards;
mod healthy;
mod implied;
mod imports;
mod ir;
mod kinds;
mod parts;
mod patterns;
mod print;
mod repair;
mod resolve;
mod reuse;
mod scopes;
pub mod scopes_at;
mod slices;
mod spec;
mod stmts;
mod strings;
mod targets;
mod text_parts;
pub mod texts;
mod types;
mod walk;
mod words;

pub use chunks::Chunk;
pub use cut::{Cut, ItemPart};
pub use ir::*;
pub use parts::AsPython;
pub use print::print_ir;
pub use spec::PYTHON;

use codeweft_syntax::{CachedTree, FileIr, Names};
use flat::{Flat, FlatIndex};
use healthy::Accepted;
use repair::Repairs;

/// Returns whether a text is read by the parser for healthy text, and not by tree-sitter.
pub fn is_healthy(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut flat = Flat::with_capacity(text.len());
    healthy::push(text, &mut flat, Accepted::Healthy).is_some()
}

/// Lowers a text with the tree of tree-sitter, healthy or not: what [`PYTHON`]'s lowering is compared
/// with.
pub fn lower_with_tree_sitter(text: &str, names: &Names) -> Option<FileIr> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    lower_repaired(text, names, None, &|| false)
}

/// Lowers a Python text; see [`codeweft_syntax::lower`]. The choice of the parser depends on the text
/// alone, and not on whether a tree of the text before is there.
fn lower(
    text: &str,
    names: &Names,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut flat = Flat::with_capacity(text.len());
    if let Some(root) = healthy::push(text, &mut flat, Accepted::Healthy) {
        return lower_tree(text, names, flat, root, Repairs::default(), stop);
    }
    if let Some(mended) = repair::mended(text)
        && let Some(root) = healthy::push(&mended.text, &mut flat, Accepted::Whole)
    {
        flat.map_offsets(root, |offset| mended.offset_in_text(offset));
        return lower_tree(text, names, flat, root, mended.repairs, stop);
    }
    lower_repaired(text, names, last, stop)
}

fn lower_repaired(
    text: &str,
    names: &Names,
    mut last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let parsed = repair::parse(text, last.as_deref_mut(), stop)?;
    let mut flat = Flat::with_capacity(text.len());
    let root = flat.push_whole(&parsed.tree, text.len() as u32, last, stop)?;
    lower_tree(text, names, flat, root, parsed.repairs, stop)
}

/// Lowers a tree that may have been repaired.
fn lower_tree(
    text: &str,
    names: &Names,
    mut flat: Flat,
    root: FlatIndex,
    repairs: Repairs,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let mut errors = std::mem::take(&mut flat.errors);
    let has_errors = !errors.is_empty();
    let mut words = words::SourceNames::new(text, names);
    errors.extend_from_slice(&repairs.errors);
    for word in repairs.unread_words(text) {
        words.intern(word);
    }
    let scopes = scopes::scopes(&flat, &mut words, &[root]);
    let mut lowering = walk::PythonLowering::new(words, flat, scopes, stop);
    lowering.has_errors = has_errors;
    lowering.run(&[root]);
    if lowering.stopped {
        return None;
    }
    let mut ir = lowering.finish(errors);
    if repairs.repaired > 0 || repairs.mended {
        let report = std::sync::Arc::make_mut(&mut ir.report);
        report.repaired = repairs.repaired;
        report.chunked = repairs.mended;
    }
    Some(ir)
}
