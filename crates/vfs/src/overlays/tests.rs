use super::*;
use crate::{Position, Range};

const PATH: &str = "/w/a.go";
const A: ClientId = ClientId(1);
const B: ClientId = ClientId(2);

fn on_disk(text: &str) -> DiskState {
    DiskState::Text(text.into())
}

fn with_disk(text: &str) -> Vfs {
    let vfs = Vfs::default();
    vfs.set_disk(PATH, on_disk(text));
    vfs
}

fn open(vfs: &Vfs, client: ClientId, text: &str) {
    vfs.open(client, PATH, 1, text);
}

fn whole(vfs: &Vfs, client: ClientId, text: &str) {
    let edits = [edit(None, text)];
    let done = vfs.edit(client, PATH, 2, &edits, Encoding::Utf16);
    assert_eq!(done, Ok(()));
}

fn edit(range: Option<[u32; 4]>, text: &str) -> Edit {
    let at = |line, character| Position { line, character };
    Edit {
        range: range.map(|[line, character, end_line, end_character]| Range {
            start: at(line, character),
            end: at(end_line, end_character),
        }),
        text: text.to_owned(),
    }
}

#[track_caller]
fn holds(vfs: &Vfs, text: &str) {
    assert_eq!(vfs.text(PATH).as_deref(), Some(text));
}

#[track_caller]
fn unsaved(vfs: &Vfs, paths: &[&str]) {
    let unsaved = vfs.unsaved();
    assert_eq!(
        unsaved.iter().map(|path| &**path).collect::<Vec<_>>(),
        paths
    );
}

fn own(vfs: &Vfs, client: ClientId) -> Option<String> {
    let document = vfs.document(client, PATH)?;
    Some(document.text.to_string())
}

#[test]
fn an_edited_text_beats_the_disk_until_it_is_closed() {
    let vfs = with_disk("disk");
    open(&vfs, A, "disk");
    whole(&vfs, A, "typed");
    vfs.set_disk(PATH, on_disk("newer"));
    holds(&vfs, "typed");
    unsaved(&vfs, &[PATH]);
    vfs.close(A, PATH);
    holds(&vfs, "newer");
    unsaved(&vfs, &[]);
}

#[test]
fn of_two_editors_the_latest_change_wins_and_closing_gives_way_to_the_other() {
    let vfs = with_disk("disk");
    open(&vfs, A, "disk");
    whole(&vfs, A, "A's");
    open(&vfs, B, "disk");
    holds(&vfs, "A's");
    whole(&vfs, B, "B's");
    holds(&vfs, "B's");
    vfs.close(B, PATH);
    holds(&vfs, "A's");
    vfs.close(A, PATH);
    holds(&vfs, "disk");
}

#[test]
fn a_document_as_it_was_opened_yields_to_a_newer_disk_until_its_client_changes_it() {
    let vfs = with_disk("old");
    open(&vfs, A, "old");
    vfs.set_disk(PATH, on_disk("new"));
    holds(&vfs, "new");
    unsaved(&vfs, &[]);
    // Its positions are stale: this is by what that shows.
    assert_eq!(own(&vfs, A).as_deref(), Some("old"));
    whole(&vfs, A, "old and more");
    holds(&vfs, "old and more");
    unsaved(&vfs, &[PATH]);
    vfs.set_disk(PATH, on_disk("newest"));
    holds(&vfs, "old and more");
}

#[test]
fn a_change_that_is_taken_back_leaves_nothing_unsaved_and_yields_again() {
    let vfs = with_disk("old");
    open(&vfs, A, "old");
    vfs.set_disk(PATH, on_disk("new"));
    whole(&vfs, A, "oldx");
    whole(&vfs, A, "old");
    holds(&vfs, "new");
}

#[test]
fn a_document_that_is_loaded_again_is_clean_over_the_new_disk() {
    let vfs = with_disk("1");
    open(&vfs, A, "1");
    vfs.set_disk(PATH, on_disk("2"));
    whole(&vfs, A, "2");
    assert_eq!(own(&vfs, A), vfs.text(PATH).map(|text| text.to_string()));
    vfs.set_disk(PATH, on_disk("3"));
    holds(&vfs, "3");
    open(&vfs, A, "3");
    vfs.set_disk(PATH, on_disk("4"));
    holds(&vfs, "4");
}

