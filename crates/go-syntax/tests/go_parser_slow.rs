//! Holds lowering against go/parser on all of GOROOT/src. Runs only with `CODEWEFT_SLOW=1`.

mod goroot;

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use codeweft_go_syntax::GO;
use codeweft_syntax::{Names, lower};

/// How often each line occurs, blanks inside of it folded.
fn count<'t>(lines: impl Iterator<Item = &'t str>) -> HashMap<String, i32> {
    let mut counts = HashMap::new();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        *counts.entry(words.join(" ")).or_insert(0) += 1;
    }
    counts
}

/// The printed form, a declaration or body a line, without what the judge does not print: header,
/// report, and package variables, whose shapes go/parser does not know.
fn ours(text: &str, names: &Names) -> HashMap<String, i32> {
    let ir = lower(text, GO, names, &|| false).expect("nothing stops it");
    let printed = codeweft_go_syntax::print_ir(&ir, names).replace("\n ", " ");
    count(printed.lines().filter(|line| {
        let first = line.split(' ').next().unwrap_or("");
        matches!(
            first,
            "func" | "method" | "type" | "alias" | "const" | "body"
        )
    }))
}

fn judged(files: &[PathBuf]) -> Option<String> {
    let mut judge = Command::new("go")
        .args(["run", "."])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judge"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = judge.stdin.take()?;
    let paths: String = files
        .iter()
        .map(|path| format!("{}\n", path.display()))
        .collect();
    let writer = std::thread::spawn(move || input.write_all(paths.as_bytes()));
    let output = judge.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    String::from_utf8(output.stdout).ok()
}

#[test]
fn the_standard_library_is_read_as_go_parser_reads_it() {
    let Some(files) = goroot::files_if_slow() else {
        return;
    };
    let Some(judged) = judged(&files) else {
        println!("skipped: the judge does not run");
        return;
    };
    let names = Names::default();
    let (mut read, mut lines, mut differing) = (0, 0, Vec::new());
    for part in judged.split("\0").skip(1) {
        let (path, expected) = part.split_once('\n').unwrap_or((part, ""));
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let mut counts = count(expected.lines());
        read += 1;
        lines += counts.len();
        for (line, count) in ours(&text, &names) {
            *counts.entry(line).or_insert(0) -= count;
        }
        // What is deeper than the printer goes has a dot line; the judge prints it all.
        let mut wrong = counts.iter().filter(|&(_, &count)| count != 0);
        let deep = counts.keys().any(|line| line.contains('…'));
        if let Some((line, _)) = wrong.next().filter(|_| !deep) {
            let start: String = line.chars().take(300).collect();
            differing.push(format!("{path}: {start}"));
        }
    }
    println!(
        "{read} files, {lines} lines, {} files differ",
        differing.len()
    );
    assert!(read > 5000 && differing.is_empty(), "{differing:#?}");
}
