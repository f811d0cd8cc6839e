//! Checks what the profiles of the workspace leave in a binary.

use std::path::Path;

/// Returns the lines of a section of the workspace's `Cargo.toml`.
fn section(name: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("the root has one");
    let start = format!("[{name}]");
    let lines = manifest.lines().skip_while(|line| *line != start).skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_release_has_symbols_and_no_debug_tables() {
    assert_eq!(
        section("profile.release"),
        ["debug = false", "strip = \"debuginfo\""]
    );
}

#[test]
fn benches_have_lines_for_profilers() {
    assert_eq!(
        section("profile.bench"),
        ["debug = \"line-tables-only\"", "strip = \"none\""]
    );
}
