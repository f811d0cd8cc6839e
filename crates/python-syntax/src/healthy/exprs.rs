//! Writes expressions.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{self as ast, BoolOp, CmpOp, Expr, Operator, UnaryOp};
use ruff_text_size::TextRange;

use super::super::kinds::{NodeField, PythonKind};
use super::{TreeWriter, Unsupported, Written, start_of};

impl TreeWriter<'_> {
    /// Writes an expression with its parentheses.
    pub(super) fn expr(&mut self, expr: &Expr, field: NodeField) -> Written {
        let parens = self.parens_before(start_of(expr));
        self.in_parens(&parens, PythonKind::Paren, field, |writer, field| {
            writer.expr_here(expr, field)
        })
    }

    /// Writes what is in parentheses that were read; each pair is a node of a kind.
    pub(super) fn in_parens(
        &mut self,
        parens: &[u32],
        kind: PythonKind,
        field: NodeField,
        inner: impl FnOnce(&mut Self, NodeField) -> Written,
    ) -> Written {
        let Some((&start, rest)) = parens.split_first() else {
            return inner(self, field);
        };
        let first = self.open(kind, field, start);
        let mut open = vec![first];
        for &start in rest {
            open.push(self.open(kind, NodeField::Other, start));
        }
        inner(self, NodeField::Other)?;
        for node in open.into_iter().rev() {
            self.expect(TokenKind::Rpar)?;
            self.close(node);
        }
        Ok(())
    }

    /// Writes an expression, or several without parentheses.
    pub(super) fn expr_list(&mut self, expr: &Expr, field: NodeField) -> Written {
        match bare_tuple(expr) {
            Some(elements) => self.node(
                PythonKind::ExpressionList,
                field,
                start_of(expr),
                |writer| writer.bare_elements(elements, NodeField::Other),
            ),
            None => self.expr(expr, field),
        }
    }

    /// Writes the elements of a tuple without parentheses, each with a field.
    pub(super) fn bare_elements(&mut self, elements: &[Expr], field: NodeField) -> Written {
        for element in elements {
            self.expr(element, field)?;
        }
        self.eat(TokenKind::Comma);
        Ok(())
    }

    fn expr_here(&mut self, expr: &Expr, field: NodeField) -> Written {
        let start = start_of(expr);
        match expr {
            Expr::Name(name) => self.leaf(PythonKind::Identifier, field, name.range),
            Expr::NumberLiteral(number) => self.number(number.range, field),
            Expr::BooleanLiteral(literal) => {
                let kind = if literal.value {
                    PythonKind::True
                } else {
                    PythonKind::False
                };
                self.leaf(kind, field, literal.range);
            }
            Expr::NoneLiteral(literal) => self.leaf(PythonKind::None, field, literal.range),
            Expr::EllipsisLiteral(literal) => self.leaf(PythonKind::Ellipsis, field, literal.range),
            Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
            | Expr::FString(_)
            | Expr::TString(_) => {
                self.string(expr, field)?;
            }
            Expr::Attribute(attribute) => {
                self.node(PythonKind::Attribute, field, start, |writer| {
                    writer.expr(&attribute.value, NodeField::Object)?;
                    writer.expect(TokenKind::Dot)?;
                    writer.leaf(
                        PythonKind::Identifier,
                        NodeField::Attribute,
                        attribute.attr.range,
                    );
                    Ok(())
                })?;
            }
            Expr::Call(call) => {
                self.node(PythonKind::Call, field, start, |writer| {
                    writer.expr(&call.func, NodeField::Function)?;
                    writer.arguments(&call.arguments, NodeField::Arguments)
                })?;
            }
            Expr::Subscript(subscript) => self.subscript(subscript, field)?,
            Expr::Slice(slice) => {
                self.node(PythonKind::Slice, field, start, |writer| {
                    let parts = [&slice.lower, &slice.upper, &slice.step];
                    for part in parts.into_iter().flatten() {
                        writer.expr(part, NodeField::Other)?;
                    }
                    writer.skip_to(slice.range.end().to_u32());
                    writer.end = slice.range.end().to_u32();
                    Ok(())
                })?;
            }
            Expr::BinOp(binary) => {
                self.node(PythonKind::Binary, field, start, |writer| {
                    writer.expr(&binary.left, NodeField::Left)?;
                    let (token, kind) = operator(binary.op);
                    writer.token(token, kind)?;
                    writer.expr(&binary.right, NodeField::Right)
                })?;
            }
            Expr::UnaryOp(unary) => self.unary(unary, field)?,
            Expr::BoolOp(junction) => self.junction(junction, field)?,
            Expr::Compare(comparison) => self.comparison(comparison, field)?,
            Expr::Named(named) => {
                self.node(PythonKind::Named, field, start, |writer| {
                    writer.expr(&named.target, NodeField::Name)?;
                    writer.expect(TokenKind::ColonEqual)?;
                    writer.expr(&named.value, NodeField::Value)
                })?;
            }
            Expr::Lambda(lambda) => {
                self.node(PythonKind::Lambda, field, start, |writer| {
                    writer.expect(TokenKind::Lambda)?;
                    if let Some(parameters) = &lambda.parameters {
                        writer.parameters(parameters, PythonKind::LambdaParameters)?;
                    }
                    writer.expect(TokenKind::Colon)?;
                    writer.expr(&lambda.body, NodeField::Body)
                })?;
            }
            Expr::If(conditional) => {
                self.node(PythonKind::Conditional, field, start, |writer| {
                    writer.expr(&conditional.body, NodeField::Other)?;
                    writer.expect(TokenKind::If)?;
                    writer.expr(&conditional.test, NodeField::Other)?;
                    writer.expect(TokenKind::Else)?;
                    writer.expr(&conditional.orelse, NodeField::Other)
                })?;
            }
            Expr::Await(awaited) => {
                self.node(PythonKind::Await, field, start, |writer| {
                    writer.expect(TokenKind::Await)?;
                    writer.expr(&awaited.value, NodeField::Other)
                })?;
            }
            Expr::Yield(yielded) => {
                self.node(PythonKind::Yield, field, start, |writer| {
                    writer.expect(TokenKind::Yield)?;
                    match &yielded.value {
                        Some(value) => writer.expr_list(value, NodeField::Other),
                        None => Ok(()),
                    }
                })?;
            }
            Expr::YieldFrom(yielded) => {
                self.node(PythonKind::Yield, field, start, |writer| {
                    writer.expect(TokenKind::Yield)?;
                    writer.token(TokenKind::From, PythonKind::FromKeyword)?;
                    writer.expr(&yielded.value, NodeField::Other)
                })?;
            }
            Expr::Starred(starred) => {
                self.node(PythonKind::ListSplat, field, start, |writer| {
                    writer.expect(TokenKind::Star)?;
                    writer.expr(&starred.value, NodeField::Other)
                })?;
            }
            Expr::Tuple(tuple) if tuple.parenthesized => {
                self.display(PythonKind::Tuple, field, tuple.range, &tuple.elts)?;
            }
            Expr::List(list) => self.display(PythonKind::List, field, list.range, &list.elts)?,
            Expr::Set(set) => self.display(PythonKind::Set, field, set.range, &set.elts)?,
            Expr::Dict(dict) => self.dictionary(dict, field)?,
            Expr::ListComp(comp) => self.comprehension(
                (PythonKind::ListComprehension, field, comp.range),
                &comp.elt,
                &comp.generators,
            )?,
            Expr::SetComp(comp) => self.comprehension(
                (PythonKind::SetComprehension, field, comp.range),
                &comp.elt,
                &comp.generators,
            )?,
            Expr::Generator(comp) if comp.parenthesized => self.comprehension(
                (PythonKind::Generator, field, comp.range),
                &comp.elt,
                &comp.generators,
            )?,
            Expr::DictComp(comp) => self.dict_comprehension(comp, field)?,
            Expr::Tuple(_) | Expr::Generator(_) | Expr::IpyEscapeCommand(_) => {
                return Err(Unsupported);
            }
        }
        Ok(())
    }

    /// Writes a number. The grammar takes `1j` for an integer.
    pub(super) fn number(&mut self, range: TextRange, field: NodeField) {
        let text = self.text(range);
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let kind = if !is_hex && text.contains(['.', 'e', 'E']) {
            PythonKind::Float
        } else {
            PythonKind::Integer
        };
        self.leaf(kind, field, range);
    }

    /// Writes the arguments of a call, or the bases of a class.
    pub(super) fn arguments(&mut self, arguments: &ast::Arguments, field: NodeField) -> Written {
        let range = arguments.range;
        if let ([Expr::Generator(comp)], []) = (&arguments.args[..], &arguments.keywords[..])
            && !comp.parenthesized
        {
            return self.comprehension(
                (PythonKind::Generator, field, range),
                &comp.elt,
                &comp.generators,
            );
        }
        self.node(
            PythonKind::ArgumentList,
            field,
            start_of(&range),
            |writer| {
                writer.expect(TokenKind::Lpar)?;
                for argument in arguments.iter_source_order() {
                    match argument {
                        ast::ArgOrKeyword::Arg(value) => writer.expr(value, NodeField::Other)?,
                        ast::ArgOrKeyword::Keyword(keyword) => writer.keyword(keyword)?,
                    }
                }
                writer.eat(TokenKind::Comma);
                writer.expect(TokenKind::Rpar)?;
                Ok(())
            },
        )
    }

    fn keyword(&mut self, keyword: &ast::Keyword) -> Written {
        let start = start_of(keyword);
        let other = NodeField::Other;
        match &keyword.arg {
            Some(name) => self.node(PythonKind::KeywordArgument, other, start, |writer| {
                writer.leaf(PythonKind::Identifier, NodeField::Name, name.range);
                writer.expect(TokenKind::Equal)?;
                writer.expr(&keyword.value, NodeField::Value)
            }),
            None => {
                self.skip_to(start);
                self.mapping_splat(&keyword.value)
            }
        }
    }

    /// Writes `**value`.
    fn mapping_splat(&mut self, value: &Expr) -> Written {
        self.eat(TokenKind::Comma);
        let stars = self.expect(TokenKind::DoubleStar)?;
        let other = NodeField::Other;
        self.node(PythonKind::DictSplat, other, start_of(&stars), |writer| {
            writer.expr(value, other)
        })
    }

    fn subscript(&mut self, subscript: &ast::ExprSubscript, field: NodeField) -> Written {
        let start = start_of(subscript);
        self.node(PythonKind::Subscript, field, start, |writer| {
            writer.expr(&subscript.value, NodeField::Value)?;
            writer.token(TokenKind::Lsqb, PythonKind::Bracket)?;
            match bare_tuple(&subscript.slice) {
                Some(elements) => writer.bare_elements(elements, NodeField::Subscript)?,
                None => writer.expr(&subscript.slice, NodeField::Subscript)?,
            }
            writer.expect(TokenKind::Rsqb)?;
            Ok(())
        })
    }

    fn unary(&mut self, unary: &ast::ExprUnaryOp, field: NodeField) -> Written {
        let start = start_of(unary);
        let (token, kind) = match unary.op {
            UnaryOp::Not => {
                return self.node(PythonKind::Not, field, start, |writer| {
                    writer.expect(TokenKind::Not)?;
                    writer.expr(&unary.operand, NodeField::Argument)
                });
            }
            UnaryOp::Invert => (TokenKind::Tilde, PythonKind::Tilde),
            UnaryOp::UAdd => (TokenKind::Plus, PythonKind::Plus),
            UnaryOp::USub => (TokenKind::Minus, PythonKind::Minus),
        };
        self.node(PythonKind::Unary, field, start, |writer| {
            writer.token(token, kind)?;
            writer.expr(&unary.operand, NodeField::Argument)
        })
    }

    /// Writes `a and b and c`, which the grammar reads as `(a and b) and c`.
    fn junction(&mut self, junction: &ast::ExprBoolOp, field: NodeField) -> Written {
        let start = start_of(junction);
        let (token, kind) = match junction.op {
            BoolOp::And => (TokenKind::And, PythonKind::And),
            BoolOp::Or => (TokenKind::Or, PythonKind::Or),
        };
        let mut values = junction.values.iter();
        let mut open = Vec::new();
        for number in 1..junction.values.len() {
            let field = if number == 1 { field } else { NodeField::Left };
            open.push(self.open(PythonKind::Boolean, field, start));
        }
        if let Some(first) = values.next() {
            self.expr(first, NodeField::Left)?;
        }
        for value in values {
            self.token(token, kind)?;
            self.expr(value, NodeField::Right)?;
            if let Some(node) = open.pop() {
                self.close(node);
            }
        }
        Ok(())
    }

    fn comparison(&mut self, comparison: &ast::ExprCompare, field: NodeField) -> Written {
        let start = start_of(comparison);
        self.node(PythonKind::Comparison, field, start, |writer| {
            writer.expr(&comparison.left, NodeField::Other)?;
            for (op, right) in comparison.ops.iter().zip(&comparison.comparators) {
                let (first, second, kind) = compare_op(*op);
                let token = writer.expect(first)?;
                if let Some(second) = second {
                    writer.expect(second)?;
                }
                let leaf = writer.open(kind, NodeField::Other, start_of(&token));
                writer.close(leaf);
                writer.expr(right, NodeField::Other)?;
            }
            Ok(())
        })
    }

    /// Writes a display in brackets.
    fn display(
        &mut self,
        kind: PythonKind,
        field: NodeField,
        range: TextRange,
        elements: &[Expr],
    ) -> Written {
        self.node(kind, field, start_of(&range), |writer| {
            writer.next += 1;
            for element in elements {
                writer.expr(element, NodeField::Other)?;
            }
            writer.skip_to(range.end().to_u32());
            writer.end = range.end().to_u32();
            Ok(())
        })
    }

    fn dictionary(&mut self, dict: &ast::ExprDict, field: NodeField) -> Written {
        self.node(PythonKind::Dictionary, field, start_of(dict), |writer| {
            writer.expect(TokenKind::Lbrace)?;
            for item in &dict.items {
                match &item.key {
                    Some(key) => writer.pair(key, &item.value, NodeField::Other)?,
                    None => writer.mapping_splat(&item.value)?,
                }
            }
            writer.eat(TokenKind::Comma);
            writer.expect(TokenKind::Rbrace)?;
            Ok(())
        })
    }

    fn pair(&mut self, key: &Expr, value: &Expr, field: NodeField) -> Written {
        // A key may begin with a parenthesis, which its range does not contain.
        self.eat(TokenKind::Comma);
        let start = self.peek().ok_or(Unsupported)?;
        self.node(PythonKind::Pair, field, start_of(&start), |writer| {
            writer.expr(key, NodeField::Key)?;
            writer.expect(TokenKind::Colon)?;
            writer.expr(value, NodeField::Value)
        })
    }

    fn comprehension(
        &mut self,
        node: (PythonKind, NodeField, TextRange),
        element: &Expr,
        clauses: &[ast::Comprehension],
    ) -> Written {
        let body = |writer: &mut Self| writer.expr(element, NodeField::Body);
        self.comprehension_of(node, body, clauses)
    }

    fn dict_comprehension(&mut self, comp: &ast::ExprDictComp, field: NodeField) -> Written {
        let (range, value, clauses) = (comp.range, &*comp.value, &comp.generators[..]);
        if let Some(key) = comp.key.as_deref() {
            let body = |writer: &mut Self| writer.pair(key, value, NodeField::Body);
            let node = (PythonKind::DictComprehension, field, range);
            return self.comprehension_of(node, body, clauses);
        }
        // `{**value for …}` (PEP 798): a set of `*value` behind another star, as lowering expects.
        let body = |writer: &mut Self| {
            let stars = writer.expect(TokenKind::DoubleStar)?;
            let (kind, start) = (PythonKind::ListSplat, start_of(&stars) + 1);
            writer.node(kind, NodeField::Body, start, |writer| {
                writer.expr(value, NodeField::Other)
            })
        };
        self.comprehension_of((PythonKind::SetComprehension, field, range), body, clauses)
    }

    fn comprehension_of(
        &mut self,
        (kind, field, range): (PythonKind, NodeField, TextRange),
        body: impl FnOnce(&mut Self) -> Written,
        clauses: &[ast::Comprehension],
    ) -> Written {
        self.node(kind, field, start_of(&range), |writer| {
            writer.next += 1;
            body(writer)?;
            for clause in clauses {
                writer.clause(clause)?;
            }
            writer.skip_to(range.end().to_u32());
            writer.end = range.end().to_u32();
            Ok(())
        })
    }

    fn clause(&mut self, clause: &ast::Comprehension) -> Written {
        let other = NodeField::Other;
        self.node(PythonKind::ForIn, other, start_of(clause), |writer| {
            if clause.is_async {
                writer.token(TokenKind::Async, PythonKind::AsyncKeyword)?;
            }
            writer.expect(TokenKind::For)?;
            writer.target_list(&clause.target, NodeField::Left)?;
            writer.expect(TokenKind::In)?;
            writer.expr(&clause.iter, NodeField::Right)
        })?;
        for test in &clause.ifs {
            let keyword = self.expect(TokenKind::If)?;
            self.node(PythonKind::IfClause, other, start_of(&keyword), |writer| {
                writer.expr(test, other)
            })?;
        }
        Ok(())
    }
}

