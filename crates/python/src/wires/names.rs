//! What names mean: declarations, members of libraries that are not loaded, captured variables.

use codeweft_db::{DeclaredIn, NameId, SymbolClass, SymbolId, ValueId, WireValue};
use codeweft_python_syntax::{BindingKind, ItemKind, Node, NodeId};

use super::WireWalk;
use crate::classes::member_named;
use crate::infer::Frame;
use crate::uses::targets::{import_symbol, named_target};

impl WireWalk<'_> {
    fn frame(&self) -> Frame<'_> {
        let range = Default::default();
        Frame::new(
            self.db,
            self.file,
            self.items,
            self.item,
            self.code(),
            range,
        )
    }

    /// Returns the value of a name of the module's scope, or of the builtins.
    pub(super) fn global(&mut self, name: NameId) -> ValueId {
        let symbol = named_target(&self.frame(), 0, name, 0);
        if let Some(several) = self.imported_or_bound(name, symbol) {
            return several;
        }
        let builtin = |walk: &Self| named_target(&walk.frame(), u32::MAX - 1, name, 0);
        match symbol.or_else(|| builtin(self)) {
            Some(symbol) => self.symbol(symbol),
            // A name that nothing declares: the builtins themselves may not be loaded.
            None => {
                let name = self.db.shared().names.text(name);
                self.builder.add(WireValue::Absent(name.into()))
            }
        }
    }

    /// Returns the value of a name of the module that an import binds and something else too: any of them.
    ///
    /// ```python
    /// try:
    ///     from fastapi import FastAPI
    /// except ImportError:
    ///     FastAPI = None
    /// ```
    fn imported_or_bound(&mut self, name: NameId, symbol: Option<SymbolId>) -> Option<ValueId> {
        let module = self.items.items.first()?;
        let bindings = self.items.bindings.get(module.bindings.iter())?;
        let named = bindings.iter().filter(|binding| binding.name == name);
        let mut imports = Vec::new();
        let mut count = 0;
        for binding in named {
            count += 1;
            if let BindingKind::Import { import, which } = binding.kind {
                imports.push((import, which));
            }
        }
        if count < 2 || imports.is_empty() {
            return None;
        }
        let mut values = Vec::new();
        for (import, which) in imports {
            values.push(self.import(import, which));
        }
        values.extend(symbol.map(|symbol| self.symbol(symbol)));
        values.retain(|value| *value != 0);
        Some(self.builder.add(WireValue::Any(values.into())))
    }

    /// Returns the declaration that a name of a scope means, for stores.
    pub(super) fn stored_name(&self, scope: u32, name: NameId) -> Option<SymbolId> {
        let kind = self.items.items.get(scope as usize)?.kind;
        let is_seen = matches!(kind, ItemKind::Module | ItemKind::Class);
        let symbol = named_target(&self.frame(), scope, name, 0);
        symbol.filter(|_| is_seen)
    }

    pub(super) fn import(&mut self, import: u32, which: u32) -> ValueId {
        let symbol = import_symbol(&self.frame(), import, which);
        symbol.map_or(0, |symbol| self.symbol(symbol))
    }

    /// Returns the value of a declaration, loaded or not.
    pub(super) fn symbol(&mut self, symbol: SymbolId) -> ValueId {
        let value = match self.absent_path(symbol) {
            Some(path) => WireValue::Absent(path.into()),
            None => WireValue::Declared(symbol),
        };
        self.builder.add(value)
    }

    /// Returns the dotted path of a declaration that is not loaded.
    fn absent_path(&self, symbol: SymbolId) -> Option<String> {
        let shared = self.db.shared();
        let key = shared.symbols.key(symbol);
        let DeclaredIn::Absent(path) = key.declared_in else {
            return None;
        };
        let name = shared.names.text(key.name);
        match (key.class, key.parent) {
            (SymbolClass::Package, _) => Some(shared.names.text(path).to_owned()),
            (_, Some(parent)) => Some(format!("{}.{name}", self.absent_path(parent)?)),
            (_, None) => Some(format!("{}.{name}", shared.names.text(path))),
        }
    }

    /// Returns the value of an attribute of a value.
    pub(super) fn attribute(&mut self, base: ValueId, name: NameId, node: NodeId) -> ValueId {
        let declared = match self.builder.values.get(base as usize) {
            Some(WireValue::Absent(path)) => {
                let name = self.db.shared().names.text(name);
                let path = format!("{path}.{name}");
                return self.builder.add(WireValue::Absent(path.into()));
            }
            Some(&WireValue::Declared(symbol)) => match self.class(symbol) {
                SymbolClass::Package | SymbolClass::Type => member_named(self.db, symbol, name)
                    .map(|member| (member, self.class(symbol) == SymbolClass::Package)),
                _ => None,
            },
            _ => None,
        };
        match declared {
            Some((member, true)) => self.symbol(member),
            Some((member, false)) => self.builder.add(WireValue::Member {
                base,
                name,
                symbol: Some(member),
            }),
            None => {
                let symbol = self.known_at(node);
                self.builder.add(WireValue::Member { base, name, symbol })
            }
        }
    }

    /// Returns the only declaration that the uses of the file know for the token of a node.
    pub(super) fn known_at(&self, node: NodeId) -> Option<SymbolId> {
        if self.in_items {
            return None;
        }
        let tok = self.tokens.get(&node)?;
        *self.known.get(&(self.item, *tok))?
    }

    /// Returns the value of a variable of an enclosing function: whatever that binds it to.
    pub(super) fn free(&mut self, scope: u32, name: NameId) -> ValueId {
        if let Some(&value) = self.captured.get(&(scope, name)) {
            return value;
        }
        let local = self.builder.add_local(Vec::new());
        let value = self.builder.add(WireValue::Local(local));
        self.captured.insert((scope, name), value);
        let mut values = Vec::new();
        let item = self.items.items.get(scope as usize);
        let params = item.and_then(|item| self.items.params.get(item.params.iter()));
        for (number, param) in (0..).zip(params.unwrap_or(&[])) {
            if param.name == name {
                values.push(self.parameter(scope, number));
            }
        }
        for (item, node) in self.bound.get(&(scope, name)).cloned().unwrap_or_default() {
            let before = (self.in_items, self.item);
            (self.in_items, self.item) = (false, item);
            values.push(self.node(node));
            (self.in_items, self.item) = before;
        }
        let own = self.items.items.iter().zip(0..);
        let own = own.filter(|(item, _)| item.parent == scope && item.name == name);
        let own: Vec<u32> = own.map(|(_, number)| number).collect();
        for number in own {
            values.push(self.item_value(number));
        }
        values.retain(|value| *value != 0);
        if let Some(local) = self.builder.locals.get_mut(local as usize) {
            *local = values;
        }
        value
    }

    /// Returns the value of a function, class or lambda of this file.
    pub(super) fn item_value(&mut self, number: u32) -> ValueId {
        let Some(item) = self.items.items.get(number as usize) else {
            return 0;
        };
        let value = match item.kind {
            ItemKind::Lambda => WireValue::Function(number),
            _ => match self.symbols.get(number as usize) {
                Some(&symbol) => WireValue::Declared(symbol),
                None => WireValue::Unknown,
            },
        };
        self.builder.add(value)
    }

    /// Returns the node by its number.
    pub(super) fn kind(&self, node: NodeId) -> Node {
        let nodes = &self.code().nodes;
        nodes.get(node as usize).copied().unwrap_or(Node::Opaque)
    }
}
