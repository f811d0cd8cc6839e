//! The declaration of Python.

use codeweft_syntax::{Lang, LanguageSpec};

/// The language Python.
pub const PYTHON: Lang = Lang::new(&SPEC);

static SPEC: LanguageSpec = LanguageSpec {
    wire_name: "python",
    extensions: &["py", "pyi"],
    lower: crate::lower,
    lower_edited: None,
};
