//! Classes that may be subclasses of another through unknown bases: computed ones, and ones from
//! absent packages.

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, File, NameId, NodeKind, Origin, Reason, SymbolId, Unit, UnitGraph, file_ranges,
};
use codeweft_python_syntax::PYTHON;

use super::declared::unknown_base;
use crate::bases::class_statement;
use crate::classes::{class_info, is_subclass};
use crate::declared::{enclosing_module, item_in, items, module_of};
use crate::index::{file_uses, py_unit_index};
use crate::keys::ClassKey;
use crate::locations::{declaration_range, offset};
use crate::symbols::py_symbols;
use crate::uses::computed::CREATED_CLASS;

/// An unknown base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownBase {
    file: File,
    of: BaseOwner,
}

/// The owner of an unknown base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BaseOwner {
    /// A class statement, the position of the base in it, and the absent package that the base
    /// comes from.
    Statement(SymbolId, u32, Option<NameId>),
    /// A class created by a call: body and token.
    Call(u32, u32),
}

/// Returns the unknown bases in a unit, in order of file and text.
#[salsa::tracked(returns(clone))]
pub fn unit_unknown_bases(db: &dyn Db, unit: Unit) -> Arc<[UnknownBase]> {
    let mut found = Vec::new();
    let files = unit.files(db);
    let symbols = py_symbols(db, unit);
    let is_class = |kind| matches!(kind, NodeKind::Class | NodeKind::Interface);
    for row in symbols.rows.iter().filter(|row| is_class(row.kind)) {
        let (Some(&file), Some(statement)) = (
            files.get(row.file as usize),
            class_statement(db, ClassKey::new(db, row.symbol)),
        ) else {
            continue;
        };
        let unknown = statement.unknown.iter();
        found.extend(unknown.map(|&(number, package)| UnknownBase {
            file,
            of: BaseOwner::Statement(row.symbol, number, package),
        }));
    }
    let made = db.shared().names.intern(CREATED_CLASS);
    let index = py_unit_index(db, unit);
    let making = index
        .files_with_unresolved(made)
        .filter_map(|at| files.get(at as usize));
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

/// Returns the locations of the unknown bases that may be a class or its subclass.
///
/// - In the workspace: any unknown base.
/// - In a library: only for classes of the same library; other classes reach it as values, and
///   escape where they are passed.
/// - From an absent package: only for classes of the same top-level name, as it cannot import the
///   workspace.
pub(crate) fn unknown_subclasses(db: &dyn Db, class: SymbolId) -> Vec<(File, u32, Reason)> {
    let Some(universe) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let names = &db.shared().names;
    let top = |name: NameId| names.text(name).split('.').next().unwrap_or("");
    let symbols = &db.shared().symbols;
    let own = symbols.key(enclosing_module(db, class));
    let of_workspace =
        matches!(own.declared_in, DeclaredIn::Unit(unit) if unit.origin(db) == Origin::Workspace);
    let own_top = top(own.name);
    let info = class_info(db, ClassKey::new(db, class));
    // A class satisfies a protocol by its methods alone (PEP 544).
    let is_protocol = info.is_protocol;
    let mut found = Vec::new();
    for &unit in universe.units(db).iter() {
        if unit.lang(db) != PYTHON {
            continue;
        }
        let in_workspace = unit.origin(db) == Origin::Workspace;
        for row in unit_unknown_bases(db, unit).iter() {
            let is_near = || {
                let module = || module_of(db, row.file).map(|(_, module)| module.symbol);
                let is_same = |module| top(symbols.key(module).name) == own_top;
                in_workspace || !of_workspace && module().is_some_and(is_same)
            };
            let counts = match row.of {
                BaseOwner::Statement(other, ..) if info.mro.contains(&other) => false,
                BaseOwner::Statement(other, _, package) => {
                    let is_of_package =
                        |package| is_protocol || !of_workspace || top(package) == own_top;
                    package.is_none_or(is_of_package) && is_near() || is_subclass(db, other, class)
                }
                BaseOwner::Call(..) => is_near(),
            };
            if counts && let Some(at) = base_offset(db, *row) {
                found.push((row.file, at, Reason::UnknownBase));
            }
        }
    }
    found
}

/// Returns the first unknown base of a class or its ancestors.
pub(crate) fn unknown_bases(db: &dyn Db, class: SymbolId) -> Vec<(File, u32, Reason)> {
    let is_open = class_info(db, ClassKey::new(db, class)).has_unknown_base;
    let found = is_open.then(|| unknown_base(db, class)).flatten();
    found.into_iter().collect()
}

/// Returns the byte offset of a base, else of its class's name; for a call, of the call.
fn base_offset(db: &dyn Db, base: UnknownBase) -> Option<u32> {
    let (class, number) = match base.of {
        BaseOwner::Statement(class, number, _) => (class, number),
        BaseOwner::Call(body, occ) => return offset(db, base.file, body, occ),
    };
    let item = item_in(db, base.file, class)?;
    let declared = items(db, base.file)?.items.get(item as usize)?;
    let tok = declared.base_toks.get(number as usize);
    let at = tok.and_then(|&tok| {
        let ranges = file_ranges(db, base.file);
        ranges.item_tokens.get(tok as usize).copied()
    });
    at.or_else(|| Some(declaration_range(db, class)?.name.start))
}
