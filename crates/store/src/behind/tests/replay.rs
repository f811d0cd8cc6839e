//! A script of batches that needs no graph: the same for a seed, so that a process that was killed goes on from the
//! revision of its file, and another one knows what that revision is.

use std::sync::Arc;

use codeweft_graph::answer::{Node, ReceiverKind};
use codeweft_graph::export::{
    DetailedPackage, EdgeRow, EdgeType, FileRow, LineCounts, Location, NodeDetail, PackageRows,
    UnresolvedRow,
};
use codeweft_graph::languages;
use codeweft_testing::SeededRng;

use crate::behind::batch::{Batch, FileChange, FileRows};
use crate::sqlite::gather::Gathered;

/// The number of files.
const FILES: usize = 24;

/// A function: its number, and the functions that it calls by file and number.
#[derive(Clone)]
struct Function {
    number: usize,
    calls: Vec<(usize, usize)>,
    runs: Vec<(usize, usize)>,
}

/// A file: how many lines are on top, and its functions.
#[derive(Clone, Default)]
struct Source {
    top: u32,
    functions: Vec<Function>,
}

/// The files after so many batches.
pub(crate) struct Replay {
    seed: u64,
    revision: u64,
    files: Vec<Option<Source>>,
}

impl Replay {
    /// Returns the files before the first batch: none.
    pub(crate) fn new(seed: u64) -> Replay {
        Replay {
            seed,
            revision: 0,
            files: vec![None; FILES],
        }
    }

    /// Returns the number of batches so far.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Goes on to a revision without making batches.
    pub(crate) fn skip_to(&mut self, revision: u64) {
        while self.revision < revision {
            self.change();
        }
    }

    /// Changes some files; returns their numbers, and whether there are other pairs.
    fn change(&mut self) -> (Vec<usize>, bool) {
        self.revision += 1;
        let mut rng = SeededRng::of(&[self.seed, self.revision]);
        let count = 1 + rng.below(3);
        let mut changed = Vec::new();
        for _ in 0..count {
            let at = rng.below(FILES);
            let source = &mut self.files[at];
            match rng.below(8) {
                0 => *source = None,
                1 => {
                    if let Some(source) = source {
                        source.top += 1;
                    }
                }
                _ => {
                    let source = source.get_or_insert_default();
                    if source.functions.len() > 6 {
                        let gone = rng.below(source.functions.len());
                        source.functions.remove(gone);
                    }
                    let number = rng.below(12);
                    source.functions.retain(|one| one.number != number);
                    let mut calls = |most: usize| {
                        let count = rng.below(most);
                        let mut one = || (rng.below(FILES), rng.below(12));
                        (0..count).map(|_| one()).collect::<Vec<_>>()
                    };
                    source.functions.push(Function {
                        number,
                        calls: calls(6),
                        runs: calls(3),
                    });
                }
            }
            changed.push(at);
        }
        changed.sort_unstable();
        changed.dedup();
        (changed, rng.chance(1, 3))
    }

    /// Returns the next batch.
    pub(crate) fn next_batch(&mut self) -> Batch {
        let (changed, has_pairs) = self.change();
        let mut batch = Batch {
            revision: self.revision,
            is_level: true,
            has_level_sets: true,
            ..Batch::default()
        };
        for at in changed {
            let path: Arc<str> = path(at).into();
            let Some(source) = &self.files[at] else {
                batch.files.insert(path, FileChange::Gone);
                continue;
            };
            let rows = FileRows {
                row: row(at, source),
                unsaved: source.top % 2 == 1,
                part: part(at, source, false),
            };
            batch
                .files
                .insert(path.clone(), FileChange::Rows(Box::new(rows)));
            batch.runs.insert(path, Some(part(at, source, true)));
        }
        if has_pairs {
            let edges = self.files.iter().enumerate().flat_map(|(at, source)| {
                let functions = source.iter().flat_map(|source| &source.functions);
                let pairs = functions.map(move |one| pair(at, one.number));
                pairs.collect::<Vec<_>>()
            });
            batch.pairs = Some(vec![gathered(Vec::new(), edges.collect())]);
        }
        batch
    }
}

