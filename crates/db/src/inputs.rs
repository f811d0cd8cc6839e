//! The salsa inputs.

use std::sync::Arc;

use codeweft_syntax::{Header, Items, Lang, NameId};
use rustc_hash::FxHashMap;
use salsa::plumbing::AsId as _;

use crate::Origin;

/// A source file. `header` and `items` are set beside the text by the one who lowers it first, are
/// compared before they are set, and stay at the file's base durability. The text stands in two
/// fields: a file's first keystroke lowers the durability of nothing that was read before.
#[salsa::input(debug)]
pub struct File {
    /// Relative to the workspace's root with `/`; absolute outside it.
    #[returns(ref)]
    pub path: Arc<str>,
    /// Its language.
    #[returns(copy)]
    pub lang: Lang,
    /// Whether it belongs to the workspace or to a library.
    #[returns(copy)]
    pub origin: Origin,
    /// The text after a byte-order mark, as it was before the file was opened or edited: at the
    /// file's base durability.
    #[returns(ref)]
    pub saved_text: Arc<str>,
    /// What `syntax` reads of the text before the declarations.
    #[returns(ref)]
    pub header: Arc<Header>,
    /// What `syntax` reads of the text outside bodies.
    #[returns(ref)]
    pub items: Arc<Items>,
    /// Whether the file was opened or edited, so that [`File::typed`] holds. LOW from the
    /// beginning. Who reads it is LOW, so of tracked queries only those in modules `typed` do.
    #[default]
    #[returns(copy)]
    pub is_edited: bool,
    /// The text since the file was opened or edited; empty before. As LOW.
    #[default]
    #[returns(ref)]
    pub edited_text: Arc<str>,
}

impl File {
    /// The text after a byte-order mark. Not to be called in a tracked query: see
    /// [`File::is_edited`].
    pub fn text<D: ?Sized + salsa::Database>(self, db: &D) -> &Arc<str> {
        match self.is_edited(db) {
            false => self.saved_text(db),
            true => self.edited_text(db),
        }
    }
}

/// The kinds of units of one package.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnitKind {
    /// A package's own files (Go); the files of a directory (Python).
    Base,
    /// Go: `_test.go` files of the package's own clause; a scope over Base's.
    InTest,
    /// Go: `_test.go` files of the clause `p_test`; a package of its own.
    XTest,
}

/// A unit is the shard: what one index is built for.
#[salsa::input(debug)]
pub struct Unit {
    /// Its language.
    #[returns(copy)]
    pub lang: Lang,
    /// The printed name of its package, the prefix of its ids.
    #[returns(copy)]
    pub name: NameId,
    /// The import path as the language knows it.
    #[returns(copy)]
    pub import_path: NameId,
    /// Which unit of the package this is.
    #[returns(copy)]
    pub kind: UnitKind,
    /// The directory, as paths of files are printed.
    #[returns(ref)]
    pub dir: Arc<str>,
    /// Whether it belongs to the workspace or to a library.
    #[returns(copy)]
    pub origin: Origin,
    /// Which chain of [`ImportTables`] its imports go through.
    #[returns(copy)]
    pub chain: u32,
    /// Its candidate files in order of path bytes; build constraints choose among them.
    #[returns(ref)]
    pub files: Arc<[File]>,
    /// Of InTest and XTest: the Base unit, where there is one.
    #[returns(copy)]
    pub base: Option<Unit>,
    /// Of XTest: the InTest unit of the same package, where there is one.
    #[returns(copy)]
    pub in_test: Option<Unit>,
    /// Whether one of its files is typed ([`File::is_edited`]); also LOW from the beginning.
    #[default]
    #[returns(copy)]
    pub has_edited: bool,
}

impl Unit {
    /// A number that tells units of one database apart and orders them inside it; like every
    /// number of the database it differs from run to run and never enters an answer.
    pub fn number(self) -> u64 {
        self.as_id().as_bits()
    }
}

/// All units and how imports find them.
#[salsa::input(singleton, debug)]
pub struct UnitGraph {
    /// Sorted by (language, printed name, kind).
    #[returns(ref)]
    pub units: Arc<[Unit]>,
    /// Import path to unit.
    #[returns(ref)]
    pub imports: Arc<ImportTables>,
    /// The unit that each file belongs to.
    #[returns(ref)]
    pub owners: Arc<FxHashMap<File, Unit>>,
}

/// Import paths to units: an importer looks through the tables of its chain in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportTables {
    /// Table numbers, a list a chain.
    pub chains: Box<[Box<[u32]>]>,
    /// Import path to Base unit.
    pub tables: Box<[FxHashMap<NameId, Unit>]>,
    /// What projects name as their entry points: see [`crate::Layout::entries`].
    pub entries: Box<[String]>,
}

impl ImportTables {
    /// The unit that `path` names for an importer of `chain`.
    pub fn find(&self, chain: u32, path: NameId) -> Option<Unit> {
        let chain = self.chains.get(chain as usize)?;
        chain
            .iter()
            .find_map(|&table| self.tables.get(table as usize)?.get(&path).copied())
    }
}

/// The Go build configuration (`go help buildconstraint`).
#[salsa::input(singleton, debug)]
pub struct GoConfig {
    /// The values; one field, since they change together.
    #[returns(ref)]
    pub settings: Arc<GoSettings>,
}

/// What chooses among Go files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoSettings {
    /// `linux`, …
    pub goos: String,
    /// `amd64`, …
    pub goarch: String,
    /// Whether files that import "C" are in.
    pub cgo: bool,
    /// `-tags`.
    pub tags: Vec<String>,
    /// The minor release of the GOROOT: 26 for go1.26; tags go1.1 to go1.N hold.
    pub release: u32,
    /// Experiments that are on by default in that GOROOT, without `goexperiment.`.
    pub experiments: Vec<String>,
}

impl GoSettings {
    /// As answers print it: `linux/amd64 cgo=0 tags=`.
    pub fn printed(&self) -> String {
        format!(
            "{}/{} cgo={} tags={}",
            self.goos,
            self.goarch,
            self.cgo as u8,
            self.tags.join(",")
        )
    }
}
