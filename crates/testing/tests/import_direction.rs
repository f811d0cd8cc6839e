//! Holds the walls of the house: which room may import which, and which words may stand where.
//! `docs/architecture.md` tells the reasons. Every rule is tested on an input that breaks it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The rooms, each with those that it may import. Imports run down this list and never up.
const ROOMS: &[(&str, &[&str])] = &[
    (
        "codeweft",
        &[
            "lsp",
            "mcp",
            "server",
            "ide",
            "workspace",
            "store",
            "graph",
            "go",
            "python",
            "db",
            "syntax",
            "vfs",
        ],
    ),
    ("lsp", &["ide", "workspace"]),
    ("mcp", &["ide", "workspace"]),
    ("server", &["workspace", "graph"]),
    (
        "testing",
        &["ide", "workspace", "graph", "db", "syntax", "vfs"],
    ),
    ("ide", &["workspace", "graph", "db", "vfs"]),
    ("workspace", &["graph", "db", "vfs"]),
    ("store", &["graph", "db"]),
    ("graph", &["go", "python", "db"]),
    ("go", &["db", "syntax"]),
    ("python", &["db", "syntax"]),
    ("db", &["syntax", "vfs"]),
    ("syntax", &[]),
    ("vfs", &[]),
];

/// The room that only tests and benches may import.
const FOR_TESTS: &str = "testing";

/// Crates of others that belong to some rooms alone, by the start of their names.
const KEPT: &[(&str, &[&str])] = &[
    ("tree-sitter", &["syntax"]),
    ("salsa", &["db", "go", "python", "graph", "workspace"]),
    ("rmcp", &["mcp"]),
    ("schemars", &["mcp"]),
    ("lsp-server", &["lsp"]),
    ("lsp-types", &["lsp"]),
    ("gen-lsp-types", &["lsp"]),
    ("notify", &["vfs"]),
];

/// One dependency of a package of the workspace.
#[derive(Clone, Debug)]
struct Import {
    from: String,
    to: String,
    dev: bool,
}

/// The room of a package name; `None` for a crate of others.
fn room(package: &str) -> Option<&str> {
    match package {
        "codeweft" | "xtask" => Some(package),
        _ => package.strip_prefix("codeweft-"),
    }
}

/// All dependencies that `cargo metadata --no-deps` tells.
fn imports(metadata: &Value) -> Vec<Import> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut imports = Vec::new();
    for package in list(&metadata["packages"]) {
        for dependency in list(&package["dependencies"]) {
            imports.push(Import {
                from: text(&package["name"]),
                to: text(&dependency["name"]),
                dev: dependency["kind"] == "dev",
            });
        }
    }
    imports
}

/// What a room may import over any number of steps.
fn below(room: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    // The list runs downwards, so one pass sees every room after those above it.
    for (name, may) in ROOMS {
        if *name == room || found.contains(name) {
            found.extend(may.iter().copied());
        }
    }
    found
}

/// The imports that break the list of rooms or take a crate that is kept elsewhere.
fn wrong_imports(imports: &[Import]) -> Vec<String> {
    let mut wrong = Vec::new();
    for Import { from, to, dev } in imports {
        let Some(from) = room(from) else {
            wrong.push(format!("{from} is no room"));
            continue;
        };
        let Some((_, may)) = ROOMS.iter().find(|(name, _)| *name == from) else {
            if from != "xtask" {
                wrong.push(format!("{from} is no room of the list"));
            } else if room(to).is_some() {
                wrong.push(format!("xtask imports {to}: it only runs what was built"));
            }
            continue;
        };
        match room(to) {
            Some(to) if *dev => {
                let for_tests = to == FOR_TESTS || from == FOR_TESTS && to != "codeweft";
                if !for_tests && !below(from).contains(to) {
                    wrong.push(format!("the tests of {from} import {to}"));
                }
            }
            Some(to) if !may.contains(&to) => wrong.push(format!("{from} imports {to}")),
            Some(_) => {}
            None => {
                for (crate_name, rooms) in KEPT {
                    if to.starts_with(crate_name) && !rooms.contains(&from) && !dev {
                        wrong.push(format!("{from} imports {to}"));
                    }
                }
            }
        }
    }
    wrong
}

/// A source file: its path from the workspace's root, with `/`, and its text.
struct Source {
    path: String,
    text: String,
}

/// A rule about words: where `hits` finds something, `path` must be inside `home`.
struct WordRule {
    what: &'static str,
    /// Only files below one of these are looked at.
    looked_at: &'static [&'static str],
    /// In files whose path starts so the words may stand.
    home: &'static [&'static str],
    /// Whether a line of code, free of comments, breaks the rule.
    breaks: fn(&str) -> bool,
}

