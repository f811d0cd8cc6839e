//! An append-only string interner for names.

use std::sync::Arc;

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

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
    numbers: DashMap<Arc<str>, u32, FxBuildHasher>,
    texts: boxcar::Vec<Arc<str>>,
}

impl Names {
    /// Returns the id of `text`, adding it if it is new.
    pub fn intern(&self, text: &str) -> NameId {
        if let Some(number) = self.numbers.get(text) {
            return NameId(*number);
        }
        let text: Arc<str> = text.into();
        let number = self
            .numbers
            .entry(text.clone())
            .or_insert_with(|| u32::try_from(self.texts.push(text)).expect("under 2^32 names"));
        NameId(*number)
    }

    /// Returns the id of `text` if it has been interned.
    pub fn get(&self, text: &str) -> Option<NameId> {
        self.numbers.get(text).map(|number| NameId(*number))
    }

    /// Returns the text of an id of this interner.
    pub fn text(&self, name: NameId) -> &str {
        &self.texts[name.0 as usize]
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.texts.count()
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
