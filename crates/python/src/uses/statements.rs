//! Calls made by decorators and class statements.

use codeweft_db::{Resolution, Role, SymbolId};
use codeweft_python_syntax::Node;

use super::UseReader;
use crate::classes::{OwnMember, class_info, find_in_mro};
use crate::infer::{Frame, is_modelled};
use crate::keys::ClassKey;
use crate::known;

impl UseReader<'_> {
    /// Adds the call that applies a decorator.
    pub(super) fn decorate(&mut self, frame: &Frame<'_>, occ: u32, item: u32, which: u32) {
        // The decorator's node in this body is no callee; its value is that of the item's decorator
        // node.
        let own = Frame::of_items(self.db, frame.file, frame.item);
        let declared = &frame.items.items[item as usize];
        let Some(&node) = declared.decorators.get(which as usize) else {
            return;
        };
        // `@x.setter` copies the property and runs nothing of the workspace.
        if let Node::Attr { name, .. } = own.kind(node)
            && known::property_method(self.db.shared().names.text(name)).is_some()
        {
            return;
        }
        let own = own.evaluate(&[node]);
        self.visit_call(&own, occ, node, 1.into());
    }

    /// Adds what a class statement runs: `__init_subclass__` of its bases, and `__prepare__`,
    /// `__new__` and `__init__` of its metaclass (Python reference, "Customizing class creation").
    pub(super) fn class_statement(&mut self, frame: &Frame<'_>, occ: u32, item: u32) {
        let db = self.db;
        let Some(&class) = frame.symbols.get(item as usize) else {
            return;
        };
        let names = &db.shared().names;
        let info = class_info(db, ClassKey::new(db, class));
        let mut found: Vec<SymbolId> = Vec::new();
        let init_subclass = names.intern("__init_subclass__");
        if let Some((_, OwnMember::Function { function, .. })) =
            find_in_mro(db, &info, init_subclass, 1)
        {
            found.push(function);
        }
        if let Some(metaclass) = info.metaclass {
            let of_meta = class_info(db, ClassKey::new(db, metaclass));
            for method in ["__prepare__", "__new__", "__init__"] {
                if let Some((_, OwnMember::Function { function, .. })) =
                    find_in_mro(db, &of_meta, names.intern(method), 0)
                {
                    found.push(function);
                }
            }
        }
        for function in found {
            if !is_modelled(db, function) {
                self.record
                    .add(occ, function, Role::Call, Resolution::Exact, true);
            }
        }
        self.set_names(frame, occ, item);
    }
}
