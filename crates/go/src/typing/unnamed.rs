//! The variables that no Go text names. All of a kind and a type are one node of the flow graph.

use codeweft_db::{FlowNode, NONE};

/// The kinds of such variables, as [`FlowNode::Unnamed`] has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum Unnamed {
    /// The elements of all slices and arrays of an element type.
    Element,
    /// The keys of all maps of a key type.
    Key,
    /// The values of all maps of a value type.
    MapValue,
    /// The values sent on channels of an element type.
    Received,
    /// The variables that pointers to a type point to.
    Pointee,
    /// The arguments of `panic` and the results of `recover`, of whatever type.
    Panic,
}

impl Unnamed {
    /// The node of the arguments of `panic` and the results of `recover`.
    pub const PANIC: FlowNode = FlowNode::Unnamed(Unnamed::Panic as u16, NONE);

    const ALL: [Unnamed; 6] = [
        Unnamed::Element,
        Unnamed::Key,
        Unnamed::MapValue,
        Unnamed::Received,
        Unnamed::Pointee,
        Unnamed::Panic,
    ];

    /// Returns the node of this kind for a type, by the type's number.
    pub fn of(self, ty: u32) -> FlowNode {
        FlowNode::Unnamed(self as u16, ty)
    }

    /// Returns the kind of a number in a node.
    pub fn numbered(kind: u16) -> Option<Unnamed> {
        Unnamed::ALL.get(usize::from(kind)).copied()
    }

    /// Returns the words for the node of a printed type.
    pub fn words(self, ty: &str) -> String {
        match self {
            Unnamed::Element => format!("elements of type {ty}"),
            Unnamed::Key => format!("map keys of type {ty}"),
            Unnamed::MapValue => format!("map values of type {ty}"),
            Unnamed::Received => format!("channels of {ty}"),
            Unnamed::Pointee => format!("what pointers to {ty} point to"),
            Unnamed::Panic => "panic".to_owned(),
        }
    }
}
