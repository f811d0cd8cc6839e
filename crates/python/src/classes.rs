//! Classes: bases, method resolution order, members (Python reference, Customizing class creation;
//! The Python 2.3 method resolution order for C3).

use std::sync::Arc;

use codeweft_db::{Db, NameId, SymbolClass, SymbolId};

use crate::bases::{Base, class_statement, is_own_ancestor};
use crate::declared::{items, located};
use crate::infer::{Frame, FunctionKey, FunctionKind, denoted, function_info, path_of, variable};
use crate::members::{MemberItem, class_members};
use crate::values::{Class, Shape, Substitution, Values};

/// A class.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct ClassKey<'db> {
    /// Its symbol.
    #[returns(copy)]
    pub symbol: SymbolId,
}

/// What a class is, from class statements alone: no body of a function is read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassInfo {
    /// By the place in the statement.
    pub bases: Box<[Base]>,
    /// The class itself, then its ancestors in method resolution order; unknown ones left out.
    pub mro: Box<[SymbolId]>,
    /// The type arguments of each class of `mro`, in terms of this class's type parameters.
    pub mro_args: Box<[Box<[Values]>]>,
    /// Its type parameters.
    pub type_params: Box<[NameId]>,
    /// Whether a base, its own or an ancestor's, is not known.
    pub has_unknown_base: bool,
    /// A direct subclass of `typing.Protocol`.
    pub is_protocol: bool,
    /// `dataclasses.dataclass`, `attrs`, `NamedTuple`, `TypedDict`: its constructor is generated
    /// unless it defines one.
    pub generates_init: bool,
    /// An enumeration: calling it looks a member up.
    pub is_enum: bool,
    /// Its metaclass where it names one, or an ancestor does.
    pub metaclass: Option<SymbolId>,
}

/// What a class is by its statement and those of its ancestors. A class that is its own ancestor
/// stands alone: it has no method resolution order.
#[salsa::tracked(returns(clone), cycle_fn = info_again, cycle_initial = info_first)]
pub fn class_info<'db>(db: &'db dyn Db, key: ClassKey<'db>) -> Arc<ClassInfo> {
    stacker::maybe_grow(1 << 18, 1 << 20, || Arc::new(info(db, key.symbol(db))))
}

fn alone(symbol: SymbolId) -> ClassInfo {
    ClassInfo {
        mro: [symbol].into(),
        mro_args: [Box::default()].into(),
        ..ClassInfo::default()
    }
}

fn info_first(db: &dyn Db, _: salsa::Id, key: ClassKey<'_>) -> Arc<ClassInfo> {
    Arc::new(alone(key.symbol(db)))
}

fn info_again(
    db: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Arc<ClassInfo>,
    new: Arc<ClassInfo>,
    key: ClassKey<'_>,
) -> Arc<ClassInfo> {
    // Bases that are computed from the class itself may never come to rest.
    match cycle.iteration() {
        0..=8 => new,
        9 => Arc::new(ClassInfo {
            has_unknown_base: true,
            ..alone(key.symbol(db))
        }),
        _ => last.clone(),
    }
}

