//! Names in string literals, which code may look attributes and modules up by.
//!
//! A file is scanned byte by byte, without a syntax tree. Words are kept from literals that are
//! values, and marked `whole` if the literal is a path or the word a format field:
//!
//! ```python
//! getattr(obj, "save")          # save, whole
//! "pkg.mod:run"                 # pkg, mod, run, whole: the literal is a path
//! "cannot save the file"        # cannot, save, the, file
//! """Docstring."""              # not kept
//! ```

use std::cell::{OnceCell, RefCell};
use std::hash::Hasher;
use std::sync::Arc;

use codeweft_db::{Db, File, NameId, Origin, Unit, UnitGraph, file_identifiers};
use codeweft_python_syntax::PYTHON;
use rustc_hash::{FxHashMap, FxHasher};

use crate::file_groups::PyGroupKey;
use crate::index::py_unit_identifiers;

/// The words of the string literals of some files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LiteralWords {
    /// Sorted.
    rows: Box<[LiteralWord]>,
    /// The hashes of `rows`, as far as one bit for each shows: most names are in few groups, and a question
    /// about a thousand symbols looks for them in all groups.
    hashes: HashBits,
}

/// A set of hashes that may have more of them than were put in: a Bloom filter with one function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct HashBits(Box<[u64]>);

impl HashBits {
    /// The bits for each hash: about one in nine of the hashes that were not put in are found.
    const BITS_EACH: usize = 8;

    fn of(hashes: impl ExactSizeIterator<Item = u32>) -> HashBits {
        let words = (hashes.len() * HashBits::BITS_EACH).div_ceil(u64::BITS as usize);
        let mut bits = HashBits(vec![0; words].into());
        for hash in hashes {
            let (word, bit) = bits.bit_of(hash);
            bits.0[word] |= bit;
        }
        bits
    }

    /// Returns the word of a hash, and its bit there. Hashes are spread evenly.
    fn bit_of(&self, hash: u32) -> (usize, u64) {
        let bits = self.0.len() as u64 * u64::from(u64::BITS);
        let at = (u64::from(hash) * bits) >> u32::BITS;
        (
            (at / u64::from(u64::BITS)) as usize,
            1 << (at % u64::from(u64::BITS)),
        )
    }

    fn may_contain(&self, hash: u32) -> bool {
        let (word, bit) = self.bit_of(hash);
        self.0.get(word).is_some_and(|bits| bits & bit != 0)
    }
}

/// A word of a literal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct LiteralWord {
    hash: u32,
    /// The number of its file.
    file: u8,
    /// Whether the literal is a dotted name (with or without a colon) or a format field, and so
    /// names something by itself.
    whole: bool,
    /// Its byte offset in the text.
    at: u32,
}

const _: () = assert!(size_of::<LiteralWord>() == 12, "millions of them are kept");

impl LiteralWords {
    /// Returns the words of texts, whose numbers are those of their order.
    fn of_texts<'t>(texts: impl Iterator<Item = &'t Arc<str>>) -> LiteralWords {
        let mut rows = Vec::new();
        for (file, text) in (0..=u8::MAX).zip(texts) {
            let add = |word: &[u8], whole, at| {
                rows.push(LiteralWord {
                    hash: hash_of(word),
                    file,
                    whole,
                    at,
                });
            };
            LiteralScan::new(text, add).run();
        }
        rows.sort_unstable();
        LiteralWords {
            hashes: HashBits::of(rows.iter().map(|word| word.hash)),
            rows: rows.into(),
        }
    }

    /// Returns the words that may be a name of this hash, in literals that are paths containing it, or
    /// in any literal: words of the same hash.
    fn candidates(&self, hash: u32, anywhere: bool) -> impl Iterator<Item = &LiteralWord> {
        let first = if self.hashes.may_contain(hash) {
            self.first_of(hash)
        } else {
            self.rows.len()
        };
        let rows = self.rows[first..].iter();
        let rows = rows.take_while(move |word| word.hash == hash);
        rows.filter(move |word| word.whole || anywhere)
    }

    /// Returns the number of the first row whose hash is not less. Hashes are spread evenly, so the
    /// search begins where that row is expected, and reads few lines of memory.
    fn first_of(&self, hash: u32) -> usize {
        let expected = (u64::from(hash) * self.rows.len() as u64) >> u32::BITS;
        let is_less = |at: usize| self.rows[at].hash < hash;
        let (mut low, mut high) = (expected as usize, expected as usize);
        let mut step = 8;
        while low > 0 && !is_less(low - 1) {
            low = low.saturating_sub(step);
            step *= 2;
        }
        step = 8;
        while high < self.rows.len() && is_less(high) {
            high = (high + step).min(self.rows.len());
            step *= 2;
        }
        low + self.rows[low..high].partition_point(|word| word.hash < hash)
    }
}

