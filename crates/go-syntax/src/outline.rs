//! Lowers the header or the items of a text without its bodies, for a file of a library that a
//! question may never look into.
//!
//! Both lower a shorter text that has the same header or the same items, and give up (`None`) at
//! whatever could make a difference: then the whole text is lowered.
//!
//! ```go
//! package p                  header: all before the first declaration, and the
//! import "fmt"               //go:linkname lines between later ones
//! func f(x int) string {     items: every body of a function is empty
//!     return fmt.Sprint(x)
//! }
//! ```

use std::sync::Arc;

use super::scan::{GoLexeme, GoScanner, is_line_start};
use codeweft_syntax::{FileIr, Header, Items, Names};

/// The keywords that begin a declaration other than an import.
const DECLARATIONS: [&[u8]; 4] = [b"func", b"type", b"var", b"const"];

/// The directive that a header lists wherever it is between declarations.
const LINKNAME: &str = "//go:linkname ";

/// Lowers the header of a text alone, equal to that of the whole text.
pub(super) fn header(text: &str, names: &Names) -> Option<Arc<Header>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = first_declaration(text)?;
    let (before, behind) = text.split_at(first);
    if behind.contains("\nimport") && !imports_nothing(behind)? {
        return None;
    }
    if !behind.contains(LINKNAME) {
        return Some(lower_sound(before, names)?.header);
    }
    let mut shorter = format!("{before}\n");
    for line in linknames(behind)? {
        shorter.push_str(line);
        shorter.push('\n');
    }
    Some(lower_sound(&shorter, names)?.header)
}

/// Lowers the items of a text alone, equal to those of the whole text.
pub(super) fn items(text: &str, names: &Names) -> Option<Arc<Items>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut shorter = String::with_capacity(text.len());
    let mut copied = 0;
    for (start, end) in bodies(text)? {
        shorter.push_str(text.get(copied..start)?);
        copied = end;
    }
    shorter.push_str(text.get(copied..)?);
    Some(lower_sound(&shorter, names)?.items)
}

/// Lowers a text that the grammar reads as a whole, without any repair.
fn lower_sound(text: &str, names: &Names) -> Option<FileIr> {
    let ir = crate::lower(text, names, None, &|| false)?;
    let report = &ir.report;
    let is_sound = report.repaired == 0 && !report.chunked && report.error_lines.is_empty();
    (is_sound && !report.cut).then_some(ir)
}

/// Returns the offset of the first declaration that is no import; `None` if there is none, or if
/// anything but a package clause and imports comes before it.
fn first_declaration(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    for found in GoScanner::new(bytes, 0) {
        match found.lexeme {
            GoLexeme::Word if DECLARATIONS.contains(&&bytes[found.start..found.end]) => {
                return is_line_start(bytes, found.start).then_some(found.start);
            }
            GoLexeme::Word | GoLexeme::Literal => {}
            GoLexeme::Symbol(b'(' | b')' | b';' | b'.') => {}
            GoLexeme::Symbol(_) => return None,
        }
    }
    None
}

/// Returns whether no declaration of a text is an import: what looks like one is in a literal, a comment or
/// between brackets. `None` if its brackets do not match.
fn imports_nothing(text: &str) -> Option<bool> {
    let bytes = text.as_bytes();
    let mut open = Brackets::default();
    let mut scanner = GoScanner::new(bytes, 0);
    for found in scanner.by_ref() {
        let is_word = matches!(found.lexeme, GoLexeme::Word);
        if is_word && open.is_empty() && &bytes[found.start..found.end] == b"import" {
            return Some(false);
        }
        open.note(found.lexeme)?;
    }
    (scanner.unclosed.is_none() && open.is_empty()).then_some(true)
}

/// Returns the lines of `//go:linkname` between the declarations of a text that begins with one;
/// `None` if its brackets do not match.
fn linknames(text: &str) -> Option<Vec<&str>> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut open = Brackets::default();
    let mut last_end = 0;
    let mut scanner = GoScanner::new(bytes, 0);
    let mut add = |from: usize, to: usize| {
        let between = text.get(from..to).unwrap_or("");
        if between.contains("/*") && between.contains(LINKNAME) {
            return None;
        }
        for line in between.lines() {
            if let Some(at) = line.find(LINKNAME) {
                // Behind other text it may belong to a declaration.
                (at == 0).then_some(())?;
                lines.push(line);
            }
        }
        Some(())
    };
    for found in scanner.by_ref() {
        if open.is_empty() {
            add(last_end, found.start)?;
        }
        open.note(found.lexeme)?;
        last_end = found.end;
    }
    if scanner.unclosed.is_some() || !open.is_empty() {
        return None;
    }
    add(last_end, text.len())?;
    Some(lines)
}

