//! The special methods that operators and subscripts run (Python reference, Data model, "Special
//! method names").
//!
//! ```python
//! a + b       # a.__add__, and b.__radd__ if `a` has none or may return NotImplemented
//! a != b      # a.__ne__, else a.__eq__
//! a += b      # a.__iadd__, else as a + b
//! ```

use codeweft_db::{Resolution, Role, SymbolId};
use codeweft_python_syntax::{self as python, Node, NodeId};

use super::UseReader;
use crate::classes::{OwnMember, class_info, find_in_mro};
use crate::infer::{
    Frame, binary_methods, compare_methods, is_modelled, special_methods_of, unary_method,
};
use crate::keys::ClassKey;
use crate::values::{Shape, Values, shape};

impl UseReader<'_> {
    pub(super) fn operator(&mut self, frame: &Frame<'_>, occ: u32, node: NodeId) {
        let db = self.db;
        match frame.kind(node) {
            Node::Binary { op, left, right } => {
                let (method, reflected, augmented) = binary_methods(op.kind);
                let (left, right) = (frame.node(left), frame.node(right));
                let mut found = Vec::new();
                if op.augmented {
                    special_methods_of(frame, left, augmented, &mut found);
                }
                if found.is_empty() {
                    special_methods_of(frame, left, method, &mut found);
                    // The reflected method runs if the left operand has no method, or has a
                    // builtin's, which may return `NotImplemented`.
                    if found.iter().all(|(function, _)| is_modelled(db, *function)) {
                        special_methods_of(frame, right, reflected, &mut found);
                    }
                }
                self.implicit_runs(occ, found, left);
                if op.kind == python::BinaryKind::Mod {
                    self.formatted(frame, occ, left, right);
                }
                if left.is_unknown() {
                    self.record.add_unresolved_operator(occ, method);
                }
            }
            Node::Unary { op, value } => {
                if let Some(method) = unary_method(op) {
                    self.implicit(frame, occ, frame.node(value), method);
                }
            }
            Node::Compare { op, left, right } => {
                let (left, right) = (frame.node(left), frame.node(right));
                match compare_methods(op) {
                    Some((method, reflected)) => {
                        let mut found = Vec::new();
                        special_methods_of(frame, left, method, &mut found);
                        // `!=` falls back to `==`.
                        let is_plain = |found: &Vec<(SymbolId, bool)>| {
                            found.iter().all(|(function, _)| is_modelled(db, *function))
                        };
                        if is_plain(&found) && method == "__ne__" {
                            special_methods_of(frame, left, "__eq__", &mut found);
                        }
                        if is_plain(&found) {
                            special_methods_of(frame, right, reflected, &mut found);
                        }
                        self.implicit_runs(occ, found, left);
                    }
                    None if matches!(op, python::CompareOp::In | python::CompareOp::NotIn) => {
                        let mut found = Vec::new();
                        special_methods_of(frame, right, "__contains__", &mut found);
                        if found.is_empty() {
                            special_methods_of(frame, right, "__iter__", &mut found);
                        }
                        self.implicit_runs(occ, found, right);
                        self.compared_inside(frame, occ, left, right);
                    }
                    None => {}
                }
            }
            Node::Subscript { base, index } => {
                let values = frame.node(base);
                self.implicit(frame, occ, values, "__getitem__");
                self.by_index(frame, occ, values, "__getitem__", frame.node(index));
                for one in values.iter() {
                    if let Shape::Class(class) | Shape::Subclass(class) = shape(db, one)
                        && let name = db.shared().names.intern("__class_getitem__")
                        && let info = class_info(db, ClassKey::new(db, class.symbol))
                        && let Some((_, OwnMember::Function { function, .. })) =
                            find_in_mro(db, &info, name, 0)
                        && !is_modelled(db, function)
                    {
                        self.record
                            .add(occ, function, Role::Call, Resolution::Exact, true);
                    }
                }
            }
            Node::Format(list) => {
                for &part in frame.code.list(list) {
                    let values = frame.node(part);
                    self.first_of(frame, occ, values, &["__format__", "__str__", "__repr__"]);
                }
            }
            _ => {}
        }
    }

    pub(super) fn implicit(
        &mut self,
        frame: &Frame<'_>,
        occ: u32,
        values: &Values,
        method: &'static str,
    ) {
        let mut found = Vec::new();
        special_methods_of(frame, values, method, &mut found);
        self.implicit_runs(occ, found, values);
        if values.is_unknown() {
            self.record.add_unresolved_operator(occ, method);
        }
    }

    pub(super) fn implicit_runs(
        &mut self,
        occ: u32,
        found: Vec<(SymbolId, bool)>,
        values: &Values,
    ) {
        let is_sure = found.len() == 1 && !values.is_unknown() && !values.is_loose();
        for (function, direct) in found {
            if is_modelled(self.db, function) {
                continue;
            }
            let resolution = if is_sure {
                Resolution::Exact
            } else {
                Resolution::Value
            };
            self.record
                .add(occ, function, Role::Call, resolution, direct);
        }
    }
}
