//! The syntax tree of a text as one array, without the tokens that lowering ignores. Both parsers
//! make it: tree-sitter ([`FlatTree::of_tree`]) and that for healthy text ([`parser`](super::parser)).
//!
//! ```text
//! x + f(y)       number   kind           first child   next sibling
//!                0        Identifier x   -             1
//!                1        Plus           -             5
//!                2        Identifier f   -             4
//!                3        Identifier y   -             -
//!                4        ArgumentList   3             -
//!                5        Call           2             -
//!                6        Binary         0             -
//! ```
//!
//! A node may be located before or after its children, so that a parser can wrap an operand that it has
//! read.

use tree_sitter::{Node, Tree};

use super::kinds::{GoKind, GoKinds};

/// The number of a node in a [`FlatTree`].
pub(super) type NodeNumber = u32;

/// The number of a child or sibling that does not exist.
pub(super) const NO_NODE: NodeNumber = u32::MAX;

/// `stop` is polled once in this many nodes.
const POLL_EVERY: u32 = 8192;

/// A node of a [`FlatTree`].
#[derive(Clone, Copy, Debug)]
pub(super) struct FlatNode {
    /// Offset of the first byte in the parsed text.
    pub(super) start: u32,
    /// Offset behind the last byte.
    pub(super) end: u32,
    first: NodeNumber,
    next: NodeNumber,
    pub(super) kind: GoKind,
    /// Whether it contains an ERROR or MISSING node, or is one.
    pub(super) has_error: bool,
    /// Whether the parser inserted it to recover from an error.
    pub(super) is_missing: bool,
}

/// A syntax tree.
pub(super) struct FlatTree {
    nodes: Vec<FlatNode>,
    root: NodeNumber,
}

/// The children of a node under construction.
#[derive(Clone, Copy)]
pub(super) struct Children {
    first: NodeNumber,
    last: NodeNumber,
}

impl Children {
    /// Returns an empty list.
    pub(super) fn new() -> Children {
        Children {
            first: NO_NODE,
            last: NO_NODE,
        }
    }

    /// Returns whether there are no children yet.
    pub(super) fn is_empty(self) -> bool {
        self.first == NO_NODE
    }
}

impl FlatTree {
    /// Creates a tree with capacity for this many nodes.
    pub(super) fn with_capacity(nodes: usize) -> FlatTree {
        FlatTree {
            nodes: Vec::with_capacity(nodes),
            root: 0,
        }
    }

    /// Adds a node of a text without errors; returns its number.
    pub(super) fn push(
        &mut self,
        kind: GoKind,
        (start, end): (u32, u32),
        children: Children,
    ) -> NodeNumber {
        self.nodes.push(FlatNode {
            start,
            end,
            first: children.first,
            next: NO_NODE,
            kind,
            has_error: false,
            is_missing: false,
        });
        self.nodes.len() as u32 - 1
    }

    /// Appends a node to a list of children. It must not be in another list.
    pub(super) fn append(&mut self, children: &mut Children, child: NodeNumber) {
        match self.nodes.get_mut(children.last as usize) {
            Some(last) => last.next = child,
            None => children.first = child,
        }
        children.last = child;
    }

    /// Returns a node.
    pub(super) fn node(&self, number: NodeNumber) -> &FlatNode {
        &self.nodes[number as usize]
    }

    /// Returns the only child of a node of a kind.
    pub(super) fn unwrapped(&self, number: NodeNumber, kind: GoKind) -> Option<NodeNumber> {
        let node = self.node(number);
        (node.kind == kind).then_some(node.first)
    }

    /// Returns whether a node is a label without a statement.
    pub(super) fn is_empty_label(&self, number: NodeNumber) -> bool {
        let node = self.node(number);
        let label = self.nodes.get(node.first as usize);
        node.kind == GoKind::LabeledStatement && label.is_some_and(|label| label.next == NO_NODE)
    }

