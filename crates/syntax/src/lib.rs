//! Text to [`FileIr`]: a pure function of text, language and version, one module a language.
//!
//! tree-sitter lives and ends here; nothing above sees a tree. There is no salsa in this room.

mod edit;
pub mod go;
pub mod names;
pub mod python;
mod tree;

use std::sync::Arc;

pub use names::{NameId, Names};
pub use tree::CachedTree;

/// Raised whenever the same text may lower to another [`FileIr`]; part of every cache key.
pub const VERSION: u32 = 2;

/// A language that Codeweft reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Lang {
    /// Go, up to 1.27.
    Go,
    /// Python, 3.8 to 3.14.
    Python,
}

impl Lang {
    /// The language of a file by its ending; `None` for every other file.
    pub fn of_path(path: &str) -> Option<Lang> {
        match path.rsplit_once('.')?.1 {
            "go" => Some(Lang::Go),
            "py" | "pyi" => Some(Lang::Python),
            _ => None,
        }
    }

    /// The name on the wire: `go` or `python`.
    pub fn wire_name(self) -> &'static str {
        match self {
            Lang::Go => "go",
            Lang::Python => "python",
        }
    }
}

/// What a text says, in parts that change at different rates. Every part but `ranges` is free of
/// offsets, so that an edit which only moves text leaves them equal.
#[derive(Clone, Debug)]
pub struct FileIr {
    /// Package clause, imports, build constraint.
    pub header: Arc<Header>,
    /// Declarations outside bodies.
    pub items: Arc<Items>,
    /// Function bodies and package-level initialisers.
    pub bodies: Arc<Bodies>,
    /// Byte offsets of everything above.
    pub ranges: Arc<Ranges>,
    /// The identifiers that occur in the file.
    pub identifiers: Arc<Identifiers>,
    /// What could not be read as it stands.
    pub report: Arc<Report>,
}

impl FileIr {
    /// Whether all parts are equal.
    pub fn same(&self, other: &FileIr) -> bool {
        self.header == other.header
            && self.items == other.items
            && self.bodies == other.bodies
            && self.ranges == other.ranges
            && self.identifiers == other.identifiers
            && self.report == other.report
    }
}

/// The header of a file, a variant a language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Header {
    /// Of a Go file.
    Go(go::Header),
    /// Of a Python file.
    Python(python::Header),
}

/// The declarations of a file, a variant a language.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "it stands behind an Arc")]
pub enum Items {
    /// Of a Go file.
    Go(go::Items),
    /// Of a Python file.
    Python(python::Items),
}

/// The bodies of a file, a variant a language.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "it stands behind an Arc")]
pub enum Bodies {
    /// Of a Go file.
    Go(go::Bodies),
    /// Of a Python file.
    Python(python::Bodies),
}

impl Header {
    /// The Go header; `None` for a file of another language.
    pub fn go(&self) -> Option<&go::Header> {
        match self {
            Header::Go(header) => Some(header),
            Header::Python(_) => None,
        }
    }

    /// The Python header; `None` for a file of another language.
    pub fn python(&self) -> Option<&python::Header> {
        match self {
            Header::Python(header) => Some(header),
            Header::Go(_) => None,
        }
    }
}

impl Items {
    /// The Go items; `None` for a file of another language.
    pub fn go(&self) -> Option<&go::Items> {
        match self {
            Items::Go(items) => Some(items),
            Items::Python(_) => None,
        }
    }

    /// The Python items; `None` for a file of another language.
    pub fn python(&self) -> Option<&python::Items> {
        match self {
            Items::Python(items) => Some(items),
            Items::Go(_) => None,
        }
    }
}

impl Bodies {
    /// The Go bodies; `None` for a file of another language.
    pub fn go(&self) -> Option<&go::Bodies> {
        match self {
            Bodies::Go(bodies) => Some(bodies),
            Bodies::Python(_) => None,
        }
    }

    /// The Python bodies; `None` for a file of another language.
    pub fn python(&self) -> Option<&python::Bodies> {
        match self {
            Bodies::Python(bodies) => Some(bodies),
            Bodies::Go(_) => None,
        }
    }
}

