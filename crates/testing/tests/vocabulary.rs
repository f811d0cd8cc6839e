//! Holds the vocabulary of `docs/glossary.md`: names, comments and pages use the field's words.
//!
//! [`WORDS`] lists words that once had a meaning of their own here, each with the plain word for it.
//! Looked at are the identifiers and comments of `crates/*/src` and the pages of `docs/`, but for the
//! glossary. Not looked at are string literals (users see them), code spans and code blocks (they cite
//! names that are checked where they are declared, or the wire's):
//!
//! ```text
//! fn told_by(&self) {}          told: an identifier is split at `_` and at capitals
//! /// What was left             left out: a phrase may run over lines of one comment,
//! /// out; `told` is a field    but not over punctuation; code spans are skipped
//! "the door is shut"            a string literal is skipped
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Words and phrases in lower case, each with what to write instead.
const WORDS: &[(&str, &str)] = &[
    ("asked", "queried, requested"),
    ("asking", "querying, request"),
    ("asks", "queries, requests"),
    ("by lot", "at random, by a seeded generator"),
    ("door", "frontend, or its name: LSP, MCP"),
    ("doors", "frontends, or their names: LSP, MCP"),
    ("draft", "row"),
    ("drafts", "rows"),
    ("hall", "module"),
    ("house", "code base, workspace"),
    (
        "left out",
        "excluded by the build configuration, unread by a limit",
    ),
    ("lot", "random sample"),
    ("nobody", "nothing, no caller"),
    ("place", "node of the flow graph, location, range"),
    ("places", "nodes of the flow graph, locations, ranges"),
    ("promise", "declared receiver type; of a bar: target"),
    ("promises", "declared receiver types; of bars: targets"),
    ("ring", "cycle"),
    ("rings", "cycles"),
    ("room", "crate, language crate"),
    ("rooms", "crates, language crates"),
    ("seat", "permit"),
    ("seats", "permits"),
    ("settled", "saved"),
    ("shown", "visible, listed"),
    ("speech", "nouns of an answer"),
    ("spelling", "syntax, written form"),
    ("spellings", "written forms"),
    ("spent", "garbage, dropped later"),
    ("stand", "is, is declared, is located"),
    ("standing", "being, declared, located"),
    ("stands", "is, is declared, is located"),
    ("stood", "was, was declared"),
    ("tell", "report, return, say"),
    ("telling", "reporting, returning"),
    ("tells", "reports, returns, says"),
    ("ticket", "change id, version"),
    ("tickets", "change ids, versions"),
    ("told", "reported, returned, said"),
    ("twin", "redefinition, overload, stub counterpart"),
    ("twins", "redefinitions, overloads, stub counterparts"),
    ("wall", "boundary"),
    ("walls", "boundaries"),
    ("way in", "indirect reference, escape"),
    ("ways in", "indirect references, escapes"),
    ("who", "the caller, the reader"),
    ("whoever", "the caller, the reader"),
    ("whom", "the caller, the reader"),
];

/// Where a word may be used.
struct Exception {
    /// A file from the workspace's root, with `/`.
    file: &'static str,
    /// A word or phrase of [`WORDS`].
    word: &'static str,
    reason: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        file: "crates/codeweft/src/arguments.rs",
        word: "asked",
        reason: "a text of the help",
    },
    Exception {
        file: "crates/codeweft/src/command.rs",
        word: "asks",
        reason: "a text of the help",
    },
    Exception {
        file: "crates/codeweft/src/arguments.rs",
        word: "nobody",
        reason: "a text of the help",
    },
    Exception {
        file: "crates/codeweft/src/command.rs",
        word: "stand",
        reason: "a text of the help",
    },
    Exception {
        file: "crates/codeweft/src/command.rs",
        word: "tells",
        reason: "a text of the help",
    },
    Exception {
        file: "crates/codeweft/src/arguments.rs",
        word: "who",
        reason: "a text of the help",
    },
    Exception {
        file: "crates/codeweft/src/command.rs",
        word: "who",
        reason: "a text of the help",
    },
    Exception {
        file: "docs/correctness.md",
        word: "stands",
        reason: "a commit of x/tools",
    },
    Exception {
        file: "docs/correctness.md",
        word: "who",
        reason: "a recorded row",
    },
    Exception {
        file: "docs/house.md",
        word: "asked",
        reason: "names of former files in the history",
    },
    Exception {
        file: "docs/house.md",
        word: "doors",
        reason: "names of former files in the history",
    },
    Exception {
        file: "docs/house.md",
        word: "places",
        reason: "names of former files in the history",
    },
    Exception {
        file: "docs/house.md",
        word: "twins",
        reason: "names of former files in the history",
    },
    Exception {
        file: "docs/performance.md",
        word: "asked",
        reason: "names of recorded rows",
    },
    Exception {
        file: "docs/performance.md",
        word: "doors",
        reason: "names of recorded rows",
    },
    Exception {
        file: "docs/performance.md",
        word: "shown",
        reason: "a recorded measurement",
    },
    Exception {
        file: "docs/performance.md",
        word: "wall",
        reason: "wall time",
    },
];

