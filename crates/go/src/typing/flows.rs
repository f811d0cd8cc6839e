//! Recording of value flow: the edges, sources and call sites that a walk contributes to the flow
//! graph ([`codeweft_db::Flows`]).
//!
//! Every operand has a type and a [`ValueOrigin`]. An assignment of a value to a variable whose
//! type is followed (an interface, a function or a type parameter) turns the origin into graph
//! entries:
//!
//! ```go
//! var h Handler = logger{}  // concrete type: source Type(logger)  -> Variable(h)
//! f := h                    // a node:        edge   Variable(h)   -> Local(0)
//! f = func(string) {}       // a literal:     source Literal(sig)  -> Local(0)
//! g := serve                // a function:    source Function(serve), and links:
//!                           //   SignatureParameter(sig, 0) -> Parameter(serve, 0)
//!                           //   Result(serve, 0) -> SignatureResult(sig, 0)
//! h.Handle("x")             // a site at Variable(h), method Handler.Handle
//! ```
//!
//! Values of types without methods are not followed, because no call can go through them. Calls and
//! other operands are in `flow_calls` and `flow_operands`.

use codeweft_db::{FlowInstance, FlowNode, FlowRole, FlowValue, NONE, Reason, SymbolId};
use codeweft_go_syntax::ExprId;

use super::boxed;
use super::origin::{FlowFilter, FlowKind, FlowingValue, FunctionOrigin, ValueOrigin, short};
use super::recorders::FlowRecorder;
use super::reflected::is_reflect_value_of;
use super::tokens::{first_token, token};
use super::unnamed::Unnamed;
use crate::types::{Ty, Type, UnderlyingTypes};

impl FlowRecorder<'_, '_> {
    /// Returns how values of a type are followed.
    pub(super) fn kind(&mut self, ty: Ty) -> FlowKind {
        match self.cx.types.get(ty) {
            Type::Unknown => FlowKind::Unknown,
            Type::Func(_) => FlowKind::Function,
            Type::Interface(_) => FlowKind::Interface,
            Type::Param(..) => FlowKind::Parameter,
            Type::Struct(fields) if fields.iter().any(|field| field.embedded) => FlowKind::Concrete,
            Type::Pointer(target) => match self.cx.types.get(*target) {
                Type::Named(..) | Type::Struct(_) => match self.kind(*target) {
                    FlowKind::Concrete => FlowKind::Concrete,
                    FlowKind::Function if self.lookup().declares_methods(*target) => {
                        FlowKind::Concrete
                    }
                    _ => FlowKind::Plain,
                },
                _ => FlowKind::Plain,
            },
            Type::Named(symbol, _) => {
                if let Some(&known) = self.recording.kinds.get(&ty) {
                    return known;
                }
                let kind = match self.cx.types.get(self.lookup().underlying(ty)) {
                    Type::Interface(_) => FlowKind::Interface,
                    Type::Func(_) => FlowKind::Function,
                    Type::Struct(fields) if fields.iter().any(|field| field.embedded) => {
                        FlowKind::Concrete
                    }
                    _ => match self.lookup().def(*symbol) {
                        Some(def) if def.methods.is_empty() => FlowKind::Plain,
                        _ => FlowKind::Concrete,
                    },
                };
                self.recording.kinds.insert(ty, kind);
                kind
            }
            _ => FlowKind::Plain,
        }
    }

    /// Returns whether variables of a type are nodes of the flow graph.
    pub(super) fn is_followed(&mut self, ty: Ty) -> bool {
        matches!(
            self.kind(ty),
            FlowKind::Interface | FlowKind::Function | FlowKind::Parameter
        )
    }

    /// Returns one of the values that an expression yields: see [`TypeLookup::result_at`](super::lookup::TypeLookup::result_at).
    pub(super) fn given_at(
        &self,
        value: ExprId,
        given: FlowingValue,
        number: usize,
    ) -> FlowingValue {
        let origin = match (given.origin, number) {
            (ValueOrigin::Results(symbol, filter), _) => {
                ValueOrigin::Node(FlowNode::Result(symbol, short(number)), filter)
            }
            (ValueOrigin::SignatureResults(signature), _) => {
                let node = FlowNode::SignatureResult(signature, short(number));
                ValueOrigin::Node(node, FlowFilter::None)
            }
            (origin @ ValueOrigin::Unknown(_), _) | (origin, 0) => origin,
            _ => ValueOrigin::Nothing,
        };
        FlowingValue {
            ty: self.lookup().result_at(self.code, value, given.ty, number),
            origin,
        }
    }

