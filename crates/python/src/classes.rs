//! Classes: method resolution order and attribute lookup on a class.
//!
//! The rules are those of the Python reference, "Customizing class creation" and "Custom classes"
//! (Data model), and of "The Python 2.3 Method Resolution Order" for C3 linearization.
//! [`class_info`] computes the order, [`find_in_mro`] and [`lookup`] read attributes by it, and
//! [`resolve_method`] answers which method runs for an object of a class.
//!
//! ```python
//! class A: ...
//! class B(A): ...
//! class C(A): ...
//! class D(B, C): ...   # mro: D, B, C, A, object
//! ```

use std::sync::Arc;

use codeweft_db::{Db, DeclaredIn, NameId, SymbolClass, SymbolId};
use rustc_hash::FxHashMap;

use crate::bases::{Base, class_statement, is_its_own_ancestor};
use crate::declared::{declaration_of, items};
use crate::infer::{
    Frame, function_info, function_info_of, object_class, path_of, resolve, variable_symbol,
};
use crate::keys::{ClassKey, FunctionKey};
use crate::known::{self, KnownClass};
use crate::members::{FunctionKind, MemberItem, Reading, read_member};
use crate::recursion::{Provisional, initial, recover, recursive};
use crate::values::{Class, Shape, Substitution, Values};

/// Class facts that follow from class statements alone: no function body is read, so edits of
/// bodies never change them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassInfo {
    /// The bases in the order of the statement.
    pub bases: Box<[Base]>,
    /// The class itself, then its ancestors in method resolution order, without unknown ones.
    pub mro: Box<[SymbolId]>,
    /// Parallel to `mro`: the type arguments of each class, in terms of this class's type
    /// parameters.
    pub mro_args: Box<[Box<[Values]>]>,
    /// The type parameters of the class.
    pub type_params: Box<[NameId]>,
    /// Whether a base of the class or of an ancestor is unknown.
    pub has_unknown_base: bool,
    /// Whether `typing.Protocol` is a direct base.
    pub is_protocol: bool,
    /// Whether the constructor is generated unless the class defines one: `dataclasses.dataclass`,
    /// `attrs`, `NamedTuple`, `TypedDict`.
    pub generates_init: bool,
    /// Whether the class is an enumeration, so that calling it looks a member up.
    pub is_enum: bool,
    /// The metaclass that the class or an ancestor names.
    pub metaclass: Option<SymbolId>,
}

/// Returns what the statements of a class and its ancestors say. A class that is its own ancestor
/// has no method resolution order; its `mro` is the class alone.
///
/// A cycle (bases computed from the class itself) is iterated 8 times, then given up with an
/// unknown base.
#[salsa::tracked(returns(clone), cycle_fn = recover, cycle_initial = initial)]
pub fn class_info<'db>(db: &'db dyn Db, key: ClassKey<'db>) -> Arc<ClassInfo> {
    recursive(|| Arc::new(compute_class_info(db, key.symbol(db))))
}

fn without_ancestors(symbol: SymbolId) -> ClassInfo {
    ClassInfo {
        mro: [symbol].into(),
        mro_args: [Box::default()].into(),
        ..ClassInfo::default()
    }
}

impl Provisional<ClassKey<'_>> for Arc<ClassInfo> {
    fn initial(db: &dyn Db, key: ClassKey<'_>) -> Arc<ClassInfo> {
        Arc::new(without_ancestors(key.symbol(db)))
    }

    fn given_up(self, db: &dyn Db, last: &Self, key: ClassKey<'_>, is_first: bool) -> Self {
        if !is_first {
            return last.clone();
        }
        Arc::new(ClassInfo {
            has_unknown_base: true,
            ..without_ancestors(key.symbol(db))
        })
    }
}

