//! The dotted names of a workspace, by root.

use rustc_hash::FxHashMap;

/// What a dotted name of a root is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RootNameKind {
    /// A module, or a package with an `__init__`: it ends the search.
    Regular,
    /// A folder without `__init__`: a portion of a namespace package (Python reference, "Namespace
    /// packages").
    Portion,
}

/// The names of every root, by number of the root.
#[derive(Default)]
pub(crate) struct RootNames {
    tables: Vec<FxHashMap<String, (usize, RootNameKind)>>,
}

impl RootNames {
    /// Returns empty tables.
    pub(crate) fn new(tables: usize) -> RootNames {
        RootNames {
            tables: vec![FxHashMap::default(); tables],
        }
    }

    /// Records that a unit has the module or package `name`. The first unit keeps a name, except
    /// that a regular module replaces a portion.
    pub(crate) fn add(&mut self, table: usize, name: String, unit: usize, kind: RootNameKind) {
        if name.is_empty() {
            return;
        }
        let entry = self.tables[table].entry(name).or_insert((unit, kind));
        if entry.1 == RootNameKind::Portion && kind == RootNameKind::Regular {
            *entry = (unit, kind);
        }
    }

    /// Adds portions for all prefixes of existing names.
    pub(crate) fn add_portions_above(&mut self, table: usize) {
        let mut implied: FxHashMap<String, usize> = FxHashMap::default();
        for (name, &(unit, _)) in &self.tables[table] {
            let mut name = name.as_str();
            while let Some((above, _)) = name.rsplit_once('.') {
                if self.tables[table].contains_key(above) {
                    break;
                }
                // The smallest unit number wins, in whatever order names come.
                let first = implied.entry(above.to_owned()).or_insert(unit);
                *first = (*first).min(unit);
                name = above;
            }
        }
        let implied = implied.into_iter();
        self.tables[table]
            .extend(implied.map(|(name, unit)| (name, (unit, RootNameKind::Portion))));
    }

    /// Returns what a name is in a table.
    pub(crate) fn kind(&self, table: usize, name: &str) -> Option<RootNameKind> {
        self.tables[table].get(name).map(|&(_, kind)| kind)
    }

    /// Returns the tables from names to units.
    pub(crate) fn into_tables(self) -> Vec<std::collections::BTreeMap<String, usize>> {
        let plain = |table: FxHashMap<String, (usize, RootNameKind)>| {
            let rows = table.into_iter();
            rows.map(|(name, (unit, _))| (name, unit)).collect()
        };
        self.tables.into_iter().map(plain).collect()
    }
}
