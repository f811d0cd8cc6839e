//! Names in a text that run or reach declarations without being uses of them: the methods that its
//! interfaces declare, and string literals.

/// Returns the names of the methods of the interfaces in a text.
///
/// ```go
/// type Closer interface { Close() error }            // Close
/// if x, ok := err.(interface{ Is(error) bool }); ok  // Is
/// ```
pub(crate) fn interface_methods(text: &str) -> Vec<&str> {
    const KEYWORD: &str = "interface";
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, _) in text.match_indices(KEYWORD) {
        let end = at + KEYWORD.len();
        let is_part = |at: Option<usize>| {
            let byte = at.and_then(|at| bytes.get(at));
            byte.is_some_and(|&byte| is_of_name(byte))
        };
        if is_part(at.checked_sub(1)) || is_part(Some(end)) {
            continue;
        }
        let blank = [' ', '\t', '\r', '\n'];
        let open = end + text[end..].len() - text[end..].trim_start_matches(blank).len();
        if bytes.get(open) == Some(&b'{') {
            add_methods(text, open + 1, &mut found);
        }
    }
    found
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Adds the names before a parenthesis at the beginning of an element of the braces that are open at an
/// offset.
fn add_methods<'t>(text: &'t str, mut at: usize, found: &mut Vec<&'t str>) {
    let bytes = text.as_bytes();
    let mut depth = 1;
    let mut begins = true;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at..]
                    .find("*/")
                    .map_or(bytes.len(), |end| at + end + 2);
                continue;
            }
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
            b'\n' | b';' => begins |= depth == 1,
            b' ' | b'\t' | b'\r' => {}
            _ if is_of_name(byte) => {
                let length = bytes[at..]
                    .iter()
                    .take_while(|&&byte| is_of_name(byte))
                    .count();
                let end = at + length;
                let rest = text[end..].trim_start_matches([' ', '\t']);
                if begins && depth == 1 && (rest.starts_with('(') || rest.starts_with("/*")) {
                    found.push(&text[at..end]);
                }
                begins = false;
                at = end;
                continue;
            }
            _ => begins = false,
        }
        at += 1;
    }
}

/// Visits the string literals of a text that are a name or a path of names, each part with its byte
/// offset: reflection and templates look methods and fields up by them.
pub(crate) fn named_in_literals<'t>(text: &'t str, visit: &mut dyn FnMut(&'t str, u32)) {
    const LONGEST: usize = 200;
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(open) = bytes[from..]
        .iter()
        .position(|byte| matches!(byte, b'"' | b'`'))
    {
        let start = from + open + 1;
        let content = bytes[start..].iter().take(LONGEST);
        let length = content
            .take_while(|&&byte| is_of_name(byte) || byte == b'.')
            .count();
        let end = start + length;
        from = start;
        if length == 0 || bytes.get(end) != Some(&bytes[start - 1]) {
            continue;
        }
        from = end + 1;
        let mut at = start;
        for part in text.get(start..end).unwrap_or("").split('.') {
            if !part.is_empty() {
                visit(part, at as u32);
            }
            at += part.len() + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{interface_methods, named_in_literals};

    #[test]
    fn the_methods_of_an_interface_begin_its_elements() {
        let text = "type A interface {\n\tOne() error // Not(x)\n\tTwo (a int); Three()\n\tio.Reader\n}\n\
                    var b = x.(interface{ Four(f func(Inner())) })\n\
                    type interfaces struct { Five() }";
        assert_eq!(interface_methods(text), ["One", "Two", "Three", "Four"]);
    }

    #[test]
    fn literals_that_are_names_are_visited_and_no_others() {
        let mut found = Vec::new();
        let text = "f(\"Serve\", \"no name\", `A.Run`, \"\")";
        named_in_literals(text, &mut |name, at| found.push((name, at)));
        assert_eq!(found, [("Serve", 3), ("A", 23), ("Run", 25)]);
    }
}