#[test]
fn a_saved_document_is_clean_and_does_not_yield_to_the_disk_of_before() {
    let vfs = with_disk("old");
    open(&vfs, A, "old");
    whole(&vfs, A, "typed");
    vfs.save(A, PATH);
    // The watcher has not looked yet.
    holds(&vfs, "typed");
    unsaved(&vfs, &[PATH]);
    vfs.set_disk(PATH, on_disk("typed"));
    unsaved(&vfs, &[]);
    vfs.set_disk(PATH, on_disk("an agent's"));
    holds(&vfs, "an agent's");
}

#[test]
fn a_write_before_the_save_notification_is_seen_when_the_disk_is_reported_again() {
    let vfs = with_disk("old");
    open(&vfs, A, "old");
    whole(&vfs, A, "typed");
    vfs.set_disk(PATH, on_disk("an agent's"));
    vfs.save(A, PATH);
    holds(&vfs, "typed");
    vfs.set_disk(PATH, on_disk("an agent's"));
    holds(&vfs, "an agent's");
}

#[test]
fn a_document_that_is_saved_over_a_newer_disk_holds_again() {
    let vfs = with_disk("old");
    open(&vfs, A, "old");
    vfs.set_disk(PATH, on_disk("an agent's"));
    holds(&vfs, "an agent's");
    vfs.save(A, PATH);
    holds(&vfs, "old");
    // From a disk whose state is reported as another soon.
    open(&vfs, B, "an agent's");
    holds(&vfs, "old");
    vfs.set_disk(PATH, on_disk("old"));
    holds(&vfs, "old");
}

#[test]
fn a_save_without_a_word_of_it_is_seen_by_the_disk() {
    let vfs = with_disk("old");
    open(&vfs, A, "old");
    whole(&vfs, A, "typed");
    vfs.set_disk(PATH, on_disk("typed"));
    vfs.set_disk(PATH, on_disk("an agent's"));
    holds(&vfs, "an agent's");
}

#[test]
fn a_clean_document_of_a_file_that_goes_or_turns_binary_yields_too() {
    for state in [DiskState::Absent, DiskState::Unread(UnreadReason::Binary)] {
        let vfs = with_disk("old");
        open(&vfs, A, "old");
        vfs.set_disk(PATH, state);
        assert_eq!(vfs.text(PATH), None);
        unsaved(&vfs, &[]);
    }
}

#[test]
fn opening_with_the_disks_text_is_no_change() {
    let vfs = with_disk("same");
    let (revision, _) = vfs.changes_since(0);
    open(&vfs, A, "same");
    vfs.close(A, PATH);
    assert_eq!(vfs.changes_since(revision), (revision, Vec::new()));
}

#[test]
fn opening_the_saved_file_leaves_another_text_that_was_opened_unsaved() {
    let vfs = with_disk("disk");
    open(&vfs, A, "A's");
    open(&vfs, B, "A's");
    vfs.close(A, PATH);
    holds(&vfs, "A's");
    open(&vfs, A, "disk");
    holds(&vfs, "A's");
}

#[test]
fn an_edit_that_changes_nothing_does_not_win() {
    let vfs = with_disk("disk");
    open(&vfs, A, "disk");
    whole(&vfs, A, "A's");
    open(&vfs, B, "disk");
    whole(&vfs, B, "disk");
    holds(&vfs, "A's");
}

#[test]
fn edits_are_made_in_order_each_in_the_text_that_the_one_before_left() {
    let vfs = with_disk("");
    open(&vfs, A, "one\r\ntwo");
    let edits = [
        edit(Some([0, 3, 0, 9]), "!\n𝄞"),
        // Behind the 𝄞, to before `wo`, the wrong way round.
        edit(Some([2, 1, 1, 2]), "-"),
        edit(Some([7, 7, 8, 8]), "."),
    ];
    assert_eq!(vfs.edit(A, PATH, 9, &edits, Encoding::Utf16), Ok(()));
    holds(&vfs, "one!\n𝄞-wo.");
    let document = vfs.document(A, PATH);
    assert_eq!(document.map(|document| document.version), Some(9));
}

