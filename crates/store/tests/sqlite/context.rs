//! Context by bytes: positions cut the stored text of a declaration, whatever its lines are.

use codeweft_store::EdgeType;
use codeweft_testing::Fixture;
use rusqlite::OpenFlags;

use super::{exported, opened, rows};

const CUT: &str =
    "SELECT s.symbol_id, substr(CAST(c.content AS BLOB), s.start_pos + 1, s.end_pos - s.start_pos)
    FROM symbols s JOIN file_content c ON c.file_path = s.file_path
    WHERE s.kind = 'function' AND NOT s.external ORDER BY 1";

/// Returns the declarations of functions of a text, cut from the database.
fn cut(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let texts = [("a.go".to_owned(), text.to_owned())].into();
    let world = Fixture::of(texts).load();
    let path = exported(&world, "sqlite", &EdgeType::ALL, folder.path());
    rows(&opened(&path, OpenFlags::SQLITE_OPEN_READ_ONLY), CUT)
}

#[test]
fn positions_cut_declarations_behind_many_bytes_a_letter_and_a_byte_order_mark() {
    let body = "package a\n\n// été 日本\nfunc é() string { return \"日本\" }\nfunc last() {}";
    let expected = [
        "m.last | func last() {}",
        "m.é | func é() string { return \"日本\" }",
    ];
    assert_eq!(cut(body), expected);
    assert_eq!(cut(&format!("\u{feff}{body}")), expected);
}

#[test]
fn positions_cut_declarations_of_lines_that_end_by_crlf() {
    let text = "package a\r\n\r\nfunc first() {\r\n\tlast()\r\n}\r\n\r\nfunc last() {}\r\n";
    assert_eq!(
        cut(text),
        [
            "m.first | func first() {\r\n\tlast()\r\n}",
            "m.last | func last() {}"
        ]
    );
}

#[test]
fn positions_cut_declarations_around_a_line_of_100_kilobytes() {
    let long = format!("func long() string {{ return \"{}\" }}", "é".repeat(50_000));
    let text = format!("package a\n\n{long}; func same() {{}}\nfunc next() {{}}\n");
    let expected = [
        format!("m.long | {long}"),
        "m.next | func next() {}".to_owned(),
        "m.same | func same() {}".to_owned(),
    ];
    assert!(cut(&text) == expected);
}
