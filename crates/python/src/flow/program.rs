//! The program that is solved: the files of the workspace that run, with what their texts say of items
//! and classes. Nothing here depends on a value that flows.

use std::cell::RefCell;
use std::sync::Arc;

use codeweft_db::{Bodies, Db, NameId, SymbolId, UnitGraph, file_bodies};
use codeweft_python_syntax::{
    self as python, AsPython as _, BindingKind, Item, ItemKind, NONE, Param,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::body_facts::py_flow_body_facts;
use super::declarations::{ClassFacts, Declarations, DeclaredFile, py_flow_declarations};
use super::lookups::{Lookup, Lookups, look_up};
use super::seeds::{FlowSeeds, py_flow_seeds};
use crate::declared::dotted_path;
use crate::infer::ImportTarget;
use crate::language::is_test_path;
use crate::symbols::is_special;

/// The special methods that are run with as many arguments as a caller likes, or with one more than they need.
const WITH_FURTHER_ARGUMENTS: &[&str] = &[
    "__call__",
    "__get__",
    "__init__",
    "__init_subclass__",
    "__ipow__",
    "__new__",
    "__pow__",
    "__prepare__",
    "__round__",
    "__rpow__",
];

/// An item by its number in the program.
pub(super) type ItemId = u32;

/// No item.
pub(super) const NO_ITEM: ItemId = u32::MAX;

/// The maximum number of star imports by which a name is followed from module to module.
const MAX_STARS: usize = 16;

/// The maximum number of nodes of a function that is followed once for each of its contexts.
pub(super) const MAX_SMALL: u32 = 600;

/// The maximum number of nodes of the bodies of a program in which functions that give back a parameter are followed once for each
/// call: in a larger one their runs take what all values together may have.
const MAX_NODES_PASSING: usize = 100_000;

/// The maximum number of attributes that are stored by the start of their names.
const MAX_WITH_START: usize = 256;

/// Returns whether a start of names distinguishes some of them: underscores alone begin most private ones.
fn says_much(start: &str) -> bool {
    !start.trim_matches('_').is_empty()
}

/// Returns whether a name begins with a start, and goes on.
pub(super) fn has_start(name: &str, start: &str) -> bool {
    name.len() > start.len() && name.starts_with(start)
}

/// A file of the program: what the texts of its bodies say.
pub(super) struct FileProgram {
    /// What inference knows of it.
    pub(super) seeds: Arc<FlowSeeds>,
    bodies: Arc<Bodies>,
}

impl FileProgram {
    /// Returns its bodies.
    pub(super) fn bodies(&self) -> Option<&python::Bodies> {
        self.bodies.python()
    }

    /// Returns its bodies, to be read while the solution changes.
    pub(super) fn held_bodies(&self) -> Arc<Bodies> {
        self.bodies.clone()
    }
}

/// The program.
pub(super) struct Program<'a> {
    /// The database.
    pub(super) db: &'a dyn Db,
    /// What is declared.
    pub(super) declarations: &'a Arc<Declarations>,
    /// The files, in the order of the declarations.
    pub(super) files: Vec<FileProgram>,
    /// The functions of which each call has a run of its own: it makes another inner function, which reads their variables or is given
    /// attributes, or, in a program that is not large, they give back a parameter, or store one under a name that is another one.
    pub(super) makers: FxHashSet<ItemId>,
    /// The inner functions that are given `__wrapped__`.
    pub(super) wrapping: FxHashSet<ItemId>,
    /// The names of attributes that are read or stored somewhere.
    pub(super) attributes: FxHashSet<NameId>,
    lookups: RefCell<Lookups>,
    /// The strings that were looked for among the names of attributes.
    texts: RefCell<FxHashSet<NameId>>,
    /// The names of attributes by the starts that were looked for.
    starts: RefCell<FxHashMap<NameId, Arc<[NameId]>>>,
}