/// Returns the words of the string literals of the saved texts of a group of files, except those
/// of docstrings, the lists of `__all__` and `__slots__`, subscripts and annotations.
#[salsa::tracked(returns(clone))]
pub fn saved_literal_words<'db>(db: &'db dyn Db, group: PyGroupKey<'db>) -> Arc<LiteralWords> {
    let files = group.files(db).iter();
    let texts = files.map(|file| file.saved_text(db));
    Arc::new(LiteralWords::of_texts(texts))
}

/// Names to find in literals. Those of many symbols are found in one pass over the groups, which reads the
/// words of each group once.
pub(super) struct LiteralNames<'n> {
    /// Each with its hash; sorted, distinct.
    rows: Vec<(u32, &'n str)>,
}

impl<'n> LiteralNames<'n> {
    /// Collects names.
    pub(super) fn new(names: impl Iterator<Item = &'n str>) -> LiteralNames<'n> {
        let mut rows: Vec<_> = names.map(|name| (hash_of(name.as_bytes()), name)).collect();
        rows.sort_unstable();
        rows.dedup();
        LiteralNames { rows }
    }

    /// Returns the name that a word is.
    fn get(&self, word: &[u8]) -> Option<&'n str> {
        let key = (hash_of(word), word);
        let search = |&(hash, name): &(u32, &str)| (hash, name.as_bytes()).cmp(&key);
        let at = self.rows.binary_search_by(search).ok()?;
        Some(self.rows.get(at)?.1)
    }

    /// Returns whether a text may have one of the names; of many names without a look at it.
    fn may_be_in(&self, text: &str) -> bool {
        const MANY: usize = 8;
        self.rows.len() > MANY || self.rows.iter().any(|(_, name)| text.contains(name))
    }
}

/// Visits the literals of the files of a group that contain one of `names`, by the name, file and the
/// byte offset of the name: literals that are paths, or any literal. `words` are those of the group's
/// saved texts, and `has_edited` is false if no file is edited.
pub(super) fn literals_with(
    db: &dyn Db,
    (files, has_edited): (&[File], bool),
    words: &LiteralWords,
    names: &LiteralNames<'_>,
    anywhere: bool,
    mut visit: impl FnMut(&str, File, u32),
) {
    // Opening a file changes no text.
    let is_same = |file: File| Arc::ptr_eq(file.edited_text(db), file.saved_text(db));
    let is_changed = |file: File| has_edited && file.is_edited(db) && !is_same(file);
    for &(hash, name) in &names.rows {
        for word in words.candidates(hash, anywhere) {
            if let Some(&file) = files.get(word.file as usize) {
                let at = word.at as usize;
                let text = file.saved_text(db).get(at..at + name.len());
                if text == Some(name) && !is_changed(file) {
                    visit(name, file, word.at);
                }
            }
        }
    }
    if !has_edited {
        return;
    }
    for &file in files.iter().filter(|&&file| is_changed(file)) {
        let text = file.edited_text(db);
        let add = |word: &[u8], whole, at| {
            if (whole || anywhere)
                && let Some(name) = names.get(word)
            {
                visit(name, file, at);
            }
        };
        if names.may_be_in(text) {
            LiteralScan::new(text, add).run();
        }
    }
}

/// Returns whether files of a unit call `getattr` and contain a literal with one of these names:
/// then the attribute may be used where its name is no identifier (Python library, Built-in
/// Functions, `getattr`).
pub(crate) fn has_literal(db: &dyn Db, unit: Unit, names: &[NameId]) -> bool {
    let shared = db.shared();
    let beside = [shared.names.intern("getattr")];
    if !has_identifier(db, unit, &beside) {
        return false;
    }
    let names = LiteralNames::new(names.iter().map(|&name| shared.names.text(name)));
    let mut groups = GroupLiterals::of_unit(db, unit);
    groups.any(|group| group.has_beside(db, &names, true, &beside))
}

