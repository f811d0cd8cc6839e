//! Lowers conditions, and narrows the tested values on the branches where a condition is true or
//! false.
//!
//! ```python
//! if x is not None and isinstance(x, C):
//!     x                       # Narrow { NotNone { x, true }, C, true }
//! else:
//!     x                       # Phi of `x is None` and "not a C"
//! ```

use super::flat::FlatIndex;
use super::flow::{Env, UNBOUND};
use super::implied::Implied;
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::walk::PythonLowering;

impl PythonLowering<'_, '_> {
    /// Lowers a condition. Afterwards the current environment is that of the true branch; the
    /// environment of the false branch is returned with the value, which is 0 unless `wants` is
    /// set.
    pub(super) fn test(&mut self, at: FlatIndex, wants: bool) -> (NodeId, Env) {
        match self.deeper(|l| l.test_here(at, wants)) {
            Some(result) => result,
            None => (0, self.env.clone()),
        }
    }

    fn test_here(&mut self, at: FlatIndex, wants: bool) -> (NodeId, Env) {
        match self.kind(at) {
            PythonKind::Paren => match self.flat.first_expr(at) {
                Some(inner) => self.test(inner, wants),
                None => (0, self.env.clone()),
            },
            PythonKind::Not => {
                let Some(inner) = self.flat.field(at, NodeField::Argument) else {
                    return (0, self.env.clone());
                };
                let (value, fails) = self.test(inner, wants);
                let holds = std::mem::replace(&mut self.env, fails);
                let node = if wants {
                    self.push(Node::Unary {
                        op: UnaryOp::Not,
                        value,
                    })
                } else {
                    0
                };
                (node, holds)
            }
            PythonKind::Boolean => self.junction(at, wants, true),
            PythonKind::True => {
                let mut fails = self.env.clone();
                fails.dead = true;
                (self.constant(Constant::Bool), fails)
            }
            PythonKind::False => {
                let fails = self.env.clone();
                self.env.dead = true;
                (self.constant(Constant::Bool), fails)
            }
            PythonKind::Integer => {
                let mut fails = self.env.clone();
                match self.text(at) {
                    "1" => fails.dead = true,
                    "0" => self.env.dead = true,
                    _ => {}
                }
                (self.constant(Constant::Int), fails)
            }
            PythonKind::Comparison => {
                let value = self.comparison(at);
                let mut fails = self.env.clone();
                self.narrow_none(at, &mut fails);
                (value, fails)
            }
            _ => {
                let value = self.expr(at);
                let mut fails = self.env.clone();
                if self.kind(at) == PythonKind::Call && self.narrow_class(at, value, &mut fails) {
                    return (value, fails);
                }
                self.truth(at, value);
                if let Some(name) = self.tested_name(at) {
                    self.narrow(name, |value| Node::NotNone { value, holds: true });
                }
                (value, fails)
            }
        }
    }

    /// Records a truth test of a value.
    fn truth(&mut self, at: FlatIndex, value: NodeId) {
        let is_bool = matches!(
            self.nodes[value as usize],
            Node::Compare { .. }
                | Node::Constant(_)
                | Node::Unary {
                    op: UnaryOp::Not,
                    ..
                }
        );
        if !is_bool {
            self.imply(Implied::Truth, 0);
            self.record_use(self.last_byte(at), UseKind::Truth(value));
        }
    }

    /// Returns the name whose value a test of `at` is about: `at` itself, or the target of `:=`.
    fn tested_name(&self, at: FlatIndex) -> Option<FlatIndex> {
        let mut at = at;
        while self.kind(at) == PythonKind::Paren {
            at = self.flat.first_expr(at)?;
        }
        match self.kind(at) {
            PythonKind::Identifier => Some(at),
            PythonKind::Named => self.flat.field(at, NodeField::Name),
            _ => None,
        }
    }

    /// Narrows the value of a local from here on; returns its slot and the value before.
    fn narrow(
        &mut self,
        name: FlatIndex,
        make: impl FnOnce(NodeId) -> Node,
    ) -> Option<(u32, NodeId)> {
        let name = self.name(name);
        let slot = self.narrow_slot(name)?;
        let before = *self.env.values.get(slot as usize)?;
        if before == UNBOUND {
            return None;
        }
        let node = make(before);
        if self.nodes[before as usize]
            == (Node::NotNone {
                value: self.narrowed(before).unwrap_or(0),
                holds: true,
            })
            && matches!(node, Node::NotNone { holds: true, .. })
        {
            return None;
        }
        let node = self.push(node);
        self.env.values[slot as usize] = node;
        Some((slot, before))
    }

