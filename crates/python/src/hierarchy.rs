//! Supertypes of classes, and which classes satisfy which protocol (PEP 544).
//!
//! ```python
//! class Closer(Protocol):
//!     def close(self) -> None: ...
//!
//! class File:                 # satisfies Closer without naming it as a base
//!     def close(self): ...
//! ```

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, Hierarchy, MethodRow, NameId, NodeKind, Receiver, Relation, SupertypeRow,
    SymbolId, SymbolRow, TypeRow, Unit,
};
use rustc_hash::{FxHashSet, FxHasher};

use crate::arity::{arity, arity_of};
use crate::classes::{ClassInfo, class_info, lookup};
use crate::declared::items;
use crate::keys::ClassKey;
use crate::members::{Reading, form_at};
use crate::symbols::{is_special, py_symbols};

/// Methods that are no protocol members even if a protocol defines them: they create the class or
/// its objects.
const NO_MEMBERS: &[&str] = &[
    "__class_getitem__",
    "__del__",
    "__init__",
    "__init_subclass__",
    "__new__",
    "__post_init__",
    "__subclasshook__",
];

/// The signature of a method whose arity a decorator may change.
const ANY_ARITY: u32 = u32::MAX;

/// Returns the classes of a unit: direct bases (with the location of the base's name), the methods
/// of each protocol including inherited ones, and the methods of every other class, which decide
/// what it satisfies. Only public methods are in the rows; [`satisfies`] compares the rest for one
/// protocol at a time.
#[salsa::tracked(returns(clone))]
pub fn py_hierarchy(db: &dyn Db, unit: Unit) -> Arc<Hierarchy> {
    let own = py_class_rows(db, unit);
    let symbols = py_symbols(db, unit);
    let (mut types, mut interfaces, mut embeds) = (Vec::new(), Vec::new(), Vec::new());
    for row in symbols.rows.iter().filter(|row| is_class(row)) {
        let Some(&file) = unit.files(db).get(row.file as usize) else {
            continue;
        };
        let info = class_info(db, ClassKey::new(db, row.symbol));
        let declared = items(db, file).and_then(|items| items.items.get(row.item as usize));
        let toks = declared.map_or(&[][..], |item| &item.base_toks);
        embeds.extend(info.bases.iter().enumerate().filter_map(|(number, base)| {
            Some(SupertypeRow {
                from: row.symbol,
                to: base.symbol?,
                relation: Relation::Extends,
                file,
                tok: toks.get(number).copied().unwrap_or(row.tok),
            })
        }));
        let rows = if info.is_protocol {
            &mut interfaces
        } else {
            &mut types
        };
        rows.extend(type_row(db, unit, &own, row.symbol, &info));
    }
    Arc::new(Hierarchy::from_rows(types, interfaces, embeds))
}

fn is_class(row: &SymbolRow) -> bool {
    matches!(row.kind, NodeKind::Class | NodeKind::Interface)
}

/// The members of a unit's classes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassRows {
    /// Sorted by interned number of the class.
    rows: Box<[(SymbolId, Arc<[MemberRow]>)]>,
}

/// A member of a class: all that subclasses read of it, free of the file's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemberRow {
    name: NameId,
    symbol: SymbolId,
    /// The packed arity, for a method that a protocol may have.
    signature: Option<u32>,
}

impl ClassRows {
    fn get(&self, class: SymbolId) -> Option<&Arc<[MemberRow]>> {
        let at = self.rows.binary_search_by_key(&class, |&(class, _)| class);
        at.ok().map(|at| &self.rows[at].1)
    }
}

