//! The editor's door in a real editor: Neovim without a screen of its own, whose grid, quickfix
//! list, buffer and cursor are the record. Told as skipped where there is no `nvim`.

mod fixture;

use std::path::Path;
use std::process::Command;

use codeweft_testing::doors::Site;
use expect_test::expect;
use serde_json::Value;

/// The editor, or why there is none.
fn is_there() -> bool {
    let there = Command::new("nvim").arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: nvim is not installed (apt-get install neovim)");
    }
    there
}

fn lines(value: &Value) -> String {
    let lines = value.as_array().into_iter().flatten();
    let lines: Vec<&str> = lines.filter_map(Value::as_str).collect();
    lines.join("\n") + "\n"
}

#[test]
fn neovim_shows_three_callers_one_of_them_unsaved_and_jumps_to_an_implementation() {
    if !is_there() {
        return;
    }
    let folder = fixture::copy("live-small");
    let root = std::fs::canonicalize(folder.path()).expect("it is there");
    let record = root.join("record.json");
    let site = Site::new(env!("CARGO_BIN_EXE_codeweft"), &root).expect("a home of its own");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editors/neovim.lua");
    let mut command = site.command(&[]);
    let environment: Vec<_> = command
        .get_envs()
        .map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)))
        .collect();
    command = Command::new("nvim");
    for (name, value) in environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command
        .args(["--headless", "-u", "NONE", "-S"])
        .arg(script)
        .env("CODEWEFT", env!("CARGO_BIN_EXE_codeweft"))
        .env("ROOT", &root)
        .env("RECORD", &record)
        .env("GOROOT", fixture::fixture("goroot-small"))
        .current_dir(&root)
        .output()
        .expect("nvim starts");
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complained}");
    let record = std::fs::read_to_string(record).expect("the script has written it");
    let seen: Value = serde_json::from_str(&record).expect("JSON");

    expect![[""]].assert_eq(&lines(&seen["callers"]));
    expect![[""]].assert_eq(&lines(&seen["callers_grid"]));
    assert_eq!(seen["unsaved"], true);
    expect![[""]].assert_eq(&seen["jump"].to_string());
    expect![[""]].assert_eq(&lines(&seen["jump_grid"]));
    expect![[""]].assert_eq(&lines(&seen["implementations"]));
}