    /// Narrows `x is None`, `x is not None`, `x == None` and `x != None`.
    fn narrow_none(&mut self, at: FlatIndex, fails: &mut Env) {
        let parts = self.children(at);
        let &[left, op, right] = &parts[..] else {
            return;
        };
        if self.kind(right) != PythonKind::None {
            return;
        }
        let holds = match self.kind(op) {
            PythonKind::Is | PythonKind::EqualEqual => false,
            PythonKind::IsNot | PythonKind::NotEqual => true,
            _ => return,
        };
        let Some(name) = self.tested_name(left) else {
            return;
        };
        if let Some((slot, before)) = self.narrow(name, |value| Node::NotNone { value, holds }) {
            fails.values[slot as usize] = self.push(Node::NotNone {
                value: before,
                holds: !holds,
            });
        }
    }

    /// Narrows `isinstance(x, C)`; returns whether the expression was one.
    fn narrow_class(&mut self, at: FlatIndex, value: NodeId, fails: &mut Env) -> bool {
        let callee = self.flat.field(at, NodeField::Function);
        if !callee.is_some_and(|callee| {
            self.kind(callee) == PythonKind::Identifier && self.text(callee) == "isinstance"
        }) {
            return false;
        }
        let Node::Call(call) = self.nodes[value as usize] else {
            return false;
        };
        let positional = self.calls[call as usize].positional;
        let &[_, class] = self.list_of(positional) else {
            return false;
        };
        let first = self
            .flat
            .field(at, NodeField::Arguments)
            .and_then(|arguments| self.flat.first_expr(arguments));
        let Some(name) = first.and_then(|first| self.tested_name(first)) else {
            return true;
        };
        let narrowed = self.narrow(name, |value| Node::Narrow {
            value,
            class,
            holds: true,
        });
        if let Some((slot, before)) = narrowed {
            fails.values[slot as usize] = self.push(Node::Narrow {
                value: before,
                class,
                holds: false,
            });
        }
        true
    }

    /// Lowers the value of `a and b` or `a or b`; the last operand is not tested for truth.
    pub(super) fn junction_value(&mut self, at: FlatIndex) -> NodeId {
        let (value, fails) = self.junction(at, true, false);
        let holds = std::mem::take(&mut self.env);
        self.env = self.join(vec![holds, fails]);
        value
    }

    /// Lowers `a and b and c` or `a or b or c`. `is_tested`: whether the whole is tested for truth.
    fn junction(&mut self, at: FlatIndex, wants: bool, is_tested: bool) -> (NodeId, Env) {
        let is_and = self.flat.first(at, PythonKind::And).is_some();
        let own = if is_and {
            PythonKind::And
        } else {
            PythonKind::Or
        };
        let mut operands = Vec::new();
        let mut inner = at;
        loop {
            let (left, right) = (
                self.flat.field(inner, NodeField::Left),
                self.flat.field(inner, NodeField::Right),
            );
            operands.extend(right);
            match left {
                Some(left)
                    if self.kind(left) == PythonKind::Boolean
                        && self.flat.first(left, own).is_some() =>
                {
                    inner = left;
                }
                left => {
                    operands.extend(left);
                    break;
                }
            }
        }
        operands.reverse();
        let count = operands.len();
        let mut values = Vec::new();
        let mut early = Vec::new();
        for (number, operand) in operands.into_iter().enumerate() {
            let last = number + 1 == count;
            let (value, fails) = if last && !is_tested {
                (self.expr(operand), self.env.clone())
            } else {
                self.test(operand, wants)
            };
            if wants {
                let plain = last
                    || matches!(
                        self.nodes[value as usize],
                        Node::Opaque
                            | Node::Compare { .. }
                            | Node::Constant(_)
                            | Node::Unary { .. }
                    );
                values.push(if plain {
                    value
                } else {
                    self.push(Node::NotNone {
                        value,
                        holds: !is_and,
                    })
                });
            }
            if is_and {
                early.push(fails);
            } else {
                // The next operand is evaluated on the path where this one is false.
                early.push(std::mem::replace(&mut self.env, fails));
            }
        }
        let value = if wants {
            let list = self.list(&values);
            self.push(Node::Union(list))
        } else {
            0
        };
        if is_and {
            let fails = self.join(early);
            (value, fails)
        } else {
            let fails = std::mem::take(&mut self.env);
            self.env = self.join(early);
            (value, fails)
        }
    }
}
