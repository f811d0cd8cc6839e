//! The tree of a text as one array in preorder: children and subtrees are ranges of numbers, so
//! that passes over it need neither cursors nor recursion.

use std::cell::Cell;

use tree_sitter::Tree;

use super::kinds::{NodeField, PythonKind, PythonKinds};

/// A node of a [`Flat`] by its number.
pub(super) type FlatIndex = u32;

/// One node.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlatNode {
    pub(super) kind: PythonKind,
    pub(super) field: NodeField,
    /// First byte in the text.
    pub(super) start: u32,
    /// One past the last byte.
    pub(super) end: u32,
    /// The number behind its subtree.
    pub(super) next: FlatIndex,
}

/// The nodes of all trees of a text.
#[derive(Default)]
pub(super) struct Flat {
    nodes: Vec<FlatNode>,
    /// Where nodes are wrong or missing, in order of reading.
    pub(super) errors: Vec<u32>,
}

/// `stop` is asked once in this many nodes.
const POLL_EVERY: u32 = 8192;
/// Room for more nodes than this is given back when a text is done.
const MAX_KEPT: usize = 1 << 18;

thread_local! {
    /// The room of the text before.
    static ROOM: Cell<Vec<FlatNode>> = const { Cell::new(Vec::new()) };
}

impl Drop for Flat {
    fn drop(&mut self) {
        if self.nodes.capacity() <= MAX_KEPT {
            ROOM.set(std::mem::take(&mut self.nodes));
        }
    }
}

impl Flat {
    /// Room for a text of this many bytes.
    pub(super) fn with_capacity(bytes: usize) -> Flat {
        let mut nodes = ROOM.take();
        nodes.clear();
        nodes.reserve(bytes / 4 + 16);
        Flat {
            nodes,
            errors: Vec::new(),
        }
    }

    /// How many nodes there are: the number of the next tree's root.
    pub(super) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Appends a tree whose text begins at `base`, which may be one before its first byte. Ends
    /// with `None` when `stop` said so.
    pub(super) fn push_tree(
        &mut self,
        tree: &Tree,
        base: i64,
        text_len: u32,
        stop: &dyn Fn() -> bool,
    ) -> Option<FlatIndex> {
        let kinds = PythonKinds::get();
        let root = self.len();
        let place = |byte: usize| (base + byte as i64).clamp(0, i64::from(text_len)) as u32;
        let mut cursor = tree.walk();
        let mut open: Vec<FlatIndex> = Vec::new();
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
                self.errors.push(place(node.start_byte()));
            }
            if !missing && !kind.is_dropped() {
                let at = self.len();
                self.nodes.push(FlatNode {
                    kind,
                    field: cursor
                        .field_id()
                        .map_or(NodeField::Other, |id| kinds.field(id.get())),
                    start: place(node.start_byte()),
                    end: place(node.end_byte()),
                    next: at + 1,
                });
                down = !kind.is_leaf() && cursor.goto_first_child();
                if down {
                    open.push(at);
                }
            }
            if !down {
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        return Some(root);
                    }
                    let Some(done) = open.pop() else {
                        return Some(root);
                    };
                    self.nodes[done as usize].next = self.len();
                }
            }
        }
    }

    /// Appends an identifier by itself.
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

    /// A node.
    pub(super) fn node(&self, at: FlatIndex) -> FlatNode {
        self.nodes[at as usize]
    }

    /// The kind of a node.
    pub(super) fn kind(&self, at: FlatIndex) -> PythonKind {
        self.node(at).kind
    }

    /// The children of a node.
    pub(super) fn children(&self, at: FlatIndex) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            at: at + 1,
            end: self.node(at).next,
        }
    }

    /// The first child in a field.
    pub(super) fn field(&self, at: FlatIndex, field: NodeField) -> Option<FlatIndex> {
        self.children(at)
            .find(|&child| self.node(child).field == field)
    }

    /// The first child of a kind.
    pub(super) fn first(&self, at: FlatIndex, kind: PythonKind) -> Option<FlatIndex> {
        self.children(at).find(|&child| self.kind(child) == kind)
    }

    /// The first child that is an expression.
    pub(super) fn first_expr(&self, at: FlatIndex) -> Option<FlatIndex> {
        self.children(at).find(|&child| self.kind(child).is_expr())
    }
}

/// The children of a node in text order.
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
