//! Writes the `match` statement with its patterns.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{self as ast, Expr, Pattern, Singleton};
use ruff_text_size::Ranged;

use super::super::kinds::{NodeField, PythonKind};
use super::exprs::bare_tuple;
use super::{TreeWriter, Unsupported, Written, start_of};

impl TreeWriter<'_> {
    /// Writes a `match` statement.
    pub(super) fn match_statement(&mut self, statement: &ast::StmtMatch) -> Written {
        let start = start_of(statement);
        self.node(PythonKind::Match, NodeField::Other, start, |writer| {
            writer.expect(TokenKind::Match)?;
            match bare_tuple(&statement.subject) {
                Some(subjects) => writer.bare_elements(subjects, NodeField::Subject)?,
                None => writer.expr(&statement.subject, NodeField::Subject)?,
            }
            writer.expect(TokenKind::Colon)?;
            writer.expect(TokenKind::Newline)?;
            writer.expect(TokenKind::Indent)?;
            let first = statement.cases.first().ok_or(Unsupported)?;
            let start = start_of(first);
            writer.node(PythonKind::Block, NodeField::Body, start, |writer| {
                for case in &statement.cases {
                    writer.case(case)?;
                }
                writer.comments_of_block(start);
                Ok(())
            })
        })
    }

    fn case(&mut self, case: &ast::MatchCase) -> Written {
        self.between_statements();
        let field = NodeField::Other;
        self.node(PythonKind::Case, field, start_of(case), |writer| {
            writer.expect(TokenKind::Case)?;
            match &case.pattern {
                Pattern::MatchSequence(sequence) if !writer.is_bracketed(sequence) => {
                    for pattern in &sequence.patterns {
                        writer.eat(TokenKind::Comma);
                        writer.case_pattern(pattern, field)?;
                    }
                    writer.eat(TokenKind::Comma);
                }
                pattern => writer.case_pattern(pattern, field)?,
            }
            if let Some(guard) = &case.guard {
                let keyword = writer.expect(TokenKind::If)?;
                let start = start_of(&keyword);
                writer.node(PythonKind::IfClause, NodeField::Guard, start, |writer| {
                    writer.expr(guard, NodeField::Other)
                })?;
            }
            writer.expect(TokenKind::Colon)?;
            writer.block(&case.body, NodeField::Consequence)
        })
    }

    /// Returns whether a sequence pattern is in brackets of its own.
    fn is_bracketed(&self, sequence: &ast::PatternMatchSequence) -> bool {
        let mut depth = 0u32;
        let inside = self.tokens.iter().skip(self.next);
        for token in inside.skip_while(|token| token.start() < sequence.start()) {
            match token.kind() {
                TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
                TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            if depth == 0 {
                return token.end() == sequence.end() && sequence.end() > sequence.start();
            }
        }
        false
    }

    fn case_pattern(&mut self, pattern: &Pattern, field: NodeField) -> Written {
        let start = self.peek().ok_or(Unsupported)?;
        let kind = PythonKind::CasePattern;
        self.node(kind, field, start_of(&start), |writer| {
            writer.pattern(pattern, NodeField::Other)
        })
    }

    /// Writes a pattern; each pair of parentheses around it is a pattern of one element.
    fn pattern(&mut self, pattern: &Pattern, field: NodeField) -> Written {
        let start = pattern.start().to_u32();
        let Some(paren) = self.peek().filter(|token| token.start().to_u32() < start) else {
            return self.pattern_here(pattern, field);
        };
        if self.eat(TokenKind::Lpar).is_none() {
            return Err(Unsupported);
        }
        self.node(
            PythonKind::TuplePattern,
            field,
            start_of(&paren),
            |writer| {
                writer.case_pattern(pattern, NodeField::Other)?;
                writer.expect(TokenKind::Rpar)?;
                Ok(())
            },
        )
    }

    fn pattern_here(&mut self, pattern: &Pattern, field: NodeField) -> Written {
        let (start, other) = (start_of(pattern), NodeField::Other);
        match pattern {
            Pattern::MatchValue(value) => self.value_pattern(&value.value, field),
            Pattern::MatchSingleton(literal) => {
                let kind = match literal.value {
                    Singleton::None => PythonKind::None,
                    Singleton::True => PythonKind::True,
                    Singleton::False => PythonKind::False,
                };
                self.leaf(kind, field, literal.range);
                Ok(())
            }
            Pattern::MatchSequence(sequence) => {
                let bracket = self.peek().ok_or(Unsupported)?.kind();
                let (kind, close) = match bracket {
                    TokenKind::Lpar => (PythonKind::TuplePattern, TokenKind::Rpar),
                    TokenKind::Lsqb => (PythonKind::ListPattern, TokenKind::Rsqb),
                    _ => return Err(Unsupported),
                };
                self.node(kind, field, start, |writer| {
                    writer.expect(bracket)?;
                    for pattern in &sequence.patterns {
                        writer.eat(TokenKind::Comma);
                        writer.case_pattern(pattern, other)?;
                    }
                    writer.eat(TokenKind::Comma);
                    writer.expect(close)?;
                    Ok(())
                })
            }
            Pattern::MatchStar(star) => self.star_pattern(TokenKind::Star, star.name.as_ref()),
            Pattern::MatchMapping(mapping) => self.mapping_pattern(mapping, field),
            Pattern::MatchClass(class) => self.class_pattern(class, field),
            Pattern::MatchAs(ast::PatternMatchAs {
                pattern: Some(pattern),
                name: Some(name),
                ..
            }) => self.node(PythonKind::AsPattern, field, start, |writer| {
                writer.case_pattern(pattern, other)?;
                writer.expect(TokenKind::As)?;
                writer.leaf(PythonKind::Identifier, other, name.range);
                Ok(())
            }),
            Pattern::MatchAs(capture) => match &capture.name {
                Some(name) => self.node(PythonKind::DottedName, field, start, |writer| {
                    writer.leaf(PythonKind::Identifier, other, name.range);
                    Ok(())
                }),
                None => {
                    self.leaf(PythonKind::Underscore, field, capture.range);
                    Ok(())
                }
            },
            Pattern::MatchOr(union) => {
                self.node(PythonKind::UnionPattern, field, start, |writer| {
                    for (number, pattern) in union.patterns.iter().enumerate() {
                        if number > 0 {
                            writer.token(TokenKind::Vbar, PythonKind::Pipe)?;
                        }
                        writer.pattern(pattern, other)?;
                    }
                    Ok(())
                })
            }
        }
    }

    fn value_pattern(&mut self, value: &Expr, field: NodeField) -> Written {
        match value {
            Expr::NumberLiteral(number) => {
                self.number(number.range, field);
                Ok(())
            }
            Expr::UnaryOp(unary) => match &*unary.operand {
                Expr::NumberLiteral(number) => {
                    self.token(TokenKind::Minus, PythonKind::Minus)?;
                    self.number(number.range, field);
                    Ok(())
                }
                _ => Err(Unsupported),
            },
            Expr::BinOp(complex) => {
                self.leaf(PythonKind::ComplexPattern, field, complex.range);
                Ok(())
            }
            Expr::StringLiteral(_) | Expr::BytesLiteral(_) => self.string(value, field),
            Expr::Name(_) | Expr::Attribute(_) => self.dotted_value(value, field),
            _ => Err(Unsupported),
        }
    }

    /// Writes `a.b.c` as a dotted name.
    fn dotted_value(&mut self, value: &Expr, field: NodeField) -> Written {
        let end = value.end().to_u32();
        self.node(PythonKind::DottedName, field, start_of(value), |writer| {
            writer.names_before(end)
        })
    }

    fn star_pattern(&mut self, stars: TokenKind, name: Option<&ast::Identifier>) -> Written {
        let token = self.expect(stars)?;
        let (other, start) = (NodeField::Other, start_of(&token));
        self.node(PythonKind::StarPattern, other, start, |writer| {
            match name {
                Some(name) => writer.leaf(PythonKind::Identifier, other, name.range),
                None => writer.token(TokenKind::Name, PythonKind::Underscore)?,
            }
            Ok(())
        })
    }

    fn mapping_pattern(&mut self, mapping: &ast::PatternMatchMapping, field: NodeField) -> Written {
        self.node(
            PythonKind::DictPattern,
            field,
            start_of(mapping),
            |writer| {
                writer.expect(TokenKind::Lbrace)?;
                for (key, pattern) in mapping.keys.iter().zip(&mapping.patterns) {
                    writer.eat(TokenKind::Comma);
                    match key {
                        Expr::NoneLiteral(_) | Expr::BooleanLiteral(_) => {
                            writer.expr(key, NodeField::Key)?;
                        }
                        _ => writer.value_pattern(key, NodeField::Key)?,
                    }
                    writer.expect(TokenKind::Colon)?;
                    writer.case_pattern(pattern, NodeField::Value)?;
                }
                if let Some(rest) = &mapping.rest {
                    writer.eat(TokenKind::Comma);
                    writer.star_pattern(TokenKind::DoubleStar, Some(rest))?;
                }
                writer.eat(TokenKind::Comma);
                writer.expect(TokenKind::Rbrace)?;
                Ok(())
            },
        )
    }

    fn class_pattern(&mut self, class: &ast::PatternMatchClass, field: NodeField) -> Written {
        let other = NodeField::Other;
        self.node(PythonKind::ClassPattern, field, start_of(class), |writer| {
            writer.dotted_value(&class.cls, other)?;
            writer.expect(TokenKind::Lpar)?;
            for pattern in &class.arguments.patterns {
                writer.eat(TokenKind::Comma);
                writer.case_pattern(pattern, other)?;
            }
            for keyword in &class.arguments.keywords {
                writer.eat(TokenKind::Comma);
                let start = start_of(keyword);
                writer.node(PythonKind::CasePattern, other, start, |writer| {
                    writer.node(PythonKind::KeywordPattern, other, start, |writer| {
                        writer.leaf(PythonKind::Identifier, other, keyword.attr.range);
                        writer.expect(TokenKind::Equal)?;
                        writer.pattern(&keyword.pattern, other)
                    })
                })?;
            }
            writer.eat(TokenKind::Comma);
            writer.expect(TokenKind::Rpar)?;
            Ok(())
        })
    }
}
