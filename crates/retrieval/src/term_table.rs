//! The terms of one file with their counts, packed: most counts are below 128 and take a byte each.

use integer_encoding::VarInt;

use crate::words::TermId;

/// The terms of a file, sorted, each with its counts. A term is meant by its number in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TermTable {
    terms: Box<[TermId]>,
    /// Where the counts of each term begin in `packed`.
    starts: Box<[u32]>,
    /// Of each term its counts, then a pair for each chunk that has it, up to the begin of the next term: how much greater
    /// the number of the chunk is than that of the pair before, and the count. All are variable-length integers (LEB128).
    packed: Box<[u8]>,
}

/// How often a file has a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TermCounts {
    /// In its text.
    pub(crate) body: u32,
    /// In the names that it declares.
    pub(crate) names: u32,
    /// In comments and docstrings.
    pub(crate) comments: u32,
}

/// How often a chunk has a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkCount {
    pub(crate) chunk: u32,
    pub(crate) count: u32,
}

impl TermTable {
    /// Returns the table of rows, each with its chunks in ascending order.
    pub(crate) fn of(mut rows: Vec<(TermId, TermCounts, Vec<ChunkCount>)>) -> TermTable {
        rows.sort_unstable_by_key(|(term, ..)| *term);
        let mut starts = Vec::with_capacity(rows.len());
        let mut packed = Vec::new();
        for (_, counts, in_chunks) in &rows {
            starts.push(packed.len() as u32);
            for number in [counts.body, counts.names, counts.comments] {
                write(number, &mut packed);
            }
            let mut last = 0;
            for one in in_chunks {
                write(one.chunk - last, &mut packed);
                write(one.count, &mut packed);
                last = one.chunk;
            }
        }
        TermTable {
            terms: rows.into_iter().map(|(term, ..)| term).collect(),
            starts: starts.into(),
            packed: packed.into(),
        }
    }

    /// Returns the terms, sorted.
    pub(crate) fn terms(&self) -> &[TermId] {
        &self.terms
    }

    /// Returns the counts of a term by its number; zeros without such a term.
    pub(crate) fn counts(&self, number: u32) -> TermCounts {
        let mut packed = self.packed(number);
        let mut next = || read(&mut packed).unwrap_or(0);
        TermCounts {
            body: next(),
            names: next(),
            comments: next(),
        }
    }

    /// Returns the chunks that have a term, by its number, in ascending order.
    pub(crate) fn chunks_with(&self, number: u32) -> impl Iterator<Item = ChunkCount> {
        let mut packed = self.packed(number);
        for _ in 0..3 {
            read(&mut packed);
        }
        let mut chunk = 0;
        std::iter::from_fn(move || {
            chunk += read(&mut packed)?;
            let count = read(&mut packed)?;
            Some(ChunkCount { chunk, count })
        })
    }

    /// Returns how many chunks have a term, by its number.
    pub(crate) fn number_of_chunks(&self, number: u32) -> usize {
        // The last byte of each integer, and no other, is below 128.
        let integers = self.packed(number).iter().filter(|&&byte| byte < 0x80);
        integers.count().saturating_sub(3) / 2
    }

    fn packed(&self, number: u32) -> &[u8] {
        let start = |number: u32| {
            self.starts
                .get(number as usize)
                .map(|&start| start as usize)
        };
        let end = start(number + 1).unwrap_or(self.packed.len());
        let start = start(number).unwrap_or(self.packed.len());
        self.packed.get(start..end).unwrap_or(&[])
    }
}

fn write(number: u32, packed: &mut Vec<u8>) {
    let mut bytes = [0; 5];
    let len = number.encode_var(&mut bytes);
    packed.extend(bytes.iter().take(len));
}

fn read(packed: &mut &[u8]) -> Option<u32> {
    let (number, len) = u32::decode_var(packed)?;
    *packed = packed.get(len..)?;
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let rows: Vec<(TermId, TermCounts, Vec<ChunkCount>)> = (0..200u32)
            .map(|number| {
                let counts = TermCounts {
                    body: number * number * 97,
                    names: number % 3,
                    comments: number * 50,
                };
                let chunks = (0..number % 7).map(|chunk| ChunkCount {
                    chunk: chunk * number,
                    count: 1 + chunk * 100,
                });
                (TermId::of(&number.to_string()), counts, chunks.collect())
            })
            .collect();
        let table = TermTable::of(rows.clone());
        assert!(table.terms().is_sorted());
        for (term, counts, chunks) in rows {
            let number = table.terms().binary_search(&term).unwrap() as u32;
            assert_eq!(table.counts(number), counts);
            assert_eq!(table.number_of_chunks(number), chunks.len());
            assert_eq!(table.chunks_with(number).collect::<Vec<_>>(), chunks);
        }
        assert_eq!(table.counts(200), TermCounts::default());
        assert_eq!(table.number_of_chunks(200), 0);
        assert_eq!(table.chunks_with(200).count(), 0);
    }
}
