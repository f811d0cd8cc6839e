//! The flow graph of variables: how values of concrete types and functions reach the places that
//! calls are made through. Fragments are free of offsets, one for each part of a file's bodies;
//! the graph joins them and answers by slices, outside salsa.

use std::sync::Arc;

use crate::{File, Reason, SymbolId};

/// A place that values flow through: a node of the flow graph. Only places whose type is an
/// interface, a function or a type parameter are nodes. Types are numbers in the language's table
/// of types, in their canonical form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FlowNode {
    /// A variable of a body, or a value on its way, private to its fragment.
    Local(u32),
    /// A variable of a package, or a field of a struct wherever it is.
    Variable(SymbolId),
    /// A parameter of a function or method by its number; [`FlowNode::RECEIVER`] for the receiver.
    /// Of an interface's method: of all methods that satisfy it.
    Parameter(SymbolId, u16),
    /// A result of a function or method. Of an interface's method as for parameters.
    Result(SymbolId, u16),
    /// A parameter of all functions of a signature that are used as values.
    SignatureParameter(u32, u16),
    /// A result of all functions of a signature that are used as values.
    SignatureResult(u32, u16),
    /// The elements of all slices and arrays of an element type.
    Element(u32),
    /// The keys of all maps of a key type.
    Key(u32),
    /// The values of all maps of a value type.
    MapValue(u32),
    /// What is sent on channels of an element type.
    Received(u32),
    /// What pointers to a type point to.
    Pointee(u32),
    /// The type arguments of a type parameter of a type, function or method.
    TypeParameter(SymbolId, u16),
    /// What `panic` is called with and `recover` gives.
    Panic,
}

const _: () = assert!(
    size_of::<FlowNode>() == 8,
    "edges are kept by the hundred thousand"
);

impl FlowNode {
    /// The number of a method's receiver among its parameters.
    pub const RECEIVER: u16 = u16::MAX;

    /// From this number on a function's parameters stand for what it hands away: the first call in it
    /// that does, the second, and so on.
    pub const HANDED: u16 = 0x8000;

    /// Where what a function hands away by a call of this number flows to.
    pub fn handed(function: SymbolId, number: u16) -> FlowNode {
        let number = number.min(FlowNode::RECEIVER - 1 - FlowNode::HANDED);
        FlowNode::Parameter(function, FlowNode::HANDED + number)
    }

    /// The function and the number of its call: see [`FlowNode::handed`].
    pub fn as_handed(self) -> Option<(SymbolId, u16)> {
        match self {
            FlowNode::Parameter(_, FlowNode::RECEIVER) => None,
            FlowNode::Parameter(function, number) => {
                Some((function, number.checked_sub(FlowNode::HANDED)?))
            }
            _ => None,
        }
    }
}

/// What flows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FlowValue {
    /// A value of a concrete type that has methods, by its number in the language's table: a
    /// defined type, a pointer to one, or a literal type that embeds.
    Type(u32),
    /// A declared function or a method of a concrete type, used as a value.
    Function(SymbolId),
    /// A method of an interface used as a value, with its receiver at hand: what it runs is what
    /// the interface's method runs by the class hierarchy.
    InterfaceMethod(SymbolId),
    /// A function literal in the body of this function, or package for initialisers, with its
    /// signature, a number of a type.
    Literal(SymbolId, u32),
    /// Anything: it comes from where no text shows it.
    Unknown(Reason),
}

/// How a value came to a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the roles by name")]
pub enum FlowRole {
    Assigned,
    Argument,
    Returned,
    Element,
    Sent,
    Converted,
    Received,
    Instance,
}

/// A value that begins to flow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlowSource {
    /// What.
    pub value: FlowValue,
    /// Where to.
    pub to: FlowNode,
    /// See [`crate::Use::body`].
    pub body: u32,
    /// See [`crate::Use::occ`]: the token of the value; of a literal its own.
    pub occ: u32,
    /// How.
    pub role: FlowRole,
}

