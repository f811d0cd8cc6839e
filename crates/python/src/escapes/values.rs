//! Decides whether a use of a function or class as a value lets it escape.

use codeweft_db::{Db, File, UnresolvedSite};

use crate::flow::is_uncalled_class;
use crate::locations::offset;
use crate::uses::record::CLASS_VALUE;

/// Attributes of a function or bound method that return what calls it.
const CALLING: &[&str] = &["__call__", "__func__", "__get__", "__new__", "__wrapped__"];

/// Functions that print or identify their one argument, and do nothing else with it.
const NAMING: &[&str] = &["bool", "hash", "id", "repr", "str"];

/// Returns whether an unresolved site where a class is a value lets it escape; true for every other
/// site.
pub(crate) fn site_escapes(db: &dyn Db, file: File, site: &UnresolvedSite) -> bool {
    site.signature != CLASS_VALUE
        || escapes(db, file, site.body, site.occ)
            && !is_uncalled_class(db, file, site.body, site.occ)
}

/// Returns the text after the arguments of a call.
fn after_arguments(text: &str) -> &str {
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

/// Returns whether a use that is no call lets its target escape. A comparison does not, nor does
/// the base of an attribute reference, which is a use of its own.
pub(crate) fn escapes(db: &dyn Db, file: File, body: u32, occ: u32) -> bool {
    let Some(at) = offset(db, file, body, occ) else {
        return true;
    };
    let text = file.text(db);
    let (before, after) = text.split_at(at as usize);
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let after = after_arguments(after.trim_start_matches(in_word));
    if let Some(attribute) = after.trim_start_matches([' ', '\t']).strip_prefix('.') {
        let attribute = attribute.trim_start();
        let end = attribute.find(|letter| !in_word(letter));
        let name = &attribute[..end.unwrap_or(attribute.len())];
        return CALLING.contains(&name);
    }
    // Includes the dotted name from its first part.
    let before = before.trim_end_matches(|letter: char| in_word(letter) || letter == '.');
    let before = before.trim_end_matches([' ', '\t']);
    let is_word = |word: &str| {
        let rest = before.strip_suffix(word);
        rest.is_some_and(|rest| !rest.ends_with(in_word))
    };
    let after = after.trim_start_matches([' ', '\t']);
    let follows = |word: &str| {
        let rest = after.strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(in_word))
    };
    // The callee of a call is a use of its own; `__new__` creates an object and runs no other
    // function.
    if after.starts_with('(') || before.ends_with("__new__(") {
        return false;
    }
    let names_it = NAMING.iter().any(|function| {
        let callee = before.strip_suffix('(').map(str::trim_end);
        let rest = callee.and_then(|callee| callee.strip_suffix(function));
        rest.is_some_and(|rest| !rest.ends_with(in_word) && !rest.ends_with('.'))
    });
    if names_it && after.starts_with(')') {
        return false;
    }
    let is_compared = before.ends_with("==")
        || before.ends_with("!=")
        || is_word("is")
        || (is_word("not") && before.trim_end_matches("not").trim_end().ends_with(" is"))
        || after.starts_with("==")
        || after.starts_with("!=")
        || follows("is")
        || follows("in")
        || follows("not");
    !is_compared
}
