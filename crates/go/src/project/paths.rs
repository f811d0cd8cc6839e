//! Paths as text, absolute or relative, with `/`.

/// Returns whether a folder may contain packages that patterns match, by its path relative to the
/// workspace root: no part is `testdata` or starts with `.` or `_` (`go help packages`).
pub fn holds_packages(relative: &str) -> bool {
    relative
        .split('/')
        .all(|part| part != "testdata" && !part.starts_with(['.', '_']))
}

/// Splits a path into the folder and the file's name.
pub(super) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Returns the parent of a folder; `None` for the root folder.
pub(super) fn parent(dir: &str) -> Option<&str> {
    match dir.rsplit_once('/')? {
        ("", "") => None,
        ("", _) if dir.len() > 1 => Some("/"),
        (parent, _) => Some(parent),
    }
}

/// Returns the part of `path` below `dir`: empty for `dir` itself, `None` outside it.
pub(super) fn below<'a>(dir: &str, path: &'a str) -> Option<&'a str> {
    let rest = path.strip_prefix(dir.trim_end_matches('/'))?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix('/')
}

/// Joins `base` and `rest` with a `/`; either may be empty.
pub(super) fn join(base: &str, rest: &str) -> String {
    if rest.is_empty() {
        return base.to_owned();
    }
    if base.is_empty() {
        return rest.to_owned();
    }
    format!("{}/{rest}", base.trim_end_matches('/'))
}

/// Returns `path` as written in a file of `base`, absolute and without `.` and `..`.
pub(super) fn absolute(base: &str, path: &str) -> String {
    let path = path.replace('\\', "/");
    let whole = if is_rooted(&path) {
        path
    } else {
        join(base, &path)
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let lead = if whole.starts_with('/') { "/" } else { "" };
    format!("{lead}{}", parts.join("/"))
}

/// Returns whether a path starts at a root: `/…`, or `c:/…` on systems with drive letters.
pub(super) fn is_rooted(path: &str) -> bool {
    path.starts_with('/') || path.as_bytes().get(1) == Some(&b':')
}

/// Returns the last part of a path.
pub(super) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_end_at_the_root_folder() {
        assert_eq!(parent("/a/b"), Some("/a"));
        assert_eq!(parent("/a"), Some("/"));
        assert_eq!(parent("/"), None);
        assert_eq!(parent(""), None);
    }

    #[test]
    fn a_written_path_is_taken_from_its_files_folder() {
        assert_eq!(absolute("/w/a", "../b/./c"), "/w/b/c");
        assert_eq!(absolute("/w/a", "/x//y/"), "/x/y");
        assert_eq!(absolute("/w", "."), "/w");
    }

    #[test]
    fn folders_of_test_data_and_hidden_ones_hold_no_packages() {
        assert!(holds_packages("a/b"));
        assert!(holds_packages("a/testdata2"));
        assert!(!holds_packages("a/testdata/b"));
        assert!(!holds_packages("_a"));
        assert!(!holds_packages("a/.b"));
    }
}
