//! The values that names are bound to in a scope (Python reference, "Naming and binding").
//!
//! [`binding_values`] answers for module globals, class variables and captured variables, seen from
//! other scopes; local variables are SSA nodes of their [`Frame`]. [`field_values`] answers for
//! attributes stored by methods.
//!
//! ```python
//! x = A()              # overwritten: not counted
//! x = B()              # the last unconditional binding
//! if debug:
//!     x = C()          # conditional, after it
//! def f():
//!     global x
//!     x = D()          # may run at any time
//! # values of x: B, C, D
//! ```

use std::sync::Arc;

use codeweft_db::{Db, DeclaredIn, File, NameId, SymbolClass, SymbolId, Unit};
use codeweft_python_syntax::{Binding, BindingKind, Guard, ItemKind, Items, NONE};

use super::frame::Frame;
use super::functions::decorated_value;
use super::imports::{ModuleName, absent_member, import_values, resolve_module, star_values};
use super::resolution::resolve;
use crate::declared::{
    declaration_of, file_of_module, file_symbols, items, member_symbol, module_of,
};
use crate::values::{Class, Shape, Values};

/// The key of a name in a scope: a module, a class body, or a function whose variable is captured.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct NameKey<'db> {
    /// The symbol of the module, class or function.
    #[returns(copy)]
    pub scope: SymbolId,
    /// The name.
    #[returns(copy)]
    pub name: NameId,
}

/// The index of the bindings and attribute stores of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NameIndex {
    /// (item of the scope, name, number in `Items::bindings`), sorted.
    bindings: Box<[(u32, NameId, u32)]>,
    /// (item of the class, name, number in `Items::stores`), sorted.
    stores: Box<[(u32, NameId, u32)]>,
}

impl NameIndex {
    /// Returns the numbers of a name's bindings in a scope, in text order.
    pub(crate) fn bindings(&self, scope: u32, name: NameId) -> impl Iterator<Item = u32> + '_ {
        range(&self.bindings, scope, name)
    }

    /// Returns the numbers of the stores into an attribute of a class, in text order.
    pub(crate) fn stores(&self, class: u32, name: NameId) -> impl Iterator<Item = u32> + '_ {
        range(&self.stores, class, name)
    }

    /// Returns the names of the attributes that methods of a class store; a name may repeat.
    pub(crate) fn stored_names(&self, class: u32) -> impl Iterator<Item = NameId> + '_ {
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

/// Returns the index of a file's bindings and stores.
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

/// Returns the values of a name as seen from other scopes: those of its last unconditional binding,
/// of conditional bindings after it, and of functions that declare it `global` or `nonlocal`.
/// `None` if the scope does not bind it.
#[salsa::tracked(returns(clone), cycle_fn = binding_cycle_next, cycle_initial = binding_cycle_initial)]
pub fn binding_values<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Option<Values> {
    stacker::maybe_grow(1 << 18, 1 << 20, || {
        compute_binding(db, key.scope(db), key.name(db))
    })
}

/// Returns [`binding_values`] by scope and name.
pub(crate) fn binding_values_in(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<Values> {
    binding_values(db, NameKey::new(db, scope, name))
}

fn binding_cycle_initial(_: &dyn Db, _: salsa::Id, _: NameKey<'_>) -> Option<Values> {
    Some(Values::none())
}

fn binding_cycle_next(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Option<Values>,
    new: Option<Values>,
    _: NameKey<'_>,
) -> Option<Values> {
    // Whether the scope binds the name does not depend on values, so `None` is final.
    new.map(|new| super::frame::next_in_cycle(cycle.iteration(), last.as_ref(), Some(new)))
}

/// Returns the bindings of a name that are visible to other scopes.
pub(crate) fn visible_bindings<'i>(
    items: &'i Items,
    index: &NameIndex,
    scope: u32,
    name: NameId,
) -> Vec<&'i Binding> {
    let all: Vec<&Binding> = index
        .bindings(scope, name)
        .filter_map(|number| items.bindings.get(number as usize))
        .collect();
    // A captured variable of a function is read between any two of its bindings.
    let is_function = items
        .items
        .get(scope as usize)
        .is_some_and(|item| matches!(item.kind, ItemKind::Function | ItemKind::Lambda));
    let is_last =
        |binding: &&Binding| binding.owner == scope && binding.guard == Guard::None && !is_function;
    let from = all.iter().rposition(is_last).unwrap_or(0);
    let (before, after) = all.split_at(from);
    // Functions that declare the name `global` may run at any time.
    let elsewhere = before.iter().filter(|binding| binding.owner != scope);
    elsewhere.chain(after).copied().collect()
}

