//! Decodes bytes on disk to the text that the parsers see, or returns the reason why they cannot be
//! read.

mod open;

use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

pub use open::{Links, OpenFile, open_regular};

/// Size in bytes above which a file is unread unless the settings say otherwise.
pub const DEFAULT_MAX_SIZE: u64 = 8 * 1024 * 1024;

/// A NUL byte among this many first bytes makes a file binary (the rule of git).
const BINARY_PROBE: usize = 8 * 1024;

/// A decoded text of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The text in UTF-8, without a byte-order mark; line ends are unchanged.
    pub text: Arc<str>,
    /// Whether a byte-order mark (3 bytes) preceded it.
    pub bom: bool,
}

/// A file or folder that is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreadPath {
    /// Absolute, with `/`; parts that are not UTF-8 have replacement characters.
    pub path: String,
    /// The reason.
    pub reason: UnreadReason,
}

/// The reason why a file is not read; displayed to users.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnreadReason {
    /// There is no such file.
    #[error("there is no such file")]
    Absent,
    /// A NUL byte among the first 8 KiB.
    #[error("it is binary")]
    Binary,
    /// Larger than the limit; both in bytes.
    #[error(
        "its {size} bytes are over the limit of {limit} ([workspace] max_file_size in codeweft.toml)"
    )]
    TooLarge {
        /// The size of the file.
        size: u64,
        /// The maximum size.
        limit: u64,
    },
    /// Not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// Its coding line (PEP 263) names an encoding that does not fit or is unknown.
    #[error("it is not in the encoding `{0}` that its coding line names")]
    Encoding(String),
    /// Its name is not UTF-8.
    #[error("its name is not UTF-8")]
    NameNotUtf8,
    /// A symbolic link to a target outside the workspace.
    #[error("it is a symbolic link out of the workspace")]
    LinkOutside,
    /// A symbolic link instead of a file.
    #[error("it is a symbolic link")]
    Link,
    /// A device, a socket, a pipe or a folder.
    #[error("it is not a regular file")]
    NotRegular,
    /// An error of the system.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
}

impl From<std::io::Error> for UnreadReason {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => UnreadReason::Absent,
            _ => UnreadReason::Unreadable(error.to_string()),
        }
    }
}

/// Reads a text file of at most `max_size` bytes.
///
/// Accepts UTF-8 with or without a byte-order mark, and in files with `coding` lines any encoding
/// that one names (PEP 263). Links are followed: the walk decides whether one may be. Never blocks,
/// whatever is at the path.
///
/// # Errors The reason why the file is unread.
pub fn read_text(path: &str, max_size: u64, coding: &CodingLines) -> Result<Text, UnreadReason> {
    open_regular(path, Links::Follow)?.text(path, max_size, coding)
}

/// The files whose encoding a comment on one of their first two lines may name (PEP 263), by their
/// extensions. By default there are none: all texts are UTF-8.
#[derive(Clone, Debug, Default)]
pub struct CodingLines {
    extensions: Arc<[&'static str]>,
}

impl CodingLines {
    /// Returns the files with these extensions, given without the dot.
    pub fn of_extensions(extensions: impl IntoIterator<Item = &'static str>) -> CodingLines {
        CodingLines {
            extensions: extensions.into_iter().collect(),
        }
    }

