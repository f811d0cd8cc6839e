//! What a name is bound to in a scope (Python reference, Naming and binding; The import
//! statement).

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, Disambiguator, File, Header, NameId, SymbolClass, SymbolId, SymbolKey, Unit,
};
use codeweft_syntax::python::{
    AllChange, Binding, BindingKind, Guard, Import, ImportForm, ItemKind, Items, NONE,
};

use super::denoted::denoted;
use super::frame::Frame;
use super::functions::decorated;
use crate::declared::{file_of_module, file_symbols, items, located, member, module_of};
use crate::modules::{find_module, find_relative};
use crate::project::paths::{dotted as path_of_names, relative};
use crate::values::{Class, Shape, Values};

/// A name in a scope: of a module, a class's own body, or a function whose variable is captured.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct NameKey<'db> {
    /// The module, class or function.
    #[returns(copy)]
    pub scope: SymbolId,
    /// The name.
    #[returns(copy)]
    pub name: NameId,
}

/// Where the names of a file's scopes are bound.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NameIndex {
    /// (item of the scope, name, number in `Items::bindings`), sorted.
    bindings: Box<[(u32, NameId, u32)]>,
    /// (item of the class, name, number in `Items::stores`), sorted.
    stores: Box<[(u32, NameId, u32)]>,
}

impl NameIndex {
    /// The numbers of a name's bindings in a scope, in text order.
    pub(crate) fn bindings(&self, scope: u32, name: NameId) -> impl Iterator<Item = u32> + '_ {
        range(&self.bindings, scope, name)
    }

    /// The numbers of the stores into an attribute of a class, in text order.
    pub(crate) fn stores(&self, class: u32, name: NameId) -> impl Iterator<Item = u32> + '_ {
        range(&self.stores, class, name)
    }

    /// The names of the attributes that methods of a class store, some several times.
    pub(crate) fn stored(&self, class: u32) -> impl Iterator<Item = NameId> + '_ {
        let from = self.stores.partition_point(|&(of, _, _)| of < class);
        let rows = self.stores[from..].iter();
        rows.take_while(move |&&(of, _, _)| of == class)
            .map(|&(_, name, _)| name)
    }
}

fn range(rows: &[(u32, NameId, u32)], scope: u32, name: NameId) -> impl Iterator<Item = u32> + '_ {
    let from = rows.partition_point(|&(s, n, _)| (s, n) < (scope, name));
    let rows = rows[from..].iter();
    rows.take_while(move |&&(s, n, _)| (s, n) == (scope, name))
        .map(|&(_, _, number)| number)
}

/// The index of a file's bindings and stores.
#[salsa::tracked(returns(clone))]
pub fn name_index(db: &dyn Db, file: File) -> Arc<NameIndex> {
    let Some(items) = items(db, file) else {
        return Arc::default();
    };
    let mut bindings = Vec::with_capacity(items.bindings.len());
    for (scope, item) in items.items.iter().enumerate() {
        for number in item.bindings.iter() {
            if let Some(binding) = items.bindings.get(number) {
                bindings.push((scope as u32, binding.name, number as u32));
            }
        }
    }
    let stores = items.stores.iter().zip(0..);
    let mut stores: Vec<_> = stores
        .map(|(store, number)| (store.class, store.name, number))
        .collect();
    bindings.sort_unstable();
    stores.sort_unstable();
    Arc::new(NameIndex {
        bindings: bindings.into(),
        stores: stores.into(),
    })
}

/// What a name is bound to in a scope, seen from other scopes: what its last binding outside any
/// branch gives, joined with those that stand in branches behind it, and with what functions
/// store that declare it `global` or `nonlocal`. `None` where the scope does not bind it.
#[salsa::tracked(returns(clone), cycle_fn = bound_again, cycle_initial = bound_first)]
pub fn bound<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Option<Values> {
    stacker::maybe_grow(1 << 18, 1 << 20, || bind(db, key.scope(db), key.name(db)))
}

