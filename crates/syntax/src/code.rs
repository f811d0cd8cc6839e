//! The code of a text: its tokens without comments and white space.

use crate::Span;

/// A token of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeToken {
    /// Its byte range.
    pub span: Span,
    /// In a language whose blocks are indented: the number of blocks around the statement that begins with
    /// it, from 1; 0 for any other token.
    pub depth: u32,
    /// Whether it is part of a statement that runs nothing of its own: an import that binds names, the
    /// overload of a function. What it says shows in what uses these names.
    pub only_declares: bool,
}

/// Returns the words of a text as tokens: the code of a language whose tokens nothing else finds.
pub fn words(text: &str) -> Vec<CodeToken> {
    let begin = text.as_ptr() as usize;
    let words = text.split_whitespace().map(|word| {
        let start = (word.as_ptr() as usize - begin) as u32;
        CodeToken {
            span: Span {
                start,
                end: start + word.len() as u32,
            },
            depth: 0,
            only_declares: false,
        }
    });
    words.collect()
}
