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

use codeweft_db::{Db, File, NameId, SymbolId, Unit};
use codeweft_python_syntax::{Binding, BindingKind, Guard, Item, ItemKind, NONE};

use super::builtins::builtins_module;
use super::declared_names::{DeclaredName, scope_item};
use super::final_results;
use super::frame::Frame;
use super::functions::{decorated_value, parameter};
use super::imports::{import_values, star_values};
use super::resolution::{ImportTarget, binds_name_of, import_target, resolve};
use super::special_forms::special_form;
use super::typing::{is_alias_mark, objects};
use crate::bindings::{is_running_function, name_index, visible_bindings};
use crate::declared::{declaration_of, file_of_module, file_symbols, items};
use crate::keys::NameKey;
use crate::project::version::{Version, added};
use crate::recursion::{Provisional, Rounds, initial, recover, recursive};
use crate::settings::{never_runs, version};
use crate::values::{Class, Shape, Substitution, Values};
use crate::whole_file;

/// Returns the values of a name as seen from other scopes: those of its last unconditional binding,
/// of conditional bindings after it, and of functions that declare it `global` or `nonlocal`.
/// `None` if the scope does not bind it.
#[salsa::tracked(returns(clone), cycle_fn = recover, cycle_initial = initial)]
pub fn binding_values<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Option<Values> {
    recursive(|| compute_binding(db, key.scope(db), key.name(db)))
}

/// Returns the values of a name if they need no other scope or, in a file whose items are read as a
/// whole, no other scope of that file.
pub(super) fn declared_values(
    db: &dyn Db,
    scope: SymbolId,
    name: NameId,
    declared: DeclaredName,
) -> Option<Option<Values>> {
    match declared {
        DeclaredName::Item { .. } => declared.values(db).map(Some),
        DeclaredName::Unbound { .. } => Some(None),
        DeclaredName::Import {
            import,
            which,
            is_only: true,
        } if whole_file::is_read(db, scope) => {
            let (file, item) = scope_item(db, scope)?;
            let is_form = item == 0 && special_form(db, scope, name).is_some();
            // The import may lead back to this very name, so it reads names only.
            let values = || whole_file::reading(None, || import_values(db, file, import, which));
            (!is_form).then(|| Some(values()))
        }
        _ => None,
    }
}

/// Whether a scope binds a name does not depend on values, so `None` is final.
impl Provisional<NameKey<'_>> for Option<Values> {
    const ROUNDS: Rounds = Rounds::VALUES;

    fn initial(_: &dyn Db, _: NameKey<'_>) -> Option<Values> {
        Some(Values::none())
    }

    fn merge(&mut self, last: &Option<Values>) {
        if let (Some(new), Some(last)) = (self, last) {
            new.join(last);
        }
    }

    fn given_up(self, _: &dyn Db, _: &Self, _: NameKey<'_>, _: bool) -> Option<Values> {
        self.map(|_| Values::wide())
    }
}

