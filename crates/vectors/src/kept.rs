//! The vectors of a workspace's texts by one model, in memory and in a file.
//!
//! ```text
//! file: magic, model (32 bytes), dimensions (u32), count (u64), count × (hash (16), dimensions × f32), blake3 of all before
//! ```

use std::fs;
use std::io::Write as _;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::MAX_DIMENSIONS;
use crate::models::ModelId;
use crate::nearest;

const MAGIC: &[u8; 8] = b"CWVEC01\n";

const CHECKSUM: usize = 32;

/// The largest file that is read, in bytes: a million texts by 1,024 numbers.
const MAX_FILE: u64 = 4_200 << 20;

/// Which text a vector is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContentHash([u8; 16]);

impl ContentHash {
    /// Returns the hash of a text.
    pub fn of(text: &str) -> ContentHash {
        let mut hash = [0; 16];
        for (own, byte) in hash
            .iter_mut()
            .zip(blake3::hash(text.as_bytes()).as_bytes())
        {
            *own = *byte;
        }
        ContentHash(hash)
    }
}

/// Why a file of vectors is not used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum VectorFileError {
    /// There is none.
    #[error("there are no vectors yet")]
    Missing,
    /// It is of another model.
    #[error("the vectors are of another model")]
    OtherModel,
    /// It is cut, or a byte of it has changed.
    #[error("the file of vectors is damaged")]
    Damaged,
    /// It cannot be read.
    #[error("the file of vectors cannot be read: {0}")]
    Unreadable(String),
}

/// Vectors by the texts that they are of. All have the same length.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptVectors {
    model: ModelId,
    dimensions: usize,
    rows: FxHashMap<ContentHash, Box<[f32]>>,
}

impl KeptVectors {
    /// Returns no vectors of a model, whose vectors have so many numbers.
    pub fn new(model: ModelId, dimensions: usize) -> KeptVectors {
        KeptVectors {
            model,
            dimensions,
            rows: FxHashMap::default(),
        }
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns whether a text has a vector.
    pub fn has(&self, text: ContentHash) -> bool {
        self.rows.contains_key(&text)
    }

    /// Adds the vector of a text. One of another length, or with what is no finite number, is none: the text goes without.
    pub fn add(&mut self, text: ContentHash, vector: Vec<f32>) {
        if vector.len() == self.dimensions && vector.iter().all(|number| number.is_finite()) {
            self.rows.insert(text, vector.into());
        }
    }

    /// Drops the vectors of texts that are not in use any more.
    pub fn retain(&mut self, in_use: &FxHashSet<ContentHash>) {
        self.rows.retain(|text, _| in_use.contains(text));
    }

    /// Returns the cosine of a query's vector and each text's, -1 to 1, in the order of the texts; `None` for a text without a
    /// vector, and for one that is not near where there are so many that not all are compared.
    pub fn cosines(&self, query: &[f32], texts: &[ContentHash]) -> Vec<Option<f32>> {
        let rows = texts
            .iter()
            .map(|text| self.rows.get(text).map(|row| &**row));
        nearest::cosines(query, &rows.collect::<Vec<_>>())
    }

    /// Reads the vectors of a model from a file.
    ///
    /// # Errors
    /// Why they are not used; they are to be made again then.
    pub fn read(
        path: &Path,
        model: ModelId,
        dimensions: usize,
    ) -> Result<KeptVectors, VectorFileError> {
        let unreadable = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => VectorFileError::Missing,
            _ => VectorFileError::Unreadable(error.to_string()),
        };
        let length = fs::metadata(path).map_err(unreadable)?.len();
        if length > MAX_FILE {
            return Err(VectorFileError::Damaged);
        }
        let bytes = fs::read(path).map_err(unreadable)?;
        let split = bytes.len().checked_sub(CHECKSUM);
        let (content, sum) = split
            .and_then(|at| bytes.split_at_checked(at))
            .ok_or(VectorFileError::Damaged)?;
        if blake3::hash(content).as_bytes() != sum {
            return Err(VectorFileError::Damaged);
        }
        decode(content, model, dimensions)
    }

