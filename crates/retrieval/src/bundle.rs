//! A ranking as what an agent reads: rows under a budget of tokens.
//!
//! Files are taken whole, in the order of their rank, until the next one does not fit; so a larger budget never removes a
//! file. Likely files come first, for they are those with the highest rank.

use std::sync::Arc;

use crate::formula::{RankedFile, Ranking};
use crate::request::{BundleResponse, BundleRow};
use crate::tokens::count;

/// The rows of a file by its rank: so many for each of the first files, fewer for the next, and for the rest.
const ROWS: [(usize, usize); 3] = [(3, 8), (8, 4), (usize::MAX, 2)];

/// The most letters of an excerpt.
const MAX_EXCERPT: usize = 100;

/// The chunks of a file whose code is part of an answer with code, and the most lines of one.
const SNIPPETS: usize = 2;
const MAX_SNIPPET_LINES: usize = 60;

/// How a bundle is made.
#[derive(Clone, Copy, Debug)]
pub struct BundleOptions {
    /// The size of the text, in tokens.
    pub token_budget: usize,
    /// Whether code is part of it.
    pub include_snippets: bool,
    /// Whether the parts of scores are.
    pub explain: bool,
}

/// Rows that come before those of the ranking: a symbol that the query names, its callers and callees.
#[derive(Clone, Debug, Default)]
pub struct LeadRow {
    /// The file, from the workspace's root.
    pub path: Box<str>,
    /// The first and the last line, 1-based.
    pub lines: (u32, u32),
    /// The qualified name.
    pub symbol: Box<str>,
    /// What brought it in: `name`, `calls X`, `called by X`.
    pub why: String,
}

/// The text of a file by its path.
pub type TextOf<'a> = &'a dyn Fn(&str) -> Option<Arc<str>>;

/// Returns the bundle of a ranking.
pub fn bundle(
    ranking: &Ranking,
    lead: &[LeadRow],
    options: &BundleOptions,
    text_of: TextOf<'_>,
) -> BundleResponse {
    let blocks = blocks(ranking, lead);
    let total_symbols = blocks.iter().map(|block| block.rows.len()).sum();
    let candidates = blocks.len();
    let mut written: Vec<Written> = Vec::new();
    let mut used = count(&head(true)) + count(&head(false)) + RESERVE;
    used += ranking
        .hints
        .iter()
        .map(|hint| count(hint) + 2)
        .sum::<usize>();
    for block in &blocks {
        let Some(text) = text_of(&block.path) else {
            continue;
        };
        let mut next = block.written(&text, options);
        let mut size = next.size();
        // The first file is cut where it does not fit, so that there is one.
        while written.is_empty() && used + size > options.token_budget && next.rows.len() > 1 {
            next.drop_last();
            size = next.size();
        }
        if used + size > options.token_budget {
            break;
        }
        used += size;
        written.push(next);
    }
    let finished = |written: &[Written]| {
        let cut = (written.len() < candidates).then(|| {
            format!(
                "Cut at {} tokens: {} of {candidates} files; narrow the query or raise token_budget.\n",
                options.token_budget,
                written.len()
            )
        });
        print(written, &ranking.hints, cut.as_deref())
    };
    let mut text = finished(&written);
    let mut tokens_used = count(&text);
    // The sum of the parts is nearly always more than the whole.
    while tokens_used > options.token_budget && written.pop().is_some() {
        text = finished(&written);
        tokens_used = count(&text);
    }
    BundleResponse {
        truncated: written.len() < candidates,
        files: written.into_iter().flat_map(|file| file.rows).collect(),
        tokens_used,
        total_symbols,
        total_candidates: candidates,
        hints: ranking.hints.clone(),
        text,
        ..BundleResponse::default()
    }
}

/// The tokens kept for the line that says where the answer was cut.
const RESERVE: usize = 40;

/// The rows of one file before its text is read.
struct Block<'r> {
    path: Box<str>,
    file: Option<&'r RankedFile>,
    rows: Vec<BlockRow>,
}

struct BlockRow {
    lines: (u32, u32),
    symbol: Box<str>,
    why: Option<String>,
}

/// The rows of one file as they are sent, and its code.
struct Written {
    rows: Vec<BundleRow>,
    code: Vec<String>,
    has_parts: bool,
}

fn blocks<'r>(ranking: &'r Ranking, lead: &[LeadRow]) -> Vec<Block<'r>> {
    let mut blocks: Vec<Block<'r>> = Vec::new();
    for row in lead {
        let known = blocks.iter_mut().find(|block| block.path == row.path);
        let next = BlockRow {
            lines: row.lines,
            symbol: row.symbol.clone(),
            why: Some(row.why.clone()),
        };
        match known {
            Some(block) => block.rows.push(next),
            None => blocks.push(Block {
                path: row.path.clone(),
                file: ranking
                    .files
                    .iter()
                    .chain(&ranking.tests)
                    .find(|file| file.path == row.path),
                rows: vec![next],
            }),
        }
    }
    let of_lead = blocks.len();
    let files = ranking.files.iter().filter(|file| file.score > 0.0);
    for (rank, file) in files.enumerate() {
        if blocks
            .iter()
            .take(of_lead)
            .any(|block| block.path == file.path)
        {
            continue;
        }
        let most = ROWS
            .iter()
            .find(|(until, _)| rank < *until)
            .map_or(1, |&(_, rows)| rows);
        let fitting = file
            .chunks
            .iter()
            .enumerate()
            .filter(|(number, chunk)| *number == 0 || chunk.score > 0.0);
        let rows = fitting.take(most).map(|(_, chunk)| BlockRow {
            lines: chunk.lines,
            symbol: chunk.symbol.clone(),
            why: None,
        });
        blocks.push(Block {
            path: file.path.clone(),
            file: Some(file),
            rows: rows.collect(),
        });
    }
    blocks.retain(|block| !block.rows.is_empty());
    blocks
}