fn info(db: &dyn Db, class: SymbolId) -> ClassInfo {
    let unknown = || ClassInfo {
        has_unknown_base: true,
        ..alone(class)
    };
    let Some((file, number)) = located(db, class) else {
        return unknown();
    };
    let Some(items) = items(db, file) else {
        return unknown();
    };
    let Some(said) = class_statement(db, ClassKey::new(db, class)) else {
        return unknown();
    };
    if is_own_ancestor(db, class, &said) {
        return unknown();
    }
    let declared = &items.items[number as usize];
    let bases = &said.bases;
    let mut info = ClassInfo {
        bases: bases.clone(),
        type_params: said.type_params.clone(),
        has_unknown_base: said.has_unknown_base,
        is_protocol: said.is_protocol,
        generates_init: said.generates_init,
        ..alone(class)
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
    let merged = merge(lines);
    let own = info.type_params.iter().map(|&name| {
        Values::of(
            db,
            Shape::OfTypeVar {
                name,
                bound: Values::none(),
            },
        )
    });
    let own: Box<[Values]> = own.collect();
    let mut merged = merged;
    // Every class ends in `object`.
    if let Some(object) = crate::infer::object_class(db, file)
        && object != class
        && merged.last().is_none_or(|(last, _)| *last != object)
    {
        merged.push((object, Box::default()));
    }
    info.mro = [class]
        .into_iter()
        .chain(merged.iter().map(|(symbol, _)| *symbol))
        .collect();
    info.mro_args = [own]
        .into_iter()
        .chain(merged.into_iter().map(|(_, args)| args))
        .collect();
    if info.mro[1..].contains(&class) {
        return unknown();
    }
    // Its own metaclass stands before what it inherits.
    info.metaclass = said.metaclass.or(info.metaclass);
    let path = crate::infer::dotted(db, class);
    if matches!(
        path.as_str(),
        "enum.Enum" | "enum.EnumType" | "enum.EnumMeta"
    ) {
        info.is_enum = path == "enum.Enum";
    }
    for &decorator in &declared.decorators {
        let path = path_of(&Frame::of_items(db, file, declared.parent), decorator);
        if matches!(
            path.as_deref(),
            Some(
                "dataclasses.dataclass"
                    | "attr.s"
                    | "attr.attrs"
                    | "attr.define"
                    | "attr.frozen"
                    | "attr.mutable"
                    | "attrs.define"
                    | "attrs.frozen"
                    | "attrs.mutable"
                    | "attr._make.attrs"
                    | "attr._next_gen.define"
                    | "attr._next_gen.frozen"
            )
        ) {
            info.generates_init = true;
        }
    }
    info
}

/// The C3 merge; where there is none, the order of reading.
fn merge(mut lines: Vec<Vec<(SymbolId, Box<[Values]>)>>) -> Vec<(SymbolId, Box<[Values]>)> {
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

/// A private name as its class binds it (Python reference, Identifiers, Private name mangling).
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
    match class.is_empty() {
        true => name,
        false => shared.names.intern(&format!("_{class}{text}")),
    }
}

/// Whether a class is another or one of its subclasses.
pub(crate) fn is_subclass(db: &dyn Db, class: SymbolId, base: SymbolId) -> bool {
    class == base || class_info(db, ClassKey::new(db, class)).mro.contains(&base)
}

/// What a class's own text declares by a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OwnMember {
    /// Functions: the last that is no setter or deleter.
    Function {
        /// What reading it gives.
        function: SymbolId,
        /// Whether `self.name` is stored too, or the name is bound otherwise as well.
        also_stored: bool,
        /// Whether the name may mean other functions as well: see [`branch_twins`].
        has_twins: bool,
    },
    /// A class inside it.
    Class(SymbolId),
    /// A value: a class variable or an attribute of its objects.
    Field(SymbolId),
}

impl OwnMember {
    /// The declared symbol.
    pub(crate) fn symbol(self) -> SymbolId {
        match self {
            OwnMember::Function { function, .. } => function,
            OwnMember::Class(symbol) | OwnMember::Field(symbol) => symbol,
        }
    }
}

/// What a class's own text declares by a name.
pub(crate) fn own(db: &dyn Db, class: SymbolId, name: NameId) -> Option<OwnMember> {
    let members = class_members(db, ClassKey::new(db, class));
    let member = members.get(name)?;
    let is = |item: &MemberItem, kind: FunctionKind| kind_of(db, item) == kind;
    let is_read =
        |item: &&MemberItem| !is(item, FunctionKind::Setter) && !is(item, FunctionKind::Deleter);
    let mut items = member.items.iter().rev();
    let Some(last) = items.find(is_read) else {
        if let Some(last) = member.items.last() {
            // A setter or deleter alone, `@Base.x.setter`, is of a base's property, which a read
            // finds; behind `x = Base.__dict__["x"]` the name has no declaration but the setter's.
            let has_value = member.is_valued || member.has_value || member.is_stored;
            return has_value.then_some(OwnMember::Field(last.symbol));
        }
        // What is only imported is no attribute of its own, but what the import names.
        let is_own = member.is_valued || member.is_stored || !member.is_imported;
        let imported = || denoted(db, class, name);
        let symbol = (!is_own).then(imported).flatten();
        return Some(OwnMember::Field(
            symbol.unwrap_or_else(|| variable(db, class, name)),
        ));
    };
    if last.is_class {
        return Some(OwnMember::Class(last.symbol));
    }
    // A property stands before what is stored in the object (Invoking descriptors).
    let is_stored = member.is_stored && !is(last, FunctionKind::Property);
    let is_twin = |item: &&MemberItem| item.is_live && !item.is_class && item.symbol != last.symbol;
    let mut twins = member.items.iter().filter(is_twin).filter(is_read);
    Some(OwnMember::Function {
        function: last.symbol,
        also_stored: is_stored || member.has_value,
        has_twins: last.is_live && twins.next().is_some(),
    })
}

