//! The rules of the effective text against a naive model: lists of clients with vectors of
//! characters, in the order of their last changes.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::{Position, Range};

const PATHS: [&str; 2] = ["/w/a.one", "/w/b.two"];
const CLIENTS: usize = 3;
/// Small, so that texts cross it.
const MAX_SIZE: u64 = 48;

fn coding() -> CodingLines {
    CodingLines::of_extensions(["two"])
}

/// A document as its client has it, a byte-order mark and all.
#[derive(Clone)]
struct Held {
    client: usize,
    version: i32,
    chars: Vec<char>,
    base: Option<String>,
    /// The text with which it was opened, unless it was that of `base`.
    opening: Option<String>,
    /// Whether the disk was reported since, with another text or none.
    disk_changed: bool,
}

impl Held {
    fn text(&self) -> String {
        let chars = self.chars.strip_prefix(&[BOM]).unwrap_or(&self.chars);
        chars.iter().collect()
    }

    fn would_be_unread(&self, path: &str) -> bool {
        let text = self.text();
        text.len() as u64 > MAX_SIZE || crate::decode(path, text.into_bytes(), &coding()).is_err()
    }

    fn yields(&self) -> bool {
        self.disk_changed && self.base == Some(self.text())
    }
}

/// The model of a path.
#[derive(Default)]
struct PathModel {
    disk: DiskState,
    /// Documents whose texts were the disk's when they were opened, in order of opening.
    untouched: Vec<Held>,
    /// The others, the latest change last.
    changed: Vec<Held>,
}

impl PathModel {
    fn all(&self) -> impl DoubleEndedIterator<Item = &Held> {
        self.untouched.iter().chain(&self.changed)
    }

    fn disk_text(&self) -> Option<String> {
        match &self.disk {
            DiskState::Text(text) => Some(text.to_string()),
            DiskState::Absent | DiskState::Unread(_) => None,
        }
    }

    fn winner(&self) -> Option<&Held> {
        self.all().rev().find(|held| !held.yields())
    }

    fn text(&self, path: &str) -> Option<String> {
        match self.winner() {
            Some(held) => (!self.is_unread(held, path)).then(|| held.text()),
            None => self.disk_text(),
        }
    }

    fn is_unread(&self, held: &Held, path: &str) -> bool {
        self.disk_text() != Some(held.text()) && held.would_be_unread(path)
    }

    fn held(&self, client: usize) -> Option<&Held> {
        self.all().find(|held| held.client == client)
    }

    fn close(&mut self, client: usize) {
        self.untouched.retain(|held| held.client != client);
        self.changed.retain(|held| held.client != client);
    }

    fn open(&mut self, client: usize, version: i32, text: &str) {
        self.close(client);
        let mut held = Held {
            client,
            version,
            chars: text.chars().collect(),
            base: self.disk_text(),
            opening: None,
            disk_changed: false,
        };
        held.opening = (held.base != Some(held.text())).then(|| held.text());
        let winner = self
            .winner()
            .filter(|winner| winner.text() == held.text())
            .map(|winner| winner.client);
        if self.disk_text() == Some(held.text()) {
            self.untouched.push(held);
        } else if let Some(at) = self.changed.iter().position(|h| Some(h.client) == winner) {
            // Beside the one that it says again, and those that said it before.
            self.changed.insert(at + 1, held);
        } else {
            self.changed.push(held);
        }
    }

    fn edit(&mut self, client: usize, version: i32, edits: &[Edit], encoding: Encoding) -> bool {
        let disk = self.disk_text();
        let Some(mut held) = self.held(client).cloned() else {
            return false;
        };
        let before = held.text();
        held.version = version;
        for edit in edits {
            let (start, end) = match edit.range {
                None => (0, held.chars.len()),
                Some(range) => {
                    let start = index_of(&held.chars, range.start, encoding);
                    let end = index_of(&held.chars, range.end, encoding);
                    (start.min(end), start.max(end))
                }
            };
            held.chars.splice(start..end, edit.text.chars());
        }
        if disk == Some(held.text()) {
            held.base = disk;
            held.disk_changed = false;
        }
        if held.text() == before {
            self.put(held);
        } else {
            self.close(client);
            self.changed.push(held);
        }
        true
    }

