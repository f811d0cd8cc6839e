//! Prints the intermediate representation of a Go file as nested lists in parentheses, for tests
//! and debugging.

use std::fmt::Write;

use super::ir::*;
use crate::parts::AsGo as _;
use codeweft_syntax::{FileIr, NameId, Names};

/// Expressions nested deeper than this are printed as `…`.
const MAX_DEPTH: u32 = 300;

/// Returns the header, items, bodies and report of a Go file as text without offsets: equal for
/// equal values. One line per declaration, then one paragraph per body. `?` is a missing
/// expression. For a file of another language, only the report.
pub fn print_ir(ir: &FileIr, names: &Names) -> String {
    let mut out = String::new();
    if let (Some(header), Some(items), Some(bodies)) =
        (ir.header.go(), ir.items.go(), ir.bodies.go())
    {
        header_lines(&mut out, header, names);
        for item in &items.items {
            GoPrinter {
                out: &mut out,
                code: &items.code,
                names,
                depth: 0,
                indent: 0,
            }
            .item(item);
        }
        for (chunk, body) in bodies.iter() {
            let name = items
                .items
                .get(body.item as usize)
                .map_or("?", |item| names.text(item.name));
            let broken = if body.broken { " broken" } else { "" };
            let _ = write!(out, "body {name}{broken}");
            GoPrinter {
                out: &mut out,
                code: &chunk.code,
                names,
                depth: 0,
                indent: 1,
            }
            .body(body);
            out.push('\n');
        }
    }
    let _ = write!(out, "{}", ir.report);
    out
}

fn header_lines(out: &mut String, header: &Header, names: &Names) {
    let doc = if header.has_package_doc {
        " documented"
    } else {
        ""
    };
    let generated = if header.generated { " generated" } else { "" };
    let _ = writeln!(
        out,
        "package {}{doc}{generated}",
        names.text(header.package)
    );
    if let Some(constraint) = &header.constraint {
        out.push_str("constraint ");
        constraint_text(out, constraint);
        out.push('\n');
    }
    for import in &header.imports {
        let _ = write!(out, "import {:?}", names.text(import.path));
        let _ = match import.kind {
            ImportKind::Plain => writeln!(out),
            ImportKind::Named(name) => writeln!(out, " as {}", names.text(name)),
            ImportKind::Dot => writeln!(out, " as ."),
            ImportKind::Blank => writeln!(out, " as _"),
        };
    }
    for &(local, target) in &header.linknames {
        let _ = writeln!(
            out,
            "linkname {} {:?}",
            names.text(local),
            names.text(target)
        );
    }
}

fn constraint_text(out: &mut String, constraint: &Constraint) {
    let mut both = |word: &str, left: &Constraint, right: &Constraint| {
        let _ = write!(out, "({word} ");
        constraint_text(out, left);
        out.push(' ');
        constraint_text(out, right);
        out.push(')');
    };
    match constraint {
        Constraint::Tag(tag) => out.push_str(tag),
        Constraint::And(left, right) => both("and", left, right),
        Constraint::Or(left, right) => both("or", left, right),
        Constraint::Not(inner) => {
            out.push_str("(not ");
            constraint_text(out, inner);
            out.push(')');
        }
    }
}

struct GoPrinter<'a> {
    out: &'a mut String,
    code: &'a Code,
    names: &'a Names,
    depth: u32,
    indent: usize,
}

