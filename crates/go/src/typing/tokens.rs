//! The tokens that represent expressions: their positions in uses and in the flow graph.

use codeweft_go_syntax::{Code, Expr, ExprId, ListId, SigId, Stmt, StmtId, Tok, no_expr, no_stmt};

/// The limit on the number of statements and expressions that are searched.
const MAX_STEPS: usize = 100;

/// Returns the token that identifies an expression: that of the callee for a call, of the type for
/// a literal.
pub(super) fn token(code: &Code, mut expr: ExprId) -> Option<Tok> {
    loop {
        if expr == no_expr() {
            return None;
        }
        expr = match code.exprs[expr] {
            Expr::Name(tok) | Expr::Select { tok, .. } | Expr::Callee { tok, .. } => {
                return Some(tok);
            }
            Expr::Call { fun, .. } => fun,
            Expr::Index { base, .. } | Expr::Slice { base, .. } | Expr::Assert { base, .. } => base,
            Expr::Composite { ty, .. } => ty,
            Expr::Star(inner) | Expr::Unary(_, inner) | Expr::Binary(_, inner, _) => inner,
            _ => return None,
        };
    }
}

/// Returns the first token inside a function literal or type literal, which have none of their own.
pub(super) fn first_token(code: &Code, expr: ExprId) -> Option<Tok> {
    let mut steps = 0;
    let mut exprs = vec![expr];
    let mut stmts: Vec<StmtId> = Vec::new();
    // Innermost first, in text order.
    loop {
        steps += 1;
        if steps > MAX_STEPS {
            return None;
        }
        if let Some(expr) = exprs.pop() {
            if expr == no_expr() {
                continue;
            }
            if let Some(tok) = token(code, expr) {
                return Some(tok);
            }
            let list = |list: ListId| code.exprs_of(list).collect::<Vec<_>>();
            let mut parts = match code.exprs[expr] {
                Expr::FuncLit(number) => {
                    let (sig, body) = code.literals[number as usize];
                    if let Some(tok) = first_of_signature(code, sig) {
                        return Some(tok);
                    }
                    stmts.push(body);
                    Vec::new()
                }
                Expr::Func(sig) => match first_of_signature(code, sig) {
                    Some(tok) => return Some(tok),
                    None => Vec::new(),
                },
                Expr::Struct(fields) | Expr::Interface(fields) => {
                    match code.fields_of(fields).next() {
                        Some(field) => return Some(code.fields[field].tok),
                        None => Vec::new(),
                    }
                }
                Expr::Call { fun, args, .. } => [vec![fun], list(args)].concat(),
                Expr::Composite { ty, elems } => [vec![ty], list(elems)].concat(),
                Expr::Unary(_, inner) | Expr::Star(inner) | Expr::SliceOf(inner) => vec![inner],
                Expr::Binary(_, left, right) => vec![left, right],
                Expr::KeyValue { key, value } | Expr::Map { key, value } => vec![key, value],
                Expr::Index { base, args } => [vec![base], list(args)].concat(),
                Expr::Slice { base, .. } | Expr::Assert { base, .. } => vec![base],
                Expr::Array { len, elem } => vec![len, elem],
                Expr::DotsArray(elem) | Expr::Chan(_, elem) => vec![elem],
                _ => Vec::new(),
            };
            parts.reverse();
            exprs.extend(parts);
            continue;
        }
        let stmt = stmts.pop()?;
        if stmt == no_stmt() {
            continue;
        }
        match code.stmts[stmt] {
            Stmt::Block(list) | Stmt::Group(list) | Stmt::Select(list) => {
                let from = stmts.len();
                stmts.extend(code.stmts_of(list));
                stmts[from..].reverse();
            }
            Stmt::Expr(expr) | Stmt::IncDec(expr) | Stmt::Go(expr) | Stmt::Defer(expr) => {
                exprs.push(expr);
            }
            Stmt::Send(left, right) | Stmt::AssignOp(left, right) => exprs.extend([right, left]),
            Stmt::Assign { lhs, rhs } | Stmt::Define { lhs, rhs } => {
                let both = code.exprs_of(lhs).chain(code.exprs_of(rhs));
                exprs.extend(both);
                exprs.reverse();
            }
            Stmt::Var { names, .. } | Stmt::Const { names, .. } => {
                if let Some(&tok) = code.list(names).first() {
                    return Some(tok);
                }
            }
            Stmt::Type { tok, .. } | Stmt::Branch(tok) | Stmt::Labeled { label: tok, .. } => {
                return Some(tok);
            }
            Stmt::Return(values) => {
                exprs.extend(code.exprs_of(values));
                exprs.reverse();
            }
            Stmt::If {
                init, cond, then, ..
            } => {
                stmts.extend([then, init]);
                exprs.push(cond);
            }
            Stmt::For {
                init, cond, body, ..
            } => {
                stmts.extend([body, init]);
                exprs.push(cond);
            }
            Stmt::Range { over, body, .. } => {
                stmts.push(body);
                exprs.push(over);
            }
            Stmt::Switch { init, tag, .. } => {
                stmts.push(init);
                exprs.push(tag);
            }
            Stmt::TypeSwitch { init, over, .. } => {
                stmts.push(init);
                exprs.push(over);
            }
            Stmt::Comm { comm, .. } => stmts.push(comm),
            Stmt::Empty | Stmt::Clause { .. } => {}
        }
    }
}

/// Returns the first token of a signature.
fn first_of_signature(code: &Code, sig: SigId) -> Option<Tok> {
    let sig = &code.sigs[sig];
    let mut all = sig.params.iter().chain(&*sig.results);
    all.find_map(|param| param.tok.or_else(|| token(code, param.ty)))
}
