//! Whether a use of a function or class as a value hands it to anyone.

use codeweft_db::{Db, File, UnresolvedSite};

use crate::places::offset;
use crate::uses::CLASS;

/// Attributes of a function, or of a bound method, that give back what calls it.
const CALLING: &[&str] = &["__call__", "__func__", "__get__", "__new__", "__wrapped__"];

/// Whether an open site where a class is a value hands it on; true of every other site.
pub(crate) fn counts(db: &dyn Db, file: File, site: &UnresolvedSite) -> bool {
    site.signature != CLASS || leaves(db, file, site.body, site.occ)
}

/// What stands behind the arguments of a call.
fn behind_brackets(text: &str) -> &str {
    if !text.starts_with('(') {
        return text;
    }
    let mut depth = 0;
    for (at, letter) in text.char_indices().take(400) {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    text
}

/// Whether a use that is no call hands on what it names. A comparison does not, nor does the base
/// of an attribute: that is a use of its own.
pub(crate) fn leaves(db: &dyn Db, file: File, body: u32, occ: u32) -> bool {
    let Some(at) = offset(db, file, body, occ) else {
        return true;
    };
    let text = file.text(db);
    let (before, after) = text.split_at(at as usize);
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let after = behind_brackets(after.trim_start_matches(in_word));
    if let Some(attribute) = after.trim_start_matches([' ', '\t']).strip_prefix('.') {
        let attribute = attribute.trim_start();
        let end = attribute.find(|letter| !in_word(letter));
        let name = &attribute[..end.unwrap_or(attribute.len())];
        return CALLING.contains(&name);
    }
    // The dotted name from its first part on.
    let before = before.trim_end_matches(|letter: char| in_word(letter) || letter == '.');
    let before = before.trim_end_matches([' ', '\t']);
    let is_word = |word: &str| {
        let rest = before.strip_suffix(word);
        rest.is_some_and(|rest| !rest.ends_with(in_word))
    };
    let behind = after.trim_start_matches([' ', '\t']);
    let follows = |word: &str| {
        let rest = behind.strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(in_word))
    };
    // What is called is a call of its own; `__new__` makes an object and runs no other function.
    if behind.starts_with('(') || before.ends_with("__new__(") {
        return false;
    }
    let is_compared = before.ends_with("==")
        || before.ends_with("!=")
        || is_word("is")
        || (is_word("not") && before.trim_end_matches("not").trim_end().ends_with(" is"))
        || behind.starts_with("==")
        || behind.starts_with("!=")
        || follows("is");
    !is_compared
}
