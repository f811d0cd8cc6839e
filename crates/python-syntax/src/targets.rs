//! Lowers the targets of assignments, loops, `with` and `del` (Python reference, Assignment
//! statements).

use super::flat::FlatIndex;
use super::flow::UNBOUND;
use super::implied::Implied;
use super::ir::*;
use super::kinds::{NodeField, PythonKind};
use super::walk::PythonLowering;

impl PythonLowering<'_, '_> {
    /// Binds a target to a value. `annotation` is [`NONE`] if there is none, `value` is [`NONE`]
    /// for a bare annotation.
    pub(super) fn target(&mut self, at: FlatIndex, value: NodeId, annotation: NodeId) {
        self.target_in(at, value, annotation, false);
    }

    /// Binds the targets of a comprehension.
    pub(super) fn bind_comprehension_targets(&mut self, at: FlatIndex, value: NodeId) {
        self.target_in(at, value, NONE, true);
    }

    fn target_in(
        &mut self,
        at: FlatIndex,
        value: NodeId,
        annotation: NodeId,
        is_comprehension: bool,
    ) {
        self.deeper(|l| l.target_here(at, value, annotation, is_comprehension));
    }

    fn target_here(
        &mut self,
        at: FlatIndex,
        value: NodeId,
        annotation: NodeId,
        is_comprehension: bool,
    ) {
        match self.kind(at) {
            PythonKind::Identifier if is_comprehension => {
                self.store_comprehension_target(at, value)
            }
            PythonKind::Identifier => self.store(at, value, annotation, Access::Store),
            PythonKind::Attribute => {
                let base_at = self.flat.first_expr(at);
                let base = base_at.map_or(0, |base| self.expr(base));
                self.store_attribute(at, base, value, annotation, Access::Store);
            }
            PythonKind::Subscript => {
                let base = self.flat.first_expr(at).map_or(0, |base| self.expr(base));
                let index = self.index(at, usize::MAX);
                self.imply(Implied::SubscriptStore, 0);
                self.record_use(
                    self.bracket(at),
                    UseKind::SubscriptStore {
                        base,
                        index,
                        value,
                        access: Access::Store,
                    },
                );
            }
            PythonKind::PatternList
            | PythonKind::TuplePattern
            | PythonKind::ListPattern
            | PythonKind::Tuple
            | PythonKind::List
            | PythonKind::ExpressionList => self.unpack(at, value, is_comprehension),
            PythonKind::SplatPattern | PythonKind::ListSplat => {
                let rest = self.push(Node::UnpackRest(value));
                if let Some(inner) = self.flat.first_expr(at) {
                    self.target_in(inner, rest, NONE, is_comprehension);
                }
            }
            PythonKind::Paren | PythonKind::AsTarget => {
                if let Some(inner) = self.flat.first_expr(at) {
                    self.target_in(inner, value, annotation, is_comprehension);
                }
            }
            _ => {}
        }
    }

    fn unpack(&mut self, at: FlatIndex, value: NodeId, is_comprehension: bool) {
        // A bare annotation of several targets is a syntax error.
        let value = if value == NONE { 0 } else { value };
        let parts: Vec<FlatIndex> = self
            .flat
            .children(at)
            .filter(|&part| self.kind(part).is_expr())
            .collect();
        let star = parts.iter().position(|&part| {
            matches!(
                self.kind(part),
                PythonKind::SplatPattern | PythonKind::ListSplat
            )
        });
        // `a, b = x, y` pairs the two sides.
        if star.is_none()
            && let Node::Tuple(list) = self.nodes[value as usize]
        {
            let values = self.list_of(list).to_vec();
            let whole = values.len() == parts.len()
                && !values
                    .iter()
                    .any(|&value| matches!(self.nodes[value as usize], Node::Star(_)));
            if whole {
                for (part, value) in parts.into_iter().zip(values) {
                    self.target_in(part, value, NONE, is_comprehension);
                }
                return;
            }
        }
        self.iterate(at, value, false);
        let count = parts.len();
        for (number, part) in parts.into_iter().enumerate() {
            let base = value;
            let element = match star {
                Some(star) if number == star => value,
                Some(star) if number > star => self.push(Node::Unpack {
                    base,
                    at: number as i32 - count as i32,
                }),
                _ => self.push(Node::Unpack {
                    base,
                    at: number as i32,
                }),
            };
            self.target_in(part, element, NONE, is_comprehension);
        }
    }

    /// Lowers `base.name = value`. If `base` is the first parameter of a method, it is also a store
    /// of the class.
    pub(super) fn store_attribute(
        &mut self,
        at: FlatIndex,
        base: NodeId,
        value: NodeId,
        annotation: NodeId,
        access: Access,
    ) {
        let Some(name_at) = self.flat.field(at, NodeField::Attribute) else {
            return;
        };
        let name = self.name(name_at);
        self.imply(Implied::AttributeStore, 0);
        let offset = self.start(name_at);
        self.record_use(
            offset,
            UseKind::Attr {
                base,
                name,
                access,
                role: TypeRole::None,
                value,
            },
        );
        if let Some(class) = self.class_of_self(base) {
            let store = Store {
                class,
                method: self.item,
                name,
                value,
                annotation,
                tok: NONE,
            };
            self.stores.push((offset, store));
        }
    }