fn path(file: usize) -> String {
    format!("p{}/f{file}.go", file % 4)
}

fn package(file: usize) -> String {
    format!("m/p{}", file % 4)
}

fn id(file: usize, number: usize) -> String {
    format!("{}.F{file}x{number}", package(file))
}

fn line(source: &Source, at: usize) -> u32 {
    source.top + 3 + 10 * at as u32
}

fn row(file: usize, source: &Source) -> FileRow {
    let words = source
        .functions
        .iter()
        .map(|one| format!("func F{file}x{} {:?}\n", one.number, one.calls));
    let text = "\n".repeat(source.top as usize) + &words.collect::<String>();
    FileRow {
        path: path(file).into(),
        lang: languages::ALL[0].lang(),
        package: package(file).into(),
        directory: format!("p{}", file % 4).into(),
        test: false,
        generated: false,
        built: true,
        lines: LineCounts {
            total: source.functions.len() as u32,
            ..LineCounts::default()
        },
        has_secret: false,
        error_lines: None,
        unresolved: vec![UnresolvedRow {
            line: source.top,
            column: 1,
            name: "open".to_owned(),
            arguments: None,
            reason: "unknown_receiver",
        }],
        text: text.into(),
    }
}

/// Returns the rows of a file, or what its calls may run.
fn part(file: usize, source: &Source, runs: bool) -> Gathered {
    let package = Node {
        id: package(file),
        kind: "package".to_owned(),
        name: format!("p{}", file % 4),
        language: "go".to_owned(),
        package: package(file),
        ..Node::default()
    };
    let mut nodes = vec![package];
    let mut edges = Vec::new();
    for (at, one) in source.functions.iter().enumerate() {
        let line = line(source, at);
        nodes.push(Node {
            id: id(file, one.number),
            kind: "function".to_owned(),
            name: format!("F{file}x{}", one.number),
            language: "go".to_owned(),
            package: self::package(file),
            file: path(file),
            start_line: line,
            end_line: line + 8,
            name_line: line,
            name_column: 6,
            start_pos: 10 * line,
            end_pos: 10 * line + 80,
            ..Node::default()
        });
        let (targets, resolution) = if runs {
            (&one.runs, "value")
        } else {
            (&one.calls, "exact")
        };
        for (number, &(to_file, to)) in targets.iter().enumerate() {
            edges.push(EdgeRow {
                location: Some(Location {
                    file: path(file).into(),
                    line: line + number as u32 / 2,
                    column: 4,
                }),
                resolution: Some(resolution.to_owned()),
                ..edge(EdgeType::Calls, &id(file, one.number), &id(to_file, to))
            });
        }
    }
    gathered(nodes, edges)
}

fn pair(file: usize, number: usize) -> EdgeRow {
    EdgeRow {
        receiver: Some(ReceiverKind::Value),
        ..edge(
            EdgeType::Implements,
            &id(file, number),
            &id((file + 1) % FILES, number),
        )
    }
}

fn edge(edge_type: EdgeType, from: &str, to: &str) -> EdgeRow {
    EdgeRow {
        from: from.into(),
        to: to.into(),
        edge_type,
        location: None,
        resolution: None,
        kind: None,
        usage: None,
        receiver: None,
        type_args: Vec::new(),
        test: false,
        reason: None,
        in_literal: false,
        of_literal: false,
    }
}

fn gathered(nodes: Vec<Node>, edges: Vec<EdgeRow>) -> Gathered {
    let details = nodes.iter().map(|node| NodeDetail {
        container: if node.kind == "package" {
            "".into()
        } else {
            node.package.as_str().into()
        },
        ..NodeDetail::default()
    });
    let details = details.collect();
    Gathered::of_part(DetailedPackage {
        lang: Some(languages::ALL[0].lang()),
        rows: PackageRows {
            name: "".into(),
            external: false,
            nodes,
            edges,
        },
        details,
        ..DetailedPackage::default()
    })
    .expect("known kinds")
}
