//! Parses a text into a tree, with repairs if it has errors.
//!
//! Repairs are edits of the parser's copy of the text. Afterwards the tree is edited back, so every
//! offset is one of the original text; inserted text has no width. The attempts, in order:
//!
//! - (1) the text as it is;
//! - (2) with constructs that the grammar does not support rewritten ([`gaps`]);
//! - (3) with missing brackets, quotes and colons inserted ([`mend`]);
//! - (4) with statements replaced that hide declarations.
//!
//! The first tree without errors is taken, else the one that loses the fewest declarations, and
//! among those the one with the fewest errors. The result depends on the text alone.
//!
//! ```python
//! def f(a, b:         # parsed as `def f(a, b):`      (3)
//!     return [1, 2    # parsed as `return [1, 2]`     (3)
//! x = = = (           # parsed as `pass`              (4), if it hides `g` otherwise
//! def g(): pass
//! ```

mod gaps;
mod lexemes;
mod mend;
mod plain;

use std::ops::Range;

use tree_sitter::{InputEdit, Point, Tree};

use codeweft_syntax::CachedTree;
use lexemes::{PythonLexeme, PythonScanner};
use mend::Line;
use plain::plain;

/// The tree of a text that may have been repaired.
pub(super) struct RepairedTree {
    /// The tree, with offsets of the original text.
    pub(super) tree: Tree,
    pub(super) repairs: Repairs,
}

/// What was changed in the parser's copy of a text.
#[derive(Default)]
pub(super) struct Repairs {
    /// Offsets of errors that are not visible in the tree, in order.
    pub(super) errors: Vec<u32>,
    /// Number of rewritten constructs that the grammar does not support.
    pub(super) repaired: u32,
    /// Whether missing text was inserted or statements were replaced.
    pub(super) mended: bool,
    /// Ranges of the text that the tree was not made from.
    replaced: Vec<Range<usize>>,
}

impl Repairs {
    /// Returns the words of the text that the tree was not made from.
    pub(super) fn unread_words<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let texts = self
            .replaced
            .iter()
            .filter_map(|range| text.get(range.clone()));
        let words = |text: &'t str| {
            let found = PythonScanner::new(text.as_bytes(), None);
            let found = found.filter(|one| one.lexeme == PythonLexeme::Word);
            found.filter_map(move |one| text.get(one.bytes()))
        };
        texts.flat_map(words).collect()
    }
}

/// The replacement of a range by other bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ByteEdit {
    bytes: Range<usize>,
    with: Vec<u8>,
}

impl ByteEdit {
    fn new(start: usize, end: usize, with: &str) -> ByteEdit {
        ByteEdit {
            bytes: start..end,
            with: with.into(),
        }
    }
}

/// Maximum number of times that statements are replaced.
const MAX_ROUNDS: usize = 3;
/// A text with more missing parts than this is not mended.
const MAX_EDITS: usize = 4096;

/// Where the offsets of an edited copy are in the text.
struct Offsets(Vec<EditedRange>);

/// The offsets of an edit.
struct EditedRange {
    /// Where it starts in the text.
    start: usize,
    /// Where it ends in the text.
    end: usize,
    /// Where it ends in the copy.
    end_in_copy: usize,
}

impl Offsets {
    /// Maps an offset in the copy to the text: one inside of an edit to its start.
    fn in_text(&self, at: usize) -> usize {
        let before = self.0.partition_point(|edit| edit.end_in_copy <= at);
        let last = before.checked_sub(1).map(|last| &self.0[last]);
        let mapped = last.map_or(at, |last| last.end + (at - last.end_in_copy));
        let next = self.0.get(before);
        next.map_or(mapped, |next| mapped.min(next.start))
    }
}

/// Returns the copy of a text with edits applied, which are in order and do not overlap.
fn edited(text: &[u8], edits: &[ByteEdit]) -> (Vec<u8>, Offsets) {
    let mut copy = Vec::with_capacity(text.len() + edits.len() * 4);
    let mut ranges = Vec::with_capacity(edits.len());
    let mut at = 0;
    for ByteEdit { bytes, with } in edits {
        copy.extend_from_slice(&text[at..bytes.start]);
        copy.extend_from_slice(with);
        at = bytes.end;
        ranges.push(EditedRange {
            start: bytes.start,
            end: bytes.end,
            end_in_copy: copy.len(),
        });
    }
    copy.extend_from_slice(&text[at..]);
    (copy, Offsets(ranges))
}

/// The copy of a text in which missing brackets, quotes, colons and operands are mended.
pub(super) struct MendedText {
    pub(super) text: String,
    pub(super) repairs: Repairs,
    offsets: Offsets,
}

impl MendedText {
    /// Maps an offset in the copy to the text: inserted text has no width.
    pub(super) fn offset_in_text(&self, offset: u32) -> u32 {
        self.offsets.in_text(offset as usize) as u32
    }
}