    /// Records a value that starts to flow.
    pub(super) fn source(&mut self, value: FlowValue, to: FlowNode, at: ExprId, role: FlowRole) {
        let tok = token(self.code, at).or_else(|| first_token(self.code, at));
        self.recording.source(value, to, tok, role);
    }

    /// Records that a method of an interface is called on a value of a type. If an interface
    /// literal declares the method, nothing else says which values have it.
    pub(super) fn interface_literal_method_called(&mut self, method: SymbolId, receiver: Ty) {
        let Some(parent) = self.cx.db.shared().symbols.key(method).parent else {
            return;
        };
        let is_own =
            matches!(self.cx.types.get(receiver), Type::Named(symbol, _) if *symbol == parent);
        if is_own && self.kind(receiver) == FlowKind::Interface
            || self.lookup().is_interface(parent)
        {
            return;
        }
        let ty = match self.cx.types.get(receiver) {
            Type::Param(owner, index) => self.lookup().constraint_of(*owner, *index),
            _ => Some(receiver),
        };
        let interface = ty.filter(|&ty| self.kind(ty) == FlowKind::Interface);
        if let Some(number) = interface.map(|ty| self.lookup().number(ty))
            && let Some(record) = &mut self.recording.record
        {
            record.flows.literals.push((method, number));
        }
    }

    /// Records a generic declaration with its type arguments.
    pub(super) fn instance(&mut self, owner: SymbolId, args: &[Ty]) {
        if !self.recording.follows || args.is_empty() {
            return;
        }
        for &arg in args {
            boxed::boxed(self, arg, None);
        }
        let args = args.iter().map(|&arg| self.lookup().number(arg)).collect();
        if let Some(record) = &mut self.recording.record {
            record.flows.instances.insert(FlowInstance { owner, args });
        }
    }

    /// Returns the type that filters an edge. A node holds only what its own type allows, so only a
    /// narrower target filters anything.
    fn pass(&mut self, given: FlowingValue, filter: FlowFilter, to: Ty) -> u32 {
        let from = given.ty;
        match filter {
            FlowFilter::Type(number) => return number,
            FlowFilter::Own if from != Ty::ANY && self.kind(from) == FlowKind::Interface => {
                return self.lookup().number(from);
            }
            FlowFilter::Own | FlowFilter::None => {}
        }
        let plain = to == Ty::ANY
            || self.kind(to) != FlowKind::Interface
            || self.cx.types.has_param(to)
            || self.cx.types.identical(from, to);
        if plain {
            NONE
        } else {
            self.lookup().number(to)
        }
    }

    /// Lets a value flow into a node of type `to` (Go spec, Assignability). `value` is its
    /// expression.
    pub(super) fn flow(
        &mut self,
        given: FlowingValue,
        to: Ty,
        node: FlowNode,
        value: ExprId,
        role: FlowRole,
    ) {
        if !self.recording.follows || !self.is_followed(to) {
            return;
        }
        let from = given.ty;
        if self.kind(to) != FlowKind::Function {
            boxed::boxed(self, from, Some(value));
        }
        match self.kind(from) {
            FlowKind::Plain => {}
            FlowKind::Concrete => {
                let number = self.lookup().value_number(from);
                self.source(FlowValue::Type(number), node, value, role);
                self.flow_pointee_into_method_receivers(from);
            }
            FlowKind::Unknown => match given.origin {
                ValueOrigin::Function(_) | ValueOrigin::Literal(_) => {
                    let given = FlowingValue { ty: to, ..given };
                    self.origin_flows(given, to, node, value, role);
                }
                ValueOrigin::Unknown(reason) => {
                    self.source(FlowValue::Unknown(reason), node, value, role);
                }
                _ => {
                    let unknown = FlowValue::Unknown(Reason::UnknownReceiver);
                    self.source(unknown, node, value, role);
                }
            },
            FlowKind::Parameter => {
                if let Type::Param(owner, index) = self.cx.types.get(from) {
                    let arguments = FlowNode::TypeParameter(*owner, *index);
                    let pass = self.pass(FlowingValue::of(from), FlowFilter::None, to);
                    self.recording.edge(arguments, node, pass);
                }
                self.origin_flows(given, to, node, value, role);
            }
            FlowKind::Interface => self.origin_flows(given, to, node, value, role),
            FlowKind::Function => {
                let converts =
                    self.kind(to) == FlowKind::Interface && self.lookup().declares_methods(from);
                if !converts || self.lookup().interface_methods(to).is_empty() {
                    self.origin_flows(given, to, node, value, role);
                }
                if converts {
                    let number = self.lookup().number(from);
                    self.source(FlowValue::Type(number), node, value, role);
                    self.flow_into_method_receivers(given, value);
                }
            }
        }
    }

