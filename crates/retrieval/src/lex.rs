//! The words of one file, by where they occur in it.

/// What retrieval knows of one file's text. A pure function of the text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FileLex {}
