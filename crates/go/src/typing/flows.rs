//! How values flow through the variables of bodies: what a walk keeps of it (design: the flow
//! graph of variables).

use codeweft_db::{
    FlowEdge, FlowInstance, FlowNode, FlowRole, FlowSite, FlowSource, FlowValue, Flows, NONE,
    Reason, SymbolClass, SymbolId,
};
use codeweft_syntax::go::{ExprId, Tok};
use rustc_hash::FxHashSet;

use super::Typer;
use super::converts::token;
use super::tokens::first_token;
use crate::reflection::is_value_of;
use crate::types::{Ty, Type, UnderlyingTypes};
use crate::units::package_symbol;

/// The flow of values as it is found.
#[derive(Default)]
pub struct FlowRecord {
    edges: Vec<FlowEdge>,
    sources: Vec<FlowSource>,
    sites: Vec<FlowSite>,
    instances: FxHashSet<FlowInstance>,
    literals: Vec<(SymbolId, u32)>,
    /// Functions that are linked to a signature already.
    pub(super) linked: FxHashSet<(SymbolId, u32)>,
}

impl FlowRecord {
    /// Takes back that something unknown flows into a place, where that was noted last.
    pub(super) fn drop_unknown(&mut self, place: FlowNode) {
        let is_last = self
            .sources
            .last()
            .is_some_and(|last| last.to == place && matches!(last.value, FlowValue::Unknown(_)));
        if is_last {
            self.sources.pop();
        }
    }

    /// The fragment, each list sorted and distinct.
    pub fn take(&mut self) -> Flows {
        fn distinct<T: Ord>(mut list: Vec<T>) -> Box<[T]> {
            list.sort_unstable();
            list.dedup();
            list.into()
        }
        let FlowRecord {
            edges,
            sources,
            sites,
            instances,
            literals,
            linked: _,
        } = std::mem::take(self);
        Flows {
            edges: distinct(edges),
            sources: distinct(sources),
            sites: distinct(sites),
            instances: distinct(instances.into_iter().collect()),
            literals: distinct(literals),
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueOrigin {
    /// Nowhere that is followed.
    Nothing,
    /// A place.
    Place(FlowNode, FlowFilter),
    /// A call of a declared function or method.
    Results(SymbolId, FlowFilter),
    /// A call of a function value of a signature.
    SignatureResults(u32),
    /// A declared function or method that is used as a value, or called.
    Function(FunctionOrigin),
    /// A function literal of this signature.
    Literal(Ty),
    /// The address of a place.
    Address(FlowNode),
    /// An `unsafe.Pointer` made of the address of a place.
    UnsafeAddress(FlowNode),
    /// A pointer that was made of an `unsafe.Pointer`, of a place's address if it is known.
    Unsafe(Option<FlowNode>),
    /// Where no text shows it.
    Unknown(Reason),
}

/// A declared function or method as an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionOrigin {
    pub symbol: SymbolId,
    /// A method of an interface.
    pub of_interface: bool,
    /// Of a method expression: where the first argument goes, which is the receiver (Go spec,
    /// Method expressions).
    pub receiver: Option<FlowNode>,
    /// See [`ValueOrigin::Results`].
    pub filter: FlowFilter,
}

/// Which of the values at a place have come along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FlowFilter {
    /// All.
    None,
    /// Those of the value's own type: the place is one of generic code, and holds what all
    /// instances put there.
    Own,
    /// Those that a place of this type can hold.
    Type(u32),
}

/// A value on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowingValue {
    pub ty: Ty,
    pub origin: ValueOrigin,
}

impl FlowingValue {
    /// A value without an origin.
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
    /// As values that methods may be called on.
    Concrete,
    Interface,
    Function,
    Parameter,
    Unknown,
}

