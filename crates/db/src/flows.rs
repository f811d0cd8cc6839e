//! The value flow graph: which values of concrete types and which functions reach the variables
//! that calls go through.
//!
//! A language records a fragment ([`Flows`]) for each part of a file's bodies, free of byte
//! offsets. The graph crate joins the fragments outside salsa and solves slices of the joined graph
//! on demand.
//!
//! ```go
//! var w io.Writer = os.Stdout // source: Type(*os.File) -> Variable(w)
//! f := w                      // edge:   Variable(w) -> Local(0)
//! f.Write(nil)                // site:   at Local(0), method io.Writer.Write
//! ```
//!
//! The call's possible targets are the `Write` methods of the types that reach `Local(0)`: here
//! only `(*os.File).Write`, not every type that implements `io.Writer`.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::{File, Reason, SymbolId};

/// A node of the flow graph: a variable that values flow through. Only variables whose type is an
/// interface, a function or a type parameter are nodes. Types are numbers in the language's type
/// table, in canonical form.
///
/// Variables that texts do not name share a node per type: all elements of all lists of an element
/// type are one node. That keeps the graph linear in the size of the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FlowNode {
    /// A local variable or temporary value, private to its fragment.
    Local(u32),
    /// A package-level variable, or a field of a struct in any value.
    Variable(SymbolId),
    /// A parameter of a function or method by number; [`FlowNode::RECEIVER`] for the receiver. For
    /// an interface's method: of all methods that satisfy it. Numbers from
    /// [`FlowNode::FIRST_PSEUDO`] are pseudo-parameters of the language's own.
    Parameter(SymbolId, u16),
    /// A result of a function or method; for an interface's method as with parameters.
    Result(SymbolId, u16),
    /// A parameter of all functions of a signature that are used as values.
    SignatureParameter(u32, u16),
    /// A result of all functions of a signature that are used as values.
    SignatureResult(u32, u16),
    /// The variables of a kind and a type that no text names, such as the elements of containers.
    /// The kinds are the language's own: it has their words in [`crate::ValueFlow::unnamed_node`].
    Unnamed(u16, u32),
    /// The values of the type arguments for a type parameter of a type, function or method.
    TypeParameter(SymbolId, u16),
}

impl Hash for FlowNode {
    /// Hashes a node as one number: nodes are looked up for every edge of the graph.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (variant, number, of) = match *self {
            FlowNode::Local(number) => (0, 0, number),
            FlowNode::Variable(symbol) => (1, 0, symbol.number()),
            FlowNode::Parameter(symbol, number) => (2, number, symbol.number()),
            FlowNode::Result(symbol, number) => (3, number, symbol.number()),
            FlowNode::SignatureParameter(ty, number) => (4, number, ty),
            FlowNode::SignatureResult(ty, number) => (5, number, ty),
            FlowNode::Unnamed(kind, ty) => (6, kind, ty),
            FlowNode::TypeParameter(symbol, number) => (7, number, symbol.number()),
        };
        state.write_u64(u64::from(of) << 24 | u64::from(number) << 8 | variant);
    }
}

const _: () = assert!(
    size_of::<FlowNode>() == 8,
    "edges are kept by the hundred thousand"
);

impl FlowNode {
    /// The parameter number of a method's receiver.
    pub const RECEIVER: u16 = u16::MAX;

    /// The first number of a pseudo-parameter.
    pub const FIRST_PSEUDO: u16 = 0x8000;
}

/// A value that flows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FlowValue {
    /// A value of a concrete type that has methods, by its type number: a defined type, a pointer
    /// to one, or a type literal that embeds.
    Type(u32),
    /// A declared function, or a method of a concrete type, used as a value.
    Function(SymbolId),
    /// A method of an interface used as a value, bound to its receiver. Its targets are those of
    /// the interface's method by the class hierarchy.
    InterfaceMethod(SymbolId),
    /// A function literal in the body of this function (the package for initialisers), with its
    /// signature as a type number.
    Literal(SymbolId, u32),
    /// Any value: it comes from outside the visible code.
    Unknown(Reason),
}

