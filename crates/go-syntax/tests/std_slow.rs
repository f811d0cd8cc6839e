//! Lowers all of GOROOT/src. Runs only with `CODEWEFT_SLOW=1`.

mod goroot;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use codeweft_go_syntax::AsGo as _;
use codeweft_go_syntax::GO;
use codeweft_syntax::{FileIr, Names, lower};

/// How often each identifier stands in a text, by a scanner that knows no grammar.
fn scanned(text: &str) -> BTreeMap<&str, i64> {
    const KEYWORDS: &str = " break default func interface select case defer go map struct chan else \
        goto package switch const fallthrough if range type continue for import return var ";
    let bytes = text.as_bytes();
    let mut counts = BTreeMap::new();
    let mut at = 0;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    while at < bytes.len() {
        let start = at;
        let rest = &text[at..];
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(raw) = rest.strip_prefix('`') {
            raw.find('`').map_or(rest.len(), |end| end + 2)
        } else if matches!(bytes[at], b'"' | b'\'') {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != bytes[at] {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            end + 1 - at
        } else if is_word(bytes[at]) {
            while at < bytes.len()
                && (is_word(bytes[at]) || bytes[start].is_ascii_digit() && bytes[at] == b'.')
            {
                at += 1;
            }
            let word = &text[start..at];
            if !bytes[start].is_ascii_digit() && !KEYWORDS.contains(&format!(" {word} ")) {
                *counts.entry(word).or_insert(0) += 1;
            }
            0
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
    }
    counts
}

/// Takes away what is not meant to be kept: package clauses, names of imports.
fn take_dropped<'t>(counts: &mut BTreeMap<&'t str, i64>, text: &'t str, tree: &tree_sitter::Tree) {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let dropped = match node.kind() {
            "package_identifier" | "blank_identifier" => node
                .parent()
                .is_some_and(|parent| matches!(parent.kind(), "package_clause" | "import_spec")),
            _ => false,
        };
        if dropped {
            *counts.entry(&text[node.byte_range()]).or_insert(0) -= 1;
        }
        if !cursor.goto_first_child() {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }
}

/// Takes the tokens of the intermediate form from the counts; what remains was lost.
fn take_kept<'t>(counts: &mut BTreeMap<&'t str, i64>, text: &'t str, ir: &FileIr, names: &Names) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (Some(items), Some(bodies)) = (ir.items.go(), ir.bodies.go()) else {
        return;
    };
    let in_chunks = bodies.with_tokens().map(|(first, chunk)| {
        let offsets = &ir.ranges.body_tokens[first as usize..];
        (&chunk.code, &offsets[..chunk.code.names.len()])
    });
    let in_items = (&items.code, &*ir.ranges.item_tokens);
    let mut at_once = std::collections::HashSet::new();
    for (code, offsets) in std::iter::once(in_items).chain(in_chunks) {
        assert_eq!(code.names.len(), offsets.len());
        for (&name, &offset) in code.names.iter().zip(offsets) {
            let name = names.text(name);
            assert!(
                text[offset as usize..].starts_with(name),
                "{name} at {offset}"
            );
            if name != "(" && at_once.insert(offset) {
                *counts
                    .entry(&text[offset as usize..][..name.len()])
                    .or_insert(0) -= 1;
            }
        }
    }
}

#[test]
fn the_standard_library_is_read_in_full() {
    let Some(files) = goroot::files_if_slow() else {
        return;
    };
    let texts: Vec<(PathBuf, String)> = files
        .into_iter()
        .filter_map(|path| Some((path.clone(), std::fs::read_to_string(path).ok()?)))
        .collect();
    let bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();

    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_go::LANGUAGE.into())
        .expect("the grammar fits");
    let mut parsing = Duration::ZERO;
    let mut lowering = Duration::ZERO;
    let names = Names::default();
    let mut broken = Vec::new();
    let (mut repaired, mut chunked, mut cut) = (0, 0, 0);
    let mut lost: BTreeMap<&str, i64> = BTreeMap::new();
    let (mut all, mut kept) = (0i64, 0i64);
    for (path, text) in &texts {
        let start = Instant::now();
        drop(parser.parse(text, None));
        parsing += start.elapsed();
        let tree = parser.parse(text, None).expect("a language is set");
        let start = Instant::now();
        let ir = lower(text, GO, &names, &|| false).expect("not stopped");
        lowering += start.elapsed();
        repaired += ir.report.repaired;
        chunked += u32::from(ir.report.chunked);
        cut += u32::from(ir.report.cut);
        if !ir.report.error_lines.is_empty() {
            broken.push((path, ir.report.error_lines.clone()));
        }
        let mut counts = scanned(text);
        take_dropped(&mut counts, text, &tree);
        all += counts.values().sum::<i64>();
        take_kept(&mut counts, text, &ir, &names);
        for (name, count) in counts {
            if count != 0 {
                println!("{}: {name} {count}", path.display());
                *lost.entry(name).or_insert(0) += count;
            }
        }
    }
    kept += all - lost.values().sum::<i64>();
    println!("{} files, {bytes} bytes", texts.len());
    println!("bare parse {parsing:?}, lowering {lowering:?} with its parse");
    println!(
        "ratio {:.3}",
        lowering.as_secs_f64() / parsing.as_secs_f64()
    );
    println!("{:.1} MB/s", bytes as f64 / 1e6 / lowering.as_secs_f64());
    println!("repaired {repaired}, chunked {chunked}, cut {cut}");
    println!(
        "identifiers {all}, kept {:.3} %",
        kept as f64 * 100.0 / all as f64
    );
    let mut lost: Vec<_> = lost.into_iter().collect();
    lost.sort_by_key(|&(_, count)| -count);
    println!("most lost: {:?}", &lost[..lost.len().min(20)]);
    for (path, lines) in &broken {
        println!("not read in full: {} at {lines:?}", path.display());
    }
    assert!(
        broken.len() * 1000 < texts.len(),
        "{} files of {}",
        broken.len(),
        texts.len()
    );
}
