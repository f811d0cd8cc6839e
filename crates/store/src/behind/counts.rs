//! How many rows a batch wrote.

/// A table, or several that change together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum CountedTable {
    Files,
    Texts,
    Unresolved,
    Packages,
    Symbols,
    Parameters,
    Uses,
    Users,
    RunSites,
    RunSets,
    Implements,
}

/// The number of rows that were inserted, updated or deleted, by table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct RowCounts([usize; 11]);

impl RowCounts {
    /// Counts rows.
    pub(crate) fn add(&mut self, table: CountedTable, rows: usize) {
        if let Some(count) = self.0.get_mut(table as usize) {
            *count += rows;
        }
    }

    /// Adds the rows of another batch.
    pub(crate) fn add_all(&mut self, other: RowCounts) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }

    /// Returns how many rows were written since.
    #[cfg(test)]
    pub(crate) fn less(mut self, before: RowCounts) -> RowCounts {
        for (count, before) in self.0.iter_mut().zip(before.0) {
            *count -= before;
        }
        self
    }

    /// Returns the number of rows of a table.
    #[cfg(test)]
    pub(crate) fn of(&self, table: CountedTable) -> usize {
        self.0.get(table as usize).copied().unwrap_or_default()
    }

    /// Returns the number of rows of all tables.
    pub(crate) fn all(&self) -> usize {
        self.0.iter().sum()
    }
}
