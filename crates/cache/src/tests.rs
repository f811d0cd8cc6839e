//! Records that are written, read, damaged, merged and removed, of a language with one kind of everything.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use codeweft_syntax::codec::Codec;
use codeweft_syntax::record::PartsCodec;
use codeweft_syntax::{
    Bodies, FileIr, Header, Identifiers, Items, Lang, LanguageSpec, NameId, Names, Ranges, Report,
    Span,
};

use crate::{CacheCounts, CacheError, LoweringCache};

#[derive(PartialEq, Eq, Debug, Codec)]
struct Words(Vec<NameId>);

#[derive(PartialEq, Eq, Debug, Codec)]
enum Shape {
    Empty,
    Text {
        words: Box<[u32]>,
        last: Option<NameId>,
    },
}

#[derive(PartialEq, Eq, Debug, Codec)]
struct Sizes(Vec<(u32, i128)>);

/// Lowers a text to its words.
fn lower(text: &str, names: &Names) -> FileIr {
    let words: Vec<NameId> = text.split(' ').map(|word| names.intern(word)).collect();
    let lengths: Vec<u32> = text.split(' ').map(|word| word.len() as u32).collect();
    let sizes = lengths.iter().map(|&length| (length, -i128::from(length)));
    let shape = if text.is_empty() {
        Shape::Empty
    } else {
        Shape::Text {
            words: lengths.clone().into(),
            last: words.last().copied(),
        }
    };
    FileIr {
        header: Arc::new(Header::new(Words(
            words.first().copied().into_iter().collect(),
        ))),
        items: Arc::new(Items::new(shape)),
        bodies: Arc::new(Bodies::new(Sizes(sizes.collect()))),
        ranges: Arc::new(Ranges {
            package: Span { start: 7, end: 3 },
            lines: [0, 9, 2, u32::MAX].into(),
            ..Ranges::default()
        }),
        identifiers: Arc::new(Identifiers::from_names(words)),
        report: Arc::new(Report {
            repaired: u32::MAX,
            ..Report::default()
        }),
    }
}

static WORDS: LanguageSpec = LanguageSpec {
    parts_codec: Some(PartsCodec::of::<Words, Shape, Sizes>()),
    ..LanguageSpec::new("words", "Words", "words:", |text, names, _, _| {
        Some(lower(text, names))
    })
};
const LANG: Lang = Lang::new(&WORDS);

static OTHERS: LanguageSpec = LanguageSpec {
    parts_codec: WORDS.parts_codec,
    ..LanguageSpec::new("others", "Others", "others:", |_, _, _, _| None)
};

const LONG: Duration = Duration::from_secs(60);

fn open(folder: &Path) -> LoweringCache {
    LoweringCache::open(folder, 1 << 30).expect("a folder of our own")
}

/// Returns a folder with one segment that holds these texts.
fn folder_with(texts: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), texts);
    folder
}

fn write(folder: &Path, texts: &[&str]) {
    let cache = open(folder);
    let names = Names::default();
    for text in texts {
        cache.keep(text, LANG, &names, &lower(text, &names));
    }
    cache.flush(LONG);
    assert_eq!(cache.counts().written, texts.len() as u64);
}

fn segments(folder: &Path) -> Vec<PathBuf> {
    crate::folder::segments(&folder.join("v1")).expect("a folder")
}

/// Asserts that what is read of a text, if anything is, is its lowered form; returns whether it is.
fn reads(cache: &LoweringCache, text: &str) -> bool {
    let names = Names::default();
    // Other numbers than when it was written.
    names.intern("first");
    let whole = cache.lowered(text, LANG, &names);
    let expected = lower(text, &names);
    if let Some(ir) = &whole {
        assert!(ir.same(&expected), "{ir:?}");
    }
    if let Some((header, items)) = cache.declarations(text, LANG, &names) {
        assert!(*header == *expected.header && *items == *expected.items);
    }
    whole.is_some()
}