impl GoPrinter<'_> {
    fn word(&mut self, word: &str) {
        self.out.push_str(word);
    }

    fn tok(&mut self, tok: Tok) {
        let name: NameId = self.code.name(tok);
        self.word(match self.names.text(name) {
            "" => "?",
            name => name,
        });
    }

    fn item(&mut self, item: &Item) {
        let keyword = match &item.kind {
            ItemKind::Func { .. } => "func",
            ItemKind::Method { .. } => "method",
            ItemKind::Type { alias: false, .. } => "type",
            ItemKind::Type { alias: true, .. } => "alias",
            ItemKind::Const { .. } => "const",
            ItemKind::Var { .. } => "var",
        };
        self.word(keyword);
        self.word(" ");
        if let ItemKind::Method { receiver, .. } = &item.kind {
            self.receiver(receiver);
        }
        self.word(self.names.text(item.name));
        if item.nth > 0 {
            let _ = write!(self.out, "#{}", item.nth);
        }
        match &item.kind {
            ItemKind::Func {
                type_params,
                sig,
                has_body,
            }
            | ItemKind::Method {
                type_params,
                sig,
                has_body,
                ..
            } => {
                self.type_params(type_params);
                self.word(" ");
                self.sig(*sig);
                if !has_body {
                    self.word(" bodiless");
                }
            }
            ItemKind::Type {
                type_params, ty, ..
            } => {
                self.type_params(type_params);
                self.word(" ");
                self.expr(*ty);
            }
            ItemKind::Const { ty, value, iota } => {
                self.typed(*ty);
                self.word(" = ");
                self.expr(*value);
                let _ = write!(self.out, " iota {iota}");
            }
            ItemKind::Var { ty, shape, result } => {
                self.typed(*ty);
                if *shape != no_expr() {
                    self.word(" ~ ");
                    self.expr(*shape);
                }
                if let Some(result) = result {
                    let _ = write!(self.out, " result {result}");
                }
            }
        }
        self.word(if item.broken { " broken\n" } else { "\n" });
    }

    fn typed(&mut self, ty: ExprId) {
        if ty != no_expr() {
            self.word(" ");
            self.expr(ty);
        }
    }

    fn receiver(&mut self, receiver: &Receiver) {
        self.word("(");
        if let Some(tok) = receiver.tok {
            self.tok(tok);
            self.word(" ");
        }
        if receiver.pointer {
            self.word("*");
        }
        self.tok(receiver.base);
        for &tok in &receiver.type_params {
            self.word(" ");
            self.tok(tok);
        }
        self.word(").");
    }

    fn type_params(&mut self, params: &[TypeParam]) {
        for param in params {
            self.word(" [");
            self.tok(param.tok);
            self.word(" ");
            self.expr(param.constraint);
            self.word("]");
        }
    }

    fn sig(&mut self, sig: SigId) {
        let sig = &self.code.sigs[sig];
        self.params(&sig.params, sig.variadic);
        if !sig.results.is_empty() {
            self.word(" -> ");
            self.params(&sig.results, false);
        }
    }

    fn params(&mut self, params: &[Param], variadic: bool) {
        self.word("(");
        for (at, param) in params.iter().enumerate() {
            self.word(if at > 0 { ", " } else { "" });
            if let Some(tok) = param.tok {
                self.tok(tok);
                self.word(" ");
            }
            if variadic && at + 1 == params.len() {
                self.word("...");
            }
            self.expr(param.ty);
        }
        self.word(")");
    }

    fn body(&mut self, body: &Body) {
        match body.root {
            BodyRoot::Block(block) => self.stmt(block),
            BodyRoot::Values(values) => {
                for value in self.code.exprs_of(values) {
                    self.line();
                    self.expr(value);
                }
            }
        }
    }

    fn line(&mut self) {
        self.word("\n");
        for _ in 0..self.indent {
            self.word("  ");
        }
    }

    fn list(&mut self, head: &str, elements: &[ExprId]) {
        self.word("(");
        self.word(head);
        for &element in elements {
            if !head.is_empty() || element != elements[0] {
                self.word(" ");
            }
            self.expr(element);
        }
        self.word(")");
    }

    fn list_of(&mut self, head: &str, first: &[ExprId], rest: ListId) {
        let mut all = first.to_vec();
        all.extend(self.code.exprs_of(rest));
        self.list(head, &all);
    }

    fn expr(&mut self, id: ExprId) {
        if self.depth >= MAX_DEPTH {
            return self.word("…");
        }
        self.depth += 1;
        match self.code.exprs[id] {
            Expr::Missing => self.word("?"),
            Expr::Opaque => self.word("opaque"),
            Expr::Name(tok) => self.tok(tok),
            Expr::Select { base, tok } => {
                self.word("(. ");
                self.expr(base);
                self.word(" ");
                self.tok(tok);
                self.word(")");
            }
            Expr::Call { fun, args, spread } => {
                self.list_of(if spread { "call..." } else { "call" }, &[fun], args);
            }
            Expr::Callee { fun, .. } => self.list("callee", &[fun]),
            Expr::Index { base, args } => self.list_of("index", &[base], args),
            Expr::Slice { base, operands } => self.list_of("slice", &[base], operands),
            Expr::Assert { base, ty } => self.list("assert", &[base, ty]),
            Expr::Star(inner) => self.list("*", &[inner]),
            Expr::Unary(op, inner) => self.list(unary_word(op), &[inner]),
            Expr::Binary(op, left, right) => self.list(binary_word(op), &[left, right]),
            Expr::Composite { ty, elems } => self.list_of("lit", &[ty], elems),
            Expr::KeyValue { key, value } => self.list(":", &[key, value]),
            Expr::FuncLit(number) => {
                let (sig, body) = self.code.literals[number as usize];
                self.word("(func ");
                self.sig(sig);
                if body != no_stmt() {
                    self.stmt(body);
                }
                self.word(")");
            }
            Expr::Int(number) => {
                let _ = match self.code.ints[number as usize] {
                    Some(value) => write!(self.out, "{value}"),
                    None => write!(self.out, "big"),
                };
            }
            Expr::Rune(code) => {
                let _ = write!(self.out, "'{code}'");
            }
            Expr::Float => self.word("float"),
            Expr::Imag => self.word("imaginary"),
            Expr::Str { len, .. } => {
                let _ = write!(self.out, "str/{len}");
            }
            Expr::Const => self.word("const"),
            Expr::Array { len, elem } => self.list("array", &[len, elem]),
            Expr::DotsArray(elem) => self.list("array...", &[elem]),
            Expr::SliceOf(elem) => self.list("[]", &[elem]),
            Expr::Map { key, value } => self.list("map", &[key, value]),
            Expr::Chan(ChanDir::Both, elem) => self.list("chan", &[elem]),
            Expr::Chan(ChanDir::Send, elem) => self.list("chan<-", &[elem]),
            Expr::Chan(ChanDir::Receive, elem) => self.list("<-chan", &[elem]),
            Expr::Func(sig) => {
                self.word("(func ");
                self.sig(sig);
                self.word(")");
            }
            Expr::Struct(fields) => self.fields("struct", fields),
            Expr::Interface(elements) => self.fields("interface", elements),
            Expr::Union(terms) => self.list_of("|", &[], terms),
            Expr::Tilde(inner) => self.list("~", &[inner]),
        }
        self.depth -= 1;
    }

    fn fields(&mut self, head: &str, fields: ListId) {
        self.word("(");
        self.word(head);
        for field in self.code.fields_of(fields) {
            let field = self.code.fields[field];
            match field.kind {
                FieldKind::Named => {
                    self.word(" (");
                    self.tok(field.tok);
                    self.word(" ");
                    self.expr(field.ty);
                }
                FieldKind::Embedded => {
                    self.word(" (embeds ");
                    self.tok(field.tok);
                    self.word(" as ");
                    self.expr(field.ty);
                }
                FieldKind::Method(sig) => {
                    self.word(" (method ");
                    self.tok(field.tok);
                    self.word(" ");
                    self.sig(sig);
                }
                FieldKind::Element => {
                    self.word(" (element ");
                    self.expr(field.ty);
                }
            }
            self.word(if field.tag != 0 { " tagged)" } else { ")" });
        }
        self.word(")");
    }

    fn stmts(&mut self, list: ListId) {
        self.indent += 1;
        for stmt in self.code.stmts_of(list) {
            self.line();
            self.stmt(stmt);
        }
        self.indent -= 1;
    }

    /// Prints parts in the given order, each after a space.
    fn parts(&mut self, head: &str, parts: &[Part]) {
        self.word("(");
        self.word(head);
        for part in parts {
            self.word(" ");
            match *part {
                Part::Expr(expr) => self.expr(expr),
                Part::Exprs(list) => self.list_of("", &[], list),
                Part::Stmt(stmt) => self.stmt(stmt),
                Part::Tok(tok) => self.tok(tok),
                Part::Toks(list) => {
                    let toks = self.code.list(list);
                    for (at, &tok) in toks.iter().enumerate() {
                        self.word(if at > 0 { " " } else { "(" });
                        self.tok(tok);
                    }
                    self.word(")");
                }
            }
        }
        self.word(")");
    }

    fn stmt(&mut self, id: StmtId) {
        if self.depth >= MAX_DEPTH {
            return self.word("…");
        }
        self.depth += 1;
        self.stmt_node(self.code.stmts[id]);
        self.depth -= 1;
    }

    fn stmt_node(&mut self, stmt: Stmt) {
        use Part::{Expr, Exprs, Stmt as Inner, Tok, Toks};
        match stmt {
            Stmt::Empty => self.word("_"),
            Stmt::Expr(expr) => self.expr(expr),
            Stmt::Send(channel, value) => self.parts("send", &[Expr(channel), Expr(value)]),
            Stmt::IncDec(expr) => self.parts("step", &[Expr(expr)]),
            Stmt::Assign { lhs, rhs } => self.parts("=", &[Exprs(lhs), Exprs(rhs)]),
            Stmt::AssignOp(left, right) => self.parts("op=", &[Expr(left), Expr(right)]),
            Stmt::Define { lhs, rhs } => self.parts(":=", &[Exprs(lhs), Exprs(rhs)]),
            Stmt::Var { names, ty, values } => {
                self.parts("var", &[Toks(names), Expr(ty), Exprs(values)]);
            }
            Stmt::Const {
                names,
                ty,
                values,
                iota,
            } => {
                let head = format!("const/{iota}");
                self.parts(&head, &[Toks(names), Expr(ty), Exprs(values)]);
            }
            Stmt::Type { tok, alias, ty } => {
                self.parts(if alias { "alias" } else { "type" }, &[Tok(tok), Expr(ty)]);
            }
            Stmt::Labeled { label, stmt } => self.parts("label", &[Tok(label), Inner(stmt)]),
            Stmt::Branch(label) => self.parts("branch", &[Tok(label)]),
            Stmt::Go(call) => self.parts("go", &[Expr(call)]),
            Stmt::Defer(call) => self.parts("defer", &[Expr(call)]),
            Stmt::Return(values) => self.list_of("return", &[], values),
            Stmt::Block(stmts) => {
                self.word(" {");
                self.stmts(stmts);
                self.word("}");
            }
            Stmt::Group(stmts) => {
                self.word("(group");
                self.stmts(stmts);
                self.word(")");
            }
            Stmt::If {
                init,
                cond,
                then,
                other,
            } => {
                self.parts("if", &[Inner(init), Expr(cond), Inner(then), Inner(other)]);
            }
            Stmt::For {
                init,
                cond,
                post,
                body,
            } => {
                self.parts("for", &[Inner(init), Expr(cond), Inner(post), Inner(body)]);
            }
            Stmt::Range {
                key,
                value,
                define,
                over,
                body,
            } => {
                let head = if define { "range:=" } else { "range" };
                self.parts(head, &[Expr(key), Expr(value), Expr(over), Inner(body)]);
            }
            Stmt::Switch { init, tag, clauses } => {
                self.word("(switch ");
                self.stmt(init);
                self.word(" ");
                self.expr(tag);
                self.stmts(clauses);
                self.word(")");
            }
            Stmt::TypeSwitch {
                init,
                bind,
                over,
                clauses,
            } => {
                self.word("(typeswitch ");
                self.stmt(init);
                self.word(" ");
                match bind {
                    Some(tok) => self.tok(tok),
                    None => self.word("_"),
                }
                self.word(" ");
                self.expr(over);
                self.stmts(clauses);
                self.word(")");
            }
            Stmt::Clause { exprs, body } => {
                self.list_of("case", &[], exprs);
                self.stmts(body);
            }
            Stmt::Select(clauses) => {
                self.word("(select");
                self.stmts(clauses);
                self.word(")");
            }
            Stmt::Comm { comm, body } => {
                self.word("(case ");
                self.stmt(comm);
                self.word(")");
                self.stmts(body);
            }
        }
    }
}

/// A part of a printed statement.
#[derive(Clone, Copy)]
enum Part {
    Expr(ExprId),
    Exprs(ListId),
    Stmt(StmtId),
    Tok(Tok),
    Toks(ListId),
}

fn unary_word(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::Not => "!",
        UnaryOp::Xor => "^",
        UnaryOp::Address => "&",
        UnaryOp::Receive => "<-",
    }
}

fn binary_word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::AndNot => "&^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Compare => "cmp",
        BinaryOp::Logic => "logic",
    }
}
