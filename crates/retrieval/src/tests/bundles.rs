use std::collections::BTreeSet;
use std::sync::Arc;

use super::{ask, index};
use crate::bundle::{BundleOptions, LeadRow, bundle};
use crate::request::BundleResponse;
use crate::tokens::count;

fn text(number: usize) -> String {
    let mut text = format!("\"\"\"Module {number} of the parser.\"\"\"\nimport os\n\n");
    for function in 0..12 {
        text.push_str(&format!(
            "# Reads token {function}.\n@cached\ndef parse_token_{number}_{function}(stream, limit=10):\n    return stream.read(limit | {function})\n\n"
        ));
    }
    text
}

fn workspace(files: usize) -> crate::Index {
    let files =
        (0..files).map(|number| format!("== src/parser/module_{number}.py\n{}", text(number)));
    index(&files.collect::<String>())
}

fn of(budget: usize, include_snippets: bool, lead: &[LeadRow]) -> BundleResponse {
    let ranking = ask(
        &workspace(40),
        "parse token of a stream\nparse_token_3_4(stream) reads module_3",
    );
    let options = BundleOptions {
        token_budget: budget,
        include_snippets,
        explain: false,
    };
    let text_of = |path: &str| -> Option<Arc<str>> {
        let number = path
            .strip_prefix("src/parser/module_")?
            .strip_suffix(".py")?;
        Some(text(number.parse().ok()?).into())
    };
    bundle(&ranking, lead, &options, &text_of)
}

fn files(response: &BundleResponse) -> BTreeSet<&str> {
    response.files.iter().map(|row| row.path.as_str()).collect()
}

#[test]
fn the_tokens_are_those_of_the_text_and_within_the_budget() {
    for budget in [200, 201, 250, 300, 500, 1_000, 3_500, 8_000, 32_000] {
        for snippets in [false, true] {
            let response = of(budget, snippets, &[]);
            assert_eq!(response.tokens_used, count(&response.text), "{budget}");
            assert!(
                response.tokens_used <= budget,
                "{budget}: {}",
                response.tokens_used
            );
            assert!(!response.files.is_empty() || snippets, "{budget}");
        }
    }
}

#[test]
fn a_larger_budget_never_removes_a_file() {
    let mut last = of(200, false, &[]);
    for budget in (250..4_000).step_by(250) {
        let next = of(budget, false, &[]);
        assert!(files(&last).is_subset(&files(&next)), "{budget}");
        last = next;
    }
}

#[test]
fn files_have_one_run_of_rows_whose_lines_exist() {
    let response = of(3_500, false, &[]);
    let mut runs: Vec<&str> = response.files.iter().map(|row| row.path.as_str()).collect();
    runs.dedup();
    assert_eq!(runs.len(), files(&response).len());
    let in_text_order = |rows: &[crate::BundleRow]| match rows {
        [one, next] => one.path != next.path || one.line_range < next.line_range,
        _ => true,
    };
    assert!(response.files.windows(2).all(in_text_order));
    let lines = text(3).lines().count() as u32;
    for row in &response.files {
        let [first, last] = row.line_range;
        assert!(1 <= first && first <= last && last <= lines, "{row:?}");
        assert!(
            row.excerpt.starts_with("def ") || row.symbol.is_empty(),
            "{row:?}"
        );
    }
    let ranks = [
        &response.files[0].path,
        &response.files.last().expect("rows").path,
    ];
    let rows = |path: &str| response.files.iter().filter(|row| row.path == path).count();
    assert_eq!(ranks.map(|path| rows(path)), [8, 2]);
}

#[test]
fn a_cut_answer_says_so_and_a_whole_one_does_not() {
    let cut = of(1_000, false, &[]);
    assert!(cut.truncated);
    let sent = files(&cut).len();
    let last = cut.text.lines().last().unwrap_or("");
    assert_eq!(
        last,
        format!("Cut at 1000 tokens: {sent} of 40 files; narrow the query or raise token_budget.")
    );
    let whole = of(32_000, false, &[]);
    assert!(!whole.truncated && !whole.text.contains("Cut at"));
    assert_eq!((files(&whole).len(), whole.total_candidates), (40, 40));
}

#[test]
fn rows_of_a_symbol_come_first_and_their_file_only_once() {
    let lead = [LeadRow {
        path: "src/parser/module_9.py".into(),
        lines: (5, 8),
        symbol: "parse_token_9_0".into(),
        why: "name".to_owned(),
    }];
    let response = of(3_500, false, &lead);
    assert_eq!(response.files[0].path, "src/parser/module_9.py");
    assert_eq!(response.files[0].why, ["name"]);
    let rows = response
        .files
        .iter()
        .filter(|row| row.path == "src/parser/module_9.py");
    assert_eq!(rows.count(), 1);
}

#[test]
fn a_cell_of_the_table_ends_no_column() {
    let response = of(3_500, false, &[]);
    for line in response.text.lines().filter(|line| line.starts_with("| ")) {
        let columns = line.replace("\\|", "").matches('|').count();
        assert_eq!(columns, 5, "{line}");
    }
}
