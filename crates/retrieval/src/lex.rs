//! The words of one file, by where they occur in it.

use codeweft_db::text_parts::{TextDeclaration, TextParts};
use rustc_hash::FxHashMap;

use crate::query::cut;
use crate::term_table::{ChunkCount, TermCounts, TermTable};
use crate::words::{TermId, identifiers, stems_of};

/// The most bytes of a text that are read.
pub const MAX_TEXT: usize = 600_000;

/// What retrieval knows of one file's text. A pure function of the text and of what the language reads of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLex {
    terms: TermTable,
    chunks: Box<[Chunk]>,
    /// The qualified names of the chunks, one behind the other; that of the head of the file is empty.
    chunk_names: Box<str>,
    /// The names that are declared, as they are written; sorted.
    definitions: Box<[TermId]>,
    /// The number of words, parts of identifiers too.
    words: u32,
    lines: u32,
    is_cut: bool,
}

/// A definition up to the next one, or what is before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// The first and the last line, 1-based.
    pub(crate) lines: (u32, u32),
    /// The number of words, those of the qualified name too.
    pub(crate) words: u32,
    /// Where its qualified name ends in those of all chunks.
    name_end: u32,
}

impl FileLex {
    /// Returns the words of a text; of a large one those of its begin.
    pub fn of(text: &str, parts: &TextParts) -> FileLex {
        let read = cut(text, MAX_TEXT);
        let mut words = Words::default();
        let mut chunks = chunk_starts(read, &parts.declarations);
        chunks.reverse();
        let mut comments = parts.comments.iter().peekable();
        for (at, identifier) in identifiers(read) {
            while let Some((_, symbol)) = chunks.pop_if(|(start, _)| *start <= at) {
                words.begin_chunk(symbol);
            }
            while comments.next_if(|span| (span.end as usize) <= at).is_some() {}
            let in_comment = comments
                .peek()
                .is_some_and(|span| span.start as usize <= at);
            words.add(identifier, in_comment);
        }
        while let Some((_, symbol)) = chunks.pop() {
            words.begin_chunk(symbol);
        }
        let declared = parts.declarations.iter();
        for declaration in declared.filter(|one| (one.span.start as usize) < read.len()) {
            words.add_name(&declaration.name);
        }
        let starts = chunk_starts(read, &parts.declarations);
        let lines = line_ranges(read, &starts);
        let is_cut = read.len() < text.len();
        words.finish(lines, is_cut)
    }

    /// Returns the number of lines that were read.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Returns whether the end of the text was not read, because it is longer than `MAX_TEXT`.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(crate) fn words(&self) -> u32 {
        self.words
    }

    pub(crate) fn terms(&self) -> &TermTable {
        &self.terms
    }

    /// Returns the declarations: first and last line, 1-based, and the qualified name; what is before the first has no name.
    pub fn declarations(&self) -> impl Iterator<Item = ((u32, u32), &str)> {
        let chunks = self.chunks.iter().enumerate();
        chunks.map(|(number, chunk)| (chunk.lines, self.chunk_name(number)))
    }

    pub(crate) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// Returns the qualified name of a chunk; empty for the head of the file.
    pub(crate) fn chunk_name(&self, number: usize) -> &str {
        let end = |chunk: &Chunk| chunk.name_end as usize;
        let before = number.checked_sub(1).and_then(|at| self.chunks.get(at));
        let name = self.chunks.get(number).and_then(|chunk| {
            let start = before.map_or(0, end);
            self.chunk_names.get(start..end(chunk))
        });
        name.unwrap_or("")
    }

    pub(crate) fn definitions(&self) -> &[TermId] {
        &self.definitions
    }
}

/// Returns where the chunks of a text begin, each with its qualified name.
fn chunk_starts<'d>(text: &str, declarations: &'d [TextDeclaration]) -> Vec<(usize, &'d str)> {
    let mut starts: Vec<(usize, &str)> = Vec::new();
    for declaration in declarations.iter().filter(|one| one.is_definition) {
        let at = declaration.span.start as usize;
        if at < text.len() && starts.last().is_none_or(|(last, _)| *last < at) {
            starts.push((at, &declaration.qualified_name));
        }
    }
    let head = text.get(..starts.first().map_or(text.len(), |(first, _)| *first));
    if head.is_some_and(|head| !head.trim().is_empty()) {
        starts.insert(0, (0, ""));
    }
    starts
}

