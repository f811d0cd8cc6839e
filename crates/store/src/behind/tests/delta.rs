//! Which rows an edit changes.

use std::collections::BTreeSet;

use codeweft_testing::{Fixture, Workspace};

use super::fixture::{Followed, rows};
use crate::behind::counts::{CountedTable, RowCounts};

const GO: &str = include_str!("go.txt");

/// What an edit has changed in the file.
struct Delta {
    /// The owners of the rows of `uses` that came or went, by id; `file of package` for top levels.
    owners: BTreeSet<String>,
    /// The ids of the rows of `symbol_rows` that differ.
    symbols: BTreeSet<String>,
    /// What the writer says that it wrote.
    counts: RowCounts,
}

const USES: &str = "SELECT u.owner, u.dl, u.col, u.target, u.kind, coalesce(o.symbol_id, f.file_path || ' of ' || h.symbol_id)
    FROM uses u JOIN symbol_rows o ON o.sid = u.owner LEFT JOIN symbol_rows h ON h.sid = o.home
    LEFT JOIN files f ON f.file_id = o.file_id";

const SYMBOLS: &str = "SELECT *, coalesce(symbol_id, 'top level') FROM symbol_rows";

/// Replaces a part of a file's text in an editor, follows, and returns what has changed.
fn after(file: &str, old: &str, new: &str) -> Delta {
    let texts = codeweft_testing::texts(GO);
    let mut world: Workspace = Fixture::of(texts.clone()).load();
    let mut followed = Followed::new();
    followed.follow(&world);
    let connection = followed.opened();
    let (uses, symbols) = (rows(&connection, USES), rows(&connection, SYMBOLS));
    let before = followed.behind.store().figures().rows;
    let text = &texts[file];
    assert!(text.contains(old));
    world.open(file, text);
    world.change(file, &text.replacen(old, new, 1));
    followed.follow(&world);
    let changed = |before: &[String], query: &str| -> BTreeSet<String> {
        let now = rows(&connection, query);
        let only = |some: &[String], other: &[String]| -> Vec<String> {
            let other: BTreeSet<&String> = other.iter().collect();
            some.iter()
                .filter(|row| !other.contains(row))
                .cloned()
                .collect()
        };
        let differ = only(before, &now).into_iter().chain(only(&now, before));
        differ
            .filter_map(|row| Some(row.rsplit_once(" | ")?.1.to_owned()))
            .collect()
    };
    let counts = followed.behind.store().figures().rows;
    Delta {
        owners: changed(&uses, USES),
        symbols: changed(&symbols, SYMBOLS),
        counts: counts.less(before),
    }
}

fn set(of: &[&str]) -> BTreeSet<String> {
    of.iter().map(|&one| one.to_owned()).collect()
}

#[test]
fn an_edit_in_a_body_changes_the_rows_of_one_owner() {
    let delta = after("main.go", "sum(shape.Round())", "sum(nil); each(nil)");
    assert_eq!(delta.owners, set(&["m.main"]));
    // A call went, another one came.
    assert_eq!(delta.counts.of(CountedTable::Uses), 2, "{:?}", delta.counts);
    assert_eq!(delta.counts.of(CountedTable::Texts), 1);
    assert_eq!(delta.counts.of(CountedTable::Files), 1);
    assert_eq!(delta.counts.of(CountedTable::Implements), 0);
}

#[test]
fn a_blank_line_on_top_changes_no_use() {
    let delta = after("shape/shape.go", "package shape\n", "\npackage shape\n");
    assert_eq!(delta.owners, set(&[]));
    assert_eq!(delta.counts.of(CountedTable::Uses), 0);
    assert_eq!(delta.counts.of(CountedTable::Users), 0);
    assert_eq!(delta.counts.of(CountedTable::RunSites), 0);
    let ids = delta.symbols.iter();
    let others = ids.filter(|id| !id.starts_with("shape"));
    assert_eq!(others.collect::<Vec<_>>(), [""; 0]);
    assert!(delta.symbols.contains("shape.Round"));
}

#[test]
fn an_edit_of_a_signature_changes_the_rows_of_the_owners_that_resolve_differently() {
    let delta = after(
        "shape/shape.go",
        "make1(side int) Shape",
        "make1(side int) Square",
    );
    assert_eq!(delta.owners, set(&["m.total", "shape.make1"]));
}
