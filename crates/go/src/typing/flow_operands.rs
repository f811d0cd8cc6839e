//! Value flow through operands other than calls: type assertions, addresses, elements, ranges,
//! conversions between structs, built-in functions. See [`super::flows`].

use codeweft_db::{FlowNode, FlowRole, NONE, NameId, Reason, Role, SymbolId};
use codeweft_go_syntax::ExprId;
use smallvec::SmallVec;

use super::boxed;
use super::origin::{Callee, FlowFilter, FlowKind, FlowingValue, ValueOrigin};
use super::recorders::FlowRecorder;
use super::unnamed::Unnamed;
use crate::definitions::Decl;
use crate::types::{StructField, Ty, Type, UnderlyingTypes};
use crate::universe::Builtin;

impl FlowRecorder<'_, '_> {
    /// Lets values flow into nodes one to one; a single value with several results flows into
    /// several nodes.
    pub(super) fn flow_all(
        &mut self,
        values: &[(ExprId, FlowingValue)],
        nodes: &[(Ty, Option<FlowNode>)],
        role: FlowRole,
    ) {
        if !self.recording.follows {
            return;
        }
        for (number, &(to, node)) in nodes.iter().enumerate() {
            let found = match *values {
                [(value, given)] if nodes.len() > 1 => {
                    Some((value, self.given_at(value, given, number)))
                }
                _ => values.get(number).copied(),
            };
            if let (Some((value, given)), Some(node)) = (found, node) {
                self.flow(given, to, node, value, role);
            }
        }
    }

    /// Lets the values of a return statement flow into the results of the enclosing function.
    pub(super) fn results_flow(&mut self, values: &[(ExprId, FlowingValue)], results: &[Ty]) {
        if !self.recording.follows || values.is_empty() {
            return;
        }
        let results = results.iter().enumerate();
        let nodes = results.map(|(number, &ty)| (ty, self.result_node(number)));
        let nodes: SmallVec<[_; 4]> = nodes.collect();
        self.flow_all(values, &nodes, FlowRole::Returned);
    }

    /// Returns the origin of `x.(T)` (Go spec, Type assertions). An assertion to a concrete type
    /// ends the flow.
    pub(super) fn asserted(&mut self, given: FlowingValue, to: Ty, value: ExprId) -> ValueOrigin {
        if !self.recording.follows || !self.is_followed(to) {
            return ValueOrigin::Nothing;
        }
        let narrows = self.kind(to) != FlowKind::Parameter && to != Ty::ANY;
        match given.origin {
            ValueOrigin::Node(node, FlowFilter::None)
                if self.method_of_function_type(to).is_none() =>
            {
                let filter = if narrows {
                    FlowFilter::Type(self.lookup().number(to))
                } else {
                    FlowFilter::None
                };
                ValueOrigin::Node(node, filter)
            }
            _ => {
                let node = self.recording.fresh_node();
                self.assertion_flows(given, to, node, value);
                ValueOrigin::Node(node, FlowFilter::None)
            }
        }
    }

    /// Lets the content of an interface node flow into a node of an asserted type.
    pub(super) fn assertion_flows(
        &mut self,
        given: FlowingValue,
        to: Ty,
        node: FlowNode,
        value: ExprId,
    ) {
        let narrows = self.kind(to) != FlowKind::Parameter && to != Ty::ANY;
        match self.given_at(value, given, 0).origin {
            ValueOrigin::Node(from, filter) if narrows => {
                let from = match filter {
                    FlowFilter::None => from,
                    _ => {
                        let wide = self.recording.fresh_node();
                        self.flow(given, given.ty, wide, value, FlowRole::Assigned);
                        wide
                    }
                };
                let pass = self.lookup().number(to);
                self.recording.edge(from, node, pass);
            }
            _ => self.flow(given, given.ty, node, value, FlowRole::Assigned),
        }
        // A function that was converted to an interface with methods is found in the receivers of
        // its methods.
        if let Some(method) = self.method_of_function_type(to) {
            let receiver = FlowNode::Parameter(method, FlowNode::RECEIVER);
            self.recording.edge(receiver, node, NONE);
        }
    }

