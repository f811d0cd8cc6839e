//! Texts that are composed of what is known and what is not.

use crate::handlers::compared;

/// What is before the name of an option of the command line.
pub(crate) const FLAG: &str = "-";

/// The most alternatives of a text; of more, the first count.
pub(crate) const MAX_TEXTS: usize = 32;
/// The most parts of a text; longer ones are not known.
const MAX_PARTS: usize = 16;

/// A part of a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Part {
    /// Known.
    Literal(String),
    /// A variable of the environment, with the text without it; or a key of the configuration, which begins with a dot
    /// ([`setting_key`]); or an option of the command line, which begins with [`FLAG`].
    Environment(String, Option<String>),
    /// A word of the command line: not known, but which one it is decides what a program runs.
    Word,
    /// Not known.
    Hole,
}

/// A text, with the file where it becomes constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Text {
    pub(crate) parts: Vec<Part>,
    /// The number of the file; of several that of its first part that is known.
    pub(crate) file: u32,
    /// The files where its further parts become constant, in order.
    pub(crate) others: Vec<u32>,
}

impl Text {
    pub(crate) fn literal(text: &str, file: u32) -> Text {
        let parts = if text.is_empty() {
            Vec::new()
        } else {
            vec![Part::Literal(text.to_owned())]
        };
        Text {
            parts,
            file,
            others: Vec::new(),
        }
    }

    pub(crate) fn of(part: Part, file: u32) -> Text {
        Text {
            parts: vec![part],
            file,
            others: Vec::new(),
        }
    }

    /// Returns the text with another behind it.
    pub(crate) fn with(&self, behind: &Text) -> Text {
        let mut parts = self.parts.clone();
        for part in &behind.parts {
            match (parts.last_mut(), part) {
                (Some(Part::Literal(last)), Part::Literal(next)) => last.push_str(next),
                (Some(Part::Hole), Part::Hole) => {}
                _ => parts.push(part.clone()),
            }
        }
        if parts.len() > MAX_PARTS {
            parts = vec![Part::Hole];
        }
        let is_known = |text: &Text| !text.is_hole() && !text.parts.is_empty();
        let (first, second) = match (is_known(self), is_known(behind)) {
            (true, true) => (self, Some(behind)),
            (true, false) => (self, None),
            (false, _) => (behind, None),
        };
        let further = second.into_iter().flat_map(Text::files);
        let mut others: Vec<u32> = first.others.iter().copied().chain(further).collect();
        others.retain(|file| *file != first.file);
        others.sort_unstable();
        others.dedup();
        Text {
            parts,
            file: first.file,
            others,
        }
    }

    /// Returns the files where its parts become constant.
    pub(crate) fn files(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.file).chain(self.others.iter().copied())
    }

    /// Returns whether nothing of it is known.
    pub(crate) fn is_hole(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.all(|part| matches!(part, Part::Hole | Part::Word)) && !self.parts.is_empty()
    }

    /// Returns the names of the variables in it.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Environment(name, _) => Some(name.as_str()),
            Part::Literal(_) | Part::Word | Part::Hole => None,
        })
    }

    /// Returns the text if all of it is known, with the values of variables.
    pub(crate) fn known(&self, value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let mut whole = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) => whole.push_str(text),
                Part::Environment(name, default) => {
                    whole.push_str(&value(name).or_else(|| default.clone())?);
                }
                Part::Word | Part::Hole => return None,
            }
        }
        Some(whole)
    }

    /// Returns the text as a path, and whether its beginning is not known. What is not known in it is a parameter, `{}`.
    pub(crate) fn path(&self, value: &dyn Fn(&str) -> Option<String>) -> (String, bool) {
        let mut whole = String::new();
        let mut is_open = false;
        for (number, part) in self.parts.iter().enumerate() {
            let text = match part {
                Part::Literal(text) => Some(text.clone()),
                Part::Environment(name, default) => value(name).or_else(|| default.clone()),
                Part::Word | Part::Hole => None,
            };
            match text {
                Some(text) => whole.push_str(&text),
                None if number == 0 => is_open = true,
                None => whole.push_str("{}"),
            }
        }
        (whole, is_open)
    }
}

/// Returns the name of a key of the configuration, from its parts: as names are compared, each behind a dot.
///
/// ```text
/// ["kafkaTopics", "order_paid"] ......... .kafkatopics.orderpaid
/// ```
pub(crate) fn setting_key<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut key = String::new();
    for part in parts {
        key.push('.');
        key.push_str(&compared(part));
    }
    key
}

