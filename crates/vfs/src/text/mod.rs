//! Bytes on disk to the text that the parsers see, or the reason why there is none.

mod open;

use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

pub use open::{Links, OpenFile, open_regular};

/// The size in bytes above which a file is left out unless the settings say otherwise.
pub const DEFAULT_MAX_SIZE: u64 = 8 * 1024 * 1024;

/// A NUL among this many first bytes makes a file binary (as git decides it).
const BINARY_PROBE: usize = 8 * 1024;

/// A text as it stood on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// UTF-8, after a byte-order mark; line ends as they are.
    pub text: Arc<str>,
    /// Whether a byte-order mark (3 bytes) stood before it.
    pub bom: bool,
}

/// A file or folder that is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreadPath {
    /// Absolute, with `/`; parts that are not UTF-8 are shown with replacement characters.
    pub path: String,
    /// Why.
    pub reason: UnreadReason,
}

/// Why a file is not read, in words for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnreadReason {
    /// There is no such file.
    #[error("there is no such file")]
    Absent,
    /// A NUL byte stands in the first 8 KiB.
    #[error("it is binary")]
    Binary,
    /// Larger than the limit; both in bytes.
    #[error("its {size} bytes are over the limit of {limit} (workspace.max_file_size)")]
    TooLarge {
        /// How large it is.
        size: u64,
        /// How large it may be.
        limit: u64,
    },
    /// Not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// Its coding line (PEP 263) names an encoding that does not fit or is not known.
    #[error("it is not in the encoding `{0}` that its coding line names")]
    Encoding(String),
    /// Its name is not UTF-8.
    #[error("its name is not UTF-8")]
    NameNotUtf8,
    /// A symbolic link to a place outside the workspace.
    #[error("it is a symbolic link out of the workspace")]
    LinkOutside,
    /// A symbolic link where a file is wanted.
    #[error("it is a symbolic link")]
    Link,
    /// A device, a socket, a pipe or a folder.
    #[error("it is not a regular file")]
    NotRegular,
    /// The system refused; its words.
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
/// UTF-8 with or without a byte-order mark; in Python files (by their ending) any encoding that a
/// coding line names (PEP 263). Links are followed: whether one may be is the walk's decision.
/// Never waits, whatever stands at the path.
///
/// # Errors
/// Why it is left out.
pub fn read_text(path: &str, max_size: u64) -> Result<Text, UnreadReason> {
    open_regular(path, Links::Follow)?.text(path, max_size)
}

/// The text of a file's bytes; `path` tells the language by its ending.
pub fn decode(path: &str, bytes: Vec<u8>) -> Result<Text, UnreadReason> {
    if bytes.iter().take(BINARY_PROBE).any(|&byte| byte == 0) {
        return Err(UnreadReason::Binary);
    }
    let bom = bytes.starts_with(b"\xEF\xBB\xBF");
    let body = &bytes[if bom { 3 } else { 0 }..];
    // Behind a byte-order mark everything is UTF-8 (the reference, "Encoding declarations").
    let label = if is_python(path) && !bom {
        coding_line(body)
    } else {
        None
    };
    let text = match std::str::from_utf8(body) {
        // An encoding that keeps ASCII and a text of ASCII alone: nothing to decode. Bytes that
        // are UTF-8 without a coding line are what both languages expect.
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

/// Why a text that an editor holds, behind a byte-order mark, would be left out if it stood on disk
/// in UTF-8; `None`: it would be read. Equal texts get equal answers.
pub(crate) fn would_leave_out(path: &str, text: &str, max_size: u64) -> Option<UnreadReason> {
    let size = text.len() as u64;
    if size > max_size {
        let limit = max_size;
        return Some(UnreadReason::TooLarge { size, limit });
    }
    if text.bytes().take(BINARY_PROBE).any(|byte| byte == 0) {
        return Some(UnreadReason::Binary);
    }
    if !is_python(path) {
        return None;
    }
    // The editor has decoded the text; what its codec cannot tell, Python's would not either.
    let label = coding_line(text.as_bytes())?;
    let refused = matches!(codec(&label), Codec::Ascii | Codec::Unknown) && !text.is_ascii();
    refused.then_some(UnreadReason::Encoding(label))
}

fn is_python(path: &str) -> bool {
    path.ends_with(".py") || path.ends_with(".pyi")
}

/// The encoding named in the first or second line: a comment that matches
/// `^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`; the second line counts only behind a line
/// that is blank or a comment (PEP 263 and the reference, "Encoding declarations").
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

/// How bytes of a Python codec become text (Python library, "Standard Encodings").
enum Codec {
    /// By the tables of the web's encodings.
    Tables(&'static Encoding),
    /// Each byte is the character of its number. The web reads the name as windows-1252.
    Latin1,
    /// No byte above 127.
    Ascii,
    /// A name that is not known here.
    Unknown,
}

/// The codec of a name. Case, `_` and `-` make no difference.
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

    fn text(path: &str, bytes: &[u8]) -> Result<String, UnreadReason> {
        decode(path, bytes.to_vec()).map(|text| text.text.to_string())
    }

    #[test]
    fn a_byte_order_mark_is_cut_and_remembered() {
        let with = decode("a.go", b"\xEF\xBB\xBFpackage a\r\n".to_vec());
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
    fn bytes_that_are_not_utf8_are_left_out() {
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
    fn behind_a_byte_order_mark_a_coding_line_has_no_say() {
        let bytes = "\u{feff}# coding: latin-1\nx = 'é'".as_bytes();
        assert!(text("a.py", bytes).is_ok_and(|text| text.ends_with("'é'")));
    }

    #[test]
    fn a_coding_line_behind_code_does_not_count() {
        let late = b"x = 1\n# coding: latin-1\ny = '\xE9'\n";
        assert_eq!(text("a.py", late), Err(UnreadReason::NotUtf8));
    }

    #[test]
    fn a_coding_line_that_is_not_true_is_told() {
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
        assert_eq!(read_text(path, 8), Err(too_large));
        assert!(read_text(path, 9).is_ok());
        let dir = folder.path().to_str().expect("UTF-8");
        assert_eq!(read_text(dir, 9), Err(UnreadReason::NotRegular));
        assert_eq!(read_text(&format!("{path}x"), 9), Err(UnreadReason::Absent));
    }
}
