//! The boundary between a text and the analysis of it: what every language lowers its texts to.
//!
//! A language is declared by the [`LanguageSpec`] of its syntax crate and named by a [`Lang`].
//! [`lower`] turns a text of a language into a [`FileIr`], the intermediate representation that all
//! later analysis reads. It is a pure function of text and language; [`lower_next`]
//! and [`lower_edited`] give the same result faster from the state of an earlier text.
//!
//! ```text
//! LanguageSpec { wire_name, extensions, lower, … }    static data of a syntax crate
//!        │
//! lower(text, lang) ─> FileIr { header, items, bodies, ranges, identifiers, report }
//!                               └──── of the language ────┘ └─ the same for all ───┘
//! ```
//!
//! The parts of a language are erased ([`Header`], [`Items`], [`Bodies`]): only its own crates
//! look inside. tree-sitter is used only here ([`tree`]) and in the syntax crates: no syntax tree
//! leaves them. None of them depends on salsa.

// The derived implementations name this crate, here too.
extern crate self as codeweft_syntax;

pub mod code;
pub mod codec;
pub mod detail;
pub mod edit;
pub mod excerpt;
pub mod interner;
pub mod names;
mod parts;
pub mod record;
pub mod scopes;
mod settings;
mod spec;
pub mod text_parts;
pub mod tree;

use std::fmt;
use std::sync::Arc;

use codec::Codec;
pub use names::{NameId, Names};
pub use parts::{Bodies, Configuration, Header, Items, Part};
pub use settings::{SettingsKey, SettingsType};
pub use spec::{Lang, LanguageSpec, LowerParts};
pub use tree::CachedTree;

/// The intermediate representation of one file, in parts that change at different rates.
///
/// Every part except `ranges` is free of offsets, so an edit that only moves text leaves those
/// parts equal, and queries that depend on them are not run again.
#[derive(Clone, Debug)]
pub struct FileIr {
    /// The imports, and what else is before the declarations.
    pub header: Arc<Header>,
    /// Declarations outside function bodies.
    pub items: Arc<Items>,
    /// Function bodies and initialisers outside of functions.
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
        *self.header == *other.header
            && *self.items == *other.items
            && *self.bodies == *other.bodies
            && self.ranges == other.ranges
            && self.identifiers == other.identifiers
            && self.report == other.report
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
    /// The clause that names the package; empty in languages without one.
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
    /// Each chunk of bodies, from its first declaration to its last; empty in languages whose
    /// chunks are no ranges of the text.
    pub chunks: Box<[Span]>,
    /// Each body.
    pub bodies: Box<[Span]>,
    /// Offset of each token of the bodies' arenas, numbered through the whole file.
    pub body_tokens: Box<[u32]>,
}

impl Ranges {
    /// Returns the 1-based line and the 1-based byte column of an offset.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        line_column(&self.lines, offset)
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
#[derive(Clone, PartialEq, Eq, Debug, Default, Codec)]
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

impl fmt::Display for Report {
    /// Prints a line for each field that is not empty.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.repaired > 0 {
            writeln!(out, "repaired {}", self.repaired)?;
        }
        if self.chunked {
            writeln!(out, "chunked")?;
        }
        if !self.error_lines.is_empty() {
            writeln!(out, "errors at {:?}", self.error_lines)?;
        }
        if self.cut {
            writeln!(out, "cut")?;
        }
        Ok(())
    }
}

/// Returns the 1-based line and the 1-based byte column of an offset in a text whose lines begin at `lines`.
pub fn line_column(lines: &[u32], offset: u32) -> (u32, u32) {
    let line = lines.partition_point(|&start| start <= offset).max(1);
    let start = lines.get(line - 1).copied().unwrap_or(0);
    (line as u32, offset - start + 1)
}

/// Returns the offset of the first byte of each line.
pub fn line_starts(text: &str) -> Box<[u32]> {
    let breaks = text.bytes().zip(1u32..).filter(|&(byte, _)| byte == b'\n');
    std::iter::once(0)
        .chain(breaks.map(|(_, next)| next))
        .collect()
}

/// Lowers a text. Broken text is no error: what can be read is kept, and [`FileIr::report`] lists
/// the lines that could not be read.
///
/// `stop` is polled; the result is `None` only if it returned `true`.
pub fn lower(text: &str, lang: Lang, names: &Names, stop: &dyn Fn() -> bool) -> Option<FileIr> {
    (lang.lower)(text, names, None, stop)
}

/// Lowers the header of a text alone, equal to that of [`lower`] and much faster. `None` if the
/// language or the text does not allow it.
pub fn lower_header(text: &str, lang: Lang, names: &Names) -> Option<Arc<Header>> {
    (lang.lower_parts.as_ref()?.header)(text, names)
}

/// Lowers the items of a text, equal to those of [`lower`], without its bodies where the language and
/// the text allow it. `None` only if the text cannot be lowered at all.
pub fn lower_items(text: &str, lang: Lang, names: &Names) -> Option<Arc<Items>> {
    let alone = lang.lower_parts.as_ref();
    let alone = alone.and_then(|parts| (parts.items)(text, names));
    alone.or_else(|| Some(lower(text, lang, names, &|| false)?.items))
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
    (lang.lower)(text, names, Some(last), stop)
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
    let edited = lang.lower_edited?(old, ir, text, names, stop)?;
    debug_assert!(
        lower(text, lang, names, &|| false).is_some_and(|whole| whole.same(&edited)),
        "what was kept is not what the whole text gives"
    );
    Some(edited)
}
