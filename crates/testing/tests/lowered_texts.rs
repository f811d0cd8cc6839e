//! The binary form of lowered texts: what is decoded, in the numbering of another interner, is what the text
//! lowers to there. And header and items that are lowered alone are those of the whole text. Here a text of each language; with `CODEWEFT_SLOW=1` every file of the corpora in
//! `CODEWEFT_CORPORA` and of the Go installation.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use codeweft_go_syntax::GO;
use codeweft_python_syntax::PYTHON;
use codeweft_syntax::record::{decode, decode_declarations, encode};
use codeweft_syntax::{Lang, Names, lower, lower_header, lower_items};

/// Encodes with one interner and decodes with another; returns the sizes of the text and of the sections.
fn check(text: &str, lang: Lang, from: &Names, to: &Names, path: &str) -> (usize, usize) {
    let ir = lower(text, lang, from, &|| false).expect("nothing stops it");
    let sections = encode(&ir, lang, from).expect("a language with a binary form");
    let read = decode(sections.each_ref().map(Vec::as_slice), lang, to);
    let read = read.unwrap_or_else(|malformed| panic!("{path}: {malformed:?}"));
    let expected = lower(text, lang, to, &|| false).expect("nothing stops it");
    assert!(read.same(&expected), "{path}");
    let (header, items) = decode_declarations(sections.each_ref().map(Vec::as_slice), lang, to)
        .expect("they were read before");
    assert!(
        *header == *expected.header && *items == *expected.items,
        "{path}"
    );
    if let Some(alone) = lower_header(text, lang, to) {
        assert!(*alone == *expected.header, "{path}: the header alone");
    }
    let alone = lower_items(text, lang, to).expect("nothing stops it");
    assert!(*alone == *expected.items, "{path}: the items alone");
    (text.len(), sections.iter().map(Vec::len).sum())
}

#[test]
fn a_text_of_each_language_comes_back() {
    let go = "//go:build linux && !cgo\n\n// Package a.\npackage a\n\nimport . \"io\"\n\ntype T[K comparable] struct{ Reader `tag`; n map[K][]int }\n\nfunc (t *T[K]) M(x ...K) (n int, err error) { L: for i := range 3 { if n > 1<<70 { break L }; go func() { t.n[x[0]] = append(t.n[x[0]], -i, 'x') }() }; return }\n\nvar x, y = f()\nconst c = iota\n";
    let python = "from . import a as b, c\nimport x.y\n\n@b.d(1)\nclass C(b.B[int], metaclass=c):\n    __all__: 'list[str]' = ['n']\n    async def m(self, *args, k=None, **kw) -> int:\n        self.x = [y for y in args if isinstance(y, C)]\n        a, *r = kw[k] or lambda: 1\n        while (z := await r): yield f'{z!r}' + -1\n        match z:\n            case C(q): return q\n";
    for (text, lang) in [(go, GO), (python, PYTHON)] {
        let (from, to) = (Names::default(), Names::default());
        from.intern("first");
        for broken in [
            text.to_owned(),
            text.replacen(')', "", 1),
            text.replace('\n', "\r\n"),
            String::new(),
        ] {
            check(&broken, lang, &from, &to, lang.wire_name());
        }
        // Every beginning of it.
        for (end, _) in text.char_indices().step_by(7) {
            check(&text[..end], lang, &from, &to, lang.wire_name());
        }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files(&entry.path(), found),
            Ok(kind) if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
}

#[test]
fn every_file_of_the_corpora_comes_back() {
    if env::var("CODEWEFT_SLOW").ok().as_deref() != Some("1") {
        eprintln!("skipped: set CODEWEFT_SLOW=1");
        return;
    }
    let mut found = Vec::new();
    match env::var_os("CODEWEFT_CORPORA") {
        Some(corpora) => files(Path::new(&corpora), &mut found),
        None => eprintln!("skipped the corpora: set CODEWEFT_CORPORA"),
    }
    let go = Command::new("go").args(["env", "GOROOT"]).output();
    match go {
        Ok(output) => files(
            Path::new(String::from_utf8_lossy(&output.stdout).trim()),
            &mut found,
        ),
        Err(error) => eprintln!("skipped the Go installation: {error}"),
    }
    found.sort();
    let (from, to) = (Names::default(), Names::default());
    let (mut count, mut bytes, mut encoded) = (0, 0, 0);
    for path in &found {
        let printed = path.to_string_lossy();
        let Some(lang) = [GO, PYTHON]
            .into_iter()
            .find(|lang| lang.reads_path(&printed))
        else {
            continue;
        };
        let Ok(text) = fs::read_to_string(path) else {
            continue;
        };
        let (size, kept) = check(&text, lang, &from, &to, &printed);
        (count, bytes, encoded) = (count + 1, bytes + size, encoded + kept);
    }
    println!("{count} files, {bytes} bytes of text, {encoded} bytes of records");
    assert!(count > 0);
}