/// Names by which a file of the workspace may store attributes: it stores some by name, and has a
/// literal that is a name or a path that ends in it. Then a module or class may have another function
/// of that name than it declares.
///
/// ```python
/// monkeypatch.setattr(shop, "price", lambda: 0)
/// mock.patch("shop.price")
/// ```
pub(crate) struct StoredNames<'db> {
    db: &'db dyn Db,
    /// The identifiers of what stores attributes by name.
    beside: [NameId; 2],
    /// The literals of the units of the workspace that have one of them.
    groups: OnceCell<Vec<GroupLiterals<'db>>>,
    known: RefCell<FxHashMap<NameId, bool>>,
}

impl<'db> StoredNames<'db> {
    pub(crate) fn new(db: &'db dyn Db) -> StoredNames<'db> {
        StoredNames {
            db,
            beside: ["setattr", "patch"].map(|name| db.shared().names.intern(name)),
            groups: OnceCell::new(),
            known: RefCell::default(),
        }
    }

    /// Returns whether an attribute of this name may be stored by name.
    pub(crate) fn contains(&self, name: NameId) -> bool {
        if let Some(&known) = self.known.borrow().get(&name) {
            return known;
        }
        let mut groups = self.groups.get_or_init(|| self.storing_groups()).iter();
        let names = LiteralNames::new([self.db.shared().names.text(name)].into_iter());
        let is_stored = groups.any(|group| group.has_beside(self.db, &names, false, &self.beside));
        self.known.borrow_mut().insert(name, is_stored);
        is_stored
    }

    fn storing_groups(&self) -> Vec<GroupLiterals<'db>> {
        let db = self.db;
        let Some(universe) = UnitGraph::try_get(db) else {
            return Vec::new();
        };
        let units = universe.units(db).iter().copied();
        let stores = |unit: &Unit| {
            unit.lang(db) == PYTHON
                && unit.origin(db) == Origin::Workspace
                && has_identifier(db, *unit, &self.beside)
        };
        let units = units.filter(stores);
        units
            .flat_map(|unit| GroupLiterals::of_unit(db, unit))
            .collect()
    }
}

/// The literals of a group of files.
struct GroupLiterals<'db> {
    files: &'db [File],
    has_edited: bool,
    /// Of the saved texts.
    words: Arc<LiteralWords>,
}

impl<'db> GroupLiterals<'db> {
    fn of_unit(db: &'db dyn Db, unit: Unit) -> impl Iterator<Item = GroupLiterals<'db>> {
        let has_edited = unit.has_edited(db);
        PyGroupKey::of_unit(db, unit).map(move |group| GroupLiterals {
            files: group.files(db),
            has_edited,
            words: saved_literal_words(db, group),
        })
    }

    /// Returns whether a file has one of `identifiers`, and a literal with one of `names`: as
    /// [`literals_with`].
    fn has_beside(
        &self,
        db: &dyn Db,
        names: &LiteralNames<'_>,
        anywhere: bool,
        identifiers: &[NameId],
    ) -> bool {
        let has_identifier = |file: File| {
            let of_file = file_identifiers(db, file);
            identifiers.iter().any(|&name| of_file.contains(name))
        };
        let mut found = false;
        let visit = |_: &str, file, _| found = found || has_identifier(file);
        let files = (self.files, self.has_edited);
        literals_with(db, files, &self.words, names, anywhere, visit);
        found
    }
}

/// Returns whether a unit has one of some identifiers.
fn has_identifier(db: &dyn Db, unit: Unit, identifiers: &[NameId]) -> bool {
    let of_unit = py_unit_identifiers(db, unit);
    identifiers.iter().any(|&name| of_unit.contains(name))
}

fn hash_of(word: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    (hasher.finish() >> 32) as u32
}

/// A scan of a text, which passes each word with whether it is whole and its byte offset to `add`.
struct LiteralScan<'t, F> {
    text: &'t [u8],
    at: usize,
    add: F,
    /// The open brackets; that of a subscript is `s`.
    open: Vec<u8>,
    /// The last significant byte; a newline outside brackets is one.
    last: u8,
    /// Whether the scan is inside a statement that lists the module's names.
    is_listing: bool,
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl<'t, F: FnMut(&[u8], bool, u32)> LiteralScan<'t, F> {
    fn new(text: &'t str, add: F) -> LiteralScan<'t, F> {
        LiteralScan {
            text: text.as_bytes(),
            at: 0,
            add,
            open: Vec::new(),
            last: b'\n',
            is_listing: false,
        }
    }

    fn run(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'#' => self.skip_line(),
                b'"' | b'\'' => self.string(byte),
                b'\n' => {
                    if self.open.is_empty() {
                        self.last = b'\n';
                        self.is_listing = false;
                    }
                    self.at += 1;
                }
                b'\\' => self.at += 2,
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'(' | b'{' => {
                    self.open.push(byte);
                    self.mark(byte);
                }
                b'[' => {
                    let is_subscript =
                        in_word(self.last) || matches!(self.last, b')' | b']' | b'}' | b'"');
                    self.open.push(if is_subscript { b's' } else { b'[' });
                    self.mark(byte);
                }
                b')' | b'}' | b']' => {
                    self.open.pop();
                    self.mark(byte);
                }
                byte if in_word(byte) => self.word(),
                byte => self.mark(byte),
            }
        }
    }