fn compute_binding(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<Values> {
    let file = match db.shared().symbols.key(scope).class {
        SymbolClass::Package => (file_of_module(db, scope)?, 0),
        _ => declaration_of(db, scope)?,
    };
    let (file, item) = file;
    let items = items(db, file)?;
    let index = name_index(db, file);
    let current = visible_bindings(items, &index, item, name);
    if current.is_empty() {
        return match item {
            0 => star_values(db, file, name),
            _ => None,
        };
    }
    if item == 0
        && let Some(special) = super::typing::special_form(db, scope, name)
    {
        return Some(special);
    }
    let mut found = Values::none();
    for binding in current {
        found.join(&binding_value(db, file, binding));
    }
    Some(found)
}

/// Returns the values that one binding assigns. A declared annotation takes precedence over the
/// value.
pub(crate) fn binding_value(db: &dyn Db, file: File, binding: &Binding) -> Values {
    match binding.kind {
        BindingKind::Item(item) => item_value(db, file, item, true),
        BindingKind::Import { import, which } => import_values(db, file, import, which),
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

/// Returns the value of a class, function or lambda, with or without its decorators applied.
pub(crate) fn item_value(db: &dyn Db, file: File, item: u32, with_decorators: bool) -> Values {
    let symbols = file_symbols(db, file);
    let Some((declared, &symbol)) = items(db, file)
        .and_then(|items| items.items.get(item as usize))
        .zip(symbols.get(item as usize))
    else {
        return Values::unknown();
    };
    match declared.kind {
        // Class decorators nearly always return the class itself.
        ItemKind::Class => Values::of(db, Shape::Class(Class::plain(symbol))),
        ItemKind::Module => Values::of(db, Shape::Module(symbol)),
        ItemKind::Function if with_decorators && !declared.decorators.is_empty() => {
            decorated_value(db, symbol)
        }
        ItemKind::Function | ItemKind::Lambda => Values::of(db, Shape::Function(symbol)),
    }
}

/// Returns the values of a name of the builtins (Python reference, "Builtins and restricted
/// execution").
pub(crate) fn builtin_values(db: &dyn Db, unit: Unit, name: NameId) -> Option<Values> {
    match resolve_module(db, unit, "builtins") {
        ModuleName::Loaded(module) => {
            // Names that the model imports, and its type variables, are no builtins.
            let symbol = resolve(db, module, name)?;
            let text = db.shared().names.text(name);
            let is_own = db.shared().symbols.key(symbol).parent == Some(module);
            let is_public = !text.starts_with('_') || text.starts_with("__");
            (is_own && is_public).then(|| binding_values(db, NameKey::new(db, module, name)))?
        }
        ModuleName::Absent(_) => None,
    }
}

/// Returns the module of the builtins as seen by a frame's file.
pub(crate) fn builtins_of(frame: &Frame<'_>) -> Option<SymbolId> {
    match resolve_module(frame.db, frame.unit?, "builtins") {
        ModuleName::Loaded(module) => Some(module),
        ModuleName::Absent(_) => None,
    }
}

/// Returns a class of the builtins.
pub(crate) fn builtin_class(db: &dyn Db, unit: Unit, name: &str) -> SymbolId {
    match resolve_module(db, unit, "builtins") {
        ModuleName::Loaded(module) => match db.shared().symbols.key(module).declared_in {
            DeclaredIn::Unit(home) => {
                let name = db.shared().names.intern(name);
                member_symbol(db, home, module, SymbolClass::Type, name, 0)
            }
            _ => module,
        },
        ModuleName::Absent(module) => absent_member(db, module, db.shared().names.intern(name)),
    }
}

/// Returns the class `object` as seen by a file; `None` without the model of the builtins.
pub(crate) fn object_class(db: &dyn Db, file: File) -> Option<SymbolId> {
    let (unit, _) = module_of(db, file)?;
    match resolve_module(db, unit, "builtins") {
        ModuleName::Loaded(_) => Some(builtin_class(db, unit, "object")),
        ModuleName::Absent(_) => None,
    }
}

/// Returns the values stored in an attribute by the class's own text: in its body and through the
/// first parameter of its methods. An annotation is final.
///
/// ```python
/// class C:
///     limit: int = 10             # annotated: int
///     def __init__(self, repo):
///         self.repo = repo        # unknown: the argument of some call
///         self.cache = Cache()    # Cache
/// ```
#[salsa::tracked(returns(clone), cycle_fn = field_cycle_next, cycle_initial = field_cycle_initial)]
pub fn field_values<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Values {
    stacker::maybe_grow(1 << 18, 1 << 20, || {
        compute_field(db, key.scope(db), key.name(db))
    })
}

fn field_cycle_initial(_: &dyn Db, _: salsa::Id, _: NameKey<'_>) -> Values {
    Values::none()
}

fn field_cycle_next(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Values,
    new: Values,
    _: NameKey<'_>,
) -> Values {
    super::frame::next_in_cycle(cycle.iteration(), Some(last), Some(new))
}

fn compute_field(db: &dyn Db, class: SymbolId, name: NameId) -> Values {
    let Some((file, item)) = declaration_of(db, class) else {
        return Values::unknown();
    };
    let Some(items) = items(db, file) else {
        return Values::unknown();
    };
    let index = name_index(db, file);
    let mut found = Values::none();
    let own = visible_bindings(items, &index, item, name);
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
    // The arguments of the constructor calls are not known for all objects of the class.
    crate::values::Substitution {
        closes_arguments: true,
        ..Default::default()
    }
    .apply(db, &found)
}