/// What was looked up for a solution: it holds as long as that is found again.
pub(super) struct LookedUp {
    /// Declarations.
    pub(super) lookups: Lookups,
    /// The strings that were looked for among the names of attributes.
    pub(super) texts: FxHashSet<NameId>,
    /// The starts of such names that were looked for.
    pub(super) starts: Vec<NameId>,
}

impl<'a> Program<'a> {
    /// Reads the program; `None` if it has too many items.
    pub(super) fn read(db: &'a dyn Db, graph: UnitGraph) -> Option<Program<'a>> {
        let declarations = py_flow_declarations(db, graph).as_ref()?;
        let mut program = Program {
            db,
            declarations,
            files: Vec::with_capacity(declarations.files.len()),
            makers: FxHashSet::default(),
            wrapping: FxHashSet::default(),
            attributes: FxHashSet::default(),
            lookups: RefCell::default(),
            texts: RefCell::default(),
            starts: RefCell::default(),
        };
        let mut passing: Vec<ItemId> = Vec::new();
        for of in &declarations.files {
            let made = py_flow_body_facts(db, of.file);
            let item = |&item: &u32| of.first + item;
            program.attributes.extend(&made.attributes);
            program.makers.extend(made.makers.iter().map(item));
            passing.extend(made.passing.iter().map(item));
            program.wrapping.extend(made.wrapping.iter().map(item));
            program.files.push(FileProgram {
                seeds: py_flow_seeds(db, of.file),
                bodies: file_bodies(db, of.file),
            });
        }
        if program.node_count() <= MAX_NODES_PASSING {
            program.makers.extend(passing);
        }
        Some(program)
    }

    /// Returns the declarations of the file of an item.
    pub(super) fn declared(&self, item: ItemId) -> &'a DeclaredFile {
        let declarations: &'a Declarations = self.declarations;
        declarations.file(item)
    }

    /// Returns the number of the first item of a file, its module.
    pub(super) fn module(&self, file: u32) -> ItemId {
        self.declarations.files[file as usize].first
    }

    /// Returns the number of a file of the program and of an item in it.
    pub(super) fn at(&self, item: ItemId) -> (u32, u32) {
        let file = self.declarations.file_of_item[item as usize];
        (file, item - self.module(file))
    }

    /// Returns the file of an item.
    pub(super) fn file(&self, item: ItemId) -> &FileProgram {
        &self.files[self.declarations.file_of_item[item as usize] as usize]
    }

