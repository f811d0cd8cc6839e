//! The input and output of [`crate::ProjectLayout::layout`], which groups files into units: plain data
//! between the host and the language crates.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_syntax::{Configuration, Header, Names};

use crate::{Origin, UnitKind};

/// The files and folders that a layout may read. Paths are absolute with `/`.
pub trait FileSystem: Sync {
    /// Returns the text of a file; `None` if it does not exist.
    fn read(&self, path: &str) -> Option<Arc<str>>;
    /// Returns the sorted names in a folder; those of folders end in `/`. Empty if it does not
    /// exist.
    fn list(&self, dir: &str) -> Vec<String>;
    /// Returns an environment variable, as read when the host started.
    fn variable(&self, name: &str) -> Option<String>;
}

/// The input of [`crate::ProjectLayout::layout`].
pub struct LayoutInput<'a> {
    /// The workspace root, absolute, without a trailing `/`.
    pub root: &'a str,
    /// All loaded files of the language, sorted by path.
    pub files: &'a [LayoutFile<'a>],
    /// The interner of the names in the headers.
    pub names: &'a Names,
    /// The file system.
    pub reader: &'a dyn FileSystem,
    /// The settings of the language by key (`goos`, `goarch`, `tags`, `cgo`, `goroot`, `modcache`;
    /// `roots`, …).
    pub settings: &'a BTreeMap<String, String>,
}

/// A value in the settings or in the environment that a language does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownValue {
    /// The key of the settings.
    pub key: &'static str,
    /// The environment variable that gave the value, if it did not come from the settings.
    pub variable: Option<&'static str>,
    /// The value.
    pub value: String,
    /// All known values.
    pub known: &'static [&'static str],
}

/// A loaded file.
#[derive(Clone, Copy)]
pub struct LayoutFile<'a> {
    /// The absolute path with `/`.
    pub path: &'a str,
    /// Whether it belongs to the workspace or to a library.
    pub origin: Origin,
    /// The header.
    pub header: &'a Header,
}

/// The units of a language and the lookup of their imports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The units, sorted by (name, kind).
    pub units: Vec<PlannedUnit>,
    /// Lists of table numbers; see [`crate::ImportTables`].
    pub chains: Vec<Vec<u32>>,
    /// Maps from import path to the index of a Base unit in `units`.
    pub tables: Vec<BTreeMap<String, usize>>,
    /// Absolute folders whose files (not recursive, tests excluded) must be loaded as library files
    /// before the layout is computed again. Empty once the layout is complete.
    pub missing: Vec<String>,
    /// Absolute paths of single files that must be loaded as library files before the layout is
    /// computed again. A file that cannot be read is reported once and not requested again.
    pub missing_files: Vec<String>,
    /// Virtual library files that exist on no disk: (path, text). A unit's `files` lists the path.
    /// It has angle brackets instead of a folder, so that it cannot collide with a real file.
    pub texts: Vec<(String, &'static str)>,
    /// The entry points that projects name, sorted: `package.module:function`.
    pub entries: Vec<String>,
    /// The folders of the projects that are built as distributions, relative to the workspace's root:
    /// other projects can import the packages below them.
    pub distributed: Vec<String>,
    /// Those of `entries` that are named as nothing but programs that are installed: no code looks them up to call them.
    pub scripts: Vec<String>,
    /// The build configuration, if the language has one.
    pub configuration: Option<Arc<Configuration>>,
    /// Notes for the user: (path, message).
    pub notes: Vec<(String, String)>,
}

/// A unit to be created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedUnit {
    /// The printed name of the package, the prefix of its ids.
    pub name: String,
    /// The import path as the language writes it.
    pub import_path: String,
    /// The kind: which of the package's units it is.
    pub kind: UnitKind,
    /// The absolute folder.
    pub dir: String,
    /// Whether it belongs to the workspace or to a library.
    pub origin: Origin,
    /// The chain of its imports.
    pub chain: u32,
    /// Absolute paths, sorted by bytes.
    pub files: Vec<String>,
}
