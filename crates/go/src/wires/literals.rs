//! The values of composite literals (Go spec, Composite literals).

use codeweft_db::{Db, DeclaredIn, NameId, NodeKind, SymbolClass, SymbolId, ValueId, WireValue};
use codeweft_go_syntax::{Expr, ExprId, FieldKind, ListId, no_expr};

use super::WireWalk;
use crate::symbols::unit_symbols;

/// A field of a literal: name, declaration, value.
type Field = (NameId, Option<SymbolId>, ValueId);

impl WireWalk<'_> {
    /// Returns the value of a composite literal; `expected` is its type if it has none of its own.
    pub(super) fn composite(&mut self, ty: ExprId, elems: ListId, expected: ExprId) -> ValueId {
        let code = self.code;
        let mut ty = if ty == no_expr() { expected } else { ty };
        while let Expr::Star(inner) = code.exprs[ty] {
            ty = inner;
        }
        match code.exprs[ty] {
            Expr::SliceOf(elem) | Expr::DotsArray(elem) | Expr::Array { elem, .. } => {
                self.list(elems, elem)
            }
            Expr::Map { value, .. } => self.pairs(elems, value),
            Expr::Struct(fields) => {
                let fields = code.fields_of(fields).map(|field| code.fields[field]);
                let fields = fields
                    .filter(|field| matches!(field.kind, FieldKind::Named | FieldKind::Embedded));
                let fields: Vec<(NameId, Option<SymbolId>)> =
                    fields.map(|field| (code.name(field.tok), None)).collect();
                self.object(0, elems, &fields)
            }
            Expr::Name(_) | Expr::Select { .. } | Expr::Index { .. } => {
                let class = self.type_value(ty);
                let declared = match self.builder.values.get(class as usize) {
                    Some(&WireValue::Declared(class)) => struct_fields(self.db, class),
                    _ => Vec::new(),
                };
                let fields: Vec<_> = declared
                    .into_iter()
                    .map(|(name, symbol)| (name, Some(symbol)))
                    .collect();
                let is_struct = !fields.is_empty() || self.has_named_keys(elems);
                let is_map = code
                    .exprs_of(elems)
                    .any(|elem| matches!(code.exprs[elem], Expr::KeyValue { .. }));
                match (is_struct, is_map) {
                    (true, _) => self.object(class, elems, &fields),
                    (false, true) => self.pairs(elems, no_expr()),
                    (false, false) if code.exprs_of(elems).len() > 0 => self.list(elems, no_expr()),
                    (false, false) => self.object(class, elems, &fields),
                }
            }
            _ if self.has_named_keys(elems) => self.object(0, elems, &[]),
            _ => self.list(elems, no_expr()),
        }
    }

    /// Returns whether all elements have a name as their key.
    fn has_named_keys(&self, elems: ListId) -> bool {
        let code = self.code;
        let mut elems = code.exprs_of(elems);
        let is_named = |elem: ExprId| match code.exprs[elem] {
            Expr::KeyValue { key, .. } => match code.exprs[key] {
                Expr::Name(tok) => {
                    let symbol = self.tokens.symbol(tok);
                    let class = symbol.map(|symbol| self.db.shared().symbols.key(symbol).class);
                    class.is_none_or(|class| class == SymbolClass::Field)
                }
                _ => false,
            },
            _ => false,
        };
        elems.len() > 0 && elems.all(is_named)
    }

    fn list(&mut self, elems: ListId, elem: ExprId) -> ValueId {
        let code = self.code;
        let values = code.exprs_of(elems).map(|value| match code.exprs[value] {
            Expr::KeyValue { value, .. } => value,
            _ => value,
        });
        let values: Vec<ExprId> = values.collect();
        let values = values
            .into_iter()
            .map(|value| self.value_of_type(value, elem));
        let values = values.collect();
        self.builder.add(WireValue::List(values))
    }

    fn pairs(&mut self, elems: ListId, elem: ExprId) -> ValueId {
        let code = self.code;
        let mut pairs = Vec::new();
        for pair in code.exprs_of(elems) {
            if let Expr::KeyValue { key, value } = code.exprs[pair] {
                let key = self.value(key);
                pairs.push((key, self.value_of_type(value, elem)));
            }
        }
        self.builder.add(WireValue::Pairs(pairs.into()))
    }

    /// Returns the value of a struct literal, by the names of its fields or in their order.
    fn object(
        &mut self,
        class: ValueId,
        elems: ListId,
        declared: &[(NameId, Option<SymbolId>)],
    ) -> ValueId {
        let code = self.code;
        let mut fields: Vec<Field> = Vec::new();
        for (at, elem) in code.exprs_of(elems).enumerate() {
            match code.exprs[elem] {
                Expr::KeyValue { key, value } => {
                    let Expr::Name(tok) = code.exprs[key] else {
                        self.value(value);
                        continue;
                    };
                    let (name, symbol) = (code.name(tok), self.tokens.symbol(tok));
                    fields.push((name, symbol, self.value(value)));
                }
                _ => {
                    let value = self.value(elem);
                    if let Some(&(name, symbol)) = declared.get(at) {
                        fields.push((name, symbol, value));
                    }
                }
            }
        }
        self.builder.add(WireValue::Object {
            class,
            fields: fields.into(),
        })
    }
}

/// Returns the fields of a declared struct type, in text order.
pub(super) fn struct_fields(db: &dyn Db, class: SymbolId) -> Vec<(NameId, SymbolId)> {
    let DeclaredIn::Unit(unit) = db.shared().symbols.key(class).declared_in else {
        return Vec::new();
    };
    let symbols = unit_symbols(db, unit);
    let Some(parent) = symbols.row(class) else {
        return Vec::new();
    };
    let fields = symbols
        .rows
        .iter()
        .filter(|row| row.parent == parent && row.kind == NodeKind::Field);
    let mut fields: Vec<_> = fields
        .map(|row| (row.field, row.name, row.symbol))
        .collect();
    fields.sort_unstable_by_key(|&(field, ..)| field);
    fields
        .into_iter()
        .map(|(_, name, symbol)| (name, symbol))
        .collect()
}