/// Values flow from one place to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlowEdge {
    /// From here.
    pub from: FlowNode,
    /// To here.
    pub to: FlowNode,
    /// Only values that a place of this type can hold; [`crate::NONE`] for all.
    pub pass: u32,
}

/// A call through a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlowSite {
    /// See [`crate::Use::body`].
    pub body: u32,
    /// See [`crate::Use::occ`]: the token that the call's use, or its open site, has.
    pub occ: u32,
    /// The place that holds the receiver, or the function.
    pub at: FlowNode,
    /// The method of an interface or constraint that is called; `None` for a function value.
    pub method: Option<SymbolId>,
    /// Whether it stands in a function literal.
    pub in_literal: bool,
}

/// A generic declaration with type arguments that the text spells or implies. Arguments may hold
/// type parameters of the declaration around.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlowInstance {
    /// The generic type, function or method.
    pub owner: SymbolId,
    /// Its type arguments, numbers of types.
    pub args: Box<[u32]>,
}

/// The fragment of one part of a file's bodies. Every list is sorted and distinct.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flows {
    /// The edges.
    pub edges: Box<[FlowEdge]>,
    /// Where values begin.
    pub sources: Box<[FlowSource]>,
    /// The calls, sorted by place in the text.
    pub sites: Box<[FlowSite]>,
    /// The instances of generic declarations.
    pub instances: Box<[FlowInstance]>,
    /// The methods of interface literals that are called or used as values, each with the type of
    /// the receiver, a number of a type.
    pub literals: Box<[(SymbolId, u32)]>,
}

impl Flows {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        let Flows {
            edges,
            sources,
            sites,
            instances,
            literals: _,
        } = self;
        edges.is_empty() && sources.is_empty() && sites.is_empty() && instances.is_empty()
    }

    /// Whether values flow as in `other`, wherever in the bodies that is written: by the same edges,
    /// from the same sources, to calls through the same places.
    pub fn same_graph(&self, other: &Flows) -> bool {
        fn distinct<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
            let mut all: Vec<T> = all.collect();
            all.sort_unstable();
            all.dedup();
            all
        }
        let sources = |flows: &Flows| distinct(flows.sources.iter().map(|one| (one.value, one.to)));
        let places = |flows: &Flows| distinct(flows.sites.iter().map(|site| site.at));
        self.edges == other.edges
            && self.instances == other.instances
            && sources(self) == sources(other)
            && places(self) == places(other)
    }

    /// Whether calls name the same methods of interfaces as in `other`, on the same types.
    pub fn same_calls(&self, other: &Flows) -> bool {
        let called = |flows: &Flows| {
            let sites = flows.sites.iter();
            let mut called: Vec<SymbolId> = sites.filter_map(|site| site.method).collect();
            called.sort_unstable();
            called.dedup();
            called
        };
        self.literals == other.literals && called(self) == called(other)
    }

    /// The call at a place of the text.
    pub fn site(&self, body: u32, occ: u32) -> Option<&FlowSite> {
        let key = |site: &FlowSite| (site.body, site.occ);
        let at = self.sites.binary_search_by_key(&(body, occ), key).ok()?;
        Some(&self.sites[at])
    }
}

/// A fragment with the file that it is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFlows {
    /// The file.
    pub file: File,
    /// The fragment.
    pub flows: Arc<Flows>,
}

/// What runs where a method of an interface is called on a value of a concrete type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FlowTarget {
    /// A declared method.
    Method(SymbolId),
    /// The same method of what an embedded field of an interface type holds.
    Through(SymbolId, SymbolId),
}

/// What a place of generic code is in an instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FlowInstantiated {
    /// This place: values flow both ways, and out of the generic place only those that a place of
    /// the type of this number can hold.
    Place(FlowNode, u32),
    /// This place: values flow from it into the generic place.
    From(FlowNode),
    /// A place of a concrete type: values of it flow into the generic place.
    Value(FlowValue),
    /// Nothing that is followed.
    Nothing,
}
