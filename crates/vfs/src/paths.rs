//! Normalised paths: absolute, UTF-8, `/` between parts, no `.`, `..` or final `/`.

use std::path::{Component, Path};

/// Returns the path as text with `/` between its parts; `None` if it is not UTF-8.
pub fn slashed(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    Some(if std::path::MAIN_SEPARATOR == '\\' {
        let text = text.strip_prefix(r"\\?\").unwrap_or(text);
        text.replace('\\', "/")
    } else {
        text.to_owned()
    })
}

/// Joins `path` to the absolute `base` and removes `.` and `..` lexically, without reading the
/// disk. `None` if a part is not UTF-8. The root folder is `/`.
///
/// ```
/// use std::path::Path;
///
/// let path = codeweft_vfs::normalise(Path::new("/w/a"), Path::new("../b/./c.go"));
/// assert_eq!(path.as_deref(), Some("/w/b/c.go"));
/// ```
pub fn normalise(base: &Path, path: &Path) -> Option<String> {
    let mut whole = std::path::PathBuf::new();
    for component in base.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            other => whole.push(other),
        }
    }
    slashed(&whole)
}

/// Returns the part of `path` below `root`: empty for the root itself, `None` outside it.
pub fn relative<'a>(root: &str, path: &'a str) -> Option<&'a str> {
    let rest = path.strip_prefix(root.trim_end_matches('/'))?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_removed_lexically() {
        let at = |path: &str| normalise(Path::new("/w/a"), Path::new(path));
        assert_eq!(at("../b/./c.go").as_deref(), Some("/w/b/c.go"));
        assert_eq!(at("/x//y/").as_deref(), Some("/x/y"));
        assert_eq!(at("../../../..").as_deref(), Some("/"));
    }

    #[test]
    fn a_sibling_with_the_roots_name_as_prefix_is_outside() {
        assert_eq!(relative("/w/a", "/w/a/b.go"), Some("b.go"));
        assert_eq!(relative("/w/a", "/w/a"), Some(""));
        assert_eq!(relative("/w/a", "/w/ab.go"), None);
        assert_eq!(relative("/", "/w"), Some("w"));
    }
}
