//! Sources that are no text, or that are expensive on purpose.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::clients::{agent, callers, editor, resident, slow, symbols};
use crate::workspace::{LONG, TestWorkspace};

#[test]
fn special_files_are_skipped_without_blocking() {
    let workspace = TestWorkspace::new();
    let root = workspace.site.root();
    let made = Command::new("mkfifo").arg(root.join("fifo.go")).status();
    assert!(made.expect("mkfifo").success());
    symlink("/dev/zero", root.join("zero.go")).expect("linked");
    symlink("zero.py", root.join("zero.py")).expect("linked to itself");
    symlink("/", root.join("all")).expect("linked");
    symlink("nobody.go", root.join("dangling.go")).expect("linked");
    fs::create_dir(root.join("folder.go")).expect("made");
    fs::write(root.join("nul.go"), "package m\n\0\nfunc Nul() { B() }\n").expect("written");
    fs::write(
        root.join("bytes.go"),
        b"package m\n\nfunc F\xff() { B() }\n",
    )
    .expect("written");
    fs::write(root.join("empty.go"), "").expect("written");
    let (mut agent, _process) = agent(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    // The same while it serves.
    let made = Command::new("mkfifo").arg(root.join("later.go")).status();
    assert!(made.expect("mkfifo").success());
    symlink("/dev/zero", root.join("later_zero.go")).expect("linked");
    fs::write(root.join("b.go"), "package m\n\nfunc C() { B() }\n").expect("written");
    let asked = Instant::now();
    assert_eq!(callers(&mut agent, "m.B"), ["A", "C"]);
    assert!(asked.elapsed() < Duration::from_secs(5));
    // A file that is replaced by one without an end.
    fs::remove_file(root.join("b.go")).expect("there");
    symlink("/dev/zero", root.join("b.go")).expect("linked");
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    let reply = workspace.run(&["doctor"]);
    for words in ["left out", "fifo.go: it is not a regular file"] {
        assert!(reply.out.contains(words), "{reply:?}");
    }
}

/// Returns sources with extreme nesting or length.
fn hostile(size: usize) -> Vec<(String, String)> {
    let calls = "f(".repeat(size);
    vec![
        (
            "deep.go".to_owned(),
            format!(
                "package m\n\nvar deep = {}1{}\n",
                "(".repeat(size),
                ")".repeat(size)
            ),
        ),
        (
            "open.go".to_owned(),
            format!("package m\n\nvar open = {}\n", "(".repeat(size)),
        ),
        (
            "calls.go".to_owned(),
            format!("package m\n\nfunc calls() {{ {calls} }}\n"),
        ),
        (
            "blocks.go".to_owned(),
            format!("package m\n\nfunc blocks() {}\n", "{".repeat(size)),
        ),
        (
            "types.go".to_owned(),
            format!("package m\n\ntype T {}int\n", "[]".repeat(size)),
        ),
        (
            "chain.go".to_owned(),
            format!("package m\n\nvar chain = a{}\n", ".b()".repeat(size)),
        ),
        (
            "binary.go".to_owned(),
            format!("package m\n\nvar sum = 1{}\n", " + 1".repeat(size)),
        ),
        (
            "deep.py".to_owned(),
            format!("deep = {}1{}\n", "[".repeat(size), "]".repeat(size)),
        ),
        ("calls.py".to_owned(), calls),
        (
            "not.py".to_owned(),
            format!("x = {}y\n", "not ".repeat(size)),
        ),
        (
            "chain.py".to_owned(),
            format!("x = a{}\n", ".b()".repeat(size)),
        ),
        (
            "lambda.py".to_owned(),
            format!("x = {}1\n", "lambda: ".repeat(size)),
        ),
    ]
}

#[test]
fn deeply_nested_sources_neither_crash_nor_block() {
    let size = if slow("nesting 100,000 deep") {
        100_000
    } else {
        3_000
    };
    let workspace = TestWorkspace::new();
    let root = workspace.site.root();
    let (mut agent, _process) = agent(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    let server = workspace.server().0;
    let (mut editor, _other) = editor(&workspace);
    for (name, text) in hostile(size) {
        fs::write(root.join(&name), &text).expect("written");
        assert_eq!(callers(&mut agent, "m.B"), ["A"], "{name}");
        // As edits, too.
        let path = format!("{}/typed_{name}", workspace.root());
        editor.open(&path, &text).expect("sent");
        symbols(&mut editor, &path);
        editor.edit(&path, ((0, 0), (0, 0)), "\n").expect("sent");
        symbols(&mut editor, &path);
        editor.close(&path).expect("sent");
    }
    let reply = agent
        .call(json!({"operation": "dependencies", "target": "m"}))
        .expect("answered");
    assert!(!reply.error, "{}", reply.text);
    assert_eq!(workspace.servers(), [server], "it is the same server");
    let memory = resident(server).expect("it lives");
    assert!(memory < 4 << 30, "{memory} bytes");
}

#[test]
fn one_long_line_blocks_no_client() {
    let size: usize = if !slow("a line of 8 MiB") {
        256 << 10
    } else if cfg!(debug_assertions) {
        // The time grows with the length, so a debug build gets a smaller file.
        2 << 20
    } else {
        8 << 20
    };
    let workspace = TestWorkspace::new();
    let root = workspace.site.root();
    let (mut agent, _process) = agent(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    let call = "B(); ";
    let calls = call.repeat((size - 100) / call.len());
    for (name, text) in [
        ("line.go", format!("package m; func Line() {{ {calls} }}")),
        (
            "word.go",
            format!("package m; var {} = 1", "x".repeat(size - 100)),
        ),
        ("text.py", format!("x = '{}'", "x".repeat(size - 100))),
    ] {
        fs::write(root.join(name), text).expect("written");
    }
    let asked = Instant::now();
    let reply = agent
        .call_bounded(json!({"operation": "callers", "target": "m.B"}))
        .expect("answered");
    assert!(asked.elapsed() < LONG);
    let line = &reply.structured["results"][1];
    assert_eq!(line["node"]["id"], "m.Line");
    assert_eq!(line["site_count"], calls.len() / call.len());
    // Neither the text nor the structure grows with the line.
    assert!(reply.text.len() < 10_000, "{}", reply.text.len());
}
