//! The paths by which a text names things of libraries, through variables, calls and decorators.
//!
//! ```python
//! from flask import Flask
//! app = Flask(__name__)         # app: flask.Flask, as a call gives an object of what it calls
//! app.route                     # flask.Flask.route
//! @click.group()
//! def cli(): ...                # cli: click.Group, as a row of frameworks says
//! def plug(app: Flask): ...     # app: flask.Flask, as the annotation says
//! ```
//!
//! Of what the workspace declares only variables, parameters and imports have a path: a class of its own may do anything with what
//! it is given.

use std::sync::Arc;

use codeweft_db::{Db, File, SymbolClass, SymbolId};
use codeweft_python_syntax::{BindingKind, Code, ItemKind, Items, NONE, Node, NodeId};

use crate::bindings::{name_index, visible_bindings};
use crate::declared::{
    declaration_of, dotted_path, file_of_module, file_symbols, is_of_workspace, items,
};
use crate::infer::{ImportTarget, file_imports, import_target, star_module};
use crate::keys::NameKey;
use crate::recursion::{Provisional, initial, recover, recursive};
use crate::settings;

/// How many expressions a path may lead through.
pub(super) const MAX_DEPTH: u32 = 8;

/// The maximum number of names of a path.
const MAX_NAMES: usize = 8;

/// The maximum number of paths of an expression.
const MAX_PATHS: usize = 8;

/// Expressions that are looked at: those of one item's code.
#[derive(Clone, Copy)]
pub(crate) struct Expressions<'a> {
    pub(crate) db: &'a dyn Db,
    pub(crate) file: File,
    pub(crate) items: &'a Items,
    /// The item whose code evaluates them.
    pub(crate) item: u32,
    pub(crate) code: &'a Code,
}

impl<'a> Expressions<'a> {
    /// Returns those of an item that its file's items keep.
    pub(super) fn of_items(db: &'a dyn Db, file: File, items: &'a Items, item: u32) -> Self {
        Expressions {
            db,
            file,
            items,
            item,
            code: &items.code,
        }
    }
}

/// The paths of a name.
pub type NamedPaths = Arc<[Arc<str>]>;

/// Returns the paths of what a scope binds a name to.
#[salsa::tracked(returns(clone), cycle_fn = recover, cycle_initial = initial)]
pub fn py_named_paths<'db>(db: &'db dyn Db, key: NameKey<'db>) -> NamedPaths {
    recursive(|| of_name(db, key).unwrap_or_default())
}

impl Provisional<NameKey<'_>> for NamedPaths {
    fn initial(_: &dyn Db, _: NameKey<'_>) -> NamedPaths {
        Arc::default()
    }
}

fn of_name(db: &dyn Db, key: NameKey<'_>) -> Option<NamedPaths> {
    let (scope, name) = (key.scope(db), key.name(db));
    let (file, item) = match db.shared().symbols.key(scope).class {
        SymbolClass::Package => (file_of_module(db, scope)?, 0),
        _ => declaration_of(db, scope)?,
    };
    let all = items(db, file)?;
    let mut found = Vec::new();
    let bindings = visible_bindings(all, &name_index(db, file), item, name);
    for binding in &bindings {
        let node = match binding.kind {
            BindingKind::Import { import, which } => {
                add(&mut found, of_import(db, file, import, which));
                continue;
            }
            BindingKind::Item(declared) => {
                let of = Expressions::of_items(db, file, all, binding.owner);
                add(&mut found, of_item(of, declared, MAX_DEPTH));
                continue;
            }
            BindingKind::Value { annotation, .. } if annotation != NONE => annotation,
            BindingKind::Value { value, .. } if value != NONE => value,
            BindingKind::Param(number) => {
                let of = Expressions::of_items(db, file, all, binding.owner);
                add(&mut found, of_param(of, number, MAX_DEPTH));
                continue;
            }
            _ => continue,
        };
        let of = Expressions::of_items(db, file, all, binding.owner);
        add(&mut found, of_node(of, node, MAX_DEPTH));
    }
    if bindings.is_empty() && item == 0 {
        let source = star_module(db, file, name)?;
        add(&mut found, in_module(db, source, name));
    }
    Some(found.into())
}

fn add(found: &mut Vec<Arc<str>>, paths: Vec<Arc<str>>) {
    for path in paths {
        if found.len() < MAX_PATHS && !found.contains(&path) {
            found.push(path);
        }
    }
}

/// Returns the paths that the annotation of a parameter says.
fn of_param(of: Expressions<'_>, number: u32, depth: u32) -> Vec<Arc<str>> {
    let items = of.items;
    let declared = items.items.get(of.item as usize);
    let found = declared.and_then(|declared| {
        let params = items.params.get(declared.params.iter())?;
        Some((declared.parent, params.get(number as usize)?.annotation))
    });
    match found {
        Some((parent, annotation)) if annotation != NONE => {
            let of = Expressions::of_items(of.db, of.file, items, parent);
            of_node(of, annotation, depth)
        }
        _ => Vec::new(),
    }
}

