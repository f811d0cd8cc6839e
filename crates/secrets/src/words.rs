//! Whether a text is made of words, by how often letters follow each other in the names of programs.

/// The cost of each pair of letters, from 0 (frequent) to 9: a row a first letter, the first row for the beginning of a
/// word, in it and in all others the first column for its end. From -9/12 · log₂ of the frequency in the words of names of
/// Go's and Python's libraries and of open projects, weighted by the square root of their number.
const COSTS: &str = include_str!("../bigrams.txt");

/// The number of columns of a row, its break included.
const ROW: usize = 28;

/// The highest mean cost of a letter of a word, by its length; of shorter ones nothing can be said. Of the names' own
/// words of eight letters 97 % are below, of as many random letters 3 %.
const MOST_OF_A_WORD: [f64; 6] = [0.0, 0.0, 0.0, 4.7, 4.2, 3.9];

/// Returns the parts of a name: `accessTokenID`, `access_token_id` have `access`, `Token`, `ID`.
pub(crate) fn words(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    let mut parts = Vec::new();
    let bytes = name.as_bytes();
    let mut start = 0;
    for at in 0..=bytes.len() {
        let byte = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
        let (here, next) = (byte(at), byte(at + 1));
        let before = at.checked_sub(1).map_or(b' ', byte);
        let is_border = !here.is_ascii_alphabetic()
            || here.is_ascii_uppercase()
                && (!before.is_ascii_uppercase() || next.is_ascii_lowercase());
        if is_border {
            if start < at {
                parts.push(name.get(start..at).unwrap_or_default());
            }
            start = at + usize::from(!here.is_ascii_alphabetic());
        }
    }
    parts.into_iter().filter(|part| !part.is_empty())
}

/// Returns how much of the letters and digits of a text is in words, from 0 to 1. Parts of one and two letters count
/// neither way while words are around them.
pub(crate) fn share(text: &str) -> f64 {
    let written = text.bytes().filter(u8::is_ascii_alphanumeric).count();
    let (mut in_words, mut short) = (0, 0);
    for word in words(text) {
        if is_word(word) {
            in_words += word.len();
        } else if word.len() < 3 {
            short += word.len();
        }
    }
    let judged = written - short.min(in_words / 2);
    in_words as f64 / judged.max(1) as f64
}

/// Returns whether letters could be a word or an abbreviation of one.
fn is_word(letters: &str) -> bool {
    let most = MOST_OF_A_WORD.get(letters.len()).or(MOST_OF_A_WORD.last());
    letters.len() >= 3 && most.is_some_and(|&most| cost(letters) <= most)
}

/// Returns the mean cost of a letter.
fn cost(letters: &str) -> f64 {
    let costs = COSTS.as_bytes();
    let number = |letter: u8| usize::from(letter.to_ascii_lowercase().wrapping_sub(b'a' - 1) % 27);
    let mut before = 0;
    let mut sum = 0_u32;
    for letter in letters.bytes() {
        let letter = number(letter);
        let cost = costs.get(before * ROW + letter).copied().unwrap_or(b'9');
        sum += u32::from(cost.wrapping_sub(b'0'));
        before = letter;
    }
    f64::from(sum) / letters.len().max(1) as f64
}