    /// Returns a method of a defined function type, whose receiver is the function.
    fn method_of_function_type(&mut self, ty: Ty) -> Option<SymbolId> {
        if self.kind(ty) != FlowKind::Function {
            return None;
        }
        let Type::Named(symbol, _) = self.cx.types.get(ty) else {
            return None;
        };
        let def = self.lookup().def(*symbol)?;
        let method = def.methods.iter().find(|method| !method.pointer)?;
        Some(method.symbol)
    }

    /// Returns the origin of `&x` for a value `x`. Writes through the pointer are read from
    /// `x`, and the other way round.
    pub(super) fn addressed(&mut self, x: FlowingValue) -> ValueOrigin {
        let ValueOrigin::Node(node, _) = x.origin else {
            return ValueOrigin::Nothing;
        };
        if !self.recording.follows || !self.is_followed(x.ty) {
            return ValueOrigin::Nothing;
        }
        let pointee = Unnamed::Pointee.of(self.lookup().number(x.ty));
        self.recording.edge(node, pointee, NONE);
        self.recording.edge(pointee, node, NONE);
        ValueOrigin::Address(node)
    }

    /// Returns the origin of `*x` for `x` of this origin; `target` is the type of `*x`.
    pub(super) fn dereferenced(&mut self, x: ValueOrigin, target: Ty, role: Role) -> ValueOrigin {
        let ValueOrigin::Unsafe(of) = x else {
            let node = Unnamed::Pointee.of(self.lookup().number(target));
            return ValueOrigin::Node(node, FlowFilter::None);
        };
        // A read through the pointer writes nothing to the variable.
        let writes = matches!(role, Role::Write | Role::ReadWrite | Role::Address);
        if let (Some(node), false, Some(record)) = (of, writes, &mut self.recording.record) {
            record.flows.drop_unknown(node);
        }
        if writes {
            ValueOrigin::Nothing
        } else {
            ValueOrigin::Unknown(Reason::Reflection)
        }
    }

    /// Lets the key of `x[key] = …` flow into the map's keys.
    pub(super) fn key_flows(&mut self, container: Ty, key: FlowingValue, value: ExprId) {
        if let Type::Map(wanted, _) = *self.cx.types.get(self.lookup().core(container)) {
            let node = Unnamed::Key.of(self.lookup().number(wanted));
            self.flow(key, wanted, node, value, FlowRole::Element);
        }
    }

    /// Returns the origins of the key and value of a `range` clause (Go spec, For statements with
    /// range clause). Their types are those of [`Checker::range_types`](super::Checker).
    pub(super) fn range_origins(&mut self, over: FlowingValue, value: ExprId) -> [ValueOrigin; 2] {
        let nothing = ValueOrigin::Nothing;
        if !self.recording.follows {
            return [nothing; 2];
        }
        let node = |node| ValueOrigin::Node(node, FlowFilter::None);
        let element = |ty| node(Unnamed::Element.of(self.lookup().number(ty)));
        let core = self.lookup().core(over.ty);
        match *self.cx.types.get(core) {
            Type::Slice(ty) | Type::Array(ty, _) => [nothing, element(ty)],
            Type::Pointer(target) => match *self.cx.types.get(self.lookup().core(target)) {
                Type::Array(ty, _) => [nothing, element(ty)],
                _ => [nothing; 2],
            },
            Type::Map(key, value) => [
                node(Unnamed::Key.of(self.lookup().number(key))),
                node(Unnamed::MapValue.of(self.lookup().number(value))),
            ],
            Type::Chan(_, ty) => [
                node(Unnamed::Received.of(self.lookup().number(ty))),
                nothing,
            ],
            Type::Func(ref signature) => match signature.params.first() {
                Some(&yielded) => self.range_over_function(over, core, yielded, value),
                None => [nothing; 2],
            },
            Type::Unknown => [self.cx.unknown_origin(None); 2],
            _ => [nothing; 2],
        }
    }