    /// Returns whether a file may have a coding line.
    fn apply_to(&self, path: &str) -> bool {
        let extension = path.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_some_and(|extension| self.extensions.contains(&extension))
    }
}

/// Decodes the bytes of a file.
///
/// # Errors The reason why the file is unread.
pub fn decode(path: &str, bytes: Vec<u8>, coding: &CodingLines) -> Result<Text, UnreadReason> {
    if bytes.iter().take(BINARY_PROBE).any(|&byte| byte == 0) {
        return Err(UnreadReason::Binary);
    }
    let bom = bytes.starts_with(b"\xEF\xBB\xBF");
    let body = &bytes[if bom { 3 } else { 0 }..];
    // After a byte-order mark everything is UTF-8 (Python reference, Encoding declarations).
    let label = if coding.apply_to(path) && !bom {
        coding_line(body)
    } else {
        None
    };
    let text = match std::str::from_utf8(body) {
        // ASCII text in an encoding that extends ASCII needs no decoding. UTF-8 without a coding
        // line is what both languages expect.
        Ok(text) if label.is_none() || text.is_ascii() => Arc::from(text),
        decoded => {
            let Some(label) = label else {
                return Err(UnreadReason::NotUtf8);
            };
            match (codec(&label), decoded) {
                (Codec::Tables(encoding), Ok(text)) if encoding == UTF_8 => Arc::from(text),
                (Codec::Tables(encoding), _) => encoding
                    .decode_without_bom_handling_and_without_replacement(body)
                    .map(|text| Arc::from(&*text))
                    .ok_or(UnreadReason::Encoding(label))?,
                (Codec::Latin1, _) => {
                    let text: String = body.iter().map(|&byte| char::from(byte)).collect();
                    text.into()
                }
                (Codec::Ascii | Codec::Unknown, _) => return Err(UnreadReason::Encoding(label)),
            }
        }
    };
    Ok(Text { text, bom })
}

/// Returns why a text that an editor holds, without a byte-order mark, would be unread if it were
/// on disk in UTF-8; `None` if it would be read. Depends on path and text alone.
pub(crate) fn unread_in_editor(
    path: &str,
    text: &str,
    max_size: u64,
    coding: &CodingLines,
) -> Option<UnreadReason> {
    let size = text.len() as u64;
    if size > max_size {
        let limit = max_size;
        return Some(UnreadReason::TooLarge { size, limit });
    }
    if text.bytes().take(BINARY_PROBE).any(|byte| byte == 0) {
        return Some(UnreadReason::Binary);
    }
    if !coding.apply_to(path) {
        return None;
    }
    // The editor has decoded the text; errors that its codec cannot see, Python's would not see
    // either.
    let label = coding_line(text.as_bytes())?;
    let refused = matches!(codec(&label), Codec::Ascii | Codec::Unknown) && !text.is_ascii();
    refused.then_some(UnreadReason::Encoding(label))
}

/// Returns the encoding named in the first or second line by a comment that matches `^[
/// \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`. The second line counts only if the first is blank
/// or a comment (PEP 263; Python reference, Encoding declarations).
///
/// ```python
/// #!/usr/bin/env python
/// # -*- coding: latin-1 -*-
/// ```
fn coding_line(bytes: &[u8]) -> Option<String> {
    for line in bytes.split(|&byte| byte == b'\n').take(2) {
        let line = line.trim_ascii_start();
        if line.is_empty() {
            continue;
        }
        if line[0] != b'#' {
            return None;
        }
        if let Some(label) = coding_in(line) {
            return Some(label);
        }
    }
    None
}

fn coding_in(comment: &[u8]) -> Option<String> {
    let comment = String::from_utf8_lossy(comment);
    comment.match_indices("coding").find_map(|(at, word)| {
        let rest = comment[at + word.len()..].strip_prefix([':', '='])?;
        let label: String = rest
            .trim_start_matches([' ', '\t'])
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c))
            .collect();
        (!label.is_empty()).then_some(label)
    })
}

