//! What a change will set: gathered while readers read, then set in one go.

use std::sync::Arc;

use codeweft_db::{File, Header, RootDb};
use rustc_hash::FxHashMap;

type InputChange = Box<dyn FnOnce(&mut RootDb)>;

/// Inputs to set, in order. Until then nobody sees any of it.
#[derive(Default)]
pub(crate) struct Transaction {
    sets: Vec<InputChange>,
    /// The headers among them, for the layout that is asked before they are set.
    headers: FxHashMap<File, Arc<Header>>,
    /// Whether it is a revision: some of it differs from what is there.
    pub(super) differs: bool,
    /// Whether something beside the database differs.
    pub(super) beside: bool,
}

impl Transaction {
    /// Sets an input to another value.
    pub(super) fn set(&mut self, set: impl FnOnce(&mut RootDb) + 'static) {
        self.differs = true;
        self.sets.push(Box::new(set));
    }

    /// Sets an input to an equal value, for its durability.
    pub(super) fn set_equal(&mut self, set: impl FnOnce(&mut RootDb) + 'static) {
        self.sets.push(Box::new(set));
    }

    /// A file will have this header.
    pub(super) fn note_header(&mut self, file: File, header: Arc<Header>) {
        self.headers.insert(file, header);
    }

    /// The header that a file will have.
    pub(super) fn header<'a>(&'a self, db: &'a RootDb, file: File) -> &'a Arc<Header> {
        self.headers.get(&file).unwrap_or_else(|| file.header(db))
    }

    /// Whether readers must leave for it.
    pub(crate) fn writes(&self) -> bool {
        !self.sets.is_empty()
    }

    /// Whether anybody could see it.
    pub(crate) fn shows(&self) -> bool {
        self.writes() || self.differs || self.beside
    }

    /// Sets everything.
    pub(super) fn apply(self, db: &mut RootDb) {
        for set in self.sets {
            set(db);
        }
    }
}