#[test]
fn edits_are_made_in_the_clients_own_text() {
    let vfs = with_disk("disk");
    open(&vfs, A, "disk");
    open(&vfs, B, "disk");
    whole(&vfs, A, "something else");
    let edits = [edit(Some([0, 4, 0, 4]), "s")];
    assert_eq!(vfs.edit(B, PATH, 2, &edits, Encoding::Utf8), Ok(()));
    holds(&vfs, "disks");
}

#[test]
fn a_document_that_is_not_open_is_not_edited() {
    let vfs = with_disk("disk");
    open(&vfs, A, "disk");
    let edits = [edit(None, "x")];
    let edited = vfs.edit(B, PATH, 1, &edits, Encoding::Utf16);
    assert_eq!(edited, Err(EditError::NotOpen));
    vfs.save(B, PATH);
    vfs.close(B, PATH);
    vfs.close(A, "/w/none.go");
    holds(&vfs, "disk");
    assert!(vfs.is_open(PATH) && !vfs.is_open("/w/none.go"));
}

#[test]
fn a_byte_order_mark_of_a_client_is_no_text_but_counts_in_its_first_line() {
    let vfs = with_disk("ab");
    let revision = vfs.revision();
    open(&vfs, A, "\u{feff}ab");
    assert_eq!(vfs.revision(), revision);
    let edits = [edit(Some([0, 2, 0, 2]), "-")];
    assert_eq!(vfs.edit(A, PATH, 2, &edits, Encoding::Utf16), Ok(()));
    holds(&vfs, "a-b");
    let edits = [edit(Some([0, 3, 0, 4]), "+")];
    assert_eq!(vfs.edit(A, PATH, 3, &edits, Encoding::Utf8), Ok(()));
    holds(&vfs, "+-b");
    // Now it deletes the mark.
    let edits = [edit(Some([0, 0, 0, 1]), "")];
    assert_eq!(vfs.edit(A, PATH, 4, &edits, Encoding::Utf16), Ok(()));
    holds(&vfs, "+-b");
    let document = vfs.document(A, PATH);
    assert!(document.is_some_and(|document| !document.lines.bom()));
}

#[test]
fn a_document_that_would_be_unread_leaves_its_path_without_a_text() {
    let vfs = Vfs::new(9, CodingLines::default());
    vfs.set_disk(PATH, on_disk("disk"));
    open(&vfs, A, "disk");
    for (text, reason) in [
        ("a\0b", UnreadReason::Binary),
        ("1234567890", UnreadReason::TooLarge { size: 10, limit: 9 }),
    ] {
        whole(&vfs, A, text);
        assert_eq!(vfs.text(PATH), None);
        assert_eq!(vfs.unread(PATH), Some(reason));
        unsaved(&vfs, &[PATH]);
        assert_eq!(own(&vfs, A).as_deref(), Some(text));
    }
    whole(&vfs, A, "123456789");
    holds(&vfs, "123456789");
    assert_eq!(vfs.unread(PATH), None);
}

#[test]
fn a_coding_line_counts_in_a_document_of_python_as_far_as_it_can_be_false() {
    let vfs = Vfs::new(DEFAULT_MAX_SIZE, CodingLines::of_extensions(["py"]));
    for (line, read) in [("latin-1", true), ("klingon", false), ("ascii", false)] {
        vfs.open(A, "/w/a.py", 1, &format!("# coding: {line}\nx = 'é'\n"));
        assert_eq!(vfs.text("/w/a.py").is_some(), read, "{line}");
    }
}

#[test]
fn a_text_read_from_disk_is_not_unread_when_it_is_opened() {
    let vfs = Vfs::new(4, CodingLines::default());
    // Of 3 bytes of latin-1.
    vfs.set_disk(PATH, on_disk("äöü"));
    open(&vfs, A, "äöü");
    holds(&vfs, "äöü");
    whole(&vfs, A, "äöüx");
    assert_eq!(vfs.text(PATH), None);
}

#[test]
fn a_document_without_a_file_is_unsaved_and_gone_when_it_is_closed() {
    let vfs = Vfs::default();
    open(&vfs, A, "new");
    unsaved(&vfs, &[PATH]);
    vfs.close(A, PATH);
    unsaved(&vfs, &[]);
    let (_, changes) = vfs.changes_since(0);
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].text, None);
}

