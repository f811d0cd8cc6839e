//! The names of a text: interned once, mangled where the reference says so, and what of them the
//! file mentions.

use rustc_hash::FxHashMap;

use super::flat::{Flat, FlatIndex};
use crate::{NameId, Names};

/// The text with the names met in it.
pub(super) struct SourceNames<'t> {
    pub(super) text: &'t str,
    names: &'t Names,
    known: FxHashMap<&'t str, NameId>,
    mangled: FxHashMap<(&'t str, &'t str), NameId>,
    pub(super) empty: NameId,
}

impl<'t> SourceNames<'t> {
    pub(super) fn new(text: &'t str, names: &'t Names) -> SourceNames<'t> {
        SourceNames {
            text,
            names,
            known: FxHashMap::default(),
            mangled: FxHashMap::default(),
            empty: names.intern(""),
        }
    }

    /// The text of a node.
    pub(super) fn of(&self, flat: &Flat, at: FlatIndex) -> &'t str {
        let node = flat.node(at);
        self.slice(node.start, node.end)
    }

    /// The text between two offsets.
    pub(super) fn slice(&self, start: u32, end: u32) -> &'t str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// The number of a name, which is then mentioned.
    pub(super) fn intern(&mut self, text: &'t str) -> NameId {
        if text.is_empty() {
            return self.empty;
        }
        let names = self.names;
        *self.known.entry(text).or_insert_with(|| names.intern(text))
    }

    /// The number of a text that is no name of the file.
    pub(super) fn quiet(&self, text: &str) -> NameId {
        self.names.intern(text)
    }

    /// The number of a name in the code of a class (Python reference, Identifiers (Names),
    /// Private name mangling).
    pub(super) fn in_class(&mut self, text: &'t str, class: Option<&'t str>) -> NameId {
        let plain = self.intern(text);
        let Some(class) = class else {
            return plain;
        };
        if !text.starts_with("__") || text.ends_with("__") || class.is_empty() {
            return plain;
        }
        let names = self.names;
        let mangled = self.mangled.entry((class, text));
        *mangled.or_insert_with(|| names.intern(&format!("_{class}{text}")))
    }

    /// All names met so far, and `implied`, the names of special methods that syntax stands for.
    pub(super) fn mentioned(&self, implied: impl Iterator<Item = &'static str>) -> Vec<NameId> {
        let known = self.known.values().chain(self.mangled.values()).copied();
        known
            .chain(implied.map(|name| self.names.intern(name)))
            .collect()
    }
}

/// The part of a class's name that mangling puts before a private name; empty: no mangling.
pub(super) fn mangling(class: &str) -> &str {
    class.trim_start_matches('_')
}
