//! The values of string literals, read from the text on demand: no part of the intermediate form has them.

use std::borrow::Cow;

use crate::literals;

/// The length in bytes from which a literal is not read.
pub const MAX_TEXT: usize = 1024;

/// Returns the value of the string literal that begins at a byte offset of a text without byte-order mark (Go spec,
/// String literals). `None` if there is none, or if it has more than [`MAX_TEXT`] bytes.
///
/// ```
/// use codeweft_go_syntax::texts::text_at;
///
/// let text = r#"var a = "x\ty" + `z\n`"#;
/// assert_eq!(text_at(text, 8).unwrap(), "x\ty");
/// assert_eq!(text_at(text, 17).unwrap(), "z\\n");
/// assert_eq!(text_at(text, 0), None);
/// ```
pub fn text_at(text: &str, offset: u32) -> Option<Cow<'_, str>> {
    let rest = text.get(offset as usize..)?;
    let bytes = rest.as_bytes();
    let quote = *bytes.first().filter(|quote| matches!(quote, b'"' | b'`'))?;
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            byte if byte == quote => break,
            b'\\' if quote == b'"' => at += 2,
            b'\n' if quote == b'"' => return None,
            _ => at += 1,
        }
        if at > MAX_TEXT {
            return None;
        }
    }
    let literal = rest.get(..=at)?;
    let value = literals::string(literal);
    // Carriage returns are no part of a raw string's value.
    Some(match quote {
        b'`' if value.contains('\r') => value.replace('\r', "").into(),
        _ => value,
    })
}