#[test]
fn an_unread_file_has_no_text_but_a_document_of_it_has() {
    let vfs = Vfs::default();
    vfs.set_disk(PATH, DiskState::Unread(UnreadReason::NotUtf8));
    assert_eq!(vfs.text(PATH), None);
    assert_eq!(vfs.unread(PATH), Some(UnreadReason::NotUtf8));
    open(&vfs, A, "text");
    holds(&vfs, "text");
    unsaved(&vfs, &[PATH]);
}

#[test]
fn a_path_is_listed_once_with_its_text_of_now() {
    let vfs = Vfs::default();
    vfs.open(A, "/w/b.go", 1, "b");
    open(&vfs, A, "1");
    let between = vfs.revision();
    whole(&vfs, A, "2");
    let (last, changes) = vfs.changes_since(0);
    let texts: Vec<_> = changes
        .iter()
        .map(|change| (&*change.path, change.text.as_deref()))
        .collect();
    assert_eq!(texts, [("/w/a.go", Some("2")), ("/w/b.go", Some("b"))]);
    assert_eq!(vfs.changes_since(between).1.len(), 1);
    assert!(vfs.changes_since(last).1.is_empty());
}

#[test]
fn equal_texts_are_one() {
    let vfs = with_disk("same");
    open(&vfs, A, "same");
    open(&vfs, B, "other");
    whole(&vfs, B, "same");
    vfs.set_disk(PATH, on_disk("same"));
    let DiskState::Text(disk) = vfs.disk(PATH) else {
        panic!("there is a text");
    };
    for client in [A, B] {
        let document = vfs.document(client, PATH);
        assert!(document.is_some_and(|document| Arc::ptr_eq(&document.text, &disk)));
    }
}

#[test]
fn all_documents_of_a_client_that_leaves_close_in_one_step() {
    let vfs = Vfs::default();
    for _ in 0..200 {
        for n in 0..50 {
            vfs.open(A, &format!("/w/{n}.go"), 1, "open");
        }
        let seen = vfs.revision();
        std::thread::scope(|scope| {
            scope.spawn(|| vfs.leave(A));
            // None of them, until all of them.
            let closed = loop {
                let (_, changes) = vfs.changes_since(seen);
                if !changes.is_empty() {
                    break changes;
                }
            };
            assert_eq!(closed.len(), 50);
            assert!(closed.iter().all(|change| change.text.is_none()));
        });
    }
}

#[test]
fn no_change_is_lost_between_threads() {
    let vfs = Vfs::default();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let vfs = &vfs;
            scope.spawn(move || {
                for n in 0..200 {
                    let path = format!("/w/{}.go", n % 50);
                    vfs.open(ClientId(thread), &path, n, &format!("{thread} {n}"));
                    let edits = [edit(Some([0, 0, 0, 0]), "x")];
                    let done = vfs.edit(ClientId(thread), &path, n, &edits, Encoding::Utf8);
                    assert_eq!(done, Ok(()));
                }
            });
        }
        let mut seen = 0;
        for _ in 0..50 {
            let (revision, changes) = vfs.changes_since(seen);
            assert!(revision >= seen && changes.len() <= 50);
            seen = revision;
        }
    });
    let (last, changes) = vfs.changes_since(0);
    assert_eq!(changes.len(), 50);
    assert!(changes.iter().all(|change| {
        change
            .text
            .as_ref()
            .is_some_and(|text| text.starts_with('x'))
    }));
    assert!(vfs.changes_since(last).1.is_empty());
}

#[test]
fn a_document_opened_before_the_disk_was_reported_yields_to_later_writes() {
    let vfs = Vfs::default();
    assert!(!vfs.is_disk_known(PATH));
    vfs.open_over(A, PATH, 1, "old", Some("old".into()));
    vfs.set_disk(PATH, DiskState::Text("written".into()));
    assert_eq!(vfs.text(PATH).as_deref(), Some("written"));
    let vfs = Vfs::default();
    vfs.open_over(A, PATH, 1, "typed before", Some("old".into()));
    vfs.set_disk(PATH, DiskState::Text("old".into()));
    assert_eq!(vfs.text(PATH).as_deref(), Some("typed before"));
}

#[test]
fn a_document_opened_over_a_newer_disk_that_is_reported_later_does_not_yield_to_it() {
    let vfs = with_disk("old");
    open(&vfs, A, "new");
    whole(&vfs, A, "old");
    vfs.set_disk(PATH, on_disk("new"));
    holds(&vfs, "old");
}
