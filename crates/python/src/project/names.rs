//! The dotted names of a workspace, by the root they start from.

use rustc_hash::FxHashMap;

/// What a dotted name of a root is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RootNameKind {
    /// A module, or a package with an `__init__`: it ends the search for its name.
    Regular,
    /// A folder without `__init__`: a portion of a namespace package (Python reference,
    /// "Namespace packages").
    Portion,
}

/// The names of every root, by its number.
#[derive(Default)]
pub(crate) struct RootNames {
    tables: Vec<FxHashMap<String, (usize, RootNameKind)>>,
}

impl RootNames {
    /// Empty tables.
    pub(crate) fn new(tables: usize) -> RootNames {
        RootNames {
            tables: vec![FxHashMap::default(); tables],
        }
    }

    /// Tells that a unit has the module or package `name`. The first unit keeps a name, but for a
    /// portion's.
    pub(crate) fn add(&mut self, table: usize, name: String, unit: usize, kind: RootNameKind) {
        if name.is_empty() {
            return;
        }
        let entry = self.tables[table].entry(name).or_insert((unit, kind));
        if entry.1 == RootNameKind::Portion && kind == RootNameKind::Regular {
            *entry = (unit, kind);
        }
    }

    /// Makes portions of all names that others stand below.
    pub(crate) fn add_portions_above(&mut self, table: usize) {
        let mut implied: FxHashMap<String, usize> = FxHashMap::default();
        for (name, &(unit, _)) in &self.tables[table] {
            let mut name = name.as_str();
            while let Some((above, _)) = name.rsplit_once('.') {
                if self.tables[table].contains_key(above) {
                    break;
                }
                // Whichever name comes first, the smallest number stays.
                let first = implied.entry(above.to_owned()).or_insert(unit);
                *first = (*first).min(unit);
                name = above;
            }
        }
        let implied = implied.into_iter();
        self.tables[table]
            .extend(implied.map(|(name, unit)| (name, (unit, RootNameKind::Portion))));
    }

    /// What a name is in a table.
    pub(crate) fn kind(&self, table: usize, name: &str) -> Option<RootNameKind> {
        self.tables[table].get(name).map(|&(_, kind)| kind)
    }

    /// The tables, names to units.
    pub(crate) fn into_tables(self) -> Vec<std::collections::BTreeMap<String, usize>> {
        let plain = |table: FxHashMap<String, (usize, RootNameKind)>| {
            let rows = table.into_iter();
            rows.map(|(name, (unit, _))| (name, unit)).collect()
        };
        self.tables.into_iter().map(plain).collect()
    }
}
