//! The package block of a unit (Go spec, Declarations and scope) and the symbols of its items.

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, Disambiguator, File, NameId, SymbolClass, SymbolId, SymbolKey, Unit,
};
use codeweft_go_syntax::{Expr, ExprId, Item, ItemKind, Items};

use super::{items, unit_files};
use crate::units::IN_TEST;

/// The names that a unit declares at package level, sorted by name number, without methods, `init`
/// and `_`. Of duplicates in broken code the first counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitScope {
    /// The entries.
    pub entries: Box<[ScopeEntry]>,
}

/// The location of a declaration: the file in the unit and the item in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ScopeEntry {
    /// The declared name.
    pub name: NameId,
    /// The number of the file among the unit's selected files.
    pub file: u32,
    /// The number of the item.
    pub item: u32,
}

impl UnitScope {
    /// Returns the entry of a name.
    pub fn get(&self, name: NameId) -> Option<ScopeEntry> {
        let at = self
            .entries
            .binary_search_by_key(&name, |entry| entry.name)
            .ok()?;
        Some(self.entries[at])
    }
}

/// Returns the package block of a unit, its own files only.
#[salsa::tracked(returns(clone))]
pub fn unit_scope(db: &dyn Db, unit: Unit) -> Arc<UnitScope> {
    let names = &db.shared().names;
    let hidden = [names.intern("init"), names.intern("_")];
    let mut entries = Vec::new();
    for (file, &source) in unit_files(db, unit).chosen.iter().enumerate() {
        for (item, declared) in items(db, source)
            .map(|items| &items.items)
            .into_iter()
            .flatten()
            .enumerate()
        {
            db.unwind_query_if_cancelled();
            let is_method = matches!(declared.kind, ItemKind::Method { .. });
            let is_hidden = declared.name == hidden[1]
                || declared.name == hidden[0] && matches!(declared.kind, ItemKind::Func { .. });
            if !is_method && !is_hidden {
                entries.push(ScopeEntry {
                    name: declared.name,
                    file: file as u32,
                    item: item as u32,
                });
            }
        }
    }
    entries.sort_unstable();
    entries.dedup_by_key(|entry| entry.name);
    Arc::new(UnitScope {
        entries: entries.into(),
    })
}

/// Returns the file and number of the item that declares a name in a unit.
pub fn find_item(db: &dyn Db, unit: Unit, name: NameId) -> Option<(File, u32)> {
    let entry = unit_scope(db, unit).get(name)?;
    Some((
        *unit_files(db, unit).chosen.get(entry.file as usize)?,
        entry.item,
    ))
}

/// Returns the package symbol of a unit; in-package tests share that of their package.
pub fn package_symbol(db: &dyn Db, unit: Unit) -> SymbolId {
    let unit = match unit.kind(db) {
        IN_TEST => unit.base(db).unwrap_or(unit),
        _ => unit,
    };
    db.shared().symbols.intern(SymbolKey {
        declared_in: DeclaredIn::Unit(unit),
        parent: None,
        class: SymbolClass::Package,
        name: unit.name(db),
        disambiguator: Disambiguator::ONLY,
    })
}

/// Returns the symbol of an item of a file in `unit`.
pub fn item_symbol(db: &dyn Db, unit: Unit, file: File, item: &Item, items: &Items) -> SymbolId {
    let (parent, class) = match &item.kind {
        ItemKind::Func { .. } => (None, SymbolClass::Function),
        ItemKind::Method { receiver, .. } => (
            Some(receiver_symbol(db, unit, items.code.name(receiver.base))),
            SymbolClass::Method,
        ),
        ItemKind::Type { .. } => (None, SymbolClass::Type),
        ItemKind::Const { .. } => (None, SymbolClass::Constant),
        ItemKind::Var { .. } => (None, SymbolClass::Variable),
    };
    let names = &db.shared().names;
    let repeats = matches!(names.text(item.name), "init" | "_");
    let nth = if repeats || item.nth > 0 {
        let path = file.path(db);
        let name = path.rsplit('/').next().unwrap_or(path);
        Disambiguator {
            file: Some(names.intern(name)),
            n: u32::from(item.nth),
        }
    } else {
        Disambiguator::ONLY
    };
    db.shared().symbols.intern(SymbolKey {
        declared_in: DeclaredIn::Unit(unit),
        parent,
        class,
        name: item.name,
        disambiguator: nth,
    })
}

