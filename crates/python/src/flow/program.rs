//! The program that is solved: the files of the workspace that run, with what their texts say of items
//! and classes. Nothing here depends on a value that flows.

use std::cell::RefCell;
use std::sync::Arc;

use codeweft_db::{Bodies, Db, File, NameId, Origin, SymbolId, UnitGraph, file_bodies};
use codeweft_python_syntax::{
    self as python, AsPython as _, BindingKind, Item, ItemKind, Items, NONE, Node, PYTHON, Param,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lookups::{Lookup, Lookups, look_up};
use super::seeds::{FlowSeeds, py_flow_seeds};
use crate::classes::class_info;
use crate::declared::{dotted_path, file_items_by_symbol, file_of_module, file_symbols, items};
use crate::infer::ImportTarget;
use crate::keys::ClassKey;

/// An item by its number in the program.
pub(super) type ItemId = u32;

/// No item.
pub(super) const NO_ITEM: ItemId = u32::MAX;

/// The maximum number of nodes of a function that is followed once for each of its calls.
const MAX_SEPARATE: u32 = 600;

/// A file of the program.
pub(super) struct FileProgram<'a> {
    /// The file.
    pub(super) file: File,
    /// Its declarations.
    pub(super) items: &'a Items,
    /// The same, to be kept.
    pub(super) held_items: &'a Arc<codeweft_db::Items>,
    /// The symbols of its items.
    pub(super) symbols: Arc<[SymbolId]>,
    /// What inference knows of it.
    pub(super) seeds: Arc<FlowSeeds>,
    /// The number of its first item, the module.
    pub(super) first: ItemId,
    has_stars: bool,
    bodies: Arc<Bodies>,
}

impl FileProgram<'_> {
    /// Returns its bodies.
    pub(super) fn bodies(&self) -> Option<&python::Bodies> {
        self.bodies.python()
    }

    /// Returns its bodies, to be read while the solution changes.
    pub(super) fn held_bodies(&self) -> Arc<Bodies> {
        self.bodies.clone()
    }
}

/// What the statements of a class and its ancestors say.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct ClassFacts {
    /// The classes of the workspace in method resolution order, itself first.
    pub(super) mro: Vec<ItemId>,
    /// The classes of libraries in that order.
    pub(super) library: Vec<SymbolId>,
    /// Whether the constructor is generated from the fields.
    pub(super) generates_init: bool,
    /// The metaclass, if the workspace declares it.
    pub(super) metaclass: Option<ItemId>,
    /// Whether it is below `dict` or another mapping of a library.
    pub(super) is_mapping: bool,
    /// Whether it is below a container of a library.
    pub(super) is_container: bool,
}

/// The program.
pub(super) struct Program<'a> {
    /// The database.
    pub(super) db: &'a dyn Db,
    /// The files, sorted by path.
    pub(super) files: Vec<FileProgram<'a>>,
    file_of_item: Vec<u32>,
    item_of: FxHashMap<SymbolId, ItemId>,
    file_of_module: FxHashMap<SymbolId, u32>,
    pub(super) classes: FxHashMap<ItemId, ClassFacts>,
    subclasses: FxHashMap<ItemId, Vec<ItemId>>,
    /// The names that modules and classes bind, by item.
    bound: FxHashSet<(ItemId, NameId)>,
    /// The functions whose variables an inner function reads.
    pub(super) makers: FxHashSet<ItemId>,
    lookups: RefCell<Lookups>,
}

/// The containers of libraries that are mappings.
const MAPPINGS: &[&str] = &[
    "dict",
    "defaultdict",
    "OrderedDict",
    "UserDict",
    "Mapping",
    "MutableMapping",
    "Counter",
    "ChainMap",
];

/// The other containers of libraries.
const SEQUENCES: &[&str] = &[
    "list",
    "tuple",
    "set",
    "frozenset",
    "deque",
    "UserList",
    "MutableSequence",
    "Sequence",
    "MutableSet",
];

