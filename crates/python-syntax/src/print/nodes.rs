//! Prints nodes.

use std::fmt::Write;

use super::{MAX_DEPTH, PythonPrinter};
use crate::ir::*;

impl PythonPrinter<'_> {
    /// Prints the number of a node with operands; `%0` is an error, an operand of another body.
    pub(super) fn number(&mut self, node: NodeId) {
        if let Some((first, numbers)) = &self.numbered {
            let at = node.checked_sub(*first).map(|at| at as usize);
            let number = at.and_then(|at| numbers.get(at)).copied().unwrap_or(0);
            let _ = write!(self.out, "%{number}");
        }
    }

    pub(super) fn node(&mut self, node: NodeId) {
        let code = self.code;
        if node == NONE || node as usize >= code.nodes.len() {
            return self.word("!");
        }
        if self.leaf(code.nodes[node as usize]) {
            return;
        }
        if self.numbered.is_some() {
            return self.number(node);
        }
        if self.left == 0 || self.depth == MAX_DEPTH || self.enclosing_phis.contains(&node) {
            return self.word("…");
        }
        self.left -= 1;
        self.depth += 1;
        self.compound(node);
        self.depth -= 1;
    }

    /// Prints a node without operands; returns `false` for any other.
    fn leaf(&mut self, node: Node) -> bool {
        let out = &mut *self.out;
        let names = self.names;
        let _ = match node {
            Node::Opaque => write!(out, "?"),
            Node::Constant(constant) => match constant {
                Constant::None => write!(out, "None"),
                Constant::Ellipsis => write!(out, "..."),
                Constant::Str => write!(out, "string"),
                other => write!(out, "{}", format!("{other:?}").to_lowercase()),
            },
            Node::Str(text) => write!(out, "{:?}", names.text(text)),
            Node::Global(name) => write!(out, "{}", names.text(name)),
            Node::Free { scope, name } => write!(out, "free.{scope}.{}", names.text(name)),
            Node::TypeParam { item, number } => write!(out, "typeparam.{item}.{number}"),
            Node::Param(number) => write!(out, "param.{number}"),
            Node::Item(item) => write!(out, "item.{item}"),
            Node::Decorated(item) => write!(out, "decorated.{item}"),
            Node::Import { import, which } => write!(out, "import.{import}.{which}"),
            Node::Slice => write!(out, "slice"),
            Node::Sent => write!(out, "sent"),
            Node::ClassCell(class) => write!(out, "cell.{class}"),
            Node::Tuple(list) if self.code.list(list).is_empty() => write!(out, "(tuple)"),
            Node::List(list) if self.code.list(list).is_empty() => write!(out, "(list)"),
            Node::Set(list) if self.code.list(list).is_empty() => write!(out, "(set)"),
            Node::Dict(list) if self.code.list(list).is_empty() => write!(out, "(dict)"),
            Node::Format(list) if self.code.list(list).is_empty() => write!(out, "(format)"),
            Node::Union(list) if self.code.list(list).is_empty() => write!(out, "(any)"),
            Node::Phi(list) if self.code.list(list).is_empty() => write!(out, "(phi)"),
            _ => return false,
        };
        true
    }

    fn parts(&mut self, head: &str, parts: &[NodeId]) {
        self.word("(");
        self.word(head);
        for &part in parts {
            self.word(" ");
            self.node(part);
        }
        self.word(")");
    }

    /// Prints a node with operands.
    pub(super) fn compound(&mut self, id: NodeId) {
        let code = self.code;
        let list = |list| code.list(list);
        let Some(&node) = code.nodes.get(id as usize) else {
            return;
        };
        match node {
            Node::Attr { base, name } => {
                self.word("(. ");
                self.node(base);
                self.word(" ");
                self.name(name);
                self.word(")");
            }
            Node::Call(call) => self.call(call),
            Node::Subscript { base, index } => self.parts("[]", &[base, index]),
            Node::Await(value) => self.parts("await", &[value]),
            Node::YieldFrom(value) => self.parts("yield-from", &[value]),
            Node::Iter(value) => self.parts("iter", &[value]),
            Node::AsyncIter(value) => self.parts("async-iter", &[value]),
            Node::Enter(value) => self.parts("enter", &[value]),
            Node::AsyncEnter(value) => self.parts("async-enter", &[value]),
            Node::Unpack { base, at } => self.parts(&format!("unpack {at}"), &[base]),
            Node::UnpackRest(base) => self.parts("rest", &[base]),
            Node::Binary { op, left, right } => {
                let equals = if op.augmented { "=" } else { "" };
                self.parts(&[binary_word(op.kind), equals].concat(), &[left, right]);
            }
            Node::Unary { op, value } => self.parts(unary_word(op), &[value]),
            Node::Compare { op, left, right } => self.parts(compare_word(op), &[left, right]),
            Node::Tuple(of) => self.parts("tuple", list(of)),
            Node::List(of) => self.parts("list", list(of)),
            Node::Set(of) => self.parts("set", list(of)),
            Node::Dict(of) => self.parts("dict", list(of)),
            Node::Generator(element) => self.parts("generator", &[element]),
            Node::Star(value) => self.parts("star", &[value]),
            Node::Format(of) => self.parts("format", list(of)),
            Node::Union(of) => self.parts("any", list(of)),
            Node::Phi(of) => {
                self.enclosing_phis.push(id);
                self.parts("phi", list(of));
                self.enclosing_phis.pop();
            }
            Node::Narrow {
                value,
                class,
                holds,
            } => {
                let word = if holds { "narrow" } else { "narrow-not" };
                self.parts(word, &[value, class]);
            }
            Node::NotNone { value, holds } => {
                self.parts(if holds { "not-none" } else { "none" }, &[value]);
            }
            Node::Caught(class) => self.parts("caught", &[class]),
            Node::Type(expression) => self.parts("type", &[expression]),
            Node::MatchPosition { base, at } => self.parts(&format!("position {at}"), &[base]),
            leaf => {
                self.leaf(leaf);
            }
        }
    }

    fn call(&mut self, call: u32) {
        let code = self.code;
        let Some(call) = code.calls.get(call as usize) else {
            return self.word("!");
        };
        self.word("(call ");
        self.node(call.callee);
        for &argument in code.list(call.positional) {
            self.word(" ");
            self.node(argument);
        }
        for &(name, value) in &call.keywords {
            self.word(" ");
            self.name(name);
            self.word(if self.names.text(name).is_empty() {
                "**"
            } else {
                "="
            });
            self.node(value);
        }
        self.word(")");
    }
}

fn binary_word(kind: BinaryKind) -> &'static str {
    match kind {
        BinaryKind::Add => "+",
        BinaryKind::Sub => "-",
        BinaryKind::Mul => "*",
        BinaryKind::MatMul => "@",
        BinaryKind::TrueDiv => "/",
        BinaryKind::FloorDiv => "//",
        BinaryKind::Mod => "%",
        BinaryKind::Pow => "**",
        BinaryKind::LShift => "<<",
        BinaryKind::RShift => ">>",
        BinaryKind::And => "&",
        BinaryKind::Xor => "^",
        BinaryKind::Or => "|",
    }
}

fn unary_word(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "neg",
        UnaryOp::Pos => "pos",
        UnaryOp::Invert => "~",
        UnaryOp::Not => "not",
    }
}

fn compare_word(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
        CompareOp::In => "in",
        CompareOp::NotIn => "not-in",
        CompareOp::Is => "is",
        CompareOp::IsNot => "is-not",
    }
}
