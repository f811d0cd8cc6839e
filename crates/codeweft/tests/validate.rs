//! `codeweft validate --deep` as a process: with the machine's own Go, and with a made-up one.

mod fixture;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use fixture::{codeweft, copy, fixture};
use serde_json::{Value, json};

struct CommandOutput {
    code: i32,
    out: String,
    err: String,
}

fn output_of(command: &mut Command) -> CommandOutput {
    let output = command.output().expect("it starts");
    CommandOutput {
        code: output.status.code().expect("it ends by itself"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Returns the folder of the machine's `go`; prints that the test is skipped if there is none.
fn machine_go() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).find(|folder| folder.join("go").is_file());
    if found.is_none() {
        eprintln!("skipped: no go on PATH");
    }
    found
}

/// Runs `codeweft validate --deep` with the machine's Go, its home and its caches.
fn with_go(root: &Path, arguments: &[&str]) -> Option<CommandOutput> {
    let go = machine_go()?;
    let mut command = codeweft();
    command.env_remove("GOROOT").env_remove("GOPATH");
    for name in ["HOME", "GOCACHE", "GOPATH", "GOMODCACHE", "XDG_CACHE_HOME"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
        .env("PATH", go)
        .args(["validate", "--deep", "--root"])
        .arg(root)
        .args(arguments);
    Some(output_of(&mut command))
}

/// Returns every file below a folder with its text.
fn texts(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts.extend(self::texts(&path))
        } else {
            texts.insert(path.clone(), fs::read(&path).expect("read"));
        }
    }
    texts
}

#[test]
fn the_small_module_agrees_with_the_compiler_and_is_unchanged() {
    let folder = copy("go-small");
    let before = texts(folder.path());
    let Some(json) = with_go(folder.path(), &["--tests", "--json", "--fail-under", "1"]) else {
        return;
    };
    assert_eq!(json.code, 0, "{}{}", json.out, json.err);
    assert_eq!(json.out.lines().count(), 1);
    let report: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(report["accuracy"], 1.0, "{report}");
    assert_eq!(report["only_ours"], json!([]));
    assert_eq!(report["only_theirs"], json!([]));
    assert_eq!(report["total_interfaces"], 1);
    for kind in ["calls", "implements", "imports", "references"] {
        let counts = &report["by_kind"][kind];
        assert!(
            counts["agreed"].as_u64().expect("a number") > 0,
            "{kind}: {counts}"
        );
        assert_eq!(
            (&counts["precision"], &counts["recall"]),
            (&json!(1.0), &json!(1.0))
        );
    }
    let apart = &report["not_compared"];
    assert_eq!(apart["files_left_out"], 1);
    assert_eq!(apart["packages_with_errors"], 1);
    assert_eq!(report["modules"][0]["folder"], ".");
    assert_eq!(texts(folder.path()), before);
}

#[test]
fn every_module_below_the_root_is_judged_and_patterns_choose() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    };
    write("go.mod", "module example.com/m\n\ngo 1.23\n");
    write("a/a.go", "package a\n\nfunc A() { B() }\n\nfunc B() {}\n");
    write(
        "b_windows.go",
        "package m\n\nfunc W() { V() }\n\nfunc V() {}\n",
    );
    write("b.go", "package m\n");
    write("tools/go.mod", "module example.com/m/tools\n\ngo 1.23\n");
    write(
        "tools/t.go",
        "package tools\n\nfunc C() { D() }\n\nfunc D() {}\n",
    );
    let Some(all) = with_go(folder.path(), &[]) else {
        return;
    };
    assert_eq!(all.code, 0, "{}{}", all.out, all.err);
    let lines: Vec<&str> = all.out.lines().collect();
    assert!(
        lines[0].starts_with("3 packages judged by the type checker of go1."),
        "{}",
        all.out
    );
    assert!(
        lines[0].contains("linux/amd64 cgo=0 tags=; 0 interfaces of theirs"),
        "{}",
        all.out
    );
    assert_eq!(
        lines[2].split_whitespace().collect::<Vec<_>>()[..2],
        ["calls", "2"]
    );
    assert!(
        all.out
            .contains("not compared: 1 file that the build configuration leaves out")
    );
    let one = with_go(folder.path(), &["--json", "./tools/..."]).expect("as before");
    let report: Value = serde_json::from_str(&one.out).expect("JSON");
    assert_eq!(report["modules"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["by_kind"]["calls"]["agreed"], 1);
    let windows = with_go(folder.path(), &["--json", "--goos", "windows", "."]).expect("as before");
    let report: Value = serde_json::from_str(&windows.out).expect("JSON");
    assert_eq!(report["configuration"], "windows/amd64 cgo=0 tags=");
    assert_eq!(report["by_kind"]["calls"]["agreed"], 1, "{report}");
}

