//! Recognition of a few standard-library names by a file's own imports alone.
//!
//! Whether a declaration is a protocol, an overload or a `Final` decides ids and kinds, which must
//! not depend on other files. So the names are matched syntactically against the imports of the
//! file:
//!
//! ```python
//! import typing as t
//! class P(t.Protocol): ...        # KnownName::Protocol
//! from abc import abstractmethod as am
//! ```

use codeweft_db::{Db, File, NameId};
use codeweft_python_syntax::AsPython as _;
use codeweft_python_syntax::{
    self as python, BindingKind, Code, Import, ImportForm, Items, Node, NodeId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declared::items;

/// The modules that export the typing names.
const TYPING: &[&str] = &["typing", "typing_extensions"];
/// The module that exports the names for abstract classes.
const ABC: &[&str] = &["abc"];

/// A standard-library name that changes what a declaration is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KnownName {
    /// `typing.Protocol`
    Protocol,
    /// `typing.Final`
    Final,
    /// `typing.TypeAlias`
    TypeAlias,
    /// `typing.NewType`
    NewType,
    /// `abc.ABCMeta`
    AbcMeta,
    /// `abc.abstractmethod`
    AbstractMethod,
    /// `typing.overload`
    Overload,
}

impl KnownName {
    /// Returns the modules that export the name, and the name.
    fn exporters(self) -> (&'static [&'static str], &'static str) {
        match self {
            KnownName::Protocol => (TYPING, "Protocol"),
            KnownName::Final => (TYPING, "Final"),
            KnownName::TypeAlias => (TYPING, "TypeAlias"),
            KnownName::NewType => (TYPING, "NewType"),
            KnownName::AbcMeta => (ABC, "ABCMeta"),
            KnownName::AbstractMethod => (ABC, "abstractmethod"),
            KnownName::Overload => (TYPING, "overload"),
        }
    }
}

/// The names that a file's imports bind in its module.
pub(crate) struct ImportedNames<'a> {
    db: &'a dyn Db,
    code: &'a Code,
    header: &'a python::Header,
    /// Imports (import, index in it) by the name that they bind in the module.
    imported: FxHashMap<NameId, Vec<(u32, u32)>>,
    /// Classes and functions of the module by name; of several the last.
    declared: FxHashMap<NameId, u32>,
    /// All names that the module binds in any way.
    bound: FxHashSet<NameId>,
    /// The star imports.
    stars: Vec<u32>,
    /// The file name without its extension: inside `typing.py` itself, `Protocol` is the module's
    /// own.
    stem: &'a str,
}

impl<'a> ImportedNames<'a> {
    /// Reads the imports of a Python file.
    pub(crate) fn of_file(db: &'a dyn Db, file: File) -> Option<ImportedNames<'a>> {
        let header = file.header(db).python()?;
        let path: &'a str = file.path(db);
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.split('.').next().unwrap_or(name);
        Some(ImportedNames::new(db, header, items(db, file)?, stem))
    }

    fn new(
        db: &'a dyn Db,
        header: &'a python::Header,
        items: &'a Items,
        stem: &'a str,
    ) -> ImportedNames<'a> {
        let mut known_names = ImportedNames {
            stem,
            db,
            code: &items.code,
            header,
            imported: FxHashMap::default(),
            declared: FxHashMap::default(),
            bound: FxHashSet::default(),
            stars: Vec::new(),
        };
        let module = items
            .items
            .first()
            .map_or_else(Default::default, |module| module.bindings);
        for binding in items.bindings.get(module.iter()).unwrap_or_default() {
            match binding.kind {
                BindingKind::Import { import, which } => {
                    let imports = known_names.imported.entry(binding.name).or_default();
                    imports.push((import, which));
                }
                BindingKind::Star(import) => known_names.stars.push(import),
                BindingKind::Item(item) => {
                    known_names.declared.insert(binding.name, item);
                }
                _ => {}
            }
            known_names.bound.insert(binding.name);
        }
        known_names
    }

    fn text(&self, name: NameId) -> &str {
        self.db.shared().names.text(name)
    }

    fn import(&self, number: u32) -> Option<&Import> {
        self.header
            .imports
            .get(number as usize)
            .filter(|import| import.level == 0)
    }

