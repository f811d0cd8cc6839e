//! What completeness reads of all groups of Python files, in one list.
//!
//! The list is of the saved texts, so no keystroke verifies it; a group with an edited file is read
//! anew where it is asked for:
//!
//! ```text
//! saved_groups ─┬─ group 0: computed names, words      as they are
//!               └─ group 1: computed names, words      edited::computed_names(group 1),
//!                                                      words of the texts that were not edited,
//!                                                      and a scan of those that were
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, FileGroupIndex, Origin, TextKey as _, Unit, UnitGraph};

use super::computed::{self, ComputedNames};
use super::literals::{LiteralWords, literals_with, saved_literal_words};
use crate::file_groups::PyGroupKey;
use crate::index;

/// A group of files and what completeness reads of their saved texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedGroup {
    unit: Unit,
    number: u32,
    index: Arc<FileGroupIndex>,
    names: Arc<ComputedNames>,
    words: Arc<LiteralWords>,
}

/// Returns the groups of all Python units. Reads saved texts only, so it is as durable as they are.
#[salsa::tracked(returns(clone))]
pub fn saved_groups(db: &dyn Db, universe: UnitGraph) -> Arc<[SavedGroup]> {
    PyGroupKey::all(db, universe)
        .map(|key| SavedGroup {
            unit: key.unit(db),
            number: key.number(db),
            index: index::saved::py_group_index(db, key),
            names: computed::saved::computed_names(db, key),
            words: saved_literal_words(db, key),
        })
        .collect()
}

/// A group of files and what completeness reads of their current texts.
pub(super) struct CurrentGroup {
    /// Whether the group is of the workspace.
    pub(super) is_own: bool,
    /// Which files use a target.
    pub(super) index: Arc<FileGroupIndex>,
    /// The sites that look names up by value.
    pub(super) names: Arc<ComputedNames>,
    unit: Unit,
    number: u32,
    is_edited: bool,
    words: Arc<LiteralWords>,
}

/// Returns all groups with what is current of them.
pub(super) fn current_groups(db: &dyn Db, universe: UnitGraph) -> Vec<CurrentGroup> {
    let groups = saved_groups(db, universe);
    let current = groups.iter().map(|saved| {
        let key = || PyGroupKey::new(db, saved.unit, saved.number);
        let edited = Some(saved.unit).filter(|unit| unit.has_edited(db));
        let edited = edited
            .map(|_| key())
            .filter(|key| key.is_of_edited_text(db));
        CurrentGroup {
            is_own: saved.unit.origin(db) == Origin::Workspace,
            index: edited.map_or_else(|| saved.index.clone(), |key| index::py_group_index(db, key)),
            names: edited.map_or_else(
                || saved.names.clone(),
                |key| computed::computed_names(db, key),
            ),
            unit: saved.unit,
            number: saved.number,
            is_edited: edited.is_some(),
            words: saved.words.clone(),
        }
    });
    current.collect()
}

impl CurrentGroup {
    /// Visits the literals that contain a name, by file and the byte offset of the name: literals
    /// that are paths, or any literal.
    pub(super) fn literals_with(
        &self,
        db: &dyn Db,
        name: &str,
        anywhere: bool,
        visit: impl FnMut(File, u32),
    ) {
        let files = PyGroupKey::files_of(db, self.unit, self.number);
        literals_with(
            db,
            files,
            self.is_edited,
            &self.words,
            name,
            anywhere,
            visit,
        );
    }
}
