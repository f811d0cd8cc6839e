//! Tokens, as the models of agents count them.

/// The vocabulary. Others of this size differ by a few per cent.
const VOCABULARY: &str = "o200k_base";

/// Returns the number of tokens of a text.
pub(crate) fn count(text: &str) -> usize {
    match tiktoken::get_encoding(VOCABULARY) {
        Some(vocabulary) => vocabulary.count(text),
        // It is compiled in.
        None => text.len(),
    }
}
