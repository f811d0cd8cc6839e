//! Lowers source text to a [`FileIr`], the intermediate representation that all later analysis
//! reads.
//!
//! [`lower`] is a pure function of text, language and [`VERSION`]; [`lower_next`] and
//! [`lower_edited`] give the same result faster from the state of an earlier text. Each language
//! has a module of its own ([`go`], [`python`]).
//!
//! tree-sitter is used only in this crate: no syntax tree leaves it. The crate does not depend on
//! salsa.

mod edit;
pub mod go;
pub mod names;
pub mod python;
mod tree;

use std::sync::Arc;

pub use names::{NameId, Names};
pub use tree::CachedTree;

/// Version of the lowering, part of every cache key. Raise it whenever the same text may lower to a
/// different [`FileIr`].
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
    /// Returns the language of a file by its extension; `None` for any other file.
    ///
    /// ```
    /// use codeweft_syntax::Lang;
    ///
    /// assert_eq!(Lang::of_path("pkg/a.go"), Some(Lang::Go));
    /// assert_eq!(Lang::of_path("stubs/os.pyi"), Some(Lang::Python));
    /// assert_eq!(Lang::of_path("README.md"), None);
    /// ```
    pub fn of_path(path: &str) -> Option<Lang> {
        match path.rsplit_once('.')?.1 {
            "go" => Some(Lang::Go),
            "py" | "pyi" => Some(Lang::Python),
            _ => None,
        }
    }

    /// Returns the name of the language in answers: `go` or `python`.
    pub fn wire_name(self) -> &'static str {
        match self {
            Lang::Go => "go",
            Lang::Python => "python",
        }
    }
}

/// The intermediate representation of one file, in parts that change at different rates.
///
/// Every part except `ranges` is free of offsets, so an edit that only moves text leaves those
/// parts equal, and queries that depend on them are not run again.
#[derive(Clone, Debug)]
pub struct FileIr {
    /// The package clause, imports and build constraint.
    pub header: Arc<Header>,
    /// Declarations outside function bodies.
    pub items: Arc<Items>,
    /// Function bodies and package-level initialisers.
    pub bodies: Arc<Bodies>,
    /// Byte offsets of what the other parts refer to by number.
    pub ranges: Arc<Ranges>,
    /// The distinct identifiers that occur in the file.
    pub identifiers: Arc<Identifiers>,
    /// Repairs and read errors of the lowering.
    pub report: Arc<Report>,
}

impl FileIr {
    /// Returns whether all parts are equal.
    pub fn same(&self, other: &FileIr) -> bool {
        self.header == other.header
            && self.items == other.items
            && self.bodies == other.bodies
            && self.ranges == other.ranges
            && self.identifiers == other.identifiers
            && self.report == other.report
    }
}

/// The header of a file, one variant per language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Header {
    /// The header of a Go file.
    Go(go::Header),
    /// The header of a Python file.
    Python(python::Header),
}

/// The declarations of a file, one variant per language.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "it stands behind an Arc")]
pub enum Items {
    /// The declarations of a Go file.
    Go(go::Items),
    /// The declarations of a Python file.
    Python(python::Items),
}

/// The bodies of a file, one variant per language.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "it stands behind an Arc")]
pub enum Bodies {
    /// The bodies of a Go file.
    Go(go::Bodies),
    /// The bodies of a Python file.
    Python(python::Bodies),
}

impl Header {
    /// Returns the Go header; `None` for a file of another language.
    pub fn go(&self) -> Option<&go::Header> {
        match self {
            Header::Go(header) => Some(header),
            Header::Python(_) => None,
        }
    }

    /// Returns the Python header; `None` for a file of another language.
    pub fn python(&self) -> Option<&python::Header> {
        match self {
            Header::Python(header) => Some(header),
            Header::Go(_) => None,
        }
    }
}

impl Items {
    /// Returns the Go items; `None` for a file of another language.
    pub fn go(&self) -> Option<&go::Items> {
        match self {
            Items::Go(items) => Some(items),
            Items::Python(_) => None,
        }
    }

    /// Returns the Python items; `None` for a file of another language.
    pub fn python(&self) -> Option<&python::Items> {
        match self {
            Items::Python(items) => Some(items),
            Items::Go(_) => None,
        }
    }
}

impl Bodies {
    /// Returns the Go bodies; `None` for a file of another language.
    pub fn go(&self) -> Option<&go::Bodies> {
        match self {
            Bodies::Go(bodies) => Some(bodies),
            Bodies::Python(_) => None,
        }
    }

    /// Returns the Python bodies; `None` for a file of another language.
    pub fn python(&self) -> Option<&python::Bodies> {
        match self {
            Bodies::Python(bodies) => Some(bodies),
            Bodies::Go(_) => None,
        }
    }
}