fn compute_class_info(db: &dyn Db, class: SymbolId) -> ClassInfo {
    let unknown = || ClassInfo {
        has_unknown_base: true,
        ..without_ancestors(class)
    };
    let Some((file, number)) = declaration_of(db, class) else {
        return unknown();
    };
    let Some(items) = items(db, file) else {
        return unknown();
    };
    let Some(statement) = class_statement(db, ClassKey::new(db, class)) else {
        return unknown();
    };
    if is_its_own_ancestor(db, class, &statement) {
        return unknown();
    }
    let declared = &items.items[number as usize];
    let bases = &statement.bases;
    let mut info = ClassInfo {
        bases: bases.clone(),
        type_params: statement.type_params.clone(),
        has_unknown_base: statement.has_unknown_base,
        is_protocol: statement.is_protocol,
        generates_init: statement.generates_init,
        ..without_ancestors(class)
    };

    let mut lines: Vec<Vec<(SymbolId, Box<[Values]>)>> = Vec::new();
    let mut direct = Vec::new();
    for base in bases {
        let Some(symbol) = base.symbol.filter(|&symbol| symbol != class) else {
            continue;
        };
        let of_base = class_info(db, ClassKey::new(db, symbol));
        info.has_unknown_base |= of_base.has_unknown_base;
        info.is_enum |= of_base.is_enum;
        info.generates_init |= of_base.generates_init;
        info.metaclass = info.metaclass.or(of_base.metaclass);
        let as_class = Class {
            symbol,
            args: base.args.clone(),
        };
        let substitution = Substitution::of_class(&of_base.type_params, &as_class);
        let line = of_base.mro.iter().zip(of_base.mro_args.iter()).enumerate();
        let line = line.map(|(at, (&ancestor, args))| match at {
            0 => (ancestor, base.args.clone()),
            _ => (
                ancestor,
                args.iter().map(|arg| substitution.apply(db, arg)).collect(),
            ),
        });
        lines.push(line.collect());
        direct.push((symbol, base.args.clone()));
    }
    lines.push(direct);
    let merged = merge_c3(lines);
    let own_args = info.type_params.iter().map(|&name| {
        Values::of(
            db,
            Shape::OfTypeVar {
                name,
                bound: Values::none(),
            },
        )
    });
    let own_args: Box<[Values]> = own_args.collect();
    let mut merged = merged;
    // Every class ends in `object`.
    if let Some(object) = object_class(db, file)
        && object != class
        && merged.last().is_none_or(|(last, _)| *last != object)
    {
        merged.push((object, Box::default()));
    }
    info.mro = [class]
        .into_iter()
        .chain(merged.iter().map(|(symbol, _)| *symbol))
        .collect();
    info.mro_args = [own_args]
        .into_iter()
        .chain(merged.into_iter().map(|(_, args)| args))
        .collect();
    if info.mro[1..].contains(&class) {
        return unknown();
    }
    // The metaclass of the statement takes precedence over an inherited one.
    info.metaclass = statement.metaclass.or(info.metaclass);
    match known::class(db, class) {
        Some(KnownClass::Enum) => info.is_enum = true,
        Some(KnownClass::EnumMeta) => info.is_enum = false,
        _ => {}
    }
    for &decorator in &declared.decorators {
        let path = path_of(&Frame::of_items(db, file, declared.parent), decorator);
        let row = path.as_deref().and_then(known::decorator);
        if row.is_some_and(|row| row.generates_init) {
            info.generates_init = true;
        }
    }
    info
}

/// Merges linearizations by C3: repeatedly takes the first head that is in no other list's tail.
/// Where no such head exists (Python raises `TypeError`) the first head is taken, so that broken
/// code still has an order.
///
/// ```text
/// merge([B A], [C A], [B C]) = B, merge([A], [C A], [C]) = B, C, merge([A], [A]) = B, C, A
/// ```
fn merge_c3(mut lines: Vec<Vec<(SymbolId, Box<[Values]>)>>) -> Vec<(SymbolId, Box<[Values]>)> {
    let mut merged: Vec<(SymbolId, Box<[Values]>)> = Vec::new();
    loop {
        lines.retain(|line| !line.is_empty());
        if lines.is_empty() {
            return merged;
        }
        let is_good = |candidate: SymbolId| {
            !lines
                .iter()
                .any(|line| line[1..].iter().any(|(other, _)| *other == candidate))
        };
        let good = lines
            .iter()
            .map(|line| line[0].0)
            .find(|&candidate| is_good(candidate));
        let next = good.unwrap_or(lines[0][0].0);
        let args = lines
            .iter()
            .find(|line| line[0].0 == next)
            .map(|line| line[0].1.clone());
        merged.push((next, args.unwrap_or_default()));
        for line in &mut lines {
            line.retain(|(other, _)| *other != next);
        }
    }
}

