//! Slow: the MCP frontend driven by the official Python client. Runs if `CODEWEFT_SLOW` is set and
//! `python3` can install it.

mod fixture;
#[path = "fixture/python.rs"]
mod python;

use std::path::PathBuf;
use std::process::Command;

use fixture::fixture;

const CLIENT: &str = "mcp==2.3.0";

#[test]
fn the_official_client_is_served() {
    if std::env::var_os("CODEWEFT_SLOW").is_none() {
        eprintln!("skipped: set CODEWEFT_SLOW=1");
        return;
    }
    let python = match python::with(CLIENT, "mcp_client") {
        Ok(python) => python,
        Err(reason) => {
            eprintln!("skipped: {CLIENT} cannot be installed: {reason}");
            return;
        }
    };
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mcp_client.py");
    let output = Command::new(python)
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_codeweft"))
        .arg(fixture("go-small"))
        .env("GOROOT", fixture("goroot-small"))
        .output()
        .expect("python starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}{complained}");
    print!("{printed}");
}
