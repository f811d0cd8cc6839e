//! Tokens, as the models of agents count them.

/// Returns the number of tokens of a text, in the vocabulary o200k. Other vocabularies of this size
/// differ by a few per cent.
///
/// The first call loads the vocabulary.
pub(super) fn count(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts_have_known_numbers() {
        assert_eq!(count(""), 0);
        assert_eq!(count("hello world"), 2);
        assert_eq!(count("func (l Loud) Shout(name string) string"), 11);
    }
}
