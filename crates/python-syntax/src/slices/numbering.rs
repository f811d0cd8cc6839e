//! The operands of nodes, and copies of nodes with renumbered operands.

use crate::ir::*;

/// A mapping of the numbers in a node.
pub(crate) trait Numbering {
    /// Returns the new number of an operand.
    fn node(&mut self, node: NodeId) -> NodeId;
    /// Returns the new number of a list of operands.
    fn list(&mut self, list: ListId) -> ListId;
    /// Returns the new number of a call.
    fn call(&mut self, call: u32) -> u32;
}

impl Node {
    /// Returns the node with its operands renumbered; `to` is called in the order in which they are
    /// written.
    pub(crate) fn renumbered(self, to: &mut impl Numbering) -> Node {
        match self {
            Node::Opaque
            | Node::Constant(_)
            | Node::Str(_)
            | Node::Global(_)
            | Node::Free { .. }
            | Node::TypeParam { .. }
            | Node::Param(_)
            | Node::Item(_)
            | Node::Decorated(_)
            | Node::Import { .. }
            | Node::Slice
            | Node::Sent
            | Node::ClassCell(_) => self,
            Node::Attr { base, name } => {
                let base = to.node(base);
                Node::Attr { base, name }
            }
            Node::Call(call) => Node::Call(to.call(call)),
            Node::Subscript { base, index } => {
                let (base, index) = (to.node(base), to.node(index));
                Node::Subscript { base, index }
            }
            Node::Await(value) => Node::Await(to.node(value)),
            Node::YieldFrom(value) => Node::YieldFrom(to.node(value)),
            Node::Iter(value) => Node::Iter(to.node(value)),
            Node::AsyncIter(value) => Node::AsyncIter(to.node(value)),
            Node::Enter(value) => Node::Enter(to.node(value)),
            Node::AsyncEnter(value) => Node::AsyncEnter(to.node(value)),
            Node::Unpack { base, at } => {
                let base = to.node(base);
                Node::Unpack { base, at }
            }
            Node::UnpackRest(base) => Node::UnpackRest(to.node(base)),
            Node::Binary { op, left, right } => {
                let (left, right) = (to.node(left), to.node(right));
                Node::Binary { op, left, right }
            }
            Node::Unary { op, value } => {
                let value = to.node(value);
                Node::Unary { op, value }
            }
            Node::Compare { op, left, right } => {
                let (left, right) = (to.node(left), to.node(right));
                Node::Compare { op, left, right }
            }
            Node::Tuple(list) => Node::Tuple(to.list(list)),
            Node::List(list) => Node::List(to.list(list)),
            Node::Set(list) => Node::Set(to.list(list)),
            Node::Dict(list) => Node::Dict(to.list(list)),
            Node::Generator(element) => Node::Generator(to.node(element)),
            Node::Star(value) => Node::Star(to.node(value)),
            Node::Format(list) => Node::Format(to.list(list)),
            Node::Union(list) => Node::Union(to.list(list)),
            Node::Phi(list) => Node::Phi(to.list(list)),
            Node::Narrow {
                value,
                class,
                holds,
            } => {
                let (value, class) = (to.node(value), to.node(class));
                Node::Narrow {
                    value,
                    class,
                    holds,
                }
            }
            Node::NotNone { value, holds } => {
                let value = to.node(value);
                Node::NotNone { value, holds }
            }
            Node::Caught(class) => Node::Caught(to.node(class)),
            Node::Type(expression) => Node::Type(to.node(expression)),
            Node::MatchPosition { base, at } => {
                let base = to.node(base);
                Node::MatchPosition { base, at }
            }
        }
    }
}

/// Returns how many of `len` entries are kept, and whether an unknown one follows them.
pub(super) fn kept_of(len: usize, max: usize) -> (usize, bool) {
    if len > max {
        (max - 1, true)
    } else {
        (len, false)
    }
}

/// A [`Numbering`] that hands over each operand and changes nothing.
pub(super) struct Operands<'c, F> {
    pub(super) code: &'c Code,
    /// Longer lists are cut to this length.
    pub(super) max_list: usize,
    pub(super) each: F,
}

impl<F: FnMut(NodeId)> Numbering for Operands<'_, F> {
    fn node(&mut self, node: NodeId) -> NodeId {
        (self.each)(node);
        node
    }

    fn list(&mut self, list: ListId) -> ListId {
        let nodes = self.code.list(list);
        let (kept, _) = kept_of(nodes.len(), self.max_list);
        nodes[..kept].iter().for_each(|&node| (self.each)(node));
        list
    }

    fn call(&mut self, number: u32) -> u32 {
        if let Some(call) = self.code.calls.get(number as usize) {
            (self.each)(call.callee);
            self.list(call.positional);
            let (kept, _) = kept_of(call.keywords.len(), self.max_list);
            let keywords = call.keywords[..kept].iter();
            keywords.for_each(|&(_, value)| (self.each)(value));
        }
        number
    }
}

impl Code {
    /// Hands over the nodes that a node is computed from, in the order in which they are written.
    pub fn each_operand(&self, node: NodeId, each: impl FnMut(NodeId)) {
        if let Some(node) = self.nodes.get(node as usize) {
            node.renumbered(&mut Operands {
                code: self,
                max_list: usize::MAX,
                each,
            });
        }
    }

    /// Returns the nodes that a node is computed from, in the order in which they are written.
    pub fn operands(&self, node: NodeId) -> Vec<NodeId> {
        let mut operands = Vec::new();
        self.each_operand(node, |operand| operands.push(operand));
        operands
    }
}

/// A [`Numbering`] that takes the operands out: what is left of a node or use is what else it says.
struct TakenOut<'c> {
    code: &'c Code,
    nodes: Vec<NodeId>,
}

impl Numbering for TakenOut<'_> {
    fn node(&mut self, node: NodeId) -> NodeId {
        self.nodes.push(node);
        0
    }

    fn list(&mut self, list: ListId) -> ListId {
        self.nodes.extend(self.code.list(list));
        0
    }

    fn call(&mut self, number: u32) -> u32 {
        if let Some(call) = self.code.calls.get(number as usize) {
            self.nodes.push(call.callee);
            self.nodes.extend(self.code.list(call.positional));
            self.nodes
                .extend(call.keywords.iter().map(|&(_, value)| value));
        }
        0
    }
}

impl Code {
    /// Returns what a node of this code says beside its operands, with 0 for each number, and the operands in the order in
    /// which they are written. Of a call, how many are positional and the names of the others are in [`Code::calls`].
    pub fn taken_apart(&self, node: Node) -> (Node, Vec<NodeId>) {
        let mut operands = TakenOut {
            code: self,
            nodes: Vec::new(),
        };
        (node.renumbered(&mut operands), operands.nodes)
    }

    /// Returns the operation of a use of this code with 0 for each node, and the nodes.
    pub fn use_taken_apart(&self, one: Use) -> (UseKind, Vec<NodeId>) {
        let mut operands = TakenOut {
            code: self,
            nodes: Vec::new(),
        };
        (one.renumbered(&mut operands).kind, operands.nodes)
    }
}