/// Returns the members of a unit's classes, each in text order.
#[salsa::tracked(returns(clone))]
pub fn py_class_rows(db: &dyn Db, unit: Unit) -> Arc<ClassRows> {
    let names = &db.shared().names;
    let symbols = py_symbols(db, unit);
    let member = |&row: &u32| {
        let row = &symbols.rows[row as usize];
        let is_listed = row.kind == NodeKind::Method
            && row.public
            && !NO_MEMBERS.contains(&names.text(row.name));
        let packed = || {
            let file = *unit.files(db).get(row.file as usize)?;
            let form = form_at(db, file, row.item)?;
            Some(arity_of(db, row.symbol, &form)?.packed())
        };
        MemberRow {
            name: row.name,
            symbol: row.symbol,
            signature: is_listed.then(|| packed().unwrap_or(ANY_ARITY)),
        }
    };
    let classes = (0..).zip(&symbols.rows).filter(|(_, row)| is_class(row));
    let rows = classes.map(|(number, row)| {
        let members: Vec<u32> = symbols.children(number).collect();
        (row.symbol, members.iter().map(member).collect())
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_unstable_by_key(|&(class, _)| class);
    Arc::new(ClassRows { rows: rows.into() })
}

/// Returns the members of a class, so that a new one concerns only its subclasses.
#[salsa::tracked(returns(clone))]
pub fn py_class_row<'db>(db: &'db dyn Db, key: ClassKey<'db>) -> Option<Arc<[MemberRow]>> {
    match db.shared().symbols.key(key.symbol(db)).declared_in {
        DeclaredIn::Unit(unit) => py_class_rows(db, unit).get(key.symbol(db)).cloned(),
        _ => None,
    }
}

/// Returns the methods and attributes that a class itself declares, in text order.
fn members(db: &dyn Db, class: SymbolId) -> Vec<SymbolRow> {
    let DeclaredIn::Unit(unit) = db.shared().symbols.key(class).declared_in else {
        return Vec::new();
    };
    let symbols = py_symbols(db, unit);
    let Some(row) = symbols.row(class) else {
        return Vec::new();
    };
    symbols
        .children(row)
        .map(|row| symbols.rows[row as usize])
        .collect()
}

fn type_row(
    db: &dyn Db,
    unit: Unit,
    own: &ClassRows,
    class: SymbolId,
    info: &ClassInfo,
) -> Option<TypeRow> {
    let mut methods: Vec<MethodRow> = Vec::new();
    let mut seen: FxHashSet<NameId> = FxHashSet::default();
    // Protocol members come from protocols only (typing specification, "Protocols"): what every
    // object has is none.
    let is_protocol = |ancestor: SymbolId| {
        ancestor == class || class_info(db, ClassKey::new(db, ancestor)).is_protocol
    };
    let ancestors = info.mro.iter().copied();
    for ancestor in ancestors.filter(|&one| !info.is_protocol || is_protocol(one)) {
        // Of several definitions of a name the last is bound once the class is created.
        let is_own = db.shared().symbols.key(ancestor).declared_in == DeclaredIn::Unit(unit);
        let members = if is_own {
            own.get(ancestor).cloned()
        } else {
            py_class_row(db, ClassKey::new(db, ancestor))
        };
        for member in members.iter().flat_map(|members| members.iter().rev()) {
            let is_new = seen.insert(member.name);
            if let Some(signature) = member.signature.filter(|_| is_new) {
                methods.push(MethodRow {
                    name: member.name,
                    signature,
                    symbol: member.symbol,
                    by_value: true,
                });
            }
        }
    }
    if methods.is_empty() {
        return None;
    }
    methods.sort_unstable_by_key(|method| method.name);
    Some(TypeRow {
        symbol: class,
        type_args: Box::default(),
        mask: methods
            .iter()
            .map(|method| bit_of(method.name))
            .fold(0, |mask, bit| mask | bit),
        methods: methods.into(),
    })
}

/// Returns the bit of a method's name in a mask. Arities are no part of it: methods of different
/// arity may be compatible.
fn bit_of(name: NameId) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    1 << (hasher.finish() >> 58)
}

/// Returns whether a class satisfies a protocol: it has all its members, and each method accepts
/// every call that the protocol's method accepts. Parameter and result types are not compared.
pub(crate) fn satisfies(db: &dyn Db, ty: &TypeRow, protocol: &TypeRow) -> Option<Receiver> {
    if ty.mask & protocol.mask != protocol.mask {
        return None;
    }
    for wanted in &protocol.methods {
        let method = ty.method(wanted.name)?;
        // Equal packed arities say nothing about the names of keyword parameters.
        if method.symbol != wanted.symbol
            && let (Some(own), Some(wanted)) = (arity(db, method.symbol), arity(db, wanted.symbol))
            && !own.accepts_all_of(&wanted)
        {
            return None;
        }
    }
    has_attributes(db, ty.symbol, protocol.symbol).then_some(Receiver::Value)
}

/// Returns whether a class has the protocol members that the rows omit: attributes and private
/// methods.
fn has_attributes(db: &dyn Db, class: SymbolId, protocol: SymbolId) -> bool {
    let names = &db.shared().names;
    let info = class_info(db, ClassKey::new(db, class));
    let protocol = class_info(db, ClassKey::new(db, protocol));
    let unlisted = protocol
        .mro
        .iter()
        .flat_map(|&ancestor| members(db, ancestor));
    let mut unlisted = unlisted.filter(|member| match member.kind {
        NodeKind::Method => !member.public,
        NodeKind::Field => !is_special(names.text(member.name)),
        _ => false,
    });
    unlisted.all(|member| {
        info.has_unknown_base || lookup(db, class, member.name, Reading::Whole).is_some()
    })
}
