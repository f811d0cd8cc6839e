//! From text to a tree: as it stands, or with edits where that has errors.
//!
//! The edits are made in the parser's copy of the text, and taken back in its tree, so that every
//! offset is one of the text itself; what was put in has no width. The text is tried as it stands,
//! then with what the grammar lacks put in its words ([`gaps`]), then with what the text lacks put
//! in ([`mend`]), then with statements left out that keep declarations from being seen; the first
//! without errors is taken, else the one that loses the fewest declarations and among those has
//! the fewest errors. All of this depends on the text alone.

mod gaps;
mod lexemes;
mod mend;
mod plain;

use std::ops::Range;

use tree_sitter::{InputEdit, Point, Tree};

use crate::{CachedTree, Lang};
use lexemes::{PythonLexeme, PythonScanner};
use mend::Line;
use plain::plain;

/// The tree of a text.
pub(super) struct RepairedTree {
    /// With the offsets of the text.
    pub(super) tree: Tree,
    /// What was wrong with the text and cannot be seen in the tree, as offsets in order.
    pub(super) errors: Vec<u32>,
    /// How many places the grammar cannot read were put in its words.
    pub(super) repaired: u32,
    /// Whether the text was changed for what it lacks.
    pub(super) mended: bool,
    /// What of the text the tree was not made from.
    left_out: Vec<Range<usize>>,
}

impl RepairedTree {
    /// The words of the text that the tree was not made from.
    pub(super) fn unread_words<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let texts = self
            .left_out
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

/// Other bytes in place of a range.
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

/// So often statements are left out.
const MAX_ROUNDS: usize = 3;
/// A text that lacks more than this many things is read as it stands.
const MAX_EDITS: usize = 4096;

/// Reads a text; `None` when `stop` said so.
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
    let whole = crate::tree::parse_next(&bytes, Lang::Python, last, stop)?;
    if !whole.root_node().has_error() {
        return Some(RepairedTree {
            tree: whole,
            errors,
            repaired: 0,
            mended: false,
            left_out: Vec::new(),
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
        // Where something was missing is the likelier place than where the tree says so.
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
    let left_out = best.edits.iter().map(|edit| edit.bytes.clone());
    Some(RepairedTree {
        left_out: left_out.filter(|bytes| bytes.len() > 1).collect(),
        tree: best.with_offsets_of_text(),
        errors: all_errors,
        repaired,
        mended,
    })
}

/// Two lists of edits in one, in order.
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

/// How much a tree fails to see; the fields count in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Loss {
    declarations: usize,
    errors: usize,
}

/// The tree of a text with edits.
struct Candidate {
    tree: Tree,
    /// In order, none inside another.
    edits: Vec<ByteEdit>,
}

impl Candidate {
    fn read(bytes: &[u8], edits: Vec<ByteEdit>, stop: &dyn Fn() -> bool) -> Option<Candidate> {
        let mut copy = Vec::with_capacity(bytes.len() + edits.len() * 4);
        let mut at = 0;
        for edit in &edits {
            copy.extend_from_slice(&bytes[at..edit.bytes.start]);
            copy.extend_from_slice(&edit.with);
            at = edit.bytes.end;
        }
        copy.extend_from_slice(&bytes[at..]);
        let tree = crate::tree::parse(&copy, Lang::Python, stop)?;
        Some(Candidate { tree, edits })
    }

    /// The tree with the edits taken back.
    fn with_offsets_of_text(mut self) -> Tree {
        let mut grown = 0isize;
        let places: Vec<usize> = self
            .edits
            .iter()
            .map(|edit| {
                let place = edit.bytes.start.saturating_add_signed(grown);
                grown += edit.with.len() as isize - edit.bytes.len() as isize;
                place
            })
            .collect();
        for (edit, &start) in self.edits.iter().zip(&places).rev() {
            if edit.with.len() == edit.bytes.len() {
                continue;
            }
            // Only bytes are asked of the nodes.
            let nowhere = Point::new(0, 0);
            self.tree.edit(&InputEdit {
                start_byte: start,
                old_end_byte: start + edit.with.len(),
                new_end_byte: start + edit.bytes.len(),
                start_position: nowhere,
                old_end_position: nowhere,
                new_end_position: nowhere,
            });
        }
        self.tree
    }

    /// The offset in the text of an offset in the copy.
    fn offset_in_text(&self, at: usize) -> usize {
        let mut grown = 0isize;
        for edit in &self.edits {
            let start = edit.bytes.start.saturating_add_signed(grown);
            if at < start {
                break;
            }
            if at < start + edit.with.len() {
                return edit.bytes.start;
            }
            grown += edit.with.len() as isize - edit.bytes.len() as isize;
        }
        at.saturating_add_signed(-grown)
    }

    /// What the tree fails to see, by the lines that declare functions and classes.
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

    /// The offsets in the text of what the tree could not read, in order.
    fn errors(&self) -> Vec<u32> {
        let mut errors = Vec::new();
        self.each_node(|node| {
            if errors.len() < MAX_EDITS && (node.is_error() || node.is_missing()) {
                errors.push(self.offset_in_text(node.start_byte()) as u32);
            }
        });
        errors.sort_unstable();
        errors
    }

    /// The edits with those lines left out in which the errors stand: of a declaration its name
    /// is kept, of another statement only whether a block follows.
    fn without(&self, bytes: &[u8], lines: &[Line], errors: &[u32]) -> Vec<ByteEdit> {
        let mut left_out: Vec<ByteEdit> = Vec::new();
        for &error in errors {
            let at = lines.partition_point(|line| line.bytes.start <= error as usize);
            let Some(line) = at.checked_sub(1).and_then(|at| lines.get(at)) else {
                continue;
            };
            let edit = stand_in(bytes, line);
            if left_out.last() != Some(&edit) {
                left_out.push(edit);
            }
        }
        let rest = self.edits.iter().filter(|edit| {
            let inside = |out: &&ByteEdit| {
                out.bytes.start <= edit.bytes.start && edit.bytes.end <= out.bytes.end
            };
            !left_out.iter().any(|out| inside(&out))
        });
        let rest = rest.cloned().collect();
        joined(left_out, rest)
    }
}

/// Whether a line declares a function or class.
fn declares(bytes: &[u8], line: &Line) -> bool {
    matches!(&bytes[line.keyword.clone()], b"def" | b"class")
}

/// A statement in place of a line: of a declaration what stands behind its name is replaced.
fn stand_in(bytes: &[u8], line: &Line) -> ByteEdit {
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