/// The other functions of a method's class that its name may mean as well: those of other branches
/// of the class's body, and the one before the branches (Python reference, Naming and binding: the
/// last that ran binds the name). Of a setter or deleter the others of its kind.
pub(crate) fn branch_twins(db: &dyn Db, method: SymbolId) -> Vec<SymbolId> {
    let key = db.shared().symbols.key(method);
    let Some(class) = key.parent.filter(|_| key.class == SymbolClass::Method) else {
        return Vec::new();
    };
    let members = class_members(db, ClassKey::new(db, class));
    let Some(member) = members.get(mangled(db, class, key.name)) else {
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
    let own = live.clone().find(|item| item.symbol == method).map(group);
    let twins = live.filter(|item| item.symbol != method && Some(group(item)) == own);
    let mut twins: Vec<SymbolId> = twins.map(|item| item.symbol).collect();
    twins.dedup();
    twins
}

fn kind_of(db: &dyn Db, item: &MemberItem) -> FunctionKind {
    match item.is_decorated {
        true => function_info(db, FunctionKey::new(db, item.symbol)).kind,
        false => FunctionKind::Plain,
    }
}

/// The method that runs for an object of a class where a method of one of its bases, or of itself,
/// is meant: of a setter or deleter the one of its kind. Of twins each stands for itself.
pub(crate) fn runs_on(db: &dyn Db, class: SymbolId, method: SymbolId) -> Option<SymbolId> {
    let symbols = &db.shared().symbols;
    let key = symbols.key(method);
    let name = match key.parent {
        Some(parent) => mangled(db, parent, key.name),
        None => key.name,
    };
    let kind = function_info(db, FunctionKey::new(db, method)).kind;
    let found = match kind {
        FunctionKind::Setter | FunctionKind::Deleter => setter(db, class, name, kind)?,
        _ => lookup(db, class, name)?,
    };
    let found_key = symbols.key(found);
    if found_key.parent == key.parent && found_key.class == key.class {
        return Some(method);
    }
    (found_key.class == SymbolClass::Method).then_some(found)
}

/// The setter or deleter that a store into a property of a class, or its deletion, runs.
pub(crate) fn setter(
    db: &dyn Db,
    class: SymbolId,
    name: NameId,
    kind: FunctionKind,
) -> Option<SymbolId> {
    let info = class_info(db, ClassKey::new(db, class));
    for &class in &info.mro {
        let members = class_members(db, ClassKey::new(db, class));
        let Some(member) = members.get(name).filter(|member| member.is_bound) else {
            continue;
        };
        let mut items = member.items.iter().rev();
        let found = items.find(|item| kind_of(db, item) == kind);
        return found.map(|item| item.symbol);
    }
    None
}

/// What a name means on a class, with the place in the order of the class that declares it.
pub(crate) fn find(
    db: &dyn Db,
    info: &ClassInfo,
    name: NameId,
    from: usize,
) -> Option<(usize, OwnMember)> {
    let ancestors = info.mro.iter().enumerate().skip(from);
    ancestors
        .into_iter()
        .find_map(|(at, &class)| Some((at, own(db, class, name)?)))
}

/// The method, class or field that a name means on a class by its method resolution order.
pub fn lookup(db: &dyn Db, class: SymbolId, name: NameId) -> Option<SymbolId> {
    if db.shared().symbols.key(class).class != SymbolClass::Type {
        return None;
    }
    let info = class_info(db, ClassKey::new(db, class));
    find(db, &info, name, 0).map(|(_, own)| own.symbol())
}

/// The same, of the classes that stand behind one of them in the order.
pub fn lookup_behind(
    db: &dyn Db,
    class: SymbolId,
    behind: SymbolId,
    name: NameId,
) -> Option<SymbolId> {
    if db.shared().symbols.key(class).class != SymbolClass::Type {
        return None;
    }
    let info = class_info(db, ClassKey::new(db, class));
    let at = info.mro.iter().position(|&one| one == behind)?;
    find(db, &info, name, at + 1).map(|(_, own)| own.symbol())
}