    /// Changes the kind of a node.
    pub(super) fn set_kind(&mut self, number: NodeNumber, kind: GoKind) {
        self.nodes[number as usize].kind = kind;
    }

    /// Makes a node the root.
    pub(super) fn set_root(&mut self, root: NodeNumber) {
        self.root = root;
    }

    /// Returns a cursor on the root.
    pub(super) fn walk(&self) -> FlatCursor<'_> {
        FlatCursor {
            nodes: &self.nodes,
            at: self.root,
            parents: Vec::new(),
        }
    }

    /// Returns the tree of a tree of tree-sitter; `None` if `stop` returned `true`.
    pub(super) fn of_tree(tree: &Tree, bytes: usize, stop: &dyn Fn() -> bool) -> Option<FlatTree> {
        let kinds = GoKinds::get();
        let mut flat = FlatTree::with_capacity(bytes / 3 + 1);
        let mut cursor = tree.walk();
        // The open nodes, outermost first, each with the last of its children so far.
        let mut open: Vec<(NodeNumber, NodeNumber)> = Vec::new();
        let mut until_poll = POLL_EVERY;
        loop {
            let node = cursor.node();
            let kind = kinds.of(node);
            if kind != GoKind::Token {
                until_poll -= 1;
                if until_poll == 0 {
                    until_poll = POLL_EVERY;
                    if stop() {
                        return None;
                    }
                }
                let number = flat.nodes.len() as u32;
                flat.nodes.push(flat_node(node, kind));
                if let Some((parent, last)) = open.last_mut() {
                    match flat.nodes.get_mut(*last as usize) {
                        Some(last) => last.next = number,
                        None => flat.nodes[*parent as usize].first = number,
                    }
                    *last = number;
                }
                let is_string = matches!(kind, GoKind::InterpretedString | GoKind::RawString);
                if (!is_string || node.has_error()) && cursor.goto_first_child() {
                    open.push((number, NO_NODE));
                    continue;
                }
            }
            while !cursor.goto_next_sibling() {
                if open.pop().is_none() || !cursor.goto_parent() {
                    return Some(flat);
                }
            }
        }
    }
}

fn flat_node(node: Node, kind: GoKind) -> FlatNode {
    FlatNode {
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
        first: NO_NODE,
        next: NO_NODE,
        kind,
        has_error: node.has_error(),
        is_missing: node.is_missing(),
    }
}

/// A position in a [`FlatTree`].
pub(super) struct FlatCursor<'t> {
    nodes: &'t [FlatNode],
    at: NodeNumber,
    /// The ancestors, outermost first.
    parents: Vec<NodeNumber>,
}

impl<'t> FlatCursor<'t> {
    /// Returns the node under the cursor.
    pub(super) fn node(&self) -> &'t FlatNode {
        &self.nodes[self.at as usize]
    }

    /// Returns the first child of a kind.
    pub(super) fn first_of_kind(&self, kind: GoKind) -> Option<&'t FlatNode> {
        let mut next = self.node().first;
        while let Some(child) = self.nodes.get(next as usize) {
            if child.kind == kind {
                return Some(child);
            }
            next = child.next;
        }
        None
    }

    /// Moves to the first child; returns whether there is one.
    pub(super) fn goto_first_child(&mut self) -> bool {
        let first = self.node().first;
        if first == NO_NODE {
            return false;
        }
        self.parents.push(self.at);
        self.at = first;
        true
    }

    /// Moves to the next sibling; returns whether there is one.
    pub(super) fn goto_next_sibling(&mut self) -> bool {
        let next = self.node().next;
        if next == NO_NODE {
            return false;
        }
        self.at = next;
        true
    }

    /// Moves to the parent; returns whether there is one.
    pub(super) fn goto_parent(&mut self) -> bool {
        match self.parents.pop() {
            Some(parent) => {
                self.at = parent;
                true
            }
            None => false,
        }
    }
}