/// A word in lower case and its line, counted from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Word {
    line: usize,
    text: String,
}

/// Words that follow each other without punctuation: of an identifier, or of a part of a sentence.
type Run = Vec<Word>;

/// Splits text at capitals, `_`, digits and other marks into runs.
///
/// Blanks, `_`, `-` and `*` separate words of one run; any other mark ends it.
fn runs(line: usize, text: &str, run: &mut Run, ended: &mut Vec<Run>) {
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let end = |word: &mut String, run: &mut Run| {
            if !word.is_empty() {
                let text = std::mem::take(word).to_lowercase();
                run.push(Word { line, text });
            }
        };
        if letter.is_alphabetic() {
            let next_is_small = letters.peek().is_some_and(|next| next.is_lowercase());
            if letter.is_uppercase() && (before.is_lowercase() || next_is_small) {
                end(&mut word, run);
            }
            word.push(letter);
        } else {
            end(&mut word, run);
            let joins = letter.is_whitespace() || matches!(letter, '_' | '-' | '*');
            if !joins && !run.is_empty() {
                ended.push(std::mem::take(run));
            }
        }
        before = letter;
    }
    if !word.is_empty() {
        let text = word.to_lowercase();
        run.push(Word { line, text });
    }
}

/// The runs of prose: Markdown without code blocks, code spans and the targets of links.
fn prose<'t>(lines: impl IntoIterator<Item = (usize, &'t str)>) -> Vec<Run> {
    let mut ended = Vec::new();
    let mut run = Run::new();
    let mut fence: Option<&str> = None;
    let mut in_span = false;
    for (number, line) in lines {
        let trimmed = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            (None, Some(mark)) => fence = Some(mark),
            (None, None) => {
                // A span ends with its paragraph; a bullet and a row of a table begin another.
                if trimmed.is_empty() || trimmed.starts_with(['-', '|', '#']) {
                    in_span = false;
                    ended.push(std::mem::take(&mut run));
                }
                let mut rest = trimmed;
                while !rest.is_empty() {
                    let (part, after) = rest.split_once('`').unwrap_or((rest, ""));
                    if !in_span {
                        runs(number, &without_targets(part), &mut run, &mut ended);
                    }
                    if part.len() < rest.len() {
                        in_span = !in_span;
                        ended.push(std::mem::take(&mut run));
                    }
                    rest = after;
                }
            }
        }
    }
    ended.push(run);
    ended.retain(|run| !run.is_empty());
    ended
}

/// Prose without what stands in the parentheses of `[text](target)`.
fn without_targets(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, target)) = rest.split_once("](") {
        kept.push_str(before);
        kept.push(']');
        rest = target.split_once(')').map_or("", |(_, after)| after);
    }
    kept + rest
}

/// The runs of Rust source: of each identifier and of each comment, without literals.
fn rust(text: &str) -> Vec<Run> {
    let mut found = Vec::new();
    let mut comment: Vec<(usize, &str)> = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            comment.push((line, rest[..end].trim_start_matches(['/', '!'])));
            end
        } else if rest.starts_with("/*") {
            let end = block_comment(rest);
            let inner = rest[..end].lines().enumerate();
            comment.extend(inner.map(|(at, text)| (line + at, text)));
            end
        } else if first.is_whitespace() {
            first.len_utf8()
        } else {
            found.extend(prose(std::mem::take(&mut comment)));
            if first.is_alphanumeric() || first == '_' {
                let part = |c: char| c.is_alphanumeric() || c == '_';
                let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                match literal(name, after) {
                    Some(literal) => end + literal,
                    None => {
                        let mut run = Run::new();
                        runs(line, name, &mut run, &mut found);
                        found.push(run);
                        end
                    }
                }
            } else if first == '"' {
                string(rest)
            } else if first == '\'' {
                character(rest)
            } else {
                first.len_utf8()
            }
        };
        line += rest[..taken].matches('\n').count();
        rest = &rest[taken..];
    }
    found.extend(prose(comment));
    found.retain(|run| !run.is_empty());
    found
}