    /// The loop body is a function that the iterator calls.
    fn range_over_function(
        &mut self,
        over: FlowingValue,
        iterator: Ty,
        yielded: Ty,
        value: ExprId,
    ) -> [ValueOrigin; 2] {
        let callee = match over.origin {
            ValueOrigin::Function(function) => Callee::Declared(function),
            _ => Callee::Signature(self.lookup().number(iterator)),
        };
        let body = FlowingValue {
            ty: yielded,
            origin: ValueOrigin::Literal(self.lookup().core(yielded)),
        };
        let to = callee.parameter(0);
        self.flow(body, yielded, to, value, FlowRole::Argument);
        let signature = self.lookup().signature_number(yielded);
        [0, 1].map(|at| {
            ValueOrigin::Node(
                FlowNode::SignatureParameter(signature, at),
                FlowFilter::None,
            )
        })
    }

    /// Lets each field of a struct flow into the same field of a converted struct type; behind
    /// pointers both are the same variable.
    pub(super) fn struct_converted(&mut self, from: Ty, to: Ty) {
        if from == to {
            return;
        }
        let pointers = match (self.cx.types.get(from), self.cx.types.get(to)) {
            (Type::Pointer(from), Type::Pointer(to)) => Some((*from, *to)),
            _ => None,
        };
        let (left, right) = pointers.unwrap_or((from, to));
        let types = self.cx.types;
        let (Type::Struct(left), Type::Struct(right)) = (
            types.get(self.lookup().underlying(left)),
            types.get(self.lookup().underlying(right)),
        ) else {
            return;
        };
        boxed::fields_without_names(self, left);
        boxed::fields_without_names(self, right);
        for (left, right) in left.iter().zip(&**right) {
            self.field_flows(left, right);
            if pointers.is_some() {
                self.field_flows(right, left);
            }
        }
    }

    /// Lets a field flow into the same field of another struct type.
    fn field_flows(&mut self, from: &StructField, to: &StructField) {
        if let (Some(left), Some(right)) = (from.symbol, to.symbol)
            && left != right
            && self.is_followed(to.ty)
        {
            self.recording
                .edge(FlowNode::Variable(left), FlowNode::Variable(right), NONE);
        }
    }

    /// Lets the arguments of a built-in function flow (Go spec, Appending to and copying slices,
    /// Handling panics).
    pub(super) fn builtin_flows(
        &mut self,
        builtin: Builtin,
        args: &[ExprId],
        given: &[FlowingValue],
        spread: bool,
    ) {
        if !self.recording.follows {
            return;
        }
        match builtin {
            Builtin::Append if !spread => {
                let first = given.first().map_or(Ty::UNKNOWN, |first| first.ty);
                if let Type::Slice(element) = *self.cx.types.get(self.lookup().core(first)) {
                    let node = Unnamed::Element.of(self.lookup().number(element));
                    for (&value, &given) in args.iter().zip(given).skip(1) {
                        self.flow(given, element, node, value, FlowRole::Element);
                    }
                }
            }
            Builtin::Panic => {
                if let (Some(&value), Some(&given)) = (args.first(), given.first()) {
                    self.flow(given, Ty::ANY, Unnamed::PANIC, value, FlowRole::Sent);
                }
            }
            _ => {}
        }
    }

    /// Lets a value of an initialiser flow into a package-level variable.
    pub(crate) fn variable_initialised(
        &mut self,
        (name, variable): (NameId, SymbolId),
        value: ExprId,
        given: FlowingValue,
        number: usize,
    ) {
        let Some(Decl::Var { symbol, ty }) = self.cx.declarations.decl(name) else {
            return;
        };
        if symbol == variable {
            let given = self.given_at(value, given, number);
            let node = FlowNode::Variable(variable);
            self.flow(given, ty, node, value, FlowRole::Assigned);
        }
    }
}
