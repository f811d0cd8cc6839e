//! What declarations mean, by the model of the settings: vectors that `codeweft model build` has written, and those of texts
//! that have changed since.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use codeweft_db::visible_text;
use codeweft_retrieval::{Meaning, meaning_text};
use codeweft_vectors::{ContentHash, Encoder, KeptVectors, Models, VectorFileError};

use super::snapshot::Snapshot;

/// The most texts without a vector that a question encodes: a few edits; more are for `codeweft model build`.
const MAX_ENCODED: usize = 64;

/// The model that was loaded last, with its vectors; shared by all revisions.
#[derive(Clone, Default)]
pub(crate) struct KeptMeaning(Arc<Mutex<Option<Loaded>>>);

struct Loaded {
    name: String,
    encoder: Encoder,
    vectors: KeptVectors,
    /// When the file of vectors was written that they were read from.
    written: Option<SystemTime>,
    /// What is wrong with that file.
    damage: Option<String>,
}

/// Returns the folder of the models of a user: `codeweft/models` below `$XDG_DATA_HOME`, else `~/.local/share`.
pub fn model_folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let data = absolute("XDG_DATA_HOME");
    let data = data.or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(data.join("codeweft/models"))
}

/// Returns the file of a workspace's vectors by a model.
pub fn vector_file(root: &str, model: &str) -> PathBuf {
    Path::new(root).join(format!(".codeweft/vectors/{model}.bin"))
}

/// A declaration's text to be encoded.
pub struct MeaningText {
    /// The file, from the root.
    pub path: Box<str>,
    /// The text.
    pub text: String,
    /// Its hash.
    pub hash: ContentHash,
}

impl KeptMeaning {
    fn lock(&self) -> MutexGuard<'_, Option<Loaded>> {
        // What is in it is replaced at once.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loaded {
    fn load(root: &str, name: &str) -> Result<Loaded, String> {
        let models = model_folder().ok_or("there is no home for models: HOME is not set")?;
        let folder = Models::in_folder(models).folder(name);
        let encoder = folder.and_then(|folder| Encoder::load(&folder));
        let encoder = encoder.map_err(|error| error.to_string())?;
        let mut loaded = Loaded {
            name: name.to_owned(),
            vectors: KeptVectors::new(encoder.id(), encoder.dimensions()),
            encoder,
            written: None,
            damage: None,
        };
        loaded.read_vectors(root);
        Ok(loaded)
    }

    /// Reads the vectors, if their file is another one than before.
    fn read_vectors(&mut self, root: &str) {
        let path = vector_file(root, &self.name);
        let written = std::fs::metadata(&path).and_then(|it| it.modified()).ok();
        if written.is_none() || written == self.written {
            return;
        }
        self.written = written;
        let read = KeptVectors::read(&path, self.encoder.id(), self.encoder.dimensions());
        self.damage = match read {
            Ok(vectors) => {
                self.vectors = vectors;
                None
            }
            Err(VectorFileError::Missing) => None,
            Err(error) => Some(error.to_string()),
        };
    }
}

impl Snapshot<'_> {
    /// Returns the texts of the declarations of the workspace, in the order of paths and lines.
    pub fn meaning_texts(&self) -> Vec<MeaningText> {
        self.with_retrieval_index(|index| {
            let mut texts = Vec::new();
            let mut files: Vec<_> = index.files().collect();
            files.sort_unstable_by_key(|file| &*file.path);
            for file in files {
                self.check();
                let Some(known) = self.file(&format!("{}/{}", self.root(), file.path)) else {
                    continue;
                };
                let source = visible_text(self.db(), known);
                let declarations = file.lex.declarations();
                texts.extend(declarations.filter_map(|(lines, symbol)| {
                    let text = meaning_text(&file.path, symbol, lines, source)?;
                    Some(MeaningText {
                        path: file.path.clone(),
                        hash: ContentHash::of(&text),
                        text,
                    })
                }));
            }
            texts
        })
    }

    /// Returns how near in meaning the files are to a query, by the model of the settings, and what there is to say of it;
    /// nothing where the settings name no model, or nothing is ranked by it.
    pub(super) fn meaning(&self, query: &str) -> (Option<Meaning>, Option<String>) {
        let settings = &self.state.retrieval_settings;
        let is_used = settings.profile == codeweft_retrieval::Profile::Codegrapher
            || settings.weights.weight("meaning") != 0.0;
        let Some(name) = settings.model.as_deref().filter(|_| is_used) else {
            return (None, None);
        };
        let texts = self.meaning_texts();
        let mut kept = self.state.meaning.lock();
        if kept.as_ref().is_none_or(|loaded| loaded.name != name) {
            match Loaded::load(self.root(), name) {
                Ok(loaded) => *kept = Some(loaded),
                Err(words) => return (None, Some(format!("ranked without a model: {words}"))),
            }
        }
        let Some(loaded) = kept.as_mut() else {
            return (None, None);
        };
        loaded.read_vectors(self.root());
        let missing = texts.iter().filter(|text| !loaded.vectors.has(text.hash));
        let missing: Vec<&MeaningText> = missing.collect();
        let hint = match (&loaded.damage, missing.len()) {
            (Some(words), _) => Some(format!(
                "ranked without a model: {words}; codeweft model build makes it anew"
            )),
            (None, 0..=MAX_ENCODED) => None,
            (None, count) => Some(format!(
                "{count} of {} declarations have no vector: codeweft model build",
                texts.len()
            )),
        };
        if missing.len() <= MAX_ENCODED {
            for text in missing {
                self.check();
                if let Some(vector) = loaded.encoder.encode(&text.text) {
                    loaded.vectors.add(text.hash, vector);
                }
            }
        }
        let Some(vector) = loaded.encoder.encode_query(query) else {
            return (None, hint);
        };
        if loaded.vectors.is_empty() {
            return (None, hint);
        }
        let hashes: Vec<ContentHash> = texts.iter().map(|text| text.hash).collect();
        let mut meaning = Meaning::default();
        for (text, cosine) in texts.iter().zip(loaded.vectors.cosines(&vector, &hashes)) {
            let near = f64::from(cosine.unwrap_or(0.0)).max(0.0);
            let best = meaning.entry(text.path.clone()).or_default();
            *best = best.max(near);
        }
        (Some(meaning), hint)
    }
}
