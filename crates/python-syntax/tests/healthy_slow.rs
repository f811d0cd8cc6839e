//! Holds the reading of healthy text against tree-sitter's: all files of the corpora, and mutations of
//! them. Runs only with `CODEWEFT_SLOW=1`.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use codeweft_python_syntax::{AsPython as _, PYTHON, is_healthy, lower_with_tree_sitter};
use codeweft_syntax::{FileIr, NameId, Names, lower};

fn lower_by_tree_sitter(text: &str, names: &Names) -> FileIr {
    lower_with_tree_sitter(text, names).expect("nothing stops it")
}

fn lower_alone(text: &str, names: &Names) -> FileIr {
    lower(text, PYTHON, names, &|| false).expect("nothing stops it")
}

/// Returns the texts below the folders in `CODEWEFT_CORPORA`, as in `PATH`; `None` where the test is
/// to be skipped.
fn texts() -> Option<Vec<(PathBuf, String)>> {
    if std::env::var_os("CODEWEFT_SLOW").is_none() {
        println!("skipped: CODEWEFT_SLOW is not set");
        return None;
    }
    let Some(folders) = std::env::var_os("CODEWEFT_CORPORA") else {
        println!("skipped: CODEWEFT_CORPORA is not set");
        return None;
    };
    let mut files = Vec::new();
    for folder in std::env::split_paths(&folders) {
        collect(&folder, &mut files);
    }
    files.sort();
    let read = |path: PathBuf| Some((path.clone(), std::fs::read_to_string(path).ok()?));
    Some(files.into_iter().filter_map(read).collect())
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_python = path
            .extension()
            .is_some_and(|end| end == "py" || end == "pyi");
        if path.is_dir() && !path.is_symlink() {
            collect(&path, into);
        } else if is_python {
            into.push(path);
        }
    }
}

/// Returns a place where two lowered forms differ.
fn difference(own: &FileIr, other: &FileIr, names: &Names) -> String {
    let print = |ir: &FileIr| codeweft_python_syntax::print_ir(ir, names);
    let (own_text, other_text) = (print(own), print(other));
    let mut lines = own_text.lines().zip(other_text.lines());
    let line = lines.find(|(own, other)| own != other);
    let parts = [
        ("header", *own.header == *other.header),
        ("items", *own.items == *other.items),
        ("bodies", *own.bodies == *other.bodies),
        ("ranges", own.ranges == other.ranges),
        ("identifiers", own.identifiers == other.identifiers),
        ("report", own.report == other.report),
    ];
    let parts: Vec<&str> = parts
        .iter()
        .filter(|part| !part.1)
        .map(|part| part.0)
        .collect();
    format!("{parts:?} {line:?} {:?}", other.report)
}

/// Asserts that few texts of many differ, and prints them. The grammar departs from the reference in
/// rare constructs, which `healthy_text.rs` lists: a parenthesized target, `type(x).y = z`.
fn few_differ(wrong: &[String], count: usize) {
    println!("{} of {count} differ", wrong.len());
    for one in wrong {
        println!("differs {one}");
    }
    assert!(wrong.len() * 400 <= count, "{} of {count}", wrong.len());
}

#[test]
fn files_are_read_as_tree_sitter_reads_them_but_for_rare_constructs() {
    let Some(texts) = texts() else { return };
    let names = Names::default();
    let (mut sound, mut accepted, mut wrong, mut declined) = (0, 0, Vec::new(), Vec::new());
    for (path, text) in &texts {
        let is_accepted = is_healthy(text);
        let other = lower_by_tree_sitter(text, &names);
        let is_sound = *other.report == codeweft_syntax::Report::default();
        sound += usize::from(is_sound);
        accepted += usize::from(is_accepted && is_sound);
        if is_accepted {
            let own = lower_alone(text, &names);
            if !own.same(&other) {
                wrong.push(format!(
                    "{}: {}",
                    path.display(),
                    difference(&own, &other, &names)
                ));
            }
        } else if is_sound {
            declined.push(path.display().to_string());
        }
    }
    println!(
        "{} files, {sound} sound, {accepted} of them accepted",
        texts.len()
    );
    for path in &declined {
        println!("declined {path}");
    }
    few_differ(&wrong, sound);
    assert!(accepted * 100 >= sound * 99, "{accepted} of {sound}");
}

/// A generator of the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

/// Returns the start and end of the token around an offset, as far as a split at bytes that are no
/// letters gives it.
fn token_at(text: &str, at: usize) -> (usize, usize) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let bytes = text.as_bytes();
    let before = bytes[..at].iter().rev().take_while(|byte| is_word(byte));
    let behind = bytes[at..].iter().take_while(|byte| is_word(byte));
    let (start, end) = (at - before.count(), at + behind.count());
    if end > start {
        (start, end)
    } else {
        (at, (at + 1).min(text.len()))
    }
}

/// Returns a text with one token or byte deleted, doubled, inserted or replaced.
fn mutated(text: &str, random: &mut Random) -> Option<String> {
    const INSERTED: [&str; 44] = [
        "(", ")", "[", "]", "{", "}", ",", ";", ":", ":=", "=", ".", "...", "*", "**", "@", "->",
        "+=", "==", "\n", "\n    ", " ", "x", "1", "1j", "\"s\"", "f'{x}'", "rb''", "not ",
        "await ", "lambda: ", "if ", "else ", "for ", "in ", "as ", "async ", "yield ", "match ",
        "case ", "type ", "print ", "# c\n", "\\\n",
    ];
    let at = random.below(text.len());
    let line = text.as_bytes()[..at]
        .iter()
        .rposition(|&byte| byte == b'\n');
    let line = text.get(line.map_or(0, |line| line + 1)..at)?;
    if line.contains('#') {
        return None;
    }
    let (start, end) = token_at(text, at);
    let token = text.get(start..end)?;
    let inserted = INSERTED[random.below(INSERTED.len())];
    let middle = match random.below(4) {
        0 => String::new(),
        1 => format!("{token}{token}"),
        2 => format!("{token}{inserted}"),
        _ => inserted.to_owned(),
    };
    Some([&text[..start], &middle, &text[end..]].concat())
}

