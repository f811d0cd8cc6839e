//! Conversions of values to interface types, explicit and implicit (Go spec, Assignability,
//! Conversions, Type assertions).
//!
//! ```go
//! var w io.Writer = file  // file has type *os.File: Conversion(io.Writer, os.File, pointer)
//! func g() error { return &MyError{} } // Conversion(error, MyError, pointer)
//! ```

use codeweft_db::Conversion;
use codeweft_go_syntax::{ExprId, ListId};

use super::operand::Argument;
use super::origin::FlowingValue;
use super::recorders::UseRecorder;
use super::tokens::token;
use crate::types::{Signature, Ty, Type};

impl UseRecorder<'_, '_> {
    /// Records that a value of one type is assigned to a variable of another. Two different named
    /// types, or a pointer and a named type, are assignable only if the target is an interface, so
    /// its definition is not needed here.
    pub(super) fn assigned(&mut self, value: ExprId, from: Ty, to: Ty) {
        if self.recording.record.is_none() || from == to {
            return;
        }
        let types = self.cx.types;
        let Type::Named(interface, _) = types.get(to) else {
            return;
        };
        let (ty, pointer) = match types.get(from) {
            Type::Named(ty, _) => (*ty, false),
            Type::Pointer(target) => match types.get(*target) {
                Type::Named(ty, _) => (*ty, true),
                _ => return,
            },
            _ => return,
        };
        if ty == *interface {
            return;
        }
        let Some(tok) = token(self.code, value) else {
            return;
        };
        let in_literal = self.scopes.in_literal();
        if let Some(record) = &mut self.recording.record {
            record.conversions.push(Conversion {
                interface: *interface,
                ty,
                body: record.body,
                occ: tok.wrapping_sub(record.first),
                pointer,
                in_literal,
            });
        }
    }

    /// Records the same for several values and variables, or for one value with several results.
    pub(super) fn assigned_all(&mut self, values: &[(ExprId, FlowingValue)], targets: &[Ty]) {
        let several = match *values {
            [(value, given)] if targets.len() > 1 => match self.cx.types.get(given.ty) {
                Type::Tuple(parts) => Some((value, parts)),
                _ => None,
            },
            _ => None,
        };
        match several {
            Some((value, parts)) => {
                for (&from, &to) in parts.iter().zip(targets) {
                    self.assigned(value, from, to);
                }
            }
            None => {
                for (&(value, given), &to) in values.iter().zip(targets) {
                    self.assigned(value, given.ty, to);
                }
            }
        }
    }

    /// Records the conversions of the arguments of a call of this signature.
    pub(super) fn arguments_converted(
        &mut self,
        signature: &Signature,
        args: ListId,
        given: &[Argument],
        spread: bool,
    ) {
        let code = self.code;
        let mut list = code.exprs_of(args);
        let single = (list.len() == 1).then(|| list.next()).flatten();
        let last = signature.params.len().wrapping_sub(1);
        for (at, argument) in given.iter().enumerate() {
            let Some(value) = single.or_else(|| code.exprs_of(args).nth(at)) else {
                return;
            };
            let parameter = match signature.params.get(at.min(last)) {
                Some(&parameter) if signature.variadic && at >= last && !spread => {
                    match self.cx.types.get(parameter) {
                        Type::Slice(element) => *element,
                        _ => Ty::UNKNOWN,
                    }
                }
                Some(&parameter) if at <= last => parameter,
                _ => return,
            };
            self.assigned(value, argument.given().ty, parameter);
        }
    }

    /// Records a conversion `T(x)`: between named types only one to an interface counts.
    pub(super) fn converted_to(&mut self, value: ExprId, from: Ty, to: Ty) {
        let is_interface = || {
            matches!(
                self.cx.types.get(self.lookup().core(to)),
                Type::Interface(_)
            )
        };
        if from != to && matches!(self.cx.types.get(to), Type::Named(..)) && is_interface() {
            self.assigned(value, from, to);
        }
    }
}
