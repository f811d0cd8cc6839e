//! The boundaries of the workspace: which crate may import which, and which words may occur in
//! which files. `docs/architecture.md` explains them. Every rule is tested on an input that breaks
//! it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// Stands in [`CRATES`] for the crates with the rules of a language: `go`, `python`.
const LANGUAGE: &str = "LANGUAGE";

/// Stands in [`CRATES`] for the crates that lower a language: `go-syntax`, `python-syntax`.
const LANGUAGE_SYNTAX: &str = "LANGUAGE-syntax";

/// The crates, each with those that it may import. Imports run down this list and never up.
const CRATES: &[(&str, &[&str])] = &[
    (
        "codeweft",
        &[
            "lsp",
            "mcp",
            "server",
            "ide",
            "workspace",
            "store",
            "knowledge",
            "retrieval",
            "graph",
            LANGUAGE,
            "db",
            "syntax",
            "vfs",
            "git",
            "diagrams",
            "documents",
            "eval",
            "vectors",
        ],
    ),
    ("lsp", &["ide", "workspace"]),
    ("mcp", &["ide", "workspace"]),
    ("server", &["workspace", "knowledge", "retrieval", "graph"]),
    (
        "testing",
        &[
            "ide",
            "workspace",
            "graph",
            "db",
            LANGUAGE_SYNTAX,
            "syntax",
            "vfs",
            "git",
        ],
    ),
    (
        "ide",
        &["workspace", "knowledge", "retrieval", "graph", "db", "vfs"],
    ),
    (
        "workspace",
        &[
            "knowledge",
            "retrieval",
            "graph",
            "db",
            "documents",
            "vfs",
            "git",
            "vectors",
        ],
    ),
    ("store", &["graph", "db"]),
    ("knowledge", &["graph", "db", "documents"]),
    ("retrieval", &["graph", "db"]),
    ("graph", &[LANGUAGE, "db"]),
    (LANGUAGE, &["db", LANGUAGE_SYNTAX, "syntax"]),
    ("db", &["cache", "secrets", "syntax"]),
    ("cache", &["secrets", "syntax"]),
    ("secrets", &[]),
    (LANGUAGE_SYNTAX, &["syntax"]),
    ("documents", &["syntax"]),
    ("syntax", &["syntax-derive"]),
    ("syntax-derive", &[]),
    ("vfs", &[]),
    ("git", &[]),
    ("vectors", &[]),
    ("eval", &[]),
    ("diagrams", &[]),
];

/// Returns the name of a crate in [`CRATES`]. A language is what has a syntax crate.
fn row(name: &str) -> &str {
    let is_language = |name: &str| languages().iter().any(|language| language == name);
    match name.strip_suffix("-syntax") {
        Some(language) if is_language(language) => LANGUAGE_SYNTAX,
        None if is_language(name) => LANGUAGE,
        _ => name,
    }
}

/// Returns whether two crates belong to different languages.
fn of_two_languages(one: &str, other: &str) -> bool {
    let is_language = |name: &str| [LANGUAGE, LANGUAGE_SYNTAX].contains(&row(name));
    let language = |name: &str| name.trim_end_matches("-syntax").to_owned();
    is_language(one) && is_language(other) && language(one) != language(other)
}

/// The crate that only tests and benches may import.
const FOR_TESTS: &str = "testing";

/// External crates that only some crates may import, by prefix.
const RESERVED: &[(&str, &[&str])] = &[
    ("tree-sitter", &["syntax", LANGUAGE_SYNTAX]),
    ("ruff_", &[LANGUAGE_SYNTAX]),
    (
        "salsa",
        &[
            "db",
            LANGUAGE,
            "graph",
            "knowledge",
            "retrieval",
            "workspace",
        ],
    ),
    ("granit-parser", &["documents"]),
    ("protox-parse", &["documents"]),
    ("rmcp", &["mcp"]),
    ("schemars", &["mcp"]),
    ("lsp-server", &["lsp"]),
    ("lsp-types", &["lsp"]),
    ("gen-lsp-types", &["lsp"]),
    ("notify", &["vfs"]),
    ("rusqlite", &["store"]),
    ("parquet", &["store"]),
    ("scip", &["store"]),
    ("protobuf", &["store"]),
    ("candle", &["vectors"]),
    ("tokenizers", &["vectors"]),
    ("tikv-jemallocator", &["codeweft", "testing"]),
];

