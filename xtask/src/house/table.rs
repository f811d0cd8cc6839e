//! The figures as text: tables that read the same on a terminal and in Markdown.

use std::fmt::Write as _;

use super::bars::{Metric, bars};
use super::figures::{House, Measured, Type, all_docs};

/// The types that are listed.
const WIDEST: usize = 5;

/// Returns all tables: the bars, the crates, then what stands behind the bars.
pub fn text(house: &House, touched: Option<&[String]>) -> String {
    let crates = &house.crates;
    let mut text = String::new();
    text.push_str(&bar_table(house, touched));
    text.push('\n');
    text.push_str(&crate_table(crates));
    text.push_str("\nWidest types:\n\n");
    text.push_str(&type_table(crates));
    text.push_str("\nLargest import cycle of each crate:\n\n");
    let mut any = false;
    for of in crates.iter().filter(|of| !of.cycle.files.is_empty()) {
        any = true;
        let (files, edges) = (of.cycle.files.len(), of.cycle.edges);
        let names = of.cycle.files.join(", ");
        let _ = writeln!(
            text,
            "- {}, {files} files and {edges} edges: {names}",
            of.name
        );
    }
    if !any {
        text.push_str("- none\n");
    }
    text.push_str("\nPublic type names that a crate declares more than once:\n\n");
    any = false;
    for of in crates {
        for homonym in &of.homonyms {
            any = true;
            let files = homonym.files.join(", ");
            let _ = writeln!(text, "- {} `{}`: {files}", of.name, homonym.name);
        }
    }
    if !any {
        text.push_str("- none\n");
    }
    text.push_str(&addition_list(house));
    if let Some(touched) = touched {
        text.push_str("\nFiles that the toy language touches outside its own folders:\n\n");
        for file in touched {
            let _ = writeln!(text, "- {file}");
        }
    }
    text
}

/// The files behind the figures of additions.
fn addition_list(house: &House) -> String {
    let mut text = String::new();
    for metric in Metric::ALL {
        if let Metric::Added(_) = metric
            && let Some(value) = metric.value(house)
        {
            let files = value.behind.join(", ");
            let _ = writeln!(text, "- {}: {files}", metric.name());
        }
    }
    if !text.is_empty() {
        text.insert_str(0, "\nWhere something is added:\n\n");
    }
    text
}

fn bar_table(house: &House, touched: Option<&[String]>) -> String {
    let mut rows = vec![cells(["bar", "figure", "floor", "holds"])];
    for bar in bars(house, touched) {
        let floor = bar.floor.map_or(String::new(), |floor| floor.to_string());
        let holds = bar
            .holds
            .map_or("", |holds| if holds { "yes" } else { "no" });
        let figure = bar.figure.as_deref().unwrap_or("not measured");
        rows.push(cells([bar.name, figure, &floor, holds]));
    }
    table(&rows)
}

fn crate_table(crates: &[Measured]) -> String {
    let mut rows = vec![cells([
        "crate",
        "files",
        "cycle",
        "edges",
        "with root",
        "widest type",
        "methods",
        "homonyms",
        "doc blocks",
        "words a block",
        "What, Whether, ...",
        "code blocks",
        "compiled",
    ])];
    let docs_of = |docs: &super::docs::Docs| {
        [
            docs.blocks.to_string(),
            format!("{:.1}", docs.mean()),
            format!("{:.1} %", 100.0 * docs.roundabout_share()),
            docs.fences.to_string(),
            docs.compiled.to_string(),
        ]
    };
    for of in crates {
        let widest = of.widest();
        let mut row = vec![
            of.name.clone(),
            of.files.to_string(),
            of.cycle.files.len().to_string(),
            of.cycle.edges.to_string(),
            of.cycle.with_root.to_string(),
            widest.map_or(String::new(), |wide| format!("`{}`", wide.name)),
            widest.map_or(0, |wide| wide.methods).to_string(),
            of.homonyms.len().to_string(),
        ];
        row.extend(docs_of(&of.docs));
        rows.push(row);
    }
    let sum = |count: fn(&Measured) -> usize| crates.iter().map(count).sum::<usize>();
    let most = |count: fn(&Measured) -> usize| crates.iter().map(count).max().unwrap_or(0);
    let mut row = vec![
        "all".to_owned(),
        sum(|of| of.files).to_string(),
        format!("most {}", most(|of| of.cycle.files.len())),
        format!("most {}", most(|of| of.cycle.edges)),
        format!("most {}", most(|of| of.cycle.with_root)),
        String::new(),
        format!(
            "most {}",
            most(|of| of.widest().map_or(0, |wide| wide.methods))
        ),
        sum(|of| of.homonyms.len()).to_string(),
    ];
    row.extend(docs_of(&all_docs(crates)));
    rows.push(row);
    table(&rows)
}