/// Returns a private name as its class binds it: `__x` in `class _C` is `_C__x` (Python reference,
/// Identifiers, "Private name mangling").
pub(crate) fn mangled(db: &dyn Db, class: SymbolId, name: NameId) -> NameId {
    let shared = db.shared();
    let text = shared.names.text(name);
    if !text.starts_with("__") || text.ends_with("__") {
        return name;
    }
    let class = shared
        .names
        .text(shared.symbols.key(class).name)
        .trim_start_matches('_');
    if class.is_empty() {
        name
    } else {
        shared.names.intern(&format!("_{class}{text}"))
    }
}

/// Returns whether a class is `base` or one of its subclasses.
pub(crate) fn is_subclass(db: &dyn Db, class: SymbolId, base: SymbolId) -> bool {
    class == base || class_info(db, ClassKey::new(db, class)).mro.contains(&base)
}

/// The declaration of a name in a class's own text, without its bases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OwnMember {
    /// A function: the last one that is neither setter nor deleter.
    Function {
        /// The function that reading the attribute gives.
        function: SymbolId,
        /// Whether `self.name` is stored too, or the name is also bound to a value.
        also_stored: bool,
        /// Whether other branches of the class body define the name as well, see
        /// [`conditional_redefinitions`].
        has_redefinitions: bool,
    },
    /// A nested class.
    Class(SymbolId),
    /// A class variable or an instance attribute.
    Field(SymbolId),
}

impl OwnMember {
    /// Returns the declared symbol.
    pub(crate) fn symbol(self) -> SymbolId {
        match self {
            OwnMember::Function { function, .. } => function,
            OwnMember::Class(symbol) | OwnMember::Field(symbol) => symbol,
        }
    }
}

/// Returns what a class's own text declares by a name.
pub(crate) fn own_member(db: &dyn Db, class: SymbolId, name: NameId) -> Option<OwnMember> {
    read_own_member(db, class, name, Reading::ByName)
}

fn read_own_member(
    db: &dyn Db,
    class: SymbolId,
    name: NameId,
    reading: Reading,
) -> Option<OwnMember> {
    let member = read_member(db, class, name, reading)?;
    let is = |item: &MemberItem, kind: FunctionKind| kind_of(db, item) == kind;
    let is_read =
        |item: &&MemberItem| !is(item, FunctionKind::Setter) && !is(item, FunctionKind::Deleter);
    let mut items = member.items.iter().rev();
    let Some(last) = items.find(is_read) else {
        if let Some(last) = member.items.last() {
            // A setter or deleter without its property (`@Base.x.setter`) extends a base's
            // property, which a read finds; after `x = Base.__dict__["x"]` the setter is the name's
            // only declaration.
            let has_value = member.is_valued || member.has_value || member.is_stored;
            return has_value.then_some(OwnMember::Field(last.symbol));
        }
        // A name that is only imported is no attribute of the class but the imported symbol.
        let is_own = member.is_valued || member.is_stored || !member.is_imported;
        let imported = || resolve(db, class, name);
        let symbol = (!is_own).then(imported).flatten();
        return Some(OwnMember::Field(
            symbol.unwrap_or_else(|| variable_symbol(db, class, name)),
        ));
    };
    if last.is_class {
        return Some(OwnMember::Class(last.symbol));
    }
    // A property takes precedence over the instance's dictionary (Python reference, Data model,
    // "Invoking Descriptors").
    let is_stored = member.is_stored && !is(last, FunctionKind::Property);
    let is_redefinition =
        |item: &&MemberItem| item.is_live && !item.is_class && item.symbol != last.symbol;
    let mut redefinitions = member.items.iter().filter(is_redefinition).filter(is_read);
    Some(OwnMember::Function {
        function: last.symbol,
        also_stored: is_stored || member.has_value,
        has_redefinitions: last.is_live && redefinitions.next().is_some(),
    })
}

