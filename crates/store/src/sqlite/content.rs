//! Texts as an SQLite archive keeps them, and the function that the `sqlite3` shell has for them.

use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Error};

/// The name of [`uncompressed`] in SQL.
const UNCOMPRESS: &str = "sqlar_uncompress";

/// The level of zlib: 1 MB of code takes 30 ms and a quarter of its bytes, higher levels save a hundredth.
const LEVEL: u32 = 6;

/// The maximum size of a text that is uncompressed. The bytes of a file may be damaged or made to be large.
const MAX_SIZE: usize = 1 << 30;

/// Returns a text compressed by zlib, or itself if that is not shorter
/// ([the form of an SQLite archive](https://sqlite.org/sqlar.html)).
pub(crate) fn compressed(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(text.len() / 3), Compression::new(LEVEL));
    encoder.write_all(text)?;
    let packed = encoder.finish()?;
    Ok(if packed.len() < text.len() {
        packed
    } else {
        text.to_vec()
    })
}

/// Returns the text of `size` bytes that [`compressed`] has packed.
///
/// # Errors
/// The bytes are no zlib stream, or hold another number of bytes.
pub(crate) fn uncompressed(packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    if packed.len() == size {
        return Ok(packed.to_vec());
    }
    let invalid = |words: &str| io::Error::new(io::ErrorKind::InvalidData, words.to_owned());
    if size > MAX_SIZE {
        return Err(invalid("the text is larger than a text can be"));
    }
    let mut text = Vec::new();
    ZlibDecoder::new(packed)
        .take(size as u64 + 1)
        .read_to_end(&mut text)?;
    if text.len() == size {
        Ok(text)
    } else {
        Err(invalid(
            "the text has another size than is written beside it",
        ))
    }
}

/// Defines `sqlar_uncompress(z, size)` in a connection, as the `sqlite3` shell does: NULL gives NULL.
pub(crate) fn define(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function(UNCOMPRESS, 2, flags, in_sql)
}

fn in_sql(arguments: &Context<'_>) -> rusqlite::Result<Value> {
    let packed = match arguments.get_raw(0) {
        ValueRef::Null => return Ok(Value::Null),
        ValueRef::Blob(bytes) | ValueRef::Text(bytes) => bytes,
        other => {
            return Err(Error::InvalidFunctionParameterType(0, other.data_type()));
        }
    };
    let size: i64 = arguments.get(1)?;
    let size = usize::try_from(size).unwrap_or(packed.len());
    let text = uncompressed(packed, size);
    text.map(Value::Blob)
        .map_err(|error| Error::UserFunctionError(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_itself_again() {
        for text in ["", "x", "package a\n", &"func f() {}\n".repeat(9_000)] {
            let packed = compressed(text.as_bytes()).expect("memory takes it");
            assert!(packed.len() <= text.len());
            let again = uncompressed(&packed, text.len()).expect("what was packed");
            assert!(again == text.as_bytes());
        }
    }

    #[test]
    fn bytes_that_are_no_text_of_that_size_are_an_error() {
        let packed = compressed(&[b'x'; 1000]).expect("memory takes it");
        assert!(uncompressed(&packed, 999).is_err());
        assert!(uncompressed(&packed, 1001).is_err());
        assert!(uncompressed(&packed[..packed.len() / 2], 1000).is_err());
        assert!(uncompressed(b"no zlib", 1000).is_err());
        assert!(uncompressed(&packed, usize::MAX).is_err());
    }
}
