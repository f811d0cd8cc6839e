//! Answers to editors, a rule per test, on small workspaces with marks in their texts.

mod calls;
mod definition;
mod everywhere;
mod hover;
mod implementation;
mod outline;
mod redefinitions;
mod references;
mod search;
mod type_definition;
mod types;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use codeweft_db::RequestCancellation;
use codeweft_vfs::{Encoding, Position, Range};

use codeweft_workspace::{LoadOptions, ProjectDatabase, Snapshot};

use super::{CallItem, Location, SymbolItem};
use crate::editor;

const UTF16: Encoding = Encoding::Utf16;

/// A loaded workspace with the positions of its marks `$0` to `$9`, in UTF-16.
struct Fixture {
    database: ProjectDatabase,
    _folder: tempfile::TempDir,
    marks: BTreeMap<char, (String, Position)>,
}

impl Fixture {
    /// Loads the files of a text: a line `//- path` begins each. The module is `m`.
    fn new(text: &str) -> Fixture {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().canonicalize().expect("there");
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        texts.insert("go.mod".to_owned(), "module m\n\ngo 1.24\n".to_owned());
        let mut marks = BTreeMap::new();
        for part in text.split("//- ").skip(1) {
            let (path, text) = part.split_once('\n').expect("a path in a line of its own");
            let path = path.trim();
            let absolute = format!("{}/{path}", root.display());
            texts.insert(path.to_owned(), unmarked(text, &absolute, &mut marks));
        }
        for (path, text) in texts {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        }
        let database = ProjectDatabase::load(LoadOptions {
            variables: Some(BTreeMap::from([
                ("GOOS".to_owned(), "linux".to_owned()),
                ("GOARCH".to_owned(), "amd64".to_owned()),
            ])),
            threads: 2,
            ..LoadOptions::new(&root)
        });
        Fixture {
            database: database.expect("a workspace"),
            _folder: folder,
            marks,
        }
    }

    fn ask<T>(&self, question: impl FnOnce(&Snapshot<'_>) -> T) -> T {
        question(&self.database.snapshot(&RequestCancellation::default()))
    }

    /// Runs a request at a mark.
    fn at<T>(&self, mark: char, question: impl FnOnce(&Snapshot<'_>, &str, Position) -> T) -> T {
        let (path, at) = self.marks.get(&mark).expect("a mark of the fixture");
        self.ask(|snapshot| question(snapshot, path, *at))
    }

    fn path(&self, path: &str) -> String {
        format!("{}/{path}", self.database.root())
    }

    /// Returns the id of the first call item at a mark.
    fn id(&self, mark: char) -> String {
        let id = self.at(mark, |snapshot, path, at| {
            editor::id_at(snapshot, path, at, UTF16)
        });
        id.expect("something of the graph")
    }

    fn relative<'p>(&self, path: &'p str) -> &'p str {
        let below = path.strip_prefix(self.database.root());
        below.map_or(path, |path| path.trim_start_matches('/'))
    }

    /// Prints locations as `path:line:character-character`, 0-based.
    fn positions(&self, locations: &[Location]) -> String {
        let lines = locations.iter().map(|location| {
            let path = self.relative(&location.path);
            format!("{path}:{}\n", range(&location.range))
        });
        lines.collect()
    }

    /// Prints locations as source lines; see [`Fixture::source`].
    fn locations(&self, locations: &[Location]) -> String {
        let of_file = locations.chunk_by(|a, b| a.path == b.path);
        let files = of_file.map(|locations| {
            let path = &locations[0].path;
            let ranges = locations.iter().map(|location| (location.range, '^'));
            let ranges: Vec<(Range, char)> = ranges.collect();
            format!("{}\n{}", self.relative(path), self.source(path, &ranges))
        });
        files.collect()
    }

