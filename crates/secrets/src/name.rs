//! The names that values are assigned to.

use std::ops::Range;

use crate::rules::RULES;
use crate::words::words;

/// The maximum number of bytes of a name on each side of a keyword.
const LONGEST: usize = 64;

/// A name in a text.
pub(crate) struct Name<'a> {
    pub(crate) text: &'a str,
    /// The text before it.
    pub(crate) before: &'a [u8],
}

/// Returns the name that a range of a text is part of.
pub(crate) fn around(bytes: &[u8], part: Range<usize>) -> Name<'_> {
    let from = part.start.saturating_sub(LONGEST);
    let before = bytes.get(from..part.start).unwrap_or_default();
    let letters = before.iter().rev().take_while(|&&byte| in_name(byte));
    let start = part.start - letters.count();
    let after = bytes.get(part.end..).unwrap_or_default();
    let letters = after
        .iter()
        .take(LONGEST)
        .take_while(|&&byte| in_name(byte));
    let end = part.end + letters.count();
    let name = bytes.get(start..end).unwrap_or_default();
    Name {
        text: std::str::from_utf8(name).unwrap_or_default(),
        before: bytes.get(..start).unwrap_or_default(),
    }
}

/// Returns the name that a literal is assigned to, where both are in one line: `name` of `x.name = "`, `"name": "`,
/// `name("`. `before` ends where the literal's content begins.
pub(crate) fn before(before: &str) -> &str {
    let from = (before.len().saturating_sub(4 * LONGEST)..).find(|&at| before.is_char_boundary(at));
    let before = from.and_then(|from| before.get(from..)).unwrap_or(before);
    let line = before.rsplit('\n').next().unwrap_or(before);
    let is_between = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
    let mut rest = line.trim_end_matches(['"', '\'', '`']);
    // `name = b"`, `name = []byte("`, `name: string = "`
    for prefix in [
        "b", "r", "f", "u", "rb", "br", "string", "String", "byte", "str", "bytes",
    ] {
        if let Some(shorter) = rest.strip_suffix(prefix)
            && shorter.ends_with(is_between)
        {
            rest = shorter;
            break;
        }
        let call = rest
            .strip_suffix('(')
            .and_then(|rest| rest.strip_suffix(prefix));
        if let Some(shorter) = call
            && shorter.ends_with(is_between)
        {
            rest = shorter;
            break;
        }
    }
    let assigns = rest.trim_end_matches(is_between);
    let sign = rest.get(assigns.len()..).unwrap_or_default();
    // `f(x, "…")`: the literal is not of the argument before it. Of `f("name", "…")` it may be.
    if sign.starts_with(',') {
        return "";
    }
    // The first element of a list has the list's name, and says nothing of it.
    if !sign.contains(['=', ':', ',', '(']) || sign.contains(['[', '{']) {
        return "";
    }
    let start = assigns.rfind(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    assigns
        .get(start.map_or(0, |at| at + 1)..)
        .unwrap_or_default()
}

/// Returns whether a name is of something that belongs to a secret and is none: `token_type`, `passwordField`.
pub(crate) fn says_something_of_a_secret(name: &str) -> bool {
    let last = words(name).last().map(str::to_ascii_lowercase);
    last.is_none_or(|last| RULES.ends.contains(&last))
}

/// Returns whether a value of a name is random and public: a digest, an id, encoded data.
pub(crate) fn is_of_public_value(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    RULES.public.contains(&lower)
        || words(name).any(|word| RULES.public.contains(&word.to_ascii_lowercase()))
}

/// Returns whether a name says nothing of its value.
pub(crate) fn is_general(name: &str) -> bool {
    RULES.general.contains(&name.to_ascii_lowercase())
}

/// Returns whether a name is of secrets.
pub(crate) fn is_of_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    RULES.secret.iter().any(|part| lower.contains(part))
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}
