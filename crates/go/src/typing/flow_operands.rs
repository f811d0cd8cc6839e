//! How values flow through operands that are no calls: assertions, addresses, elements, ranges,
//! struct conversions, built-in functions.

use codeweft_db::{FlowNode, FlowRole, NONE, NameId, Reason, Role, SymbolId};
use codeweft_syntax::go::ExprId;
use smallvec::SmallVec;

use super::Typer;
use super::flow_calls::Callee;
use super::flows::{FlowFilter, FlowKind, FlowingValue, ValueOrigin};
use crate::decls::Decl;
use crate::types::{StructField, Ty, Type, UnderlyingTypes};
use crate::universe::Builtin;

impl Typer<'_> {
    /// Values flow into places, one each; one value with several results into several.
    pub(super) fn flow_all(
        &mut self,
        values: &[(ExprId, FlowingValue)],
        places: &[(Ty, Option<FlowNode>)],
        role: FlowRole,
    ) {
        if !self.follows {
            return;
        }
        for (number, &(to, place)) in places.iter().enumerate() {
            let found = match *values {
                [(value, given)] if places.len() > 1 => {
                    Some((value, self.given_at(value, given, number)))
                }
                _ => values.get(number).copied(),
            };
            if let (Some((value, given)), Some(place)) = (found, place) {
                self.flow(given, to, place, value, role);
            }
        }
    }

    /// Values of a return statement flow into the results of the function around.
    pub(super) fn results_flow(&mut self, values: &[(ExprId, FlowingValue)], results: &[Ty]) {
        if !self.follows || values.is_empty() {
            return;
        }
        let results = results.iter().enumerate();
        let places = results.map(|(number, &ty)| (ty, self.result_place(number)));
        let places: SmallVec<[_; 4]> = places.collect();
        self.flow_all(values, &places, FlowRole::Returned);
    }

    /// `x.(T)` (Go spec, Type assertions): gives where the result comes from. One to a concrete
    /// type ends the flow.
    pub(super) fn asserted(&mut self, given: FlowingValue, to: Ty, value: ExprId) -> ValueOrigin {
        if !self.follows || !self.is_followed(to) {
            return ValueOrigin::Nothing;
        }
        let narrows = self.kind(to) != FlowKind::Parameter && to != Ty::ANY;
        match given.origin {
            ValueOrigin::Place(place, FlowFilter::None)
                if self.methods_of_function(to).is_none() =>
            {
                let filter = match narrows {
                    true => FlowFilter::Type(self.number(to)),
                    false => FlowFilter::None,
                };
                ValueOrigin::Place(place, filter)
            }
            _ => {
                let place = self.fresh();
                self.assertion_flows(given, to, place, value);
                ValueOrigin::Place(place, FlowFilter::None)
            }
        }
    }

    /// What a place of an interface holds flows into one of an asserted type.
    pub(super) fn assertion_flows(
        &mut self,
        given: FlowingValue,
        to: Ty,
        place: FlowNode,
        value: ExprId,
    ) {
        let narrows = self.kind(to) != FlowKind::Parameter && to != Ty::ANY;
        match self.given_at(value, given, 0).origin {
            ValueOrigin::Place(from, filter) if narrows => {
                let from = match filter {
                    FlowFilter::None => from,
                    _ => {
                        let wide = self.fresh();
                        self.flow(given, given.ty, wide, value, FlowRole::Assigned);
                        wide
                    }
                };
                let pass = self.number(to);
                self.edge(from, place, pass);
            }
            _ => self.flow(given, given.ty, place, value, FlowRole::Assigned),
        }
        // Functions that became values of an interface with methods are where these get them.
        if let Some(method) = self.methods_of_function(to) {
            let receiver = FlowNode::Parameter(method, FlowNode::RECEIVER);
            self.edge(receiver, place, NONE);
        }
    }

    /// A method of a defined function type that gets the function.
    fn methods_of_function(&mut self, ty: Ty) -> Option<SymbolId> {
        if self.kind(ty) != FlowKind::Function {
            return None;
        }
        let Type::Named(symbol, _) = self.types.get(ty) else {
            return None;
        };
        let def = self.def(*symbol)?;
        let method = def.methods.iter().find(|method| !method.pointer)?;
        Some(method.symbol)
    }

    /// `&x` of an `x` of this type: what is written through the pointer is read from `x`, and the
    /// other way round.
    pub(super) fn addressed(&mut self, ty: Ty) -> ValueOrigin {
        let ValueOrigin::Place(place, _) = self.origin else {
            return ValueOrigin::Nothing;
        };
        if !self.follows || !self.is_followed(ty) {
            return ValueOrigin::Nothing;
        }
        let pointee = FlowNode::Pointee(self.number(ty));
        self.edge(place, pointee, NONE);
        self.edge(pointee, place, NONE);
        ValueOrigin::Address(place)
    }

    /// `*x`: gives where it comes from. `target` is its type.
    pub(super) fn pointed(&mut self, target: Ty, role: Role) -> ValueOrigin {
        let ValueOrigin::Unsafe(of) = self.origin else {
            let place = FlowNode::Pointee(self.number(target));
            return ValueOrigin::Place(place, FlowFilter::None);
        };
        // Reading at once writes nothing to the place.
        let writes = matches!(role, Role::Write | Role::ReadWrite | Role::Address);
        if let (Some(place), false, Some(record)) = (of, writes, &mut self.record) {
            record.flows.drop_unknown(place);
        }
        match writes {
            true => ValueOrigin::Nothing,
            false => ValueOrigin::Unknown(Reason::Reflection),
        }
    }

    /// The place of `x[i]`.
    pub(super) fn element_place(&self, container: Ty, element: Ty) -> FlowNode {
        let element = self.number(element);
        match self.types.get(self.core(container)) {
            Type::Map(..) => FlowNode::MapValue(element),
            _ => FlowNode::Element(element),
        }
    }

    /// `x[key] = …`
    pub(super) fn key_flows(&mut self, container: Ty, key: FlowingValue, value: ExprId) {
        if let Type::Map(wanted, _) = *self.types.get(self.core(container)) {
            let place = FlowNode::Key(self.number(wanted));
            self.flow(key, wanted, place, value, FlowRole::Element);
        }
    }

    /// What `range` over a value gives (Go spec, For statements with range clause): where key and
    /// value come from, with types as [`Typer::ranged`] has them.
    pub(super) fn ranged_places(&mut self, over: FlowingValue, value: ExprId) -> [ValueOrigin; 2] {
        let nothing = ValueOrigin::Nothing;
        if !self.follows {
            return [nothing; 2];
        }
        let place = |place| ValueOrigin::Place(place, FlowFilter::None);
        let element = |ty| place(FlowNode::Element(self.number(ty)));
        let core = self.core(over.ty);
        match *self.types.get(core) {
            Type::Slice(ty) | Type::Array(ty, _) => [nothing, element(ty)],
            Type::Pointer(target) => match *self.types.get(self.core(target)) {
                Type::Array(ty, _) => [nothing, element(ty)],
                _ => [nothing; 2],
            },
            Type::Map(key, value) => [
                place(FlowNode::Key(self.number(key))),
                place(FlowNode::MapValue(self.number(value))),
            ],
            Type::Chan(_, ty) => [place(FlowNode::Received(self.number(ty))), nothing],
            Type::Func(ref signature) => match signature.params.first() {
                Some(&yielded) => self.ranged_function(over, core, yielded, value),
                None => [nothing; 2],
            },
            Type::Unknown => [self.unknown_origin(None); 2],
            _ => [nothing; 2],
        }
    }

    /// The body of the loop is a function that the iterator calls.
    fn ranged_function(
        &mut self,
        over: FlowingValue,
        iterator: Ty,
        yielded: Ty,
        value: ExprId,
    ) -> [ValueOrigin; 2] {
        let callee = match over.origin {
            ValueOrigin::Function(function) => Callee::Declared(function),
            _ => Callee::Signature(self.number(iterator)),
        };
        let body = FlowingValue {
            ty: yielded,
            origin: ValueOrigin::Literal(self.core(yielded)),
        };
        let to = callee.parameter(0);
        self.flow(body, yielded, to, value, FlowRole::Argument);
        let signature = self.signature_number(yielded);
        [0, 1].map(|at| {
            ValueOrigin::Place(
                FlowNode::SignatureParameter(signature, at),
                FlowFilter::None,
            )
        })
    }

    /// Between struct types of equal fields each flows into its twin; behind pointers both are
    /// the same variable.
    pub(super) fn struct_converted(&mut self, from: Ty, to: Ty) {
        if from == to {
            return;
        }
        let pointers = match (self.types.get(from), self.types.get(to)) {
            (Type::Pointer(from), Type::Pointer(to)) => Some((*from, *to)),
            _ => None,
        };
        let (left, right) = pointers.unwrap_or((from, to));
        let types = self.types;
        let (Type::Struct(left), Type::Struct(right)) = (
            types.get(self.underlying(left)),
            types.get(self.underlying(right)),
        ) else {
            return;
        };
        for (left, right) in left.iter().zip(&**right) {
            self.twins(left, right);
            if pointers.is_some() {
                self.twins(right, left);
            }
        }
    }

    fn twins(&mut self, from: &StructField, to: &StructField) {
        if let (Some(left), Some(right)) = (from.symbol, to.symbol)
            && left != right
            && self.is_followed(to.ty)
        {
            self.edge(FlowNode::Variable(left), FlowNode::Variable(right), NONE);
        }
    }

    /// Arguments of a built-in function (Go spec, Appending to and copying slices, Handling
    /// panics). Gives where its result comes from.
    pub(super) fn builtin_flows(
        &mut self,
        builtin: Builtin,
        args: &[ExprId],
        given: &[FlowingValue],
        spread: bool,
    ) {
        self.origin = ValueOrigin::Nothing;
        if !self.follows {
            return;
        }
        match builtin {
            Builtin::Append if !spread => {
                let first = given.first().map_or(Ty::UNKNOWN, |first| first.ty);
                if let Type::Slice(element) = *self.types.get(self.core(first)) {
                    let place = FlowNode::Element(self.number(element));
                    for (&value, &given) in args.iter().zip(given).skip(1) {
                        self.flow(given, element, place, value, FlowRole::Element);
                    }
                }
            }
            Builtin::Panic => {
                if let (Some(&value), Some(&given)) = (args.first(), given.first()) {
                    self.flow(given, Ty::ANY, FlowNode::Panic, value, FlowRole::Sent);
                }
            }
            Builtin::Recover => self.origin = ValueOrigin::Place(FlowNode::Panic, FlowFilter::None),
            _ => {}
        }
    }

    /// What the last operand gives, which has this type.
    pub(crate) fn last_given(&self, ty: Ty) -> FlowingValue {
        FlowingValue {
            ty,
            origin: self.origin,
        }
    }

    /// A package-level variable gets one of the values of its initialiser.
    pub(crate) fn variable_initialised(
        &mut self,
        (name, variable): (NameId, SymbolId),
        value: ExprId,
        given: FlowingValue,
        number: usize,
    ) {
        let Some(Decl::Var { symbol, ty }) = self.source.decl(name) else {
            return;
        };
        if symbol == variable {
            let given = self.given_at(value, given, number);
            let place = FlowNode::Variable(variable);
            self.flow(given, ty, place, value, FlowRole::Assigned);
        }
    }
}