impl<'a> Program<'a> {
    /// Reads the program; `None` if it has more than `max` items.
    pub(super) fn read(db: &'a dyn Db, graph: UnitGraph, max: usize) -> Option<Program<'a>> {
        let mut files: Vec<File> = Vec::new();
        for unit in graph.units(db).iter() {
            if unit.lang(db) == PYTHON && unit.origin(db) == Origin::Workspace {
                files.extend(unit.files(db).iter());
            }
        }
        let runs = |file: &File| {
            let symbols = file_symbols(db, *file);
            let module = symbols.first().copied();
            module.is_some_and(|module| file_of_module(db, module) == Some(*file))
        };
        files.retain(runs);
        let counts = files
            .iter()
            .map(|&file| items(db, file).map_or(0, |all| all.items.len()));
        if counts.sum::<usize>() > max {
            return None;
        }
        files.sort_by(|a, b| a.path(db).cmp(b.path(db)));
        let mut program = Program {
            db,
            files: Vec::new(),
            file_of_item: Vec::new(),
            item_of: FxHashMap::default(),
            file_of_module: FxHashMap::default(),
            classes: FxHashMap::default(),
            subclasses: FxHashMap::default(),
            bound: FxHashSet::default(),
            makers: FxHashSet::default(),
            lookups: RefCell::default(),
        };
        for file in files {
            program.add(file);
        }
        program.join_classes();
        Some(program)
    }

    fn add(&mut self, file: File) {
        let db = self.db;
        let Some(items) = items(db, file) else {
            return;
        };
        let number = self.files.len() as u32;
        let first = self.file_of_item.len() as ItemId;
        let symbols = file_symbols(db, file);
        for &(symbol, item) in file_items_by_symbol(db, file).iter() {
            self.item_of.insert(symbol, first + item);
        }
        if let Some(&module) = symbols.first() {
            self.file_of_module.insert(module, number);
        }
        for (item, at) in items.items.iter().zip(first..) {
            self.file_of_item.push(number);
            if matches!(item.kind, ItemKind::Module | ItemKind::Class) {
                let bindings = items.bindings.get(item.bindings.iter()).unwrap_or(&[]);
                let names = bindings.iter().filter(|binding| is_bound(binding.kind));
                self.bound.extend(names.map(|binding| (at, binding.name)));
            }
        }
        let bodies = file_bodies(db, file);
        if let Some(read) = bodies.python() {
            for body in &read.bodies {
                for node in read.code.nodes.get(body.nodes.iter()).unwrap_or(&[]) {
                    if let Node::Free { scope, .. } = *node
                        && let Some(of_scope) = read.bodies.get(scope as usize)
                        && of_scope.nodes.end - of_scope.nodes.start <= MAX_SEPARATE
                        && items.items.get(scope as usize).is_some_and(|item| {
                            matches!(item.kind, ItemKind::Function | ItemKind::Lambda)
                        })
                    {
                        self.makers.insert(first + scope);
                    }
                }
            }
        }
        self.files.push(FileProgram {
            file,
            items,
            held_items: file.items(db),
            symbols,
            seeds: py_flow_seeds(db, file),
            first,
            has_stars: has_stars(items),
            bodies,
        });
    }

    fn join_classes(&mut self) {
        let db = self.db;
        let names = &db.shared().names;
        for id in 0..self.file_of_item.len() as ItemId {
            if self.item(id).kind != ItemKind::Class {
                continue;
            }
            let info = class_info(db, ClassKey::new(db, self.symbol(id)));
            let mut facts = ClassFacts {
                generates_init: info.generates_init,
                metaclass: info.metaclass.and_then(|class| self.item_of(class)),
                ..ClassFacts::default()
            };
            for &class in &info.mro {
                match self.item_of(class) {
                    Some(item) => facts.mro.push(item),
                    None => facts.library.push(class),
                }
            }
            for &class in &facts.library {
                let name = names.text(db.shared().symbols.key(class).name);
                facts.is_mapping |= MAPPINGS.contains(&name);
                facts.is_container |= SEQUENCES.contains(&name);
            }
            facts.is_container |= facts.is_mapping;
            if facts.mro.first() != Some(&id) {
                facts.mro.insert(0, id);
            }
            for &ancestor in &facts.mro[1..] {
                self.subclasses.entry(ancestor).or_default().push(id);
            }
            self.classes.insert(id, facts);
        }
    }

    /// Returns the number of a file of the program and of an item in it.
    pub(super) fn at(&self, item: ItemId) -> (u32, u32) {
        let file = self.file_of_item[item as usize];
        (file, item - self.files[file as usize].first)
    }

    /// Returns the file of an item.
    pub(super) fn file(&self, item: ItemId) -> &FileProgram<'a> {
        &self.files[self.file_of_item[item as usize] as usize]
    }