#[test]
fn what_is_kept_is_read_by_another_process() {
    let folder = folder_with(&["a b c", "", "a bb a"]);
    let cache = open(folder.path());
    for text in ["a b c", "", "a bb a"] {
        assert!(reads(&cache, text), "{text}");
    }
    assert!(!reads(&cache, "a b"));
    assert_eq!(
        cache.counts(),
        CacheCounts {
            found: 6,
            missing: 2,
            rejected: 0,
            written: 0
        }
    );
    let names = Names::default();
    assert!(cache.lowered("a b c", Lang::new(&OTHERS), &names).is_none());
}

#[test]
fn what_is_kept_is_read_by_the_same_process_once_it_is_written_and_written_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = open(folder.path());
    let names = Names::default();
    for _ in 0..3 {
        cache.keep("a b", LANG, &names, &lower("a b", &names));
        cache.flush(LONG);
        assert!(reads(&cache, "a b"));
    }
    assert_eq!(cache.counts().written, 1);
}

#[test]
fn a_segment_with_any_byte_changed_gives_what_was_written_or_nothing() {
    let folder = folder_with(&["one two", "three"]);
    let path = segments(folder.path()).remove(0);
    let whole = fs::read(&path).expect("a segment");
    let mut lost = 0;
    for at in 0..whole.len() {
        for mask in [1, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] ^= mask;
            fs::write(&path, bytes).expect("written");
            let cache = open(folder.path());
            let read = [reads(&cache, "one two"), reads(&cache, "three")];
            if read != [true, true] {
                lost += 1;
                assert!(cache.counts().rejected + cache.counts().missing > 0);
            }
        }
    }
    assert_eq!(lost, whole.len() * 3, "every byte is under a checksum");
}

#[test]
fn a_cut_segment_gives_nothing() {
    let folder = folder_with(&["one two", "three"]);
    let path = segments(folder.path()).remove(0);
    let whole = fs::read(&path).expect("a segment");
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).expect("written");
        let cache = open(folder.path());
        assert!(!reads(&cache, "one two"), "cut at {length}");
        assert_eq!(cache.counts().rejected, 1);
    }
    fs::write(&path, vec![0; whole.len()]).expect("written");
    assert!(!reads(&open(folder.path()), "three"));
}

#[test]
fn a_segment_cut_while_it_is_open_gives_nothing() {
    let folder = folder_with(&["one two"]);
    let cache = open(folder.path());
    fs::write(&segments(folder.path())[0], "short").expect("written");
    assert!(!reads(&cache, "one two"));
    assert_eq!(cache.counts().rejected, 1);
    // Lowered again, it is written again.
    let names = Names::default();
    cache.keep("one two", LANG, &names, &lower("one two", &names));
    cache.flush(LONG);
    assert!(reads(&cache, "one two"));
}

#[test]
fn a_record_under_the_key_of_another_text_is_not_read() {
    let folder = folder_with(&["ab cd"]);
    let other = folder_with(&["xy zw"]);
    // Both records have the same lengths, so the rest of the files fits.
    let (path, from) = (&segments(folder.path())[0], &segments(other.path())[0]);
    let mut bytes = fs::read(path).expect("a segment");
    let foreign = fs::read(from).expect("a segment");
    let records = bytes.len() - (40 + 16 + 8 + 12);
    bytes[..records].copy_from_slice(&foreign[..records]);
    fs::write(path, bytes).expect("written");
    let cache = open(folder.path());
    assert!(!reads(&cache, "ab cd") && !reads(&cache, "xy zw"));
    // Once of both reads; the second found it gone.
    assert_eq!(cache.counts().rejected, 1);
}

#[test]
fn a_link_instead_of_a_segment_is_not_followed() {
    let folder = folder_with(&["a"]);
    let path = segments(folder.path()).remove(0);
    let aside = folder.path().join("aside");
    fs::rename(&path, &aside).expect("renamed");
    symlink(&aside, &path).expect("linked");
    assert!(!reads(&open(folder.path()), "a"));
}

