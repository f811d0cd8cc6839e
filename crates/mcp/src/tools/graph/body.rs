//! The code of a result, cut in the middle.

use crate::tools::tokens;

/// The length to which lines of code that is cut are cut.
const MAX_LINE: usize = 200;

/// The bytes of a token at most, as a rule; less of a long text is counted.
const BYTES_OF_TOKEN: usize = 16;

/// Cuts code to a number of tokens: lines in the middle are dropped, at least the first and the last
/// stay. The first line says which lines the code is, as `// Lines 11-27`; a line in the middle
/// says which were dropped.
pub(super) fn cut(code: &mut String, most: usize) {
    if code.len() <= most || is_within(code, most) {
        return;
    }
    let (first, rest) = code.split_once('\n').unwrap_or((code.as_str(), ""));
    let (comment, number) = numbered(first);
    let lines: Vec<String> = rest.lines().map(bounded).collect();
    if lines.len() < 3 {
        *code = format!("{first}\n{}", lines.join("\n"));
        return;
    }
    let mut keep = lines.len() - 1;
    let cut = loop {
        let before = keep.div_ceil(2);
        let after = keep - before;
        let dropped = lines.len() - keep;
        let (from, to) = (number + before, number + before + dropped - 1);
        let mut parts = vec![first.to_owned()];
        parts.extend_from_slice(&lines[..before]);
        parts.push(format!("{comment} … {dropped} lines dropped: {from}-{to}"));
        parts.extend_from_slice(&lines[lines.len() - after..]);
        let text = parts.join("\n");
        if keep <= 2 || is_within(&text, most) {
            break text;
        }
        // Nine tenths of what is likely to fit.
        let likely = keep * most / tokens_of(&text).max(1);
        keep = (likely * 9 / 10).clamp(2, keep - 1);
    };
    *code = cut;
}

fn is_within(text: &str, most: usize) -> bool {
    text.len() <= most * BYTES_OF_TOKEN && tokens::count(text) <= most
}

/// Returns about how many tokens a text has.
fn tokens_of(text: &str) -> usize {
    // Of a long text the guess is good enough to come closer.
    match text.len() {
        0..0x10000 => tokens::count(text),
        bytes => bytes / 4,
    }
}

/// Returns the comment sign of `// Lines 11-27` and the first number.
fn numbered(first: &str) -> (&str, usize) {
    let (comment, lines) = first.split_once(" Lines ").unwrap_or(("", ""));
    let number = lines.split('-').next().unwrap_or_default();
    (comment, number.parse().unwrap_or(1))
}

fn bounded(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn function(lines: usize) -> String {
        let statements: String = (2..lines).map(|n| format!("\tcall{n}()\n")).collect();
        format!("// Lines 1-{lines}\nfunc f() {{\n{statements}}}")
    }

    #[test]
    fn the_middle_is_dropped_and_said() {
        let mut code = function(100);
        cut(&mut code, 60);
        expect![[r#"
            // Lines 1-100
            func f() {
            	call2()
            	call3()
            	call4()
            	call5()
            	call6()
            // … 88 lines dropped: 7-94
            	call95()
            	call96()
            	call97()
            	call98()
            	call99()
            }"#]]
        .assert_eq(&code);
        assert!(tokens::count(&code) <= 60);
    }

    #[test]
    fn code_that_fits_stays() {
        let mut code = function(6);
        cut(&mut code, 60);
        assert_eq!(code, function(6));
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let mut code = format!("# Lines 7-7\nx = '{}'", "ab ".repeat(100_000));
        cut(&mut code, 200);
        assert!(code.starts_with("# Lines 7-7\n"), "{code}");
        assert!(code.contains('…') && code.len() < 1000, "{code}");
    }
}
