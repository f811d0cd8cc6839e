//! What completeness reads of all groups of Python files, as their texts are now.
//!
//! ```text
//! group without an edited file   computed_names, saved_literal_words
//! group with an edited file      computed_names; saved_literal_words of the files that are as saved,
//!                                and a scan of the texts that were edited
//! ```
//!
//! No saved query that resolves names is read of a group with an edited file: a changed declaration
//! would have it resolve the saved text again.

use std::sync::Arc;

use codeweft_db::{Db, File, Origin, TextKey as _, Unit, UnitGraph};

use super::computed::{ComputedNames, computed_names};
use super::literals::{LiteralNames, LiteralWords, literals_with, saved_literal_words};
use crate::file_groups::PyGroupKey;

/// A group of files and what completeness reads of their current texts.
pub(super) struct CurrentGroup<'db> {
    /// The key.
    pub(super) key: PyGroupKey<'db>,
    /// Whether the group is of the workspace.
    pub(super) is_own: bool,
    /// The sites that look names up by value.
    pub(super) names: Arc<ComputedNames>,
    is_edited: bool,
    /// Of the workspace's literals.
    words: Arc<LiteralWords>,
}

/// Returns all groups with what is current of them.
pub(super) fn current_groups(db: &dyn Db, universe: UnitGraph) -> Vec<CurrentGroup<'_>> {
    let groups = PyGroupKey::all(db, universe);
    groups.map(|key| current_group(db, key)).collect()
}

fn current_group<'db>(db: &'db dyn Db, key: PyGroupKey<'db>) -> CurrentGroup<'db> {
    let is_own = key.unit(db).origin(db) == Origin::Workspace;
    CurrentGroup {
        key,
        is_own,
        names: computed_names(db, key),
        is_edited: key.is_of_edited_text(db),
        words: if is_own {
            saved_literal_words(db, key)
        } else {
            Arc::default()
        },
    }
}

/// Runs the queries of a unit's groups that [`current_groups`] reads.
pub(crate) fn read_groups(db: &dyn Db, unit: Unit) {
    for key in PyGroupKey::of_unit(db, unit) {
        current_group(db, key);
    }
}

impl CurrentGroup<'_> {
    /// Visits the literals that contain one of `names`, by the name, file and the byte offset of the
    /// name: literals that are paths, or any literal.
    pub(super) fn literals_with(
        &self,
        db: &dyn Db,
        names: &LiteralNames<'_>,
        anywhere: bool,
        visit: impl FnMut(&str, File, u32),
    ) {
        let files = (self.key.files(db), self.is_edited);
        literals_with(db, files, &self.words, names, anywhere, visit);
    }
}