    /// Returns an item.
    pub(super) fn item(&self, item: ItemId) -> &'a Item {
        self.declared(item).item(item)
    }

    /// Returns the parameters of an item.
    pub(super) fn params(&self, item: ItemId) -> &'a [Param] {
        let range = self.item(item).params.iter();
        self.declared(item).items().params.get(range).unwrap_or(&[])
    }

    /// Returns whether a parameter holds its default unless a call names the special method: an operator runs it with the arguments
    /// that the language fixes (Python reference, Special method names).
    ///
    /// ```python
    /// def __setitem__(self, key, value, store=Base.__setitem__):    # `store` holds its default, whatever code sets an item
    /// ```
    pub(super) fn holds_default(&self, item: ItemId, param: u32) -> bool {
        let name = self.text(self.item(item).name);
        let param = self.params(item).get(param as usize);
        param.is_some_and(|param| param.default != NONE)
            && is_special(name)
            && self.class_of_method(item).is_some()
            && !WITH_FURTHER_ARGUMENTS.contains(&name)
    }

    /// Returns whether the file of an item is a test.
    pub(super) fn is_in_tests(&self, item: ItemId) -> bool {
        is_test_path(self.declared(item).file.path(self.db))
    }

    /// Returns the item that an item is declared in; `None` for a module.
    pub(super) fn parent(&self, item: ItemId) -> Option<ItemId> {
        let parent = self.item(item).parent;
        (parent != NONE).then(|| self.declared(item).first + parent)
    }

    /// Returns the number of nodes of all bodies.
    pub(super) fn node_count(&self) -> usize {
        let bodies = self.files.iter().filter_map(FileProgram::bodies);
        bodies.map(|bodies| bodies.code.nodes.len()).sum()
    }

    /// Returns the symbol of an item.
    pub(super) fn symbol(&self, item: ItemId) -> SymbolId {
        self.declared(item).symbol(item)
    }

    /// Returns the item of a symbol, if the program declares it.
    pub(super) fn item_of(&self, symbol: SymbolId) -> Option<ItemId> {
        self.declarations.item_of.get(&symbol).copied()
    }

    /// Returns the number of the file of a module.
    pub(super) fn file_of_module(&self, module: SymbolId) -> Option<u32> {
        self.declarations.file_of_module.get(&module).copied()
    }

    /// Returns the class that a function is a method of.
    pub(super) fn class_of_method(&self, item: ItemId) -> Option<ItemId> {
        let parent = self.parent(item)?;
        (self.item(parent).kind == ItemKind::Class).then_some(parent)
    }

    /// Returns what the statements of a class say.
    pub(super) fn class(&self, class: ItemId) -> Option<&ClassFacts> {
        self.declarations.classes.get(&class)
    }

    /// Returns the classes in method resolution order.
    pub(super) fn mro(&self, class: ItemId) -> &[ItemId] {
        self.declarations
            .classes
            .get(&class)
            .map_or(&[], |facts| &facts.mro)
    }

    /// Returns the subclasses at any depth, in order of the program.
    pub(super) fn subclasses(&self, class: ItemId) -> &[ItemId] {
        let subclasses = &self.declarations.subclasses;
        subclasses.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a module or class binds a name in its text.
    pub(super) fn binds(&self, scope: ItemId, name: NameId) -> bool {
        self.declarations.bound.contains(&(scope, name))
    }

    /// Returns the first class of an order that binds a name.
    pub(super) fn binding_class(&self, order: &[ItemId], name: NameId) -> Option<usize> {
        order.iter().position(|&class| self.binds(class, name))
    }

    /// Returns whether each call of a function has a run of its own.
    pub(super) fn is_maker(&self, item: ItemId) -> bool {
        self.makers.contains(&item)
    }

    /// Returns whether a string may name an attribute, a function or a class: another one, and what its case changed makes of
    /// it, is looked up nowhere.
    pub(super) fn may_be_looked_up(&self, text: NameId) -> bool {
        let is_known = |name: NameId| {
            self.texts.borrow_mut().insert(name);
            self.attributes.contains(&name) || self.declarations.bound_names.contains(&name)
        };
        let written = self.text(text);
        let changed = [written.to_lowercase(), written.to_uppercase()];
        let mut changed = changed.iter().filter(|changed| *changed != written);
        is_known(text) || changed.any(|changed| is_known(self.name(changed)))
    }

    /// Returns the names of attributes that are longer than a start and have it, in text order: none, if it says little or they are
    /// many.
    pub(super) fn attributes_with(&self, start: NameId) -> Arc<[NameId]> {
        if let Some(known) = self.starts.borrow().get(&start) {
            return known.clone();
        }
        let text = self.text(start);
        let mut found: Vec<NameId> = Vec::new();
        if says_much(text) {
            found.extend(
                self.attributes
                    .iter()
                    .filter(|&&name| has_start(self.text(name), text)),
            );
        }
        found.sort_by_key(|&name| self.text(name));
        if found.len() > MAX_WITH_START {
            found.clear();
        }
        let found: Arc<[NameId]> = found.into();
        self.starts.borrow_mut().insert(start, found.clone());
        found
    }

    /// Returns whether an inner function is given `__wrapped__`: what it wraps may run, too (PEP 362).
    pub(super) fn is_wrapping(&self, item: ItemId) -> bool {
        self.wrapping.contains(&item)
    }

    /// Returns the number of nodes of the body of an item.
    pub(super) fn size(&self, item: ItemId) -> u32 {
        let (_, number) = self.at(item);
        let bodies = self.file(item).bodies();
        let body = bodies.and_then(|bodies| bodies.bodies.get(number as usize));
        body.map_or(0, |body| body.nodes.end - body.nodes.start)
    }

    /// Returns whether a function is small enough to be followed once for each of its contexts.
    pub(super) fn is_small(&self, item: ItemId) -> bool {
        self.size(item) <= MAX_SMALL
    }

    /// Returns the file that a global name of a file is read from: its own, or that of the module whose star import binds it,
    /// which may have it from another one.
    pub(super) fn global(&self, file: u32, name: NameId) -> u32 {
        let mut at = file;
        for _ in 0..MAX_STARS {
            let of = &self.declarations.files[at as usize];
            if self.binds(of.first, name) || !of.has_stars {
                return at;
            }
            let source = self.symbol_of(Lookup::Star(of.file, name));
            match source.and_then(|module| self.file_of_module(module)) {
                Some(next) => at = next,
                None => return at,
            }
        }
        at
    }

    /// Returns what one name of an import of a file means.
    pub(super) fn import(&self, file: u32, import: u32, which: u32) -> Option<ImportTarget> {
        let of = self.declarations.files.get(file as usize)?;
        of.import(import, which)
    }

    /// Looks something up among declarations.
    pub(super) fn look_up(&self, lookup: Lookup) -> Option<ImportTarget> {
        let known = self.lookups.borrow().get(&lookup).copied();
        known.unwrap_or_else(|| {
            let found = look_up(self.db, lookup);
            self.lookups.borrow_mut().insert(lookup, found);
            found
        })
    }

    /// Looks up a symbol.
    pub(super) fn symbol_of(&self, lookup: Lookup) -> Option<SymbolId> {
        match self.look_up(lookup)? {
            ImportTarget::Symbol(symbol) => Some(symbol),
            ImportTarget::Name(..) => None,
        }
    }

    /// Returns all that was looked up.
    pub(super) fn into_looked_up(self) -> LookedUp {
        LookedUp {
            lookups: self.lookups.into_inner(),
            texts: self.texts.into_inner(),
            starts: self.starts.into_inner().into_keys().collect(),
        }
    }

    /// Interns a name.
    pub(super) fn name(&self, text: &str) -> NameId {
        self.db.shared().names.intern(text)
    }

    /// Returns the text of a name.
    pub(super) fn text(&self, name: NameId) -> &'a str {
        self.db.shared().names.text(name)
    }

    /// Returns the dotted path of a symbol of a library.
    pub(super) fn path(&self, symbol: SymbolId) -> String {
        dotted_path(self.db, symbol)
    }

    /// Returns the names with a prefix that a module or class binds, in text order.
    pub(super) fn names_with(&self, scope: ItemId, prefix: &str) -> Vec<NameId> {
        let item = self.item(scope);
        let bindings = self
            .declared(scope)
            .items()
            .bindings
            .get(item.bindings.iter());
        let mut found: Vec<NameId> = Vec::new();
        for binding in bindings.unwrap_or(&[]) {
            if self.text(binding.name).starts_with(prefix) && !found.contains(&binding.name) {
                found.push(binding.name);
            }
        }
        found.sort_by_key(|&name| self.text(name));
        found
    }

    /// Returns the fields of a class whose constructor is generated, in order.
    pub(super) fn fields(&self, class: ItemId) -> Vec<(ItemId, NameId)> {
        let mut fields: Vec<(ItemId, NameId)> = Vec::new();
        for &of in self.mro(class).iter().rev() {
            let item = self.item(of);
            let bindings = self.declared(of).items().bindings.get(item.bindings.iter());
            for binding in bindings.unwrap_or(&[]) {
                let is_field = matches!(binding.kind, BindingKind::Value { .. });
                if is_field && !fields.iter().any(|&(_, name)| name == binding.name) {
                    fields.push((of, binding.name));
                }
            }
        }
        fields
    }
}
