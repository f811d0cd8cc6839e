//! Lowering of Python: text to [`FileIr`].
//!
//! A text is parsed (`repair`, which also mends broken text) and copied into one flat tree
//! (`flat`). One pass over it finds scopes, items and imports (`scopes`). Then the body of each
//! item is lowered on its own, in the order of the items, following the flow of values through it
//! (`walk`, `flow`).
//!
//! ```text
//! text ── repair::parse ──> tree ── Flat ──┬─ scopes ──> items, bindings, imports
//!                                          └─ PythonLowering ──> nodes and uses of each body ── finish ──> FileIr
//! ```

mod binders;
mod calls;
mod chunks;
mod comprehensions;
mod conditions;
mod cut;
mod declarations;
mod exports;
mod exprs;
mod finish;
mod flat;
mod flow;
mod grammar;
mod guards;
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
mod slices;
mod spec;
mod stmts;
mod strings;
mod targets;
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

/// Lowers a Python text; see [`codeweft_syntax::lower`].
fn lower(
    text: &str,
    names: &Names,
    mut last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = repair::parse(text, last.as_deref_mut(), stop)?;
    let mut flat = flat::Flat::with_capacity(text.len());
    let root = flat.push_whole(&parsed.tree, text.len() as u32, last, stop)?;
    let mut errors = std::mem::take(&mut flat.errors);
    let has_errors = !errors.is_empty();
    errors.extend_from_slice(&parsed.errors);
    let mut words = words::SourceNames::new(text, names);
    for word in parsed.unread_words(text) {
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
    let report = std::sync::Arc::make_mut(&mut ir.report);
    report.repaired = parsed.repaired;
    report.chunked = parsed.mended;
    Some(ir)
}
