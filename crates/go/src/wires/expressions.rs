//! The values of expressions (Go spec, Expressions).

use codeweft_db::{SymbolClass, SymbolId, ValueId, WireArgument, WireCall, WireValue};
use codeweft_go_syntax::{BinaryOp, Expr, ExprId, ListId, Tok, UnaryOp, no_expr};

use super::WireWalk;
use crate::units::PackageRef;

impl WireWalk<'_> {
    /// Returns the value of an expression, and adds the calls in it.
    pub(super) fn value(&mut self, id: ExprId) -> ValueId {
        self.value_of_type(id, no_expr())
    }

    /// Returns the value of an expression where `expected` is the type of an elided composite literal.
    pub(super) fn value_of_type(&mut self, id: ExprId, expected: ExprId) -> ValueId {
        match self.code.exprs[id] {
            Expr::Name(tok) => self.name(tok),
            Expr::Select { base, tok } => self.select(base, tok),
            Expr::Call { fun, args, spread } => self.call(fun, args, spread),
            Expr::Callee { fun, .. } => self.value(fun),
            Expr::Index { base, args } => self.index(base, args),
            Expr::Slice { base, operands } => {
                self.visit(operands);
                self.value(base)
            }
            Expr::Assert { base, .. } => self.value(base),
            Expr::Star(inner) => self.value(inner),
            Expr::Unary(UnaryOp::Address, inner) => {
                let value = self.value_of_type(inner, expected);
                match self.builder.values.get(value as usize) {
                    // A literal has no name by which another function could write it.
                    Some(WireValue::Object { .. } | WireValue::Unknown) | None => value,
                    _ => self.builder.add(WireValue::Pointer(value)),
                }
            }
            Expr::Unary(_, inner) => {
                self.value(inner);
                0
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                match op {
                    BinaryOp::Add => self.builder.add(WireValue::Concat([left, right].into())),
                    _ => 0,
                }
            }
            Expr::Composite { ty, elems } => self.composite(ty, elems, expected),
            Expr::KeyValue { value, .. } => self.value(value),
            Expr::FuncLit(number) => self.literal_function(number),
            Expr::Int(number) => match self.code.ints.get(number as usize) {
                Some(Some(value)) => self.builder.add_text(&value.to_string()),
                _ => 0,
            },
            Expr::Str { tok, .. } => match self.tokens.literal(tok) {
                Some(text) => self.builder.add_text(&text),
                None => 0,
            },
            Expr::Struct(_) | Expr::Interface(_) | Expr::Func(_) => 0,
            _ => 0,
        }
    }

    /// Visits expressions for the calls in them.
    pub(super) fn visit(&mut self, list: ListId) {
        let code = self.code;
        for value in code.exprs_of(list) {
            self.value(value);
        }
    }

    /// Returns the declaration or library name that a type expression means, without pointers and type arguments.
    pub(super) fn type_value(&mut self, id: ExprId) -> ValueId {
        match self.code.exprs[id] {
            Expr::Name(_) | Expr::Select { .. } => self.value(id),
            Expr::Star(inner) | Expr::Callee { fun: inner, .. } => self.type_value(inner),
            Expr::Index { base, .. } => self.type_value(base),
            _ => 0,
        }
    }

    fn name(&mut self, tok: Tok) -> ValueId {
        if let Some(local) = self.local(self.code.name(tok)) {
            return self.builder.add(WireValue::Local(local));
        }
        match self.tokens.symbol(tok) {
            Some(symbol) => self.builder.add(WireValue::Declared(symbol)),
            None => 0,
        }
    }

    /// Returns the value of a selector or qualified identifier (Go spec, Selectors).
    fn select(&mut self, base: ExprId, tok: Tok) -> ValueId {
        let (code, names) = (self.code, &self.db.shared().names);
        let name = code.name(tok);
        let symbol = self.tokens.symbol(tok);
        if let Expr::Name(package) = code.exprs[base]
            && self.local(code.name(package)).is_none()
            && let Some(package) = self.imports.package(code.name(package))
        {
            return match (symbol, package) {
                (Some(symbol), _) => self.builder.add(WireValue::Declared(symbol)),
                (None, PackageRef::Absent(path)) => {
                    let path = format!("{}.{}", names.text(path), names.text(name));
                    self.builder.add(WireValue::Absent(path.into()))
                }
                _ => 0,
            };
        }
        let base = self.value(base);
        self.builder.add(WireValue::Member { base, name, symbol })
    }

    fn index(&mut self, base: ExprId, args: ListId) -> ValueId {
        let base = self.value(base);
        let code = self.code;
        let first = code.exprs_of(args).next();
        match self.builder.values.get(base as usize) {
            // An instantiation is the function or type itself.
            Some(&WireValue::Declared(symbol)) if self.is_code(symbol) => base,
            Some(WireValue::Unknown) | None => {
                self.visit(args);
                0
            }
            _ => {
                let key = first.map_or(0, |first| self.value(first));
                self.builder.add(WireValue::Index(base, key))
            }
        }
    }

    fn class_of(&self, symbol: SymbolId) -> SymbolClass {
        self.db.shared().symbols.key(symbol).class
    }

    fn is_code(&self, symbol: SymbolId) -> bool {
        matches!(
            self.class_of(symbol),
            SymbolClass::Function | SymbolClass::Type | SymbolClass::Method
        )
    }

    /// Returns the value of a call or conversion (Go spec, Calls, Conversions), and adds the call.
    fn call(&mut self, fun: ExprId, args: ListId, spread: bool) -> ValueId {
        let code = self.code;
        let args: Vec<ExprId> = code.exprs_of(args).collect();
        let (named, tok) = match code.exprs[fun] {
            Expr::Callee { fun, tok } => (fun, Some(tok)),
            Expr::Name(tok) | Expr::Select { tok, .. } => (fun, Some(tok)),
            _ => (fun, None),
        };
        if let Expr::Name(tok) = code.exprs[named]
            && self.local(code.name(tok)).is_none()
            && self.tokens.symbol(tok).is_none()
        {
            return self.builtin(tok, &args, spread);
        }
        let callee = self.value(fun);
        let count = args.len();
        let mut arguments = Vec::with_capacity(count);
        for (at, &arg) in args.iter().enumerate() {
            arguments.push(WireArgument {
                name: None,
                value: self.value(arg),
                is_spread: spread && at + 1 == count,
            });
        }
        let is_conversion = match self.builder.values.get(callee as usize) {
            Some(&WireValue::Declared(symbol)) => self.class_of(symbol) == SymbolClass::Type,
            Some(WireValue::Unknown) | None => true,
            _ => false,
        };
        if let (true, [only]) = (is_conversion, &arguments[..]) {
            return only.value;
        }
        let (body, occ) = match tok {
            Some(tok) => self.tokens.position(tok),
            None => self.tokens.position(0),
        };
        self.builder.calls.push(WireCall {
            function: self.function,
            callee,
            arguments: arguments.into(),
            decorates: None,
            branch: self.branch,
            body,
            occ,
        });
        let call = self.builder.calls.len() as u32 - 1;
        self.builder.add(WireValue::Result { call, number: 0 })
    }

    /// Returns the value of a call of a predeclared function or type (Go spec, Built-in functions).
    fn builtin(&mut self, tok: Tok, args: &[ExprId], spread: bool) -> ValueId {
        let name = self.db.shared().names.text(self.code.name(tok));
        if name == "new" {
            let class = args.first().map_or(0, |&ty| self.type_value(ty));
            return self.builder.add(WireValue::Object {
                class,
                fields: Box::default(),
            });
        }
        let values: Vec<ValueId> = args.iter().map(|&arg| self.value(arg)).collect();
        match (name, &values[..]) {
            ("string", [only]) => *only,
            ("append", [list, added]) if spread => {
                self.builder.add(WireValue::Any([*list, *added].into()))
            }
            ("append", [list, added @ ..]) => {
                let added = self.builder.add(WireValue::List(added.into()));
                self.builder.add(WireValue::Any([*list, added].into()))
            }
            _ => 0,
        }
    }

    /// Returns the value of a function literal, and walks its body.
    fn literal_function(&mut self, number: u32) -> ValueId {
        let Some(&(sig, body)) = self.code.literals.get(number as usize) else {
            return 0;
        };
        let around = self.builder.functions.get(self.function as usize);
        let Some((symbol, receiver)) = around.map(|around| (around.symbol, around.receiver)) else {
            return 0;
        };
        self.begin_function(symbol, false, Some(sig), receiver);
        let function = self.function;
        self.statement(body);
        self.leave_function();
        self.builder.add(WireValue::Function(function))
    }
}
