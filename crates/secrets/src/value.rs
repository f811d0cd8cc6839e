//! Which values are secrets, by the value alone.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::rules::{FileRules, RULES};
use crate::words;

/// The share of a value's letters and digits that makes it words.
const WORDS: f64 = 0.55;

/// The same of tests, examples and encoded texts.
const WORDS_OF_TESTS: f64 = 0.4;

/// Returns whether a text of a documented format is a secret: an example of documentation is none.
pub(crate) fn is_issued_secret(value: &str) -> bool {
    let is_example = [
        "EXAMPLE",
        "example",
        "xxxx",
        "XXXX",
        "1234567890",
        "abcdefgh",
        "ABCDEFGH",
    ];
    !is_example.iter().any(|part| value.contains(part)) && distinct(value) >= 6
}

/// Returns whether a value that people choose is a secret: words, placeholders and what is computed are none. Tests and
/// examples have passwords that are words with digits.
pub(crate) fn is_chosen_secret(value: &str, file: &FileRules) -> bool {
    distinct(value) >= 5
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !is_computed(value)
        && !has_placeholder(value)
        && !is_name_of_secret(value)
        && !(file.is_test && is_of_tests(value))
        && !is_uuid(value)
        && !is_sequence(value)
        && !is_address(value)
        && words::share(value) < WORDS
        && decoded(value).is_none_or(|text| !is_words_of_text(&text))
}

/// Returns whether a value is one of those of tests: random values are longer and have several classes of characters.
fn is_of_tests(value: &str) -> bool {
    RULES.of_tests.is_match(value) || words::share(value) >= WORDS_OF_TESTS
}

/// Returns what a value in base64 encodes, if that is a text.
fn decoded(value: &str) -> Option<String> {
    let decoded = STANDARD_NO_PAD.decode(value.trim_end_matches('=')).ok()?;
    let text = String::from_utf8(decoded).ok()?;
    let is_text = |letter: char| {
        letter == '\n' || letter == '\t' || letter == ' ' || letter.is_ascii_graphic()
    };
    text.chars().all(is_text).then_some(text)
}

/// Returns whether an encoded text is prose, a placeholder or a structure rather than a secret.
fn is_words_of_text(text: &str) -> bool {
    words::share(text) >= WORDS_OF_TESTS
        || has_placeholder(text)
        || RULES.of_tests.is_match(text)
        || text.contains([' ', '\n'])
        || text.len() < 6
}

/// Returns whether a run of letters and digits is random.
pub(crate) fn is_random(value: &str) -> bool {
    !has_placeholder(value)
        && !is_sequence(value)
        && words::share(value) < WORDS
        && decoded(value).is_none_or(|text| !is_words_of_text(&text))
}

/// Returns the entropy of the bytes of a value, in bits a byte (Shannon).
pub(crate) fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = value.len() as f64;
    let seen = counts.iter().filter(|&&count| count > 0);
    seen.map(|&count| {
        let share = f64::from(count) / length;
        -share * share.log2()
    })
    .sum()
}

/// Returns the number of different bytes.
fn distinct(value: &str) -> u32 {
    let bits = value
        .bytes()
        .fold(0_u128, |bits, byte| bits | 1 << (byte & 127));
    bits.count_ones()
}

fn is_computed(value: &str) -> bool {
    let enclosed = [('{', '}'), ('<', '>'), ('[', ']'), ('(', ')'), ('%', '%')];
    value.starts_with(['$', '@', '/', '.', '~'])
        || value.starts_with(['-', '#']) && !is_mixed(value)
        || enclosed
            .iter()
            .any(|&(open, close)| value.starts_with(open) && value.ends_with(close))
        || RULES.references.is_match(value)
        || is_variable(value)
        || is_template(value)
        || value.contains('&') && value.contains('=')
        || value.ends_with([':', '=']) && !value.ends_with("==") && value.len() < 16
}

/// Returns whether a value has capital and small letters and digits that are no words: an option or a selector has not.
fn is_mixed(value: &str) -> bool {
    let has = |class: fn(&u8) -> bool| value.bytes().any(|byte| class(&byte));
    has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_digit)
        && words::share(value) < WORDS_OF_TESTS
}

/// Returns whether a value has a part in braces: `a{name}b`.
fn is_template(value: &str) -> bool {
    let part = value
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'));
    part.is_some_and(|(part, _)| {
        part.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_.:".contains(&byte))
    })
}

/// Returns whether a value is the name of something secret: `webhook_secret`, `db-passwd`.
fn is_name_of_secret(value: &str) -> bool {
    let last = value
        .rsplit(['-', '_', '.'])
        .next()
        .map(str::to_ascii_lowercase);
    let words = [
        "secret",
        "secrets",
        "password",
        "passwd",
        "token",
        "tokens",
        "key",
        "keys",
        "credentials",
    ];
    value.contains(['-', '_', '.']) && last.is_some_and(|last| words.contains(&&*last))
}

/// Returns whether a value is the name of an environment variable: `NAME_OF_IT`.
fn is_variable(value: &str) -> bool {
    value.contains('_')
        && value
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit())
}

fn has_placeholder(value: &str) -> bool {
    RULES.placeholders.is_match(value)
}

fn is_uuid(value: &str) -> bool {
    let parts = [8, 4, 4, 4, 12];
    let value = value.strip_prefix("urn:uuid:").unwrap_or(value);
    let written: Vec<&str> = value.split('-').collect();
    let is_part = |(part, length): (&&str, usize)| {
        part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    written.len() == parts.len() && written.iter().zip(parts).all(is_part)
}

/// Returns whether most characters follow the one before, as in `abcdefgh` and `12345678`, or repeat it; or most bytes that
/// hexadecimal digits write, as in `0a0b0c0d`.
fn is_sequence(value: &str) -> bool {
    is_sequence_of_bytes(value.as_bytes())
        || hexadecimal(value).is_some_and(|bytes| is_sequence_of_bytes(&bytes))
}

fn is_sequence_of_bytes(bytes: &[u8]) -> bool {
    let follows = |pair: &&[u8]| match **pair {
        [one, other] => {
            other == one || other == one.wrapping_add(1) || one == other.wrapping_add(1)
        }
        _ => false,
    };
    2 * bytes.windows(2).filter(follows).count() >= bytes.len()
}

/// Returns the bytes that hexadecimal digits write; `None` for another text.
fn hexadecimal(value: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = value.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = |&[one, other]: &[u8; 2]| Some((digit(one)? << 4 | digit(other)?) as u8);
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

/// Returns whether a value is the address of a host, a file or a module: parts with dots or slashes between, most of them words.
fn is_address(value: &str) -> bool {
    let is_host = |part: &str| {
        part.bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b':')
    };
    is_host(value) || value.matches(['/', '.']).count() >= 2 && words::share(value) >= 0.4
}
