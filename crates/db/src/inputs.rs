//! The salsa inputs: files, units, the unit graph and the build configurations.
//!
//! Only the writer sets them, in one transaction per change. Which durability each field gets is
//! decided in [`crate::base_durability`] and [`crate::EDITED_DURABILITY`].

use std::sync::Arc;

use codeweft_syntax::{Configuration, Header, Items, Lang, NameId};
use rustc_hash::FxHashMap;
use salsa::plumbing::AsId as _;

use crate::Origin;

/// A source file.
///
/// `header` and `items` are set together with the text by the code that lowers it first. They are
/// compared before they are set and always keep the file's base durability. The text has two
/// fields, so that the first keystroke in a file lowers the durability of nothing that was read
/// before:
///
/// ```text
///                  saved_text   header, items   replaced_items   is_edited   edited_text
/// durability       base         base            base             LOW         LOW
/// on disk          text         of the text     None             false       ""
/// first keystroke  unchanged    set if changed  the old items    true        new text
///                                               if changed
/// ```
#[salsa::input(debug)]
pub struct File {
    /// The path, relative to the workspace root with `/`; absolute outside it.
    #[returns(ref)]
    pub path: Arc<str>,
    /// The language.
    #[returns(copy)]
    pub lang: Lang,
    /// Whether the file belongs to the workspace or to a library.
    #[returns(copy)]
    pub origin: Origin,
    /// The text without a byte-order mark, as it was before the file was opened or edited. Has the
    /// file's base durability.
    #[returns(ref)]
    pub saved_text: Arc<str>,
    /// The package clause and imports that `syntax` reads before the declarations.
    #[returns(ref)]
    pub header: Arc<Header>,
    /// The declarations that `syntax` reads outside bodies.
    #[returns(ref)]
    pub items: Arc<Items>,
    /// The declarations of the saved text, once an edit has changed [`File::items`]; `None` before.
    #[default]
    #[returns(ref)]
    pub replaced_items: Option<Arc<Items>>,
    /// Whether the file was opened or edited, so that [`File::edited_text`] is current. LOW from
    /// creation: a query that reads it becomes LOW too, so tracked queries read it only in modules
    /// named `edited`.
    #[default]
    #[returns(copy)]
    pub is_edited: bool,
    /// The text since the file was opened or edited; empty before. LOW from creation.
    #[default]
    #[returns(ref)]
    pub edited_text: Arc<str>,
}

impl File {
    /// Returns the current text without a byte-order mark. Must not be called in a tracked query:
    /// see [`File::is_edited`].
    pub fn text<D: ?Sized + salsa::Database>(self, db: &D) -> &Arc<str> {
        if !self.is_edited(db) {
            self.saved_text(db)
        } else {
            self.edited_text(db)
        }
    }

    /// Returns whether the current declarations equal those of the saved text. Bodies of the saved text
    /// mean what they meant only then, since they refer to declarations by number.
    pub fn has_saved_items<D: ?Sized + salsa::Database>(self, db: &D) -> bool {
        let replaced = self.replaced_items(db).as_ref();
        replaced.is_none_or(|saved| saved == self.items(db))
    }
}

/// The kinds of units of one package: its own, and companions that a language adds, such as its
/// tests. Ordered; a companion is built after those before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitKind {
    order: u8,
    extends_package: bool,
    name: &'static str,
}

impl UnitKind {
    /// The package itself.
    pub const BASE: UnitKind = UnitKind {
        order: 0,
        extends_package: false,
        name: "Base",
    };

    /// Returns a kind of companions of a package. `order` is at least 1, and `name` is for
    /// debugging. A companion that extends the package shares its symbol and its scope.
    pub const fn companion(order: u8, name: &'static str, extends_package: bool) -> UnitKind {
        UnitKind {
            order,
            extends_package,
            name,
        }
    }

    /// Returns whether the unit's files belong to the package of the Base unit.
    pub fn extends_package(self) -> bool {
        self.extends_package
    }

    /// Returns whether the unit is a companion with a package of its own.
    pub fn is_separate(self) -> bool {
        self != UnitKind::BASE && !self.extends_package
    }
}

impl std::fmt::Debug for UnitKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A set of files that one index is built for: a Go package, its tests, or a Python directory.
#[salsa::input(debug)]
pub struct Unit {
    /// The language.
    #[returns(copy)]
    pub lang: Lang,
    /// The printed name of the package, the prefix of its symbol ids.
    #[returns(copy)]
    pub name: NameId,
    /// The import path as the language writes it.
    #[returns(copy)]
    pub import_path: NameId,
    /// The kind: which of the package's units it is.
    #[returns(copy)]
    pub kind: UnitKind,
    /// The directory, printed like the paths of files.
    #[returns(ref)]
    pub dir: Arc<str>,
    /// Whether the unit belongs to the workspace or to a library.
    #[returns(copy)]
    pub origin: Origin,
    /// The chain of [`ImportTables`] that its imports are looked up in.
    #[returns(copy)]
    pub chain: u32,
    /// The candidate files, sorted by path bytes; build constraints choose among them.
    #[returns(ref)]
    pub files: Arc<[File]>,
    /// For a companion: the Base unit, if there is one.
    #[returns(copy)]
    pub base: Option<Unit>,
    /// For a companion: the companion before it in the same package, if there is one.
    #[returns(copy)]
    pub companion: Option<Unit>,
    /// Whether one of the files is edited ([`File::is_edited`]). LOW from creation, like that
    /// field.
    #[default]
    #[returns(copy)]
    pub has_edited: bool,
}

impl Unit {
    /// Returns a number that identifies and orders the units of one database. It differs from run
    /// to run and must never reach an answer.
    pub fn number(self) -> u64 {
        self.as_id().as_bits()
    }
}

/// All units and the tables by which imports find them.
#[salsa::input(singleton, debug)]
pub struct UnitGraph {
    /// The units, sorted by (language, printed name, kind).
    #[returns(ref)]
    pub units: Arc<[Unit]>,
    /// The import path lookup.
    #[returns(ref)]
    pub imports: Arc<ImportTables>,
    /// The unit that each file belongs to.
    #[returns(ref)]
    pub owners: Arc<FxHashMap<File, Unit>>,
    /// The documents of the workspace: files of no language, sorted by path.
    #[default]
    #[returns(ref)]
    pub documents: Arc<[File]>,
}

/// The lookup of import paths: an importer searches the tables of its chain in order, like a search
/// path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportTables {
    /// Lists of table numbers, one list per chain.
    pub chains: Box<[Box<[u32]>]>,
    /// Maps from import path to Base unit.
    pub tables: Box<[FxHashMap<NameId, Unit>]>,
    /// The entry points that projects name: see [`crate::Layout::entries`].
    pub entries: Box<[String]>,
    /// The folders of projects that others install: see [`crate::Layout::distributed`].
    pub distributed: Box<[String]>,
    /// Those of `entries` that run as programs alone: see [`crate::Layout::scripts`].
    pub scripts: Box<[String]>,
}

impl ImportTables {
    /// Returns the unit that `path` names for an importer of `chain`.
    pub fn find(&self, chain: u32, path: NameId) -> Option<Unit> {
        let chain = self.chains.get(chain as usize)?;
        chain
            .iter()
            .find_map(|&table| self.tables.get(table as usize)?.get(&path).copied())
    }
}

/// The build configuration of a language, for languages that have one: see
/// [`crate::Shared::configuration`].
#[salsa::input(debug)]
pub struct LanguageConfig {
    /// The values. One field, because they change together.
    #[returns(ref)]
    pub value: Arc<Configuration>,
}
