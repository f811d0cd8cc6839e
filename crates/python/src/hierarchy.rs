//! Classes with their bases, and which of them fit which protocol (PEP 544).

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, Hierarchy, MethodRow, NameId, NodeKind, Receiver, SupertypeRow, SymbolId,
    SymbolRow, TypeRow, Unit,
};
use rustc_hash::{FxHashSet, FxHasher};

use crate::arity::arity;
use crate::classes::{ClassInfo, ClassKey, class_info, lookup};
use crate::declared::items;
use crate::symbols::{is_special, py_symbols};

/// Methods that are no members of a protocol though it may define them: what makes the class or
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

/// The classes of a unit: each with its direct bases, at their names; each protocol with its
/// methods, inherited ones included; and all other classes with theirs, for what they fit. Public
/// methods only: a class fits by the rest where it is asked of one protocol ([`satisfies`]).
#[salsa::tracked(returns(clone))]
pub fn py_hierarchy(db: &dyn Db, unit: Unit) -> Arc<Hierarchy> {
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
                file,
                tok: toks.get(number).copied().unwrap_or(row.tok),
            })
        }));
        let rows = if info.is_protocol {
            &mut interfaces
        } else {
            &mut types
        };
        rows.extend(type_row(db, row.symbol, &info));
    }
    Arc::new(Hierarchy::from_rows(types, interfaces, embeds))
}

fn is_class(row: &SymbolRow) -> bool {
    matches!(row.kind, NodeKind::Class | NodeKind::Interface)
}

/// What a class itself declares: its methods and attributes, in text order.
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

fn type_row(db: &dyn Db, class: SymbolId, info: &ClassInfo) -> Option<TypeRow> {
    let names = &db.shared().names;
    let mut methods: Vec<MethodRow> = Vec::new();
    let mut seen: FxHashSet<NameId> = FxHashSet::default();
    // The members of a protocol are those of protocols (typing specification, "Protocols"): what
    // every object has is none.
    let is_protocol = |ancestor: SymbolId| {
        ancestor == class || class_info(db, ClassKey::new(db, ancestor)).is_protocol
    };
    let ancestors = info.mro.iter().copied();
    for ancestor in ancestors.filter(|&one| !info.is_protocol || is_protocol(one)) {
        // Of several of one name the last is what the name means once the class is made.
        for member in members(db, ancestor).iter().rev() {
            let is_new = seen.insert(member.name);
            if is_new
                && member.kind == NodeKind::Method
                && member.public
                && !NO_MEMBERS.contains(&names.text(member.name))
            {
                methods.push(MethodRow {
                    name: member.name,
                    signature: arity(db, member.symbol).map_or(ANY_ARITY, |arity| arity.packed()),
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

/// The bit of a method's name in a mask. Arities are no part of it: different ones may fit.
fn bit_of(name: NameId) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    1 << (hasher.finish() >> 58)
}

/// Whether a class fits a protocol: it has all members of the protocol, and each method takes
/// every call that the protocol's takes. Types of parameters and results are not compared.
pub(crate) fn satisfies(db: &dyn Db, ty: &TypeRow, protocol: &TypeRow) -> Option<Receiver> {
    if ty.mask & protocol.mask != protocol.mask {
        return None;
    }
    for wanted in &protocol.methods {
        let method = ty.method(wanted.name)?;
        // Equal numbers say nothing of names of keywords.
        if method.symbol != wanted.symbol
            && let (Some(own), Some(wanted)) = (arity(db, method.symbol), arity(db, wanted.symbol))
            && !own.stands_in_for(&wanted)
        {
            return None;
        }
    }
    has_attributes(db, ty.symbol, protocol.symbol).then_some(Receiver::Value)
}

/// Whether a class has the members of a protocol that rows leave out: attributes and private
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
    unlisted.all(|member| info.has_unknown_base || lookup(db, class, member.name).is_some())
}