    fn mark(&mut self, byte: u8) {
        self.last = byte;
        self.at += 1;
    }

    fn skip_line(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| byte != b'\n') {
            self.at += 1;
        }
    }

    fn word(&mut self) {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|&byte| in_word(byte)) {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        let is_prefix = word.len() <= 2
            && word.iter().all(|byte| b"rRbBuUfFtT".contains(byte))
            && matches!(self.text.get(self.at), Some(b'"' | b'\''));
        if is_prefix {
            return;
        }
        let starts_line = self.last == b'\n';
        self.is_listing |= starts_line && matches!(word, b"__all__" | b"__slots__");
        self.last = b'w';
    }

    fn string(&mut self, quote: u8) {
        let starts_line = self.last == b'\n';
        let after_colon = self.last == b':' && self.open.last() != Some(&b'{');
        let after_arrow = self.last == b'>';
        let is_triple = self.text[self.at..].starts_with(&[quote; 3]);
        let width = if is_triple { 3 } else { 1 };
        let start = self.at + width;
        self.at = start;
        let end = loop {
            match self.text.get(self.at) {
                None => break self.at,
                Some(b'\\') => self.at += 2,
                Some(b'\n') if !is_triple => break self.at,
                Some(&byte) if byte == quote => {
                    if !is_triple || self.text[self.at..].starts_with(&[quote; 3]) {
                        break self.at;
                    }
                    self.at += 1;
                }
                Some(_) => self.at += 1,
            }
        };
        let end = end.min(self.text.len());
        self.at = (end + width).min(self.text.len());
        let rest = &self.text[self.at..];
        let ends_line = rest
            .iter()
            .find(|byte| !b" \t\r".contains(byte))
            .is_none_or(|byte| b"\n#;".contains(byte));
        let is_statement = starts_line && self.open.is_empty() && ends_line;
        self.last = b'"';
        let is_subscript = self.open.last() == Some(&b's');
        if is_statement || self.is_listing || after_colon || after_arrow || is_subscript {
            return;
        }
        self.words(start, end.max(start));
    }

    fn words(&mut self, start: usize, end: usize) {
        let content = &self.text[start..end];
        let is_path = |byte: &u8| in_word(*byte) || matches!(byte, b'.' | b':');
        let whole = content.len() <= 200 && content.iter().all(is_path);
        let is_format = content.contains(&b'{');
        let mut at = 0;
        while at < content.len() {
            if !in_word(content[at]) {
                at += 1;
                continue;
            }
            let first = at;
            while at < content.len() && in_word(content[at]) {
                at += 1;
            }
            if content[first].is_ascii_digit() {
                continue;
            }
            // `name = module:function`, as in the arguments of `setup`.
            let is_object = first > 1 && content[first - 1] == b':' && in_word(content[first - 2]);
            let is_field = is_format && first > 0 && content[first - 1] == b'.';
            let whole = whole || is_field || is_object;
            (self.add)(&content[first..at], whole, (start + first) as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_literals_is_found_and_no_other() {
        let words: Vec<String> = (0..3000).map(|at| format!("word_{at}")).collect();
        for count in [0, 1, 2, 3000] {
            let literals = words[..count].iter().map(|word| format!("f(\"{word}\")\n"));
            let text: Arc<str> = literals.collect::<String>().into();
            let literals = LiteralWords::of_texts([&text].into_iter());
            for (at, word) in words.iter().enumerate() {
                let mut found = literals.candidates(hash_of(word.as_bytes()), false);
                let is_listed = found.any(|one| text[one.at as usize..].starts_with(word));
                assert_eq!(is_listed, at < count, "{word} of {count}");
            }
        }
    }
}
