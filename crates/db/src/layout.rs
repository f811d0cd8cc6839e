//! How files become units: plain data between the Host and the language rooms.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_syntax::{Header, Names};

use crate::{GoSettings, Origin, UnitKind};

/// The files and folders that a layout may look at. Paths are absolute with `/`.
pub trait FileSystem: Sync {
    /// The text of a file, `None` where there is none.
    fn read(&self, path: &str) -> Option<Arc<str>>;
    /// The names in a folder, sorted; folders end in `/`. Empty where there is none.
    fn list(&self, dir: &str) -> Vec<String>;
    /// An environment variable as the Host read it at its start.
    fn variable(&self, name: &str) -> Option<String>;
}

/// What [`crate::Language::layout`] works on.
pub struct LayoutInput<'a> {
    /// The workspace's root, absolute, without a final `/`.
    pub root: &'a str,
    /// Every loaded file of the language, sorted by path.
    pub files: &'a [LayoutFile<'a>],
    /// The interner that the headers' names are numbers of.
    pub names: &'a Names,
    /// The disk.
    pub reader: &'a dyn FileSystem,
    /// What the settings say of the language, by key (`goos`, `goarch`, `tags`, `cgo`, `goroot`,
    /// `modcache`; `roots`, …).
    pub settings: &'a BTreeMap<String, String>,
}

/// A value in the settings or in the environment that a language does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownValue {
    /// The key of the settings.
    pub key: &'static str,
    /// The variable that gave it, where it was none of the settings.
    pub variable: Option<&'static str>,
    /// The value.
    pub value: String,
    /// All that are known.
    pub known: &'static [&'static str],
}

/// One loaded file.
#[derive(Clone, Copy)]
pub struct LayoutFile<'a> {
    /// Absolute, with `/`.
    pub path: &'a str,
    /// Workspace or library.
    pub origin: Origin,
    /// Its header.
    pub header: &'a Header,
}

/// The units of a language and how imports find them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// Sorted by (name, kind).
    pub units: Vec<PlannedUnit>,
    /// Lists of table numbers; see [`crate::ImportTables`].
    pub chains: Vec<Vec<u32>>,
    /// Import path to the number of a Base unit in `units`.
    pub tables: Vec<BTreeMap<String, usize>>,
    /// Absolute folders whose files (this folder only, tests left out) must be loaded as library
    /// files and the layout asked again. Empty: done.
    pub missing: Vec<String>,
    /// Absolute paths of single files that must be loaded as library files and the layout asked
    /// again. A file that cannot be read is told once and not asked for again.
    pub missing_files: Vec<String>,
    /// Library files that stand on no disk: (path, text). The path is that of a unit's `files`, in
    /// angle brackets where a folder would be, so that it can be no file's.
    pub texts: Vec<(String, &'static str)>,
    /// What projects name as their entry points, sorted: `package.module:function`.
    pub entries: Vec<String>,
    /// The build configuration (Go).
    pub go: Option<GoSettings>,
    /// What a user should know: (path, words).
    pub notes: Vec<(String, String)>,
}

/// One unit to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedUnit {
    /// The printed name of the package, the prefix of its ids.
    pub name: String,
    /// The import path as the language knows it.
    pub import_path: String,
    /// Which unit of the package.
    pub kind: UnitKind,
    /// The folder, absolute.
    pub dir: String,
    /// Workspace or library.
    pub origin: Origin,
    /// The chain of its imports.
    pub chain: u32,
    /// Absolute paths, sorted by bytes.
    pub files: Vec<String>,
}
