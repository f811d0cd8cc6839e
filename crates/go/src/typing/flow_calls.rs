//! Value flow through calls: receivers, arguments, results, conversions, instances. See
//! [`super::flows`].

use codeweft_db::{FlowNode, FlowRole, FlowValue, NONE, Reason, Role, SymbolId};
use codeweft_go_syntax::{ExprId, ListId, Tok};

use super::boxed;
use super::operand::{Argument, FunctionOperand};
use super::origin::{
    Callee, FlowFilter, FlowKind, FlowingValue, FunctionOrigin, ValueOrigin, short,
};
use super::recorders::FlowRecorder;
use super::reflected::{escaped, is_reflect_value_of};
use super::unnamed::Unnamed;
use crate::definitions::{Member, MemberKind};
use crate::types::{Args, Basic, Signature, Ty, Type, subst};

impl FlowRecorder<'_, '_> {
    /// Returns the origin of a method selected from a value. A call of an interface's method is a
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
        if self.recording.follows {
            if of_interface {
                self.interface_literal_method_called(symbol, receiver.ty);
            }
            if of_interface && role.is_call() {
                let at = match member.via {
                    Some(field) => Some(FlowNode::Variable(field)),
                    None if self.is_followed(receiver.ty) => {
                        Some(self.node_of(receiver, base, FlowRole::Argument))
                    }
                    None => None,
                };
                if let Some(at) = at {
                    let in_literal = self.scopes.in_literal();
                    self.recording.site(tok, at, Some(symbol), in_literal);
                }
            } else if !of_interface {
                self.receiver_flows(member, symbol, base, receiver);
            }
        }
        ValueOrigin::Function(FunctionOrigin {
            symbol,
            of_interface,
            receiver: None,
            filter: self.lookup().instance_filter(receiver.ty),
        })
    }

    /// Lets a receiver that is a function flow into its method.
    fn receiver_flows(
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
                if let Type::Pointer(target) = *self.cx.types.get(receiver.ty)
                    && self.kind(target) == FlowKind::Function
                {
                    self.recording.edge(
                        Unnamed::Pointee.of(self.lookup().number(target)),
                        to,
                        NONE,
                    );
                }
            }
            Some(field) => {
                let parent = self.cx.db.shared().symbols.key(method).parent;
                if parent.is_some_and(|parent| self.lookup().is_function_type(parent)) {
                    self.recording.edge(FlowNode::Variable(field), to, NONE);
                }
            }
        }
    }

    /// Returns the origin of `T.Method`, whose first argument is the receiver.
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
        if self.recording.follows && of_interface {
            self.interface_literal_method_called(symbol, ty);
        }
        if self.recording.follows && of_interface && role.is_call() {
            receiver = match member.via {
                Some(field) => FlowNode::Variable(field),
                None => self.recording.fresh_node(),
            };
            let in_literal = self.scopes.in_literal();
            self.recording.site(tok, receiver, Some(symbol), in_literal);
            // The receiver of a method promoted through a field comes from that field alone.
            if member.via.is_some() {
                receiver = self.recording.fresh_node();
            }
        }
        ValueOrigin::Function(FunctionOrigin {
            symbol,
            of_interface,
            receiver: Some(receiver),
            filter: self.lookup().instance_filter(ty),
        })
    }

    /// Lets arguments flow into the parameters of the callee.
    pub(super) fn arguments_flow(
        &mut self,
        callee: Callee,
        signature: &Signature,
        args: ListId,
        given: &[Argument],
        spread: bool,
    ) {
        if !self.recording.follows || signature.params.is_empty() {
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
                match self.cx.types.get(parameter) {
                    // The arguments are elements of a new slice (Go spec, Passing arguments to ...
                    // parameters).
                    Type::Slice(element) if !spread => {
                        let node = Unnamed::Element.of(self.lookup().number(*element));
                        self.flow(given, *element, node, value, FlowRole::Argument);
                    }
                    _ => {}
                }
            } else if at <= last {
                let node = callee.parameter(at);
                self.flow(given, parameter, node, value, FlowRole::Argument);
                if let Callee::Declared(function) = callee
                    && is_reflect_value_of(self.cx.db, function.symbol)
                {
                    let escaped = self.reflected_node();
                    self.flow(given, parameter, escaped, value, FlowRole::Argument);
                }
            }
        }
    }

    /// Returns the node of the argument of the next call of `reflect.ValueOf`: one per call in a
    /// function, and one per package for all calls in initialisers.
    fn reflected_node(&mut self) -> FlowNode {
        match self.scopes.enclosing_function() {
            Some(function) => escaped(function, self.scopes.next_reflect_call()),
            None => FlowNode::Variable(self.cx.package_symbol()),
        }
    }

    /// Returns the node of the arguments of `reflect.ValueOf` used as a value; in an initialiser
    /// one of the function itself.
    pub(super) fn reflected_value_node(&mut self, value_of: SymbolId) -> FlowNode {
        match self.reflected_node() {
            FlowNode::Variable(_) => escaped(value_of, 0),
            node => node,
        }
    }

    /// Returns the signature of a generic function with its type arguments, and records the
    /// instance.
    pub(super) fn instantiated(&mut self, func: &FunctionOperand, args: &[Ty]) -> Ty {
        let (Some(owner), false) = (func.symbol, args.is_empty()) else {
            return func.signature;
        };
        self.instance(owner, args);
        subst(self.cx.types, func.signature, Args { owner, types: args })
    }

    /// Returns the origin of `T(x)` (Go spec, Conversions).
    pub(super) fn conversion_flows(
        &mut self,
        given: FlowingValue,
        to: Ty,
        value: ExprId,
    ) -> ValueOrigin {
        if !self.recording.follows {
            return ValueOrigin::Nothing;
        }
        if self.cx.types.as_basic(self.lookup().core(given.ty)) == Some(Basic::UnsafePointer) {
            boxed::pointee_is_reached(self, to);
            return self.unsafe_pointer(given, to, value);
        }
        let to_basic = self.cx.types.as_basic(self.lookup().core(to));
        if to_basic == Some(Basic::UnsafePointer) {
            boxed::pointee_is_reached(self, given.ty);
        }
        if let (ValueOrigin::Address(node), Some(Basic::UnsafePointer)) = (given.origin, to_basic) {
            return ValueOrigin::UnsafeAddress(node);
        }
        if !self.is_followed(to) {
            self.struct_converted(given.ty, to);
            return ValueOrigin::Nothing;
        }
        let same = self.kind(given.ty) == self.kind(to);
        if same && self.kind(to) != FlowKind::Parameter {
            return given.origin;
        }
        let node = self.recording.fresh_node();
        self.flow(given, to, node, value, FlowRole::Converted);
        ValueOrigin::Node(node, FlowFilter::None)
    }

    /// Returns the origin of `(*T)(p)` for an `unsafe.Pointer` p. Writes through the pointer to a
    /// variable of another type are not visible.
    fn unsafe_pointer(&mut self, given: FlowingValue, to: Ty, value: ExprId) -> ValueOrigin {
        if !matches!(self.cx.types.get(self.lookup().core(to)), Type::Pointer(_)) {
            return ValueOrigin::Nothing;
        }
        let ValueOrigin::UnsafeAddress(node) = given.origin else {
            return ValueOrigin::Unsafe(None);
        };
        let unknown = FlowValue::Unknown(Reason::Reflection);
        self.source(unknown, node, value, FlowRole::Assigned);
        ValueOrigin::Unsafe(Some(node))
    }

    /// Returns the node of a parameter or result of the function or literal that is entered.
    pub(super) fn parameter_node(
        &mut self,
        signature: Ty,
        number: usize,
        ty: Ty,
        is_result: bool,
    ) -> Option<FlowNode> {
        let number = short(number);
        if !self.scopes.in_literal() {
            let (function, _) = self.scopes.function.as_ref()?;
            return Some(if is_result {
                FlowNode::Result(*function, number)
            } else {
                FlowNode::Parameter(*function, number)
            });
        }
        if !self.recording.follows || !self.is_followed(ty) {
            return None;
        }
        let node = self.recording.fresh_node();
        let signature = self.lookup().signature_number(signature);
        if is_result {
            self.recording
                .edge(node, FlowNode::SignatureResult(signature, number), NONE);
        } else {
            let parameter = FlowNode::SignatureParameter(signature, number);
            self.recording.edge(parameter, node, NONE);
        }
        Some(node)
    }

    /// Returns the node of a result of the innermost enclosing function.
    pub(super) fn result_node(&self, number: usize) -> Option<FlowNode> {
        let number = short(number);
        if self.scopes.literal.is_some() {
            let signature = self.lookup().signature_number(self.scopes.signature);
            return Some(FlowNode::SignatureResult(signature, number));
        }
        let (function, _) = self.scopes.function.as_ref()?;
        Some(FlowNode::Result(*function, number))
    }

    /// Records unknown results for a function without a body, which is implemented in assembly or
    /// linked by name.
    pub(crate) fn without_body(&mut self, function: SymbolId, signature: Ty, tok: Tok) {
        if let Type::Func(signature) = self.cx.types.get(signature) {
            for (at, &ty) in signature.results.iter().enumerate() {
                if self.is_followed(ty) {
                    let unknown = FlowValue::Unknown(Reason::Assembly);
                    let to = FlowNode::Result(function, short(at));
                    self.recording
                        .source(unknown, to, Some(tok), FlowRole::Returned);
                }
            }
        }
    }
}
