//! What the files of the workspace that run declare: items, classes, imports. Nothing here depends on bodies.

use std::sync::{Arc, LazyLock};

use codeweft_db::{Db, File, NameId, Origin, SymbolId, UnitGraph};
use codeweft_python_syntax::{
    AsPython as _, Binding, BindingKind, Guard, Item, ItemKind, Items, NONE, PYTHON,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::program::ItemId;
use crate::bindings::{is_for_type_checkers, is_running_function};
use crate::classes::class_info;
use crate::declared::{file_items_by_symbol, file_of_module, file_symbols, items};
use crate::entry_points;
use crate::infer::{ImportTarget, fails, file_imports, import_target};
use crate::keys::ClassKey;

/// The maximum number of declarations of a workspace whose values are followed.
const MAX_DECLARATIONS: usize = 12_000;

/// A file of the program: what it declares.
#[derive(Clone, Debug)]
pub struct DeclaredFile {
    /// The file.
    pub(super) file: File,
    items: Arc<codeweft_db::Items>,
    /// The symbols of its items.
    pub(super) symbols: Arc<[SymbolId]>,
    /// The number of its first item, the module.
    pub(super) first: ItemId,
    /// Whether names of other modules are its own by a star import.
    pub(super) has_stars: bool,
    imports: Arc<FileImports>,
    /// The names of imports beside which a function is declared that runs instead: those for type checkers alone, or for another
    /// release.
    failing: FxHashSet<(u32, u32)>,
}

/// What the names of the imports of a file mean, by the numbers of the import and of the name.
pub type FileImports = Vec<Box<[Option<ImportTarget>]>>;

impl PartialEq for DeclaredFile {
    fn eq(&self, other: &DeclaredFile) -> bool {
        // The derived comparison would move a trait object.
        self.file == other.file
            && self.items.as_ref() == other.items.as_ref()
            && self.symbols == other.symbols
            && self.first == other.first
            && self.has_stars == other.has_stars
            && self.imports == other.imports
            && self.failing == other.failing
    }
}

impl Eq for DeclaredFile {}

impl DeclaredFile {
    /// Returns its declarations.
    pub(super) fn items(&self) -> &Items {
        static EMPTY: LazyLock<Items> = LazyLock::new(Items::default);
        self.items.python().unwrap_or(&EMPTY)
    }

    /// Returns an item of the file by its number in the program.
    pub(super) fn item(&self, item: ItemId) -> &Item {
        &self.items().items[(item - self.first) as usize]
    }

    /// Returns the symbol of an item by its number in the program.
    pub(super) fn symbol(&self, item: ItemId) -> SymbolId {
        self.symbols[(item - self.first) as usize]
    }

    /// Returns what one name of an import means.
    pub(super) fn import(&self, import: u32, which: u32) -> Option<ImportTarget> {
        *self.imports.get(import as usize)?.get(which as usize)?
    }

    /// Returns whether a name of an import is not what its scope binds when it runs, but a function of another branch.
    pub(super) fn is_failing(&self, import: u32, which: u32) -> bool {
        self.failing.contains(&(import, which))
    }
}

/// What the statements of a class and its ancestors say.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ClassFacts {
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
    /// Whether a base of the class or of an ancestor is not known.
    pub(super) has_unknown_base: bool,
    /// Whether a base is not known, or is a class of a library that gives objects attributes.
    pub(super) is_below_library: bool,
    /// Whether it is a protocol: objects of other classes are of it, too.
    pub(super) is_protocol: bool,
}

/// What a program declares.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Declarations {
    /// The files, sorted by path.
    pub(super) files: Vec<DeclaredFile>,
    pub(super) file_of_item: Vec<u32>,
    pub(super) item_of: FxHashMap<SymbolId, ItemId>,
    pub(super) file_of_module: FxHashMap<SymbolId, u32>,
    pub(super) classes: FxHashMap<ItemId, ClassFacts>,
    pub(super) subclasses: FxHashMap<ItemId, Vec<ItemId>>,
    /// The names that modules and classes bind, by item.
    pub(super) bound: FxHashSet<(ItemId, NameId)>,
    /// The same without the items.
    pub(super) bound_names: FxHashSet<NameId>,
    /// The attributes that the methods of classes store in their objects, by class.
    pub(super) stored: FxHashSet<(ItemId, NameId)>,
    /// The functions that entry points of projects call.
    pub(super) entries: FxHashSet<ItemId>,
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

/// The classes of libraries that give objects special methods alone.
const PLAIN: &[&str] = &["object", "ABC", "Generic", "Protocol"];

/// Returns whether the values of the workspace are followed: not if it declares too much. The files are counted until that is
/// known.
#[salsa::tracked(returns(copy))]
pub fn py_follows_values(db: &dyn Db, graph: UnitGraph) -> bool {
    let mut count = 0;
    running_files(db, graph).all(|file| {
        count += items(db, file).map_or(0, |all| all.items.len());
        count <= MAX_DECLARATIONS
    })
}

