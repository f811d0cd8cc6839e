//! How values flow through calls: receivers, arguments, results, conversions, instances.

use codeweft_db::{FlowNode, FlowRole, FlowValue, NONE, Reason, Role, SymbolId};
use codeweft_syntax::go::{ExprId, ListId, Tok};

use super::Typer;
use super::calls::Argument;
use super::flows::{FlowFilter, FlowKind, FlowingValue, FunctionOrigin, ValueOrigin, short};
use super::names::FunctionOperand;
use crate::decls::{Member, MemberKind};
use crate::reflection::is_value_of;
use crate::types::{Args, Basic, Signature, Ty, Type, subst};
use crate::units::package_symbol;

/// What is called, as far as arguments flow into it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    /// A declared function or method.
    Declared(FunctionOrigin),
    /// A function value of this signature.
    Signature(u32),
}

impl Callee {
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
}

impl Typer<'_> {
    /// Whether a field or method of a value of this type is one of a generic type's instance.
    pub(super) fn instance_filter(&self, ty: Ty) -> FlowFilter {
        let ty = match self.types.get(ty) {
            Type::Pointer(target) => *target,
            _ => ty,
        };
        match self.types.get(ty) {
            Type::Named(_, args) if !args.is_empty() => FlowFilter::Own,
            _ => FlowFilter::None,
        }
    }

    /// A method is selected from a value: gives its origin. Of an interface's method a call is a
    /// site; a receiver that is a function flows into the method.
    pub(super) fn method_selected(
        &mut self,
        member: &Member,
        tok: Tok,
        role: Role,
        base: ExprId,
        receiver: FlowingValue,
    ) -> ValueOrigin {
        let Some(symbol) = member.symbol else {
            return ValueOrigin::Nothing;
        };
        let of_interface = member.kind == MemberKind::InterfaceMethod;
        if self.follows {
            if of_interface {
                self.literal_called(symbol, receiver.ty);
            }
            if of_interface && role.is_call() {
                if let Some(at) = self.receiver_place(member, base, receiver) {
                    self.site(tok, at, Some(symbol));
                }
            } else if !of_interface {
                self.received(member, symbol, base, receiver);
            }
        }
        ValueOrigin::Function(FunctionOrigin {
            symbol,
            of_interface,
            receiver: None,
            filter: self.instance_filter(receiver.ty),
        })
    }

    /// The place of the interface that a method is called on.
    fn receiver_place(
        &mut self,
        member: &Member,
        base: ExprId,
        receiver: FlowingValue,
    ) -> Option<FlowNode> {
        if let Some(field) = member.via {
            return Some(FlowNode::Variable(field));
        }
        let followed = self.is_followed(receiver.ty);
        followed.then(|| self.held(receiver, base, FlowRole::Argument))
    }

    /// A receiver that is a function flows into its method.
    fn received(
        &mut self,
        member: &Member,
        method: SymbolId,
        base: ExprId,
        receiver: FlowingValue,
    ) {
        let to = FlowNode::Parameter(method, FlowNode::RECEIVER);
        match member.via {
            None if self.kind(receiver.ty) == FlowKind::Function => {
                self.flow(receiver, receiver.ty, to, base, FlowRole::Argument);
            }
            None => {
                if let Type::Pointer(target) = *self.types.get(receiver.ty)
                    && self.kind(target) == FlowKind::Function
                {
                    self.edge(FlowNode::Pointee(self.number(target)), to, NONE);
                }
            }
            Some(field) => {
                let parent = self.db.shared().symbols.key(method).parent;
                if parent.is_some_and(|parent| self.is_function_type(parent)) {
                    self.edge(FlowNode::Variable(field), to, NONE);
                }
            }
        }
    }

    fn is_function_type(&self, symbol: SymbolId) -> bool {
        let def = self.def(symbol);
        def.is_some_and(|def| matches!(self.types.get(def.underlying), Type::Func(_)))
    }

    /// `T.Method`: the receiver is the first argument.
    pub(super) fn method_of_type(
        &mut self,
        member: &Member,
        tok: Tok,
        role: Role,
        ty: Ty,
    ) -> ValueOrigin {
        let Some(symbol) = member.symbol else {
            return ValueOrigin::Nothing;
        };
        let of_interface = member.kind == MemberKind::InterfaceMethod;
        let mut receiver = FlowNode::Parameter(symbol, FlowNode::RECEIVER);
        if self.follows && of_interface {
            self.literal_called(symbol, ty);
        }
        if self.follows && of_interface && role.is_call() {
            receiver = match member.via {
                Some(field) => FlowNode::Variable(field),
                None => self.fresh(),
            };
            self.site(tok, receiver, Some(symbol));
            // What is called on a struct comes from its field alone.
            if member.via.is_some() {
                receiver = self.fresh();
            }
        }
        ValueOrigin::Function(FunctionOrigin {
            symbol,
            of_interface,
            receiver: Some(receiver),
            filter: self.instance_filter(ty),
        })
    }

    /// Arguments flow into the parameters of what is called.
    pub(super) fn arguments_flow(
        &mut self,
        callee: Callee,
        signature: &Signature,
        args: ListId,
        given: &[Argument],
        spread: bool,
    ) {
        if !self.follows || signature.params.is_empty() {
            return;
        }
        let code = self.code;
        let mut list = code.exprs_of(args);
        let single = (list.len() == 1).then(|| list.next()).flatten();
        let last = signature.params.len() - 1;
        let mut values = code.exprs_of(args);
        for (at, argument) in given.iter().enumerate() {
            let Some(value) = single.or_else(|| values.next()) else {
                return;
            };
            let Some(&parameter) = signature.params.get(at.min(last)) else {
                return;
            };
            let given = argument.given();
            if signature.variadic && at >= last {
                match self.types.get(parameter) {
                    // The arguments are elements of a new slice (Go spec, Passing arguments to
                    // ... parameters).
                    Type::Slice(element) if !spread => {
                        let place = FlowNode::Element(self.number(*element));
                        self.flow(given, *element, place, value, FlowRole::Argument);
                    }
                    _ => {}
                }
            } else if at <= last {
                let place = callee.parameter(at);
                self.flow(given, parameter, place, value, FlowRole::Argument);
                if let Callee::Declared(function) = callee
                    && is_value_of(self.db, function.symbol)
                {
                    let reflected = self.reflected();
                    self.flow(given, parameter, reflected, value, FlowRole::Argument);
                }
            }
        }
    }

    /// The place of what the next call of `reflect.ValueOf` gets: one for each call in a function,
    /// and one of the package for all in initialisers.
    fn reflected(&mut self) -> FlowNode {
        match self.function {
            Some((function, _)) if !self.in_initialiser => {
                let number = self.reflecting;
                self.reflecting = number.saturating_add(1);
                FlowNode::handed(function, number)
            }
            _ => FlowNode::Variable(package_symbol(self.db, self.unit)),
        }
    }

    /// The place of what calls of `reflect.ValueOf` as a value get: of an initialiser's the
    /// function's own.
    pub(super) fn reflected_by_value(&mut self, value_of: SymbolId) -> FlowNode {
        match self.reflected() {
            FlowNode::Variable(_) => FlowNode::handed(value_of, 0),
            place => place,
        }
    }

    /// What the results of a call come from.
    pub(super) fn results_of(&self, callee: Callee, generic: bool) -> ValueOrigin {
        match callee {
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

    /// The signature of a generic function with its type arguments, which are noted.
    pub(super) fn instantiated(&mut self, func: &FunctionOperand, args: &[Ty]) -> Ty {
        let (Some(owner), false) = (func.symbol, args.is_empty()) else {
            return func.signature;
        };
        self.instance(owner, args);
        subst(self.types, func.signature, Args { owner, types: args })
    }

    /// `T(x)` (Go spec, Conversions): gives where the result comes from.
    pub(super) fn conversion_flows(
        &mut self,
        given: FlowingValue,
        to: Ty,
        value: ExprId,
    ) -> ValueOrigin {
        if !self.follows {
            return ValueOrigin::Nothing;
        }
        if self.types.as_basic(self.core(given.ty)) == Some(Basic::UnsafePointer) {
            return self.unsafe_pointer(given, to, value);
        }
        if let (ValueOrigin::Address(place), Some(Basic::UnsafePointer)) =
            (given.origin, self.types.as_basic(self.core(to)))
        {
            return ValueOrigin::UnsafeAddress(place);
        }
        if !self.is_followed(to) {
            self.struct_converted(given.ty, to);
            return ValueOrigin::Nothing;
        }
        let same = self.kind(given.ty) == self.kind(to);
        if same && self.kind(to) != FlowKind::Parameter {
            return given.origin;
        }
        let place = self.fresh();
        self.flow(given, to, place, value, FlowRole::Converted);
        ValueOrigin::Place(place, FlowFilter::None)
    }

    /// `(*T)(p)` of an `unsafe.Pointer`: of the address of a variable what is written through it
    /// shows in no text.
    fn unsafe_pointer(&mut self, given: FlowingValue, to: Ty, value: ExprId) -> ValueOrigin {
        if !matches!(self.types.get(self.core(to)), Type::Pointer(_)) {
            return ValueOrigin::Nothing;
        }
        let ValueOrigin::UnsafeAddress(place) = given.origin else {
            return ValueOrigin::Unsafe(None);
        };
        let unknown = FlowValue::Unknown(Reason::Reflection);
        self.source(unknown, place, value, FlowRole::Assigned);
        ValueOrigin::Unsafe(Some(place))
    }

    /// The place of a parameter of the function or literal that is entered.
    pub(super) fn parameter_place(
        &mut self,
        signature: Ty,
        number: usize,
        ty: Ty,
        is_result: bool,
    ) -> Option<FlowNode> {
        let number = short(number);
        if self.literal_depth == 0 {
            let (function, _) = self.function.as_ref()?;
            return Some(match is_result {
                true => FlowNode::Result(*function, number),
                false => FlowNode::Parameter(*function, number),
            });
        }
        if !self.follows || !self.is_followed(ty) {
            return None;
        }
        let place = self.fresh();
        let signature = self.signature_number(signature);
        if is_result {
            self.edge(place, FlowNode::SignatureResult(signature, number), NONE);
        } else {
            let parameter = FlowNode::SignatureParameter(signature, number);
            self.edge(parameter, place, NONE);
        }
        Some(place)
    }

    /// The place of a result of the innermost function around.
    pub(super) fn result_place(&self, number: usize) -> Option<FlowNode> {
        let number = short(number);
        if self.literal.is_some() {
            let signature = self.signature_number(self.signature);
            return Some(FlowNode::SignatureResult(signature, number));
        }
        let (function, _) = self.function.as_ref()?;
        Some(FlowNode::Result(*function, number))
    }

    /// A function without body: it is in assembly, or comes by linkname.
    pub(crate) fn without_body(&mut self, function: SymbolId, signature: Ty, tok: Tok) {
        if let Type::Func(signature) = self.types.get(signature) {
            for (at, &ty) in signature.results.iter().enumerate() {
                if self.is_followed(ty) {
                    let unknown = FlowValue::Unknown(Reason::Assembly);
                    let to = FlowNode::Result(function, short(at));
                    self.source_at(unknown, to, Some(tok), FlowRole::Returned);
                }
            }
        }
    }
}
