//! Look-ups on what gives modules: these have the names of modules, and methods only if their class has some.
//!
//! ```python
//! getattr(importlib.import_module(path), name)   # a function or class of a module, no method
//! class Lazy(types.ModuleType):                  # but for the methods of such classes
//!     def load(self): ...
//! ```

use std::sync::Arc;

use codeweft_db::{Db, SymbolClass, SymbolId, UnitGraph};
use codeweft_python_syntax::{Node, NodeId};
use rustc_hash::FxHashSet;

use super::modules_read::TAKING;
use super::workspace_modules::py_workspace_modules;
use crate::classes::class_info;
use crate::declared::{enclosing_module, file_of_module, file_symbols, is_of_workspace};
use crate::infer::{Frame, path_of};
use crate::keys::ClassKey;

/// The functions that give a module.
const IMPORTING: [&str; 2] = ["builtins.__import__", "importlib.import_module"];

/// The dictionary of the loaded modules.
const LOADED: &str = "sys.modules";

/// How many variables and branches are looked through.
const MAX_DEPTH: u32 = 8;

/// Returns whether an expression gives a module, or `None`.
pub(crate) fn is_module_object(frame: &Frame<'_>, node: NodeId) -> bool {
    is_module(frame, node, MAX_DEPTH)
}

fn is_module(frame: &Frame<'_>, node: NodeId, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let names = &frame.db.shared().names;
    let is_loaded = |base| path_of(frame, base).as_deref() == Some(LOADED);
    match frame.kind(node) {
        Node::Phi(list) | Node::Union(list) => {
            let nodes = frame.code.list(list);
            let mut each = nodes.iter().map(|&one| is_module(frame, one, depth - 1));
            !nodes.is_empty() && each.all(|is_module| is_module)
        }
        Node::NotNone { value, .. } => is_module(frame, value, depth - 1),
        Node::Subscript { base, .. } => is_loaded(base),
        Node::Call(number) => {
            let Some(call) = frame.code.calls.get(number as usize) else {
                return false;
            };
            match frame.kind(call.callee) {
                // A second argument is a default.
                Node::Attr { base, name } if TAKING.contains(&names.text(name)) => {
                    frame.code.list(call.positional).len() == 1 && is_loaded(base)
                }
                _ => {
                    let path = path_of(frame, call.callee);
                    path.is_some_and(|path| IMPORTING.contains(&path.as_str()))
                }
            }
        }
        _ => false,
    }
}

/// Returns whether a class is `types.ModuleType`.
fn is_module_type(db: &dyn Db, class: SymbolId) -> bool {
    let shared = db.shared();
    let name = |symbol: SymbolId| shared.names.text(shared.symbols.key(symbol).name);
    name(class) == "ModuleType"
        && !is_of_workspace(db, class)
        && name(enclosing_module(db, class)) == "types"
}

/// Returns the classes of the workspace that objects of modules may be of, with those above them.
#[salsa::tracked(returns(clone))]
pub fn py_module_classes(db: &dyn Db, graph: UnitGraph) -> Arc<FxHashSet<SymbolId>> {
    let mut found = FxHashSet::default();
    for module in &py_workspace_modules(db, graph).modules {
        let Some(file) = file_of_module(db, module.symbol) else {
            continue;
        };
        let symbols = &db.shared().symbols;
        let declared = file_symbols(db, file);
        let classes = declared.iter().copied();
        for class in classes.filter(|&one| symbols.key(one).class == SymbolClass::Type) {
            let info = class_info(db, ClassKey::new(db, class));
            let mut above = info.mro.iter();
            if info.has_unknown_base || above.any(|&above| is_module_type(db, above)) {
                found.extend(info.mro.iter().copied());
            }
        }
    }
    Arc::new(found)
}