/// The syntactic way a value reached a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the roles by name")]
pub enum FlowRole {
    Assigned,
    Argument,
    Returned,
    Element,
    Sent,
    Converted,
    Instance,
}

/// A value that starts to flow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlowSource {
    /// The value.
    pub value: FlowValue,
    /// The node that it flows to.
    pub to: FlowNode,
    /// See [`crate::Use::body`].
    pub body: u32,
    /// See [`crate::Use::occ`]: the token of the value; for a literal its own.
    pub occ: u32,
    /// The way it flows there.
    pub role: FlowRole,
}

/// An edge: values flow from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlowEdge {
    /// The start.
    pub from: FlowNode,
    /// The end.
    pub to: FlowNode,
    /// The type whose variables must be able to hold a value for it to pass; [`crate::NONE`] if all
    /// pass.
    pub pass: u32,
}

/// A call through a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlowSite {
    /// See [`crate::Use::body`].
    pub body: u32,
    /// See [`crate::Use::occ`]: the token of the call's use or unresolved site.
    pub occ: u32,
    /// The node that holds the receiver or the function.
    pub at: FlowNode,
    /// The called method of an interface or constraint; `None` for a function value.
    pub method: Option<SymbolId>,
    /// Whether the call is inside a function literal.
    pub in_literal: bool,
    /// Whether what reaches the node decides the call as a name does: its targets are exact.
    pub is_exact: bool,
}

/// A generic declaration with type arguments that the text writes or implies. The arguments may
/// contain type parameters of the enclosing declaration.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FlowInstance {
    /// The generic type, function or method.
    pub owner: SymbolId,
    /// The type arguments, as type numbers.
    pub args: Box<[u32]>,
}

/// The flow graph fragment of one part of a file's bodies. Every list is sorted and distinct.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flows {
    /// The edges.
    pub edges: Box<[FlowEdge]>,
    /// The values that start to flow here.
    pub sources: Box<[FlowSource]>,
    /// The calls, sorted by position.
    pub sites: Box<[FlowSite]>,
    /// The instances of generic declarations.
    pub instances: Box<[FlowInstance]>,
    /// The methods of interface literals that are called or used as values, each with the type
    /// number of the receiver.
    pub literals: Box<[(SymbolId, u32)]>,
}

impl Flows {
    /// Returns whether the fragment has no edges, sources, sites or instances.
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

    /// Returns whether `other` has the same graph regardless of positions: equal edges, sources and
    /// call nodes.
    pub fn same_graph(&self, other: &Flows) -> bool {
        fn distinct<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
            let mut all: Vec<T> = all.collect();
            all.sort_unstable();
            all.dedup();
            all
        }
        let sources = |flows: &Flows| distinct(flows.sources.iter().map(|one| (one.value, one.to)));
        let nodes =
            |flows: &Flows| distinct(flows.sites.iter().map(|site| (site.at, site.is_exact)));
        self.edges == other.edges
            && self.instances == other.instances
            && sources(self) == sources(other)
            && nodes(self) == nodes(other)
    }

    /// Returns whether calls name the same methods of interfaces as in `other`, on the same types.
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

    /// Returns the call at a token.
    pub fn site(&self, body: u32, occ: u32) -> Option<&FlowSite> {
        let key = |site: &FlowSite| (site.body, site.occ);
        let at = self.sites.binary_search_by_key(&(body, occ), key).ok()?;
        Some(&self.sites[at])
    }
}

/// A fragment together with its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFlows {
    /// The file.
    pub file: File,
    /// The fragment.
    pub flows: Arc<Flows>,
}

/// The target of an interface method call on a value of a concrete type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FlowTarget {
    /// A declared method.
    Method(SymbolId),
    /// The same method of the value in an embedded field of an interface type: (field, method).
    Through(SymbolId, SymbolId),
}

/// The node that a node of generic code becomes in an instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FlowInstantiated {
    /// This node. Values flow both ways; out of the generic node only those that a variable of this
    /// type can hold.
    Node(FlowNode, u32),
    /// This node. Values flow from it into the generic node.
    From(FlowNode),
    /// The value of a concrete type. It flows into the generic node.
    Value(FlowValue),
    /// Nothing that is followed.
    Nothing,
}
