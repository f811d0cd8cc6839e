//! Classes that could be below another though no base that is known says so: their bases are
//! computed, or come from packages that are not there.

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, File, Lang, NameId, NodeKind, Origin, Reason, SymbolId, Unit, UnitGraph,
    file_ranges,
};

use super::declared::unknown_base;
use crate::bases::class_statement;
use crate::classes::{ClassKey, class_info, is_subclass};
use crate::declared::{items, located, module_around, module_of};
use crate::index::py_unit_index;
use crate::places::{offset, place};
use crate::symbols::py_symbols;
use crate::uses::computed::MADE;
use crate::uses::file_uses;

/// A base that is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownBase {
    file: File,
    of: BaseOwner,
}

/// Whose base it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BaseOwner {
    /// A class statement's; its number there, and the absent package that it comes from.
    Statement(SymbolId, u32, Option<NameId>),
    /// That of a class which a call makes: body and token.
    Call(u32, u32),
}

/// The bases in a unit that are not known, in order of file and text.
#[salsa::tracked(returns(clone))]
pub fn open_bases(db: &dyn Db, unit: Unit) -> Arc<[UnknownBase]> {
    let mut found = Vec::new();
    let files = unit.files(db);
    let symbols = py_symbols(db, unit);
    let is_class = |kind| matches!(kind, NodeKind::Class | NodeKind::Interface);
    for row in symbols.rows.iter().filter(|row| is_class(row.kind)) {
        let (Some(&file), Some(said)) = (
            files.get(row.file as usize),
            class_statement(db, ClassKey::new(db, row.symbol)),
        ) else {
            continue;
        };
        let unknown = said.unknown.iter();
        found.extend(unknown.map(|&(number, package)| UnknownBase {
            file,
            of: BaseOwner::Statement(row.symbol, number, package),
        }));
    }
    let made = db.shared().names.intern(MADE);
    let index = py_unit_index(db, unit);
    let making = index.open(made).filter_map(|at| files.get(at as usize));
    for &file in making {
        let uses = file_uses(db, file);
        let sites = uses.unresolved.iter().filter(|site| site.name == made);
        found.extend(sites.map(|site| UnknownBase {
            file,
            of: BaseOwner::Call(site.body, site.occ),
        }));
    }
    found.into()
}

/// The bases that could be a class, or one below it. What the workspace computes may be any class;
/// what a library computes is one of its own, and one of others where that is handed to it, which
/// is told there. An absent package knows no class of the workspace but of its own name.
pub(crate) fn open_below(db: &dyn Db, class: SymbolId) -> Vec<(File, u32, Reason)> {
    let Some(universe) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let names = &db.shared().names;
    let top = |name: NameId| names.text(name).split('.').next().unwrap_or("");
    let symbols = &db.shared().symbols;
    let own = symbols.key(module_around(db, class));
    let of_workspace =
        matches!(own.declared_in, DeclaredIn::Unit(unit) if unit.origin(db) == Origin::Workspace);
    let own_top = top(own.name);
    // Whatever has the methods fits a protocol (PEP 544).
    let is_protocol = class_info(db, ClassKey::new(db, class)).is_protocol;
    let mut found = Vec::new();
    for &unit in universe.units(db).iter() {
        if unit.lang(db) != Lang::Python {
            continue;
        }
        let in_workspace = unit.origin(db) == Origin::Workspace;
        for row in open_bases(db, unit).iter() {
            let is_near = || {
                let module = || module_of(db, row.file).map(|(_, module)| module.symbol);
                let is_same = |module| top(symbols.key(module).name) == own_top;
                in_workspace || !of_workspace && module().is_some_and(is_same)
            };
            let counts = match row.of {
                BaseOwner::Statement(other, ..) if is_subclass(db, class, other) => false,
                BaseOwner::Statement(other, ..) if is_subclass(db, other, class) => true,
                BaseOwner::Statement(_, _, Some(_)) if is_protocol => is_near(),
                BaseOwner::Statement(_, _, Some(package)) => {
                    is_near() && (!of_workspace || top(package) == own_top)
                }
                BaseOwner::Statement(..) | BaseOwner::Call(..) => is_near(),
            };
            if counts && let Some(at) = place_of(db, *row) {
                found.push((row.file, at, Reason::UnknownBase));
            }
        }
    }
    found
}

/// Where a class's own bases, or those of one above it, are not known.
pub(crate) fn open_above(db: &dyn Db, class: SymbolId) -> Vec<(File, u32, Reason)> {
    let is_open = class_info(db, ClassKey::new(db, class)).has_unknown_base;
    let found = is_open.then(|| unknown_base(db, class)).flatten();
    found.into_iter().collect()
}

/// The byte offset of a base, else of its class's name; of a call its own.
fn place_of(db: &dyn Db, base: UnknownBase) -> Option<u32> {
    let (class, number) = match base.of {
        BaseOwner::Statement(class, number, _) => (class, number),
        BaseOwner::Call(body, occ) => return offset(db, base.file, body, occ),
    };
    let (_, item) = located(db, class)?;
    let declared = items(db, base.file)?.items.get(item as usize)?;
    let tok = declared.base_toks.get(number as usize);
    let at = tok.and_then(|&tok| {
        let ranges = file_ranges(db, base.file);
        ranges.item_tokens.get(tok as usize).copied()
    });
    at.or_else(|| Some(place(db, class)?.name.start))
}