/// Returns the paths of a name of a module.
fn in_module(db: &dyn Db, module: SymbolId, name: codeweft_db::NameId) -> Vec<Arc<str>> {
    if is_of_workspace(db, module) {
        py_named_paths(db, NameKey::new(db, module, name)).to_vec()
    } else {
        let name = db.shared().names.text(name);
        vec![format!("{}.{name}", dotted_path(db, module)).into()]
    }
}

fn of_import(db: &dyn Db, file: File, import: u32, which: u32) -> Vec<Arc<str>> {
    match import_target(db, file, import, which) {
        Some(ImportTarget::Symbol(module)) if !is_of_workspace(db, module) => {
            vec![dotted_path(db, module).into()]
        }
        Some(ImportTarget::Name(module, name)) => in_module(db, module, name),
        _ => Vec::new(),
    }
}

/// Returns the module of the workspace that an import of it binds.
fn module_of_import(db: &dyn Db, file: File, import: u32, which: u32) -> Option<SymbolId> {
    match import_target(db, file, import, which)? {
        ImportTarget::Symbol(module) if is_of_workspace(db, module) => Some(module),
        _ => None,
    }
}

/// Returns the paths of what a framework's decorators make of a function.
fn of_item(of: Expressions<'_>, item: u32, depth: u32) -> Vec<Arc<str>> {
    let Some(declared) = of.items.items.get(item as usize) else {
        return Vec::new();
    };
    let Some(depth) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if declared.kind == ItemKind::Function {
        let frameworks = settings::frameworks(of.db);
        let of = Expressions::of_items(of.db, of.file, of.items, declared.parent);
        for &decorator in &declared.decorators {
            for path in of_node(of, decorator, depth) {
                let given = frameworks.decorators.get(path.as_ref());
                found.extend(given.and_then(|given| given.makes.clone()));
            }
        }
    }
    found
}

/// Returns the paths of an expression.
pub(super) fn of_node(of: Expressions<'_>, node: NodeId, depth: u32) -> Vec<Arc<str>> {
    let Some(depth) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let Expressions { db, file, code, .. } = of;
    let inner = |node| of_node(of, node, depth);
    let of_scope = |scope: Option<&SymbolId>, name| match scope {
        Some(&scope) => py_named_paths(db, NameKey::new(db, scope, name)).to_vec(),
        None => Vec::new(),
    };
    match code.nodes.get(node as usize) {
        Some(&Node::Call(call)) => {
            let callee = code.calls.get(call as usize).map(|call| call.callee);
            callee.map_or_else(Vec::new, inner)
        }
        Some(&Node::Attr { base, name }) => {
            if let Some(&Node::Import { import, which }) = code.nodes.get(base as usize)
                && let Some(module) = module_of_import(db, file, import, which)
            {
                return in_module(db, module, name);
            }
            let name = db.shared().names.text(name);
            let paths = inner(base).into_iter();
            let short = paths.filter(|path| path.split('.').count() < MAX_NAMES);
            short.map(|path| format!("{path}.{name}").into()).collect()
        }
        Some(&Node::Import { import, which }) => of_import(db, file, import, which),
        Some(&Node::Global(name)) => of_scope(file_symbols(db, file).first(), name),
        Some(&Node::Free { scope, name }) => {
            of_scope(file_symbols(db, file).get(scope as usize), name)
        }
        Some(&Node::Item(item) | &Node::Decorated(item)) => of_item(of, item, depth),
        Some(&Node::Param(number)) => of_param(of, number, depth),
        Some(
            &Node::Type(value)
            | &Node::NotNone { value, .. }
            | &Node::Narrow { value, .. }
            | &Node::Await(value),
        ) => inner(value),
        Some(&Node::Union(list) | &Node::Phi(list)) => {
            let mut found = Vec::new();
            for &one in code.list(list) {
                add(&mut found, inner(one));
            }
            found
        }
        _ => Vec::new(),
    }
}

/// Returns whether a path of a decorator or callee may end with a name that a test accepts, by its own text; `holds_any` says whether
/// a variable may be anything, whatever its name.
pub(super) fn may_be_named(
    of: Expressions<'_>,
    (node, holds_any): (NodeId, bool),
    accepts: impl Fn(&str) -> bool,
) -> bool {
    let Expressions { db, file, code, .. } = of;
    let names = &db.shared().names;
    let mut at = node;
    for _ in 0..MAX_DEPTH {
        match code.nodes.get(at as usize) {
            Some(&Node::Call(call)) => match code.calls.get(call as usize) {
                Some(call) => at = call.callee,
                None => return false,
            },
            Some(&Node::Attr { name, .. }) => return accepts(names.text(name)),
            // `from click import command as c`
            Some(&Node::Import { import, which }) => {
                let import = file_imports(db, file).get(import as usize);
                let name = import.and_then(|import| import.names.get(which as usize));
                return name.is_none_or(|&name| accepts(names.text(name)));
            }
            Some(&(Node::Global(name) | Node::Free { name, .. })) => {
                return holds_any || accepts(names.text(name));
            }
            _ => return false,
        }
    }
    false
}