    fn save(&mut self, client: usize) {
        let Some(mut held) = self.held(client).cloned() else {
            return;
        };
        let yielded = held.yields();
        held.base = Some(held.text());
        held.opening = None;
        held.disk_changed = false;
        if yielded {
            self.close(client);
            self.changed.push(held);
        } else {
            self.put(held);
        }
    }

    /// Replaces the document that the client has.
    fn put(&mut self, held: Held) {
        let mut all = self.untouched.iter_mut().chain(&mut self.changed);
        if let Some(path_model) = all.find(|other| other.client == held.client) {
            *path_model = held;
        }
    }

    fn set_disk(&mut self, disk: DiskState) {
        self.disk = disk;
        let text = self.disk_text();
        for held in self.untouched.iter_mut().chain(&mut self.changed) {
            held.disk_changed = text != Some(held.text());
            let is_opening = text.is_some() && text == held.opening;
            if !held.disk_changed || is_opening {
                held.base.clone_from(&text);
                held.opening = None;
            }
        }
    }
}

fn units(character: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => character.len_utf8(),
        Encoding::Utf16 => character.len_utf16(),
        Encoding::Utf32 => 1,
    }
}

/// From where to where each line goes, without its break.
fn lines_of(chars: &[char]) -> Vec<(usize, usize)> {
    let mut lines = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < chars.len() {
        let after = match (chars[at], chars.get(at + 1)) {
            ('\r', Some('\n')) => at + 2,
            ('\r' | '\n', _) => at + 1,
            _ => {
                at += 1;
                continue;
            }
        };
        lines.push((start, at));
        (start, at) = (after, after);
    }
    lines.push((start, chars.len()));
    lines
}

fn index_of(chars: &[char], at: Position, encoding: Encoding) -> usize {
    let Some(&(start, end)) = lines_of(chars).get(at.line as usize) else {
        return chars.len();
    };
    let mut index = start;
    let mut used = 0;
    while index < end && used + units(chars[index], encoding) <= at.character as usize {
        used += units(chars[index], encoding);
        index += 1;
    }
    index
}

/// Returns the position of an index that is not between `\r` and `\n`.
fn position_of(chars: &[char], index: usize, encoding: Encoding) -> Position {
    let lines = lines_of(chars);
    let line = lines.iter().rposition(|&(start, _)| start <= index);
    let line = line.unwrap_or_default();
    let before = &chars[lines[line].0..index];
    Position {
        line: line as u32,
        character: before.iter().map(|&c| units(c, encoding) as u32).sum(),
    }
}

/// The source of a text; mostly one of a few, so that equal texts are likely.
#[derive(Clone, Debug)]
enum Source {
    This(String),
    TheDisks,
    TheEffective,
    TheClients(usize),
}

#[derive(Clone, Debug)]
enum DiskReport {
    Text(Source),
    Absent,
    Unread,
}

#[derive(Clone, Debug)]
enum Step {
    Open(usize, usize, i32, Source),
    Edit(usize, usize, i32, Vec<(Option<Range>, Source)>, Encoding),
    Save(usize, usize),
    Close(usize, usize),
    Leave(usize),
    Disk(usize, DiskReport),
}

fn some_text() -> impl Strategy<Value = String> {
    let pieces = [
        "a",
        "func f()",
        "\n",
        "\r\n",
        "\r",
        "ä",
        "€",
        "𝄞",
        "e\u{301}",
        "\u{feff}",
        "# coding: ascii\n",
        "# coding: klingon\n",
        "\0",
    ];
    prop_oneof![
        4 => select(vec!["", "one\n", "two\r\nzwei\r\n", "\u{feff}one\n", "𝄞\r€"]).prop_map(String::from),
        3 => proptest::collection::vec(select(pieces[..10].to_vec()), 0..8).prop_map(|p| p.concat()),
        1 => proptest::collection::vec(select(pieces.to_vec()), 0..8).prop_map(|p| p.concat()),
    ]
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        4 => some_text().prop_map(Source::This),
        1 => Just(Source::TheDisks),
        1 => Just(Source::TheEffective),
        1 => (0..CLIENTS).prop_map(Source::TheClients),
    ]
}

