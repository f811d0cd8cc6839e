//! `codeweft export --format sqlite` and `codeweft sql`.

mod fixture;

use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect;
use fixture::{codeweft, fixture, run};

/// Exports a workspace; returns the path of the file.
fn export(command: &mut Command, root: &Path, folder: &Path) -> PathBuf {
    let file = folder.join("graph.db");
    let done = command
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .args(["export", "--format", "sqlite", "--output"])
        .arg(&file)
        .arg("--root")
        .arg(root)
        .output()
        .expect("the binary starts");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    file
}

/// Exports the small module; returns the file with its folder.
fn small() -> (PathBuf, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = export(&mut codeweft(), &fixture("go-small"), folder.path());
    (file, folder)
}

/// Returns the exit code and what is printed: standard output, then standard error.
fn sql(file: &Path, arguments: &[&str]) -> (i32, String) {
    let path = file.to_str().expect("UTF-8");
    let (code, out, err) = run(&[&["sql", "--db", path], arguments].concat());
    (code, format!("{out}{err}"))
}

#[test]
fn rows_are_printed_as_a_table_as_json_and_as_csv() {
    let (file, _folder) = small();
    let statement = "SELECT name, kind, parent_id, start_line + 0.5 AS half FROM symbols
        WHERE file_path = 'greet/greet.go' AND kind IN ('interface', 'method') ORDER BY start_line LIMIT 2";
    let (code, printed) = sql(&file, &[statement]);
    assert_eq!(code, 0);
    expect![[r#"
        name     kind       parent_id      half
        Greeter  interface  greet          6.5
        Greet    method     greet.Greeter  7.5
    "#]]
    .assert_eq(&printed);
    let (_, printed) = sql(&file, &[statement, "--format", "json"]);
    expect![[r#"
        {"name":"Greeter","kind":"interface","parent_id":"greet","half":6.5}
        {"name":"Greet","kind":"method","parent_id":"greet.Greeter","half":7.5}
    "#]]
    .assert_eq(&printed);
    let statement = "SELECT 'a,\"b\"' AS x, NULL AS y, x'00ff' AS z";
    let (_, printed) = sql(&file, &[statement, "--format", "csv"]);
    assert_eq!(printed, "x,y,z\r\n\"a,\"\"b\"\"\",,00ff\r\n");
}

#[test]
fn what_is_wrong_is_reported_with_its_exit_code() {
    let (file, folder) = small();
    assert_eq!(sql(&file, &["SELECT 1 WHERE 0"]).0, 1);
    let (code, printed) = sql(&file, &["DELETE FROM uses"]);
    assert_eq!(code, 2);
    expect![[r#"
        codeweft: only one statement that reads is run, SELECT or WITH: not authorized
    "#]]
    .assert_eq(&printed);
    let (code, printed) = sql(&file, &["SELECT * FROM gopher"]);
    assert_eq!(code, 2);
    expect![[r#"
        codeweft: no such table: gopher
    "#]]
    .assert_eq(&printed);
    let (code, printed) = sql(
        &file,
        &[
            "SELECT kind FROM kinds",
            "--max-rows",
            "1",
            "--format",
            "csv",
        ],
    );
    assert_eq!(code, 0);
    expect![[r#"
        kind
        0
        codeweft: the first 1 rows; --max-rows lists more
    "#]]
    .assert_eq(&printed.replace('\r', ""));
    let endless =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT max(x) FROM n";
    assert_eq!(sql(&file, &[endless, "--timeout", "0"]).0, 3);
    assert_eq!(sql(&folder.path().join("missing"), &["SELECT 1"]).0, 2);
}

#[test]
fn equal_sources_give_equal_bytes_at_one_time() {
    let [one, other] =
        [small(), small()].map(|(file, _folder)| std::fs::read(file).expect("the export"));
    assert!(one == other);
}

/// The maximum size of an export, in sizes of the sources.
const BAR: f64 = 1.5;

#[test]
fn an_export_of_the_go_library_is_smaller_than_one_and_a_half_of_its_sources() {
    if std::env::var_os("CODEWEFT_SLOW").is_none() {
        eprintln!("skipped: set CODEWEFT_SLOW=1");
        return;
    }
    let Ok(said) = Command::new("go").args(["env", "GOROOT"]).output() else {
        eprintln!("skipped: there is no go");
        return;
    };
    let goroot = String::from_utf8(said.stdout).expect("UTF-8");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let goroot = Path::new(goroot.trim());
    let mut command = codeweft();
    let file = export(
        command.env("GOROOT", goroot),
        &goroot.join("src"),
        folder.path(),
    );
    let size = std::fs::metadata(&file).expect("the export").len();
    let statement = "SELECT sum(size_bytes) FROM files WHERE NOT is_external";
    let (_, printed) = sql(&file, &[statement, "--format", "csv"]);
    let sources = printed
        .lines()
        .nth(1)
        .and_then(|line| line.parse::<u64>().ok());
    let sources = sources.expect("a number");
    let ratio = size as f64 / sources as f64;
    println!("{size} bytes of {sources} bytes of sources: {ratio:.3}");
    assert!(ratio < BAR);
}
