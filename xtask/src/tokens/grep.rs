//! The same question answered by grep: the lines in which a name stands, and the functions around them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

use super::tokens;
use crate::answers::graph::Graph;
use crate::answers::library::Library;

/// The files of a corpus in its language, with the functions that they declare.
pub struct Grep {
    files: Vec<Text>,
    /// The tokens of names that were looked for.
    known: BTreeMap<String, usize>,
}

struct Text {
    path: String,
    text: String,
    /// The first and the last line of each function, 1-based.
    functions: Vec<(u32, u32)>,
}

impl Grep {
    /// Reads all files of a language below a root, hidden folders excluded.
    pub fn read(root: &Path, library: Library, graph: &Graph) -> Result<Grep> {
        let mut functions: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
        for node in &graph.nodes {
            if ["function", "method"].contains(&node.kind.as_str()) {
                let of_file = functions.entry(&node.file).or_default();
                of_file.push((node.start_line, node.end_line));
            }
        }
        let ending = match library {
            Library::Go => "go",
            Library::Python => "py",
        };
        let mut files = Vec::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = std::fs::read_dir(&folder);
            for entry in entries.with_context(|| format!("cannot read {}", folder.display()))? {
                let entry = entry?;
                let (path, kind) = (entry.path(), entry.file_type()?);
                if entry.file_name().as_encoded_bytes().starts_with(b".") {
                    continue;
                } else if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file() && path.extension().is_some_and(|one| one == ending) {
                    let relative = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
                    files.push(Text {
                        functions: functions.remove(&*relative).unwrap_or_default(),
                        path: relative.into_owned(),
                        text: String::from_utf8_lossy(&std::fs::read(&path)?).into_owned(),
                    });
                }
            }
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Grep {
            files,
            known: BTreeMap::new(),
        })
    }

    /// Returns the tokens of what `grep -rnw NAME` prints, and of the text of every function with a
    /// hit: the innermost one around the line, once.
    pub fn tokens(&mut self, name: &str) -> usize {
        if let Some(&known) = self.known.get(name) {
            return known;
        }
        let all = self.files.iter().map(|file| file.tokens(name)).sum();
        self.known.insert(name.to_owned(), all);
        all
    }
}

impl Text {
    fn tokens(&self, name: &str) -> usize {
        // Most files have none.
        if name.is_empty() || !self.text.contains(name) {
            return 0;
        }
        let mut all = 0;
        let mut hit = BTreeSet::new();
        for (number, line) in (1..).zip(self.text.lines()) {
            if has_word(line, name) {
                all += tokens(&format!("{}:{number}:{line}\n", self.path));
                let around = self
                    .functions
                    .iter()
                    .filter(|(from, to)| (*from..=*to).contains(&number));
                hit.extend(around.min_by_key(|(from, to)| to - from));
            }
        }
        for &(from, to) in &hit {
            let lines = self.text.lines().skip(from as usize - 1);
            let lines: Vec<&str> = lines.take((to + 1 - from) as usize).collect();
            all += tokens(&lines.join("\n"));
        }
        all
    }
}

/// Returns whether a line has a name as a whole word.
fn has_word(line: &str, name: &str) -> bool {
    let is_inside = |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() || one == '_');
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !is_inside(before) && !is_inside(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_counts_with_its_line_and_its_function_once() {
        let text = Text {
            path: "a.go".to_owned(),
            text: "func f() {\n\tg()\n\tg()\n}\n\nfunc h() {}\n".to_owned(),
            functions: vec![(1, 4), (6, 6)],
        };
        let lines = tokens("a.go:2:\tg()\n") + tokens("a.go:3:\tg()\n");
        assert_eq!(
            text.tokens("g"),
            lines + tokens("func f() {\n\tg()\n\tg()\n}")
        );
        assert_eq!(text.tokens("missing"), 0);
    }

    #[test]
    fn a_part_of_a_word_is_no_hit() {
        assert!(has_word("x.g()", "g") && has_word("g", "g"));
        assert!(!has_word("got g2 _g äg", "g"));
    }
}
