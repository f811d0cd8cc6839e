//! What a client sends to be ranked by, and what is read of its text.
//!
//! ```text
//! Parser drops the last token          title: its words weigh most
//! `parse_all` fails:                   code names: parse_all
//!   File "/app/src/parse.py", line 3   frames, innermost last
//! see src/lexer.py                     paths
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use crate::issue_words;
use crate::paths::{self, FramePath};
use crate::words::{TermId, identifiers, stems, stems_of};

/// By which formula files are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Linear terms over text, structure, imports and history, with the weights that measured best.
    #[default]
    Measured,
    /// Names, full text and calls joined by reciprocal rank, as the program Codegrapher does.
    Codegrapher,
}

impl Profile {
    /// The names in settings, in the order of the variants.
    pub const NAMES: [&'static str; 2] = ["measured", "codegrapher"];
}

/// A text that files are ranked by.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetrievalQuery<'a> {
    /// The text: an issue, a task, a question, a name.
    pub text: &'a str,
    /// The file that the client has before it, from the workspace's root. It lifts its neighbours and removes nothing.
    pub cursor_file: Option<&'a str>,
    /// Whether test files are ranked among the others.
    pub include_tests: bool,
    /// The formula.
    pub profile: Profile,
    /// Whether the parts of each score are listed, those that are zero too.
    pub explain: bool,
    /// How near in meaning the nearest declaration of each file is, 0 to 1, by path; `None` without a model.
    pub meaning: Option<&'a Meaning>,
}

/// How near in meaning files are to a query, 0 to 1, by path.
pub type Meaning = FxHashMap<Box<str>, f64>;

/// The most bytes of a query that are read.
const MAX_TEXT: usize = 100_000;

/// What begins the dump of versions of a report: nothing behind it says what the report is about.
const VERSION_DUMP: &str = "INSTALLED VERSIONS";

/// A term of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) term: TermId,
    /// By how often the text has it and how rare it is in issues at large.
    pub(crate) weight: f64,
    /// By how rare it is, for the words of the title; else 0.
    pub(crate) title_weight: f64,
}

/// What a query says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ReadQuery {
    /// In order of first occurrence.
    pub(crate) terms: Vec<QueryTerm>,
    /// Names of code, as they are written, in order of first occurrence.
    pub(crate) names: Vec<String>,
    /// The stacks that are printed, each innermost frame first.
    pub(crate) stacks: Vec<Vec<String>>,
    /// The paths that are named outside of stacks.
    pub(crate) paths: Vec<String>,
}

impl ReadQuery {
    /// Reads a text, of a long one the begin.
    pub(crate) fn of(text: &str) -> ReadQuery {
        let text = without_comments(cut(text, MAX_TEXT));
        let text = text.split(VERSION_DUMP).next().unwrap_or("").trim_start();
        let mut query = ReadQuery {
            terms: terms(text),
            ..ReadQuery::default()
        };
        for line in text.lines() {
            query.read_mentions(line);
        }
        query.stacks.retain(|stack| !stack.is_empty());
        query
    }

    fn read_mentions(&mut self, line: &str) {
        let frame = quoted_frame(line);
        if let Some(path) = frame {
            self.add_frame(path);
        } else {
            for path in named_paths(line) {
                let (path, is_frame) = path;
                let is_stack = paths::prints_innermost_last(path) == Some(false);
                if is_frame && is_stack {
                    self.add_frame(path);
                } else {
                    add(&mut self.paths, without_forge(path));
                }
            }
        }
        for name in code_names(line) {
            add(&mut self.names, name);
        }
    }

    /// Adds a frame in printed order to the stack of its language.
    fn add_frame(&mut self, path: &str) {
        let Some(innermost_last) = paths::prints_innermost_last(path) else {
            return;
        };
        let path = match paths::frame_path(path) {
            FramePath::Foreign => return,
            FramePath::Installed(path) => format!("{INSTALLED}{path}"),
            FramePath::Any(path) => path.to_owned(),
        };
        let same = self.stacks.iter_mut().find(|stack| {
            let of = stack
                .first()
                .and_then(|first| paths::prints_innermost_last(first));
            of == Some(innermost_last)
        });
        match same {
            Some(stack) if innermost_last => {
                stack.insert(0, path);
                stack.truncate(MAX_MENTIONS);
            }
            Some(stack) if stack.len() < MAX_MENTIONS => stack.push(path),
            Some(_) => {}
            None => self.stacks.push(vec![path]),
        }
    }
}

/// Marks the path of a frame below installed libraries, which has to be matched as a whole.
pub(crate) const INSTALLED: char = '\0';

/// The most names, and the most paths, that are read of a text.
const MAX_MENTIONS: usize = 500;

fn add(list: &mut Vec<String>, word: &str) {
    if list.len() < MAX_MENTIONS && !word.is_empty() && !list.iter().any(|one| one == word) {
        list.push(word.to_owned());
    }
}