    /// Prints the lines of a file that ranges touch, each with marks below the ranges. Lines have numbers from 1.
    ///
    /// ```text
    /// 3 | func (A) Run() int { return 1 }
    ///   | ~~~~~~~~~^^^~~~~~~~~~~~~~~~~~~~    a range of `~`, then one of `^`; `.`: an empty range
    /// ```
    fn source(&self, path: &str, ranges: &[(Range, char)]) -> String {
        let text = self.ask(|snapshot| {
            let file = snapshot.file(path).expect("a file of the database");
            file.text(snapshot.db()).clone()
        });
        let lines: Vec<&str> = text.split('\n').collect();
        let mut marked: Vec<(u32, Vec<char>)> = Vec::new();
        for (range, mark) in ranges {
            for number in range.start.line..=range.end.line {
                let line = lines[number as usize].trim_end_matches('\r');
                let begin = if number == range.start.line {
                    range.start.character
                } else {
                    0
                };
                let last = number == range.end.line;
                let end = if last { range.end.character } else { u32::MAX };
                if marked.last().is_none_or(|(other, _)| *other != number) {
                    let blank = |letter| if letter == '\t' { '\t' } else { ' ' };
                    let mut marks: Vec<char> = line.chars().map(blank).collect();
                    marks.push(' ');
                    marked.push((number, marks));
                }
                let Some((_, marks)) = marked.last_mut() else {
                    continue;
                };
                let mut at = 0;
                for (letter, cell) in line.chars().chain(['\n']).zip(marks) {
                    if begin == end && at == begin {
                        *cell = '.';
                    } else if (begin..end).contains(&at) && !matches!(letter, '\n' | '\t') {
                        *cell = *mark;
                    }
                    at += letter.len_utf16() as u32;
                }
            }
        }
        let mut printed = String::new();
        for (number, marks) in marked {
            let gutter = (number + 1).to_string();
            let line = lines[number as usize];
            let marks: String = marks.into_iter().collect();
            printed += format!("{gutter} | {line}").trim_end();
            printed.push('\n');
            if !marks.trim().is_empty() {
                printed += &format!(
                    "{:gutter$} | {}\n",
                    "",
                    marks.trim_end(),
                    gutter = gutter.len()
                );
            }
        }
        printed
    }

    fn item(&self, item: &SymbolItem) -> String {
        format!(
            "{} {} {} in {:?} {}\n{}",
            item.kind.wire_name(),
            item.id,
            item.name,
            item.container,
            self.relative(&item.path),
            self.source(&item.path, &[(item.range, '~'), (item.selection, '^')]),
        )
    }

    fn items(&self, items: &[SymbolItem]) -> String {
        items.iter().map(|item| self.item(item)).collect()
    }

    fn calls(&self, calls: &[CallItem]) -> String {
        let mut text = String::new();
        for one in calls {
            let sites: Vec<(Range, char)> = one.sites.iter().map(|site| (*site, '^')).collect();
            let path = self.relative(&one.path);
            writeln!(text, "{} <- {path}", one.item.id).expect("a string");
            text += &self.source(&one.path, &sites);
            assert!(
                one.item.range.start <= one.item.selection.start,
                "{}",
                one.item.id
            );
            assert!(
                one.item.range.end >= one.item.selection.end,
                "{}",
                one.item.id
            );
        }
        text
    }
}

/// Prints `line:character-character`, or with the line of the end.
fn range(range: &Range) -> String {
    let (start, end) = (range.start, range.end);
    if start.line == end.line {
        format!("{}:{}-{}", start.line, start.character, end.character)
    } else {
        format!(
            "{}:{}-{}:{}",
            start.line, start.character, end.line, end.character
        )
    }
}

/// Returns a text without its marks, whose positions are added to `marks`.
fn unmarked(text: &str, path: &str, marks: &mut BTreeMap<char, (String, Position)>) -> String {
    let mut plain = String::new();
    let mut at = Position::default();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '$'
            && let Some(mark) = letters.next_if(char::is_ascii_digit)
        {
            marks.insert(mark, (path.to_owned(), at));
            continue;
        }
        plain.push(letter);
        match letter {
            '\n' => {
                at = Position {
                    line: at.line + 1,
                    character: 0,
                }
            }
            _ => at.character += letter.len_utf16() as u32,
        }
    }
    plain
}
