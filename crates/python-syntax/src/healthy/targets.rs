//! Writes the targets of assignments, loops and comprehensions.

use ruff_python_ast::Expr;
use ruff_python_ast::token::TokenKind;

use super::super::kinds::{NodeField, PythonKind};
use super::exprs::bare_tuple;
use super::{TreeWriter, Unsupported, Written, start_of};

impl TreeWriter<'_> {
    /// Writes a target, or several without parentheses.
    pub(super) fn target_list(&mut self, target: &Expr, field: NodeField) -> Written {
        let Some(elements) = bare_tuple(target) else {
            return self.target(target, field);
        };
        self.node(PythonKind::PatternList, field, start_of(target), |writer| {
            for element in elements {
                writer.target(element, NodeField::Other)?;
            }
            writer.eat(TokenKind::Comma);
            Ok(())
        })
    }

    fn target(&mut self, target: &Expr, field: NodeField) -> Written {
        let parens = self.parens_before(start_of(target));
        self.in_parens(&parens, PythonKind::Paren, field, |writer, field| {
            writer.target_here(target, field)
        })
    }

    fn target_here(&mut self, target: &Expr, field: NodeField) -> Written {
        let start = start_of(target);
        let (kind, elements, close) = match target {
            Expr::Tuple(tuple) if tuple.parenthesized => {
                (PythonKind::TuplePattern, &tuple.elts, TokenKind::Rpar)
            }
            Expr::List(list) => (PythonKind::ListPattern, &list.elts, TokenKind::Rsqb),
            Expr::Starred(starred) => {
                return self.node(PythonKind::SplatPattern, field, start, |writer| {
                    writer.expect(TokenKind::Star)?;
                    writer.target(&starred.value, NodeField::Other)
                });
            }
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
                return self.expr(target, field);
            }
            _ => return Err(Unsupported),
        };
        self.node(kind, field, start, |writer| {
            writer.next += 1;
            for element in elements {
                writer.target(element, NodeField::Other)?;
            }
            writer.eat(TokenKind::Comma);
            writer.expect(close)?;
            Ok(())
        })
    }
}