/// A half-open range of byte offsets, counted from behind a byte-order mark.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// The byte offsets of everything that header, items and bodies refer to by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranges {
    /// Offset of the first byte of each line; entry 0 is line 1.
    pub lines: Box<[u32]>,
    /// The package clause (Go); empty in Python.
    pub package: Span,
    /// The path of each import of the header, quotes included.
    pub imports: Box<[Span]>,
    /// Each item's declaration without its doc comment; in a grouped declaration the item's own
    /// spec.
    pub items: Box<[Span]>,
    /// Each field, interface method or embedded element of the items' arena, by field number.
    pub fields: Box<[Span]>,
    /// Offset of each token of the items' arena.
    pub item_tokens: Box<[u32]>,
    /// Each chunk of bodies, from its first declaration to its last (Go); empty in Python.
    pub chunks: Box<[Span]>,
    /// Each body.
    pub bodies: Box<[Span]>,
    /// Offset of each token of the bodies' arenas, numbered through the whole file.
    pub body_tokens: Box<[u32]>,
}

impl Ranges {
    /// Returns the 1-based line and the 1-based byte column of an offset.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= offset).max(1);
        (
            line as u32,
            offset - self.lines.get(line - 1).copied().unwrap_or(0) + 1,
        )
    }
}

/// The distinct identifiers of a file, for queries about which files *could* refer to a name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identifiers {
    /// A Bloom filter with two bits per name; see [`Identifiers::bloom_of`].
    pub bloom: [u64; 4],
    /// Distinct names, sorted by number.
    pub names: Box<[NameId]>,
}

impl Identifiers {
    /// Builds the set from names in any order, repeated or not.
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

    /// Returns the filter bits that a name sets.
    pub fn bloom_of(name: NameId) -> [u64; 4] {
        let hash = (name.number() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut words = [0; 4];
        for bit in [(hash >> 56) as usize, (hash >> 48) as usize & 255] {
            words[bit >> 6] |= 1 << (bit & 63);
        }
        words
    }

    /// Returns whether `name` occurs anywhere in the file.
    pub fn contains(&self, name: NameId) -> bool {
        self.bloom
            .iter()
            .zip(Self::bloom_of(name))
            .all(|(have, want)| have & want == want)
            && self.names.binary_search(&name).is_ok()
    }
}

/// Repairs and errors of the lowering of a file; all fields are empty for a healthy file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Number of constructs that the grammar does not support and that were read after rewriting
    /// them.
    pub repaired: u32,
    /// Whether the file was read in pieces because the whole did not parse.
    pub chunked: bool,
    /// 1-based lines where something could not be read; empty if the file was read in full.
    pub error_lines: Box<[u32]>,
    /// Whether nesting deeper than the bound was replaced by opaque nodes.
    pub cut: bool,
}

/// Returns the offset of the first byte of each line.
fn line_starts(text: &str) -> Box<[u32]> {
    let breaks = text.bytes().zip(1u32..).filter(|&(byte, _)| byte == b'\n');
    std::iter::once(0)
        .chain(breaks.map(|(_, next)| next))
        .collect()
}

/// Lowers a text. Broken text is no error: what can be read is kept, and [`FileIr::report`] lists
/// the lines that could not be read.
///
/// `stop` is polled; the result is `None` only if it returned `true`.
///
/// ```
/// use codeweft_syntax::{Lang, Names, lower};
///
/// let names = Names::default();
/// let ir = lower("package p\nfunc f() {}\nfunc g( {}\n", Lang::Go, &names, &|| false).unwrap();
/// assert_eq!(ir.items.go().unwrap().items.len(), 2); // `g` is kept, though broken
/// assert_eq!(*ir.report.error_lines, [3]);
/// ```
pub fn lower(text: &str, lang: Lang, names: &Names, stop: &dyn Fn() -> bool) -> Option<FileIr> {
    lower_any(text, lang, names, None, stop)
}

/// Lowers a text with the same result as [`lower`], reusing the syntax tree of the file's previous
/// text in `last`. Faster if little has changed.
pub fn lower_next(
    text: &str,
    lang: Lang,
    names: &Names,
    last: &mut CachedTree,
    stop: &dyn Fn() -> bool,
) -> Option<FileIr> {
    lower_any(text, lang, names, Some(last), stop)
}

/// Lowers `text` with the same result as [`lower`] by patching `ir`, the lowered form of the text
/// `old`.
///
/// Much faster than [`lower`] if the edit lies inside one function body of a large file. Returns
/// `None` if it does not, if anything could not be read, or if `stop` returned `true`; the caller
/// then lowers the whole text.
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
