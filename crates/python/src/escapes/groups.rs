//! What completeness reads of all groups of Python files.
//!
//! The words of the literals of all saved texts are one list, which no keystroke and no changed
//! declaration verifies in full. What resolves names is read group by group: of a group with an
//! edited file, only for the edited text.
//!
//! ```text
//! saved_words ─┬─ group 0: words      saved::computed_names(group 0)
//!              └─ group 1: words      edited::computed_names(group 1), and a scan of the texts
//!                                     that were edited instead of their words
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, Origin, TextKey as _, Unit, UnitGraph};

use super::computed::{ComputedNames, computed_names};
use super::literals::{LiteralWords, literals_with, saved_literal_words};
use crate::file_groups::PyGroupKey;

/// The words of the literals of a group's saved texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupWords {
    unit: Unit,
    number: u32,
    words: Arc<LiteralWords>,
}

/// Returns the words of the groups of all Python units. Reads saved texts only, so it is as durable
/// as they are.
#[salsa::tracked(returns(clone))]
pub fn saved_words(db: &dyn Db, universe: UnitGraph) -> Arc<[GroupWords]> {
    PyGroupKey::all(db, universe)
        .map(|key| GroupWords {
            unit: key.unit(db),
            number: key.number(db),
            words: saved_literal_words(db, key),
        })
        .collect()
}

/// A group of files and what completeness reads of their current texts.
pub(super) struct CurrentGroup<'db> {
    /// The key.
    pub(super) key: PyGroupKey<'db>,
    /// Whether the group is of the workspace.
    pub(super) is_own: bool,
    /// The sites that look names up by value.
    pub(super) names: Arc<ComputedNames>,
    is_edited: bool,
    words: Arc<LiteralWords>,
}

/// Returns all groups with what is current of them.
pub(super) fn current_groups(db: &dyn Db, universe: UnitGraph) -> Vec<CurrentGroup<'_>> {
    let groups = saved_words(db, universe);
    let current = groups.iter().map(|saved| {
        let key = PyGroupKey::new(db, saved.unit, saved.number);
        CurrentGroup {
            key,
            is_own: saved.unit.origin(db) == Origin::Workspace,
            names: computed_names(db, key),
            is_edited: key.is_of_edited_text(db),
            words: saved.words.clone(),
        }
    });
    current.collect()
}

impl CurrentGroup<'_> {
    /// Visits the literals that contain a name, by file and the byte offset of the name: literals
    /// that are paths, or any literal.
    pub(super) fn literals_with(
        &self,
        db: &dyn Db,
        name: &str,
        anywhere: bool,
        visit: impl FnMut(File, u32),
    ) {
        let files = self.key.files(db);
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