/// Returns a `go` with scripted answers that builds a judge that prints `lines`.
fn made_up_go(release: &str, lines: &[Value]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(folder.path().join("lines"), text).expect("written");
    let script = format!(
        "#!/bin/sh\n\
         case \"$1\" in\n\
         env) shift; for name in \"$@\"; do case \"$name\" in\n\
         GOVERSION) echo {release};; GOHOSTOS) echo linux;; GOHOSTARCH) echo amd64;; *) echo;;\n\
         esac; done;;\n\
         build) while [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=\"$2\"; shift; done\n\
         printf '#!/bin/sh\\n/bin/cat \"{path}/lines\"\\n' > \"$out\"; /bin/chmod 700 \"$out\";;\n\
         *) exit 9;;\n\
         esac\n"
    );
    let go = folder.path().join("go");
    fs::write(&go, script).expect("written");
    fs::set_permissions(&go, fs::Permissions::from_mode(0o700)).expect("set");
    folder
}

fn validate(root: &Path, path: &Path, arguments: &[&str]) -> CommandOutput {
    let mut command = codeweft();
    command
        .env("PATH", path)
        .args(["validate", "--root"])
        .arg(root);
    output_of(command.args(arguments))
}

#[test]
fn an_accuracy_below_the_minimum_exits_with_four() {
    let module = tempfile::tempdir().expect("a folder");
    fs::write(module.path().join("go.mod"), "module m\n\ngo 1.24\n").expect("written");
    let text = "package m\n\nfunc A() { B(); B() }\n\nfunc B() {}\n";
    fs::write(module.path().join("a.go"), text).expect("written");
    let call = |column: u32, line: u32| {
        json!({"k": "call", "kind": "static", "caller": "m.A", "callee": "m.B",
               "at": format!("a.go:3:{column}"), "callee_def": format!("a.go:{line}:6")})
    };
    let package =
        json!({"k": "package", "pkg": "m", "files": ["a.go"], "imports": [], "errors": 0});
    // The second call leads elsewhere: one pair that only we have, one that only the judge has.
    let go = made_up_go("go1.26.1", &[package, call(12, 5), call(17, 3)]);
    let missed = validate(module.path(), go.path(), &["--deep", "--fail-under", "0.5"]);
    assert_eq!(missed.code, 4, "{}{}", missed.out, missed.err);
    assert!(
        missed
            .out
            .contains("only ours: 1\n  a.go:3:17 calls m.A -> m.B\n"),
        "{}",
        missed.out
    );
    assert!(
        missed
            .err
            .contains("the accuracy is below what --fail-under asks for"),
        "{}",
        missed.err
    );
    let met = validate(
        module.path(),
        go.path(),
        &["--deep", "--fail-under", "0.33", "-q", "--json"],
    );
    assert_eq!((met.code, met.err.as_str()), (0, ""));
    let report: Value = serde_json::from_str(&met.out).expect("JSON");
    assert_eq!(report["only_theirs"][0]["line"], 3);
    assert_eq!(report["only_theirs_total"], 1);
}

#[test]
fn without_a_recent_go_the_reason_is_printed() {
    let small = fixture("go-small");
    let none = tempfile::tempdir().expect("a folder");
    let absent = validate(&small, none.path(), &["--deep"]);
    assert_eq!((absent.code, absent.out.as_str()), (2, ""));
    assert!(absent.err.contains("no `go` is on PATH"), "{}", absent.err);
    let old = made_up_go("go1.22.3", &[]);
    let old = validate(&small, old.path(), &["--deep"]);
    assert_eq!(old.code, 2);
    assert!(
        old.err
            .contains("is go1.22.3: the judge is Go's own type checker"),
        "{}",
        old.err
    );
}

#[test]
fn a_module_that_cannot_be_judged_is_reported() {
    let go = made_up_go("go1.26.1", &[json!({"k": 1})]);
    let ran = validate(&fixture("go-small"), go.path(), &["--deep"]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(
        ran.err
            .contains(". could not be judged: the judge's words are not understood"),
        "{}",
        ran.err
    );
}

#[test]
fn validation_without_deep_and_without_go_code_is_refused() {
    let shallow = validate(&fixture("go-small"), Path::new("/nonexistent"), &[]);
    assert_eq!(shallow.code, 2);
    assert!(
        shallow.err.contains("codeweft validate --deep"),
        "{}",
        shallow.err
    );
    let python = tempfile::tempdir().expect("a folder");
    fs::write(python.path().join("a.py"), "x = 1\n").expect("written");
    let alone = validate(python.path(), Path::new("/nonexistent"), &["--deep"]);
    assert_eq!(alone.code, 2);
    assert!(
        alone.err.contains("validation of Python is not built yet"),
        "{}",
        alone.err
    );
    fs::write(python.path().join("go.mod"), "module m\n\ngo 1.24\n").expect("written");
    fs::write(python.path().join("a.go"), "package m\n").expect("written");
    let package =
        json!({"k": "package", "pkg": "m", "files": ["a.go"], "imports": [], "errors": 0});
    let go = made_up_go("go1.26.1", &[package]);
    let mixed = validate(python.path(), go.path(), &["--deep"]);
    // There was nothing to compare.
    assert_eq!(mixed.code, 1, "{}", mixed.err);
    let words = "note: validation of Python is not built yet: its files (1) took no part\n";
    assert!(mixed.out.ends_with(words), "{}", mixed.out);
}
