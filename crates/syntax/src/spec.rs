//! The declaration of a language: static data that every other crate reads instead of naming
//! languages.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use crate::record::PartsCodec;
use crate::text_parts::TextParts;
use crate::{CachedTree, FileIr, Header, Items, Names, Ranges, SettingsKey};

/// Everything about a language that is plain data. Its syntax crate declares one `static` of it and
/// the [`Lang`] that refers to it; the rules are behind the traits of `codeweft-db`.
pub struct LanguageSpec {
    /// The name in answers and settings, such as `go`. It identifies the language.
    pub wire_name: &'static str,
    /// The name in sentences for users, such as `Go`.
    pub name: &'static str,
    /// The extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// Names of files that describe a project. Such a file makes its folder a root if nothing
    /// stronger does, the first name before the others; a change of one is watched.
    pub project_files: &'static [&'static str],
    /// The ends of the names of files that hold only tests and are not read in libraries.
    pub test_suffixes: &'static [&'static str],
    /// An implementation's extension and that of a stub beside it, which declares the same names.
    pub stub_extension: Option<(&'static str, &'static str)>,

    /// The prefix of an id that several languages have.
    pub id_prefix: &'static str,
    /// The separator of a package's printed name.
    pub package_separator: char,
    /// The separator between a function and a declaration in its body.
    pub inside_function: &'static str,
    /// The start of a line comment.
    pub line_comment: &'static str,
    /// Whether a comment on one of the first two lines may name the encoding of a text (PEP 263).
    pub has_coding_line: bool,
    /// Whether each file is a package of its own: a module.
    pub packages_are_files: bool,
    /// Whether an import of a package names those above it too: `import a.b` names `a`.
    pub imports_name_parents: bool,
    /// Whether the names of a list share the type written behind the last: `a, b int`.
    pub names_share_a_type: bool,

    /// The keys of its section in `codeweft.toml`, which is named [`LanguageSpec::wire_name`].
    pub settings: &'static [SettingsKey],
    /// The environment variables that answers depend on.
    pub variables: &'static [&'static str],
    /// Those of `variables` that decide for which build answers hold.
    pub build_variables: &'static [&'static str],
    /// The program on PATH that a layout is read from; clients and server compare where it is.
    pub program: Option<&'static str>,
    /// The file of an environment with libraries of its own, in the folder above that of its `program`.
    pub environment_file: Option<&'static str>,
    /// The file at a workspace's root that names the version of `program` that a shim starts.
    pub version_file: Option<&'static str>,
    /// What to do for a user with files of the language and without a library. `None` if the notes of
    /// the layout say so.
    pub library_hint: Option<&'static str>,

    /// Lowers a text; see [`crate::lower`] and [`crate::lower_next`].
    pub lower: Lower,
    /// Whether [`crate::lower`] makes no syntax tree of a sound text, so that there is none to drop.
    pub lowers_without_tree: bool,
    /// Patches the lowered form of the previous text, if the language can; see
    /// [`crate::lower_edited`].
    pub lower_edited: Option<LowerEdited>,
    /// Lowers the header and the items of a text alone, if the language can without its bodies; see
    /// [`crate::lower_header`] and [`crate::lower_items`].
    pub lower_parts: Option<LowerParts>,
    /// Returns the declarations and comments of a text, from its lowered form; without it a search sees words alone.
    pub text_parts: Option<ReadTextParts>,
    /// The binary form of its intermediate form; without one, nothing of the language is kept on disk.
    pub parts_codec: Option<PartsCodec>,
}

impl LanguageSpec {
    /// A language with nothing but a name and a lowering, to be completed with struct update
    /// syntax.
    ///
    /// ```
    /// use codeweft_syntax::{Lang, LanguageSpec};
    ///
    /// static SPEC: LanguageSpec = LanguageSpec {
    ///     extensions: &["toy"],
    ///     ..LanguageSpec::new("toy", "Toy", "toy:", |_, _, _, _| None)
    /// };
    /// const TOY: Lang = Lang::new(&SPEC);
    /// assert!(TOY.reads_path("a/b.toy"));
    /// assert!(!TOY.reads_path("README.md"));
    /// ```
    pub const fn new(
        wire_name: &'static str,
        name: &'static str,
        id_prefix: &'static str,
        lower: Lower,
    ) -> LanguageSpec {
        LanguageSpec {
            wire_name,
            name,
            extensions: &[],
            project_files: &[],
            test_suffixes: &[],
            stub_extension: None,
            id_prefix,
            package_separator: '/',
            inside_function: ".",
            line_comment: "//",
            has_coding_line: false,
            packages_are_files: false,
            imports_name_parents: false,
            names_share_a_type: false,
            settings: &[],
            variables: &[],
            build_variables: &[],
            program: None,
            environment_file: None,
            version_file: None,
            library_hint: None,
            lower,
            lowers_without_tree: false,
            lower_edited: None,
            lower_parts: None,
            text_parts: None,
            parts_codec: None,
        }
    }
}

/// Lowers a text, from the syntax tree of the previous text if there is one. `None` if the last
/// argument returned `true`.
pub type Lower = fn(&str, &Names, Option<&mut CachedTree>, &dyn Fn() -> bool) -> Option<FileIr>;

/// Patches a [`FileIr`]: the old text, its lowered form and the new text.
pub type LowerEdited = fn(&str, &FileIr, &str, &Names, &dyn Fn() -> bool) -> Option<FileIr>;

/// Reads the declarations and comments of a text, given without a byte-order mark.
pub type ReadTextParts = fn(&str, &Items, &Ranges, &Names) -> TextParts;

/// The lowering of parts of a text without the rest of it.
pub struct LowerParts {
    /// Lowers the header; `None` for a text whose header depends on more than its beginning.
    pub header: fn(&str, &Names) -> Option<Arc<Header>>,
    /// Lowers the items; `None` for a text that cannot be read without its bodies.
    pub items: fn(&str, &Names) -> Option<Arc<Items>>,
}

/// A language that Codeweft reads, as a reference to its declaration. Compared, ordered and hashed
/// by [`LanguageSpec::wire_name`].
#[derive(Clone, Copy)]
pub struct Lang(&'static LanguageSpec);

impl Lang {
    /// Returns the language that a spec declares.
    pub const fn new(spec: &'static LanguageSpec) -> Lang {
        Lang(spec)
    }

    /// Returns the declaration.
    pub fn spec(self) -> &'static LanguageSpec {
        self.0
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

    /// Returns whether a file holds only tests, by the end of its name.
    pub fn is_test_path(self, path: &str) -> bool {
        let mut suffixes = self.0.test_suffixes.iter();
        suffixes.any(|suffix| path.ends_with(suffix))
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
