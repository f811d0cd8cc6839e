//! The declaration of a language: static data that every other crate reads instead of naming
//! languages.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use crate::{CachedTree, FileIr, Names};

/// What Codeweft knows of a language besides its rules. Each syntax crate declares one `static` of
/// it, and the [`Lang`] that refers to it.
pub struct LanguageSpec {
    /// The name in answers and settings, such as `go`. It identifies the language.
    pub wire_name: &'static str,
    /// The extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// Lowers a text; see [`crate::lower`] and [`crate::lower_next`].
    pub lower: Lower,
    /// Patches the lowered form of the previous text, if the language can; see
    /// [`crate::lower_edited`].
    pub lower_edited: Option<LowerEdited>,
}

/// Lowers a text, from the syntax tree of the previous text if there is one. `None` if the last
/// argument returned `true`.
pub type Lower = fn(&str, &Names, Option<&mut CachedTree>, &dyn Fn() -> bool) -> Option<FileIr>;

/// Patches a [`FileIr`]: the old text, its lowered form and the new text.
pub type LowerEdited = fn(&str, &FileIr, &str, &Names, &dyn Fn() -> bool) -> Option<FileIr>;

/// A language that Codeweft reads, as a reference to its declaration. Compared, ordered and hashed
/// by [`LanguageSpec::wire_name`].
#[derive(Clone, Copy)]
pub struct Lang(&'static LanguageSpec);

impl Lang {
    /// Returns the language that a spec declares.
    pub const fn new(spec: &'static LanguageSpec) -> Lang {
        Lang(spec)
    }

    /// Returns the name of the language in answers.
    pub fn wire_name(self) -> &'static str {
        self.0.wire_name
    }

    /// Returns whether a file is of the language, by its extension.
    pub fn reads_path(self, path: &str) -> bool {
        path.rsplit_once('.')
            .is_some_and(|(_, extension)| self.0.extensions.contains(&extension))
    }
}

impl Deref for Lang {
    type Target = LanguageSpec;

    fn deref(&self) -> &LanguageSpec {
        self.0
    }
}

impl PartialEq for Lang {
    fn eq(&self, other: &Lang) -> bool {
        std::ptr::eq(self.0, other.0) || self.0.wire_name == other.0.wire_name
    }
}

impl Eq for Lang {}

impl PartialOrd for Lang {
    fn partial_cmp(&self, other: &Lang) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Lang {
    fn cmp(&self, other: &Lang) -> Ordering {
        if std::ptr::eq(self.0, other.0) {
            return Ordering::Equal;
        }
        self.0.wire_name.cmp(other.0.wire_name)
    }
}

impl Hash for Lang {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.wire_name.hash(state);
    }
}

impl fmt::Debug for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.wire_name)
    }
}
