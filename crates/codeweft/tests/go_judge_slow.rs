//! Slow: an export of the Go library against the type checker of the Go distribution. Runs if
//! `CODEWEFT_SLOW` is set and `go` and `python3` are available; `cargo xtask judge go` prints the
//! same figures.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The minimum share of each row of the score for net/http.
const FLOORS: &[(&str, f64)] = &[
    ("recall static", 0.85),
    ("precision exact", 0.97),
    ("recall implements", 0.97),
    ("precision implements", 0.97),
    ("caller of the call", 0.99),
];

fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    assert!(
        output.status.success(),
        "{command:?} ended with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn judge() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("judge")
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/judges/go")
}

#[test]
fn net_http_agrees_with_the_compiler() {
    if std::env::var_os("CODEWEFT_SLOW").is_none() {
        eprintln!("skipped: set CODEWEFT_SLOW=1");
        return;
    }
    let work = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("go_judge");
    std::fs::create_dir_all(&work).expect("a folder for the export");
    let [oracle, verdict, export, figures] =
        ["gooracle", "verdict.jsonl", "export.json", "score.json"].map(|name| work.join(name));
    let root = run(Command::new("go").args(["env", "GOROOT"]));
    let source = Path::new(root.trim()).join("src");

    run(Command::new("go")
        .args(["build", "-buildvcs=false", "-o"])
        .arg(&oracle)
        .arg(".")
        .current_dir(judge()));
    run(Command::new(&oracle)
        .arg("-C")
        .arg(&source)
        .arg("-o")
        .arg(&verdict)
        .arg("net/http"));
    run(Command::new(env!("CARGO_BIN_EXE_codeweft"))
        .args(["export", "--format", "json", "--root"])
        .arg(&source)
        .arg("--output")
        .arg(&export));
    let printed = run(Command::new("python3")
        .arg(scripts().join("score.py"))
        .args([&export, &verdict])
        .args(["--show", "10", "--json"])
        .arg(&figures));
    println!("{printed}");

    let score = std::fs::read_to_string(&figures).expect("the score was written");
    let score: Value = serde_json::from_str(&score).expect("the score is JSON");
    for (row, floor) in FLOORS {
        let number = |field: &str| score[row][field].as_f64().unwrap_or_default();
        assert!(number("whole") > 0.0, "{row}: nothing was compared");
        let share = number("part") / number("whole");
        assert!(share >= *floor, "{row}: {share:.5} is below {floor}");
    }
}
