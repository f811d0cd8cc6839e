//! Conversion between `file:` URIs and paths (RFC 8089, RFC 3986).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The maximum length of a URI, in bytes: longer ones name no file.
const MAX_URI_LENGTH: usize = 64 << 10;

/// The maximum number of cached folders outside the root.
const MAX_CACHED_FOLDERS: usize = 1000;

/// Returns the path of a `file:` URI of this machine: absolute, normalised, without a final `/`.
/// Returns `None` for every other URI, for one with another machine's name, and for an invalid one.
pub(crate) fn path(uri: &str) -> Option<String> {
    if uri.len() > MAX_URI_LENGTH {
        return None;
    }
    let (scheme, rest) = uri.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let rest = match rest.strip_prefix("//") {
        Some(rest) => {
            let (host, _) = rest.split_at(rest.find('/')?);
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return None;
            }
            &rest[host.len()..]
        }
        None => rest,
    };
    // Query and fragment are no part of the path; `?` and `#` inside a name are escaped.
    let rest = rest.split(['?', '#']).next()?;
    let path = decode(rest)?;
    if !path.starts_with('/') || path.contains('\0') {
        return None;
    }
    codeweft_workspace::normalise(Path::new("/"), Path::new(&path))
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'%' {
            bytes.push(*byte);
            continue;
        }
        let [high, low, after @ ..] = rest else {
            return None;
        };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// Returns the URI of an absolute path.
pub(crate) fn of(path: &str) -> String {
    let mut uri = String::with_capacity(path.len() + 7);
    uri.push_str("file://");
    for &byte in path.as_bytes() {
        // RFC 3986, "Path": unreserved, sub-delims and the other characters of a segment.
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=:@".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push('%');
            for digit in [byte >> 4, byte & 15] {
                uri.extend(
                    char::from_digit(digit.into(), 16).map(|digit| digit.to_ascii_uppercase()),
                );
            }
        }
    }
    uri
}

/// Maps a client's URIs to the canonical paths of the host. The root is canonical; a client may
/// name it through a symbolic link.
pub(crate) struct Paths {
    root: String,
    /// Folders outside the root, with their canonical paths.
    folders: RefCell<BTreeMap<String, Option<String>>>,
}

impl Paths {
    /// Returns the mapping for a host with this root.
    pub(crate) fn new(root: &str) -> Paths {
        Paths {
            root: root.to_owned(),
            folders: RefCell::default(),
        }
    }

    /// Returns the path of a file; `None` if the URI names none.
    pub(crate) fn path(&self, uri: &str) -> Option<String> {
        let path = path(uri)?;
        if self.holds(&path) {
            return Some(path);
        }
        Some(self.linked(&path).unwrap_or(path))
    }

    fn holds(&self, path: &str) -> bool {
        let rest = path.strip_prefix(self.root.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.starts_with('/'))
    }

    fn linked(&self, path: &str) -> Option<String> {
        let (folder, name) = path.rsplit_once('/')?;
        let mut folders = self.folders.borrow_mut();
        if !folders.contains_key(folder) {
            if folders.len() >= MAX_CACHED_FOLDERS {
                folders.clear();
            }
            let real = std::fs::canonicalize(folder).ok();
            let real = real.and_then(|real| real.to_str().map(str::to_owned));
            folders.insert(folder.to_owned(), real);
        }
        let real = format!("{}/{name}", folders.get(folder)?.as_deref()?);
        self.holds(&real).then_some(real)
    }
}

/// The URIs under which the client has opened its documents, by path. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct ClientUris(Arc<BTreeMap<String, String>>);

impl ClientUris {
    /// Records that the client opened `path` as `uri`.
    pub(crate) fn open(&mut self, path: &str, uri: &str) {
        Arc::make_mut(&mut self.0).insert(path.to_owned(), uri.to_owned());
    }

    /// Records that the client closed it.
    pub(crate) fn close(&mut self, path: &str) {
        Arc::make_mut(&mut self.0).remove(path);
    }

    /// Returns the URI of a path: the client's own if it has the document open.
    pub(crate) fn uri(&self, path: &str) -> lsp_types::Uri {
        lsp_types::Uri(self.0.get(path).cloned().unwrap_or_else(|| of(path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_any_characters_round_trip() {
        for name in [
            "/w/a.go",
            "/w/a b#c?d%e.py",
            "/w/ä/日本/𝕏.go",
            "/w/[a]{b}^`\"<>|\\.go",
            "/w/a:b@c.go",
        ] {
            assert_eq!(path(&of(name)).as_deref(), Some(name), "{}", of(name));
            assert!(of(name).is_ascii());
        }
        assert_eq!(of("/w/a b#ä.py"), "file:///w/a%20b%23%C3%A4.py");
    }

    #[test]
    fn uris_in_the_forms_that_clients_write_are_decoded() {
        for (uri, expected) in [
            ("file:///w/a.go", "/w/a.go"),
            ("FILE:///w/a.go", "/w/a.go"),
            ("file:/w/a.go", "/w/a.go"),
            ("file://localhost/w/a.go", "/w/a.go"),
            ("file:///w/%61%2Ego", "/w/a.go"),
            ("file:///w//b/../a.go", "/w/a.go"),
            ("file:///w/ä b.go", "/w/ä b.go"),
            ("file:///w/a%23b.go#L10", "/w/a#b.go"),
            ("file:///w/", "/w"),
        ] {
            assert_eq!(path(uri).as_deref(), Some(expected), "{uri}");
        }
    }

    #[test]
    fn uris_that_are_no_file_of_this_machine_name_nothing() {
        for uri in [
            "untitled:Untitled-1",
            "git:/w/a.go?ref",
            "http://localhost/w/a.go",
            "file://evil/w/a.go",
            "file://w",
            "file:a.go",
            "file:",
            "/w/a.go",
            "",
            "file:///w/%zz.go",
            "file:///w/%e",
            "file:///w/%",
            "file:///w/%00.go",
            "file:///w/%ff.go",
        ] {
            assert_eq!(path(uri), None, "{uri}");
        }
        let long = format!("file:///{}", "a".repeat(MAX_URI_LENGTH));
        assert_eq!(path(&long), None);
    }
}
