//! The full-text index beside a model of the texts.

use std::collections::BTreeMap;

use codeweft_testing::SeededRng;

use super::{GO, database, rows, text};

#[test]
fn words_are_found_in_the_texts_of_an_export() {
    let found = database(GO);
    let query = "SELECT file_path FROM files_fts WHERE files_fts MATCH 'TestSum' ORDER BY 1";
    assert_eq!(rows(&found, query), ["main_test.go"]);
    let query = "SELECT snippet(files_fts, 1, '[', ']', '', 3) FROM files_fts WHERE files_fts MATCH 'windows OR other'";
    assert_eq!(text(&found, query), "main\n\nfunc [other]() {}\n");
    found
        .execute_batch("INSERT INTO files_fts (files_fts, rank) VALUES ('integrity-check', 1)")
        .expect("the index agrees with the texts");
}

#[test]
fn after_random_changes_of_texts_the_index_is_that_of_a_model() {
    const WORDS: [&str; 6] = ["alpha", "beta", "gamma", "delta.one", "snake_case", "été"];
    const PARTS: [&str; 8] = [
        "alpha", "beta", "gamma", "delta", "one", "snake", "case", "été",
    ];
    let found = database("//- a.go\npackage a\n");
    let mut model: BTreeMap<i64, Option<String>> = BTreeMap::new();
    found
        .execute_batch("DELETE FROM file_text")
        .expect("texts are removed");
    let mut rng = SeededRng::new(16);
    for step in 0..600 {
        let file = rng.below(12) as i64;
        // Nothing, the empty text, or some words; of many words zlib makes less.
        let new = match rng.below(4) {
            0 => None,
            1 => Some(String::new()),
            some => {
                let many = if some == 2 { 5 } else { 200 };
                let words = (0..many).map(|_| WORDS[rng.below(WORDS.len())]);
                Some(words.collect::<Vec<_>>().join(" "))
            }
        };
        let packed = new.as_ref().map(|text| packed(text));
        let size = new.as_ref().map(|text| text.len() as i64);
        let path = format!("{file}.go");
        match (rng.below(5), model.contains_key(&file)) {
            (0, true) => {
                found
                    .execute("DELETE FROM file_text WHERE file_id = ?", [file])
                    .expect("removed");
                model.remove(&file);
            }
            (_, true) => {
                let change = "UPDATE file_text SET z = ?, size = ? WHERE file_id = ?";
                found
                    .execute(change, rusqlite::params![packed, size, file])
                    .expect("changed");
                model.insert(file, new);
            }
            (_, false) => {
                let row = rusqlite::params![file, path, packed, size];
                found
                    .execute("INSERT INTO file_text VALUES (?, ?, ?, ?)", row)
                    .expect("added");
                model.insert(file, new);
            }
        }
        if step % 10 != 0 {
            continue;
        }
        found
            .execute_batch("INSERT INTO files_fts (files_fts, rank) VALUES ('integrity-check', 1)")
            .expect("the index agrees with the texts");
        for word in PARTS {
            let query =
                format!("SELECT rowid FROM files_fts WHERE files_fts MATCH '{word}' ORDER BY 1");
            let has = |text: &&str| text.split([' ', '.', '_']).any(|part| part == word);
            let expected: Vec<String> = model
                .iter()
                .filter(|(_, text)| text.as_deref().filter(has).is_some())
                .map(|(file, _)| file.to_string())
                .collect();
            assert_eq!(rows(&found, &query), expected, "{word} after step {step}");
        }
    }
}

/// Returns a text as an SQLite archive keeps it.
fn packed(text: &str) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory takes it");
    let packed = encoder.finish().expect("memory takes it");
    if packed.len() < text.len() {
        packed
    } else {
        text.as_bytes().to_vec()
    }
}
