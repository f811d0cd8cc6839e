//! Transactions: inputs that are collected while readers read, then set together.

use std::sync::Arc;

use codeweft_db::{File, Header, RootDb};
use rustc_hash::FxHashMap;

type InputChange = Box<dyn FnOnce(&mut RootDb)>;

/// Inputs to set, in order. Readers see none of them before that.
#[derive(Default)]
pub(crate) struct Transaction {
    sets: Vec<InputChange>,
    /// The headers among them, for the layout that is computed before they are set.
    headers: FxHashMap<File, Arc<Header>>,
    /// Whether it makes a revision: some input differs from its current value.
    pub(super) differs: bool,
    /// Whether units may have files that they did not have before.
    pub(super) lays_out: bool,
    /// Whether declarations of a language differ that any of its files may depend on.
    pub(super) redeclares: bool,
    /// Whether the state beside the database differs.
    pub(super) state_differs: bool,
}

impl Transaction {
    /// Queues the setting of an input to another value.
    pub(super) fn set(&mut self, set: impl FnOnce(&mut RootDb) + 'static) {
        self.differs = true;
        self.sets.push(Box::new(set));
    }

    /// Queues the setting of an input to an equal value, for its durability.
    pub(super) fn set_equal(&mut self, set: impl FnOnce(&mut RootDb) + 'static) {
        self.sets.push(Box::new(set));
    }

    /// Records the header that a file will have.
    pub(super) fn note_header(&mut self, file: File, header: Arc<Header>) {
        self.headers.insert(file, header);
    }

    /// Returns the header that a file will have.
    pub(super) fn header<'a>(&'a self, db: &'a RootDb, file: File) -> &'a Arc<Header> {
        self.headers.get(&file).unwrap_or_else(|| file.header(db))
    }

    /// Returns whether inputs are set, so that readers must leave.
    pub(crate) fn writes(&self) -> bool {
        !self.sets.is_empty()
    }

    /// Returns whether readers can see a difference.
    pub(crate) fn is_visible(&self) -> bool {
        self.writes() || self.differs || self.state_differs
    }

    /// Sets all inputs.
    pub(super) fn apply(self, db: &mut RootDb) {
        for set in self.sets {
            set(db);
        }
    }
}
