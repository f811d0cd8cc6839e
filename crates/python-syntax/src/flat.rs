//! The syntax tree of a text as one array in preorder. Children and subtrees are ranges of numbers,
//! so passes over it need neither cursors nor recursion.
//!
//! ```text
//! x = f(y)        0 Module      next 7
//!                 1  Assignment next 7
//!                 2   Identifier `x`        next 3
//!                 3   Call      next 7      children: start at 4, follow `next` up to 7
//!                 4    Identifier `f`       next 5
//!                 5    ArgumentList         next 7
//!                 6     Identifier `y`      next 7
//! ```

use std::cell::Cell;

use codeweft_syntax::CachedTree;
use tree_sitter::Tree;

use super::kinds::{NodeField, PythonKind, PythonKinds};
use super::reuse::{FlatTree, Reuse};

/// The number of a node in a [`Flat`].
pub(super) type FlatIndex = u32;

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlatNode {
    pub(super) kind: PythonKind,
    pub(super) field: NodeField,
    /// Offset of the first byte in the text.
    pub(super) start: u32,
    /// Offset behind the last byte.
    pub(super) end: u32,
    /// The number after its subtree.
    pub(super) next: FlatIndex,
}

/// The nodes of all trees of a text.
#[derive(Default)]
pub(super) struct Flat {
    nodes: Vec<FlatNode>,
    /// Offsets of ERROR and MISSING nodes, in reading order.
    pub(super) errors: Vec<u32>,
}

/// `stop` is polled once in this many nodes.
const POLL_EVERY: u32 = 8192;
/// Buffers with capacity for more nodes than this are not reused.
const MAX_KEPT: usize = 1 << 18;

thread_local! {
    /// The buffer of the previous text on this thread, kept for reuse.
    static SPARE_BUFFER: Cell<Vec<FlatNode>> = const { Cell::new(Vec::new()) };
}

impl Drop for Flat {
    fn drop(&mut self) {
        if self.nodes.capacity() <= MAX_KEPT {
            SPARE_BUFFER.set(std::mem::take(&mut self.nodes));
        }
    }
}

impl Flat {
    /// Creates a tree with capacity for a text of this many bytes.
    pub(super) fn with_capacity(bytes: usize) -> Flat {
        let mut nodes = SPARE_BUFFER.take();
        nodes.clear();
        nodes.reserve(bytes / 4 + 16);
        Flat {
            nodes,
            errors: Vec::new(),
        }
    }

    /// Returns the number of nodes, which is the number of the next tree's root.
    pub(super) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Appends the tree of a whole text, which `last` contains unless the text was repaired. Subtrees
    /// that the parser reused are copied from the tree before it. Returns the root, or `None` if `stop`
    /// returned `true`.
    pub(super) fn push_whole(
        &mut self,
        tree: &Tree,
        text_len: u32,
        last: Option<&mut CachedTree>,
        stop: &dyn Fn() -> bool,
    ) -> Option<FlatIndex> {
        let Some(last) = last else {
            return self.push_tree(tree, 0, text_len, stop);
        };
        let mut before: Box<FlatTree> = last.take_derived_before().unwrap_or_default();
        let mut reuse = Reuse::of(&before);
        let root = self.push(tree, 0, text_len, Some(&mut reuse), stop)?;
        let subtrees = reuse.subtrees;
        before.set(&self.nodes, subtrees);
        last.keep_derived(before);
        Some(root)
    }

    /// Appends a tree whose text begins at `base`, which may be one before its first byte. Returns
    /// its root, or `None` if `stop` returned `true`.
    pub(super) fn push_tree(
        &mut self,
        tree: &Tree,
        base: i64,
        text_len: u32,
        stop: &dyn Fn() -> bool,
    ) -> Option<FlatIndex> {
        self.push(tree, base, text_len, None, stop)
    }

