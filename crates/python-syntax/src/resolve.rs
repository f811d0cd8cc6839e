//! Resolves names inside a module (Python reference, Resolution of names).
//!
//! ```python
//! a = 1
//! def f(b):
//!     c = [d for d in b]  # `d`: a comprehension target; `b`, `c`: slots of `f`
//!     def g():
//!         return a, b     # `a`: Global (of the module, else a builtin); `b`: Free, owned by `f`
//! ```

use super::flat::FlatIndex;
use super::flow::UNBOUND;
use super::ir::*;
use super::kinds::PythonKind;
use super::walk::{ComprehensionTarget, PendingBinding, PythonLowering};
use codeweft_syntax::NameId;

/// The kind of scope that binds a name, seen from a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameBinding {
    /// This scope, by slot.
    Slot(u32),
    /// This scope, by slot; nested functions bind it as well.
    Shared(u32),
    /// An enclosing function.
    Free(u32),
    /// The module, or the builtins.
    Global,
    /// A type parameter: the item and the parameter's number.
    TypeParam(u32, u32),
    /// The enclosing class: `__class__` in a method.
    ClassCell(u32),
    /// The target of a comprehension around a lambda: the enclosing function, if any, and the
    /// comprehension.
    Target(Option<u32>, u32),
}

impl PythonLowering<'_, '_> {
    /// Returns the binding of a name of the current body, comprehensions excluded.
    pub(super) fn find(&mut self, name: NameId) -> NameBinding {
        if let Some(&found) = self.found.get(&name) {
            return found;
        }
        let found = self.find_here(name);
        self.found.insert(name, found);
        found
    }

    fn find_here(&self, name: NameId) -> NameBinding {
        let scope = self.scope();
        if scope.globals.contains(&name) && self.item != 0 {
            return NameBinding::Global;
        }
        if scope.nonlocals.contains(&name) {
            return match self.scopes.nonlocal_owner(self.item, name) {
                Some(owner) => NameBinding::Free(owner),
                None => NameBinding::Global,
            };
        }
        if let Some(&slot) = scope.slots.get(&name) {
            if scope.shared.contains(&name) {
                return NameBinding::Shared(slot);
            }
            return NameBinding::Slot(slot);
        }
        self.find_outside(name)
    }

    /// Returns the binding of a name that this scope does not bind.
    fn find_outside(&self, name: NameId) -> NameBinding {
        let own = self.scope();
        if let Some(found) = self.type_param(self.item, name) {
            return found;
        }
        let is_cell = name == self.class_word();
        let mut inner = own.node;
        let mut number = own.parent;
        while let Some(scope) = self.scopes.all.get(number as usize) {
            if scope.kind == ItemKind::Module {
                if let Some(around) = scope.comprehends(name, inner) {
                    return NameBinding::Target(None, self.scopes.comprehension(around));
                }
                break;
            }
            if scope.kind == ItemKind::Class {
                if is_cell {
                    return NameBinding::ClassCell(number);
                }
                if let Some(around) = scope.comprehends(name, inner) {
                    return NameBinding::Target(None, self.scopes.comprehension(around));
                }
            } else {
                if let Some(around) = scope.comprehends(name, inner) {
                    return NameBinding::Target(Some(number), self.scopes.comprehension(around));
                }
                if scope.globals.contains(&name) {
                    return NameBinding::Global;
                }
                if scope.slots.contains_key(&name) && !scope.nonlocals.contains(&name) {
                    return NameBinding::Free(number);
                }
            }
            if let Some(found) = self.type_param(number, name) {
                return found;
            }
            inner = scope.node;
            number = scope.parent;
        }
        NameBinding::Global
    }

    fn class_word(&self) -> NameId {
        self.words.quiet("__class__")
    }

    fn type_param(&self, item: u32, name: NameId) -> Option<NameBinding> {
        let params = &self.scopes.all.get(item as usize)?.type_params;
        let number = params.iter().position(|&param| param == name)?;
        Some(NameBinding::TypeParam(item, number as u32))
    }

    /// Returns the comprehension target of a name.
    fn comprehension_target(&self, name: NameId) -> Option<ComprehensionTarget> {
        let mut comprehension_targets = self.comprehension_targets.iter().rev();
        comprehension_targets
            .find(|target| target.name == name)
            .copied()
    }

    /// Returns the item whose scope has a binding.
    fn scope_of(&self, found: NameBinding, name: NameId) -> u32 {
        match found {
            NameBinding::Slot(_) | NameBinding::Shared(_) => self.item,
            NameBinding::Target(_, comprehension) => comprehension,
            NameBinding::Free(scope) => scope,
            NameBinding::TypeParam(item, _) | NameBinding::ClassCell(item) => item,
            NameBinding::Global if self.scopes.all[0].slots.contains_key(&name) => 0,
            NameBinding::Global => NONE,
        }
    }

    /// Returns the slot of a local whose value tests can narrow.
    pub(super) fn narrow_slot(&mut self, name: NameId) -> Option<u32> {
        if let Some(target) = self.comprehension_target(name) {
            return Some(target.slot);
        }
        match self.find(name) {
            NameBinding::Slot(slot) if self.comprehensions == 0 || !self.is_class() => Some(slot),
            _ => None,
        }
    }

    pub(super) fn is_class(&self) -> bool {
        self.scope().kind == ItemKind::Class
    }

