//! Types whose values become values of an interface, and fields that are set or read without their
//! names: what is in use though no use names it.
//!
//! ```go
//! fmt.Println([]Level{Low})   // values of Level become values of an interface, in a slice
//! p := point{1, 2}            // the fields of point are set by position
//! ```

use codeweft_db::{BoxedType, SymbolId};
use codeweft_go_syntax::ExprId;

use super::recorders::{FlowRecorder, UseRecorder};
use super::tokens::{first_token, token};
use crate::types::{StructField, Ty, Type};

/// The limit on the nesting of type literals in which named types are searched.
const MAX_DEPTH: u32 = 8;

impl UseRecorder<'_, '_> {
    /// Records that a field is set by its position.
    pub(super) fn field_without_name(&mut self, field: Option<SymbolId>) {
        if let (Some(field), Some(record)) = (field, &mut self.recording.record) {
            record.unnamed_fields.push(field);
        }
    }
}

impl FlowRecorder<'_, '_> {
    /// Records that a value of a type becomes one of an interface, or the type an argument for a type
    /// parameter: the named types that it consists of.
    pub(super) fn boxed(&mut self, ty: Ty, value: Option<ExprId>) {
        let mut named = Vec::new();
        self.add_named(ty, 0, &mut named);
        if named.is_empty() {
            return;
        }
        let at = value.and_then(|at| token(self.code, at).or_else(|| first_token(self.code, at)));
        if let Some(record) = &mut self.recording.record {
            let occ = at.map_or(0, |tok| tok.wrapping_sub(record.first));
            let body = record.body;
            let found = named.into_iter();
            record
                .boxed
                .extend(found.map(|ty| BoxedType { ty, body, occ }));
        }
    }

    fn add_named(&self, ty: Ty, depth: u32, named: &mut Vec<SymbolId>) {
        if depth > MAX_DEPTH {
            return;
        }
        match self.cx.types.get(ty) {
            Type::Named(symbol, args) => {
                named.push(*symbol);
                for &arg in args {
                    self.add_named(arg, depth + 1, named);
                }
            }
            Type::Pointer(inner)
            | Type::Slice(inner)
            | Type::Array(inner, _)
            | Type::Chan(_, inner) => self.add_named(*inner, depth + 1, named),
            Type::Map(key, value) => {
                self.add_named(*key, depth + 1, named);
                self.add_named(*value, depth + 1, named);
            }
            Type::Struct(fields) => {
                for field in fields {
                    self.add_named(field.ty, depth + 1, named);
                }
            }
            _ => {}
        }
    }

    /// Records that fields are read and set by their positions: their struct is converted.
    pub(super) fn fields_without_names(&mut self, fields: &[StructField]) {
        if let Some(record) = &mut self.recording.record {
            let symbols = fields.iter().filter_map(|field| field.symbol);
            record.unnamed_fields.extend(symbols);
        }
    }

    /// Records that a pointer is converted from or to an `unsafe.Pointer`: the fields behind it are
    /// reached by their addresses.
    pub(super) fn pointee_is_reached(&mut self, pointer: Ty) {
        let types = self.cx.types;
        if let Type::Pointer(target) = types.get(self.lookup().core(pointer))
            && let Type::Struct(fields) = types.get(self.lookup().core(*target))
        {
            self.fields_without_names(fields);
        }
    }
}