    /// Appends a tree as [`Flat::push_tree`] does, or copies what the tree before has.
    pub(super) fn push(
        &mut self,
        tree: &Tree,
        base: i64,
        text_len: u32,
        mut reuse: Option<&mut Reuse<'_>>,
        stop: &dyn Fn() -> bool,
    ) -> Option<FlatIndex> {
        let kinds = PythonKinds::get();
        let root = self.len();
        let shifted = |byte: usize| (base + byte as i64).clamp(0, i64::from(text_len)) as u32;
        let mut cursor = tree.walk();
        // The row and the id of each node around the current one.
        let mut open: Vec<(FlatIndex, usize)> = Vec::new();
        let mut count = 0u32;
        loop {
            count += 1;
            if count.is_multiple_of(POLL_EVERY) && stop() {
                return None;
            }
            let node = cursor.node();
            let kind = kinds.kind(node.kind_id());
            let missing = node.is_missing();
            let mut down = false;
            if kind == PythonKind::Error || missing {
                self.errors.push(shifted(node.start_byte()));
            }
            if !missing && !kind.is_dropped() {
                let at = self.len();
                self.nodes.push(FlatNode {
                    kind,
                    field: cursor
                        .field_id()
                        .map_or(NodeField::Other, |id| kinds.field(id.get())),
                    start: shifted(node.start_byte()),
                    end: shifted(node.end_byte()),
                    next: at + 1,
                });
                // The id of the root is the address of its tree, which another tree may get.
                let inner = reuse.as_mut().filter(|_| !open.is_empty());
                let is_copied = !kind.is_leaf()
                    && inner.is_some_and(|reuse| reuse.copy(node.id(), &mut self.nodes));
                down = !kind.is_leaf() && !is_copied && cursor.goto_first_child();
                if down {
                    open.push((at, node.id()));
                }
            }
            if !down {
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        return Some(root);
                    }
                    let Some((done, id)) = open.pop() else {
                        return Some(root);
                    };
                    self.nodes[done as usize].next = self.len();
                    if let Some(reuse) = reuse.as_mut().filter(|_| !open.is_empty()) {
                        reuse.note(id, done, self.len());
                    }
                }
            }
        }
    }

    /// Appends a node whose children follow; [`Flat::close`] ends it.
    pub(super) fn open(&mut self, kind: PythonKind, field: NodeField, start: u32) -> FlatIndex {
        let at = self.len();
        self.nodes.push(FlatNode {
            kind,
            field,
            start,
            end: start,
            next: at + 1,
        });
        at
    }

    /// Replaces the offsets of the nodes from one on, and of all errors.
    pub(super) fn map_offsets(&mut self, from: FlatIndex, map: impl Fn(u32) -> u32) {
        for node in self.nodes.iter_mut().skip(from as usize) {
            node.start = map(node.start);
            node.end = map(node.end);
        }
        for error in &mut self.errors {
            *error = map(*error);
        }
    }

    /// Ends a node that was opened: all nodes since are inside it.
    pub(super) fn close(&mut self, at: FlatIndex, end: u32) {
        let next = self.len();
        if let Some(node) = self.nodes.get_mut(at as usize) {
            node.end = end;
            node.next = next;
        }
    }

    /// Removes the nodes from a number on.
    pub(super) fn truncate(&mut self, from: FlatIndex) {
        self.nodes.truncate(from as usize);
    }

    /// Appends a lone identifier.
    pub(super) fn push_name(&mut self, start: u32, end: u32) -> FlatIndex {
        let at = self.len();
        self.nodes.push(FlatNode {
            kind: PythonKind::Identifier,
            field: NodeField::Other,
            start,
            end,
            next: at + 1,
        });
        at
    }

    /// Returns a node.
    pub(super) fn node(&self, at: FlatIndex) -> FlatNode {
        self.nodes[at as usize]
    }

    /// Returns the kind of a node.
    pub(super) fn kind(&self, at: FlatIndex) -> PythonKind {
        self.node(at).kind
    }

    /// Returns the children of a node.
    pub(super) fn children(&self, at: FlatIndex) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            at: at + 1,
            end: self.node(at).next,
        }
    }

    /// Returns the first child with a field name.
    pub(super) fn field(&self, at: FlatIndex, field: NodeField) -> Option<FlatIndex> {
        self.children(at)
            .find(|&child| self.node(child).field == field)
    }

    /// Returns the first child of a kind.
    pub(super) fn first(&self, at: FlatIndex, kind: PythonKind) -> Option<FlatIndex> {
        self.children(at).find(|&child| self.kind(child) == kind)
    }

    /// Returns the first child that is an expression.
    pub(super) fn first_expr(&self, at: FlatIndex) -> Option<FlatIndex> {
        self.children(at).find(|&child| self.kind(child).is_expr())
    }
}

/// An iterator over the children of a node in text order.
#[derive(Clone)]
pub(super) struct Children<'f> {
    nodes: &'f [FlatNode],
    at: FlatIndex,
    end: FlatIndex,
}

impl Iterator for Children<'_> {
    type Item = FlatIndex;

    fn next(&mut self) -> Option<FlatIndex> {
        if self.at >= self.end {
            return None;
        }
        let at = self.at;
        self.at = self.nodes.get(at as usize)?.next;
        Some(at)
    }
}