/// Returns the other functions of a method's class that the name may mean: those of other branches
/// of the class body, and the one before the branches (Python reference, Naming and binding: the
/// binding that ran last wins). For a setter or deleter, only others of the same kind.
///
/// ```python
/// class C:
///     if sys.version_info >= (3, 12):
///         def read(self): ...   # either may be bound to C.read
///     else:
///         def read(self): ...
/// ```
pub(crate) fn conditional_redefinitions(
    db: &dyn Db,
    method: SymbolId,
    reading: Reading,
) -> Vec<SymbolId> {
    let key = db.shared().symbols.key(method);
    let Some(class) = key.parent.filter(|_| key.class == SymbolClass::Method) else {
        return Vec::new();
    };
    let name = mangled(db, class, key.name);
    let Some(member) = read_member(db, class, name, reading) else {
        return Vec::new();
    };
    let live = member
        .items
        .iter()
        .filter(|item| item.is_live && !item.is_class);
    if live.clone().count() < 2 || !live.clone().any(|item| item.symbol == method) {
        return Vec::new();
    }
    let group = |item: &MemberItem| match kind_of(db, item) {
        kind @ (FunctionKind::Setter | FunctionKind::Deleter) => Some(kind),
        _ => None,
    };
    let own_member = live.clone().find(|item| item.symbol == method).map(group);
    let redefinitions =
        live.filter(|item| item.symbol != method && Some(group(item)) == own_member);
    let mut redefinitions: Vec<SymbolId> = redefinitions.map(|item| item.symbol).collect();
    redefinitions.dedup();
    redefinitions
}

fn kind_of(db: &dyn Db, item: &MemberItem) -> FunctionKind {
    if item.is_decorated {
        function_info(db, FunctionKey::new(db, item.symbol)).kind
    } else {
        FunctionKind::Plain
    }
}

/// Returns the method that runs for an object of `class` when `method`, declared in the class or a
/// base, is called; for a setter or deleter the one of the same kind. A conditional redefinition
/// resolves to itself. For what no query runs.
pub(crate) fn resolve_method(db: &dyn Db, class: SymbolId, method: SymbolId) -> Option<SymbolId> {
    let found = resolve_methods(db, &[class], method);
    found.into_iter().next().flatten()
}

/// Returns for each of some classes what [`resolve_method`] does. What a base declares is read once, however many of the
/// classes inherit it: thousands of tests have one base.
pub(crate) fn resolve_methods(
    db: &dyn Db,
    classes: &[SymbolId],
    method: SymbolId,
) -> Vec<Option<SymbolId>> {
    let symbols = &db.shared().symbols;
    let key = symbols.key(method);
    let name = match key.parent {
        Some(parent) => mangled(db, parent, key.name),
        None => key.name,
    };
    let kind = function_info_of(db, method).kind;
    let read = |base| match kind {
        FunctionKind::Setter | FunctionKind::Deleter => {
            own_accessor(db, base, name, kind, Reading::Whole)
        }
        _ => read_own_member(db, base, name, Reading::Whole).map(|found| Some(found.symbol())),
    };
    let mut declared: FxHashMap<SymbolId, Option<Option<SymbolId>>> = FxHashMap::default();
    let mut resolve = |&class: &SymbolId| {
        if symbols.key(class).class != SymbolClass::Type {
            return None;
        }
        let info = class_info(db, ClassKey::new(db, class));
        let mut bases = info.mro.iter();
        let found =
            bases.find_map(|&base| *declared.entry(base).or_insert_with(|| read(base)))??;
        let found_key = symbols.key(found);
        if found_key.parent == key.parent && found_key.class == key.class {
            return Some(method);
        }
        (found_key.class == SymbolClass::Method).then_some(found)
    };
    classes.iter().map(&mut resolve).collect()
}