/// Returns the begin of a text, of at most so many bytes.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

/// Returns a text without comments of HTML: templates of issues are full of them.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = behind.split_once("-->").map_or("", |(_, behind)| behind);
    }
    kept.push_str(rest);
    kept
}

fn terms(text: &str) -> Vec<QueryTerm> {
    let title = text.lines().next().unwrap_or("");
    let title: FxHashSet<TermId> = stems(title).iter().map(|stem| TermId::of(stem)).collect();
    let mut numbers: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut counted: Vec<(TermId, u32)> = Vec::new();
    for (_, identifier) in identifiers(text) {
        stems_of(identifier, &mut |stem| {
            let term = TermId::of(stem);
            let number = *numbers.entry(term).or_insert(counted.len());
            match counted.get_mut(number) {
                Some((_, count)) => *count += 1,
                None => counted.push((term, 1)),
            }
        });
    }
    let weighted = counted.into_iter().map(|(term, count)| {
        let weight = issue_words::weight(term);
        QueryTerm {
            term,
            weight: weight * f64::from(count.min(3)).sqrt(),
            title_weight: if title.contains(&term) { weight } else { 0.0 },
        }
    });
    weighted.collect()
}

/// Returns the path of a frame that is printed as `File "PATH", line N`.
fn quoted_frame(line: &str) -> Option<&str> {
    let (_, behind) = line.split_once("File \"")?;
    let (path, behind) = behind.split_once('"')?;
    behind.starts_with(", line ").then_some(path)
}

/// Returns the paths of source files in a line, each with whether a line number is behind it.
fn named_paths(line: &str) -> Vec<(&str, bool)> {
    let in_path = |letter: char| letter.is_alphanumeric() || "_-./\\:@+~%".contains(letter);
    let words = line.split(|letter| !in_path(letter));
    let paths = words.filter_map(|word| {
        // The path ends behind the extension.
        let mut ends = word.match_indices('.').filter_map(|(dot, _)| {
            let behind = word.get(dot + 1..)?;
            let len = behind.find(|letter: char| !letter.is_alphanumeric());
            let end = dot + 1 + len.unwrap_or(behind.len());
            let path = word.get(..end)?;
            paths::prints_innermost_last(path)?;
            let rest = word.get(end..)?;
            let number = rest.strip_prefix(':');
            let has_line =
                number.is_some_and(|number| number.starts_with(|one: char| one.is_ascii_digit()));
            let is_whole = !rest.starts_with(['.', '_', '-', '/']) || rest == ".";
            is_whole.then_some((path, has_line))
        });
        ends.next_back()
    });
    paths
        .filter(|(path, _)| !paths::split(path).1.starts_with('.'))
        .collect()
}

/// Returns a path without the begin of an address: of a forge, up to the revision.
fn without_forge(path: &str) -> &str {
    let Some((_, address)) = path.split_once("://") else {
        return path.trim_start_matches("./");
    };
    for mark in ["/blob/", "/tree/", "/blame/", "/raw/", "/src/commit/"] {
        if let Some((_, behind)) = address.split_once(mark) {
            return behind.split_once('/').map_or("", |(_, path)| path);
        }
    }
    // host/owner/name/revision/path, as raw files have.
    address.splitn(5, '/').nth(4).unwrap_or("")
}

/// Returns the names of code in a line: in backticks, before `(`, with `_` or inner capitals, parts of dotted names.
fn code_names(line: &str) -> Vec<&str> {
    let ticks: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    let is_quoted = |at: usize| {
        let before = ticks.partition_point(|&tick| tick < at);
        before % 2 == 1 && before < ticks.len()
    };
    let names = identifiers(line).filter(|&(at, name)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let mut behind = line.get(at + name.len()..).unwrap_or("").chars();
        let next = behind.next();
        let in_word = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
        let is_dotted = before == Some('.') && has_word_before(line, at)
            || next == Some('.') && behind.next().is_some_and(in_word);
        is_quoted(at)
            || next == Some('(')
            || name.contains('_')
            || has_inner_capital(name)
            || is_dotted
    });
    names
        .map(|(_, name)| name)
        .filter(|name| name.chars().nth(1).is_some())
        .collect()
}

/// Returns whether the dot before an offset follows a word.
fn has_word_before(line: &str, at: usize) -> bool {
    let before = line.get(..at).unwrap_or("").strip_suffix('.').unwrap_or("");
    before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == ')')
}

/// Returns whether a name has a capital behind a small letter, as `getUser` and `HttpServer`.
fn has_inner_capital(name: &str) -> bool {
    let letters: Vec<char> = name.chars().collect();
    letters
        .array_windows()
        .any(|&[before, letter]| before.is_lowercase() && letter.is_uppercase())
}