    /// Returns an item.
    pub(super) fn item(&self, item: ItemId) -> &'a Item {
        let file = self.file(item);
        &file.items.items[(item - file.first) as usize]
    }

    /// Returns the parameters of an item.
    pub(super) fn params(&self, item: ItemId) -> &'a [Param] {
        let range = self.item(item).params.iter();
        self.file(item).items.params.get(range).unwrap_or(&[])
    }

    /// Returns the item that an item is declared in; `None` for a module.
    pub(super) fn parent(&self, item: ItemId) -> Option<ItemId> {
        let parent = self.item(item).parent;
        (parent != NONE).then(|| self.file(item).first + parent)
    }

    /// Returns the number of nodes of all bodies.
    pub(super) fn node_count(&self) -> usize {
        let bodies = self.files.iter().filter_map(FileProgram::bodies);
        bodies.map(|bodies| bodies.code.nodes.len()).sum()
    }

    /// Returns the symbol of an item.
    pub(super) fn symbol(&self, item: ItemId) -> SymbolId {
        let file = self.file(item);
        file.symbols[(item - file.first) as usize]
    }

    /// Returns the item of a symbol, if the program declares it.
    pub(super) fn item_of(&self, symbol: SymbolId) -> Option<ItemId> {
        self.item_of.get(&symbol).copied()
    }

    /// Returns the number of the file of a module.
    pub(super) fn file_of_module(&self, module: SymbolId) -> Option<u32> {
        self.file_of_module.get(&module).copied()
    }

    /// Returns the class that a function is a method of.
    pub(super) fn class_of_method(&self, item: ItemId) -> Option<ItemId> {
        let parent = self.parent(item)?;
        (self.item(parent).kind == ItemKind::Class).then_some(parent)
    }

    /// Returns what the statements of a class say.
    pub(super) fn class(&self, class: ItemId) -> Option<&ClassFacts> {
        self.classes.get(&class)
    }

    /// Returns the classes in method resolution order.
    pub(super) fn mro(&self, class: ItemId) -> &[ItemId] {
        self.classes.get(&class).map_or(&[], |facts| &facts.mro)
    }

    /// Returns the subclasses at any depth, in order of the program.
    pub(super) fn subclasses(&self, class: ItemId) -> &[ItemId] {
        self.subclasses.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a module or class binds a name in its text.
    pub(super) fn binds(&self, scope: ItemId, name: NameId) -> bool {
        self.bound.contains(&(scope, name))
    }

    /// Returns the first class of an order that binds a name.
    pub(super) fn binding_class(&self, order: &[ItemId], name: NameId) -> Option<usize> {
        order.iter().position(|&class| self.binds(class, name))
    }

    /// Returns whether an inner function reads variables of a function, so that each of its calls makes another
    /// one.
    pub(super) fn is_maker(&self, item: ItemId) -> bool {
        self.makers.contains(&item)
    }

    /// Returns the files and the name that a global name of a file is read from: its own, or that of a module
    /// whose star import binds it.
    pub(super) fn global(&self, file: u32, name: NameId) -> u32 {
        let of = &self.files[file as usize];
        if self.binds(of.first, name) {
            return file;
        }
        if !of.has_stars {
            return file;
        }
        let source = self.symbol_of(Lookup::Star(of.file, name));
        source
            .and_then(|module| self.file_of_module(module))
            .unwrap_or(file)
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
    pub(super) fn into_lookups(self) -> Lookups {
        self.lookups.into_inner()
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
        let bindings = self.file(scope).items.bindings.get(item.bindings.iter());
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
            let bindings = self.file(of).items.bindings.get(item.bindings.iter());
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

fn has_stars(items: &Items) -> bool {
    let module = items.items.first().map(|module| module.bindings.iter());
    let bindings = module.and_then(|range| items.bindings.get(range));
    let mut bindings = bindings.unwrap_or(&[]).iter();
    bindings.any(|binding| matches!(binding.kind, BindingKind::Star(_)))
}

fn is_bound(kind: BindingKind) -> bool {
    match kind {
        BindingKind::Value { value, .. } => value != NONE,
        BindingKind::Deleted | BindingKind::Star(_) => false,
        _ => true,
    }
}
