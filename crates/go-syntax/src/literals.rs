//! Evaluates literals (Go spec, Lexical elements) as far as constant expressions need them.

/// Returns the value of an integer literal; `None` if it does not fit or is no literal.
pub(super) fn int(text: &str) -> Option<i128> {
    let bytes = text.as_bytes();
    let (radix, digits) = match bytes {
        [b'0', b'x' | b'X', ..] => (16, &bytes[2..]),
        [b'0', b'o' | b'O', ..] => (8, &bytes[2..]),
        [b'0', b'b' | b'B', ..] => (2, &bytes[2..]),
        [b'0', _, ..] => (8, &bytes[1..]),
        _ => (10, bytes),
    };
    let mut value = 0i128;
    for &byte in digits {
        if byte != b'_' {
            let digit = char::from(byte).to_digit(radix)?;
            value = value
                .checked_mul(i128::from(radix))?
                .checked_add(i128::from(digit))?;
        }
    }
    Some(value)
}

/// Returns the code point of a rune literal, quotes included in `text`; 0 if it is none.
pub(super) fn rune(text: &str) -> u32 {
    let inner = text.strip_prefix('\'').unwrap_or(text);
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    match inner.strip_prefix('\\') {
        None => inner.chars().next().map_or(0, u32::from),
        Some(escape) => self::escape(escape.as_bytes()).0,
    }
}

/// Returns the length in bytes of the value of a string literal, quotes included in `text`.
pub(super) fn string_len(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let inner = bytes.get(1..bytes.len().saturating_sub(1)).unwrap_or(&[]);
    if bytes.first() == Some(&b'`') {
        return inner.iter().filter(|&&byte| byte != b'\r').count() as u32;
    }
    let mut len = 0;
    let mut at = 0;
    while let Some(&byte) = inner.get(at) {
        if byte == b'\\' {
            let (value, used) = escape(&inner[at + 1..]);
            len += match inner.get(at + 1) {
                Some(b'u' | b'U') => char::from_u32(value).map_or(3, char::len_utf8),
                _ => 1,
            };
            at += 1 + used;
        } else {
            len += 1;
            at += 1;
        }
    }
    len as u32
}

/// Returns the value of an escape sequence after its backslash, and the number of bytes it takes.
fn escape(bytes: &[u8]) -> (u32, usize) {
    let hex = |from: usize, count: usize| {
        let digits = bytes.get(from..).unwrap_or(&[]).iter().take(count);
        let digits = digits.map_while(|&byte| char::from(byte).to_digit(16));
        digits.fold((0u32, from), |(value, used), digit| {
            (value.wrapping_mul(16).wrapping_add(digit), used + 1)
        })
    };
    match bytes.first() {
        None => (0, 0),
        Some(b'x') => hex(1, 2),
        Some(b'u') => hex(1, 4),
        Some(b'U') => hex(1, 8),
        Some(b'0'..=b'7') => {
            let digits = bytes
                .iter()
                .take(3)
                .map_while(|&byte| char::from(byte).to_digit(8));
            digits.fold((0, 0), |(value, used), digit| (value * 8 + digit, used + 1))
        }
        Some(b'a') => (7, 1),
        Some(b'b') => (8, 1),
        Some(b't') => (9, 1),
        Some(b'n') => (10, 1),
        Some(b'v') => (11, 1),
        Some(b'f') => (12, 1),
        Some(b'r') => (13, 1),
        Some(&byte) => (u32::from(byte), 1),
    }
}

/// Returns the value of a string literal (an import path or a tag), quotes included in `text`.
pub(super) fn string(text: &str) -> std::borrow::Cow<'_, str> {
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    if text.starts_with('`') || !inner.contains('\\') {
        return inner.into();
    }
    let bytes = inner.as_bytes();
    let mut value = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if byte != b'\\' {
            value.push(byte);
            continue;
        }
        let (code, used) = escape(&bytes[at..]);
        match bytes.get(at) {
            Some(b'u' | b'U') => {
                let char = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                value.extend(char.encode_utf8(&mut [0; 4]).bytes());
            }
            _ => value.push(code as u8),
        }
        at += used;
    }
    String::from_utf8_lossy(&value).into_owned().into()
}
