//! Words and stems: how a text, an identifier and a query come to the same terms.
//!
//! ```text
//! getUserNames ── getusername, get, user, name
//! ```
//!
//! Both sides are treated alike, so the rules only need to be the same, not right: `tables` and `tabling` may share a stem.

use std::borrow::Cow;

use twox_hash::XxHash3_64;

/// A stem, by its hash: a number that does not depend on what was read before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(u64);

/// Words that say nothing of what a text is about.
const STOP_WORDS: [&str; 34] = [
    "the", "a", "an", "of", "to", "in", "is", "it", "and", "or", "for", "on", "with", "this",
    "that", "be", "as", "at", "by", "from", "if", "not", "are", "was", "i", "we", "you", "can",
    "when", "have", "has", "do", "does", "but",
];

/// The fewest letters of a word that is stemmed, and of what is left of it.
const STEMMED_FROM: usize = 5;
const MIN_STEM: usize = 4;

impl TermId {
    /// Returns the term of a stem or, for tables of names, of a name as it is written.
    pub(crate) fn of(stem: &str) -> TermId {
        TermId(XxHash3_64::oneshot(stem.as_bytes()))
    }
}

/// Returns the identifiers of a text with their byte offsets: a letter or `_`, then letters, digits and `_`.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let behind = text.get(rest..)?;
        let start =
            rest + behind.find(|letter: char| letter.is_ascii_alphabetic() || letter == '_')?;
        let word = text.get(start..)?;
        let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let end = word.find(|letter| !in_word(letter)).unwrap_or(word.len());
        rest = start + end;
        Some((start, word.get(..end)?))
    })
}

/// Calls `each` with the stems of an identifier: of the whole, and of its parts where it has several.
pub fn stems_of(identifier: &str, each: &mut dyn FnMut(&str)) {
    let mut add = |word: &str| {
        let word = word.to_lowercase();
        if word.chars().nth(1).is_some() && !STOP_WORDS.contains(&word.as_str()) {
            each(&stem(&word));
        }
    };
    add(identifier);
    let parts = parts(identifier);
    if parts.len() > 1 {
        parts.into_iter().for_each(add);
    }
}

/// Returns the stems of all identifiers of a text, in text order.
pub(crate) fn stems(text: &str) -> Vec<String> {
    let mut stems = Vec::new();
    for (_, identifier) in identifiers(text) {
        stems_of(identifier, &mut |stem| stems.push(stem.to_owned()));
    }
    stems
}

/// Returns the parts of an identifier: cut at `_`, before a capital behind a small letter or before a small one, and
/// between letters and digits.
fn parts(identifier: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for word in identifier.split('_') {
        let letters: Vec<(usize, char)> = word.char_indices().collect();
        let mut start = 0;
        for (number, &[(_, before), (at, letter)]) in letters.array_windows().enumerate() {
            let next = letters.get(number + 2).map(|&(_, next)| next);
            let is_capital = letter.is_uppercase();
            let begins_word = is_capital
                && (before.is_lowercase()
                    || before.is_uppercase() && next.is_some_and(char::is_lowercase));
            if begins_word || letter.is_numeric() != before.is_numeric() {
                parts.extend(word.get(start..at));
                start = at;
            }
        }
        parts.extend(word.get(start..).filter(|part| !part.is_empty()));
    }
    parts
}

/// Returns the stem of a word in lower case.
fn stem(word: &str) -> Cow<'_, str> {
    let is_long = |word: &str, least: usize| word.chars().nth(least - 1).is_some();
    if !is_long(word, STEMMED_FROM) || !word.chars().all(char::is_alphabetic) {
        return Cow::Borrowed(word);
    }
    let mut stem = match without_suffix(word) {
        Some((stem, last)) if is_long(&format!("{stem}{last}"), MIN_STEM) => {
            Cow::Owned(format!("{}{last}", single_end(word, stem)))
        }
        _ => Cow::Borrowed(word),
    };
    if let Some(shorter) = stem.strip_suffix('e').filter(|it| is_long(it, MIN_STEM)) {
        stem = Cow::Owned(shorter.to_owned());
    }
    stem
}

/// Returns a word without its ending, and what is written instead of that.
fn without_suffix(word: &str) -> Option<(&str, &'static str)> {
    if let Some(stem) = word.strip_suffix("ies") {
        return Some((stem, "y"));
    }
    if let Some(stem) = word.strip_suffix("sses") {
        return Some((stem, "ss"));
    }
    if let Some(stem) = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")) {
        return Some((stem, ""));
    }
    let is_plural = !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    word.strip_suffix('s')
        .filter(|_| is_plural)
        .map(|stem| (stem, ""))
}

/// Returns a stem with one letter for two at its end where the ending had doubled it: `stopp` of `stopped`.
fn single_end<'w>(word: &str, stem: &'w str) -> &'w str {
    let is_verb = word.ends_with("ing") || word.ends_with("ed");
    let mut last = stem.chars().rev();
    match (last.next(), last.next()) {
        (Some(end), Some(before)) if is_verb && end == before && !matches!(end, 's' | 'l') => {
            last_removed(stem)
        }
        _ => stem,
    }
}

fn last_removed(stem: &str) -> &str {
    let end = stem.char_indices().next_back().map_or(0, |(at, _)| at);
    stem.get(..end).unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (one, other) in [
            ("queries", "query"),
            ("properties", "property"),
            ("entries", "entry"),
            ("classes", "class"),
            ("passes", "pass"),
            ("expected", "expect"),
            ("parsing", "parse"),
            ("parsed", "parse"),
            ("parses", "parse"),
            ("running", "run"),
            ("stopped", "stop"),
            ("setting", "set"),
            ("plotting", "plot"),
            ("missing", "miss"),
            ("installed", "install"),
            ("calling", "call"),
            ("crashes", "crash"),
            ("matches", "match"),
            ("indexes", "index"),
            ("files", "file"),
            ("lines", "line"),
            ("changed", "change"),
            ("changing", "changes"),
            ("reproduce", "reproduced"),
            ("describes", "describing"),
            ("handlers", "handler"),
            ("errors", "error"),
            ("tables", "table"),
            ("needed", "need"),
            ("issues", "issue"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
    }

    #[test]
    fn short_words_and_ends_that_are_no_ending_stay() {
        for word in [
            "using", "being", "added", "thing", "fixed", "status", "axis", "analysis", "process",
            "uses", "typing",
        ] {
            assert_eq!(stem(word), word);
        }
        assert_eq!(stem("get_names"), "get_names");
        assert_eq!(stem("utf8s"), "utf8s");
    }

    #[test]
    fn an_identifier_is_itself_and_its_parts() {
        let stems = |identifier: &str| {
            let mut all = Vec::new();
            stems_of(identifier, &mut |stem| all.push(stem.to_owned()));
            all.join(" ")
        };
        assert_eq!(stems("getUserNames"), "getusernam get user name");
        assert_eq!(stems("HTTPServer"), "httpserver http server");
        assert_eq!(stems("read_utf8"), "read_utf8 read utf");
        assert_eq!(stems("L031"), "l031 031");
        assert_eq!(stems("x"), "");
        assert_eq!(stems("The"), "");
        let found: Vec<(usize, &str)> = identifiers("a1 2b_c, größe!").collect();
        assert_eq!(found, [(0, "a1"), (4, "b_c"), (9, "größe")]);
    }
}
