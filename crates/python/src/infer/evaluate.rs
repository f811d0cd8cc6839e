//! Evaluation of the nodes of a [`Frame`].
//!
//! The nodes of an item are in SSA form and in evaluation order, so one pass in order of number
//! computes each node after its operands. Only a `Phi` of a loop refers forward:
//!
//! ```text
//! n1 = Constant(None)              x = None
//! n2 = Phi(n1, n4)                 while cond(x):
//! n3 = Global(next)                    x = next(x)
//! n4 = Call(n3, [n2])              # operand n4 of n2 comes later: has_loop
//! ```
//!
//! With a loop the passes are repeated, joining each node's values with those of the last pass,
//! until nothing changes or [`MAX_PASSES`] is reached; then the phis become unknown.
//!
//! All recursion of the inference goes through [`Frame::evaluate`]: it calls the rules of names,
//! attributes, calls and operators, which call queries, which evaluate frames of other items. The
//! rules name [`Frame`] only, so this file depends on them and none of them on this file.

use codeweft_db::NameId;
use codeweft_python_syntax::{Constant, NONE, Node, NodeId, UnaryOp};
use rustc_hash::FxHashSet;

use super::final_results::binding_values;
use super::frame::{Frame, value_of_none};
use super::imports::import_values;
use super::memo::cached;
use super::names::{builtin_values, item_value};
use super::special_forms::special_form;
use super::{attributes, calls, functions, operators, typing};
use crate::values::{Shape, Values, shape};

/// The maximum number of passes over a scope with loops.
const MAX_PASSES: usize = 6;

/// The maximum number of elements of a tuple whose elements are distinguished; longer ones are
/// joined.
const MAX_ELEMENTS: usize = 8;