/// The length of a block comment, others inside it included.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
        } else {
            at += 1;
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of a string that begins with `"`.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the literal behind its prefix: of `r#"..."#` behind `r`; `None` where none begins.
fn literal(prefix: &str, after: &str) -> Option<usize> {
    match prefix {
        "r" | "br" | "cr" => {
            let hashes = after.bytes().take_while(|&byte| byte == b'#').count();
            let inner = after[hashes..].strip_prefix('"')?;
            let end = format!("\"{}", "#".repeat(hashes));
            let length = inner.find(&end).map_or(inner.len(), |at| at + end.len());
            Some(hashes + 1 + length)
        }
        "b" | "c" if after.starts_with('"') => Some(string(after)),
        "b" if after.starts_with('\'') => Some(character(after)),
        _ => None,
    }
}

/// The length of a character that begins with `'`; of a lifetime, that of the `'`.
fn character(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match letters.next() {
        // What is escaped first may itself be a quote.
        Some((at, '\\')) => text[at + 2..]
            .find('\'')
            .map_or(text.len(), |end| at + 2 + end + 1),
        Some(_) => match letters.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}

/// A file that is held to the list: its path from the workspace's root, with `/`, and its runs.
struct Source {
    path: String,
    runs: Vec<Run>,
}

impl Source {
    fn of(path: &str, text: &str) -> Source {
        Source {
            path: path.to_owned(),
            runs: if path.ends_with(".rs") {
                rust(text)
            } else {
                prose(text.lines().enumerate().map(|(at, line)| (at + 1, line)))
            },
        }
    }

    /// The lines that use a phrase.
    fn lines(&self, phrase: &str) -> Vec<usize> {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        let mut lines = Vec::new();
        for run in &self.runs {
            for words in run.windows(phrase.len()) {
                if words
                    .iter()
                    .zip(&phrase)
                    .all(|(word, part)| word.text == *part)
                {
                    lines.push(words[0].line);
                }
            }
        }
        lines
    }
}

/// The uses of words that no exception allows, as `path:line: what to do`, then exceptions that no
/// file needs.
fn wrong(sources: &[Source], words: &[(&str, &str)], exceptions: &[Exception]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut needed = vec![false; exceptions.len()];
    for source in sources {
        for (word, plain) in words {
            let lines = source.lines(word);
            let allowed = exceptions
                .iter()
                .position(|one| one.file == source.path && one.word == *word);
            match allowed {
                Some(at) => needed[at] |= !lines.is_empty(),
                None => {
                    wrong.extend(
                        lines.iter().map(|line| {
                            format!("{}:{line}: `{word}`; plainer: {plain}", source.path)
                        }),
                    );
                }
            }
        }
    }
    for (exception, needed) in exceptions.iter().zip(needed) {
        if !needed {
            let Exception { file, word, reason } = exception;
            wrong.push(format!(
                "{file}: `{word}` does not occur: no exception is needed ({reason})"
            ));
        }
    }
    wrong
}

/// The sources of the crates and the pages, without the glossary.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/testing lies two folders below the root");
    let mut files = Vec::new();
    for package in entries(&root.join("crates")) {
        below(&package.join("src"), "rs", &mut files);
    }
    below(&root.join("docs"), "md", &mut files);
    let mut sources = Vec::new();
    for file in files {
        let path = file.strip_prefix(root).expect("below the root");
        let path = path.to_string_lossy().replace('\\', "/");
        if path != "docs/glossary.md" {
            let text = std::fs::read_to_string(&file).expect("a source is text");
            sources.push(Source::of(&path, &text));
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of the workspace can be read");
    let path = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").path();
    entries.map(path).collect()
}

fn below(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            below(&path, extension, files);
        } else if path.extension().is_some_and(|one| one == extension) {
            files.push(path);
        }
    }
}

#[test]
fn names_comments_and_pages_use_the_words_of_the_field() {
    let sources = sources();
    assert!(sources.len() > 100, "the walk found the sources");
    let wrong = wrong(&sources, WORDS, EXCEPTIONS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_lists_name_words_that_are_listed_once() {
    let mut seen = std::collections::BTreeSet::new();
    for (word, plain) in WORDS {
        assert!(seen.insert(*word), "{word} is listed twice");
        assert_eq!(*word, word.to_lowercase());
        assert!(!plain.is_empty(), "{word} has no plain word");
    }
    for Exception { file, word, reason } in EXCEPTIONS {
        assert!(seen.contains(word), "{word} is excepted and not listed");
        assert!(!reason.is_empty(), "{word} in {file} has no reason");
    }
}

/// Prints how often each word of the list occurs, by crate and for the pages; exceptions count, too.
#[test]
#[ignore = "prints a table: run it alone, with --nocapture"]
fn occurrences_of_every_word() {
    let mut counts: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for source in sources() {
        let mut parts = source.path.split('/');
        let folder = match parts.next() {
            Some("crates") => parts.next().unwrap_or_default(),
            other => other.unwrap_or_default(),
        };
        for (word, _) in WORDS {
            let lines = source.lines(word).len();
            let of_word = counts.entry(word).or_default();
            *of_word.entry(folder.to_owned()).or_default() += lines;
        }
    }
    for (word, by_folder) in counts {
        let all: usize = by_folder.values().sum();
        let used = by_folder.iter().filter(|(_, count)| **count > 0);
        let used: Vec<String> = used
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        println!("{word}: {all} ({})", used.join(", "));
    }
}

// The rule on inputs that break it, and on inputs that do not.

const SOME: &[(&str, &str)] = &[("told", "reported"), ("left out", "excluded")];

/// The lines of a file that use a word of [`SOME`].
fn uses(path: &str, text: &str) -> Vec<String> {
    let source = Source::of(path, text);
    let mut uses = Vec::new();
    for (word, _) in SOME {
        for line in source.lines(word) {
            uses.push(format!("{line} {word}"));
        }
    }
    uses
}

#[test]
fn identifiers_are_split_at_underscores_and_capitals() {
    let text = "fn told_by() {}\nstruct ToldOf;\nlet left_out = IRTold;\nstruct LeftOut<'told>;";
    let expected = [
        "1 told",
        "2 told",
        "3 told",
        "4 told",
        "3 left out",
        "4 left out",
    ];
    assert_eq!(uses("a.rs", text), expected);
}

#[test]
fn words_inside_other_words_are_no_uses() {
    let text = "fn untold(toldo: u8) {} // stolid, toldest, left outer\nconst UNTOLD: u8 = 0;";
    assert_eq!(uses("a.rs", text), ["2 told"; 0]);
}

#[test]
fn comments_of_every_form_are_looked_at() {
    let text = "//! It is told.\n/// Told\n// told's\n/* a\n told /* told */ */\nfn f() {} // told";
    let lines = ["1 told", "2 told", "3 told", "5 told", "5 told", "6 told"];
    assert_eq!(uses("a.rs", text), lines);
}

#[test]
fn a_phrase_runs_over_lines_of_a_comment_but_not_over_punctuation() {
    let text = "/// What was left\n/// out, left; out\nfn left() { out() }\n// left\n\nfn out() {}";
    assert_eq!(uses("a.rs", text), ["1 left out"]);
}

#[test]
fn literals_are_skipped() {
    let text = concat!(
        "f(\"told \\\" told\", r#\"told \" told\"#, b\"told\", 't', '\\'', '\"', b'\\\\');\n",
        "let r#told = \"\n\n\";\n",
        "told",
    );
    assert_eq!(uses("a.rs", text), ["2 told", "5 told"]);
}

#[test]
fn code_spans_code_blocks_and_targets_of_links_are_skipped() {
    let page =
        "`told` and `left\nout` [it](told.md) [`told`]\n\n```go\ntold\n```\n\n`open\n\nTold again";
    assert_eq!(uses("docs/a.md", page), ["10 told"]);
    let comment = "/// ```\n/// told\n/// ```\n/// [told](told)\nfn f() {}";
    assert_eq!(uses("a.rs", comment), ["4 told"]);
}

#[test]
fn a_use_is_reported_with_the_plain_word() {
    let sources = [Source::of("a.rs", "\nfn told() {}")];
    assert_eq!(
        wrong(&sources, SOME, &[]),
        ["a.rs:2: `told`; plainer: reported"]
    );
}

#[test]
fn an_exception_allows_one_word_in_one_file() {
    let text = "fn told(left_out: u8) {}";
    let sources = [Source::of("a.rs", text), Source::of("b.rs", "fn told() {}")];
    let exceptions = [Exception {
        file: "a.rs",
        word: "told",
        reason: "a field of the wire",
    }];
    let expected = [
        "a.rs:1: `left out`; plainer: excluded",
        "b.rs:1: `told`; plainer: reported",
    ];
    assert_eq!(wrong(&sources, SOME, &exceptions), expected);
}

#[test]
fn an_exception_that_no_file_needs_is_reported() {
    let exceptions = [Exception {
        file: "a.rs",
        word: "told",
        reason: "a field of the wire",
    }];
    let sources = [Source::of("a.rs", "fn reported() {}")];
    let unneeded = "a.rs: `told` does not occur: no exception is needed (a field of the wire)";
    assert_eq!(wrong(&sources, SOME, &exceptions), [unneeded]);
    assert_eq!(wrong(&[], SOME, &exceptions), [unneeded]);
}
