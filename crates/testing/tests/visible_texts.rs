//! The texts of files reach answers, logs and stores through `db::visible_text` alone, which gives nothing of a file with a secret.
//!
//! What reads `File::text` itself is in [`READERS`], with what it makes of it: never words of the text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The crates behind the rules of languages: what they read may be visible.
const CRATES: [&str; 9] = [
    "codeweft",
    "graph",
    "ide",
    "knowledge",
    "lsp",
    "mcp",
    "server",
    "store",
    "workspace",
];

/// The sources that read texts, and what of.
const READERS: &[(&str, &str)] = &[
    ("graph/src/analysis/package_files.rs", "the number of lines"),
    ("graph/src/analysis/scopes.rs", "ranges"),
    (
        "graph/src/analysis/unused/doubts.rs",
        "the offsets of names that are known already",
    ),
    (
        "graph/src/analysis/unused/find.rs",
        "whether a body does nothing",
    ),
    (
        "graph/src/call_graph/named_files.rs",
        "whether a known name occurs; lengths",
    ),
    ("graph/src/change/side.rs", "hashes"),
    (
        "graph/src/completeness/declarations.rs",
        "lines and columns",
    ),
    (
        "graph/src/completeness/incomplete_files.rs",
        "lines and columns",
    ),
    ("graph/src/editor/names.rs", "ranges of names"),
    (
        "graph/src/export/files.rs",
        "numbers of lines, and the text of a row, which `FileRow::visible_text` gives on",
    ),
    (
        "graph/src/export/parts.rs",
        "whether a text is the same; hashes",
    ),
    (
        "graph/src/flow/only_named.rs",
        "whether a known name occurs",
    ),
    ("graph/src/flow/queries.rs", "lengths"),
    ("graph/src/mentions.rs", "whether a known name occurs"),
    ("graph/src/reachability/members.rs", "names of members"),
    ("graph/src/resolve_ahead.rs", "lengths"),
    ("graph/src/targets/position.rs", "offsets of words"),
    ("graph/src/targets/suffix.rs", "whether a known name occurs"),
    (
        "ide/src/editor/cursor.rs",
        "the range of the word at a position",
    ),
    ("ide/src/editor/declarations.rs", "the range of a clause"),
    (
        "ide/src/editor/definition.rs",
        "the range of a name in a stub",
    ),
    (
        "ide/src/editor/query.rs",
        "lines and columns in the client's encoding",
    ),
    (
        "ide/src/editor/references.rs",
        "whether an assignment follows",
    ),
    ("ide/src/editor/type_definition.rs", "ranges of names"),
    (
        "knowledge/src/documents.rs",
        "trees, of texts whose secrets are masked",
    ),
    (
        "knowledge/src/wires/evaluated.rs",
        "whether a text is the same",
    ),
    ("store/src/behind/follow.rs", "whether a text is the same"),
    (
        "workspace/src/host/disk_targets.rs",
        "whether a text is the same",
    ),
    (
        "workspace/src/host/prime.rs",
        "the text of a file that broke, for the database",
    ),
    (
        "workspace/src/project/change.rs",
        "whether a text is the same",
    ),
    (
        "workspace/src/project/incremental.rs",
        "the text before, for the database",
    ),
    ("workspace/src/project/index.rs", "lengths"),
    (
        "workspace/src/project/other_texts.rs",
        "the text before, for the database",
    ),
    (
        "workspace/src/project/snapshot.rs",
        "whether a text is the same",
    ),
    (
        "workspace/src/project/text_changes.rs",
        "whether a text is the same",
    ),
];

/// Returns whether a line of Rust reads a text of a file of a database.
fn reads_text(line: &str) -> bool {
    if line.trim_start().starts_with("//") {
        return false;
    }
    let calls = [".text(", ".saved_text(", ".edited_text("];
    calls.iter().any(|call| {
        line.match_indices(call).any(|(at, _)| {
            let argument = line[at + call.len()..]
                .split([',', ';'])
                .next()
                .unwrap_or_default();
            let argument = argument.trim_start_matches('&');
            let end =
                argument.find(|letter: char| !letter.is_alphanumeric() && !"._".contains(letter));
            let path = &argument[..end.unwrap_or(argument.len())];
            path == "db" || path.ends_with(".db")
        })
    })
}

/// Returns the numbers of lines that read texts, by source.
fn readers() -> BTreeMap<String, usize> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = BTreeMap::new();
    let mut folders: Vec<_> = CRATES
        .iter()
        .map(|name| crates.join(name).join("src"))
        .collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "tests" {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = std::fs::read_to_string(&path).expect("a source");
                let lines = text.lines().filter(|line| reads_text(line)).count();
                let path = path
                    .strip_prefix(&crates)
                    .expect("below")
                    .display()
                    .to_string();
                if lines > 0 {
                    found.insert(path, lines);
                }
            }
        }
    }
    found
}

#[test]
fn only_known_sources_read_texts_that_are_may_have_secrets() {
    let found: BTreeSet<String> = readers().into_keys().collect();
    let known: BTreeSet<String> = READERS.iter().map(|(path, _)| (*path).to_owned()).collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(
        new.is_empty(),
        "take the text from db::visible_text, or add to READERS: {new:?}"
    );
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(gone.is_empty(), "these read no text: {gone:?}");
}

#[test]
fn a_line_that_reads_a_text_is_found() {
    for line in [
        "let text = file.text(db);",
        "one.file.text(query.db).len()",
        "let text = declaration.file.text(query.snapshot.db());",
        "entry.file.text(&database.db).clone()",
        "read(file.path(db), file.saved_text(db))",
    ] {
        assert!(reads_text(line), "{line}");
    }
    for line in [
        "names.text(name)",
        "// file.text(db)",
        "let text = visible_text(db, file);",
    ] {
        assert!(!reads_text(line), "{line}");
    }
}
