//! Writes functions, classes, parameters and type expressions.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{self as ast, Expr, TypeParam};
use ruff_text_size::Ranged;

use super::super::kinds::{NodeField, PythonKind};
use super::{TreeWriter, Unsupported, Written, start_of};

impl TreeWriter<'_> {
    /// Writes a function with its decorators.
    pub(super) fn function(&mut self, function: &ast::StmtFunctionDef) -> Written {
        self.decorated(&function.decorator_list, |writer, field| {
            let start = writer.peek().ok_or(Unsupported)?;
            writer.node(PythonKind::Function, field, start_of(&start), |writer| {
                if function.is_async {
                    writer.token(TokenKind::Async, PythonKind::AsyncKeyword)?;
                }
                writer.expect(TokenKind::Def)?;
                let name = function.name.range;
                writer.leaf(PythonKind::Identifier, NodeField::Name, name);
                if let Some(params) = &function.type_params {
                    writer.type_params(params, NodeField::TypeParameters)?;
                }
                let parameters = &function.parameters;
                writer.parameters(parameters, PythonKind::Parameters)?;
                if let Some(returns) = &function.returns {
                    writer.expect(TokenKind::Rarrow)?;
                    writer.annotation(returns, NodeField::ReturnType)?;
                }
                writer.expect(TokenKind::Colon)?;
                writer.block(&function.body, NodeField::Body)
            })
        })
    }

    /// Writes a class with its decorators.
    pub(super) fn class(&mut self, class: &ast::StmtClassDef) -> Written {
        self.decorated(&class.decorator_list, |writer, field| {
            let start = writer.peek().ok_or(Unsupported)?;
            writer.node(PythonKind::Class, field, start_of(&start), |writer| {
                writer.expect(TokenKind::Class)?;
                writer.leaf(PythonKind::Identifier, NodeField::Name, class.name.range);
                if let Some(params) = &class.type_params {
                    writer.type_params(params, NodeField::TypeParameters)?;
                }
                if let Some(arguments) = &class.arguments {
                    writer.arguments(arguments, NodeField::Superclasses)?;
                }
                writer.expect(TokenKind::Colon)?;
                writer.block(&class.body, NodeField::Body)
            })
        })
    }

    fn decorated(
        &mut self,
        decorators: &[ast::Decorator],
        definition: impl FnOnce(&mut Self, NodeField) -> Written,
    ) -> Written {
        let Some(first) = decorators.first() else {
            return definition(self, NodeField::Other);
        };
        let other = NodeField::Other;
        self.node(PythonKind::Decorated, other, start_of(first), |writer| {
            for decorator in decorators {
                writer.node(
                    PythonKind::Decorator,
                    other,
                    start_of(decorator),
                    |writer| {
                        writer.expect(TokenKind::At)?;
                        writer.expr(&decorator.expression, other)
                    },
                )?;
                writer.expect(TokenKind::Newline)?;
            }
            definition(writer, other)
        })
    }

    /// Writes the parameters of a function in parentheses, or those of a lambda.
    pub(super) fn parameters(&mut self, parameters: &ast::Parameters, kind: PythonKind) -> Written {
        let (start, end) = (parameters.start().to_u32(), parameters.end().to_u32());
        self.node(kind, NodeField::Parameters, start, |writer| {
            writer.eat(TokenKind::Lpar);
            for parameter in &parameters.posonlyargs {
                writer.parameter(parameter)?;
            }
            if !parameters.posonlyargs.is_empty() {
                writer.eat(TokenKind::Comma);
                writer.token(TokenKind::Slash, PythonKind::PositionalSeparator)?;
            }
            for parameter in &parameters.args {
                writer.parameter(parameter)?;
            }
            if let Some(rest) = &parameters.vararg {
                writer.rest(rest, TokenKind::Star, PythonKind::SplatPattern)?;
            } else if !parameters.kwonlyargs.is_empty() {
                writer.eat(TokenKind::Comma);
                writer.token(TokenKind::Star, PythonKind::KeywordSeparator)?;
            }
            for parameter in &parameters.kwonlyargs {
                writer.parameter(parameter)?;
            }
            if let Some(rest) = &parameters.kwarg {
                writer.rest(rest, TokenKind::DoubleStar, PythonKind::DictSplatPattern)?;
            }
            writer.skip_to(end);
            writer.end = end;
            Ok(())
        })
    }

    fn parameter(&mut self, with_default: &ast::ParameterWithDefault) -> Written {
        let parameter = &with_default.parameter;
        let name = parameter.name.range;
        let (other, start) = (NodeField::Other, start_of(with_default));
        let annotation = parameter.annotation.as_deref();
        let kind = match (annotation, &with_default.default) {
            (None, None) => {
                self.leaf(PythonKind::Identifier, other, name);
                return Ok(());
            }
            (Some(_), None) => PythonKind::TypedParameter,
            (None, Some(_)) => PythonKind::DefaultParameter,
            (Some(_), Some(_)) => PythonKind::TypedDefaultParameter,
        };
        let field = match kind {
            PythonKind::TypedParameter => other,
            _ => NodeField::Name,
        };
        self.node(kind, other, start, |writer| {
            writer.leaf(PythonKind::Identifier, field, name);
            if let Some(annotation) = annotation {
                writer.expect(TokenKind::Colon)?;
                writer.annotation(annotation, NodeField::Type)?;
            }
            if let Some(default) = &with_default.default {
                writer.expect(TokenKind::Equal)?;
                writer.expr(default, NodeField::Value)?;
            }
            Ok(())
        })
    }

    /// Writes `*args` or `**kwargs`.
    fn rest(&mut self, rest: &ast::Parameter, stars: TokenKind, kind: PythonKind) -> Written {
        self.eat(TokenKind::Comma);
        let token = self.expect(stars)?;
        let (other, start) = (NodeField::Other, start_of(&token));
        let name = |writer: &mut Self| {
            writer.node(kind, other, start, |writer| {
                writer.leaf(PythonKind::Identifier, other, rest.name.range);
                Ok(())
            })
        };
        let Some(annotation) = &rest.annotation else {
            return name(self);
        };
        self.node(PythonKind::TypedParameter, other, start, |writer| {
            name(writer)?;
            writer.expect(TokenKind::Colon)?;
            writer.annotation(annotation, NodeField::Type)
        })
    }

    /// Writes a type expression.
    pub(super) fn annotation(&mut self, annotation: &Expr, field: NodeField) -> Written {
        let start = self.peek().ok_or(Unsupported)?;
        self.node(PythonKind::Type, field, start_of(&start), |writer| {
            writer.expr(annotation, NodeField::Other)
        })
    }

    /// Writes type parameters (PEP 695).
    pub(super) fn type_params(&mut self, params: &ast::TypeParams, field: NodeField) -> Written {
        let start = start_of(params);
        self.node(PythonKind::TypeParameter, field, start, |writer| {
            writer.expect(TokenKind::Lsqb)?;
            for param in &params.type_params {
                writer.eat(TokenKind::Comma);
                writer.type_param(param)?;
            }
            writer.eat(TokenKind::Comma);
            writer.expect(TokenKind::Rsqb)?;
            Ok(())
        })
    }

    /// Writes a type parameter with its bound. A default (PEP 696) is a bound too, or an
    /// alternative to it: the grammar knows no defaults, so lowering has no other form for them.
    fn type_param(&mut self, param: &TypeParam) -> Written {
        let (other, start) = (NodeField::Other, start_of(param));
        let bound = match param {
            TypeParam::TypeVar(variable) => variable.bound.as_deref(),
            TypeParam::TypeVarTuple(_) | TypeParam::ParamSpec(_) => None,
        };
        self.node(PythonKind::Type, other, start, |writer| {
            let default = param.default();
            if bound.is_none() && default.is_none() {
                return writer.type_param_name(param);
            }
            writer.node(PythonKind::ConstrainedType, other, start, |writer| {
                writer.node(PythonKind::Type, other, start, |writer| {
                    writer.type_param_name(param)
                })?;
                let (Some(bound), Some(default)) = (bound, default) else {
                    writer.next += 1;
                    let only = bound.or(default).ok_or(Unsupported)?;
                    return writer.annotation(only, other);
                };
                writer.expect(TokenKind::Colon)?;
                let start = start_of(&writer.peek().ok_or(Unsupported)?);
                writer.node(PythonKind::Type, other, start, |writer| {
                    writer.node(PythonKind::Binary, other, start, |writer| {
                        writer.expr(bound, NodeField::Left)?;
                        writer.token(TokenKind::Equal, PythonKind::Pipe)?;
                        writer.expr(default, NodeField::Right)
                    })
                })
            })
        })
    }

    fn type_param_name(&mut self, param: &TypeParam) -> Written {
        let (other, name) = (NodeField::Other, param.name().range);
        let stars = match param {
            TypeParam::TypeVar(_) => {
                self.leaf(PythonKind::Identifier, other, name);
                return Ok(());
            }
            TypeParam::TypeVarTuple(_) => TokenKind::Star,
            TypeParam::ParamSpec(_) => TokenKind::DoubleStar,
        };
        let stars = self.expect(stars)?;
        self.node(PythonKind::SplatType, other, start_of(&stars), |writer| {
            writer.leaf(PythonKind::Identifier, other, name);
            Ok(())
        })
    }
}