/// Returns the mended copy of a text; `None` if edits cut a character, which they do not.
pub(super) fn mended(text: &str) -> Option<MendedText> {
    let mut mended = mend::mend(&plain(text.as_bytes()));
    if mended.edits.len() > MAX_EDITS {
        mended = mend::Mended::default();
    }
    let is_mended = !mended.edits.is_empty();
    let (copy, offsets) = edited(text.as_bytes(), &joined(Vec::new(), mended.edits));
    let mut errors = mended.errors;
    errors.sort_unstable();
    errors.dedup();
    Some(MendedText {
        text: String::from_utf8(copy).ok()?,
        offsets,
        repairs: Repairs {
            errors,
            mended: is_mended,
            ..Repairs::default()
        },
    })
}

/// Parses a text; `None` if `stop` returned `true`.
pub(super) fn parse(
    text: &str,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<RepairedTree> {
    let bytes = plain(text.as_bytes());
    let nul = |(at, &byte): (u32, &u8)| (byte == 0).then_some(at);
    let errors: Vec<u32> = if text.contains('\0') {
        (0..).zip(text.as_bytes()).filter_map(nul).collect()
    } else {
        Vec::new()
    };
    let whole = codeweft_syntax::tree::parse_next(&bytes, &crate::grammar::GRAMMAR, last, stop)?;
    if !whole.root_node().has_error() {
        let repairs = Repairs {
            errors,
            ..Repairs::default()
        };
        return Some(RepairedTree {
            tree: whole,
            repairs,
        });
    }

    let found: Vec<_> = PythonScanner::new(&bytes, None).collect();
    let mut gaps = gaps::gaps(&bytes, &found);
    drop(found);
    gaps.truncate(MAX_EDITS);
    let repaired = gaps.len() as u32;
    let mut best = Candidate {
        tree: whole,
        edits: Vec::new(),
        offsets: Offsets(Vec::new()),
    };
    if repaired > 0 {
        best = Candidate::read(&bytes, gaps.clone(), stop)?;
    }
    let mut mended = false;
    let mut all_errors = errors;
    if best.tree.root_node().has_error() {
        let mend::Mended {
            edits,
            errors: mut wrong,
            lines,
        } = mend::mend(&bytes);
        wrong.sort_unstable();
        wrong.truncate(MAX_EDITS);
        let mut loss = best.loss(&bytes, &lines);
        if !edits.is_empty() && edits.len() <= MAX_EDITS {
            let next = Candidate::read(&bytes, joined(gaps, edits), stop)?;
            let next_loss = next.loss(&bytes, &lines);
            if next_loss < loss {
                (best, loss, mended) = (next, next_loss, true);
                all_errors.extend(&wrong);
            }
        }
        // The offset where something is missing is a better guess than that of the ERROR node.
        let mut suspected = wrong;
        for _ in 0..MAX_ROUNDS {
            if loss.declarations == 0 {
                break;
            }
            let next = Candidate::read(&bytes, best.without(&bytes, &lines, &suspected), stop)?;
            let next_loss = next.loss(&bytes, &lines);
            if next_loss < loss {
                (best, loss, mended) = (next, next_loss, true);
                all_errors.append(&mut suspected);
            }
            suspected = best.errors();
        }
    }
    all_errors.sort_unstable();
    all_errors.dedup();
    let replaced = best.edits.iter().map(|edit| edit.bytes.clone());
    let repairs = Repairs {
        replaced: replaced.filter(|bytes| bytes.len() > 1).collect(),
        errors: all_errors,
        repaired,
        mended,
    };
    Some(RepairedTree {
        tree: best.with_offsets_of_text(),
        repairs,
    })
}

/// Merges two lists of edits, in order; of overlapping edits the first is kept.
fn joined(one: Vec<ByteEdit>, other: Vec<ByteEdit>) -> Vec<ByteEdit> {
    let mut edits = one;
    edits.extend(other);
    edits.sort_by_key(|edit| edit.bytes.start);
    let mut end = 0;
    edits.retain(|edit| {
        let fits = edit.bytes.start >= end;
        if fits {
            end = edit.bytes.end;
        }
        fits
    });
    edits
}

/// A measure of what a tree fails to recognise; the fields are compared in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Loss {
    declarations: usize,
    errors: usize,
}

/// The tree of a text with edits applied.
struct Candidate {
    tree: Tree,
    /// In order, without overlaps.
    edits: Vec<ByteEdit>,
    offsets: Offsets,
}

impl Candidate {
    fn read(bytes: &[u8], edits: Vec<ByteEdit>, stop: &dyn Fn() -> bool) -> Option<Candidate> {
        let (copy, offsets) = edited(bytes, &edits);
        let tree = codeweft_syntax::tree::parse(&copy, &crate::grammar::GRAMMAR, stop)?;
        Some(Candidate {
            tree,
            edits,
            offsets,
        })
    }

