//! What editors are answered, a rule each, on small workspaces with marks in their texts.

mod calls;
mod definition;
mod everywhere;
mod hover;
mod implementation;
mod outline;
mod references;
mod search;
mod twins;
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

/// A loaded workspace, and where its marks stand: `$0` to `$9`, in UTF-16.
struct Fixture {
    world: ProjectDatabase,
    _folder: tempfile::TempDir,
    marks: BTreeMap<char, (String, Position)>,
}

impl Fixture {
    /// The files of a string: a line `//- path` begins each. The module is `m`.
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
        let world = ProjectDatabase::load(LoadOptions {
            variables: Some(BTreeMap::from([
                ("GOOS".to_owned(), "linux".to_owned()),
                ("GOARCH".to_owned(), "amd64".to_owned()),
            ])),
            threads: 2,
            ..LoadOptions::new(&root)
        });
        Fixture {
            world: world.expect("a workspace"),
            _folder: folder,
            marks,
        }
    }

    fn ask<T>(&self, question: impl FnOnce(&Snapshot<'_>) -> T) -> T {
        question(&self.world.snapshot(&RequestCancellation::default()))
    }

    /// Asks at a mark.
    fn at<T>(&self, mark: char, question: impl FnOnce(&Snapshot<'_>, &str, Position) -> T) -> T {
        let (path, at) = self.marks.get(&mark).expect("a mark of the fixture");
        self.ask(|snapshot| question(snapshot, path, *at))
    }

    fn path(&self, path: &str) -> String {
        format!("{}/{path}", self.world.root())
    }

    /// The id of the first call item at a mark.
    fn id(&self, mark: char) -> String {
        let id = self.at(mark, |snapshot, path, at| {
            editor::id_at(snapshot, path, at, UTF16)
        });
        id.expect("something of the graph")
    }

    fn relative<'p>(&self, path: &'p str) -> &'p str {
        let below = path.strip_prefix(self.world.root());
        below.map_or(path, |path| path.trim_start_matches('/'))
    }

    fn locations(&self, locations: &[Location]) -> String {
        let lines = locations.iter().map(|location| {
            let path = self.relative(&location.path);
            format!("{path}:{}\n", range(&location.range))
        });
        lines.collect()
    }

    fn item(&self, item: &SymbolItem) -> String {
        format!(
            "{} {} {} in {:?} {}:{} of {}",
            item.kind.wire_name(),
            item.id,
            item.name,
            item.container,
            self.relative(&item.path),
            range(&item.selection),
            range(&item.range),
        )
    }

    fn items(&self, items: &[SymbolItem]) -> String {
        items.iter().map(|item| self.item(item) + "\n").collect()
    }

    fn calls(&self, calls: &[CallItem]) -> String {
        let mut text = String::new();
        for one in calls {
            let sites: Vec<String> = one.sites.iter().map(range).collect();
            let path = self.relative(&one.path);
            let sites = sites.join(" ");
            writeln!(text, "{} <- {path}:{sites}", one.item.id).expect("a string");
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

/// `line:character-character`, or with the line of the end.
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

/// A text without its marks, which are noted.
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
