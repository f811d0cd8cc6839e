//! The models that a user has added: a folder each, as libraries of sentence encoders write them.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files that a model consists of.
pub(crate) const FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

/// The largest file of a model that is read, in bytes.
const MAX_FILE: u64 = 4 << 30;

/// Which model vectors are of: the hash of its files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ModelId(pub [u8; 32]);

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..8]
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Why there is no model. Each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The name is no folder, and none is fetched.
    #[error(
        "no folder `{0}`, and models are not fetched. Three ways out: download it with another program and add its folder \
         (config.json, tokenizer.json, model.safetensors); add a folder that a package ships; or use none: files are ranked \
         without a model, which measured best"
    )]
    NoFolder(String),
    /// A file is missing or too large.
    #[error(
        "{folder} is no model: {file}: {words}. A model is config.json, tokenizer.json and model.safetensors"
    )]
    File {
        /// The folder.
        folder: PathBuf,
        /// The file in it.
        file: String,
        /// What is wrong with it.
        words: String,
    },
    /// The files are of a kind that the encoder does not know, or are damaged.
    #[error("{folder} cannot be used: {words}")]
    Unusable {
        /// The folder.
        folder: PathBuf,
        /// What the encoder says.
        words: String,
    },
    /// The program was built without the encoder.
    #[error(
        "this codeweft is built without an encoder: build it with `--features encoder`; without one files are ranked without a model"
    )]
    NotBuilt,
    /// The name is no name of a model.
    #[error("`{0}` is no name of a model: letters, digits, `-`, `_` and `.`, at most 64")]
    Name(String),
    /// No model has the name.
    #[error("no model `{name}`; {}", known_words(.known))]
    Unknown {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// The disk.
    #[error("{0}: {1}")]
    Disk(PathBuf, io::Error),
}

fn known_words(known: &[String]) -> String {
    if known.is_empty() {
        return "none is added: codeweft model add DIR".to_owned();
    }
    format!("there are {}", known.join(", "))
}

/// The folder with the models of a user.
#[derive(Clone, Debug)]
pub struct Models(PathBuf);

impl Models {
    /// Returns the models in a folder, which need not be there.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Models {
        Models(folder.into())
    }

    /// Returns the names of the models, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().join(FILES[0]).is_file());
        let mut names: Vec<String> = folders
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| is_name(name))
            .collect();
        names.sort_unstable();
        names
    }

    /// Returns the folder of a model.
    ///
    /// # Errors
    /// No model has the name.
    pub fn folder(&self, name: &str) -> Result<PathBuf, ModelError> {
        let folder = self.0.join(name);
        if is_name(name) && folder.join(FILES[0]).is_file() {
            return Ok(folder);
        }
        Err(ModelError::Unknown {
            name: name.to_owned(),
            known: self.names(),
        })
    }

    /// Copies a model's folder, and returns its name: that of the folder unless one is given. A model of that name is
    /// replaced once the copy is whole.
    ///
    /// # Errors
    /// The folder is not there or is no model, the name is none, or the disk refuses.
    pub fn add(&self, folder: &Path, name: Option<&str>) -> Result<String, ModelError> {
        if !folder.is_dir() {
            return Err(ModelError::NoFolder(folder.display().to_string()));
        }
        id_of(folder)?;
        let own = folder.canonicalize();
        let own = own.map_err(|error| ModelError::Disk(folder.to_owned(), error))?;
        let own = own
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name = name.map(str::to_owned).or(own).unwrap_or_default();
        if !is_name(&name) {
            return Err(ModelError::Name(name));
        }
        let disk = |error| ModelError::Disk(self.0.clone(), error);
        fs::create_dir_all(&self.0).map_err(disk)?;
        let copy = tempfile::Builder::new()
            .prefix(".adding-")
            .tempdir_in(&self.0);
        let copy = copy.map_err(disk)?;
        for file in FILES {
            fs::copy(folder.join(file), copy.path().join(file)).map_err(disk)?;
        }
        let target = self.0.join(&name);
        if target.exists() {
            fs::remove_dir_all(&target).map_err(disk)?;
        }
        fs::rename(copy.path(), &target).map_err(disk)?;
        Ok(name)
    }

    /// Removes a model.
    ///
    /// # Errors
    /// No model has the name, or the disk refuses.
    pub fn remove(&self, name: &str) -> Result<(), ModelError> {
        let folder = self.folder(name)?;
        fs::remove_dir_all(&folder).map_err(|error| ModelError::Disk(folder, error))
    }
}

/// Returns whether a name is one of a model: a file name that means nothing else.
fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (1..=64).contains(&name.len()) && !name.starts_with('.') && name.chars().all(fits)
}

/// Returns the identity of a model's folder: the hash of its files.
///
/// # Errors
/// A file is missing, or larger than four gigabytes.
pub(crate) fn id_of(folder: &Path) -> Result<ModelId, ModelError> {
    let mut hasher = blake3::Hasher::new();
    for file in FILES {
        let wrong = |words: String| ModelError::File {
            folder: folder.to_owned(),
            file: file.to_owned(),
            words,
        };
        let path = folder.join(file);
        let length = fs::metadata(&path).map_err(|error| wrong(error.to_string()))?;
        if length.len() > MAX_FILE {
            return Err(wrong("over four gigabytes".to_owned()));
        }
        hasher
            .update(file.as_bytes())
            .update(&length.len().to_le_bytes());
        let opened = fs::File::open(&path).map_err(|error| wrong(error.to_string()))?;
        let read = hasher.update_reader(opened);
        read.map_err(|error| wrong(error.to_string()))?;
    }
    Ok(ModelId(*hasher.finalize().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(folder: &Path, weights: &str) {
        fs::create_dir_all(folder).expect("a folder");
        for (file, text) in FILES.into_iter().zip(["{}", "{}", weights]) {
            fs::write(folder.join(file), text).expect("written");
        }
    }

    #[test]
    fn a_folder_is_added_listed_replaced_and_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let models = Models::in_folder(folder.path().join("models"));
        assert!(models.names().is_empty());
        let source = folder.path().join("small");
        model(&source, "one");
        assert_eq!(models.add(&source, None).expect("added"), "small");
        assert_eq!(models.add(&source, Some("other")).expect("added"), "other");
        assert_eq!(models.names(), ["other", "small"]);
        let before = id_of(&models.folder("small").expect("there")).expect("a model");
        model(&source, "two");
        models.add(&source, None).expect("replaced");
        let after = id_of(&models.folder("small").expect("there")).expect("a model");
        assert_ne!(before, after);
        models.remove("other").expect("removed");
        assert_eq!(models.names(), ["small"]);
    }

    #[test]
    fn what_is_no_model_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let models = Models::in_folder(folder.path().join("models"));
        let said = |error: ModelError| error.to_string();
        let none = models.add(Path::new("jina-embeddings-v2-base-code"), None);
        assert!(
            none.map_err(said)
                .expect_err("none")
                .contains("Three ways out")
        );
        let empty = folder.path().join("empty");
        fs::create_dir(&empty).expect("a folder");
        let error = models.add(&empty, None).map_err(said).expect_err("empty");
        assert!(error.contains("config.json"), "{error}");
        model(&empty, "w");
        for name in ["", ".hidden", "a/b", "..", "naïve"] {
            assert!(models.add(&empty, Some(name)).is_err(), "{name}");
        }
        let error = models.remove("small").map_err(said).expect_err("none");
        assert_eq!(
            error,
            "no model `small`; none is added: codeweft model add DIR"
        );
        assert!(models.folder("../empty").is_err());
    }
}
