//! The walk over the uses of a body: its calls, decorators, stores and results.

use codeweft_db::{FormatStyle, ValueId, WireArgument, WireCall, WireValue};
use codeweft_python_syntax::{Access, NONE, Node, NodeId, UseKind, is_comprehension};

use super::WireWalk;

/// The most elements of a list that calls give it.
const MAX_ELEMENTS: usize = 256;

/// The nesting to which values are compared.
const MAX_DEPTH: u32 = 8;

impl WireWalk<'_> {
    /// Adds what the body of an item says.
    pub(super) fn body(&mut self, item: u32) {
        (self.in_items, self.item) = (false, item);
        for one in self.uses_of(item) {
            match one.kind {
                UseKind::Call(node) => {
                    self.node(node);
                }
                UseKind::Name {
                    scope,
                    name,
                    access: Access::Store,
                    value,
                    ..
                } if value != NONE && !is_comprehension(scope) => {
                    let value = self.node(value);
                    let symbol = self.stored_name(scope, name).filter(|_| value != 0);
                    if let Some(symbol) = symbol {
                        let target = self.builder.add(WireValue::Declared(symbol));
                        self.builder.writes.push((target, value));
                    }
                }
                UseKind::Attr {
                    base,
                    name,
                    access: Access::Store,
                    value,
                    ..
                } if value != NONE => {
                    let (base, value) = (self.node(base), self.node(value));
                    if value != 0 {
                        let symbol = self.known.get(&(item, one.tok)).copied().flatten();
                        let member = WireValue::Member { base, name, symbol };
                        let target = self.builder.add(member);
                        self.builder.writes.push((target, value));
                    }
                }
                UseKind::Decorate { item, which, .. } => self.decorated(item, which, one.tok),
                _ => {}
            }
        }
        // What a subscript is assigned has no use of its own.
        let nodes = self.bodies.bodies.get(item as usize);
        for node in nodes.map_or(0..0, |body| body.nodes.iter()) {
            if let Node::Dict(_) = self.kind(node as NodeId) {
                self.node(node as NodeId);
            }
        }
        let results = self.items.items.get(item as usize);
        for &result in results.map_or(&[][..], |item| &item.results) {
            let value = self.in_header(item, |walk| walk.node(result));
            self.builder.add_return(item, vec![value]);
        }
    }

    /// Returns the value of a call, and adds it. Calls of `str.format` are texts.
    pub(super) fn call(&mut self, node: NodeId, number: u32) -> ValueId {
        let code = self.code();
        let Some(call) = code.calls.get(number as usize) else {
            return 0;
        };
        let mut arguments = Vec::new();
        for &argument in code.list(call.positional) {
            let (inner, is_spread) = match self.kind(argument) {
                Node::Star(inner) => (inner, true),
                _ => (argument, false),
            };
            arguments.push(WireArgument {
                name: None,
                value: self.node(inner),
                is_spread,
            });
        }
        let names = &self.db.shared().names;
        for &(name, value) in &call.keywords {
            let value = self.node(value);
            // `**mapping` gives no name.
            if !names.text(name).is_empty() {
                arguments.push(WireArgument {
                    name: Some(name),
                    value,
                    is_spread: false,
                });
            }
        }
        if let Node::Attr { base, name } = self.kind(call.callee)
            && names.text(name) == "format"
            && let base = self.node(base)
            && matches!(
                self.builder.values.get(base as usize),
                Some(WireValue::Text(_) | WireValue::Concat(_))
            )
        {
            return self.builder.add(WireValue::Format {
                template: base,
                arguments: arguments.into(),
                style: FormatStyle::Braces,
            });
        }
        let callee = self.callee(node, call.callee);
        self.add_element(callee, &arguments);
        if self.in_items {
            return self.of_header(callee, &arguments);
        }
        let occ = self.tokens.get(&node).copied().unwrap_or(0);
        self.builder.calls.push(WireCall {
            function: self.item,
            callee,
            arguments: arguments.into(),
            decorates: None,
            branch: 0,
            body: self.item,
            occ,
        });
        let call = self.builder.calls.len() as u32 - 1;
        self.builder.add(WireValue::Result { call, number: 0 })
    }

    /// Adds the element that a call of `append` or `add` gives a list or set that the function writes out (Python library,
    /// Mutable Sequence Types).
    fn add_element(&mut self, callee: ValueId, arguments: &[WireArgument]) {
        let (Some(&WireValue::Member { base, name, .. }), [element]) =
            (self.builder.values.get(callee as usize), arguments)
        else {
            return;
        };
        let name = self.db.shared().names.text(name);
        if !matches!(name, "append" | "add") || element.name.is_some() || element.value == 0 {
            return;
        }
        let mut lists = vec![base];
        if let Some(&WireValue::Local(local)) = self.builder.values.get(base as usize) {
            let values = self.builder.locals.get(local as usize);
            lists.extend(values.into_iter().flatten());
        }
        for list in lists {
            if let Some(WireValue::List(elements)) = self.builder.values.get_mut(list as usize)
                && elements.len() < MAX_ELEMENTS
            {
                *elements = elements.iter().copied().chain([element.value]).collect();
            }
        }
    }

    /// Returns the callee of a call: the token of the call is that of the callee's last name.
    fn callee(&mut self, call: NodeId, callee: NodeId) -> ValueId {
        if !self.in_items
            && let Some(&tok) = self.tokens.get(&call)
        {
            self.tokens.entry(callee).or_insert(tok);
        }
        self.node(callee)
    }

    /// Returns the value of a call in a header or result: that of the equal call in the body, which is added there.
    fn of_header(&mut self, callee: ValueId, arguments: &[WireArgument]) -> ValueId {
        let item = self.item;
        let same = self.builder.calls.iter().position(|call| {
            call.function == item
                && self.is_same(call.callee, callee, MAX_DEPTH)
                && call.arguments.len() == arguments.len()
                && call.arguments.iter().zip(arguments).all(|(one, other)| {
                    one.name == other.name
                        && (other.value == 0 || self.is_same(one.value, other.value, MAX_DEPTH))
                })
        });
        match same {
            Some(call) => self.builder.add(WireValue::Result {
                call: call as u32,
                number: 0,
            }),
            None => 0,
        }
    }

    /// Returns whether two values are written alike.
    fn is_same(&self, one: ValueId, other: ValueId, depth: u32) -> bool {
        if one == other {
            return true;
        }
        let value = |id: ValueId| self.builder.values.get(id as usize);
        let Some(left) = depth.checked_sub(1) else {
            return false;
        };
        let all = |one: &[ValueId], other: &[ValueId]| {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(&one, &other)| self.is_same(one, other, left))
        };
        match (value(one), value(other)) {
            (
                Some(&WireValue::Member { base, name, .. }),
                Some(&WireValue::Member {
                    base: other_base,
                    name: other_name,
                    ..
                }),
            ) => name == other_name && self.is_same(base, other_base, left),
            (Some(WireValue::Concat(one)), Some(WireValue::Concat(other)))
            | (Some(WireValue::List(one)), Some(WireValue::List(other))) => all(one, other),
            (Some(WireValue::Pairs(one)), Some(WireValue::Pairs(other))) => {
                // What one of them does not know says nothing: a header has no strings that are read from the text.
                let alike = |one, other| one == 0 || other == 0 || self.is_same(one, other, left);
                let mut pairs = one.iter().zip(other);
                one.len() == other.len()
                    && pairs.all(|(one, other)| alike(one.0, other.0) && alike(one.1, other.1))
            }
            (Some(WireValue::Element(one)), Some(WireValue::Element(other))) => {
                all(&[*one], &[*other])
            }
            (Some(WireValue::Index(one, key)), Some(WireValue::Index(other, other_key))) => {
                all(&[*one, *key], &[*other, *other_key])
            }
            (one, other) => one == other,
        }
    }

    /// Adds the application of a decorator: as its call, or as a call without arguments.
    fn decorated(&mut self, item: u32, which: u32, tok: u32) {
        let Some(&symbol) = self.symbols.get(item as usize) else {
            return;
        };
        let declared = self.items.items.get(item as usize);
        let Some(&decorator) = declared.and_then(|item| item.decorators.get(which as usize)) else {
            return;
        };
        let code = &self.items.code;
        let body = self.item;
        let Some(&Node::Call(number)) = code.nodes.get(decorator as usize) else {
            let mut callee = self.in_header(body, |walk| walk.node(decorator));
            if let Some(WireValue::Member { symbol, .. }) =
                self.builder.values.get_mut(callee as usize)
            {
                *symbol = symbol.or(self.known.get(&(body, tok)).copied().flatten());
            }
            if callee == 0 {
                callee = match self.known.get(&(body, tok)).copied().flatten() {
                    Some(symbol) => self.symbol(symbol),
                    None => return,
                };
            }
            self.builder.calls.push(WireCall {
                function: body,
                callee,
                arguments: Box::default(),
                decorates: Some(symbol),
                branch: 0,
                body,
                occ: tok,
            });
            return;
        };
        // The call itself is evaluated in this body: the first behind the `@` with the decorator's callee.
        let wanted = code.calls.get(number as usize);
        let Some(wanted) = wanted else {
            return;
        };
        let last = |code: &codeweft_python_syntax::Code, callee: NodeId| match code
            .nodes
            .get(callee as usize)
        {
            Some(&Node::Attr { name, .. } | &Node::Global(name)) => Some(name),
            _ => None,
        };
        let name = last(code, wanted.callee);
        let bodies = &self.bodies.code;
        let found = self.uses_of(body).iter().find_map(|one| match one.kind {
            UseKind::Call(node) if one.tok > tok => {
                let Some(&Node::Call(number)) = bodies.nodes.get(node as usize) else {
                    return None;
                };
                let call = bodies.calls.get(number as usize)?;
                let is_same = last(bodies, call.callee) == name
                    && bodies.list(call.positional).len() == code.list(wanted.positional).len()
                    && call.keywords.len() == wanted.keywords.len();
                is_same.then_some(node)
            }
            _ => None,
        });
        if let Some(node) = found
            && let value = self.node(node)
            && let Some(&WireValue::Result { call, .. }) = self.builder.values.get(value as usize)
            && let Some(call) = self.builder.calls.get_mut(call as usize)
        {
            call.decorates = Some(symbol);
        }
    }
}
