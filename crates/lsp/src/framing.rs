//! Framing of messages in a byte stream (LSP, "Base Protocol"): header lines with the content's
//! length, an empty line, the content.
//!
//! ```text
//! Content-Length: 17\r\n
//! \r\n
//! {"jsonrpc":"2.0"}
//! ```
//!
//! No header is trusted: memory grows with the bytes received, not with the announced length.

use std::io::{self, BufRead, Write};

/// The maximum length of a client's message, in bytes.
pub(crate) const MAX_CLIENT: usize = 64 << 20;

/// The maximum length of a message of our own server, in bytes: its answers are not truncated.
pub(crate) const MAX_SERVER: usize = 1 << 30;

/// The maximum length of a header, all its lines together, in bytes.
const MAX_HEADER: usize = 4 << 10;

/// The first allocation for a content, in bytes; the buffer then doubles with what is received.
const INITIAL_CAPACITY: usize = 64 << 10;

/// A reason why a stream cannot be read any further.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FrameError {
    /// The stream broke, or ended inside a message.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The header is invalid, so that the start of the next message cannot be found.
    #[error("{0}")]
    Bad(&'static str),
}

/// Reads the content of the next message of at most `most` bytes. Returns `None` if the stream ends
/// between messages.
pub(crate) fn read(input: &mut impl BufRead, max: usize) -> Result<Option<Vec<u8>>, FrameError> {
    let Some(length) = header(input)? else {
        return Ok(None);
    };
    if length > max as u64 {
        return Err(FrameError::Bad("the message is too long"));
    }
    // Not above `most`, which is a `usize`.
    content(input, length as usize).map(Some)
}

/// Reads a header and returns the content's length in bytes.
fn header(input: &mut impl BufRead) -> Result<Option<u64>, FrameError> {
    let mut length = None;
    let mut left = MAX_HEADER;
    let mut line = Vec::new();
    loop {
        line.clear();
        let ended = header_line(input, &mut left, &mut line)?;
        if !ended {
            if line.is_empty() && left == MAX_HEADER {
                return Ok(None);
            }
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        if line.is_empty() {
            return match length {
                Some(length) => Ok(Some(length)),
                None => Err(FrameError::Bad("a header without Content-Length")),
            };
        }
        let text = std::str::from_utf8(&line)
            .map_err(|_| FrameError::Bad("a header that is not ASCII"))?;
        let Some((name, value)) = text.split_once(':') else {
            return Err(FrameError::Bad("a header line without a colon"));
        };
        if name.trim().eq_ignore_ascii_case("content-length") {
            let value = value.trim();
            if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(FrameError::Bad("a Content-Length that is no number"));
            }
            // Digits only: a number that does not fit is too long in any case.
            length = Some(value.parse().unwrap_or(u64::MAX));
        }
    }
}

/// Reads a line without its line end. Returns `false` if the stream ends first.
fn header_line(
    input: &mut impl BufRead,
    left: &mut usize,
    line: &mut Vec<u8>,
) -> Result<bool, FrameError> {
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        if bytes.is_empty() {
            return Ok(false);
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let take = end.map_or(bytes.len(), |end| end + 1);
        if take > *left {
            return Err(FrameError::Bad("the header is too long"));
        }
        *left -= take;
        line.extend_from_slice(&bytes[..end.unwrap_or(take)]);
        input.consume(take);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(true);
        }
    }
}

fn content(input: &mut impl BufRead, length: usize) -> Result<Vec<u8>, FrameError> {
    let mut content = Vec::new();
    while content.len() < length {
        let come = content.len();
        let more = (length - come).min(come.max(INITIAL_CAPACITY));
        content
            .try_reserve_exact(more)
            .map_err(|_| FrameError::Bad("there is no memory for the message"))?;
        content.resize(come + more, 0);
        input.read_exact(&mut content[come..])?;
    }
    Ok(content)
}

/// Returns a message with its header, as sent over the wire.
pub(crate) fn framed(content: &[u8]) -> Vec<u8> {
    let mut bytes = format!("Content-Length: {}\r\n\r\n", content.len()).into_bytes();
    bytes.extend_from_slice(content);
    bytes
}

/// Writes a message in one `write`, so that its reader wakes once, and flushes.
pub(crate) fn write(output: &mut impl Write, content: &[u8]) -> io::Result<()> {
    output.write_all(&framed(content))?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    fn first(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
        read(&mut BufReader::new(bytes), MAX_CLIENT).map_err(|error| error.to_string())
    }

    #[test]
    fn several_messages_are_read_in_order() {
        let mut bytes = framed(b"{}");
        bytes.extend(framed("[1, \"ä\"]".as_bytes()));
        let mut input = BufReader::with_capacity(3, &bytes[..]);
        assert_eq!(read(&mut input, 100).unwrap().unwrap(), b"{}");
        assert_eq!(
            read(&mut input, 100).unwrap().unwrap(),
            "[1, \"ä\"]".as_bytes()
        );
        assert!(read(&mut input, 100).unwrap().is_none());
    }

    #[test]
    fn header_names_are_case_insensitive_and_other_headers_are_ignored() {
        let bytes =
            b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\n\r\n{}";
        assert_eq!(first(bytes).unwrap().unwrap(), b"{}");
    }

    #[test]
    fn an_impossible_length_is_refused_before_anything_is_allocated() {
        for (length, words) in [
            ("1000000000000", "the message is too long"),
            ("99999999999999999999999999", "the message is too long"),
            ("-1", "a Content-Length that is no number"),
            ("+1", "a Content-Length that is no number"),
            ("0x10", "a Content-Length that is no number"),
            ("", "a Content-Length that is no number"),
            ("1 2", "a Content-Length that is no number"),
        ] {
            let bytes = format!("Content-Length: {length}\r\n\r\n{{}}");
            assert_eq!(first(bytes.as_bytes()).unwrap_err(), words, "{length}");
        }
    }

    #[test]
    fn memory_grows_with_the_bytes_received_and_not_with_the_announced_length() {
        let bytes = format!("Content-Length: {MAX_CLIENT}\r\n\r\n{{}}");
        let mut input = BufReader::new(bytes.as_bytes());
        assert!(matches!(
            read(&mut input, MAX_CLIENT),
            Err(FrameError::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof
        ));
    }

    #[test]
    fn a_header_above_the_maximum_length_is_refused() {
        let mut endless = BufReader::new(io::repeat(b'a').take(1 << 30));
        assert!(matches!(
            read(&mut endless, MAX_CLIENT),
            Err(FrameError::Bad("the header is too long"))
        ));
        let lines = "A: b\r\n".repeat(10_000);
        assert_eq!(
            first(lines.as_bytes()).unwrap_err(),
            "the header is too long"
        );
    }

    #[test]
    fn an_invalid_header_is_refused() {
        assert_eq!(
            first(b"Content-Length\xff: 2\r\n\r\n{}").unwrap_err(),
            "a header that is not ASCII"
        );
        assert_eq!(
            first(b"\r\n{}").unwrap_err(),
            "a header without Content-Length"
        );
        assert_eq!(
            first(b"{\"jsonrpc\"\n").unwrap_err(),
            "a header line without a colon"
        );
    }

    #[test]
    fn an_end_of_stream_inside_a_header_is_an_error() {
        assert!(first(b"").unwrap().is_none());
        assert!(first(b"Content-Length: 2\r\n").is_err());
        assert!(first(b"Content-Le").is_err());
    }
}