/// Returns the elements of a tuple without parentheses.
pub(super) fn bare_tuple(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Tuple(tuple) if !tuple.parenthesized => Some(&tuple.elts),
        _ => None,
    }
}

fn operator(op: Operator) -> (TokenKind, PythonKind) {
    match op {
        Operator::Add => (TokenKind::Plus, PythonKind::Plus),
        Operator::Sub => (TokenKind::Minus, PythonKind::Minus),
        Operator::Mult => (TokenKind::Star, PythonKind::Star),
        Operator::MatMult => (TokenKind::At, PythonKind::At),
        Operator::Div => (TokenKind::Slash, PythonKind::Slash),
        Operator::Mod => (TokenKind::Percent, PythonKind::Percent),
        Operator::Pow => (TokenKind::DoubleStar, PythonKind::DoubleStar),
        Operator::LShift => (TokenKind::LeftShift, PythonKind::ShiftLeft),
        Operator::RShift => (TokenKind::RightShift, PythonKind::ShiftRight),
        Operator::BitOr => (TokenKind::Vbar, PythonKind::Pipe),
        Operator::BitXor => (TokenKind::CircumFlex, PythonKind::Caret),
        Operator::BitAnd => (TokenKind::Amper, PythonKind::Amp),
        Operator::FloorDiv => (TokenKind::DoubleSlash, PythonKind::DoubleSlash),
    }
}

/// Returns the tokens of a comparison operator, and the kind of its node.
fn compare_op(op: CmpOp) -> (TokenKind, Option<TokenKind>, PythonKind) {
    match op {
        CmpOp::Eq => (TokenKind::EqEqual, None, PythonKind::EqualEqual),
        CmpOp::NotEq => (TokenKind::NotEqual, None, PythonKind::NotEqual),
        CmpOp::Lt => (TokenKind::Less, None, PythonKind::Less),
        CmpOp::LtE => (TokenKind::LessEqual, None, PythonKind::LessEqual),
        CmpOp::Gt => (TokenKind::Greater, None, PythonKind::Greater),
        CmpOp::GtE => (TokenKind::GreaterEqual, None, PythonKind::GreaterEqual),
        CmpOp::Is => (TokenKind::Is, None, PythonKind::Is),
        CmpOp::IsNot => (TokenKind::Is, Some(TokenKind::Not), PythonKind::IsNot),
        CmpOp::In => (TokenKind::In, None, PythonKind::In),
        CmpOp::NotIn => (TokenKind::Not, Some(TokenKind::In), PythonKind::NotIn),
    }
}