const WORD_RULES: &[WordRule] = &[
    WordRule {
        what: "graph names a language only in languages.rs",
        looked_at: &["crates/graph/src/"],
        home: &["crates/graph/src/languages.rs"],
        breaks: |line| {
            ["codeweft_go", "codeweft_python"]
                .iter()
                .any(|word| has_word(line, word))
                || line.contains("Lang::Go")
                || line.contains("Lang::Python")
        },
    },
    WordRule {
        what: "tree-sitter lives in syntax",
        looked_at: &["crates/"],
        home: &["crates/syntax/", "crates/testing/"],
        breaks: |line| line.contains("tree_sitter"),
    },
    WordRule {
        what: "salsa is named outside db only in attributes and signatures of queries",
        looked_at: &["crates/"],
        home: &["crates/db/", "crates/testing/"],
        breaks: |line| has_word(&without_query_words(line), "salsa"),
    },
    WordRule {
        what: "the protocol of agents lives in mcp",
        looked_at: &["crates/"],
        home: &["crates/mcp/", "crates/testing/"],
        breaks: |line| has_word(line, "rmcp") || has_word(line, "schemars"),
    },
];

/// Whether `word` stands in `line` with no letter, digit or `_` beside it.
fn has_word(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].chars().next_back().is_some_and(part)
            && !line[at + word.len()..].chars().next().is_some_and(part)
    })
}

/// A line without the attributes and types of salsa that declare a query or an interned key.
fn without_query_words(line: &str) -> String {
    let mut line = line.to_owned();
    for word in [
        "#[salsa::tracked",
        "#[salsa::interned",
        "salsa::Update",
        "salsa::Id",
        "salsa::Cycle",
    ] {
        line = line.replace(word, "");
    }
    line
}

/// The code of a line: what stands before `//`.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// The lines that break a rule, as `path:line: what`.
fn wrong_words(sources: &[Source], rules: &[WordRule]) -> Vec<String> {
    let mut wrong = Vec::new();
    for Source { path, text } in sources {
        for rule in rules {
            let starts = |folders: &[&str]| folders.iter().any(|one| path.starts_with(one));
            if !starts(rule.looked_at) || starts(rule.home) {
                continue;
            }
            for (number, line) in text.lines().enumerate() {
                if (rule.breaks)(code(line)) {
                    wrong.push(format!("{path}:{}: {}", number + 1, rule.what));
                }
            }
        }
    }
    wrong
}

