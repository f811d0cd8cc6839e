//! Tokens, as the models of agents count them.

use std::sync::Once;
use std::thread;

/// Counts the tokens of a text.
pub type TokenCounter<'a> = &'a (dyn Fn(&str) -> usize + 'a);

/// The vocabulary. Others of this size differ by a few per cent.
const VOCABULARY: &str = "o200k_base";

/// Returns the number of tokens of a text, as the models of agents count them. The first call reads the vocabulary, which takes a quarter
/// of a second.
pub fn count_tokens(text: &str) -> usize {
    match tiktoken::get_encoding(VOCABULARY) {
        Some(vocabulary) => vocabulary.count(text),
        // It is compiled in.
        None => text.len(),
    }
}

/// Begins to read the vocabulary, beside the work for the first answer.
pub fn load_vocabulary() {
    static LOAD: Once = Once::new();
    LOAD.call_once(|| {
        let thread = thread::Builder::new().name("tokens".to_owned());
        // Without the thread, the first count reads it.
        let _ = thread.spawn(|| count_tokens(""));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts_have_known_numbers() {
        assert_eq!(count_tokens(""), 0);
        assert_eq!(count_tokens("hello world"), 2);
        assert_eq!(count_tokens("func (l Loud) Shout(name string) string"), 11);
    }
}
