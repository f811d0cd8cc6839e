//! Which declaration a name, an import or a store into an attribute means.

use codeweft_db::{NameId, SymbolClass, SymbolId};
use codeweft_syntax::python::{Access, ItemKind, NONE, Node, NodeId, is_comprehension};

use crate::classes::{ClassKey, OwnMember, class_info, find, own, setter};
use crate::infer::{Frame, FunctionKind, ImportTarget, import_target};
use crate::values::{Shape, Value, shape};

/// The declared thing that a name denotes where it is used; `None` for locals.
pub(super) fn named(
    frame: &Frame<'_>,
    scope: u32,
    name: NameId,
    value: NodeId,
) -> Option<SymbolId> {
    if is_comprehension(scope) {
        return None;
    }
    let db = frame.db;
    let module = *frame.symbols.first()?;
    let kind = frame.items.items.get(scope as usize).map(|item| item.kind);
    match kind {
        Some(ItemKind::Module) => frame.denoted(module, name),
        Some(ItemKind::Class) => {
            let class = *frame.symbols.get(scope as usize)?;
            own(db, class, name)
                .map(OwnMember::symbol)
                .or_else(|| frame.denoted(class, name))
        }
        Some(ItemKind::Function | ItemKind::Lambda) => {
            let of_value = match frame.kind(value) {
                Node::Item(item) | Node::Decorated(item) => {
                    frame.symbols.get(item as usize).copied()
                }
                Node::Import { import, which } if value != NONE => {
                    import_symbol(frame, import, which)
                }
                _ => None,
            };
            // A captured name may be a function's or an import's.
            of_value.or_else(|| {
                let scope = *frame.symbols.get(scope as usize)?;
                let symbol = frame.denoted(scope, name)?;
                let is_local = db.shared().symbols.key(symbol).class == SymbolClass::Variable
                    && db.shared().symbols.key(symbol).parent == Some(scope);
                (!is_local).then_some(symbol)
            })
        }
        None => frame.denoted(module, name).or_else(|| {
            let builtins = crate::infer::builtins_of(frame)?;
            frame.denoted(builtins, name)
        }),
    }
}

pub(super) fn import_symbol(frame: &Frame<'_>, import: u32, which: u32) -> Option<SymbolId> {
    match import_target(frame.db, frame.file, import, which)? {
        ImportTarget::Symbol(symbol) => Some(symbol),
        ImportTarget::Name(module, name) => frame.denoted(module, name),
    }
}

/// What a store into an attribute of a value, or its deletion, declares or runs: a field or
/// variable, or a property's setter or deleter.
pub(super) fn stored(
    frame: &Frame<'_>,
    one: Value,
    name: NameId,
    access: Access,
) -> Option<(SymbolId, bool)> {
    let db = frame.db;
    let class = match shape(db, one) {
        // What a module imports is stored under its name, and no name of its own.
        Shape::Module(module) => return Some((frame.denoted(*module, name)?, false)),
        Shape::Instance { class, .. } | Shape::Class(class) | Shape::Subclass(class) => {
            class.symbol
        }
        Shape::Me(class) | Shape::MyClass(class) => *class,
        _ => return None,
    };
    let kind = match access {
        Access::Delete => FunctionKind::Deleter,
        _ => FunctionKind::Setter,
    };
    if let Some(function) = setter(db, class, name, kind) {
        return Some((function, true));
    }
    let info = class_info(db, ClassKey::new(db, class));
    let (_, own) = find(db, &info, name, 0)?;
    Some((own.symbol(), false))
}