#[test]
fn a_folder_that_others_may_write_to_is_not_used() {
    let folder = folder_with(&["a"]);
    let inner = folder.path().join("v1");
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o777)).expect("changed");
    let opened = LoweringCache::open(folder.path(), 1 << 30);
    assert!(matches!(opened, Err(CacheError::NotOurs)));
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o700)).expect("changed");
    assert_eq!(
        inner.metadata().expect("there").permissions().mode() & 0o777,
        0o700
    );
    fs::write(folder.path().join("file"), "").expect("written");
    let opened = LoweringCache::open(&folder.path().join("file"), 1 << 30);
    assert!(matches!(opened, Err(CacheError::Folder(_))));
}

#[test]
fn an_error_of_the_disk_ends_writing_and_nothing_else() {
    let folder = folder_with(&["a"]);
    let cache = open(folder.path());
    assert!(reads(&cache, "a"));
    fs::rename(folder.path().join("v1"), folder.path().join("gone")).expect("renamed");
    let names = Names::default();
    for text in ["b", "c"] {
        cache.keep(text, LANG, &names, &lower(text, &names));
        cache.flush(LONG);
    }
    assert!(cache.write_error().is_some());
    assert!(reads(&cache, "a"), "its file is open");
    assert!(!reads(&cache, "b"));
}

#[test]
fn a_cache_of_size_zero_keeps_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = LoweringCache::open(folder.path(), 0).expect("a folder");
    let names = Names::default();
    cache.keep("a", LANG, &names, &lower("a", &names));
    cache.flush(LONG);
    assert!(!reads(&cache, "a"));
    assert!(segments(folder.path()).is_empty());
}

#[test]
fn segments_used_least_recently_are_removed_until_four_fifths_of_the_size_are_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let texts: Vec<String> = (0..10).map(|number| format!("text {number}")).collect();
    for (age, text) in (0..).zip(&texts) {
        write(folder.path(), &[text]);
        let newest = segments(folder.path()).into_iter();
        let newest = newest.max_by_key(|path| path.metadata().and_then(|of| of.modified()).ok());
        let file = fs::File::open(newest.expect("a segment")).expect("open");
        let used = SystemTime::now() - Duration::from_secs(100_000 - age * 1000);
        file.set_modified(used).expect("set");
    }
    // The oldest is read, and so is the newest then.
    assert!(reads(&open(folder.path()), "text 0"));
    let size = open(folder.path()).size();
    crate::gc::collect(&folder.path().join("v1"), size - 1);
    let cache = open(folder.path());
    assert!(cache.size() <= size / 5 * 4);
    let kept: Vec<bool> = texts.iter().map(|text| reads(&cache, text)).collect();
    assert!(kept[0] && kept[9] && !kept[1], "{kept:?}");
    let lost = kept[1..].iter().take_while(|kept| !**kept).count();
    assert!(kept[1 + lost..].iter().all(|kept| *kept), "{kept:?}");
}

#[test]
fn many_small_segments_are_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let texts: Vec<String> = (0..16).map(|number| format!("text {number}")).collect();
    let before = open(folder.path());
    for text in &texts {
        write(folder.path(), &[text]);
    }
    crate::gc::collect(&folder.path().join("v1"), 1 << 30);
    assert_eq!(segments(folder.path()).len(), 1);
    let cache = open(folder.path());
    assert!(texts.iter().all(|text| reads(&cache, text)));
    // One that listed the folder before knows none of them.
    assert!(!reads(&before, "text 1"));
}

#[test]
fn several_caches_of_one_folder_write_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = folder.path();
            scope.spawn(move || {
                let cache = open(path);
                let names = Names::default();
                for number in 0..200 {
                    // Half of the texts are those of others too.
                    let text = format!("text {}", number + thread * 100);
                    cache.keep(&text, LANG, &names, &lower(&text, &names));
                }
            });
        }
    });
    let cache = open(folder.path());
    for number in 0..500 {
        assert!(reads(&cache, &format!("text {number}")), "{number}");
    }
    let left = crate::folder::unfinished(&folder.path().join("v1")).expect("a folder");
    assert!(left.is_empty(), "{left:?}");
}