    /// Writes the vectors to a file, whole or not at all.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut content = Vec::with_capacity(64 + self.rows.len() * (16 + 4 * self.dimensions));
        content.extend_from_slice(MAGIC);
        content.extend_from_slice(&self.model.0);
        content.extend_from_slice(&(self.dimensions as u32).to_le_bytes());
        content.extend_from_slice(&(self.rows.len() as u64).to_le_bytes());
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_unstable_by_key(|(text, _)| **text);
        for (text, row) in rows {
            content.extend_from_slice(&text.0);
            row.iter()
                .for_each(|number| content.extend_from_slice(&number.to_le_bytes()));
        }
        let sum = blake3::hash(&content);
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&content)?;
        file.write_all(sum.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Takes so many bytes from the front.
fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8], VectorFileError> {
    let (taken, rest) = bytes
        .split_at_checked(count)
        .ok_or(VectorFileError::Damaged)?;
    *bytes = rest;
    Ok(taken)
}

fn take_array<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], VectorFileError> {
    take(bytes, N)?
        .try_into()
        .map_err(|_| VectorFileError::Damaged)
}

fn decode(
    mut bytes: &[u8],
    model: ModelId,
    dimensions: usize,
) -> Result<KeptVectors, VectorFileError> {
    if take(&mut bytes, MAGIC.len())? != MAGIC {
        return Err(VectorFileError::Damaged);
    }
    if take_array::<32>(&mut bytes)? != model.0 {
        return Err(VectorFileError::OtherModel);
    }
    let own = u32::from_le_bytes(take_array(&mut bytes)?) as usize;
    if own != dimensions || own > MAX_DIMENSIONS {
        return Err(VectorFileError::OtherModel);
    }
    let count = u64::from_le_bytes(take_array(&mut bytes)?);
    let mut kept = KeptVectors::new(model, dimensions);
    for _ in 0..count {
        let text = ContentHash(take_array(&mut bytes)?);
        let numbers = take(&mut bytes, 4 * dimensions)?.as_chunks::<4>().0;
        kept.add(
            text,
            numbers
                .iter()
                .map(|&number| f32::from_le_bytes(number))
                .collect(),
        );
    }
    if !bytes.is_empty() {
        return Err(VectorFileError::Damaged);
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: ModelId = ModelId([7; 32]);

    fn three() -> KeptVectors {
        let mut kept = KeptVectors::new(MODEL, 2);
        for (text, vector) in [("a", [1.0, 0.0]), ("b", [0.0, 1.0]), ("c", [1.0, 1.0])] {
            kept.add(ContentHash::of(text), vector.to_vec());
        }
        kept
    }

    #[test]
    fn what_is_written_is_read_and_equal_vectors_are_equal_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("below/v.bin");
        assert_eq!(
            KeptVectors::read(&path, MODEL, 2),
            Err(VectorFileError::Missing)
        );
        three().write(&path).expect("written");
        assert_eq!(KeptVectors::read(&path, MODEL, 2), Ok(three()));
        let first = fs::read(&path).expect("read");
        three().write(&path).expect("written");
        assert_eq!(first, fs::read(&path).expect("read"));
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("v.bin");
        three().write(&path).expect("written");
        let whole = fs::read(&path).expect("read");
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).expect("written");
            assert_eq!(
                KeptVectors::read(&path, MODEL, 2),
                Err(VectorFileError::Damaged)
            );
            fs::write(&path, &whole[..at]).expect("written");
            assert_eq!(
                KeptVectors::read(&path, MODEL, 2),
                Err(VectorFileError::Damaged)
            );
        }
    }

    #[test]
    fn vectors_of_another_model_or_length_are_not_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("v.bin");
        three().write(&path).expect("written");
        let other = KeptVectors::read(&path, ModelId([8; 32]), 2);
        assert_eq!(other, Err(VectorFileError::OtherModel));
        assert_eq!(
            KeptVectors::read(&path, MODEL, 3),
            Err(VectorFileError::OtherModel)
        );
        let mut kept = three();
        kept.add(ContentHash::of("d"), vec![1.0]);
        kept.add(ContentHash::of("e"), vec![1.0, f32::NAN]);
        assert_eq!(kept, three());
    }

    #[test]
    fn near_texts_have_great_cosines_and_texts_without_a_vector_none() {
        let kept = three();
        let texts = ["a", "c", "b", "z"].map(ContentHash::of);
        let cosines = kept.cosines(&[2.0, 0.0], &texts);
        assert_eq!(cosines[0], Some(1.0));
        assert!((cosines[1].expect("one") - 0.5_f32.sqrt()).abs() < 1e-6);
        assert_eq!(cosines[2..], [Some(0.0), None]);
        let mut kept = kept;
        kept.retain(&FxHashSet::from_iter([ContentHash::of("a")]));
        assert_eq!((kept.len(), kept.has(ContentHash::of("b"))), (1, false));
    }
}
