//! An append-only string interner for names.

use std::sync::Arc;

use crate::interner::Interner;

/// A name, as its number in [`Names`]. Numbers differ between runs: they may order data inside the
/// process, but must never be printed or stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NameId(u32);

impl NameId {
    /// Returns the number, for packing.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// The interner: every identifier and path is stored once. Shared by all threads; entries are never
/// removed or changed, so reading one is pure.
#[derive(Default)]
pub struct Names {
    texts: Interner<Arc<str>>,
}

impl Names {
    /// Returns the id of `text`, adding it if it is new.
    pub fn intern(&self, text: &str) -> NameId {
        NameId(self.texts.intern(text, |_| (text.into(), ())))
    }

    /// Returns the id of `text` if it has been interned.
    pub fn get(&self, text: &str) -> Option<NameId> {
        self.texts.find(text).map(NameId)
    }

    /// Returns the text of an id of this interner.
    pub fn text(&self, name: NameId) -> &str {
        self.texts.key(name.0)
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Names({})", self.len())
    }
}