    /// Lets a function that becomes an interface value flow into the receivers of its methods,
    /// which may be called on it.
    fn flow_into_method_receivers(&mut self, given: FlowingValue, value: ExprId) {
        let Type::Named(symbol, _) = self.cx.types.get(given.ty) else {
            return;
        };
        let Some(def) = self.lookup().def(*symbol) else {
            return;
        };
        for method in def.methods.iter().filter(|method| !method.pointer) {
            let receiver = FlowNode::Parameter(method.symbol, FlowNode::RECEIVER);
            self.origin_flows(given, given.ty, receiver, value, FlowRole::Argument);
        }
    }

    /// Lets the target of a pointer to a function that becomes an interface value flow into the
    /// receivers of its methods.
    fn flow_pointee_into_method_receivers(&mut self, pointer: Ty) {
        let Type::Pointer(target) = *self.cx.types.get(pointer) else {
            return;
        };
        if self.kind(target) != FlowKind::Function {
            return;
        }
        let Type::Named(symbol, _) = self.cx.types.get(target) else {
            return;
        };
        let Some(def) = self.lookup().def(*symbol) else {
            return;
        };
        let pointee = Unnamed::Pointee.of(self.lookup().number(target));
        for method in def.methods.iter().filter(|method| !method.pointer) {
            let receiver = FlowNode::Parameter(method.symbol, FlowNode::RECEIVER);
            self.recording.edge(pointee, receiver, NONE);
        }
    }

    /// Lets the values at an origin flow into a node of type `to`.
    fn origin_flows(
        &mut self,
        given: FlowingValue,
        to: Ty,
        node: FlowNode,
        value: ExprId,
        role: FlowRole,
    ) {
        match self.given_at(value, given, 0).origin {
            ValueOrigin::Node(from, filter) => {
                let pass = self.pass(given, filter, to);
                self.recording.edge(from, node, pass);
            }
            ValueOrigin::Function(function) => {
                let symbol = function.symbol;
                let flowing = if function.of_interface {
                    FlowValue::InterfaceMethod(symbol)
                } else {
                    FlowValue::Function(symbol)
                };
                self.source(flowing, node, value, role);
                self.link(function, given.ty);
            }
            ValueOrigin::Literal(signature) => {
                let function = self.scopes.enclosing_function();
                let owner = function.unwrap_or_else(|| self.cx.package_symbol());
                let flowing = FlowValue::Literal(owner, self.lookup().number(signature));
                self.source(flowing, node, value, role);
            }
            ValueOrigin::Unknown(reason) => {
                self.source(FlowValue::Unknown(reason), node, value, role);
            }
            _ => {}
        }
    }

    /// Links a function that is used as a value to its signature: arguments of calls through the
    /// signature reach its parameters, and its results come back.
    fn link(&mut self, function: FunctionOrigin, ty: Ty) {
        let core = self.lookup().core(ty);
        let Type::Func(signature) = self.cx.types.get(core) else {
            return;
        };
        let (symbol, number) = (function.symbol, self.lookup().number(core));
        let record = self.recording.record.as_mut();
        if !record.is_some_and(|record| record.flows.linked.insert((symbol, number))) {
            return;
        }
        if is_reflect_value_of(self.cx.db, symbol) {
            let escaped = self.reflected_value_node(symbol);
            self.recording
                .edge(FlowNode::SignatureParameter(number, 0), escaped, NONE);
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
            self.recording
                .edge(FlowNode::SignatureParameter(number, short(at)), to, NONE);
        }
        for (at, &ty) in signature.results.iter().enumerate() {
            if self.is_followed(ty) {
                let from = FlowNode::Result(symbol, short(at));
                self.recording
                    .edge(from, FlowNode::SignatureResult(number, short(at)), NONE);
            }
        }
    }

    /// Returns a node that holds a value: its own if it has one, else a new one that it flows into.
    pub(super) fn node_of(
        &mut self,
        given: FlowingValue,
        value: ExprId,
        role: FlowRole,
    ) -> FlowNode {
        if let ValueOrigin::Node(node, FlowFilter::None) = self.given_at(value, given, 0).origin {
            if let Type::Param(owner, index) = self.cx.types.get(given.ty) {
                self.recording
                    .edge(FlowNode::TypeParameter(*owner, *index), node, NONE);
            }
            return node;
        }
        let node = self.recording.fresh_node();
        self.flow(given, given.ty, node, value, role);
        node
    }
}