/// A decoder for a Python codec (Python library, Standard Encodings).
enum Codec {
    /// By the tables of the WHATWG Encoding Standard.
    Tables(&'static Encoding),
    /// Each byte is the character of its number. The Encoding Standard reads this name as
    /// windows-1252.
    Latin1,
    /// Bytes up to 127 only.
    Ascii,
    /// An unknown name.
    Unknown,
}

/// Returns the codec of a name. Case, `_` and `-` make no difference.
fn codec(label: &str) -> Codec {
    let label = label.to_ascii_lowercase().replace('_', "-");
    let label = ["-unix", "-dos", "-mac"]
        .iter()
        .find_map(|end| label.strip_suffix(end))
        .unwrap_or(&label);
    let known = match label {
        "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "iso-latin-1" | "8859" | "cp819"
        | "l1" => return Codec::Latin1,
        "ascii" | "us-ascii" | "646" => return Codec::Ascii,
        "utf-8-sig" | "utf" | "u8" | "cp65001" => "utf-8",
        "1252" => "windows-1252",
        "mac-roman" | "macroman" => "macintosh",
        other => other,
    };
    match Encoding::for_label_no_replacement(known.as_bytes()) {
        Some(encoding) => Codec::Tables(encoding),
        None => Codec::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coding() -> CodingLines {
        CodingLines::of_extensions(["py", "pyi"])
    }

    fn text(path: &str, bytes: &[u8]) -> Result<String, UnreadReason> {
        decode(path, bytes.to_vec(), &coding()).map(|text| text.text.to_string())
    }

    #[test]
    fn a_byte_order_mark_is_removed_and_reported() {
        let with = decode("a.go", b"\xEF\xBB\xBFpackage a\r\n".to_vec(), &coding());
        assert_eq!(
            with,
            Ok(Text {
                text: "package a\r\n".into(),
                bom: true
            })
        );
    }

    #[test]
    fn a_nul_in_the_first_bytes_is_binary_and_later_is_not() {
        assert_eq!(text("a.go", b"pack\0age"), Err(UnreadReason::Binary));
        let mut late = vec![b' '; BINARY_PROBE];
        late.push(0);
        assert!(text("a.go", &late).is_ok());
    }

    #[test]
    fn bytes_that_are_not_utf8_are_unread() {
        assert_eq!(text("a.go", b"// caf\xE9"), Err(UnreadReason::NotUtf8));
        assert_eq!(text("a.py", b"# caf\xE9"), Err(UnreadReason::NotUtf8));
    }

    #[test]
    fn a_coding_line_of_python_is_honoured() {
        let line = b"#!/usr/bin/python\n# -*- coding: latin-1 -*-\nx = '\xE9'\n";
        assert!(text("a.py", line).is_ok_and(|text| text.ends_with("x = 'é'\n")));
        let koi8 = b"# vim: set fileencoding=koi8-r :\n# \xC1\n";
        assert!(text("a.py", koi8).is_ok_and(|text| text.ends_with("# а\n")));
        assert_eq!(text("a.go", line), Err(UnreadReason::NotUtf8));
    }

    #[test]
    fn latin_1_and_the_code_page_of_windows_are_not_the_same() {
        let of = |label: &str| {
            let mut bytes = format!("# coding: {label}\nx = '").into_bytes();
            bytes.extend(b"\x80\xE9'");
            text("a.py", &bytes).map(|text| text.split_once('\n').map(|(_, line)| line.to_owned()))
        };
        let line = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(of("latin-1"), line("x = '\u{80}é'"));
        assert_eq!(of("ISO_8859-1-unix"), line("x = '\u{80}é'"));
        assert_eq!(of("cp1252"), line("x = '€é'"));
        assert_eq!(of("ascii"), Err(UnreadReason::Encoding("ascii".into())));
    }

    #[test]
    fn after_a_byte_order_mark_a_coding_line_is_ignored() {
        let bytes = "\u{feff}# coding: latin-1\nx = 'é'".as_bytes();
        assert!(text("a.py", bytes).is_ok_and(|text| text.ends_with("'é'")));
    }

    #[test]
    fn a_coding_line_behind_code_does_not_count() {
        let late = b"x = 1\n# coding: latin-1\ny = '\xE9'\n";
        assert_eq!(text("a.py", late), Err(UnreadReason::NotUtf8));
    }

    #[test]
    fn a_coding_line_that_does_not_fit_is_reported() {
        let wrong = b"# coding: utf-8\nx = '\xE9'\n";
        assert_eq!(
            text("a.py", wrong),
            Err(UnreadReason::Encoding("utf-8".into()))
        );
        let unknown = b"# coding: klingon\nx = '\xE9'\n";
        assert_eq!(
            text("a.py", unknown),
            Err(UnreadReason::Encoding("klingon".into()))
        );
        assert!(text("a.py", b"# coding: klingon\nx = 1\n").is_ok());
    }

    #[test]
    fn a_file_over_the_limit_a_folder_and_a_missing_file_have_their_reasons() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.go");
        std::fs::write(&path, "package a").expect("written");
        let path = path.to_str().expect("UTF-8");
        let too_large = UnreadReason::TooLarge { size: 9, limit: 8 };
        assert_eq!(read_text(path, 8, &coding()), Err(too_large));
        assert!(read_text(path, 9, &coding()).is_ok());
        let dir = folder.path().to_str().expect("UTF-8");
        assert_eq!(read_text(dir, 9, &coding()), Err(UnreadReason::NotRegular));
        assert_eq!(
            read_text(&format!("{path}x"), 9, &coding()),
            Err(UnreadReason::Absent)
        );
    }
}
