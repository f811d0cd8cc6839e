//! Initialisers of package-level variables (Go spec, Variable declarations).

use codeweft_db::Role;
use codeweft_go_syntax::{Code, Expr, ExprId, no_expr};

use super::checker::Checker;
use crate::types::Ty;

impl<'a> Checker<'a> {
    /// Records the conversion of the value of a package-level variable whose type is written in the
    /// items' code. The uses in the type are recorded elsewhere.
    pub(crate) fn initialised(&mut self, items: &'a Code, ty: ExprId, value: ExprId, from: Ty) {
        if ty == no_expr() {
            return;
        }
        let named = matches!(
            items.exprs[ty],
            Expr::Name(_) | Expr::Select { .. } | Expr::Index { .. } | Expr::Callee { .. }
        );
        if named {
            let to = self.unrecorded(|checker| {
                checker.in_code(items, true, |checker| {
                    checker.resolve_type(ty, Role::VariableType)
                })
            });
            self.uses().assigned(value, from, to);
        }
    }
}
