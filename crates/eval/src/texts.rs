//! The texts of trees, read once for each content.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

/// The vocabulary in which tokens are counted, as answers to agents are.
const VOCABULARY: &str = "o200k_base";

/// A source file of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeFile {
    /// From the top folder.
    pub path: Box<str>,
    /// The hash of its content.
    pub blob: Box<str>,
    /// Its text.
    pub text: Arc<str>,
    /// Whether it is a test.
    pub is_test: bool,
}

/// Splits an identifier into the words that it is searched by, each given to the function: itself in lower case,
/// its parts, their stems.
pub type Words = fn(&str, &mut dyn FnMut(&str));

/// The number of an identifier or a word in one [`TextCache`].
pub(crate) type Number = u32;

/// What is known of the contents of one repository: each is read once, however many tasks have it.
pub struct TextCache {
    words: Words,
    identifiers: Numbers,
    terms: Numbers,
    /// The words of each identifier, by its number.
    terms_of: Vec<Arc<[Number]>>,
    contents: FxHashMap<Box<str>, Arc<Content>>,
}

/// What is known of one content.
pub(crate) struct Content {
    text: Arc<str>,
    /// Its identifiers with how often each occurs, by number.
    pub identifiers: FxHashMap<Number, u32>,
    /// Its words with how often each occurs, by number.
    pub terms: FxHashMap<Number, u32>,
    /// How many words it has.
    pub length: f64,
    tokens: OnceLock<usize>,
}

impl Content {
    /// Its tokens, counted when they are first needed.
    pub(crate) fn tokens(&self) -> usize {
        *self.tokens.get_or_init(|| count_tokens(&self.text))
    }
}

impl TextCache {
    /// An empty cache for trees of one repository.
    pub fn new(words: Words) -> TextCache {
        TextCache {
            words,
            identifiers: Numbers::default(),
            terms: Numbers::default(),
            terms_of: Vec::new(),
            contents: FxHashMap::default(),
        }
    }

    /// What is known of a file.
    pub(crate) fn content(&mut self, file: &TreeFile) -> Arc<Content> {
        if let Some(known) = self.contents.get(&file.blob) {
            return Arc::clone(known);
        }
        let identifiers = self.identifiers(&file.text);
        let mut terms: FxHashMap<Number, u32> = FxHashMap::default();
        let mut length = 0.0;
        for (identifier, count) in &identifiers {
            for term in self.terms_of(*identifier).iter() {
                *terms.entry(*term).or_default() += count;
                length += f64::from(*count);
            }
        }
        let content = Arc::new(Content {
            text: Arc::clone(&file.text),
            identifiers,
            terms,
            length,
            tokens: OnceLock::new(),
        });
        self.contents
            .insert(file.blob.clone(), Arc::clone(&content));
        content
    }

    /// The identifiers of a text, with how often each occurs.
    pub(crate) fn identifiers(&mut self, text: &str) -> FxHashMap<Number, u32> {
        let mut found: FxHashMap<Number, u32> = FxHashMap::default();
        for identifier in identifiers(text) {
            let (number, is_new) = self.identifiers.number(identifier);
            if is_new {
                let mut terms = Vec::new();
                (self.words)(identifier, &mut |word| {
                    terms.push(self.terms.number(word).0)
                });
                self.terms_of.push(terms.into());
            }
            *found.entry(number).or_default() += 1;
        }
        found
    }

    /// The number of an identifier, if a text had it.
    pub(crate) fn identifier(&self, name: &str) -> Option<Number> {
        self.identifiers.numbers.get(name).copied()
    }

    /// The words of an identifier.
    pub(crate) fn terms_of(&self, identifier: Number) -> Arc<[Number]> {
        self.terms_of
            .get(identifier as usize)
            .cloned()
            .unwrap_or_default()
    }
}

/// Texts by number, in the order in which they came.
#[derive(Default)]
struct Numbers {
    numbers: FxHashMap<Box<str>, Number>,
}

impl Numbers {
    /// The number of a text, and whether it is new.
    fn number(&mut self, text: &str) -> (Number, bool) {
        if let Some(known) = self.numbers.get(text) {
            return (*known, false);
        }
        let number = Number::try_from(self.numbers.len()).unwrap_or(Number::MAX);
        self.numbers.insert(text.into(), number);
        (number, true)
    }
}

/// The identifiers of a text: letters, digits and `_`, not beginning with a digit.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_';
    let runs = text.split(move |letter| !is_inside(letter));
    runs.map(|run| run.trim_start_matches(|letter: char| letter.is_numeric()))
        .filter(|run| !run.is_empty())
}

/// The tokens of a text: exact, in the vocabulary of recent models.
pub fn count_tokens(text: &str) -> usize {
    match tiktoken::get_encoding(VOCABULARY) {
        Some(encoding) => encoding.count(text),
        // It is compiled in.
        None => text.len(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An identifier in lower case, and its parts between `_`.
    pub(crate) fn plain_words(identifier: &str, each: &mut dyn FnMut(&str)) {
        let lower = identifier.to_lowercase();
        if lower.contains('_') {
            lower
                .split('_')
                .filter(|part| !part.is_empty())
                .for_each(&mut *each);
        }
        each(&lower);
    }

    /// A file whose content is named by itself.
    pub(crate) fn file(path: &str, text: &str) -> TreeFile {
        TreeFile {
            path: path.into(),
            blob: text.into(),
            text: text.into(),
            is_test: path.starts_with("test"),
        }
    }

    #[test]
    fn a_content_is_read_once() {
        let mut cache = TextCache::new(plain_words);
        let one = cache.content(&file("a", "get_user = 1; get_user(x2)"));
        let other = cache.content(&file("b", "get_user = 1; get_user(x2)"));
        assert!(Arc::ptr_eq(&one, &other));
        let get = cache.identifier("get_user").expect("known");
        assert_eq!((one.identifiers.len(), one.identifiers[&get]), (2, 2));
        // get, user and get_user twice, and x2.
        assert_eq!((one.terms.len(), one.length), (4, 7.0));
        assert_eq!(cache.identifier("user"), None);
        assert!(one.tokens() > 5);
    }

    #[test]
    fn identifiers_begin_with_a_letter() {
        let found: Vec<&str> = identifiers("a.b_1(2, 3x) é 10").collect();
        assert_eq!(found, ["a", "b_1", "x", "é"]);
    }
}