#[test]
fn ten_thousand_mutations_are_read_as_tree_sitter_reads_them_but_for_rare_constructs() {
    let Some(mut texts) = texts() else { return };
    texts.retain(|(_, text)| !text.is_empty() && text.len() < 12_000);
    let names = Names::default();
    let seed = std::env::var("CODEWEFT_SEED").ok();
    let seed: u64 = seed.and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut random = Random(seed.wrapping_mul(0x5DEE_CE66_D1CE_4E5B) | 1);
    let (mut count, mut accepted, mut wrong) = (0, 0, Vec::new());
    while count < 10_000 {
        let (path, text) = &texts[random.below(texts.len())];
        let Some(text) = mutated(text, &mut random) else {
            continue;
        };
        count += 1;
        if !is_healthy(&text) {
            continue;
        }
        accepted += 1;
        let (own, other) = (
            lower_alone(&text, &names),
            lower_by_tree_sitter(&text, &names),
        );
        if !own.same(&other) {
            let found = difference(&own, &other, &names);
            wrong.push(format!("{count} {}: {found}", path.display()));
            if let Some(folder) = std::env::var_os("CODEWEFT_KEEP") {
                let path = PathBuf::from(folder).join(format!("{count}.py"));
                std::fs::write(path, &text).expect("the folder can be written");
            }
        }
    }
    println!("{count} mutations, {accepted} accepted");
    few_differ(&wrong, accepted);
}

#[test]
fn healthy_text_is_lowered_several_times_as_fast_as_by_tree_sitter() {
    let Some(texts) = texts() else { return };
    let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    let mut best = [Duration::MAX; 3];
    for _ in 0..3 {
        let names = Names::default();
        let started = Instant::now();
        texts
            .iter()
            .for_each(|text| _ = black_box(is_healthy(text)));
        best[0] = best[0].min(started.elapsed());
        let started = Instant::now();
        texts
            .iter()
            .for_each(|text| drop(black_box(lower_alone(text, &names))));
        best[1] = best[1].min(started.elapsed());
        let names = Names::default();
        let started = Instant::now();
        texts
            .iter()
            .for_each(|text| drop(black_box(lower_by_tree_sitter(text, &names))));
        best[2] = best[2].min(started.elapsed());
    }
    let [parsing, own, other] = best;
    println!("parser alone {:.1} MB/s", rate(parsing));
    println!(
        "lowering {:.1} MB/s, by tree-sitter {:.1} MB/s",
        rate(own),
        rate(other)
    );
    assert!(cfg!(debug_assertions) || own * 2 < other);
}

/// Returns how many values of one list another one lacks, each counted as often as it is there.
fn lacking<T: Ord>(of: Vec<T>, mut there: Vec<T>) -> usize {
    there.sort_unstable();
    let mut count = 0;
    for one in of {
        match there.binary_search(&one) {
            Ok(at) => _ = there.remove(at),
            Err(_) => count += 1,
        }
    }
    count
}

fn declarations(ir: &FileIr) -> Vec<(u8, NameId)> {
    let items = ir.items.python().map_or(&[][..], |items| &items.items);
    items
        .iter()
        .map(|item| (item.kind as u8, item.name))
        .collect()
}

fn bodies(ir: &FileIr, names: &Names) -> Vec<String> {
    let printed = codeweft_python_syntax::print_ir(ir, names);
    let parts = printed.split("\nbody #").skip(1);
    let bodies = parts.filter_map(|part| part.split_once('\n'));
    bodies.map(|(_, body)| body.to_owned()).collect()
}

/// Of broken text as much is read as tree-sitter reads of it. A body in which it leaves the error out, as if it was never written,
/// counts for it: hence the hundredth.
#[test]
fn broken_text_keeps_the_declarations_and_bodies_that_tree_sitter_keeps() {
    let Some(mut texts) = texts() else { return };
    texts.retain(|(_, text)| !text.is_empty() && text.len() < 12_000 && is_healthy(text));
    let names = Names::default();
    let mut random = Random(0x5DEE_CE66_D1CE_4E5B);
    let (mut count, mut lost, mut changed) = (0, (0, 0), (0, 0));
    while count < 3_000 {
        let (_, text) = &texts[random.below(texts.len())];
        let Some(broken) = mutated(text, &mut random).filter(|text| !is_healthy(text)) else {
            continue;
        };
        count += 1;
        let whole = lower_alone(text, &names);
        let (own, other) = (
            lower_alone(&broken, &names),
            lower_by_tree_sitter(&broken, &names),
        );
        lost.0 += lacking(declarations(&whole), declarations(&own));
        lost.1 += lacking(declarations(&whole), declarations(&other));
        changed.0 += lacking(bodies(&whole, &names), bodies(&own, &names));
        changed.1 += lacking(bodies(&whole, &names), bodies(&other, &names));
    }
    println!(
        "{count} broken texts: {lost:?} declarations lost, {changed:?} bodies changed, tree-sitter's behind"
    );
    assert!(lost.0 <= lost.1 && changed.0 * 100 <= changed.1 * 101);
}
