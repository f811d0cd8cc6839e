//! The tree-sitter grammar of Go.

use std::cell::RefCell;

use codeweft_syntax::tree::Grammar;
use tree_sitter::Parser;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// The grammar.
pub(crate) static GRAMMAR: Grammar = Grammar {
    language: || tree_sitter_go::LANGUAGE.into(),
    parser: &PARSER,
};