fn position() -> impl Strategy<Value = Position> {
    (0u32..4, 0u32..9).prop_map(|(line, character)| Position { line, character })
}

fn an_edit() -> impl Strategy<Value = (Option<Range>, Source)> {
    let range = (position(), position()).prop_map(|(start, end)| Range { start, end });
    prop_oneof![
        4 => (range.prop_map(Some), some_text().prop_map(Source::This)),
        1 => (Just(None), source()),
    ]
}

fn encoding() -> impl Strategy<Value = Encoding> {
    select(vec![Encoding::Utf8, Encoding::Utf16, Encoding::Utf32])
}

fn step() -> impl Strategy<Value = Step> {
    let client = || 0..CLIENTS;
    let path = || 0..PATHS.len();
    let report = prop_oneof![
        5 => source().prop_map(DiskReport::Text),
        1 => Just(DiskReport::Absent),
        1 => Just(DiskReport::Unread),
    ];
    let edits = proptest::collection::vec(an_edit(), 0..4);
    prop_oneof![
        5 => (client(), path(), any::<i32>(), source()).prop_map(|(c, p, v, t)| Step::Open(c, p, v, t)),
        6 => (client(), path(), any::<i32>(), edits, encoding())
            .prop_map(|(c, p, v, e, n)| Step::Edit(c, p, v, e, n)),
        2 => (client(), path()).prop_map(|(c, p)| Step::Save(c, p)),
        2 => (client(), path()).prop_map(|(c, p)| Step::Close(c, p)),
        1 => client().prop_map(Step::Leave),
        4 => (path(), report).prop_map(|(p, t)| Step::Disk(p, t)),
    ]
}

/// The vfs and the model side by side.
struct Pair {
    vfs: Vfs,
    paths: Vec<PathModel>,
    seen: u64,
    /// The texts that [`Vfs::changes_since`] has reported.
    seen_texts: BTreeMap<Arc<str>, Arc<str>>,
}

impl Pair {
    fn text(&self, path: usize, source: &Source) -> String {
        let path_model = &self.paths[path];
        match source {
            Source::This(text) => Some(text.clone()),
            Source::TheDisks => path_model.disk_text(),
            Source::TheEffective => path_model.text(PATHS[path]),
            Source::TheClients(client) => path_model.held(*client).map(Held::text),
        }
        .unwrap_or_default()
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Open(client, path, version, source) => {
                let text = self.text(*path, source);
                self.paths[*path].open(*client, *version, &text);
                self.vfs.open(id(*client), PATHS[*path], *version, &text);
            }
            Step::Edit(client, path, version, edits, encoding) => {
                let edits: Vec<Edit> = edits
                    .iter()
                    .map(|(range, source)| Edit {
                        range: *range,
                        text: self.text(*path, source),
                    })
                    .collect();
                let done = self.paths[*path].edit(*client, *version, &edits, *encoding);
                let report = self
                    .vfs
                    .edit(id(*client), PATHS[*path], *version, &edits, *encoding);
                assert_eq!(
                    report,
                    if done {
                        Ok(())
                    } else {
                        Err(EditError::NotOpen)
                    }
                );
            }
            Step::Save(client, path) => {
                self.paths[*path].save(*client);
                self.vfs.save(id(*client), PATHS[*path]);
            }
            Step::Close(client, path) => {
                self.paths[*path].close(*client);
                self.vfs.close(id(*client), PATHS[*path]);
            }
            Step::Leave(client) => {
                for path_model in &mut self.paths {
                    path_model.close(*client);
                }
                self.vfs.leave(id(*client));
            }
            Step::Disk(path, report) => {
                let disk = match report {
                    DiskReport::Text(source) => {
                        let text = self.text(*path, source);
                        DiskState::Text(text.strip_prefix(BOM).unwrap_or(&text).into())
                    }
                    DiskReport::Absent => DiskState::Absent,
                    DiskReport::Unread => DiskState::Unread(UnreadReason::NotUtf8),
                };
                self.paths[*path].set_disk(disk.clone());
                self.vfs.set_disk(PATHS[*path], disk);
            }
        }
    }

    fn compare(&mut self, offset: Index, encoding: Encoding) {
        let (last, changes) = self.vfs.changes_since(self.seen);
        self.seen = last;
        for Change { path, text } in changes {
            match text {
                Some(text) => self.seen_texts.insert(path, text),
                None => self.seen_texts.remove(&path),
            };
        }
        let mut unsaved = Vec::new();
        for (path_model, path) in self.paths.iter().zip(PATHS) {
            let text = path_model.text(path);
            assert_eq!(self.vfs.text(path).as_deref(), text.as_deref());
            assert_eq!(
                self.seen_texts.get(path).map(|text| &**text),
                text.as_deref()
            );
            let unread = match path_model.winner() {
                Some(held) => path_model.is_unread(held, path),
                None => matches!(path_model.disk, DiskState::Unread(_)),
            };
            assert_eq!(self.vfs.unread(path).is_some(), unread);
            assert_eq!(self.vfs.disk(path), path_model.disk);
            assert_eq!(self.vfs.is_open(path), path_model.all().next().is_some());
            if text != path_model.disk_text() {
                unsaved.push(path);
            }
            for client in 0..CLIENTS {
                let document = self.vfs.document(id(client), path);
                let held = path_model.held(client);
                assert_eq!(document.is_some(), held.is_some());
                if let (Some(document), Some(held)) = (document, held) {
                    compare_documents(&document, held, offset, encoding);
                }
            }
        }
        let report = self.vfs.unsaved();
        assert_eq!(
            report.iter().map(|path| &**path).collect::<Vec<_>>(),
            unsaved
        );
    }
}