/// What a name is bound to in a scope.
pub(crate) fn bound_in(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<Values> {
    bound(db, NameKey::new(db, scope, name))
}

fn bound_first(_: &dyn Db, _: salsa::Id, _: NameKey<'_>) -> Option<Values> {
    Some(Values::none())
}

fn bound_again(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Option<Values>,
    new: Option<Values>,
    _: NameKey<'_>,
) -> Option<Values> {
    // Whether the scope binds the name is no matter of values.
    new.map(|new| super::frame::next_in_cycle(cycle.iteration(), last.as_ref(), Some(new)))
}

/// More than one line may bind a name; these count for a reader elsewhere.
pub(crate) fn current<'i>(
    items: &'i Items,
    index: &NameIndex,
    scope: u32,
    name: NameId,
) -> Vec<&'i Binding> {
    let all: Vec<&Binding> = index
        .bindings(scope, name)
        .filter_map(|number| items.bindings.get(number as usize))
        .collect();
    // A variable of a function is read by what it declares at any time, too.
    let is_function = items
        .items
        .get(scope as usize)
        .is_some_and(|item| matches!(item.kind, ItemKind::Function | ItemKind::Lambda));
    let is_last =
        |binding: &&Binding| binding.owner == scope && binding.guard == Guard::None && !is_function;
    let from = all.iter().rposition(is_last).unwrap_or(0);
    let (before, behind) = all.split_at(from);
    // Functions that declare the name `global` run at any time.
    let elsewhere = before.iter().filter(|binding| binding.owner != scope);
    elsewhere.chain(behind).copied().collect()
}

fn bind(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<Values> {
    let file = match db.shared().symbols.key(scope).class {
        SymbolClass::Package => (file_of_module(db, scope)?, 0),
        _ => located(db, scope)?,
    };
    let (file, item) = file;
    let items = items(db, file)?;
    let index = name_index(db, file);
    let current = current(items, &index, item, name);
    if current.is_empty() {
        return match item {
            0 => from_star(db, file, name),
            _ => None,
        };
    }
    if item == 0
        && let Some(special) = super::typing::special(db, scope, name)
    {
        return Some(special);
    }
    let mut found = Values::none();
    for binding in current {
        found.join(&binding_value(db, file, binding));
    }
    Some(found)
}

/// What one binding gives.
pub(crate) fn binding_value(db: &dyn Db, file: File, binding: &Binding) -> Values {
    match binding.kind {
        BindingKind::Item(item) => item_value(db, file, item, true),
        BindingKind::Import { import, which } => imported(db, file, import, which),
        BindingKind::Star(_) | BindingKind::Deleted => Values::none(),
        BindingKind::TypeAlias(node) => {
            let frame = Frame::of_items(db, file, binding.owner);
            let ty = frame.evaluate(&[node]).node(node).clone();
            Values::of(db, Shape::TypeExpression(super::typing::objects(db, &ty)))
        }
        BindingKind::Param(number) => {
            let symbols = file_symbols(db, file);
            match symbols.get(binding.owner as usize) {
                Some(&function) => super::functions::parameter(db, function, number),
                None => Values::unknown(),
            }
        }
        BindingKind::Value { value, annotation } => {
            if annotation != NONE {
                let frame = Frame::of_items(db, file, binding.owner).evaluate(&[annotation]);
                let declared = frame.node(annotation);
                let says_all = !declared.is_none() || value == NONE;
                if says_all && !super::typing::is_alias_mark(db, declared) {
                    return super::typing::objects(db, declared);
                }
            }
            if value == NONE {
                return Values::unknown();
            }
            Frame::of_items(db, file, binding.owner)
                .evaluate(&[value])
                .node(value)
                .clone()
        }
    }
}

/// What a class, function or lambda is bound to, with its decorators applied or without.
pub(crate) fn item_value(db: &dyn Db, file: File, item: u32, with_decorators: bool) -> Values {
    let symbols = file_symbols(db, file);
    let Some((declared, &symbol)) = items(db, file)
        .and_then(|items| items.items.get(item as usize))
        .zip(symbols.get(item as usize))
    else {
        return Values::unknown();
    };
    match declared.kind {
        // Decorators of classes nearly always give the class back.
        ItemKind::Class => Values::of(db, Shape::Class(Class::plain(symbol))),
        ItemKind::Module => Values::of(db, Shape::Module(symbol)),
        ItemKind::Function if with_decorators && !declared.decorators.is_empty() => {
            decorated(db, symbol)
        }
        ItemKind::Function | ItemKind::Lambda => Values::of(db, Shape::Function(symbol)),
    }
}

/// Where a module name leads an importer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ModuleName {
    /// To a loaded module.
    Loaded(SymbolId),
    /// To none.
    Absent(SymbolId),
}