/// One dependency of a package of the workspace.
#[derive(Clone, Debug)]
struct Import {
    from: String,
    to: String,
    dev: bool,
}

/// Returns the crate of a package name; `None` for an external crate.
fn member(package: &str) -> Option<&str> {
    match package {
        "codeweft" | "xtask" => Some(package),
        _ => package.strip_prefix("codeweft-"),
    }
}

/// Returns all dependencies in the output of `cargo metadata --no-deps`.
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

/// Returns the crates that a crate may import over any number of steps.
fn below(from: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    // The list runs downwards, so one pass sees every crate after those above it.
    for (name, may) in CRATES {
        if *name == row(from) || found.contains(name) {
            found.extend(may.iter().copied());
        }
    }
    found
}

/// Returns the imports that break the list of crates or import a reserved external crate.
fn wrong_imports(imports: &[Import]) -> Vec<String> {
    let mut wrong = Vec::new();
    for Import { from, to, dev } in imports {
        let Some(from) = member(from) else {
            wrong.push(format!("{from} is no crate of the workspace"));
            continue;
        };
        let Some((_, may)) = CRATES.iter().find(|(name, _)| *name == row(from)) else {
            if from != "xtask" {
                wrong.push(format!("{from} is not in the list of crates"));
            } else if member(to).is_some() {
                wrong.push(format!("xtask imports {to}: it only runs what was built"));
            }
            continue;
        };
        match member(to) {
            Some(to) if *dev => {
                let for_tests = to == FOR_TESTS || from == FOR_TESTS && to != "codeweft";
                let is_below = below(from).contains(row(to)) && !of_two_languages(from, to);
                if !for_tests && !is_below {
                    wrong.push(format!("the tests of {from} import {to}"));
                }
            }
            Some(to) if !may.contains(&row(to)) || of_two_languages(from, to) => {
                wrong.push(format!("{from} imports {to}"))
            }
            Some(_) => {}
            None => {
                for (prefix, users) in RESERVED {
                    if to.starts_with(prefix) && !users.contains(&row(from)) && !dev {
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

/// A rule about words: where `breaks` matches, `path` must be inside `allowed`.
struct WordRule {
    what: &'static str,
    /// Only files below one of these paths are checked.
    checked: &'static [&'static str],
    /// Files whose path starts with one of these may use the words.
    allowed: &'static [&'static str],
    /// Returns whether a line of code, without comments, breaks the rule.
    breaks: fn(&str) -> bool,
}

/// The files that may name a language: its crates, the table of languages, the tests' tools, and the
/// command that compares Go's answers with Go's type checker.
const OF_LANGUAGES: &[&str] = &[
    "crates/LANGUAGE/",
    "crates/LANGUAGE-syntax/",
    "crates/graph/src/languages.rs",
    "crates/testing/",
    "crates/codeweft/src/validate/",
];

/// Parts of string literals that only a language's own crates have.
const WORDS_OF_LANGUAGES: &[&str] = &[
    "\"go\"",
    "\"python\"",
    "\"py\"",
    ".go\"",
    ".py\"",
    ".pyi\"",
    "go.mod\"",
    "go.work\"",
    "pyproject.toml\"",
    "\"GOOS",
    "\"PYTHON",
];

const WORD_RULES: &[WordRule] = &[
    WordRule {
        what: "a language is named only in its own crates and in the table of languages",
        checked: &["crates/"],
        allowed: OF_LANGUAGES,
        breaks: |line| {
            languages()
                .iter()
                .any(|language| names_crate(line, language))
        },
    },
    WordRule {
        what: "the names and files of a language are written only in its own crates",
        checked: &["crates/"],
        allowed: OF_LANGUAGES,
        breaks: |line| WORDS_OF_LANGUAGES.iter().any(|word| line.contains(word)),
    },
    WordRule {
        what: "tree-sitter is named only in syntax and in the crates that lower a language",
        checked: &["crates/"],
        allowed: &[
            "crates/syntax/",
            "crates/LANGUAGE-syntax/",
            "crates/testing/",
        ],
        breaks: |line| line.contains("tree_sitter"),
    },
    WordRule {
        what: "salsa is named outside db only in attributes and signatures of queries",
        checked: &["crates/"],
        allowed: &["crates/db/", "crates/testing/"],
        breaks: |line| has_word(&without_query_words(line), "salsa"),
    },
    WordRule {
        what: "rmcp and schemars are named only in mcp",
        checked: &["crates/"],
        allowed: &["crates/mcp/", "crates/testing/"],
        breaks: |line| has_word(line, "rmcp") || has_word(line, "schemars"),
    },
];

/// Returns the languages: the folders of `crates/` beside which there is a syntax crate.
fn languages() -> &'static [String] {
    static LANGUAGES: OnceLock<Vec<String>> = OnceLock::new();
    LANGUAGES.get_or_init(|| {
        let entries = std::fs::read_dir(workspace().join("crates")).expect("crates can be read");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.filter_map(|name| name.into_string().ok());
        let mut languages: Vec<String> = names
            .filter_map(|name| Some(name.strip_suffix("-syntax")?.to_owned()))
            .collect();
        languages.sort();
        languages
    })
}

/// Returns whether a line names a crate of a language.
fn names_crate(line: &str, language: &str) -> bool {
    has_word(line, &format!("codeweft_{language}"))
        || has_word(line, &format!("codeweft_{language}_syntax"))
}

/// Returns whether `word` occurs in `line` with no letter, digit or `_` beside it.
fn has_word(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].chars().next_back().is_some_and(part)
            && !line[at + word.len()..].chars().next().is_some_and(part)
    })
}