/// Returns the setter or deleter (by `kind`) that storing or deleting a property of a class runs.
pub(crate) fn find_accessor(
    db: &dyn Db,
    class: SymbolId,
    name: NameId,
    kind: FunctionKind,
    reading: Reading,
) -> Option<SymbolId> {
    let info = class_info(db, ClassKey::new(db, class));
    let mut bases = info.mro.iter();
    bases.find_map(|&base| own_accessor(db, base, name, kind, reading))?
}

/// Returns the setter or deleter (by `kind`) of a property that a class's own text binds, `Some(None)` if what it binds the name
/// to has none; `None` if it does not bind the name.
fn own_accessor(
    db: &dyn Db,
    class: SymbolId,
    name: NameId,
    kind: FunctionKind,
    reading: Reading,
) -> Option<Option<SymbolId>> {
    let member = read_member(db, class, name, reading).filter(|member| member.is_bound)?;
    let mut items = member.items.iter().rev();
    let found = items.find(|item| kind_of(db, item) == kind);
    Some(found.map(|item| item.symbol))
}

/// Returns the declaration of a name on a class, with the index in `info.mro` of the class that
/// declares it. `from` is the first index searched: 1 skips the class itself.
pub(crate) fn find_in_mro(
    db: &dyn Db,
    info: &ClassInfo,
    name: NameId,
    from: usize,
) -> Option<(usize, OwnMember)> {
    read_in_mro(db, info, name, from, Reading::ByName)
}

fn read_in_mro(
    db: &dyn Db,
    info: &ClassInfo,
    name: NameId,
    from: usize,
    reading: Reading,
) -> Option<(usize, OwnMember)> {
    let mut ancestors = info.mro.iter().enumerate().skip(from);
    ancestors.find_map(|(at, &class)| Some((at, read_own_member(db, class, name, reading)?)))
}

/// Returns the method, class or field that a name means on a class by its method resolution order.
pub(crate) fn lookup(
    db: &dyn Db,
    class: SymbolId,
    name: NameId,
    reading: Reading,
) -> Option<SymbolId> {
    if db.shared().symbols.key(class).class != SymbolClass::Type {
        return None;
    }
    let info = class_info(db, ClassKey::new(db, class));
    read_in_mro(db, &info, name, 0, reading).map(|(_, own_member)| own_member.symbol())
}

/// Returns the symbol that a name means as an attribute of a loaded module or class.
pub(crate) fn member_named(db: &dyn Db, of: SymbolId, name: NameId) -> Option<SymbolId> {
    let key = db.shared().symbols.key(of);
    match (key.class, key.declared_in) {
        (SymbolClass::Package, DeclaredIn::Unit(_)) => resolve(db, of, name),
        (SymbolClass::Type, DeclaredIn::Unit(_)) => {
            lookup(db, of, mangled(db, of, name), Reading::ByName)
        }
        _ => None,
    }
}

/// Returns the same among the classes after `after` in the order of `class`: the lookup of
/// `super()` (Python library, `super`). For what no query runs.
pub(crate) fn lookup_after(
    db: &dyn Db,
    class: SymbolId,
    after: SymbolId,
    name: NameId,
) -> Option<SymbolId> {
    if db.shared().symbols.key(class).class != SymbolClass::Type {
        return None;
    }
    let info = class_info(db, ClassKey::new(db, class));
    let at = info.mro.iter().position(|&one| one == after)?;
    let found = read_in_mro(db, &info, name, at + 1, Reading::Whole);
    found.map(|(_, own_member)| own_member.symbol())
}