impl ModuleName {
    fn values(self, db: &dyn Db) -> Values {
        match self {
            ModuleName::Loaded(module) => Values::of(db, Shape::Module(module)),
            ModuleName::Absent(module) => Values::of(db, Shape::Absent(module)),
        }
    }
}

/// A module's name as the files of a unit say it.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct ModuleKey<'db> {
    /// The unit of the importer.
    #[returns(copy)]
    pub unit: Unit,
    /// The dotted name, from the root.
    #[returns(copy)]
    pub name: NameId,
    /// Whether a relative import says it: then it is one of the importer's own root.
    #[returns(copy)]
    pub is_relative: bool,
}

/// The loaded module that a name means.
#[salsa::tracked(returns(copy))]
pub fn py_module<'db>(db: &'db dyn Db, key: ModuleKey<'db>) -> Option<SymbolId> {
    let name = db.shared().names.text(key.name(db));
    let (_, module) = match key.is_relative(db) {
        false => find_module(db, key.unit(db), name)?,
        true => find_relative(db, key.unit(db), name)?,
    };
    Some(module.symbol)
}

/// The module of an absolute dotted name, for an importer of a unit.
pub(crate) fn module(db: &dyn Db, unit: Unit, name: &str) -> ModuleName {
    module_at(db, unit, name, false)
}

/// The module of a dotted name, said by a relative import or not.
pub(crate) fn module_at(db: &dyn Db, unit: Unit, name: &str, is_relative: bool) -> ModuleName {
    let shared = db.shared();
    let name = shared.names.intern(name);
    match py_module(db, ModuleKey::new(db, unit, name, is_relative)) {
        Some(module) => ModuleName::Loaded(module),
        None => ModuleName::Absent(shared.symbols.intern(SymbolKey {
            declared_in: DeclaredIn::Absent(name),
            parent: None,
            class: SymbolClass::Package,
            name,
            disambiguator: Disambiguator::ONLY,
        })),
    }
}

/// Something named in a module that is not loaded.
pub(crate) fn absent_member(db: &dyn Db, parent: SymbolId, name: NameId) -> SymbolId {
    let symbols = &db.shared().symbols;
    symbols.intern(SymbolKey {
        declared_in: symbols.key(parent).declared_in,
        parent: Some(parent),
        class: SymbolClass::Variable,
        name,
        disambiguator: Disambiguator::ONLY,
    })
}

/// The imports of a file.
pub(super) fn header(db: &dyn Db, file: File) -> &[Import] {
    match &**file.header(db) {
        Header::Python(header) => &header.imports,
        Header::Go(_) => &[],
    }
}

/// The dotted name that an import's module has for its file; `None` past the root.
pub(super) fn base_of(db: &dyn Db, unit: Unit, import: &Import) -> Option<String> {
    let names = &db.shared().names;
    let package = names.text(unit.import_path(db));
    relative(package, import.level, names.text(import.module))
}

/// What an import binds: by its number in the header, and which of its names.
pub(crate) fn imported(db: &dyn Db, file: File, import: u32, which: u32) -> Values {
    let found = (|| {
        let import = header(db, file).get(import as usize)?;
        let (unit, _) = module_of(db, file)?;
        let base = base_of(db, unit, import)?;
        match import.form {
            ImportForm::Module => {
                let first = base.split('.').next().unwrap_or(&base);
                Some(module(db, unit, first).values(db))
            }
            ImportForm::ModuleAs => Some(module(db, unit, &base).values(db)),
            ImportForm::Star => Some(module_at(db, unit, &base, import.level > 0).values(db)),
            ImportForm::Names => {
                let name = *import.names.get(which as usize)?;
                Some(imported_name(db, unit, file, &base, import.level > 0, name))
            }
        }
    })();
    found.unwrap_or_else(Values::unknown)
}