    /// Returns the tree with the edits reverted, so that its offsets are those of the text.
    fn with_offsets_of_text(mut self) -> Tree {
        let mut grown = 0isize;
        let starts: Vec<usize> = self
            .edits
            .iter()
            .map(|edit| {
                let start = edit.bytes.start.saturating_add_signed(grown);
                grown += edit.with.len() as isize - edit.bytes.len() as isize;
                start
            })
            .collect();
        for (edit, &start) in self.edits.iter().zip(&starts).rev() {
            if edit.with.len() == edit.bytes.len() {
                continue;
            }
            // Nodes are queried for byte offsets only.
            let unused_point = Point::new(0, 0);
            self.tree.edit(&InputEdit {
                start_byte: start,
                old_end_byte: start + edit.with.len(),
                new_end_byte: start + edit.bytes.len(),
                start_position: unused_point,
                old_end_position: unused_point,
                new_end_position: unused_point,
            });
        }
        self.tree
    }

    /// Measures the loss, given the lines that declare functions and classes.
    fn loss(&self, bytes: &[u8], lines: &[Line]) -> Loss {
        let expected = lines.iter().filter(|line| declares(bytes, line)).count();
        let mut seen = 0;
        let mut errors = 0;
        self.each_node(|node| {
            errors += usize::from(node.is_error() || node.is_missing());
            seen += usize::from(matches!(
                node.kind(),
                "function_definition" | "class_definition"
            ));
        });
        Loss {
            declarations: expected.saturating_sub(seen),
            errors,
        }
    }

    fn each_node(&self, mut visit: impl FnMut(tree_sitter::Node)) {
        let mut cursor = self.tree.walk();
        loop {
            visit(cursor.node());
            if !cursor.goto_first_child() {
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        return;
                    }
                }
            }
        }
    }

    /// Returns the offsets in the text of the ERROR and MISSING nodes, in order.
    fn errors(&self) -> Vec<u32> {
        let mut errors = Vec::new();
        self.each_node(|node| {
            if errors.len() < MAX_EDITS && (node.is_error() || node.is_missing()) {
                errors.push(self.offsets.in_text(node.start_byte()) as u32);
            }
        });
        errors.sort_unstable();
        errors
    }

    /// Returns the edits after replacing the lines that contain `errors`: a declaration keeps its
    /// name, any other statement only whether it opens a block.
    fn without(&self, bytes: &[u8], lines: &[Line], errors: &[u32]) -> Vec<ByteEdit> {
        let mut replaced: Vec<ByteEdit> = Vec::new();
        for &error in errors {
            let at = lines.partition_point(|line| line.bytes.start <= error as usize);
            let Some(line) = at.checked_sub(1).and_then(|at| lines.get(at)) else {
                continue;
            };
            let edit = placeholder(bytes, line);
            if replaced.last() != Some(&edit) {
                replaced.push(edit);
            }
        }
        let rest = self.edits.iter().filter(|edit| {
            let inside = |out: &&ByteEdit| {
                out.bytes.start <= edit.bytes.start && edit.bytes.end <= out.bytes.end
            };
            !replaced.iter().any(|out| inside(&out))
        });
        let rest = rest.cloned().collect();
        joined(replaced, rest)
    }
}

/// Returns whether a line declares a function or class.
fn declares(bytes: &[u8], line: &Line) -> bool {
    matches!(&bytes[line.keyword.clone()], b"def" | b"class")
}

/// Returns the edit that replaces a line by a valid statement; of a declaration only the text
/// behind its name.
fn placeholder(bytes: &[u8], line: &Line) -> ByteEdit {
    let keyword = &bytes[line.keyword.clone()];
    if declares(bytes, line) {
        let behind = &bytes[line.keyword.end..line.bytes.end];
        let name = PythonScanner::new(behind, None).next();
        let name = name.filter(|name| name.lexeme == PythonLexeme::Word);
        let params = if keyword == b"def" { "()" } else { "" };
        let block = if line.opens_block { ":" } else { ": pass" };
        let (start, before) = match name {
            Some(name) => (line.keyword.end + name.end, ""),
            None => (line.keyword.end, " _"),
        };
        let with = [before, params, block].concat();
        return ByteEdit::new(start, line.bytes.end, &with);
    }
    let keyword = String::from_utf8_lossy(keyword);
    let with = match &*keyword {
        "elif" => "elif 0:",
        "else" => "else:",
        "try" => "try:",
        "except" => "except:",
        "finally" => "finally:",
        _ if line.opens_block => "if 0:",
        _ => "pass",
    };
    ByteEdit::new(line.bytes.start, line.bytes.end, with)
}