/// Returns all ways to put a text of each list behind one of the lists before it.
pub(crate) fn concatenated(lists: &[Vec<Text>], file: u32) -> Vec<Text> {
    let mut all = vec![Text {
        parts: Vec::new(),
        file,
        others: Vec::new(),
    }];
    for list in lists {
        let mut next = Vec::new();
        for known in &all {
            for text in list {
                if next.len() < MAX_TEXTS {
                    next.push(known.with(text));
                }
            }
        }
        all = next;
    }
    all
}

/// Returns a path below another, with one slash between them.
pub(crate) fn below(prefix: &Text, path: &Text) -> Text {
    let ends = matches!(prefix.parts.last(), Some(Part::Literal(last)) if last.ends_with('/'));
    let mut path = path.clone();
    if let Some(Part::Literal(first)) = path.parts.first_mut() {
        if ends {
            *first = first.trim_start_matches('/').to_owned();
        } else if !first.starts_with('/') && !prefix.parts.is_empty() {
            first.insert(0, '/');
        }
    }
    path.parts
        .retain(|part| *part != Part::Literal(String::new()));
    let file = path.file;
    Text {
        file,
        ..prefix.with(&path)
    }
}

/// Returns the parts of a `printf` template: texts, and `None` for each value that is filled in.
///
/// `%[1]s` is taken in order like any other.
pub(crate) fn percent_parts(template: &str) -> Vec<Option<String>> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = template.chars();
    while let Some(letter) = rest.next() {
        if letter != '%' {
            literal.push(letter);
            continue;
        }
        // Flags, width and precision come before the verb, a key in Python too.
        let verb = rest.find(|letter| letter.is_ascii_alphabetic() || *letter == '%');
        match verb {
            Some('%') => literal.push('%'),
            Some(_) => {
                parts.push(Some(std::mem::take(&mut literal)));
                parts.push(None);
            }
            None => {}
        }
    }
    parts.push(Some(literal));
    parts.retain(|part| part.as_deref() != Some(""));
    parts
}

/// A part of a template with braces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BracePart {
    Literal(String),
    /// The next value by position.
    Next,
    /// A value by position.
    Position(usize),
    /// A value by name.
    Name(String),
}

/// Returns the parts of a template of Python's `str.format` (Python library, Format String Syntax).
pub(crate) fn brace_parts(template: &str) -> Vec<BracePart> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = template;
    while let Some(next) = rest.chars().next() {
        let doubled = rest.starts_with("{{") || rest.starts_with("}}");
        if doubled {
            literal.push(next);
            rest = rest.get(2..).unwrap_or("");
        } else if next == '{' {
            let Some((field, behind)) = rest.get(1..).and_then(|rest| rest.split_once('}')) else {
                break;
            };
            if !literal.is_empty() {
                parts.push(BracePart::Literal(std::mem::take(&mut literal)));
            }
            let name = field.split([':', '!', '.', '[']).next().unwrap_or("");
            parts.push(match (name, name.parse()) {
                ("", _) => BracePart::Next,
                (_, Ok(position)) => BracePart::Position(position),
                (name, Err(_)) => BracePart::Name(name.to_owned()),
            });
            rest = behind;
        } else {
            literal.push(next);
            rest = rest.get(next.len_utf8()..).unwrap_or("");
        }
    }
    if !literal.is_empty() {
        parts.push(BracePart::Literal(literal));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{BracePart, Text, below, brace_parts, percent_parts};

    #[test]
    fn a_path_below_another_has_one_slash_between_them() {
        let joined = |prefix: &str, path: &str| {
            below(&Text::literal(prefix, 0), &Text::literal(path, 0))
                .path(&|_| None)
                .0
        };
        assert_eq!(joined("/a", "/b"), "/a/b");
        assert_eq!(joined("/a/", "/b"), "/a/b");
        assert_eq!(joined("/a", "b"), "/a/b");
        assert_eq!(joined("api/", "b/"), "api/b/");
        assert_eq!(joined("", "/b"), "/b");
        assert_eq!(joined("/a", ""), "/a");
    }

    #[test]
    fn templates_are_cut_at_what_is_filled_in() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            percent_parts("/u/%s/%03d%%"),
            [some("/u/"), None, some("/"), None, some("%")]
        );
        assert_eq!(percent_parts("plain"), [some("plain")]);
        assert_eq!(
            brace_parts("{}/{{x}}{1:>3}{a.b}"),
            [
                BracePart::Next,
                BracePart::Literal("/{x}".to_owned()),
                BracePart::Position(1),
                BracePart::Name("a".to_owned())
            ]
        );
    }
}