impl<'a> Frame<'a> {
    /// Evaluates `roots` and everything that they depend on.
    pub(crate) fn evaluate(mut self, roots: &[NodeId]) -> Frame<'a> {
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut pending: Vec<NodeId> = roots.to_vec();
        let mut has_loop = false;
        while let Some(node) = pending.pop() {
            let is_own = (self.range.start..self.range.end).contains(&node) && node != 0;
            if !is_own || !seen.insert(node) {
                continue;
            }
            self.code.each_operand(node, |operand| {
                has_loop |= operand >= node && operand != NONE;
                pending.push(operand);
            });
        }
        self.kept = seen.into_iter().collect();
        self.kept.sort_unstable();
        self.values = vec![Values::none(); self.kept.len()];
        if !self.kept.is_empty() {
            self.run(has_loop);
        }
        self
    }

    /// Evaluates all nodes of the range.
    pub(crate) fn evaluate_all(mut self) -> Frame<'a> {
        let mut has_loop = false;
        for node in self.range.start..self.range.end {
            if let Node::Phi(list) = self.kind(node) {
                has_loop |= self.code.list(list).iter().any(|&operand| operand >= node);
            }
        }
        let count = self.range.end.saturating_sub(self.range.start);
        self.values = vec![Values::none(); count as usize];
        self.run(has_loop);
        self
    }

    fn run(&mut self, has_loop: bool) {
        let node_at = |frame: &Self, at: usize| {
            if frame.is_whole() {
                frame.range.start + at as u32
            } else {
                frame.kept[at]
            }
        };
        for _ in 0..MAX_PASSES {
            let mut changed = false;
            for at in 0..self.values.len() {
                let mut found = self.compute(node_at(self, at));
                if has_loop {
                    found.join(&self.values[at]);
                    if found == self.values[at] {
                        continue;
                    }
                    changed = true;
                }
                self.values[at] = found;
            }
            if !changed {
                return;
            }
        }
        // Still growing after the last pass: the loop variables become unknown.
        for at in 0..self.values.len() {
            if matches!(self.kind(node_at(self, at)), Node::Phi(_)) {
                self.values[at].add_unknown();
            }
        }
    }

    fn compute(&self, node: NodeId) -> Values {
        let db = self.db;
        match self.kind(node) {
            Node::Opaque | Node::Sent => Values::unknown(),
            Node::Constant(constant) => self.constant(constant),
            Node::Str(text) => Values::of(db, Shape::Str(text)),
            Node::Global(name) => self.global(name),
            Node::Free { scope, name } => match self.symbols.get(scope as usize) {
                Some(&scope) => binding_values(db, scope, name).unwrap_or_else(Values::unknown),
                None => Values::unknown(),
            },
            Node::TypeParam { item, number } => self.type_param(item, number),
            Node::Param(number) => match self.symbol() {
                Some(function) => functions::parameter(db, function, number),
                None => Values::unknown(),
            },
            Node::Item(item) => self.declared(item, false),
            Node::Decorated(item) => self.declared(item, true),
            Node::Import { import, which } => {
                cached(self.memo.map(|memo| &memo.imports), (import, which), || {
                    import_values(db, self.file, import, which)
                })
            }
            Node::Attr { base, name } => attributes::attribute_values(self, self.node(base), name),
            Node::Call(call) => match self.code.calls.get(call as usize) {
                Some(call) => calls::result(self, call),
                None => Values::unknown(),
            },
            Node::Subscript { base, index } => {
                operators::subscript(self, self.node(base), self.node(index))
            }
            Node::Slice => self.object("slice"),
            Node::Await(value) => operators::await_values(self, self.node(value)),
            Node::YieldFrom(_) => Values::unknown(),
            Node::Iter(value) | Node::UnpackRest(value) if self.is_rest(node) => {
                let element = operators::element(self, self.node(value));
                self.container("list", vec![element])
            }
            Node::Iter(value) | Node::UnpackRest(value) => {
                operators::element(self, self.node(value))
            }
            Node::AsyncIter(value) => operators::async_element(self, self.node(value)),
            Node::Enter(value) => operators::with_values(self, self.node(value), false),
            Node::AsyncEnter(value) => operators::with_values(self, self.node(value), true),
            Node::Unpack { base, at } => operators::unpacked_element(self, self.node(base), at),
            Node::Binary { op, left, right } => {
                operators::binary(self, op, self.node(left), self.node(right))
            }
            Node::Unary {
                op: UnaryOp::Not, ..
            }
            | Node::Compare { .. } => self.object("bool"),
            Node::Unary { op, value } => operators::unary(self, op, self.node(value)),
            Node::Tuple(list) => self.tuple(self.code.list(list)),
            Node::List(list) => self.container("list", vec![self.elements(self.code.list(list))]),
            Node::Set(list) => self.container("set", vec![self.elements(self.code.list(list))]),
            Node::Dict(list) => self.dict(self.code.list(list)),
            Node::Generator(element) => {
                Values::of(db, Shape::Generator(self.node(element).clone().loosened()))
            }
            Node::Star(value) => operators::element(self, self.node(value)),
            Node::Format(_) => self.object("str"),
            Node::Union(list) | Node::Phi(list) => {
                let mut found = Values::none();
                for &operand in self.code.list(list) {
                    found.join(self.node(operand));
                }
                found
            }
            Node::Narrow {
                value,
                class,
                holds,
            } => self.narrow(self.node(value), self.node(class), holds),
            Node::NotNone { value, holds } => {
                let mut found = self.node(value).clone();
                let none = value_of_none(db);
                // A falsy value may also be any other empty object, so only the true branch
                // excludes `None`.
                found.retain(|one| !holds || one != none);
                found
            }
            Node::Caught(class) => typing::objects(db, &self.expand_tuples(self.node(class))),
            Node::Type(ty) => typing::objects(db, self.node(ty)),
            Node::ClassCell(item) => self.item_value(item, false),
            Node::MatchPosition { .. } => Values::unknown(),
        }
    }

    /// Returns the value of a class, function or lambda of this file. Classes that `typing`
    /// declares for its special forms are the forms in its own text, too.
    fn declared(&self, item: u32, with_decorators: bool) -> Values {
        let form = || {
            let module = *self.symbols.first()?;
            let declared = self.items.items.get(item as usize)?;
            match declared.parent {
                0 => special_form(self.db, module, declared.name),
                _ => None,
            }
        };
        form().unwrap_or_else(|| self.item_value(item, with_decorators))
    }

    fn item_value(&self, item: u32, with_decorators: bool) -> Values {
        let declared = self.items.items.get(item as usize);
        match declared.zip(self.symbols.get(item as usize)) {
            Some((declared, &symbol)) => item_value(self.db, declared, symbol, with_decorators),
            None => Values::unknown(),
        }
    }

    fn is_rest(&self, node: NodeId) -> bool {
        matches!(self.kind(node), Node::UnpackRest(_))
    }

    /// Returns the values of a name of the module, else of the builtins (Python reference,
    /// "Resolution of names").
    fn global(&self, name: NameId) -> Values {
        let Some(&module) = self.symbols.first() else {
            return Values::unknown();
        };
        cached(self.memo.map(|memo| &memo.globals), name, || {
            let found = binding_values(self.db, module, name);
            let found = found.or_else(|| builtin_values(self.db, self.unit?, name));
            found.unwrap_or_else(Values::unknown)
        })
    }

    fn type_param(&self, item: u32, number: u32) -> Values {
        let declared = self.items.items.get(item as usize);
        match declared.and_then(|item| item.type_params.get(number as usize)) {
            Some(&(name, _)) => Values::of(
                self.db,
                Shape::TypeVar {
                    name,
                    bound: Values::none(),
                },
            ),
            None => Values::unknown(),
        }
    }

    fn constant(&self, constant: Constant) -> Values {
        match constant {
            Constant::None => Values::one(value_of_none(self.db)),
            Constant::Bool => self.object("bool"),
            Constant::Int => self.object("int"),
            Constant::Float => self.object("float"),
            Constant::Complex => self.object("complex"),
            Constant::Str => self.object("str"),
            Constant::Bytes => self.object("bytes"),
            Constant::Ellipsis => self.object("ellipsis"),
        }
    }

    /// Joins the elements of a display, and unknown: later stores into containers are not followed.
    fn elements(&self, list: &[NodeId]) -> Values {
        let mut found = Values::unknown();
        for &node in list {
            found.join(self.node(node));
        }
        found.loosened()
    }

    fn tuple(&self, list: &[NodeId]) -> Values {
        let starred = list
            .iter()
            .any(|&node| matches!(self.kind(node), Node::Star(_)));
        if list.len() > MAX_ELEMENTS || starred {
            let mut element = Values::none();
            list.iter().for_each(|&node| element.join(self.node(node)));
            return self.container("tuple", vec![element.loosened()]);
        }
        let parts = list.iter().map(|&node| self.node(node).clone()).collect();
        Values::of(self.db, Shape::Tuple(parts))
    }

    fn dict(&self, list: &[NodeId]) -> Values {
        // Later stores into the dict are not followed.
        let (mut keys, mut values) = (Values::unknown(), Values::unknown());
        for pair in list.chunks(2) {
            match (self.kind(pair[0]), pair.get(1)) {
                (Node::Star(_), _) => {
                    keys.add_unknown();
                    values.add_unknown();
                }
                (_, Some(&of)) => {
                    keys.join(self.node(pair[0]));
                    values.join(self.node(of));
                }
                (_, None) => {}
            }
        }
        // Constant keys are not distinguished from other strings.
        let strings = keys
            .iter()
            .any(|one| matches!(shape(self.db, one), Shape::Str(_)));
        if strings {
            keys.retain(|one| !matches!(shape(self.db, one), Shape::Str(_)));
            keys.join(&self.object("str"));
        }
        self.container("dict", vec![keys.loosened(), values.loosened()])
    }
}