/// Returns the files of the workspace that run as modules.
fn running_files(db: &dyn Db, graph: UnitGraph) -> impl Iterator<Item = File> {
    let units = graph.units(db).iter();
    let own = units.filter(|unit| unit.lang(db) == PYTHON && unit.origin(db) == Origin::Workspace);
    let files = own.flat_map(|unit| unit.files(db).iter().copied());
    files.filter(|&file| {
        let symbols = file_symbols(db, file);
        let module = symbols.first().copied();
        module.is_some_and(|module| file_of_module(db, module) == Some(file))
    })
}

/// Returns what the files of the workspace declare; `None` if its values are not followed.
#[salsa::tracked(returns(ref))]
pub fn py_flow_declarations(db: &dyn Db, graph: UnitGraph) -> Option<Arc<Declarations>> {
    if !py_follows_values(db, graph) {
        return None;
    }
    let mut files: Vec<File> = running_files(db, graph).collect();
    files.sort_by(|a, b| a.path(db).cmp(b.path(db)));
    let mut declarations = Declarations::default();
    for file in files {
        declarations.add(db, file);
    }
    declarations.join_classes(db);
    let called = declarations.item_of.iter();
    let called = called.filter(|&(&symbol, _)| entry_points::is_called(db, symbol));
    declarations.entries = called.map(|(_, &item)| item).collect();
    Some(Arc::new(declarations))
}

/// Returns what the names of the imports of a file mean.
#[salsa::tracked(returns(clone))]
pub fn py_flow_imports(db: &dyn Db, file: File) -> Arc<FileImports> {
    let targets = file_imports(db, file)
        .iter()
        .zip(0..)
        .map(|(import, number)| {
            let count = import.names.len().max(1) as u32;
            (0..count)
                .map(|which| import_target(db, file, number, which))
                .collect()
        });
    Arc::new(targets.collect())
}

/// Returns the names of imports of a file beside which a function is declared that runs instead.
fn failing(db: &dyn Db, file: File, items: &Items) -> FxHashSet<(u32, u32)> {
    let mut found = FxHashSet::default();
    for item in &items.items {
        let bindings = items.bindings.get(item.bindings.iter()).unwrap_or(&[]);
        for binding in bindings {
            let BindingKind::Import { import, which } = binding.kind else {
                continue;
            };
            let runs =
                |other: &Binding| other.name == binding.name && is_running_function(items, other);
            let is_conditional = !matches!(binding.guard, Guard::None | Guard::Other);
            if is_conditional
                && bindings.iter().any(runs)
                && (is_for_type_checkers(binding) || fails(db, file, binding))
            {
                found.insert((import, which));
            }
        }
    }
    found
}

impl Declarations {
    fn add(&mut self, db: &dyn Db, file: File) {
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
                for binding in bindings.iter().filter(|binding| is_bound(binding.kind)) {
                    self.bound.insert((at, binding.name));
                    self.bound_names.insert(binding.name);
                }
            }
        }
        let stores = items.stores.iter().filter(|store| store.value != NONE);
        self.stored
            .extend(stores.map(|store| (first + store.class, store.name)));
        self.files.push(DeclaredFile {
            file,
            items: file.items(db).clone(),
            symbols,
            first,
            has_stars: has_stars(items),
            imports: py_flow_imports(db, file),
            failing: failing(db, file, items),
        });
    }

    /// Returns the file of an item.
    pub(super) fn file(&self, item: ItemId) -> &DeclaredFile {
        &self.files[self.file_of_item[item as usize] as usize]
    }

    fn join_classes(&mut self, db: &dyn Db) {
        let names = &db.shared().names;
        for of in &self.files {
            for (item, id) in of.items().items.iter().zip(of.first..) {
                if item.kind != ItemKind::Class {
                    continue;
                }
                let info = class_info(db, ClassKey::new(db, of.symbol(id)));
                let item_of = |class: SymbolId| self.item_of.get(&class).copied();
                let mut facts = ClassFacts {
                    generates_init: info.generates_init,
                    metaclass: info.metaclass.and_then(item_of),
                    has_unknown_base: info.has_unknown_base,
                    is_below_library: info.has_unknown_base,
                    is_protocol: info.is_protocol,
                    ..ClassFacts::default()
                };
                for &class in &info.mro {
                    match item_of(class) {
                        Some(item) => facts.mro.push(item),
                        None => facts.library.push(class),
                    }
                }
                for &class in &facts.library {
                    let name = names.text(db.shared().symbols.key(class).name);
                    facts.is_mapping |= MAPPINGS.contains(&name);
                    facts.is_container |= SEQUENCES.contains(&name);
                    facts.is_below_library |= !PLAIN.contains(&name);
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
