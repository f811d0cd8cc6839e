//! The append-only interner of names.

use std::sync::Arc;

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

/// A name by its number in [`Names`]. Numbers differ from run to run: they order only what never
/// leaves the process, and never print.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NameId(u32);

impl NameId {
    /// The number itself, for packing.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Names of identifiers and paths, each stored once. Shared by all threads; entries are never
/// dropped or changed, so reading one is pure.
#[derive(Default)]
pub struct Names {
    numbers: DashMap<Arc<str>, u32, FxBuildHasher>,
    texts: boxcar::Vec<Arc<str>>,
}

impl Names {
    /// The number of `text`, given now if it has none.
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

    /// The number of `text` if it has one.
    pub fn get(&self, text: &str) -> Option<NameId> {
        self.numbers.get(text).map(|number| NameId(*number))
    }

    /// The text of a name of this interner.
    pub fn text(&self, name: NameId) -> &str {
        &self.texts[name.0 as usize]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.texts.count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Names({})", self.len())
    }
}
