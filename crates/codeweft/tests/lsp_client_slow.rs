//! The slow tier: the editor's door driven by pytest-lsp. Runs where `CODEWEFT_SLOW` is set and
//! `python3` can install it.

mod fixture;
#[path = "fixture/python.rs"]
mod python;

use std::path::PathBuf;
use std::process::Command;

use codeweft_testing::doors::TestSite;

const CLIENT: &str = "pytest-lsp==1.0.1";

#[test]
fn pytest_lsp_is_served_in_every_encoding() {
    if std::env::var_os("CODEWEFT_SLOW").is_none() {
        eprintln!("skipped: set CODEWEFT_SLOW=1");
        return;
    }
    let python = match python::with(CLIENT, "lsp_client") {
        Ok(python) => python,
        Err(reason) => {
            eprintln!("skipped: {CLIENT} cannot be installed: {reason}");
            return;
        }
    };
    let folder = fixture::copy("live-small");
    let root = std::fs::canonicalize(folder.path()).expect("it is there");
    let site = TestSite::new(env!("CARGO_BIN_EXE_codeweft"), &root).expect("a home of its own");
    let mut command = Command::new(python);
    for (name, value) in site.command(&[]).get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/editors/test_lsp.py");
    let output = command
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .arg(script)
        .env("CODEWEFT", env!("CARGO_BIN_EXE_codeweft"))
        .env("ROOT", &root)
        .env("GOROOT", fixture::fixture("goroot-small"))
        .output()
        .expect("python starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}{complained}");
    print!("{printed}");
}