fn compute_binding(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<Values> {
    let (file, item) = scope_item(db, scope)?;
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
        && let Some(special) = special_form(db, scope, name)
    {
        return Some(special);
    }
    let mut found = Values::none();
    let has_function = current
        .iter()
        .any(|binding| is_running_function(items, binding));
    for binding in current {
        if !has_function || !fails(db, file, binding) {
            found.join(&binding_value(db, file, binding));
        }
    }
    Some(found)
}

/// Returns whether an import does not succeed with the interpreter and the library that are read: it is in a branch for another
/// release, or it depends on the version, or its failure is handled, and its module does not bind the name. Then another branch runs.
///
/// ```python
/// if sys.version_info >= (3, 12):
///     from typing import override          # fails before 3.12
/// else:
///     def override(method): ...
/// ```
pub(crate) fn fails(db: &dyn Db, file: File, binding: &Binding) -> bool {
    let BindingKind::Import { import, which } = binding.kind else {
        return false;
    };
    let version = version(db);
    let is_handled = match binding.guard {
        Guard::Version | Guard::ImportError => true,
        guard @ (Guard::Since(_) | Guard::Before(_)) => {
            if version.is_some_and(|version| never_runs(guard, version)) {
                return true;
            }
            // Which branch runs is not known, unless the library says it.
            version.is_none()
        }
        Guard::None | Guard::TypeChecking | Guard::Other => false,
    };
    if !is_handled {
        return false;
    }
    let Some(ImportTarget::Name(module, name)) = import_target(db, file, import, which) else {
        return false;
    };
    if let Some(version) = version
        && is_newer(db, module, name, version)
    {
        return true;
    }
    let binds = |name| binds_name_of(db, module, name);
    let has_stars =
        file_of_module(db, module).is_none_or(|source| name_index(db, source).has_stars());
    !has_stars && !binds(name) && !binds(db.shared().names.intern("__getattr__"))
}

/// Returns whether a module of the model has a name only in releases after this one.
fn is_newer(db: &dyn Db, module: SymbolId, name: NameId, version: Version) -> bool {
    let is_model = file_of_module(db, module)
        .is_some_and(|source| source.path(db).starts_with(crate::layout::MODEL_DIR));
    let names = &db.shared().names;
    let of = names.text(db.shared().symbols.key(module).name);
    is_model
        && added(of, names.text(name)).is_some_and(|minor| version < Version { major: 3, minor })
}

/// Returns the values that one binding assigns. A declared annotation takes precedence over the
/// value.
pub(crate) fn binding_value(db: &dyn Db, file: File, binding: &Binding) -> Values {
    match binding.kind {
        BindingKind::Item(item) => {
            let symbols = file_symbols(db, file);
            let declared = items(db, file).and_then(|items| items.items.get(item as usize));
            match declared.zip(symbols.get(item as usize)) {
                Some((declared, &symbol)) => item_value(db, declared, symbol, true),
                None => Values::unknown(),
            }
        }
        BindingKind::Import { import, which } => import_values(db, file, import, which),
        BindingKind::Star(_) | BindingKind::Deleted => Values::none(),
        BindingKind::TypeAlias(node) => {
            let frame = Frame::of_items(db, file, binding.owner);
            let ty = frame.evaluate(&[node]).node(node).clone();
            Values::of(db, Shape::TypeExpression(objects(db, &ty)))
        }
        BindingKind::Param(number) => {
            let symbols = file_symbols(db, file);
            match symbols.get(binding.owner as usize) {
                Some(&function) => parameter(db, function, number),
                None => Values::unknown(),
            }
        }
        BindingKind::Value { value, annotation } => {
            if annotation != NONE {
                let frame = Frame::of_items(db, file, binding.owner).evaluate(&[annotation]);
                let declared = frame.node(annotation);
                let says_all = !declared.is_none() || value == NONE;
                if says_all && !is_alias_mark(db, declared) {
                    return objects(db, declared);
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
pub(crate) fn item_value(
    db: &dyn Db,
    declared: &Item,
    symbol: SymbolId,
    with_decorators: bool,
) -> Values {
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
    let module = builtins_module(db, unit)?;
    // Names that the model imports, and its type variables, are no builtins.
    let symbol = resolve(db, module, name)?;
    let text = db.shared().names.text(name);
    let is_own = db.shared().symbols.key(symbol).parent == Some(module);
    let is_public = !text.starts_with('_') || text.starts_with("__");
    (is_own && is_public).then(|| final_results::binding_values(db, module, name))?
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
#[salsa::tracked(returns(clone), cycle_fn = recover, cycle_initial = initial)]
pub fn field_values<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Values {
    recursive(|| compute_field(db, key.scope(db), key.name(db)))
}

impl Provisional<NameKey<'_>> for Values {
    const ROUNDS: Rounds = Rounds::VALUES;

    fn initial(_: &dyn Db, _: NameKey<'_>) -> Values {
        Values::none()
    }

    fn merge(&mut self, last: &Values) {
        self.join(last);
    }

    fn given_up(self, _: &dyn Db, _: &Self, _: NameKey<'_>, _: bool) -> Values {
        Values::wide()
    }
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
            return objects(db, frame.node(store.annotation));
        }
    }
    for store in stores {
        if store.value != NONE {
            let frame = Frame::of_items(db, file, store.method).evaluate(&[store.value]);
            found.join(frame.node(store.value));
        }
    }
    // The arguments of the constructor calls are not known for all objects of the class.
    Substitution {
        closes_arguments: true,
        ..Default::default()
    }
    .apply(db, &found)
}
