//! The figures inside `docs/`: tables between two marks, rewritten by a run that measured them.

use std::process::Command;

use anyhow::{Context, Result};

use crate::{bench, house, place};

use super::Row;

/// A page with a table of figures.
struct Page {
    file: &'static str,
    mark: &'static str,
    kind: Kind,
}

/// The origin of figures, by the command that measures them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Judges, questions, tests.
    Truth,
    /// Benches of the database.
    Bench,
    /// The bench and the tests of both frontends.
    Live,
    /// The source itself: `cargo xtask house --write` keeps its figures, in a page of its own.
    House,
}

impl Kind {
    fn of(command: &str) -> Kind {
        let is_of = |bench: bench::Bench| command == bench.command();
        if is_of(bench::Bench::Live)
            || is_of(bench::Bench::Race)
            || command.contains(" -p codeweft --test ")
        {
            Kind::Live
        } else if bench::is_bench(command) {
            Kind::Bench
        } else if command == house::COMMAND {
            Kind::House
        } else {
            Kind::Truth
        }
    }
}

const PAGES: &[Page] = &[
    Page {
        file: "docs/correctness.md",
        mark: "truth",
        kind: Kind::Truth,
    },
    Page {
        file: "docs/performance.md",
        mark: "bench",
        kind: Kind::Bench,
    },
    Page {
        file: "docs/performance.md",
        mark: "live",
        kind: Kind::Live,
    },
];

/// Writes the rows into the pages; a page without a measured row is unchanged.
pub fn write<'a>(rows: impl Iterator<Item = &'a Row> + Clone, load: &str) -> Result<()> {
    let machine = machine(load);
    for Page {
        file: page,
        mark,
        kind,
    } in PAGES
    {
        let shown: Vec<&Row> = rows
            .clone()
            .filter(|row| Kind::of(&row.command) == *kind && row.is_measured())
            .collect();
        if shown.is_empty() {
            continue;
        }
        let file = place::root().join(page);
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {page}"))?;
        let text = replaced(&text, mark, &table(&shown, &machine))
            .with_context(|| format!("{page} has no marks for {mark}"))?;
        std::fs::write(&file, text).with_context(|| format!("cannot write {page}"))?;
        println!("wrote the figures into {page}");
    }
    Ok(())
}

/// Returns the text with the part between the marks of a name replaced.
fn replaced(text: &str, mark: &str, table: &str) -> Option<String> {
    let (open, close) = (
        format!("<!-- figures: {mark} -->\n"),
        "<!-- end of figures -->",
    );
    let from = text.find(&open)? + open.len();
    let to = from + text[from..].find(close)?;
    Some(format!("{}\n{table}\n{}", &text[..from], &text[to..]))
}

fn table(rows: &[&Row], machine: &str) -> String {
    let mut table =
        format!("{machine}\n\n| bar | figure | floor | goal | what |\n|---|---|---|---|---|\n");
    for row in rows {
        let what = match row.counted() {
            Some(words) => format!("{} ({words})", row.what),
            None => row.what.clone(),
        };
        table.push_str(&format!(
            "| {} | {} | {} | {} | {what} |\n",
            row.name, row.figure, row.floor, row.goal
        ));
    }
    table
}

/// Returns the load of the machine, which lengthens times.
pub fn load() -> String {
    let output = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    output.split(' ').next().unwrap_or_default().to_owned()
}

/// Returns a description of the machine, as far as the system reports it.
fn machine(load: &str) -> String {
    let output = |program: &str, arguments: &[&str]| {
        let output = place::stdout(Command::new(program).args(arguments)).unwrap_or_default();
        output.lines().next().unwrap_or_default().trim().to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let go = output("go", &["version"]);
    format!(
        "Commit {}, {} cores, {}, {}; load average at the start {load}.",
        output("git", &["rev-parse", "--short", "HEAD"]),
        cores,
        go.strip_prefix("go version ").unwrap_or(&go),
        output("rustc", &["--version"]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_between_the_marks_is_replaced() {
        let text = "a\n<!-- figures: x -->\nold\n<!-- end of figures -->\nb\n";
        let new = replaced(text, "x", "new\n").unwrap();
        assert_eq!(
            new,
            "a\n<!-- figures: x -->\n\nnew\n\n<!-- end of figures -->\nb\n"
        );
        assert_eq!(replaced(&new, "x", "new\n").unwrap(), new);
        assert!(replaced(text, "y", "new").is_none());
    }

    #[test]
    fn every_page_has_its_marks() {
        for Page { file, mark, .. } in PAGES {
            let text = std::fs::read_to_string(place::root().join(file)).unwrap();
            assert!(replaced(&text, mark, "").is_some(), "{file}");
        }
    }
}
