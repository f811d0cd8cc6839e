//! Groups the bodies of a file into chunks, so that an edit of one body replaces one small chunk.
//!
//! Content-defined chunking by local minima, applied to declarations instead of bytes: a function
//! begins a chunk if the hash of its head (the text up to its body) is the least among its `n`
//! neighbours on either side. `n` depends on the file size only by powers of two. A declaration of
//! [`CHUNK_BYTES`] or more is a chunk of its own.
//!
//! ```text
//! function     a   b   c   d   e   f   g       n = 2
//! head hash    7   3   9   5   1   8   2
//! begins           *           *               3 < 7, 9, 5   and   1 < 9, 5, 8, 2
//! chunks      [a] [b   c   d] [e   f   g]
//! ```
//!
//! Borders depend on heads and on rough sizes alone, so an edit inside a body hardly ever moves
//! one: [`same_borders`] checks it, and `edited` lowers just the chunk of the edit again.

use std::sync::Arc;

use super::arenas::ArenaBuilder;
use super::ir::*;
use super::kinds::GoKind;
use super::parse::Piece;
use codeweft_syntax::Span;

/// Texts shorter than this many bytes are one chunk.
const CHUNKED_FROM: usize = 24 << 10;

/// Approximate size in bytes of the declarations of a chunk. A larger declaration is a chunk of its
/// own.
const CHUNK_BYTES: usize = 8 << 10;

/// Returns whether the bodies of a text of `len` bytes are split into chunks.
pub(super) fn is_chunked(len: usize) -> bool {
    len >= CHUNKED_FROM
}

/// Returns whether chunks begin at the same declarations before and after an edit in the body of
/// one function, in a text of `functions` functions. `text` has the sizes in bytes before and
/// after, `one` the ranges of the edited declaration.
pub(super) fn same_borders(functions: usize, text: (usize, usize), one: (Span, Span)) -> bool {
    let (old, new) = text;
    is_chunked(old) == is_chunked(new)
        && neighbours(old, functions) == neighbours(new, functions)
        && is_large(one.0) == is_large(one.1)
}

/// Returns the number of functions on each side that a function is compared with.
fn neighbours(len: usize, functions: usize) -> usize {
    let wanted = CHUNK_BYTES * functions / (2 * len.max(1));
    1 << wanted.max(1).ilog2()
}

fn is_large(declaration: Span) -> bool {
    (declaration.end - declaration.start) as usize >= CHUNK_BYTES
}

/// Returns the offsets of the declarations that begin a chunk, in order.
pub(super) fn borders(text: &str, pieces: &[Piece]) -> Vec<u32> {
    if !is_chunked(text.len()) {
        return Vec::new();
    }
    let (mut functions, mut borders) = (Vec::new(), Vec::new());
    let mut before_is_large = false;
    for piece in pieces {
        let mut cursor = piece.tree.walk();
        let mut more = cursor.goto_first_child();
        while more {
            let node = cursor.node();
            let span = Span {
                start: piece.base + node.start,
                end: piece.base + node.end,
            };
            let kind = node.kind;
            if matches!(
                kind,
                GoKind::FunctionDeclaration | GoKind::MethodDeclaration
            ) {
                let body = cursor.first_of_kind(GoKind::Block);
                let head_end = body.map_or(span.end, |body| piece.base + body.start);
                let head = text.as_bytes().get(span.start as usize..head_end as usize);
                functions.push((hash(head.unwrap_or_default()), span.start));
            }
            if is_large(span) || (before_is_large && kind != GoKind::Comment) {
                borders.push(span.start);
            }
            before_is_large = match kind {
                GoKind::Comment => before_is_large,
                _ => is_large(span),
            };
            more = cursor.goto_next_sibling();
        }
    }
    let width = neighbours(text.len(), functions.len());
    for (number, &(hash, start)) in functions.iter().enumerate() {
        let before = &functions[number.saturating_sub(width)..number];
        let behind = functions[number + 1..].iter().take(width);
        if before.iter().all(|&(other, _)| hash < other)
            && behind.clone().all(|&(other, _)| hash <= other)
        {
            borders.push(start);
        }
    }
    borders.sort_unstable();
    borders
}

/// FNV-1a with a final mix: the same on every machine.
fn hash(head: &[u8]) -> u32 {
    let hash = head.iter().fold(0x811c_9dc5_u32, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d)
}

/// A builder of the chunks of a file.
#[derive(Default)]
pub(super) struct Chunks {
    /// The offsets of the declarations that begin a chunk; see [`borders`].
    pub(super) borders: Vec<u32>,
    done: Vec<Arc<Chunk>>,
    /// The number of the first body of the current chunk.
    first: u32,
    /// The bodies of the current chunk.
    bodies: Vec<Body>,
    /// From the first declaration of the current chunk to its last.
    region: Span,
    /// The current declaration.
    declaration: Span,
    /// Whether the next body begins a chunk.
    due: bool,
    pub(super) spans: Vec<Span>,
    pub(super) regions: Vec<Span>,
    pub(super) tokens: Vec<u32>,
}

impl Chunks {
    /// Returns the number of bodies.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns the last body, unless it is one of the first `from`.
    pub(super) fn last_from(&mut self, from: usize) -> Option<&mut Body> {
        self.bodies.last_mut().filter(|_| self.spans.len() > from)
    }

    /// Begins a declaration of the file.
    pub(super) fn enter(&mut self, declaration: Span) {
        self.declaration = declaration;
        self.due |= self.borders.binary_search(&declaration.start).is_ok();
    }

    /// Begins a body, and ends the current chunk if the body begins a new one. `arenas` are those of
    /// the bodies, to which nothing of this body was added yet.
    pub(super) fn begin_body(&mut self, arenas: &mut ArenaBuilder) {
        if std::mem::take(&mut self.due) && !self.bodies.is_empty() {
            let next = ArenaBuilder::with_capacity(CHUNK_BYTES / 8);
            self.end(std::mem::replace(arenas, next));
        }
    }

    pub(super) fn push(&mut self, body: Body, span: Span) {
        if self.bodies.is_empty() {
            self.region.start = self.declaration.start;
        }
        self.region.end = self.declaration.end;
        self.bodies.push(body);
        self.spans.push(span);
    }

    /// Ends the current chunk; `arenas` holds its code.
    fn end(&mut self, arenas: ArenaBuilder) {
        if self.bodies.is_empty() {
            return;
        }
        let (code, _, offsets) = arenas.finish();
        self.done.push(Arc::new(Chunk {
            first: self.first,
            code,
            bodies: std::mem::take(&mut self.bodies).into(),
        }));
        self.regions.push(self.region);
        self.tokens.extend(offsets);
        self.first = self.spans.len() as u32;
    }

    /// Ends the last chunk and returns all of them.
    pub(super) fn finish(&mut self, arenas: ArenaBuilder) -> Bodies {
        self.end(arenas);
        Bodies {
            chunks: std::mem::take(&mut self.done).into(),
        }
    }
}