/// Returns a line without the attributes and types of salsa that declare a query or an interned
/// key.
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

/// Returns the code of a line: the text before `//`.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// Returns the lines of a source before its inline module of tests, which is at its end.
fn product_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = text.lines().peekable();
    std::iter::from_fn(move || {
        let line = lines.next()?;
        let next = lines.peek().copied().unwrap_or_default();
        let is_tests = line.starts_with("#[cfg(") && line.contains("test");
        (!(is_tests && next.starts_with("mod ") && next.ends_with('{'))).then_some(line)
    })
}

/// Returns the lines that break a rule, as `path:line: what`.
fn wrong_words(sources: &[Source], rules: &[WordRule]) -> Vec<String> {
    let mut wrong = Vec::new();
    for Source { path, text } in sources {
        for rule in rules {
            let starts = |folders: &[&str]| folders.iter().any(|one| is_below(path, one));
            if !starts(rule.checked) || starts(rule.allowed) {
                continue;
            }
            for (number, line) in product_lines(text).enumerate() {
                if (rule.breaks)(code(line)) {
                    wrong.push(format!("{path}:{}: {}", number + 1, rule.what));
                }
            }
        }
    }
    wrong
}

/// Returns whether a path is in a folder, in which `LANGUAGE` stands for any language.
fn is_below(path: &str, folder: &str) -> bool {
    match folder.split_once(LANGUAGE) {
        None => path.starts_with(folder),
        Some((before, after)) => languages()
            .iter()
            .any(|language| path.starts_with(&format!("{before}{language}{after}"))),
    }
}

/// Returns whether the rules apply to a source. Tests and benches are exempt, inside a crate too:
/// they may use every crate.
fn is_checked(path: &str) -> bool {
    let mut parts = path.split('/').skip(2);
    parts.next() == Some("src") && !parts.any(|part| part == "tests" || part == "tests.rs")
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/testing is two folders below the root")
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
                if is_checked(&from_root) {
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
fn crates_import_only_crates_below_them() {
    assert_eq!(wrong_imports(&imports(&metadata())), Vec::<String>::new());
}

#[test]
fn every_crate_is_in_the_folder_of_its_name_and_in_the_list() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let mut seen = BTreeSet::new();
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        let manifest = package["manifest_path"].as_str().expect("a path");
        let folder_name =
            member(name).unwrap_or_else(|| panic!("{name} is no crate of the workspace"));
        let folder = Path::new(manifest).parent().expect("a folder");
        assert_eq!(
            folder.file_name().and_then(|one| one.to_str()),
            Some(folder_name)
        );
        seen.insert(row(folder_name).to_owned());
    }
    for (name, _) in CRATES {
        assert!(
            seen.contains(*name),
            "{name} is in the list and is not built"
        );
    }
}