impl Typer<'_> {
    /// How values of a type are followed.
    pub(super) fn kind(&mut self, ty: Ty) -> FlowKind {
        match self.types.get(ty) {
            Type::Unknown => FlowKind::Unknown,
            Type::Func(_) => FlowKind::Function,
            Type::Interface(_) => FlowKind::Interface,
            Type::Param(..) => FlowKind::Parameter,
            Type::Struct(fields) if fields.iter().any(|field| field.embedded) => FlowKind::Concrete,
            Type::Pointer(target) => match self.types.get(*target) {
                Type::Named(..) | Type::Struct(_) => match self.kind(*target) {
                    FlowKind::Concrete => FlowKind::Concrete,
                    FlowKind::Function if self.declares_methods(*target) => FlowKind::Concrete,
                    _ => FlowKind::Plain,
                },
                _ => FlowKind::Plain,
            },
            Type::Named(symbol, _) => {
                if let Some(&known) = self.kinds.get(&ty) {
                    return known;
                }
                let kind = match self.types.get(self.underlying(ty)) {
                    Type::Interface(_) => FlowKind::Interface,
                    Type::Func(_) => FlowKind::Function,
                    Type::Struct(fields) if fields.iter().any(|field| field.embedded) => {
                        FlowKind::Concrete
                    }
                    _ => match self.def(*symbol) {
                        Some(def) if def.methods.is_empty() => FlowKind::Plain,
                        _ => FlowKind::Concrete,
                    },
                };
                self.kinds.insert(ty, kind);
                kind
            }
            _ => FlowKind::Plain,
        }
    }

    /// Whether a defined type has methods of its own.
    fn declares_methods(&self, ty: Ty) -> bool {
        match self.types.get(ty) {
            Type::Named(symbol, _) => self.def(*symbol).is_some_and(|def| !def.methods.is_empty()),
            _ => false,
        }
    }

    /// Whether places of a type are nodes of the flow graph.
    pub(super) fn is_followed(&mut self, ty: Ty) -> bool {
        matches!(
            self.kind(ty),
            FlowKind::Interface | FlowKind::Function | FlowKind::Parameter
        )
    }

    /// The number that identical types share.
    pub(super) fn number(&self, ty: Ty) -> u32 {
        self.types.canonical(ty).number()
    }

    /// The number that stands for values of a concrete type. A struct literal keeps its own, since
    /// what runs on it is told by its own fields.
    fn value_number(&self, ty: Ty) -> u32 {
        let target = match self.types.get(ty) {
            Type::Pointer(target) => *target,
            _ => ty,
        };
        match self.types.get(target) {
            Type::Struct(_) => ty.number(),
            _ => self.number(ty),
        }
    }

    /// The number of the signature that functions of a type have.
    pub(super) fn signature_number(&self, ty: Ty) -> u32 {
        self.number(self.core(ty))
    }

    /// A place of the fragment's own.
    pub(super) fn fresh(&mut self) -> FlowNode {
        let place = FlowNode::Local(self.next_place);
        self.next_place += 1;
        place
    }

    /// Reads an expression as a value, with where that comes from.
    pub(super) fn read_given(&mut self, expr: ExprId) -> FlowingValue {
        let ty = self.read(expr);
        FlowingValue {
            ty,
            origin: self.origin,
        }
    }

    /// One of several values that an expression gives: see [`Typer::result_at`].
    pub(super) fn given_at(
        &self,
        value: ExprId,
        given: FlowingValue,
        number: usize,
    ) -> FlowingValue {
        let origin = match (given.origin, number) {
            (ValueOrigin::Results(symbol, filter), _) => {
                ValueOrigin::Place(FlowNode::Result(symbol, short(number)), filter)
            }
            (ValueOrigin::SignatureResults(signature), _) => {
                let place = FlowNode::SignatureResult(signature, short(number));
                ValueOrigin::Place(place, FlowFilter::None)
            }
            (origin @ ValueOrigin::Unknown(_), _) | (origin, 0) => origin,
            _ => ValueOrigin::Nothing,
        };
        FlowingValue {
            ty: self.result_at(value, given.ty, number),
            origin,
        }
    }

    /// The place that an expression on a left side means.
    pub(super) fn written_place(&self) -> Option<FlowNode> {
        match self.origin {
            ValueOrigin::Place(place, _) => Some(place),
            _ => None,
        }
    }

    /// What an operand that nothing is known of comes from.
    pub(super) fn unknown_origin(&self, absent: Option<codeweft_db::NameId>) -> ValueOrigin {
        ValueOrigin::Unknown(match absent {
            Some(path) if self.names.text(path) == "C" => Reason::Cgo,
            _ => Reason::UnknownReceiver,
        })
    }

    /// Values flow from one place to another.
    pub(super) fn edge(&mut self, from: FlowNode, to: FlowNode, pass: u32) {
        if from != to
            && let Some(record) = &mut self.record
        {
            record.flows.edges.push(FlowEdge { from, to, pass });
        }
    }

    /// A value begins to flow.
    pub(super) fn source(&mut self, value: FlowValue, to: FlowNode, at: ExprId, role: FlowRole) {
        let tok = token(self.code, at).or_else(|| first_token(self.code, at));
        self.source_at(value, to, tok, role);
    }

    /// As [`Typer::source`], at a token; without one at the first of the body.
    pub(super) fn source_at(
        &mut self,
        value: FlowValue,
        to: FlowNode,
        tok: Option<Tok>,
        role: FlowRole,
    ) {
        if let Some(record) = &mut self.record {
            let occ = tok.map_or(0, |tok| tok.wrapping_sub(record.first));
            record.flows.sources.push(FlowSource {
                value,
                to,
                body: record.body,
                occ,
                role,
            });
        }
    }

    /// A call through a place, at a token.
    pub(super) fn site(&mut self, tok: Tok, at: FlowNode, method: Option<SymbolId>) {
        let in_literal = self.literal_depth > 0;
        if let Some(record) = &mut self.record {
            record.flows.sites.push(FlowSite {
                body: record.body,
                occ: tok.wrapping_sub(record.first),
                at,
                method,
                in_literal,
            });
        }
    }

    /// A method of an interface is called on a value of a type: where a literal declares it, nothing
    /// else tells which values have it.
    pub(super) fn literal_called(&mut self, method: SymbolId, receiver: Ty) {
        let Some(parent) = self.db.shared().symbols.key(method).parent else {
            return;
        };
        let is_own =
            matches!(self.types.get(receiver), Type::Named(symbol, _) if *symbol == parent);
        if is_own && self.kind(receiver) == FlowKind::Interface || self.is_interface(parent) {
            return;
        }
        let ty = match self.types.get(receiver) {
            Type::Param(owner, index) => self.constraint_of(*owner, *index),
            _ => Some(receiver),
        };
        let interface = ty.filter(|&ty| self.kind(ty) == FlowKind::Interface);
        if let Some(number) = interface.map(|ty| self.number(ty))
            && let Some(record) = &mut self.record
        {
            record.flows.literals.push((method, number));
        }
    }

    /// Whether a symbol is a declared interface.
    fn is_interface(&self, symbol: SymbolId) -> bool {
        self.db.shared().symbols.key(symbol).class == SymbolClass::Type
            && self
                .def(symbol)
                .is_some_and(|def| matches!(self.types.get(def.underlying), Type::Interface(_)))
    }

    /// A generic declaration with its type arguments.
    pub(super) fn instance(&mut self, owner: SymbolId, args: &[Ty]) {
        if !self.follows || args.is_empty() {
            return;
        }
        let args = args.iter().map(|&arg| self.number(arg)).collect();
        if let Some(record) = &mut self.record {
            record.flows.instances.insert(FlowInstance { owner, args });
        }
    }

    /// What the literals of the code around belong to.
    fn literal_owner(&self) -> SymbolId {
        match self.function {
            Some((function, _)) if !self.in_initialiser => function,
            _ => package_symbol(self.db, self.unit),
        }
    }

    /// The type that an edge lets pass: places hold what their own types can, so that only a
    /// narrower place keeps something away.
    fn pass(&mut self, given: FlowingValue, filter: FlowFilter, to: Ty) -> u32 {
        let from = given.ty;
        match filter {
            FlowFilter::Type(number) => return number,
            FlowFilter::Own if from != Ty::ANY && self.kind(from) == FlowKind::Interface => {
                return self.number(from);
            }
            FlowFilter::Own | FlowFilter::None => {}
        }
        let plain = to == Ty::ANY
            || self.kind(to) != FlowKind::Interface
            || self.types.has_param(to)
            || self.types.identical(from, to);
        if plain { NONE } else { self.number(to) }
    }

    /// A value flows into a place of type `to` (Go spec, Assignability). `value` is its text.
    pub(super) fn flow(
        &mut self,
        given: FlowingValue,
        to: Ty,
        place: FlowNode,
        value: ExprId,
        role: FlowRole,
    ) {
        if !self.follows || !self.is_followed(to) {
            return;
        }
        let from = given.ty;
        match self.kind(from) {
            FlowKind::Plain => {}
            FlowKind::Concrete => {
                let number = self.value_number(from);
                self.source(FlowValue::Type(number), place, value, role);
                self.bound_by_pointer(from);
            }
            FlowKind::Unknown => match given.origin {
                ValueOrigin::Function(_) | ValueOrigin::Literal(_) => {
                    let given = FlowingValue { ty: to, ..given };
                    self.origin_flows(given, to, place, value, role);
                }
                ValueOrigin::Unknown(reason) => {
                    self.source(FlowValue::Unknown(reason), place, value, role);
                }
                _ => {
                    let unknown = FlowValue::Unknown(Reason::UnknownReceiver);
                    self.source(unknown, place, value, role);
                }
            },
            FlowKind::Parameter => {
                if let Type::Param(owner, index) = self.types.get(from) {
                    let arguments = FlowNode::TypeParameter(*owner, *index);
                    let pass = self.pass(FlowingValue::of(from), FlowFilter::None, to);
                    self.edge(arguments, place, pass);
                }
                self.origin_flows(given, to, place, value, role);
            }
            FlowKind::Interface => self.origin_flows(given, to, place, value, role),
            FlowKind::Function => {
                let converts = self.kind(to) == FlowKind::Interface && self.declares_methods(from);
                if !converts || self.interface_methods(to).is_empty() {
                    self.origin_flows(given, to, place, value, role);
                }
                if converts {
                    let number = self.number(from);
                    self.source(FlowValue::Type(number), place, value, role);
                    self.received_by_methods(given, value);
                }
            }
        }
    }

    /// A function of a defined type becomes an interface's: its methods may be called on it.
    fn received_by_methods(&mut self, given: FlowingValue, value: ExprId) {
        let Type::Named(symbol, _) = self.types.get(given.ty) else {
            return;
        };
        let Some(def) = self.def(*symbol) else { return };
        for method in def.methods.iter().filter(|method| !method.pointer) {
            let receiver = FlowNode::Parameter(method.symbol, FlowNode::RECEIVER);
            self.origin_flows(given, given.ty, receiver, value, FlowRole::Argument);
        }
    }

    /// A pointer to a function becomes an interface's: methods get what it points to.
    fn bound_by_pointer(&mut self, pointer: Ty) {
        let Type::Pointer(target) = *self.types.get(pointer) else {
            return;
        };
        if self.kind(target) != FlowKind::Function {
            return;
        }
        let Type::Named(symbol, _) = self.types.get(target) else {
            return;
        };
        let Some(def) = self.def(*symbol) else { return };
        let pointee = FlowNode::Pointee(self.number(target));
        for method in def.methods.iter().filter(|method| !method.pointer) {
            let receiver = FlowNode::Parameter(method.symbol, FlowNode::RECEIVER);
            self.edge(pointee, receiver, NONE);
        }
    }

    /// What is at a value's origin flows into a place of type `to`.
    fn origin_flows(
        &mut self,
        given: FlowingValue,
        to: Ty,
        place: FlowNode,
        value: ExprId,
        role: FlowRole,
    ) {
        match self.given_at(value, given, 0).origin {
            ValueOrigin::Place(from, filter) => {
                let pass = self.pass(given, filter, to);
                self.edge(from, place, pass);
            }
            ValueOrigin::Function(function) => {
                let symbol = function.symbol;
                let what = match function.of_interface {
                    true => FlowValue::InterfaceMethod(symbol),
                    false => FlowValue::Function(symbol),
                };
                self.source(what, place, value, role);
                self.link(function, given.ty);
            }
            ValueOrigin::Literal(signature) => {
                let what = FlowValue::Literal(self.literal_owner(), self.number(signature));
                self.source(what, place, value, role);
            }
            ValueOrigin::Unknown(reason) => {
                self.source(FlowValue::Unknown(reason), place, value, role);
            }
            _ => {}
        }
    }

    /// A function is used as a value: what is called through its signature gets to its
    /// parameters, and its results come back.
    fn link(&mut self, function: FunctionOrigin, ty: Ty) {
        let core = self.core(ty);
        let Type::Func(signature) = self.types.get(core) else {
            return;
        };
        let (symbol, number) = (function.symbol, self.number(core));
        let record = self.record.as_mut();
        if !record.is_some_and(|record| record.flows.linked.insert((symbol, number))) {
            return;
        }
        if is_value_of(self.db, symbol) {
            let reflected = self.reflected_by_value(symbol);
            self.edge(FlowNode::SignatureParameter(number, 0), reflected, NONE);
        }
        for (at, &ty) in signature.params.iter().enumerate() {
            if !self.is_followed(ty) {
                continue;
            }
            let to = match (function.receiver, at) {
                (None, _) => FlowNode::Parameter(symbol, short(at)),
                (Some(receiver), 0) => receiver,
                (Some(_), _) => FlowNode::Parameter(symbol, short(at - 1)),
            };
            self.edge(FlowNode::SignatureParameter(number, short(at)), to, NONE);
        }
        for (at, &ty) in signature.results.iter().enumerate() {
            if self.is_followed(ty) {
                let from = FlowNode::Result(symbol, short(at));
                self.edge(from, FlowNode::SignatureResult(number, short(at)), NONE);
            }
        }
    }

    /// A place that holds a value: its own where it has one, else one that it flows into.
    pub(super) fn held(&mut self, given: FlowingValue, value: ExprId, role: FlowRole) -> FlowNode {
        if let ValueOrigin::Place(place, FlowFilter::None) = self.given_at(value, given, 0).origin {
            if let Type::Param(owner, index) = self.types.get(given.ty) {
                self.edge(FlowNode::TypeParameter(*owner, *index), place, NONE);
            }
            return place;
        }
        let place = self.fresh();
        self.flow(given, given.ty, place, value, role);
        place
    }
}

/// The number of a parameter or result; of those beyond the last that fits, that one.
pub(super) fn short(number: usize) -> u16 {
    number.min(usize::from(u16::MAX - 1)) as u16
}
