//! The declarations that names, imports and attribute stores resolve to, where code uses them.

use codeweft_db::{NameId, SymbolClass, SymbolId};
use codeweft_python_syntax::{Access, ItemKind, NONE, Node, NodeId, is_comprehension};

use crate::classes::{OwnMember, class_info, find_accessor, find_in_mro, own_member};
use crate::infer::{Frame, ImportTarget, import_target};
use crate::keys::ClassKey;
use crate::members::{FunctionKind, Reading};
use crate::values::{Shape, Value, shape};

/// Returns the declaration that a name resolves to where it is used; `None` for locals.
pub(crate) fn named_target(
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
        Some(ItemKind::Module) => frame.resolve(module, name),
        Some(ItemKind::Class) => {
            let class = *frame.symbols.get(scope as usize)?;
            own_member(db, class, name)
                .map(OwnMember::symbol)
                .or_else(|| frame.resolve(class, name))
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
            // A captured name may be bound to a function or an import.
            of_value.or_else(|| {
                let scope = *frame.symbols.get(scope as usize)?;
                let symbol = frame.resolve(scope, name)?;
                let is_local = db.shared().symbols.key(symbol).class == SymbolClass::Variable
                    && db.shared().symbols.key(symbol).parent == Some(scope);
                (!is_local).then_some(symbol)
            })
        }
        None => frame.resolve(module, name).or_else(|| {
            let builtins = crate::infer::builtins_module(frame.db, frame.unit?)?;
            frame.resolve(builtins, name)
        }),
    }
}

pub(crate) fn import_symbol(frame: &Frame<'_>, import: u32, which: u32) -> Option<SymbolId> {
    match import_target(frame.db, frame.file, import, which)? {
        ImportTarget::Symbol(symbol) => Some(symbol),
        ImportTarget::Name(module, name) => frame.resolve(module, name),
    }
}

/// Returns what storing or deleting an attribute of a value declares or runs: a field or variable,
/// or the setter or deleter of a property.
pub(super) fn stored_target(
    frame: &Frame<'_>,
    one: Value,
    name: NameId,
    access: Access,
) -> Option<(SymbolId, bool)> {
    let db = frame.db;
    let class = match shape(db, one) {
        // A store to a name that a module imports writes the imported symbol, not a variable of the
        // module.
        Shape::Module(module) => return Some((frame.resolve(*module, name)?, false)),
        Shape::Instance { class, .. } | Shape::Class(class) | Shape::Subclass(class) => {
            class.symbol
        }
        Shape::Receiver(class) | Shape::ReceiverClass(class) => *class,
        _ => return None,
    };
    let kind = match access {
        Access::Delete => FunctionKind::Deleter,
        _ => FunctionKind::Setter,
    };
    if let Some(function) = find_accessor(db, class, name, kind, Reading::ByName) {
        return Some((function, true));
    }
    let info = class_info(db, ClassKey::new(db, class));
    let (_, own) = find_in_mro(db, &info, name, 0)?;
    Some((own.symbol(), false))
}