impl Block<'_> {
    fn written(&self, text: &str, options: &BundleOptions) -> Written {
        let lines: Vec<&str> = text.lines().collect();
        let mut rows: Vec<&BlockRow> = self.rows.iter().collect();
        let best: Vec<(u32, u32)> = rows.iter().take(SNIPPETS).map(|row| row.lines).collect();
        rows.sort_by_key(|row| row.lines);
        let score = self.file.map_or(0.0, |file| file.score);
        let written = rows.iter().map(|row| BundleRow {
            path: self.path.to_string(),
            line_range: [row.lines.0, row.lines.1],
            symbol: row.symbol.to_string(),
            excerpt: excerpt(&lines, row.lines, &row.symbol),
            score,
            why: match &row.why {
                Some(why) => vec![why.clone()],
                None => self.file.map_or_else(Vec::new, |file| file.why.clone()),
            },
            likely: row.why.is_some() || self.file.is_some_and(|file| file.likely),
            parts: match self.file {
                Some(file) if options.explain => {
                    let parts = file.parts.iter();
                    parts.map(|&(name, part)| (name.to_owned(), part)).collect()
                }
                _ => Vec::new(),
            },
        });
        let code = best.iter().filter(|_| options.include_snippets);
        Written {
            rows: written.collect(),
            code: code
                .map(|&range| snippet(&self.path, &lines, range))
                .collect(),
            has_parts: options.explain,
        }
    }
}

impl Written {
    fn size(&self) -> usize {
        count(&self.print())
    }

    fn drop_last(&mut self) {
        self.rows.pop();
        self.code.truncate(self.rows.len());
    }

    fn is_likely(&self) -> bool {
        self.rows.first().is_some_and(|row| row.likely)
    }

    /// Returns the rows as those of a table, the path only in the first, with the code behind them.
    fn print(&self) -> String {
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let path = if number == 0 { row.path.as_str() } else { "" };
            let [first, last] = row.line_range;
            text.push_str(&format!(
                "| {} | {first}-{last} | {} | {} |\n",
                cell(path),
                cell(&row.symbol),
                cell(&row.excerpt)
            ));
        }
        if let Some(row) = self.rows.first().filter(|_| self.has_parts) {
            text.push_str(&format!(
                "{:.3} because of {}",
                row.score,
                row.why.join(", ")
            ));
            for (name, part) in &row.parts {
                text.push_str(&format!("; {name} {part:.3}"));
            }
            text.push('\n');
        }
        for code in &self.code {
            text.push_str(code);
        }
        text
    }
}

/// Returns the head of the table of likely or of related files.
fn head(is_likely: bool) -> String {
    let words = if is_likely { "Likely" } else { "Related" };
    format!("{words}:\n\n| file | lines | symbol | code |\n|---|---|---|---|\n")
}

fn print(files: &[Written], hints: &[String], cut: Option<&str>) -> String {
    let mut text = String::new();
    for is_likely in [true, false] {
        let own: Vec<&Written> = files
            .iter()
            .filter(|file| file.is_likely() == is_likely)
            .collect();
        if own.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&head(is_likely));
        for file in own {
            text.push_str(&file.print());
        }
    }
    for hint in hints {
        text.push_str(&format!("\n{hint}.\n"));
    }
    if let Some(cut) = cut {
        text.push('\n');
        text.push_str(cut);
    }
    text
}

/// Returns a text as a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Returns the first line of code of a range: that with the name, else the first that is neither empty nor a comment.
fn excerpt(lines: &[&str], (first, last): (u32, u32), symbol: &str) -> String {
    let range = (first as usize).saturating_sub(1)..last as usize;
    let own = lines
        .get(range.start..range.end.min(lines.len()))
        .unwrap_or(&[]);
    let name = symbol.rsplit('.').next().unwrap_or("");
    let is_remark =
        |line: &str| line.is_empty() || line.starts_with(['#', '@']) || line.starts_with("//");
    let code = || {
        own.iter()
            .map(|line| line.trim())
            .filter(|line| !is_remark(line))
    };
    let named = code().find(|line| !name.is_empty() && line.contains(name));
    let line = named
        .or_else(|| code().next())
        .or_else(|| own.first().map(|line| line.trim()));
    let line = line
        .unwrap_or("")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    match line.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or("")),
        None => line,
    }
}

/// Returns the code of a range, in a fence that is longer than any in it.
fn snippet(path: &str, lines: &[&str], (first, last): (u32, u32)) -> String {
    let start = (first as usize).saturating_sub(1);
    let end = (last as usize)
        .min(lines.len())
        .min(start + MAX_SNIPPET_LINES);
    let code = lines.get(start..end).unwrap_or(&[]).join("\n");
    let mut fence = "```".to_owned();
    while code.contains(&fence) {
        fence.push('`');
    }
    format!(
        "\n{path}:{first}\n{fence}\n{}\n{fence}\n\n",
        code.trim_end()
    )
}