    /// Returns whether a node of the items names `known` on some path, with or without a subscript
    /// (`Protocol[T]`).
    pub(crate) fn is(&self, node: NodeId, known: KnownName) -> bool {
        let (modules, name) = known.exporters();
        let mut open = vec![node];
        let mut seen = FxHashSet::default();
        while let Some(number) = open.pop() {
            let Some(&node) = self.code.nodes.get(number as usize) else {
                continue;
            };
            if !seen.insert(number) {
                continue;
            }
            let found = match node {
                Node::Import { import, which } => self.imports_name(import, which, modules, name),
                Node::Global(global) => self.global_is(global, modules, name),
                Node::Item(item) | Node::Decorated(item) => {
                    let own = self.db.shared().names.get(name);
                    modules.contains(&self.stem)
                        && own.and_then(|own| self.declared.get(&own)) == Some(&item)
                }
                Node::Attr {
                    base,
                    name: attribute,
                } => self.text(attribute) == name && self.is_module(base, modules),
                Node::Subscript { base, .. } => {
                    open.push(base);
                    false
                }
                Node::Type(inner) => {
                    open.push(inner);
                    false
                }
                Node::Union(list) | Node::Phi(list) => {
                    open.extend(self.code.list(list));
                    false
                }
                _ => false,
            };
            if found {
                return true;
            }
        }
        false
    }

    /// Returns whether a node of the items is a call of `known`.
    pub(crate) fn is_call_of(&self, node: NodeId, known: KnownName) -> bool {
        let Some(&Node::Call(call)) = self.code.nodes.get(node as usize) else {
            return false;
        };
        let call = self.code.calls.get(call as usize);
        call.is_some_and(|call| self.is(call.callee, known))
    }

    /// Returns the class or function of this file that a node of the items names.
    pub(crate) fn own_item(&self, node: NodeId) -> Option<u32> {
        match *self.unbracketed(node)? {
            Node::Item(item) | Node::Decorated(item) => Some(item),
            Node::Global(name) => self.declared.get(&name).copied(),
            _ => None,
        }
    }

    /// Returns whether a node of the items can only be a builtin: no scope of the file binds its
    /// name.
    pub(crate) fn is_builtin(&self, node: NodeId) -> bool {
        let node = self.unbracketed(node);
        matches!(node, Some(Node::Global(name)) if !self.bound.contains(name))
            && self.stars.is_empty()
    }

    /// Returns a node without its subscript.
    fn unbracketed(&self, node: NodeId) -> Option<&Node> {
        let node = self.code.nodes.get(node as usize)?;
        match node {
            Node::Subscript { base, .. } => self.code.nodes.get(*base as usize),
            _ => Some(node),
        }
    }

    fn imports_name(&self, import: u32, which: u32, modules: &[&str], name: &str) -> bool {
        let Some(import) = self.import(import) else {
            return false;
        };
        import.form == ImportForm::Names
            && import
                .names
                .get(which as usize)
                .is_some_and(|&own| self.text(own) == name)
            && modules.contains(&self.text(import.module))
    }

    fn global_is(&self, global: NameId, modules: &[&str], name: &str) -> bool {
        if let Some(imports) = self.imported.get(&global) {
            let mut imports = imports.iter();
            return imports.any(|&(import, which)| self.imports_name(import, which, modules, name));
        }
        let star_values = |&import: &u32| {
            let import = self.import(import);
            import.is_some_and(|import| modules.contains(&self.text(import.module)))
        };
        let is_own = || modules.contains(&self.stem);
        self.text(global) == name
            && match self.bound.contains(&global) {
                true => is_own(),
                false => self.stars.iter().any(star_values),
            }
    }

    fn is_module(&self, base: NodeId, modules: &[&str]) -> bool {
        let names = |import: u32| {
            self.import(import).is_some_and(|import| {
                matches!(import.form, ImportForm::Module | ImportForm::ModuleAs)
                    && modules.contains(&self.text(import.module))
            })
        };
        match self.code.nodes.get(base as usize) {
            Some(&Node::Import { import, .. }) => names(import),
            Some(Node::Global(name)) => {
                let mut imports = self.imported.get(name).into_iter().flatten();
                imports.any(|&(import, _)| names(import))
            }
            _ => false,
        }
    }
}