    /// Returns the class of the current method if `value` is the method's first parameter.
    fn class_of_self(&self, value: NodeId) -> Option<u32> {
        let scope = self.scope();
        let parent = self.scopes.all.get(scope.parent as usize)?;
        let is_method = scope.kind == ItemKind::Function
            && parent.kind == ItemKind::Class
            && !self.pending_items[self.item as usize].is_static;
        if !is_method {
            return None;
        }
        let first = scope.params.first()?;
        let takes = matches!(first.kind, ParamKind::Normal | ParamKind::PositionalOnly);
        let mut value = value;
        while let Some(inner) = self.narrowed(value) {
            value = inner;
        }
        (takes && self.nodes[value as usize] == Node::Param(0)).then_some(scope.parent)
    }

    /// Lowers `left op= right`.
    pub(super) fn augmented(&mut self, at: FlatIndex) {
        let (Some(left), Some(right)) = (
            self.flat.field(at, NodeField::Left),
            self.flat.field(at, NodeField::Right),
        ) else {
            return;
        };
        let op = self.flat.children(at).find_map(|part| {
            let kind = super::exprs::binary_kind(self.kind(part))?;
            Some((kind, self.start(part)))
        });
        let Some((op, offset)) = op else { return };
        match self.kind(left) {
            PythonKind::Identifier => {
                let name = self.name(left);
                let (old, _) = self.read(name);
                let new = self.right_side(right);
                let value = self.operate(op, true, old, new, offset);
                self.store(left, value, NONE, Access::Augment);
                if self.item == 0 && self.text(left) == "__all__" {
                    self.all_changed(right, false);
                }
            }
            PythonKind::Attribute => {
                let base = self.flat.first_expr(left).map_or(0, |base| self.expr(base));
                let Some(name_at) = self.flat.field(left, NodeField::Attribute) else {
                    return;
                };
                let name = self.name(name_at);
                let old = self.push(Node::Attr { base, name });
                let new = self.right_side(right);
                let value = self.operate(op, true, old, new, offset);
                self.store_attribute(left, base, value, NONE, Access::Augment);
            }
            PythonKind::Subscript => {
                let base = self.flat.first_expr(left).map_or(0, |base| self.expr(base));
                let index = self.index(left, usize::MAX);
                let old = self.push(Node::Subscript { base, index });
                let new = self.right_side(right);
                let value = self.operate(op, true, old, new, offset);
                self.imply(Implied::Subscript, 0);
                self.imply(Implied::SubscriptStore, 0);
                self.record_use(
                    self.bracket(left),
                    UseKind::SubscriptStore {
                        base,
                        index,
                        value,
                        access: Access::Augment,
                    },
                );
            }
            _ => {
                self.right_side(right);
            }
        }
    }

    /// Lowers the right-hand side of `=`.
    pub(super) fn right_side(&mut self, at: FlatIndex) -> NodeId {
        match self.kind(at) {
            PythonKind::Assignment => {
                self.assignment(at);
                0
            }
            PythonKind::Augmented => {
                self.augmented(at);
                0
            }
            _ => self.expr(at),
        }
    }

    /// Lowers `del target`.
    pub(super) fn delete(&mut self, at: FlatIndex) {
        self.deeper(|l| l.delete_here(at));
    }

    fn delete_here(&mut self, at: FlatIndex) {
        match self.kind(at) {
            PythonKind::Identifier => {
                let name = self.name(at);
                let (value, scope) = self.read(name);
                self.record_use(
                    self.start(at),
                    UseKind::Name {
                        scope,
                        name,
                        access: Access::Delete,
                        role: self.role,
                        value,
                    },
                );
                self.bind(at, BindingKind::Deleted, UNBOUND);
            }
            PythonKind::Attribute => {
                let base = self.flat.first_expr(at).map_or(0, |base| self.expr(base));
                let Some(name_at) = self.flat.field(at, NodeField::Attribute) else {
                    return;
                };
                let name = self.name(name_at);
                self.imply(Implied::AttributeDelete, 0);
                self.record_use(
                    self.start(name_at),
                    UseKind::Attr {
                        base,
                        name,
                        access: Access::Delete,
                        role: self.role,
                        value: NONE,
                    },
                );
            }
            PythonKind::Subscript => {
                let base = self.flat.first_expr(at).map_or(0, |base| self.expr(base));
                let index = self.index(at, usize::MAX);
                self.imply(Implied::SubscriptDelete, 0);
                self.record_use(
                    self.bracket(at),
                    UseKind::SubscriptStore {
                        base,
                        index,
                        value: NONE,
                        access: Access::Delete,
                    },
                );
            }
            _ => {
                for part in self.children(at) {
                    if self.kind(part).is_expr() {
                        self.delete(part);
                    }
                }
            }
        }
    }
}
