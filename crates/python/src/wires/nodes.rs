//! The values of nodes.

use codeweft_db::{FormatStyle, ValueId, WireArgument, WireValue};
use codeweft_python_syntax::texts::{TextPart, parts_at};
use codeweft_python_syntax::{BinaryKind, Constant, ListId, NONE, Node, NodeId};

use super::WireWalk;

impl WireWalk<'_> {
    /// Returns the value of a node of the item that is walked.
    pub(super) fn node(&mut self, node: NodeId) -> ValueId {
        if node == 0 || node == NONE {
            return 0;
        }
        let memo = if self.in_items {
            &self.of_items
        } else {
            &self.of_bodies
        };
        if let Some(&known) = memo.get(&node) {
            return known;
        }
        // A value that contains itself is what the other paths give.
        self.memoize(node, 0);
        let kind = self.kind(node);
        if let Node::Phi(_) = kind {
            let local = self.builder.add_local(Vec::new());
            let value = self.builder.add(WireValue::Local(local));
            self.memoize(node, value);
            if let Node::Phi(list) = kind {
                let values = self.list(list);
                if let Some(local) = self.builder.locals.get_mut(local as usize) {
                    *local = values.into_iter().filter(|value| *value != 0).collect();
                }
            }
            return value;
        }
        let value = self.value(node, kind);
        self.memoize(node, value);
        value
    }

    fn memoize(&mut self, node: NodeId, value: ValueId) {
        if self.in_items {
            self.of_items.insert(node, value);
        } else {
            self.of_bodies.insert(node, value);
        }
    }

    fn list(&mut self, list: ListId) -> Vec<ValueId> {
        let code = self.code();
        let nodes = code.list(list).iter();
        nodes.map(|&node| self.node(node)).collect()
    }

    fn value(&mut self, node: NodeId, kind: Node) -> ValueId {
        match kind {
            Node::Str(text) => self.builder.add_text(self.db.shared().names.text(text)),
            Node::Constant(Constant::Str) => self.text(node, &[]),
            Node::Format(list) => {
                let parts = self.list(list);
                self.text(node, &parts)
            }
            Node::Global(name) => self.global(name),
            Node::Free { scope, name } => self.free(scope, name),
            Node::Param(number) => self.parameter(self.item, number),
            Node::Item(item) | Node::Decorated(item) => self.item_value(item),
            Node::Import { import, which } => self.import(import, which),
            Node::Attr { base, name } => {
                let base = self.node(base);
                self.attribute(base, name, node)
            }
            Node::Call(number) => self.call(node, number),
            Node::Subscript { base, index } => {
                let (base, key) = (self.node(base), self.node(index));
                match base {
                    0 => 0,
                    base => self.builder.add(WireValue::Index(base, key)),
                }
            }
            Node::Iter(of) | Node::AsyncIter(of) => match self.node(of) {
                0 => 0,
                of => self.builder.add(WireValue::Element(of)),
            },
            Node::Unpack { base, at } => match self.node(base) {
                0 => 0,
                base => self.builder.add(WireValue::At(base, at)),
            },
            Node::Await(of)
            | Node::Enter(of)
            | Node::AsyncEnter(of)
            | Node::Type(of)
            | Node::Narrow { value: of, .. }
            | Node::NotNone { value: of, .. } => self.node(of),
            Node::Binary { op, left, right } => {
                let (left, right) = (self.node(left), self.node(right));
                match op.kind {
                    BinaryKind::Add => self.builder.add(WireValue::Concat([left, right].into())),
                    BinaryKind::Mod if left != 0 => self.percent(left, right),
                    _ => 0,
                }
            }
            Node::Union(list) => {
                let mut values = self.list(list);
                values.retain(|value| *value != 0);
                self.builder.add(WireValue::Any(values.into()))
            }
            Node::Tuple(list) | Node::List(list) | Node::Set(list) => {
                let values = self.list(list);
                self.builder.add(WireValue::List(values.into()))
            }
            Node::Dict(list) => {
                let values = self.list(list);
                let pairs = values.chunks_exact(2);
                let pairs = pairs.filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
                let pairs = pairs.collect();
                self.builder.add(WireValue::Pairs(pairs))
            }
            Node::Generator(element) => {
                let element = self.node(element);
                self.builder.add(WireValue::List([element].into()))
            }
            Node::Star(of) => match self.node(of) {
                0 => 0,
                of => self.builder.add(WireValue::Element(of)),
            },
            Node::ClassCell(class) => self.item_value(class),
            Node::Unary { value, .. } => {
                self.node(value);
                0
            }
            Node::Compare { left, right, .. } => {
                self.node(left);
                self.node(right);
                0
            }
            _ => 0,
        }
    }

    /// Returns the value of a string that is read from the text, filled with the parts of its node.
    fn text(&mut self, node: NodeId, parts: &[ValueId]) -> ValueId {
        let toks = self.texts.get(&node).cloned().unwrap_or_default();
        if self.in_items || toks.is_empty() {
            return 0;
        }
        let first = self.bodies.bodies.get(self.item as usize);
        let first = first.map_or(0, |body| body.first_tok);
        let mut values = Vec::new();
        let mut parts = parts.iter().copied();
        for tok in toks {
            let offset = self.ranges.body_tokens.get((first + tok) as usize);
            let Some(read) = offset.and_then(|&offset| parts_at(self.text, offset)) else {
                return 0;
            };
            for part in read {
                match part {
                    TextPart::Literal(text) => values.push(self.builder.add_text(&text)),
                    TextPart::Value => values.push(parts.next().unwrap_or(0)),
                    TextPart::Width => {
                        parts.next();
                    }
                }
            }
        }
        match values[..] {
            [] => self.builder.add_text(""),
            [only] if only != 0 => only,
            _ => self.builder.add(WireValue::Concat(values.into())),
        }
    }

    /// Returns the value of `template % arguments` (Python library, printf-style String Formatting).
    fn percent(&mut self, template: ValueId, arguments: ValueId) -> ValueId {
        let positional = |value: ValueId| WireArgument {
            name: None,
            value,
            is_spread: false,
        };
        let arguments = match self.builder.values.get(arguments as usize) {
            Some(WireValue::List(values)) => {
                values.iter().map(|&value| positional(value)).collect()
            }
            Some(WireValue::Pairs(_)) => return 0,
            _ => [positional(arguments)].into(),
        };
        self.builder.add(WireValue::Format {
            template,
            arguments,
            style: FormatStyle::Percent,
        })
    }
}
