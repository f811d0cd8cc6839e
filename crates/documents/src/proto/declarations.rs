//! The declarations of a protocol buffers file without parsing them: where each begins and ends.

use codeweft_syntax::Span;

/// A declaration at the top level, without comments before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Declaration<'t> {
    /// From its first byte to behind its `;` or its last `}`.
    pub(super) span: Span,
    /// Its first word.
    pub(super) keyword: &'t str,
    /// Its second word; empty if something else follows the first.
    pub(super) second: &'t str,
}

/// Returns the declarations at the top level, in text order. The last may have no end.
pub(super) fn declarations(text: &str) -> Vec<Declaration<'_>> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut depth = 0usize;
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        let next = end_of_token(bytes, at);
        let is_comment = byte == b'/' && next > at + 1;
        if start.is_none() && !byte.is_ascii_whitespace() && !is_comment {
            start = Some(at);
        }
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && matches!(byte, b';' | b'}') {
            found.extend(start.take().map(|start| declaration(text, start, next)));
        }
        at = next;
    }
    found.extend(start.map(|start| declaration(text, start, text.len())));
    found
}

fn declaration(text: &str, start: usize, end: usize) -> Declaration<'_> {
    let written = text.get(start..end).unwrap_or_default();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = |text: &str| text.find(|c| !is_word(c)).unwrap_or(text.len());
    let (keyword, rest) = written.split_at(word(written));
    let rest = rest.trim_start();
    Declaration {
        span: Span {
            start: start as u32,
            end: end as u32,
        },
        keyword,
        second: rest.get(..word(rest)).unwrap_or_default(),
    }
}

/// Returns the end of the comment or string that begins at `at`, else that of its character. A string ends at the end of its
/// line at the latest.
fn end_of_token(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let until = |end: Option<usize>| at + end.unwrap_or(rest.len());
    match rest {
        [b'/', b'/', ..] => until(rest.iter().position(|&byte| byte == b'\n')),
        [b'/', b'*', ..] => {
            let mut pairs = rest.windows(2).skip(2);
            until(pairs.position(|pair| pair == b"*/").map(|end| end + 4))
        }
        [quote @ (b'"' | b'\''), ..] => {
            let mut end = 1;
            while let Some(&byte) = rest.get(end) {
                end += if byte == b'\\' { 2 } else { 1 };
                if byte == *quote || byte == b'\n' {
                    break;
                }
            }
            at + end.min(rest.len())
        }
        _ => at + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::declarations;

    #[test]
    fn declarations_end_at_their_semicolon_or_last_brace_and_strings_and_comments_hide_both() {
        let text = "// a; {\nsyntax = \"pro;to3\"; /* } */ message A { message B {} string s = 1; }\n\
                    option (x) = \"}\"; import option 'a;b'; message C {";
        let found = declarations(text);
        let written: Vec<&str> = found
            .iter()
            .map(|found| &text[found.span.start as usize..found.span.end as usize])
            .collect();
        assert_eq!(
            written,
            [
                "syntax = \"pro;to3\";",
                "message A { message B {} string s = 1; }",
                "option (x) = \"}\";",
                "import option 'a;b';",
                "message C {"
            ]
        );
        let words: Vec<_> = found
            .iter()
            .map(|found| (found.keyword, found.second))
            .collect();
        assert_eq!(
            words,
            [
                ("syntax", ""),
                ("message", "A"),
                ("option", ""),
                ("import", "option"),
                ("message", "C")
            ]
        );
    }
}