#[test]
fn the_list_of_crates_has_no_import_upwards() {
    for (number, (name, may)) in CRATES.iter().enumerate() {
        for one in *may {
            let at = CRATES.iter().position(|(other, _)| other == one);
            assert!(at.is_some_and(|at| at > number), "{name} -> {one}");
        }
    }
}

#[test]
fn reserved_words_occur_only_where_allowed() {
    let sources = sources();
    assert!(sources.len() > CRATES.len(), "the sources were found");
    assert_eq!(wrong_words(&sources, WORD_RULES), Vec::<String>::new());
}

// Tests of the rules on inputs that break them.

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
fn an_import_upwards_is_reported() {
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
fn an_import_between_languages_is_reported() {
    let wrong = wrong_imports(&[
        import("codeweft-go", "codeweft-python", false),
        import("codeweft-go", "codeweft-python-syntax", false),
        import("codeweft-go-syntax", "codeweft-python-syntax", true),
        import("codeweft-go", "codeweft-go-syntax", false),
    ]);
    assert_eq!(
        wrong,
        [
            "go imports python",
            "go imports python-syntax",
            "the tests of go-syntax import python-syntax",
        ]
    );
}

#[test]
fn an_unknown_crate_is_reported() {
    let wrong = wrong_imports(&[import("codeweft-attic", "codeweft-db", false)]);
    assert_eq!(wrong, ["attic is not in the list of crates"]);
    let wrong = wrong_imports(&[import("attic", "codeweft-db", false)]);
    assert_eq!(wrong, ["attic is no crate of the workspace"]);
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
fn a_reserved_external_crate_is_reported() {
    let wrong = wrong_imports(&[
        import("codeweft-go", "tree-sitter-go", false),
        import("codeweft-vfs", "salsa", false),
        import("codeweft-ide", "rmcp", false),
        import("codeweft-syntax", "tree-sitter", false),
        import("codeweft-go-syntax", "tree-sitter-go", false),
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
fn tests_are_exempt_from_the_rules() {
    assert!(is_checked("crates/graph/src/operations/calls.rs"));
    assert!(is_checked("crates/graph/src/testsuite.rs"));
    assert!(!is_checked("crates/graph/src/tests/calls.rs"));
    assert!(!is_checked("crates/graph/src/host/tests.rs"));
    assert!(!is_checked("crates/graph/tests/calls.rs"));
    assert!(!is_checked("crates/graph/benches/calls.rs"));
}

#[test]
fn a_language_named_outside_its_crates_is_reported() {
    for line in [
        "use codeweft_go::Go;",
        "codeweft_python::language()",
        "codeweft_go_syntax::GO",
        "if lang.wire_name() == \"go\" {}",
        "path.ends_with(\".pyi\")",
        "const MARKER: &str = \"go.mod\";",
    ] {
        for path in [
            "graph/src/callers.rs",
            "lsp/src/lib.rs",
            "vfs/src/text/mod.rs",
        ] {
            assert_eq!(word(&format!("crates/{path}"), line).len(), 1, "{line:?}");
        }
        assert!(word("crates/graph/src/languages.rs", line).is_empty());
        assert!(word("crates/go-syntax/src/spec.rs", line).is_empty());
    }
    for line in [
        "// as codeweft_go does",
        "let codeweft_gopher = 1;",
        "let go = 1;",
    ] {
        assert!(word("crates/graph/src/callers.rs", line).is_empty());
    }
    let of_tests = "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    const FILE: &str = \"a.go\";\n}\n";
    assert!(word("crates/vfs/src/walk.rs", of_tests).is_empty());
}

#[test]
fn a_tree_outside_syntax_is_reported() {
    let line = "let tree: tree_sitter::Tree = tree_sitter_go::parse();";
    assert_eq!(word("crates/go/src/lib.rs", line).len(), 1);
    assert!(word("crates/syntax/src/tree.rs", line).is_empty());
    assert!(word("crates/go-syntax/src/walk.rs", line).is_empty());
}

#[test]
fn salsa_outside_db_is_reported_except_in_query_declarations() {
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
fn mcp_types_outside_mcp_are_reported() {
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