    /// Returns the value of a name, and the scope that binds it.
    pub(super) fn read(&mut self, name: NameId) -> (NodeId, u32) {
        if let Some(declared) = self.declared
            && let Some(NameBinding::TypeParam(item, number)) = self.type_param(declared, name)
        {
            return (self.push(Node::TypeParam { item, number }), item);
        }
        if let Some((alias, params)) = &self.alias
            && params.contains(&name)
        {
            return (0, *alias);
        }
        if !self.in_type
            && let Some(target) = self.comprehension_target(name)
        {
            let value = self.env.values.get(target.slot as usize).copied();
            let value = value.filter(|&value| value != UNBOUND).unwrap_or(0);
            return (value, target.comprehension);
        }
        let mut found = self.find(name);
        if let NameBinding::Slot(slot) = found {
            let value = self.env.values.get(slot as usize).copied();
            let value = value.filter(|&value| value != UNBOUND);
            let kind = self.scope().kind;
            match kind {
                ItemKind::Module if self.in_type || value.is_none() => found = NameBinding::Global,
                ItemKind::Class if self.in_type => {
                    let scope = self.item;
                    return (self.push(Node::Free { scope, name }), scope);
                }
                ItemKind::Class if value.is_none() || self.comprehensions > 0 => {
                    found = self.find_outside(name);
                }
                ItemKind::Function | ItemKind::Lambda if value.is_none() && self.in_type => {
                    found = NameBinding::Free(self.item);
                }
                _ => return (value.unwrap_or(0), self.item),
            }
        }
        if matches!(found, NameBinding::Shared(_)) {
            found = match self.item {
                0 => NameBinding::Global,
                item => NameBinding::Free(item),
            };
        }
        let scope = self.scope_of(found, name);
        let node = match found {
            NameBinding::Global => self.push(Node::Global(name)),
            NameBinding::Free(scope) | NameBinding::Target(Some(scope), _) => {
                self.captured.insert((scope, name));
                self.push(Node::Free { scope, name })
            }
            NameBinding::TypeParam(item, number) => self.push(Node::TypeParam { item, number }),
            NameBinding::ClassCell(class) => self.push(Node::ClassCell(class)),
            NameBinding::Slot(_) | NameBinding::Shared(_) | NameBinding::Target(None, _) => 0,
        };
        (node, scope)
    }

    /// Reads the name at an identifier and records the use.
    pub(super) fn load(&mut self, at: FlatIndex, access: Access) -> NodeId {
        let name = self.name(at);
        let (value, scope) = self.read(name);
        self.record_use(
            self.start(at),
            UseKind::Name {
                scope,
                name,
                access,
                role: self.role,
                value,
            },
        );
        value
    }

    /// Binds the name at an identifier in the scope that it belongs to. `reaches` is the value that
    /// later reads see.
    pub(super) fn bind(&mut self, at: FlatIndex, kind: BindingKind, reaches: NodeId) -> u32 {
        let name = self.name(at);
        let found = self.find(name);
        if let NameBinding::Slot(slot) | NameBinding::Shared(slot) = found {
            self.bind_slot(slot, reaches);
        }
        let scope = match found {
            NameBinding::Free(scope) => scope,
            NameBinding::Global => 0,
            _ => self.item,
        };
        let offset = self.start(at);
        self.file_binding(scope, offset, name, kind, false);
        scope
    }

    /// Adds a binding to the items.
    pub(super) fn file_binding(
        &mut self,
        scope: u32,
        offset: u32,
        name: NameId,
        kind: BindingKind,
        comprehended: bool,
    ) {
        self.bindings.push(PendingBinding {
            scope,
            offset,
            comprehended,
            binding: Binding {
                name,
                kind,
                owner: self.item,
                tok: NONE,
                guard: self.guard,
            },
        });
    }

    /// Binds a name to a value and records the store.
    pub(super) fn store(
        &mut self,
        at: FlatIndex,
        value: NodeId,
        annotation: NodeId,
        access: Access,
    ) {
        let kind = BindingKind::Value { value, annotation };
        let reaches = match (value, annotation) {
            (NONE, NONE) => UNBOUND,
            (NONE, _) => {
                // A bare annotation leaves the value unchanged.
                let name = self.name(at);
                match self.find(name) {
                    NameBinding::Slot(slot)
                        if self
                            .env
                            .values
                            .get(slot as usize)
                            .is_some_and(|&v| v != UNBOUND) =>
                    {
                        self.env.values[slot as usize]
                    }
                    _ => self.push(Node::Type(annotation)),
                }
            }
            (value, NONE) => value,
            (value, _) => {
                let declared = self.push(Node::Type(annotation));
                let list = self.list(&[value, declared]);
                self.push(Node::Union(list))
            }
        };
        let scope = self.bind(at, kind, reaches);
        let name = self.name(at);
        self.record_use(
            self.start(at),
            UseKind::Name {
                scope,
                name,
                access,
                role: TypeRole::None,
                value,
            },
        );
    }

    /// Binds a target of a comprehension.
    pub(super) fn store_comprehension_target(&mut self, at: FlatIndex, value: NodeId) {
        let comprehension = self.comprehension;
        let name = self.name(at);
        let slot = self.env.values.len() as u32;
        self.env.values.push(value);
        self.comprehension_targets.push(ComprehensionTarget {
            name,
            slot,
            comprehension,
        });
        self.record_use(
            self.start(at),
            UseKind::Name {
                scope: comprehension,
                name,
                access: Access::Store,
                role: self.role,
                value,
            },
        );
        if self.scope().is_function() {
            let kind = BindingKind::Value {
                value,
                annotation: NONE,
            };
            let offset = self.start(at);
            self.file_binding(self.item, offset, name, kind, true);
        }
    }

    /// Returns the identifier of an expression that is a name, parenthesised or not.
    pub(super) fn plain_name(&self, at: FlatIndex) -> Option<FlatIndex> {
        let mut at = at;
        loop {
            match self.kind(at) {
                PythonKind::Identifier => return Some(at),
                PythonKind::Paren | PythonKind::Type => at = self.flat.first_expr(at)?,
                _ => return None,
            }
        }
    }
}
