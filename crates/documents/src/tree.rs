//! A positioned tree of a document: scalars, sequences and mappings with their byte ranges.
//!
//! ```text
//! a: &x [1]        Mapping ── "a" : Sequence ── "1"
//! b: *x                    └─ "b" : Alias ─────────┘ of the sequence
//! ```
//!
//! Nodes are numbered in the order of the text, and comments are no nodes: a comment that comes or goes changes
//! ranges alone.

use codeweft_syntax::{Span, line_starts};
use rustc_hash::FxHashSet;

/// The number of a node in its tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NodeId(pub u32);

/// What a node is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    /// A scalar with its text behind quotes and escapes; `plain` is one without quotes.
    Scalar { text: Box<str>, plain: bool },
    /// A list; `children` are its elements.
    Sequence,
    /// A mapping; `children` are its keys and values in turn.
    Mapping,
    /// The same node again.
    Alias(NodeId),
}

/// A node with its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) span: Span,
    /// A range of [`Tree::children`].
    children: (u32, u32),
}

/// Something in a document that could not be read, or that its readers read in different ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The byte offset.
    pub offset: u32,
    /// What is wrong, in a clause without a period.
    pub message: String,
}

/// A document as it was read: for broken text what precedes the error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    children: Vec<NodeId>,
    /// The roots: one a document of the text, which may be several in YAML.
    roots: Vec<NodeId>,
    /// The offset of the first byte of each line.
    lines: Box<[u32]>,
    /// What could not be read, in text order.
    pub errors: Vec<ReadError>,
}

impl Tree {
    /// Returns the roots in text order: one for each YAML document, else one, none for an empty text.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the range of a node; an empty one at the beginning for a number of another tree.
    pub fn span(&self, node: NodeId) -> Span {
        self.node(node).map_or(Span::default(), |node| node.span)
    }

    /// Returns the 1-based line and the 1-based byte column of an offset.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        codeweft_syntax::line_column(&self.lines, offset)
    }

    /// Returns the texts that are values of a key, in any mapping.
    pub(crate) fn texts_of_key(&self, key: &str) -> impl Iterator<Item = &str> {
        let mappings = self
            .nodes
            .iter()
            .filter(|node| node.kind == NodeKind::Mapping);
        let pairs = mappings.flat_map(|node| self.children(node).chunks_exact(2));
        let text = |node: &NodeId| match &self.node(*node)?.kind {
            NodeKind::Scalar { text, .. } => Some(&**text),
            _ => None,
        };
        pairs.filter_map(move |pair| match pair {
            [name, value] if text(name) == Some(key) => text(value),
            _ => None,
        })
    }

    pub(crate) fn node(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node.0 as usize)
    }

    pub(crate) fn children(&self, node: &Node) -> &[NodeId] {
        let (start, end) = node.children;
        let range = start as usize..end as usize;
        self.children.get(range).unwrap_or(&[])
    }
}

/// Makes a [`Tree`] of events in text order. What is open at the end is closed there.
pub(crate) struct TreeBuilder {
    tree: Tree,
    open: Vec<Open>,
}

/// A container that is not closed yet.
struct Open {
    node: NodeId,
    is_mapping: bool,
    children: Vec<NodeId>,
    /// The keys of a mapping that are scalars.
    keys: FxHashSet<Box<str>>,
}

impl TreeBuilder {
    pub(crate) fn new(text: &str) -> TreeBuilder {
        TreeBuilder {
            tree: Tree {
                lines: line_starts(text),
                ..Tree::default()
            },
            open: Vec::new(),
        }
    }

    /// Adds a scalar.
    pub(crate) fn scalar(&mut self, text: &str, plain: bool, span: Span) -> NodeId {
        let text = text.into();
        self.add(NodeKind::Scalar { text, plain }, span)
    }

    /// Adds a key of the innermost mapping. Returns whether the mapping has it already.
    pub(crate) fn key(&mut self, text: &str, plain: bool, span: Span) -> (NodeId, bool) {
        let node = self.scalar(text, plain, span);
        let open = self.open.last_mut();
        (
            node,
            open.is_some_and(|open| !open.keys.insert(text.into())),
        )
    }

    /// Adds a key and its value, a scalar of the same range: of a text that has keys only by its form.
    pub(crate) fn field(&mut self, key: &str, value: &str, span: Span) {
        self.key(key, false, span);
        self.scalar(value, false, span);
    }

    /// Adds a node that is another once more.
    pub(crate) fn alias(&mut self, of: NodeId, span: Span) -> NodeId {
        self.add(NodeKind::Alias(of), span)
    }

    /// Opens a sequence or mapping; its range ends where it is closed.
    pub(crate) fn open(&mut self, kind: NodeKind, span: Span) -> NodeId {
        let is_mapping = kind == NodeKind::Mapping;
        let node = self.add(kind, span);
        self.open.push(Open {
            node,
            is_mapping,
            children: Vec::new(),
            keys: FxHashSet::default(),
        });
        node
    }

    /// Closes what was opened last; `end` is one past its last byte.
    pub(crate) fn close(&mut self, end: u32) {
        let Some(open) = self.open.pop() else {
            return;
        };
        let start = self.tree.children.len() as u32;
        self.tree.children.extend(open.children);
        let range = (start, self.tree.children.len() as u32);
        if let Some(node) = self.tree.nodes.get_mut(open.node.0 as usize) {
            node.children = range;
            node.span.end = node.span.end.max(end);
        }
    }

    /// Returns whether the next node is a key of a mapping.
    pub(crate) fn is_at_key(&self) -> bool {
        let open = self.open.last();
        open.is_some_and(|open| open.is_mapping && open.children.len() % 2 == 0)
    }

    /// Reports an error.
    pub(crate) fn error(&mut self, offset: usize, message: impl Into<String>) {
        self.tree.errors.push(ReadError {
            offset: offset as u32,
            message: message.into(),
        });
    }

    /// Returns the tree. A key without a value is removed.
    pub(crate) fn finish(mut self, end: usize) -> Tree {
        while let Some(open) = self.open.last_mut() {
            if open.is_mapping && open.children.len() % 2 == 1 {
                open.children.pop();
            }
            self.close(end as u32);
        }
        self.tree.errors.sort_by_key(|error| error.offset);
        self.tree
    }

    fn add(&mut self, kind: NodeKind, span: Span) -> NodeId {
        let node = NodeId(self.tree.nodes.len() as u32);
        self.tree.nodes.push(Node {
            kind,
            span,
            children: (0, 0),
        });
        match self.open.last_mut() {
            Some(open) => open.children.push(node),
            None => self.tree.roots.push(node),
        }
        node
    }
}