/// Returns the first and last line of each chunk, and the number of lines.
fn line_ranges(text: &str, starts: &[(usize, &str)]) -> (Vec<(u32, u32)>, u32) {
    let lines = text.bytes().filter(|&byte| byte == b'\n').count() as u32;
    let lines = lines + u32::from(!text.is_empty() && !text.ends_with('\n'));
    let mut firsts: Vec<u32> = Vec::with_capacity(starts.len());
    let (mut line, mut read) = (1, 0);
    for &(start, _) in starts {
        let between = text.as_bytes().get(read..start).unwrap_or(&[]);
        line += between.iter().filter(|&&byte| byte == b'\n').count() as u32;
        read = start;
        firsts.push(line);
    }
    let ends = firsts.iter().skip(1).map(|next| next - 1).chain([lines]);
    let ranges = firsts
        .iter()
        .zip(ends)
        .map(|(&first, end)| (first, end.max(first)));
    (ranges.collect(), lines)
}

/// The words of a text that is being read.
#[derive(Default)]
struct Words<'t> {
    numbers: FxHashMap<TermId, u32>,
    rows: Vec<(TermId, TermCounts)>,
    in_chunks: Vec<Vec<ChunkCount>>,
    /// The terms of each identifier that was read, by number.
    known: FxHashMap<&'t str, Box<[u32]>>,
    chunks: Vec<Chunk>,
    chunk_names: String,
    definitions: Vec<TermId>,
    words: u32,
}

impl<'t> Words<'t> {
    fn terms_of(&mut self, identifier: &'t str) -> Box<[u32]> {
        if let Some(known) = self.known.get(identifier) {
            return known.clone();
        }
        let mut numbers = Vec::new();
        stems_of(identifier, &mut |stem| {
            let term = TermId::of(stem);
            let next = self.rows.len() as u32;
            let number = *self.numbers.entry(term).or_insert(next);
            if number == next {
                self.rows.push((term, TermCounts::default()));
                self.in_chunks.push(Vec::new());
            }
            numbers.push(number);
        });
        let numbers: Box<[u32]> = numbers.into();
        self.known.insert(identifier, numbers.clone());
        numbers
    }

    fn begin_chunk(&mut self, symbol: &'t str) {
        self.chunk_names.push_str(symbol);
        self.chunks.push(Chunk {
            lines: (0, 0),
            words: 0,
            name_end: self.chunk_names.len() as u32,
        });
        for (_, identifier) in identifiers(symbol) {
            for number in self.terms_of(identifier) {
                self.add_to_chunk(number);
            }
        }
    }

    fn add_to_chunk(&mut self, number: u32) {
        let Some(chunk) = self.chunks.last_mut() else {
            return;
        };
        chunk.words += 1;
        let chunk = self.chunks.len() as u32 - 1;
        let Some(counts) = self.in_chunks.get_mut(number as usize) else {
            return;
        };
        match counts.last_mut() {
            Some(last) if last.chunk == chunk => last.count += 1,
            _ => counts.push(ChunkCount { chunk, count: 1 }),
        }
    }

    fn add(&mut self, identifier: &'t str, in_comment: bool) {
        for number in self.terms_of(identifier) {
            self.words += 1;
            if let Some((_, row)) = self.rows.get_mut(number as usize) {
                row.body += 1;
                row.comments += u32::from(in_comment);
            }
            self.add_to_chunk(number);
        }
    }

    fn add_name(&mut self, name: &'t str) {
        self.definitions.push(TermId::of(name));
        for number in self.terms_of(name) {
            if let Some((_, row)) = self.rows.get_mut(number as usize) {
                row.names += 1;
            }
        }
    }

    fn finish(mut self, (ranges, lines): (Vec<(u32, u32)>, u32), is_cut: bool) -> FileLex {
        for (chunk, range) in self.chunks.iter_mut().zip(ranges) {
            chunk.lines = range;
        }
        let rows = self.rows.into_iter().zip(self.in_chunks);
        let rows = rows.map(|((term, counts), in_chunks)| (term, counts, in_chunks));
        let terms = TermTable::of(rows.collect());
        self.definitions.sort_unstable();
        self.definitions.dedup();
        FileLex {
            terms,
            chunks: self.chunks.into(),
            chunk_names: self.chunk_names.into(),
            definitions: self.definitions.into(),
            words: self.words,
            lines,
            is_cut,
        }
    }
}