fn type_table(crates: &[Measured]) -> String {
    let mut types: Vec<(&str, &Type)> = Vec::new();
    for of in crates {
        types.extend(of.types.iter().map(|wide| (&*of.name, wide)));
    }
    types.sort_by_key(|(_, of)| std::cmp::Reverse(of.wide.methods));
    // The widest of all, and where exempt ones are among them the widest of those that are bound.
    let mut bound = 0;
    types.retain(|(_, of)| {
        let listed = bound < WIDEST;
        bound += usize::from(of.exempt.is_none());
        listed
    });
    let header = [
        "type",
        "declared in",
        "methods",
        "files",
        "lines",
        "fields",
        "exempt as",
    ];
    let mut rows = vec![cells(header)];
    for (name, of) in types {
        let wide = &of.wide;
        rows.push(vec![
            format!("`{}`", wide.name),
            format!("{name} {}", wide.declared),
            wide.methods.to_string(),
            wide.files.to_string(),
            wide.lines.to_string(),
            wide.fields.to_string(),
            of.exempt.unwrap_or("").to_owned(),
        ]);
    }
    table(&rows)
}

fn cells<const N: usize>(row: [&str; N]) -> Vec<String> {
    row.map(str::to_owned).to_vec()
}

/// Aligns rows of one length, of which the first is the header.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let widths = rows
            .iter()
            .filter_map(|row| Some(row.get(column)?.chars().count()));
        widths.max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(text, "| {cell:<width$} ");
        }
        text.push_str("|\n");
        if at == 0 {
            for width in &widths {
                let _ = write!(text, "|{}", "-".repeat(width + 2));
            }
            text.push_str("|\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::{bar_table, text};
    use crate::house::figures::House;
    use crate::house::source::inline;

    fn sample() -> House {
        let go = inline(
            "go",
            &[
                ("lib.rs", "//! Reads Go.\nmod a;\nmod b;"),
                ("a.rs", "/// What it is.\npub struct Found(crate::b::B);"),
                (
                    "b.rs",
                    "pub struct B;\npub(crate) enum Found {}\nimpl B {\n  fn f() -> crate::a::Found {}\n}",
                ),
            ],
        );
        let store = inline(
            "store",
            &[
                ("lib.rs", "mod json; const FORMATS: F = &[json::FORMAT];"),
                ("json.rs", "pub const FORMAT: F = F;"),
            ],
        );
        House::of(&[go, store], &[])
    }

    #[test]
    fn the_bars_say_which_floor_is_broken_and_what_is_not_measured() {
        expect![[r#"
            | bar                                                             | figure              | floor | holds |
            |-----------------------------------------------------------------|---------------------|-------|-------|
            | files in the largest import cycle                               | 2 with 2 edges (go) | 6     | yes   |
            | methods on the widest type that is not exempt                   | 1 (`B` of go)       | 40    | yes   |
            | public type names that a crate declares more than once          | 1                   | 0     | no    |
            | files to change for an operation                                | not measured        | 3     |       |
            | files to change for an MCP tool                                 | not measured        | 1     |       |
            | files to change for an export                                   | 1                   | 1     | yes   |
            | files to change for a decorator                                 | not measured        | 1     |       |
            | files outside its own folders that the toy language touches     | not measured        | 2     |       |
            | words a doc block                                               | 2.5                 |       |       |
            | doc blocks that begin with What, Whether, How, Where, Of or One | 50.0 %              |       |       |
            | doc examples that are compiled                                  | 0 of 0 code blocks  |       |       |
        "#]].assert_eq(&bar_table(&sample(), None));
    }

    #[test]
    fn the_files_behind_the_bars_are_named() {
        let text = text(&sample(), None);
        let (_, behind) = text.split_once("Widest types:").unwrap_or_default();
        expect![[r#"


            | type | declared in | methods | files | lines | fields | exempt as |
            |------|-------------|---------|-------|-------|--------|-----------|
            | `B`  | go b.rs     | 1       | 1     | 3     | 0      |           |

            Largest import cycle of each crate:

            - go, 2 files and 2 edges: a.rs, b.rs

            Public type names that a crate declares more than once:

            - go `Found`: a.rs, b.rs

            Where something is added:

            - files to change for an export: store lib.rs
        "#]]
        .assert_eq(behind);
    }
}
