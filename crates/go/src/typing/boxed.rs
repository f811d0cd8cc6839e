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
use crate::types::{StructField, Ty, Type, Types};

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

/// Records that a value of a type becomes one of an interface, or the type an argument for a type
/// parameter: the named types that it consists of.
pub(super) fn boxed(recorder: &mut FlowRecorder<'_, '_>, ty: Ty, value: Option<ExprId>) {
    let mut named = Vec::new();
    add_named(recorder.cx.types, ty, 0, &mut named);
    if named.is_empty() {
        return;
    }
    let at =
        value.and_then(|at| token(recorder.code, at).or_else(|| first_token(recorder.code, at)));
    if let Some(record) = &mut recorder.recording.record {
        let occ = at.map_or(0, |tok| tok.wrapping_sub(record.first));
        let body = record.body;
        let found = named.into_iter();
        record
            .boxed
            .extend(found.map(|ty| BoxedType { ty, body, occ }));
    }
}

fn add_named(types: &Types, ty: Ty, depth: u32, named: &mut Vec<SymbolId>) {
    if depth > MAX_DEPTH {
        return;
    }
    match types.get(ty) {
        Type::Named(symbol, args) => {
            named.push(*symbol);
            for &arg in args {
                add_named(types, arg, depth + 1, named);
            }
        }
        Type::Pointer(inner)
        | Type::Slice(inner)
        | Type::Array(inner, _)
        | Type::Chan(_, inner) => add_named(types, *inner, depth + 1, named),
        Type::Map(key, value) => {
            add_named(types, *key, depth + 1, named);
            add_named(types, *value, depth + 1, named);
        }
        Type::Struct(fields) => {
            for field in fields {
                add_named(types, field.ty, depth + 1, named);
            }
        }
        _ => {}
    }
}

/// Records that fields are read and set by their positions: their struct is converted.
pub(super) fn fields_without_names(recorder: &mut FlowRecorder<'_, '_>, fields: &[StructField]) {
    if let Some(record) = &mut recorder.recording.record {
        let symbols = fields.iter().filter_map(|field| field.symbol);
        record.unnamed_fields.extend(symbols);
    }
}

/// Records that a pointer is converted from or to an `unsafe.Pointer`: the fields behind it are
/// reached by their addresses.
pub(super) fn pointee_is_reached(recorder: &mut FlowRecorder<'_, '_>, pointer: Ty) {
    let types = recorder.cx.types;
    if let Type::Pointer(target) = types.get(recorder.lookup().core(pointer))
        && let Type::Struct(fields) = types.get(recorder.lookup().core(*target))
    {
        fields_without_names(recorder, fields);
    }
}
