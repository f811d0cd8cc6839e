//! The origins of values: where an operand's value comes from in the value flow graph.

use codeweft_db::{FlowNode, Reason, SymbolId};

use crate::types::Ty;

/// The origin of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueOrigin {
    /// Nothing that is followed.
    Nothing,
    /// A node.
    Node(FlowNode, FlowFilter),
    /// A call of a declared function or method.
    Results(SymbolId, FlowFilter),
    /// A call of a function value of a signature.
    SignatureResults(u32),
    /// A declared function or method that is used as a value, or called.
    Function(FunctionOrigin),
    /// A function literal of this signature.
    Literal(Ty),
    /// The address of a node's variable.
    Address(FlowNode),
    /// An `unsafe.Pointer` converted from the address of a node's variable.
    UnsafeAddress(FlowNode),
    /// A pointer converted from an `unsafe.Pointer`, with the node whose address it is, if known.
    Unsafe(Option<FlowNode>),
    /// Code that is not visible.
    Unknown(Reason),
}

impl ValueOrigin {
    /// Returns the node that an operand denotes as the left side of an assignment.
    pub fn node(self) -> Option<FlowNode> {
        match self {
            ValueOrigin::Node(node, _) => Some(node),
            _ => None,
        }
    }

    /// Returns the origin of a value that is held by this node alone.
    pub fn of_node(node: FlowNode) -> ValueOrigin {
        ValueOrigin::Node(node, FlowFilter::None)
    }
}

/// A declared function or method as an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionOrigin {
    pub symbol: SymbolId,
    /// Whether it is a method of an interface.
    pub of_interface: bool,
    /// For a method expression the node of its first argument, which is the receiver (Go spec,
    /// Method expressions).
    pub receiver: Option<FlowNode>,
    /// See [`ValueOrigin::Results`].
    pub filter: FlowFilter,
}

/// The values of a node that reach an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FlowFilter {
    /// All.
    None,
    /// Those of the operand's own type: the node belongs to generic code and holds the values of
    /// all instances.
    Own,
    /// Those that a variable of this type can hold.
    Type(u32),
}

/// A value with its type and origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowingValue {
    pub ty: Ty,
    pub origin: ValueOrigin,
}

impl FlowingValue {
    /// Returns a value without an origin.
    pub fn of(ty: Ty) -> FlowingValue {
        FlowingValue {
            ty,
            origin: ValueOrigin::Nothing,
        }
    }
}

/// How values of a type are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FlowKind {
    /// Not at all: it has no methods.
    Plain,
    /// As concrete values, on which methods may be called.
    Concrete,
    Interface,
    Function,
    Parameter,
    Unknown,
}

/// The callee, as far as arguments flow into it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    /// A declared function or method.
    Declared(FunctionOrigin),
    /// A function value of this signature.
    Signature(u32),
}

impl Callee {
    /// Returns the node of a parameter by the argument's number; the first argument of a method
    /// expression is the receiver.
    pub(super) fn parameter(self, number: usize) -> FlowNode {
        match self {
            Callee::Declared(function) => match (function.receiver, number) {
                (None, _) => FlowNode::Parameter(function.symbol, short(number)),
                (Some(receiver), 0) => receiver,
                (Some(_), _) => FlowNode::Parameter(function.symbol, short(number - 1)),
            },
            Callee::Signature(signature) => FlowNode::SignatureParameter(signature, short(number)),
        }
    }

    /// Returns the origin of the results of a call; `generic` if the callee has type parameters.
    pub(super) fn results(self, generic: bool) -> ValueOrigin {
        match self {
            Callee::Declared(function) => {
                let filter = if generic {
                    FlowFilter::Own
                } else {
                    function.filter
                };
                ValueOrigin::Results(function.symbol, filter)
            }
            Callee::Signature(signature) => ValueOrigin::SignatureResults(signature),
        }
    }
}

/// Returns the number of a parameter or result, clamped to the range of node numbers.
pub(super) fn short(number: usize) -> u16 {
    number.min(usize::from(u16::MAX - 1)) as u16
}
