//! `$ref`: references to parts of documents (RFC 6901, JSON Pointer; RFC 3986, relative references).

use std::collections::BTreeMap;

use crate::paths::joined;
use crate::tree::Tree;
use crate::value::{Reader, Value};

/// The references that are followed from one to the next.
const MAX_REFERENCES: u32 = 64;

/// Documents by path, for references between them.
pub struct Trees<'t>(BTreeMap<String, Reader<'t>>);

impl<'t> Trees<'t> {
    /// Returns the documents with these paths.
    pub fn new(trees: impl IntoIterator<Item = (String, &'t Tree)>) -> Trees<'t> {
        let readers = trees
            .into_iter()
            .map(|(path, tree)| (path, Reader::new(tree)));
        Trees(readers.collect())
    }

    /// Returns whether a reader of one of them left nodes away.
    pub(super) fn is_cut(&self) -> bool {
        self.0.values().any(Reader::is_cut)
    }

    pub(super) fn document(&self, path: &str) -> Option<&Reader<'t>> {
        self.0.get(path)
    }

    /// Returns what a value of a document is: itself, or what its `$ref` leads to, with the path of that document.
    ///
    /// # Errors
    /// What is wrong with the reference: it leads nowhere, or in a circle.
    pub(super) fn resolve<'a>(
        &'a self,
        path: &str,
        value: Value<'a>,
    ) -> Result<Resolved<'a>, String> {
        let mut found = Resolved {
            path: path.to_owned(),
            value,
            name: None,
        };
        for _ in 0..MAX_REFERENCES {
            let Some(reference) = found.value.text_of("$ref") else {
                return Ok(found);
            };
            found = self.follow(&found.path, reference)?;
        }
        Err("references in a circle".to_owned())
    }

    /// Returns what a reference in a document leads to.
    ///
    /// # Errors
    /// Its document is not there, or has nothing at its pointer.
    pub(super) fn follow<'a>(
        &'a self,
        path: &str,
        reference: &str,
    ) -> Result<Resolved<'a>, String> {
        let (document, pointer) = split(path, reference);
        let reader = self
            .document(&document)
            .ok_or_else(|| format!("`{reference}`: no document {document}"))?;
        let mut value = reader.roots().next();
        let parts = pointer.split('/').skip(1).map(unescaped);
        let mut name = None;
        for part in parts {
            value = value.and_then(|value| {
                if value.is_sequence() {
                    value.items().into_iter().nth(part.parse().ok()?)
                } else {
                    value.get(&part)
                }
            });
            name = Some(part);
        }
        let value = value.ok_or_else(|| format!("`{reference}` leads nowhere"))?;
        // A document that is a schema has its file's name.
        let name = name.or_else(|| {
            let file = document.rsplit('/').next()?;
            Some(file.split('.').next()?.to_owned())
        });
        Ok(Resolved {
            path: document,
            value,
            name,
        })
    }
}

/// The end of references.
pub(super) struct Resolved<'a> {
    /// The document that has it.
    pub(super) path: String,
    pub(super) value: Value<'a>,
    /// The last part of the last reference; `None` if there was none.
    pub(super) name: Option<String>,
}

/// Returns the paths of the other documents that a document refers to, sorted.
pub fn referenced_documents(path: &str, tree: &Tree) -> Vec<String> {
    let mut found: Vec<String> = tree
        .texts_of_key("$ref")
        .map(|reference| split(path, reference).0)
        .filter(|document| document != path)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the document and the pointer of a reference in the document `path`.
fn split(path: &str, reference: &str) -> (String, String) {
    let (document, pointer) = reference.split_once('#').unwrap_or((reference, ""));
    let pointer = pointer.to_owned();
    if document.is_empty() {
        return (path.to_owned(), pointer);
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    (joined(folder, document), pointer)
}

/// Returns a part of a pointer without escapes: `~1` is `/`, `~0` is `~`, `%20` a byte.
fn unescaped(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, behind @ ..] = rest {
        let hex = |byte: u8| char::from(byte).to_digit(16);
        match (*first, behind) {
            (b'%', [high, low, behind @ ..]) if hex(*high).is_some() && hex(*low).is_some() => {
                let byte = hex(*high).unwrap_or(0) * 16 + hex(*low).unwrap_or(0);
                bytes.push(byte as u8);
                rest = behind;
            }
            (byte, behind) => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    text.replace("~1", "/").replace("~0", "~")
}