/// Returns the ranges between the braces of the bodies of functions and methods; `None` if brackets,
/// strings or comments do not end.
fn bodies(text: &str) -> Option<Vec<(usize, usize)>> {
    let bytes = text.as_bytes();
    let mut found_bodies = Vec::new();
    let mut open = Brackets::default();
    // Whether the head of a function is being read, and the offset behind the brace of its body.
    let (mut in_head, mut body) = (false, None);
    let mut in_type = false;
    let mut last_end = 0;
    let mut scanner = GoScanner::new(bytes, 0);
    for found in scanner.by_ref() {
        let word = &bytes[found.start..found.end];
        let is_outside = open.is_empty();
        // A line end ends the head of a function without a body (Go spec, Semicolons).
        in_head &= !(is_outside && bytes[last_end..found.start].contains(&b'\n'));
        last_end = found.end;
        if is_outside && is_line_start(bytes, found.start) && found.lexeme == GoLexeme::Word {
            in_head = word == b"func";
        }
        if in_head && is_outside && !in_type && found.lexeme == GoLexeme::Symbol(b'{') {
            (in_head, body) = (false, Some(found.end));
        }
        open.note(found.lexeme)?;
        if open.is_empty()
            && let Some(start) = body.take()
        {
            found_bodies.push((start, found.start));
        }
        in_type = matches!(word, b"struct" | b"interface");
    }
    (scanner.unclosed.is_none() && open.is_empty()).then_some(found_bodies)
}

/// The open brackets, innermost last.
#[derive(Default)]
struct Brackets(Vec<u8>);

impl Brackets {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes a lexeme; `None` if it closes a bracket that is not open.
    fn note(&mut self, lexeme: GoLexeme) -> Option<()> {
        match lexeme {
            GoLexeme::Symbol(b'(') => self.0.push(b')'),
            GoLexeme::Symbol(b'[') => self.0.push(b']'),
            GoLexeme::Symbol(b'{') => self.0.push(b'}'),
            GoLexeme::Symbol(byte @ (b')' | b']' | b'}')) => {
                (self.0.pop()? == byte).then_some(())?;
            }
            _ => {}
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use codeweft_syntax::{Names, lower_header, lower_items};

    use crate::GO;

    /// Lowers a text and its parts, and returns which of them were lowered alone: header, items.
    fn alone(text: &str) -> (bool, bool) {
        let names = Names::default();
        let whole = codeweft_syntax::lower(text, GO, &names, &|| false).unwrap();
        let header = lower_header(text, GO, &names);
        if let Some(header) = &header {
            assert_eq!(**header, *whole.header, "{text}");
        }
        let items = super::items(text, &names);
        assert_eq!(
            *lower_items(text, GO, &names).unwrap(),
            *whole.items,
            "{text}"
        );
        (header.is_some(), items.is_some())
    }

    #[test]
    fn header_and_items_equal_those_of_the_whole_text() {
        for text in [
            "// Doc.\npackage p\n\nimport (\n\t\"fmt\"\n\tx \"os\"\n)\n\nfunc f() { fmt.Print(x.Args) }\n",
            "//go:build linux\n\npackage p\n\ntype T struct{ a int }\n\nfunc (t *T) M() (s struct{ b int }) {\n\tif t != nil {\n\t}\n\treturn\n}\n",
            "package p\n\nfunc f() interface{ M() } { return nil }\n\nfunc g[T interface{ ~int }](x T) map[string]struct{} { return nil }\n",
            "package p\n\nvar f = func() int { return 1 }\n\nvar s = `\nfunc g() {\n`\n\nfunc h() string { return `}` + \"}\" + string('}') }\n",
            "package p\n\nfunc assembly(x int) int\n\nvar v = T{1}\n\nfunc next() {}\n\ntype T struct {\n\ta int\n}\n",
            "package p\n\nfunc a()\nfunc b() { /* } */ }\n",
            "package p\n\nfunc a()\n\tvar v = struct{ a int }{1}\n",
            "package p\n\nvar s = `\nimport \"os\"\n`\n\n/*\nimport \"io\"\n*/\nfunc f() {\n\timported()\n}\n",
        ] {
            assert_eq!(alone(text), (true, true), "{text}");
        }
    }

    #[test]
    fn linknames_between_declarations_are_part_of_the_header() {
        let text = "package p\n\nimport _ \"unsafe\"\n\n//go:linkname a x.a\nfunc a()\n\n//go:linkname b\nvar b int\n\nfunc c() {\n\t//go:linkname d x.d\n}\n//go:linkname c x.c\n";
        assert_eq!(alone(text), (true, true));
    }

    #[test]
    fn whatever_could_make_a_difference_is_lowered_whole() {
        for text in [
            "package p\n",
            "package p\n\nfunc f() {\n",
            "package p\n\nfunc f() { g(] }\n",
            "package p\n\nvar s = `\n",
            "package p\n\nfunc f() {}\n\nimport \"fmt\"\n",
            "package p\n\nvar x = 1 /* a */ //go:linkname y z\n",
            "package p; func f() {}\n",
            "package p\n\nfunc f( {}\n",
            "x := 1\nfunc f() {}\n",
        ] {
            let (header, items) = alone(text);
            assert!(!header || !items, "{text}");
        }
    }
}
