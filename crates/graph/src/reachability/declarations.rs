//! The declarations of the workspace, with what keeps them in use.

use std::sync::Arc;

use codeweft_db::{
    Db, File, Keeper, Language, NONE, NodeKind, SymbolId, SymbolRow, Unit, UnitKeepers, UnitSymbols,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query_context::QueryContext;
use crate::symbols;

/// A unit of the workspace.
pub(crate) struct OwnUnit {
    pub(crate) unit: Unit,
    pub(crate) symbols: Arc<UnitSymbols>,
    pub(crate) files: Arc<[File]>,
    /// Whether each of the files holds tests only.
    pub(crate) is_test: Vec<bool>,
    pub(crate) keepers: UnitKeepers,
    /// Its package, which has no row in a test that extends a package without other files.
    pub(crate) package: SymbolId,
}

impl OwnUnit {
    fn read(db: &dyn Db, language: &dyn Language, unit: Unit) -> OwnUnit {
        let files = language.files(db, unit);
        OwnUnit {
            unit,
            symbols: language.symbols(db, unit),
            is_test: files
                .iter()
                .map(|&file| language.is_test(db, file))
                .collect(),
            files,
            keepers: language.keepers(db, unit),
            package: language.package(db, unit),
        }
    }

    /// Returns whether a row is declared in a test.
    pub(crate) fn is_in_test(&self, row: &SymbolRow) -> bool {
        self.is_test
            .get(row.file as usize)
            .copied()
            .unwrap_or_default()
    }
}

/// The declarations of the workspace.
pub(crate) struct Declarations {
    /// In order.
    pub(crate) units: Vec<OwnUnit>,
    /// The kind and the enclosing symbol of each declaration but packages.
    pub(crate) kinds: FxHashMap<SymbolId, (NodeKind, Option<SymbolId>)>,
    /// The declarations that are never unused by themselves.
    pub(crate) unlisted: FxHashSet<SymbolId>,
}

impl Declarations {
    pub(crate) fn read(query: &QueryContext<'_>) -> Declarations {
        let units = symbols::own_units(query);
        let units = query.map(&units, |languages, db, &unit| {
            let language = languages.of(unit.lang(db))?;
            Some(OwnUnit::read(db, language, unit))
        });
        let units: Vec<OwnUnit> = units.into_iter().flatten().collect();
        let mut kinds = FxHashMap::default();
        let mut unlisted = FxHashSet::default();
        for own in &units {
            unlisted.extend(own.keepers.unlisted.iter().copied());
            for row in own.symbols.rows.iter() {
                if row.kind != NodeKind::Package {
                    let parent = query.key(row.symbol).parent;
                    kinds.insert(row.symbol, (row.kind, parent));
                }
            }
        }
        Declarations {
            units,
            kinds,
            unlisted,
        }
    }

    /// Returns the declarations, each with its unit.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&OwnUnit, &SymbolRow)> {
        let units = self.units.iter();
        let rows = units.flat_map(|own| own.symbols.rows.iter().map(move |row| (own, row)));
        rows.filter(|(_, row)| row.kind != NodeKind::Package)
    }

    /// Returns the packages and modules.
    pub(crate) fn packages(&self) -> impl Iterator<Item = SymbolId> {
        let rows = self.units.iter().flat_map(|own| own.symbols.rows.iter());
        let declared = rows.filter(|row| row.kind == NodeKind::Package);
        let declared = declared.map(|row| row.symbol);
        declared.chain(self.units.iter().map(|own| own.package))
    }

    /// Returns the kind of a declaration of the workspace.
    pub(crate) fn kind(&self, symbol: SymbolId) -> Option<NodeKind> {
        Some(self.kinds.get(&symbol)?.0)
    }

    /// Returns the declaration around a declaration of the workspace.
    pub(crate) fn parent(&self, symbol: SymbolId) -> Option<SymbolId> {
        self.kinds.get(&symbol)?.1
    }

    /// Returns whether a declaration is another one or lies in it.
    pub(crate) fn is_within(&self, symbol: SymbolId, around: SymbolId) -> bool {
        let mut next = Some(symbol);
        while let Some(symbol) = next {
            if symbol == around {
                return true;
            }
            next = self.parent(symbol);
        }
        false
    }

    /// Returns the symbols that something of a kind keeps.
    pub(crate) fn kept(&self, by: Keeper) -> impl Iterator<Item = SymbolId> {
        let keepers = self.units.iter().flat_map(|own| &own.keepers.keepers);
        keepers
            .filter(move |&&(_, keeper)| keeper == by)
            .map(|&(symbol, _)| symbol)
    }
}

/// Returns whether a row is a member of a type that its file writes, not of one of another unit.
pub(crate) fn is_member(row: &SymbolRow) -> bool {
    row.parent != NONE || row.field != NONE || row.kind == NodeKind::Method
}
