//! How many files outside its own folders a language touches, counted for the toy language of the tests.

use std::path::Path;

/// The folders of the language.
const OWN: [&str; 2] = ["crates/toy", "crates/toy-syntax"];

/// The name of its crates begins with this, with `-` for `_` in manifests. It is not written out, because this
/// file does not count.
const CRATE: &str = concat!("codeweft", "_toy");

/// Where files of the workspace are looked for.
const SEARCHED: [&str; 3] = ["crates", "xtask", "Cargo.toml"];

/// Returns the files that name a crate of the toy language and are not its own, relative to the root and sorted;
/// `None` if the workspace has no such language. Comments do not count.
pub fn touched(root: &Path) -> Option<Vec<String>> {
    if !root.join(OWN[0]).is_dir() {
        return None;
    }
    let mut found = Vec::new();
    let mut left: Vec<String> = SEARCHED.map(str::to_owned).into();
    while let Some(path) = left.pop() {
        if OWN.contains(&&*path) {
            continue;
        }
        if let Ok(entries) = std::fs::read_dir(root.join(&path)) {
            let names = entries.flatten().map(|entry| entry.file_name());
            left.extend(names.map(|name| format!("{path}/{}", name.to_string_lossy())));
        } else if std::fs::read_to_string(root.join(&path)).is_ok_and(|text| names(&text, CRATE)) {
            found.push(path);
        }
    }
    found.sort();
    Some(found)
}

/// Returns whether the code of a file names a crate.
fn names(text: &str, name: &str) -> bool {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.map(|line| line.replace('-', "_"))
        .any(|line| line.contains(name))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn code_and_manifests_count_and_comments_do_not() {
        assert!(names("fn f() {\n    of_toy::Toy\n}", "of_toy"));
        assert!(names("of-toy = { path = \"../toy\" }", "of_toy"));
        assert!(!names("// As of_toy does.\nlet toy = 1;", "of_toy"));
    }
}