fn compare_documents(document: &Document, held: &Held, offset: Index, encoding: Encoding) {
    let text = held.text();
    assert_eq!(*document.text, *text);
    assert_eq!(**document.lines.text(), *text);
    assert_eq!(document.version, held.version);
    let bom = usize::from(held.chars.first() == Some(&BOM));
    assert_eq!(document.lines.bom(), bom == 1);
    // An offset that has a position.
    let mut index = offset.index(text.chars().count() + 1) + bom;
    if index > 0 && held.chars[index - 1] == '\r' && held.chars.get(index) == Some(&'\n') {
        index -= 1;
    }
    let bytes: usize = held.chars[bom..index].iter().map(|c| c.len_utf8()).sum();
    let position = position_of(&held.chars, index, encoding);
    assert_eq!(document.lines.position(bytes as u32, encoding), position);
    assert_eq!(document.lines.offset(position, encoding), bytes as u32);
    assert_eq!(index_of(&held.chars, position, encoding), index);
}

fn id(client: usize) -> ClientId {
    ClientId(client as u32)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 800,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_sequence_of_steps_leaves_what_a_naive_model_has(
        steps in proptest::collection::vec((step(), any::<Index>(), encoding()), 1..40),
    ) {
        let mut pair = Pair {
            vfs: Vfs::new(MAX_SIZE, coding()),
            paths: PATHS.iter().map(|_| PathModel::default()).collect(),
            seen: 0,
            seen_texts: BTreeMap::new(),
        };
        for (step, offset, encoding) in steps {
            let before = PATHS.map(|path| pair.vfs.text(path));
            let again = match &step {
                Step::Open(client, path, _, source) => {
                    let text = pair.text(*path, source);
                    let text = text.strip_prefix(BOM).unwrap_or(&text).to_owned();
                    let path_model = &pair.paths[*path];
                    let known = [path_model.disk_text(), path_model.text(PATHS[*path])];
                    path_model.held(*client).is_none() && known.contains(&Some(text))
                }
                _ => false,
            };
            pair.take(&step);
            pair.compare(offset, encoding);
            if again {
                // Opening what is there is no change, even if others have it open.
                prop_assert_eq!(before, PATHS.map(|path| pair.vfs.text(path)));
            }
        }
    }
}