/// A half-open range of byte offsets in the text after a byte-order mark.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Byte offsets of what header, items and bodies name by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranges {
    /// Offset of the first byte of each line, line 1 first.
    pub lines: Box<[u32]>,
    /// The package clause (Go); empty in Python.
    pub package: Span,
    /// The path of each import of the header, quotes included.
    pub imports: Box<[Span]>,
    /// Each item's declaration without its doc comment; in a group its own spec.
    pub items: Box<[Span]>,
    /// Each field, interface method or embedded element of the items' arena, by field number.
    pub fields: Box<[Span]>,
    /// Each token of the items' arena.
    pub item_tokens: Box<[u32]>,
    /// Each chunk of bodies, from its first declaration to its last (Go); empty in Python.
    pub chunks: Box<[Span]>,
    /// Each body.
    pub bodies: Box<[Span]>,
    /// Each token of the bodies' arenas, numbered through the file.
    pub body_tokens: Box<[u32]>,
}

impl Ranges {
    /// The 1-based line and the 1-based byte column of an offset.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= offset).max(1);
        (
            line as u32,
            offset - self.lines.get(line - 1).copied().unwrap_or(0) + 1,
        )
    }
}

/// The distinct identifiers of a file, for questions that want to know who *could* name a thing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identifiers {
    /// Two bits of each name; see [`Identifiers::bloom_of`].
    pub bloom: [u64; 4],
    /// Sorted by number, distinct.
    pub names: Box<[NameId]>,
}

impl Identifiers {
    /// Collects mentions from names in any order.
    pub fn from_names(mut names: Vec<NameId>) -> Identifiers {
        names.sort_unstable();
        names.dedup();
        let mut bloom = [0; 4];
        for &name in &names {
            for (word, bits) in bloom.iter_mut().zip(Self::bloom_of(name)) {
                *word |= bits;
            }
        }
        Identifiers {
            bloom,
            names: names.into(),
        }
    }

    /// The bits that a name sets.
    pub fn bloom_of(name: NameId) -> [u64; 4] {
        let hash = (name.number() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut words = [0; 4];
        for bit in [(hash >> 56) as usize, (hash >> 48) as usize & 255] {
            words[bit >> 6] |= 1 << (bit & 63);
        }
        words
    }

    /// Whether the file names `name` anywhere.
    pub fn contains(&self, name: NameId) -> bool {
        self.bloom
            .iter()
            .zip(Self::bloom_of(name))
            .all(|(have, want)| have & want == want)
            && self.names.binary_search(&name).is_ok()
    }
}

/// What lowering had to do to read a file; all empty for a healthy one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Places where the grammar lags behind the language and the text was read through.
    pub repaired: u32,
    /// Whether the file was read in chunks because the whole did not parse.
    pub chunked: bool,
    /// 1-based lines where something could not be read; empty: the file was read in full.
    pub error_lines: Box<[u32]>,
    /// Whether nesting deeper than the bound was cut into opaque nodes.
    pub cut: bool,
}

/// Offset of the first byte of each line.
fn line_starts(text: &str) -> Box<[u32]> {
    let breaks = text.bytes().zip(1u32..).filter(|&(byte, _)| byte == b'\n');
    std::iter::once(0)
        .chain(breaks.map(|(_, next)| next))
        .collect()
}

/// Lowers a text. Never fails: broken text keeps what can be read, and `report` says what not.
/// `stop` is polled; when it answers `true` the result is `None`.
pub fn lower(text: &str, lang: Lang, names: &Names, stop: &dyn Fn() -> bool) -> Option<FileIr> {
    lower_any(text, lang, names, None, stop)
}

/// As [`lower`], with the same result, by way of the tree of the text that `last` was given before:
/// quick where little has changed.
pub fn lower_next(
    text: &str,
    lang: Lang,
    names: &Names,
    last: &mut CachedTree,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    lower_any(text, lang, names, Some(last), stop)
}

/// As [`lower`], with the same result, from the intermediate form `ir` of the text `old`: very quick
/// where the edit lies inside one function of a large file. `None` where it does not, where anything
/// could not be read, or when `stop` said so.
pub fn lower_edited(
    old: &str,
    ir: &FileIr,
    text: &str,
    lang: Lang,
    names: &Names,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    let edited = match lang {
        Lang::Go => go::lower_edited(old, ir, text, names, stop)?,
        Lang::Python => return None,
    };
    debug_assert!(
        lower(text, lang, names, &|| false).is_some_and(|whole| whole.same(&edited)),
        "what was kept is not what the whole text gives"
    );
    Some(edited)
}

fn lower_any(
    text: &str,
    lang: Lang,
    names: &Names,
    last: Option<&mut CachedTree>,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    match lang {
        Lang::Go => go::lower(text, names, last, stop),
        Lang::Python => python::lower(text, names, last, stop),
    }
}