fn imported_name(
    db: &dyn Db,
    unit: Unit,
    file: File,
    base: &str,
    is_relative: bool,
    name: NameId,
) -> Values {
    let text = db.shared().names.text(name);
    let submodule = || match module_at(db, unit, &path_of_names(base, text), is_relative) {
        ModuleName::Loaded(module) => Some(Values::of(db, Shape::Module(module))),
        ModuleName::Absent(_) => None,
    };
    if base.is_empty() {
        return submodule().unwrap_or_else(Values::unknown);
    }
    match module_at(db, unit, base, is_relative) {
        ModuleName::Loaded(module) => {
            // `from . import x` in the very `__init__` that binds `x` by it.
            if file_of_module(db, module) == Some(file)
                && let Some(found) = submodule()
            {
                return found;
            }
            if let Some(special) = super::typing::special(db, module, name) {
                return special;
            }
            bound(db, NameKey::new(db, module, name))
                .or_else(submodule)
                .unwrap_or_else(Values::unknown)
        }
        ModuleName::Absent(absent) => match submodule() {
            Some(found) => found,
            None => super::typing::special(db, absent, name)
                .unwrap_or_else(|| Values::of(db, Shape::Absent(absent_member(db, absent, name)))),
        },
    }
}

/// The names that `from m import *` takes from a module: `__all__`, else the public ones; those of
/// its own star imports with them.
#[salsa::tracked(returns(clone), cycle_fn = stars_again, cycle_initial = stars_first)]
pub fn star_names(db: &dyn Db, file: File) -> Arc<[NameId]> {
    let Some(items) = items(db, file) else {
        return Arc::default();
    };
    let names = &db.shared().names;
    let mut found: Vec<NameId> = Vec::new();
    let changes: Vec<&AllChange> = items.all.iter().collect();
    if changes.is_empty()
        || changes
            .iter()
            .all(|change| matches!(change, AllChange::Unknown))
    {
        let module = items
            .items
            .first()
            .map(|module| module.bindings)
            .unwrap_or_default();
        for binding in module.iter().filter_map(|at| items.bindings.get(at)) {
            match binding.kind {
                BindingKind::Star(import) => {
                    if let Some(source) = star_source(db, file, import) {
                        found.extend(star_names(db, source).iter());
                    }
                }
                BindingKind::Deleted => found.retain(|&name| name != binding.name),
                _ => found.push(binding.name),
            }
        }
        found.retain(|&name| !names.text(name).starts_with('_'));
    } else {
        for change in changes {
            match change {
                AllChange::Set(names) => found = names.to_vec(),
                AllChange::Add(names) => found.extend(names),
                AllChange::Remove(name) => found.retain(|other| other != name),
                AllChange::AddOf(node) => {
                    let frame = Frame::of_items(db, file, 0).evaluate(&[*node]);
                    for value in frame.node(*node).iter() {
                        if let Shape::Module(module) = crate::values::shape(db, value)
                            && let Some(source) = file_of_module(db, *module)
                        {
                            found.extend(star_names(db, source).iter());
                        }
                    }
                }
                AllChange::Unknown => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

fn stars_first(_: &dyn Db, _: salsa::Id, _: File) -> Arc<[NameId]> {
    Arc::default()
}

fn stars_again(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Arc<[NameId]>,
    new: Arc<[NameId]>,
    _: File,
) -> Arc<[NameId]> {
    if cycle.iteration() > 8 {
        return last.clone();
    }
    let mut all: Vec<NameId> = last.iter().chain(new.iter()).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}

/// The file that a star import takes its names from.
fn star_source(db: &dyn Db, file: File, import: u32) -> Option<File> {
    let import = header(db, file).get(import as usize)?;
    let (unit, _) = module_of(db, file)?;
    match module_at(db, unit, &base_of(db, unit, import)?, import.level > 0) {
        ModuleName::Loaded(module) => file_of_module(db, module),
        ModuleName::Absent(_) => None,
    }
}

/// The module whose star import brings a name into a file: the last that does.
pub(crate) fn star_of(db: &dyn Db, file: File, name: NameId) -> Option<SymbolId> {
    let items = items(db, file)?;
    let module = items.items.first()?.bindings;
    let bindings = module.iter().filter_map(|at| items.bindings.get(at));
    let stars = bindings.filter_map(|binding| match binding.kind {
        BindingKind::Star(import) => star_source(db, file, import),
        _ => None,
    });
    let stars: Vec<File> = stars.collect();
    let source = stars
        .into_iter()
        .rev()
        .find(|&source| source != file && star_names(db, source).contains(&name))?;
    Some(module_of(db, source)?.1.symbol)
}

fn from_star(db: &dyn Db, file: File, name: NameId) -> Option<Values> {
    let source = star_of(db, file, name)?;
    bound(db, NameKey::new(db, source, name))
}

/// A name of the builtins (Python reference, Builtins and restricted execution).
pub(crate) fn builtin(db: &dyn Db, unit: Unit, name: NameId) -> Option<Values> {
    match module(db, unit, "builtins") {
        ModuleName::Loaded(module) => {
            // What the model imports and its type variables are no builtins.
            let symbol = denoted(db, module, name)?;
            let text = db.shared().names.text(name);
            let is_own = db.shared().symbols.key(symbol).parent == Some(module);
            let is_public = !text.starts_with('_') || text.starts_with("__");
            (is_own && is_public).then(|| bound(db, NameKey::new(db, module, name)))?
        }
        ModuleName::Absent(_) => None,
    }
}

/// The module of the builtins as a frame's file sees it.
pub(crate) fn builtins_of(frame: &Frame<'_>) -> Option<SymbolId> {
    match module(frame.db, frame.unit?, "builtins") {
        ModuleName::Loaded(module) => Some(module),
        ModuleName::Absent(_) => None,
    }
}

/// A class of the builtins.
pub(crate) fn builtin_class(db: &dyn Db, unit: Unit, name: &str) -> SymbolId {
    match module(db, unit, "builtins") {
        ModuleName::Loaded(module) => match db.shared().symbols.key(module).declared_in {
            DeclaredIn::Unit(home) => {
                let name = db.shared().names.intern(name);
                member(db, home, module, SymbolClass::Type, name, 0)
            }
            _ => module,
        },
        ModuleName::Absent(module) => absent_member(db, module, db.shared().names.intern(name)),
    }
}

/// The class `object` as a file sees it; `None` without the model of the builtins.
pub(crate) fn object_class(db: &dyn Db, file: File) -> Option<SymbolId> {
    let (unit, _) = module_of(db, file)?;
    match module(db, unit, "builtins") {
        ModuleName::Loaded(_) => Some(builtin_class(db, unit, "object")),
        ModuleName::Absent(_) => None,
    }
}

/// What is stored in an attribute of a class by the class's own text: in its body and through the
/// first parameter of its methods. An annotation says all.
#[salsa::tracked(returns(clone), cycle_fn = field_again, cycle_initial = field_first)]
pub fn field<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Values {
    stacker::maybe_grow(1 << 18, 1 << 20, || stored(db, key.scope(db), key.name(db)))
}

fn field_first(_: &dyn Db, _: salsa::Id, _: NameKey<'_>) -> Values {
    Values::none()
}

fn field_again(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Values,
    new: Values,
    _: NameKey<'_>,
) -> Values {
    super::frame::next_in_cycle(cycle.iteration(), Some(last), Some(new))
}

fn stored(db: &dyn Db, class: SymbolId, name: NameId) -> Values {
    let Some((file, item)) = located(db, class) else {
        return Values::unknown();
    };
    let Some(items) = items(db, file) else {
        return Values::unknown();
    };
    let index = name_index(db, file);
    let mut found = Values::none();
    let own = current(items, &index, item, name);
    for binding in &own {
        if let BindingKind::Value { annotation, .. } = binding.kind
            && annotation != NONE
        {
            return binding_value(db, file, binding);
        }
    }
    for binding in own {
        found.join(&binding_value(db, file, binding));
    }
    let stores: Vec<_> = index
        .stores(item, name)
        .filter_map(|number| items.stores.get(number as usize))
        .collect();
    for store in &stores {
        if store.annotation != NONE {
            let frame = Frame::of_items(db, file, store.method).evaluate(&[store.annotation]);
            return super::typing::objects(db, frame.node(store.annotation));
        }
    }
    for store in stores {
        if store.value != NONE {
            let frame = Frame::of_items(db, file, store.method).evaluate(&[store.value]);
            found.join(frame.node(store.value));
        }
    }
    // What a call would put in place is not known for all objects of the class.
    crate::values::Substitution {
        closes_arguments: true,
        ..Default::default()
    }
    .apply(db, &found)
}
