//! The names of a text: interned once, mangled where the reference requires it, and collected as
//! the identifiers of the file.

use rustc_hash::FxHashMap;

use super::flat::{Flat, FlatIndex};
use codeweft_syntax::{NameId, Names};

/// The text with its interned names.
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

    /// Returns the text of a node.
    pub(super) fn of(&self, flat: &Flat, at: FlatIndex) -> &'t str {
        let node = flat.node(at);
        self.slice(node.start, node.end)
    }

    /// Returns the text between two offsets.
    pub(super) fn slice(&self, start: u32, end: u32) -> &'t str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// Interns a name, which thereby counts as an identifier of the file.
    pub(super) fn intern(&mut self, text: &'t str) -> NameId {
        if text.is_empty() {
            return self.empty;
        }
        let names = self.names;
        *self.known.entry(text).or_insert_with(|| names.intern(text))
    }

    /// Interns a text that is no identifier of the file.
    pub(super) fn quiet(&self, text: &str) -> NameId {
        self.names.intern(text)
    }

    /// Interns a name used in a class (Python reference, Identifiers (Names), Private name
    /// mangling): `__x` in `class _C` becomes `_C__x`.
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

    /// Returns all identifiers so far, and `implied`, the names of special methods that the syntax
    /// may call.
    pub(super) fn mentioned(&self, implied: impl Iterator<Item = &'static str>) -> Vec<NameId> {
        let known = self.known.values().chain(self.mangled.values()).copied();
        known
            .chain(implied.map(|name| self.names.intern(name)))
            .collect()
    }
}

/// Returns the part of a class's name that mangling puts before a private name; empty if there is
/// no mangling.
pub(super) fn mangling(class: &str) -> &str {
    class.trim_start_matches('_')
}
