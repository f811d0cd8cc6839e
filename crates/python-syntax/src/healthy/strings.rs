//! Writes strings, adjacent ones and the parts of f-strings.

use ruff_python_ast::{self as ast, Expr, FStringPart, InterpolatedStringElement};
use ruff_text_size::TextRange;

use super::super::kinds::{NodeField, PythonKind};
use super::{TreeWriter, Unsupported, Written, start_of};

impl TreeWriter<'_> {
    /// Writes a string, or several adjacent ones.
    pub(super) fn string(&mut self, expr: &Expr, field: NodeField) -> Written {
        let start = start_of(expr);
        let is_one = match expr {
            Expr::StringLiteral(string) => !string.value.is_implicit_concatenated(),
            Expr::BytesLiteral(string) => !string.value.is_implicit_concatenated(),
            Expr::FString(string) => !string.value.is_implicit_concatenated(),
            Expr::TString(string) => !string.value.is_implicit_concatenated(),
            _ => return Err(Unsupported),
        };
        if is_one {
            return self.pieces(expr, field);
        }
        self.node(PythonKind::Concatenated, field, start, |writer| {
            writer.pieces(expr, NodeField::Other)
        })
    }

    fn pieces(&mut self, expr: &Expr, field: NodeField) -> Written {
        match expr {
            Expr::StringLiteral(string) => {
                for piece in string.value.iter() {
                    self.piece(piece.range, &[], field)?;
                }
            }
            Expr::BytesLiteral(string) => {
                for piece in string.value.iter() {
                    self.piece(piece.range, &[], field)?;
                }
            }
            Expr::FString(string) => {
                for piece in string.value.iter() {
                    match piece {
                        FStringPart::Literal(piece) => self.piece(piece.range, &[], field)?,
                        FStringPart::FString(piece) => {
                            self.piece(piece.range, &piece.elements, field)?;
                        }
                    }
                }
            }
            Expr::TString(string) => {
                for piece in string.value.iter() {
                    self.piece(piece.range, &piece.elements, field)?;
                }
            }
            _ => return Err(Unsupported),
        }
        Ok(())
    }

    /// Writes one string: its quotes with the prefix, and the expressions in it.
    fn piece(
        &mut self,
        range: TextRange,
        elements: &[InterpolatedStringElement],
        field: NodeField,
    ) -> Written {
        let text = self.text(range);
        let prefix = text.find(['"', '\'']).ok_or(Unsupported)?;
        let quotes = text.get(prefix..).unwrap_or("");
        let is_triple = quotes.starts_with("\"\"\"") || quotes.starts_with("'''");
        let quotes = if is_triple { 3 } else { 1 };
        let (start, end) = (range.start().to_u32(), range.end().to_u32());
        let other = NodeField::Other;
        self.node(PythonKind::String, field, start, |writer| {
            let open = writer.open(PythonKind::StringStart, other, start);
            writer.end = start + prefix as u32 + quotes;
            writer.close(open);
            writer.elements(elements, PythonKind::Interpolation)?;
            writer.skip_to(end);
            let close = writer.open(PythonKind::StringEnd, other, end.saturating_sub(quotes));
            writer.end = end;
            writer.close(close);
            Ok(())
        })
    }

    /// Writes the expressions in braces; those of a format specifier are of a kind of their own.
    fn elements(&mut self, elements: &[InterpolatedStringElement], kind: PythonKind) -> Written {
        for element in elements {
            if let InterpolatedStringElement::Interpolation(part) = element {
                self.interpolation(part, kind)?;
            }
        }
        Ok(())
    }

    fn interpolation(&mut self, part: &ast::InterpolatedElement, kind: PythonKind) -> Written {
        let end = part.range.end().to_u32();
        self.skip_to(start_of(&part.range) + 1);
        self.node(kind, NodeField::Other, start_of(&part.range), |writer| {
            writer.expr_list(&part.expression, NodeField::Expression)?;
            if let Some(spec) = &part.format_spec {
                let field = NodeField::FormatSpec;
                writer.node(
                    PythonKind::FormatSpec,
                    field,
                    start_of(&spec.range),
                    |writer| {
                        writer.elements(&spec.elements, PythonKind::FormatExpression)?;
                        writer.end = spec.range.end().to_u32();
                        Ok(())
                    },
                )?;
            }
            writer.skip_to(end);
            writer.end = end;
            Ok(())
        })
    }
}