/// The base type of a receiver (Go spec, Method declarations).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReceiverBase {
    /// The base type: declared in the unit or, for in-package tests, in the package.
    pub base: SymbolId,
    /// The type that the receiver names: the base type, or an alias of it.
    pub named: SymbolId,
    /// Whether the alias denotes a pointer.
    pub pointer: bool,
}

/// Returns the symbol of the base type of a receiver.
pub fn receiver_symbol(db: &dyn Db, unit: Unit, base: NameId) -> SymbolId {
    receiver_base(db, unit, base).base
}

/// Returns the base type of the name in a receiver, following aliases of a type of the package or
/// of a pointer to one.
///
/// ```go
/// type T struct{}
/// type P = *T
/// func (P) M() {} // base T, named P, pointer
/// ```
pub fn receiver_base(db: &dyn Db, unit: Unit, base: NameId) -> ReceiverBase {
    base_of_receiver(db, ReceiverKey::new(db, unit, base))
}

/// The key of [`base_of_receiver`].
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct ReceiverKey<'db> {
    /// The unit with the method.
    #[returns(copy)]
    pub unit: Unit,
    /// The name in the receiver.
    #[returns(copy)]
    pub base: NameId,
}

/// As [`receiver_base`]. A firewall: a file with methods reads no numbers of items, which each new
/// declaration of the unit changes.
#[salsa::tracked(returns(copy))]
fn base_of_receiver<'db>(db: &'db dyn Db, key: ReceiverKey<'db>) -> ReceiverBase {
    let (unit, base) = (key.unit(db), key.base(db));
    let mut name = base;
    let mut named = None;
    let mut pointer = false;
    // A longer chain of aliases is a cycle.
    for _ in 0..8 {
        let home = [
            Some(unit),
            unit.base(db).filter(|_| unit.kind(db) == IN_TEST),
        ];
        let found = home.into_iter().flatten().find_map(|home| {
            let (file, item) = find_item(db, home, name)?;
            let items = items(db, file)?;
            Some((home, items, items.items.get(item as usize)?))
        });
        let Some((home, items, item)) = found else {
            break;
        };
        let symbol = type_symbol(db, home, name);
        let named = *named.get_or_insert(symbol);
        if let ItemKind::Type {
            alias: true, ty, ..
        } = item.kind
        {
            let target = match items.code.exprs[ty] {
                Expr::Star(target) if !pointer => {
                    pointer = true;
                    target
                }
                _ => ty,
            };
            if let Some(next) = plain_name(items, target) {
                name = next;
                continue;
            }
        }
        return ReceiverBase {
            base: symbol,
            named,
            pointer,
        };
    }
    let base = type_symbol(db, unit, name);
    ReceiverBase {
        base,
        named: named.unwrap_or(base),
        pointer,
    }
}

/// Returns the symbol of a package-level type.
fn type_symbol(db: &dyn Db, unit: Unit, name: NameId) -> SymbolId {
    db.shared().symbols.intern(SymbolKey {
        declared_in: DeclaredIn::Unit(unit),
        parent: None,
        class: SymbolClass::Type,
        name,
        disambiguator: Disambiguator::ONLY,
    })
}

fn plain_name(items: &Items, ty: ExprId) -> Option<NameId> {
    match items.code.exprs[ty] {
        Expr::Name(tok) => Some(items.code.name(tok)),
        _ => None,
    }
}
