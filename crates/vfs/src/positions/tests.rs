use proptest::prelude::*;

use super::*;

const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

fn at(line: u32, character: u32) -> Position {
    Position { line, character }
}

fn index(text: &str) -> LineIndex {
    LineIndex::new(text.into())
}

#[test]
fn three_kinds_of_line_breaks_end_a_line() {
    let lines = index("a\nb\r\nc\rd\n\r\r\n");
    let begins: Vec<u32> = (0..9)
        .map(|n| lines.offset(at(n, 0), Encoding::Utf16))
        .collect();
    assert_eq!(begins, [0, 2, 5, 7, 9, 10, 12, 12, 12]);
}

#[test]
fn each_encoding_counts_its_own_units() {
    // 1, 2, 3 and 4 bytes; the last is two units of UTF-16.
    let text = "aä€𝄞z";
    let columns = |encoding| {
        let lines = index(text);
        let begins = text.char_indices().map(|(begin, _)| begin as u32);
        begins
            .map(|begin| lines.position(begin, encoding).character)
            .collect::<Vec<_>>()
    };
    assert_eq!(columns(Encoding::Utf8), [0, 1, 3, 6, 10]);
    assert_eq!(columns(Encoding::Utf16), [0, 1, 2, 3, 5]);
    assert_eq!(columns(Encoding::Utf32), [0, 1, 2, 3, 4]);
}

#[test]
fn a_position_behind_its_line_is_the_lines_end_and_one_behind_the_text_the_texts() {
    let lines = index("ab\r\ncd");
    for encoding in ALL {
        for far in [3, 4, 5, u32::MAX] {
            assert_eq!(lines.offset(at(0, far), encoding), 2);
            assert_eq!(lines.offset(at(1, far), encoding), 6);
            assert_eq!(lines.offset(at(2, far), encoding), 6);
            assert_eq!(lines.offset(at(u32::MAX, far), encoding), 6);
        }
        assert_eq!(lines.position(u32::MAX, encoding), at(1, 2));
    }
}

#[test]
fn nothing_splits_a_character_or_a_line_break() {
    let lines = index("𝄞x\r\ny");
    assert_eq!(lines.offset(at(0, 1), Encoding::Utf16), 0);
    assert_eq!(lines.offset(at(0, 3), Encoding::Utf8), 0);
    assert_eq!(lines.position(3, Encoding::Utf32), at(0, 0));
    // Between `\r` and `\n`.
    assert_eq!(lines.position(6, Encoding::Utf16), at(0, 3));
    assert_eq!(lines.position(7, Encoding::Utf16), at(1, 0));
}

#[test]
fn a_byte_order_mark_of_the_client_counts_in_the_first_line_alone() {
    let lines = LineIndex::after_bom("ab\ncd".into());
    for (encoding, mark) in [
        (Encoding::Utf8, 3),
        (Encoding::Utf16, 1),
        (Encoding::Utf32, 1),
    ] {
        assert_eq!(lines.position(1, encoding), at(0, 1 + mark));
        assert_eq!(lines.offset(at(0, 1 + mark), encoding), 1);
        assert_eq!(lines.offset(at(0, 0), encoding), 0);
        assert_eq!(lines.position(4, encoding), at(1, 1));
        assert_eq!(lines.offset(at(1, 1), encoding), 4);
    }
}

#[test]
fn positions_on_a_line_of_megabytes_are_those_of_a_count() {
    let line = "0123456789 ä€𝄞 ".repeat(2000);
    let text = format!("{line}\n𝄞{line}");
    let lines = index(&text);
    for encoding in ALL {
        for offset in (0..=text.len())
            .step_by(997)
            .chain([line.len(), text.len()])
        {
            let offset = char_begin(&text, offset);
            let position = lines.position(offset as u32, encoding);
            assert_eq!(position, counted(&text, offset, encoding));
            assert_eq!(lines.offset(position, encoding) as usize, offset);
        }
        // Inside the second half of a pair, and behind the first line's end.
        assert_eq!(lines.offset(at(0, u32::MAX), encoding) as usize, line.len());
    }
}

/// The position of the begin of a character that is no `\n` of a `\r\n`, one character after the
/// other.
fn counted(text: &str, offset: usize, encoding: Encoding) -> Position {
    let mut position = at(0, 0);
    let mut before = ' ';
    for character in text[..offset].chars() {
        if before == '\r' && character != '\n' {
            position = at(position.line + 1, 0);
        }
        if character == '\n' {
            position = at(position.line + 1, 0);
        } else if character != '\r' {
            position.character += match encoding {
                Encoding::Utf8 => character.len_utf8(),
                Encoding::Utf16 => character.len_utf16(),
                Encoding::Utf32 => 1,
            } as u32;
        }
        before = character;
    }
    if before == '\r' && !text[offset..].starts_with('\n') {
        position = at(position.line + 1, 0);
    }
    position
}

/// `long`: with runs that a count from the begin of the line would not do for.
fn some_text(long: bool) -> impl Strategy<Value = String> {
    let pieces = [
        "a", "z", "\n", "\r\n", "\r", "ä", "€", "𝄞", "e\u{301}", " ", "\u{feff}", "",
    ];
    let long = prop_oneof![
        30 => Just(1usize),
        1 => Just(if long { 900usize } else { 2 }),
    ];
    let piece = (proptest::sample::select(pieces.to_vec()), long);
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| {
        pieces
            .iter()
            .map(|(piece, times)| piece.repeat(*times))
            .collect()
    })
}

proptest! {
    #[test]
    fn positions_there_and_back_are_those_of_a_naive_count(
        text in some_text(true),
        offsets in proptest::collection::vec(any::<prop::sample::Index>(), 8),
    ) {
        let lines = index(&text);
        for offset in offsets {
            let given = offset.index(text.len() + 1);
            let mut offset = char_begin(&text, given);
            if text[..offset].ends_with('\r') && text[offset..].starts_with('\n') {
                offset -= 1;
            }
            for encoding in ALL {
                let position = lines.position(given as u32, encoding);
                prop_assert_eq!(position, counted(&text, offset, encoding));
                prop_assert_eq!(lines.offset(position, encoding) as usize, offset);
            }
        }
    }

    #[test]
    fn any_position_is_the_last_character_begin_that_is_not_behind_it(
        text in some_text(false),
        line in 0u32..12,
        character in 0u32..40,
    ) {
        let lines = index(&text);
        for encoding in ALL {
            // Among all offsets that have a position.
            let offsets = (0..=text.len()).filter(|&offset| {
                text.is_char_boundary(offset)
                    && !(text[..offset].ends_with('\r') && text[offset..].starts_with('\n'))
            });
            let wanted = at(line, character);
            let mut expected = 0;
            for offset in offsets {
                if counted(&text, offset, encoding) <= wanted {
                    expected = offset;
                }
            }
            prop_assert_eq!(lines.offset(wanted, encoding) as usize, expected);
        }
    }

    #[test]
    fn lines_that_were_kept_through_edits_are_those_of_the_text(
        text in some_text(true),
        edits in proptest::collection::vec((0u32..6, 0u32..12, 0u32..6, 0u32..12, some_text(true)), 1..6),
    ) {
        let mut typed = ClientText::new(&index(&text));
        for (line, character, to_line, to_character, text) in edits {
            let range = Range { start: at(line, character), end: at(to_line, to_character) };
            let edit = Edit { range: Some(range), text };
            prop_assert!(typed.edit(&edit, Encoding::Utf16));
        }
        let document = typed.into_document(None);
        let afresh = Lines::of(document.text());
        prop_assert_eq!(document.lines(), &afresh);
    }
}
