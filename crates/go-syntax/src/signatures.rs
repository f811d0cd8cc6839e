//! Lowers signatures (Go spec, Function types).

use super::ir::*;
use super::kinds::GoKind;
use super::walk::GoLowering;

/// The parts of a signature found so far.
#[derive(Default)]
pub(super) struct SigParts {
    params: Option<Box<[Param]>>,
    results: Box<[Param]>,
    variadic: bool,
}

impl SigParts {
    pub(super) fn into_sig(self) -> Sig {
        Sig {
            params: self.params.unwrap_or_default(),
            results: self.results,
            variadic: self.variadic,
        }
    }
}

impl GoLowering<'_, '_> {
    /// Adds a child of a function-like node: the first parameter list holds the parameters, a
    /// second one or a type the results.
    pub(super) fn sig_part(&mut self, parts: &mut SigParts, kind: GoKind) {
        if kind == GoKind::ParameterList {
            let (params, variadic) = self.parameters();
            if parts.params.is_none() {
                parts.params = Some(params);
                parts.variadic = variadic;
            } else {
                parts.results = params;
            }
        } else if kind.is_expr() && parts.params.is_some() {
            let ty = self.expr();
            parts.results = Box::new([Param { tok: None, ty }]);
        }
    }

    /// Corrects parameters whose names the grammar took for types: either all parameters have names
    /// or none (Go spec, Function types).
    ///
    /// ```go
    /// func f(a, b, c int)   // the grammar may read `a` and `b` as types of unnamed parameters
    /// ```
    fn pair_names(&mut self, start: usize) {
        if self.params[start..].iter().all(|param| param.tok.is_none()) {
            return;
        }
        let mut next = no_expr();
        for at in (start..self.params.len()).rev() {
            let param = self.params[at];
            if let (None, Expr::Name(tok)) = (param.tok, self.at(param.ty)) {
                self.params[at] = Param {
                    tok: Some(tok),
                    ty: next,
                };
            }
            next = self.params[at].ty;
        }
    }

    /// Lowers the parameter list under the cursor; returns also whether its last parameter is
    /// variadic.
    fn parameters(&mut self) -> (Box<[Param]>, bool) {
        let start = self.params.len();
        let mut variadic = false;
        self.children(|l, kind| {
            variadic = kind == GoKind::VariadicParameter || (variadic && kind == GoKind::Token);
            if matches!(kind, GoKind::Parameter | GoKind::VariadicParameter) {
                let names = l.list_start();
                let mut ty = no_expr();
                l.children(|l, kind| match kind {
                    GoKind::Identifier => {
                        let tok = l.token();
                        l.list_push_tok(tok);
                    }
                    kind if kind.is_expr() => ty = l.expr(),
                    _ => {}
                });
                if l.list_peek(names).is_empty() {
                    l.params.push(Param { tok: None, ty });
                }
                for at in 0..l.list_peek(names).len() {
                    let tok = Some(l.list_peek(names)[at]);
                    l.params.push(Param { tok, ty });
                }
                l.list_drop(names);
            }
        });
        self.pair_names(start);
        let params = self.params[start..].into();
        self.params.truncate(start);
        (params, variadic)
    }
}
