//! The declaration of Go.

use codeweft_syntax::{Lang, LanguageSpec};

/// The language Go.
pub const GO: Lang = Lang::new(&SPEC);

static SPEC: LanguageSpec = LanguageSpec {
    wire_name: "go",
    extensions: &["go"],
    lower: crate::lower,
    lower_edited: Some(crate::edited::lower_edited),
};
