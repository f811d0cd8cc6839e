//! Rewrites constructs that tree-sitter-python 0.25 does not support.
//!
//! ```text
//! source                        parser's copy
//! class C[T = int]: ...         class C[T : int]: ...           PEP 696: the default becomes a bound
//! class C[T: int = str]: ...    class C[T: int | str]: ...
//! {**a for a in b}              { *a for a in b}                PEP 798: lowering finds the other `*`
//! lazy import a                 import a                        PEP 810; `lazy from a import b`, too
//! ```

use super::ByteEdit;
use super::lexemes::{LocatedLexeme, PythonLexeme};

/// Brackets are searched for at most this many lexemes.
const MAX_LOOK: usize = 2000;

/// Returns the edits of a text, in order.
pub(super) fn gaps(bytes: &[u8], found: &[LocatedLexeme]) -> Vec<ByteEdit> {
    let word = |at: usize| match found.get(at) {
        Some(one) if one.lexeme == PythonLexeme::Word => &bytes[one.bytes()],
        _ => b"",
    };
    let symbol = |at: usize| match found.get(at).map(|one| one.lexeme) {
        Some(PythonLexeme::Symbol(byte)) => byte,
        _ => 0,
    };
    let mut edits = Vec::new();
    let mut begins_line = true;
    for at in 0..found.len() {
        match word(at) {
            b"lazy" if begins_line && matches!(word(at + 1), b"import" | b"from") => {
                edits.push(ByteEdit::new(found[at].start, found[at + 1].start, ""));
            }
            b"def" | b"class" | b"type" if !word(at + 1).is_empty() && symbol(at + 2) == b'[' => {
                type_defaults(bytes, &found[at + 3..], &mut edits);
            }
            _ => {}
        }
        if symbol(at) == b'{'
            && symbol(at + 1) == b'*'
            && symbol(at + 2) == b'*'
            && found[at + 1].end == found[at + 2].start
            && is_comprehension(bytes, &found[at + 3..])
        {
            edits.push(ByteEdit::new(found[at + 1].start, found[at + 2].end, " *"));
        }
        begins_line =
            found[at].lexeme == PythonLexeme::LineEnd || matches!(symbol(at), b';' | b':');
    }
    edits
}

/// Rewrites defaults in the brackets that are open before `found`.
fn type_defaults(bytes: &[u8], found: &[LocatedLexeme], edits: &mut Vec<ByteEdit>) {
    let mut depth = 0u32;
    let mut has_bound = false;
    for one in found.iter().take(MAX_LOOK) {
        let PythonLexeme::Symbol(byte) = one.lexeme else {
            continue;
        };
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => has_bound = false,
            b':' if depth == 0 => has_bound = true,
            b'=' if depth == 0 => {
                let is_part = |byte: Option<&u8>| matches!(byte, Some(b'=' | b'!' | b'<' | b'>'));
                if !is_part(bytes.get(one.end)) && !is_part(bytes.get(one.start - 1)) {
                    let with = if has_bound { "|" } else { ":" };
                    edits.push(ByteEdit::new(one.start, one.end, with));
                    has_bound = true;
                }
            }
            _ => {}
        }
    }
}

/// Returns whether the brackets that are open before `found` contain a `for`, not nested deeper.
fn is_comprehension(bytes: &[u8], found: &[LocatedLexeme]) -> bool {
    let mut depth = 0u32;
    for one in found.iter().take(MAX_LOOK) {
        match one.lexeme {
            PythonLexeme::Symbol(b'(' | b'[' | b'{') => depth += 1,
            PythonLexeme::Symbol(b')' | b']' | b'}') if depth == 0 => return false,
            PythonLexeme::Symbol(b')' | b']' | b'}') => depth -= 1,
            PythonLexeme::Symbol(b',' | b':') if depth == 0 => return false,
            PythonLexeme::Word if depth == 0 && &bytes[one.bytes()] == b"for" => return true,
            _ => {}
        }
    }
    false
}