/// Whether a source is held to the rules. Tests and benches stand outside the walls, inside a crate
/// too: they may look into every room.
fn stands_inside(path: &str) -> bool {
    let mut parts = path.split('/').skip(2);
    parts.next() == Some("src") && !parts.any(|part| part == "tests" || part == "tests.rs")
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/testing lies two folders below the root")
        .to_owned()
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(workspace())
        .output()
        .expect("cargo starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

fn sources() -> Vec<Source> {
    let root = workspace();
    let mut sources = Vec::new();
    let mut folders = vec![root.join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the workspace can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|one| one == "rs") {
                let from_root = path.strip_prefix(&root).expect("below the root");
                let from_root = from_root.to_string_lossy().replace('\\', "/");
                if stands_inside(&from_root) {
                    sources.push(Source {
                        path: from_root,
                        text: std::fs::read_to_string(&path).expect("a source is text"),
                    });
                }
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

#[test]
fn rooms_import_only_what_stands_below() {
    assert_eq!(wrong_imports(&imports(&metadata())), Vec::<String>::new());
}

#[test]
fn every_room_lies_in_the_folder_of_its_name_and_stands_in_the_list() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let mut seen = BTreeSet::new();
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        let manifest = package["manifest_path"].as_str().expect("a path");
        let room = room(name).unwrap_or_else(|| panic!("{name} is no room"));
        let folder = Path::new(manifest).parent().expect("a folder");
        assert_eq!(folder.file_name().and_then(|one| one.to_str()), Some(room));
        seen.insert(room.to_owned());
    }
    for (name, _) in ROOMS {
        assert!(
            seen.contains(*name),
            "{name} stands in the list and is not built"
        );
    }
}

#[test]
fn the_list_of_rooms_has_no_way_up() {
    for (number, (name, may)) in ROOMS.iter().enumerate() {
        for one in *may {
            let at = ROOMS.iter().position(|(other, _)| other == one);
            assert!(at.is_some_and(|at| at > number), "{name} -> {one}");
        }
    }
}

#[test]
fn words_stand_in_their_rooms() {
    let sources = sources();
    assert!(sources.len() > ROOMS.len(), "the walk found the sources");
    assert_eq!(wrong_words(&sources, WORD_RULES), Vec::<String>::new());
}

// The rules on inputs that break them.

fn import(from: &str, to: &str, dev: bool) -> Import {
    Import {
        from: from.to_owned(),
        to: to.to_owned(),
        dev,
    }
}

fn word(path: &str, text: &str) -> Vec<String> {
    let source = Source {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    wrong_words(&[source], WORD_RULES)
}

#[test]
fn an_import_upwards_is_found() {
    let metadata = serde_json::json!({"packages": [
        {"name": "codeweft-db", "dependencies": [
            {"name": "codeweft-graph", "kind": null},
            {"name": "codeweft-syntax", "kind": null},
        ]},
        {"name": "codeweft-mcp", "dependencies": [{"name": "codeweft-db", "kind": null}]},
    ]});
    assert_eq!(
        wrong_imports(&imports(&metadata)),
        ["db imports graph", "mcp imports db"]
    );
}

#[test]
fn an_import_between_languages_is_found() {
    let wrong = wrong_imports(&[import("codeweft-go", "codeweft-python", false)]);
    assert_eq!(wrong, ["go imports python"]);
}

#[test]
fn an_unknown_room_is_found() {
    let wrong = wrong_imports(&[import("codeweft-attic", "codeweft-db", false)]);
    assert_eq!(wrong, ["attic is no room of the list"]);
    let wrong = wrong_imports(&[import("attic", "codeweft-db", false)]);
    assert_eq!(wrong, ["attic is no room"]);
    let wrong = wrong_imports(&[import("xtask", "codeweft-db", false)]);
    assert_eq!(
        wrong,
        ["xtask imports codeweft-db: it only runs what was built"]
    );
}

#[test]
fn only_tests_import_testing() {
    assert!(wrong_imports(&[import("codeweft-go", "codeweft-testing", true)]).is_empty());
    assert!(wrong_imports(&[import("codeweft-testing", "codeweft-mcp", true)]).is_empty());
    let wrong = wrong_imports(&[import("codeweft-go", "codeweft-testing", false)]);
    assert_eq!(wrong, ["go imports testing"]);
    let wrong = wrong_imports(&[import("codeweft-db", "codeweft-graph", true)]);
    assert_eq!(wrong, ["the tests of db import graph"]);
}

#[test]
fn a_crate_outside_its_room_is_found() {
    let wrong = wrong_imports(&[
        import("codeweft-go", "tree-sitter-go", false),
        import("codeweft-vfs", "salsa", false),
        import("codeweft-ide", "rmcp", false),
        import("codeweft-syntax", "tree-sitter", false),
    ]);
    assert_eq!(
        wrong,
        [
            "go imports tree-sitter-go",
            "vfs imports salsa",
            "ide imports rmcp"
        ]
    );
}

#[test]
fn tests_stand_outside_the_walls() {
    assert!(stands_inside("crates/graph/src/operations/calls.rs"));
    assert!(stands_inside("crates/graph/src/testsuite.rs"));
    assert!(!stands_inside("crates/graph/src/tests/calls.rs"));
    assert!(!stands_inside("crates/graph/src/host/tests.rs"));
    assert!(!stands_inside("crates/graph/tests/calls.rs"));
    assert!(!stands_inside("crates/graph/benches/calls.rs"));
}

#[test]
fn a_language_named_in_the_graph_is_found() {
    for line in [
        "use codeweft_go::Room;",
        "codeweft_python::room()",
        "Lang::Go => {}",
    ] {
        assert_eq!(
            word("crates/graph/src/callers.rs", line).len(),
            1,
            "{line:?}"
        );
        assert!(word("crates/graph/src/languages.rs", line).is_empty());
        assert!(word("crates/store/src/lib.rs", line).is_empty());
    }
    assert!(word("crates/graph/src/callers.rs", "// as codeweft_go does").is_empty());
    assert!(word("crates/graph/src/callers.rs", "let codeweft_gopher = 1;").is_empty());
}

#[test]
fn a_tree_outside_syntax_is_found() {
    let line = "let tree: tree_sitter::Tree = tree_sitter_go::parse();";
    assert_eq!(word("crates/go/src/lib.rs", line).len(), 1);
    assert!(word("crates/syntax/src/go/walk.rs", line).is_empty());
}

#[test]
fn salsa_outside_db_is_found_but_in_queries() {
    for line in [
        "use salsa::Setter;",
        "let db: &dyn salsa::Database;",
        "salsa::Durability::LOW",
    ] {
        assert_eq!(word("crates/go/src/lib.rs", line).len(), 1, "{line:?}");
        assert!(word("crates/db/src/root.rs", line).is_empty());
    }
    for line in [
        "#[salsa::tracked(returns(clone), lru = 64)]",
        "#[salsa::interned(revisions = usize::MAX)]",
        "fn recover(db: &dyn Db, _: &salsa::Cycle, _: salsa::Id) -> Ty {",
        "// salsa::Durability is the Host's",
        "let salsa_free = 1;",
    ] {
        assert!(word("crates/go/src/lib.rs", line).is_empty(), "{line:?}");
    }
}

#[test]
fn a_protocol_outside_its_door_is_found() {
    assert_eq!(
        word("crates/ide/src/api.rs", "use rmcp::model::Tool;").len(),
        1
    );
    assert_eq!(
        word("crates/ide/src/api.rs", "#[derive(schemars::JsonSchema)]").len(),
        1
    );
    assert!(word("crates/mcp/src/lib.rs", "use rmcp::model::Tool;").is_empty());
}
