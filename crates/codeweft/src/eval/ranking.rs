//! What retrieval says to a task.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use codeweft_eval::{Answer, BundleFile, Task, TreeFile};
use codeweft_git::{Commit, HistoryBounds, HistoryState as GitState, Objects};
use codeweft_retrieval::{
    BundleOptions, BundleResponse, History, HistoryCommit, HistoryIndex, HistoryState, Index,
    RetrievalQuery, bundle, rank, read,
};
use codeweft_workspace::{CacheOptions, LoadOptions, ProjectDatabase};
use rustc_hash::FxHashMap;

use super::plan::Plan;
use super::tree::is_source;

/// The size that the cache of lowered texts is kept below, in bytes.
const CACHE_SIZE: u64 = 1 << 30;

/// The history of a commit, as retrieval takes it.
///
/// Errors: the repository cannot be read.
pub fn history(objects: &Objects, commit: &Commit) -> Result<HistoryIndex, String> {
    let history = objects
        .history(commit, HistoryBounds::default(), is_source)
        .map_err(|error| format!("{error}; {}", error.what_to_do()))?;
    let commits = history.entries.into_iter().map(|entry| HistoryCommit {
        id: entry.commit.hash().to_owned(),
        time: entry.time,
        message: entry.message,
        files: entry.files,
    });
    Ok(HistoryIndex::new(&History {
        head_time: history.head_time,
        commits: commits.collect(),
        state: match history.state {
            GitState::Whole => HistoryState::Read,
            GitState::Shallow => HistoryState::Shallow,
            GitState::Incomplete { .. } => HistoryState::Incomplete,
        },
    }))
}

/// The tree of a task's commit.
pub struct Tree<'a> {
    /// Where it lies.
    pub folder: &'a Path,
    /// Where lowered texts are kept.
    pub cache: &'a Path,
    /// Its source files.
    pub files: &'a [TreeFile],
    /// The history up to the commit, if it is used.
    pub history: Option<&'a HistoryIndex>,
}

/// Ranks the files of a tree for a task, and packs a bundle if the plan has a budget for one.
///
/// Errors: the folder cannot be loaded.
pub fn answer(plan: &Plan<'_>, task: &Task, tree: &Tree<'_>) -> Result<Answer, String> {
    let index = index(tree)?;
    let texts: FxHashMap<&str, &Arc<str>> = tree
        .files
        .iter()
        .map(|file| (&*file.path, &file.text))
        .collect();
    let mut answer = Answer::default();
    for (at, formula) in plan.formulas.iter().enumerate() {
        let query = RetrievalQuery {
            text: &task.description,
            cursor_file: task.cursor_file.as_deref(),
            include_tests: false,
            profile: formula.profile(),
            explain: false,
            meaning: None,
        };
        let started = Instant::now();
        let ranking = rank(&index, tree.history, &plan.weights, &query);
        if at == 0 {
            if let Some(budget) = plan.token_budget {
                let options = BundleOptions {
                    token_budget: budget as usize,
                    include_snippets: false,
                    explain: false,
                };
                let text_of = |path: &str| texts.get(path).copied().cloned();
                let packed = bundle(&ranking, &[], &options, &text_of);
                answer.bundle_tokens = packed.tokens_used;
                answer.bundle = Some(files_of(&packed));
            }
            answer.milliseconds = started.elapsed().as_secs_f64() * 1_000.0;
        }
        let paths = ranking.files.into_iter().map(|file| file.path).collect();
        answer.ranked.insert(formula.name().to_owned(), paths);
    }
    Ok(answer)
}

/// The files of a bundle with their rows, in its order.
fn files_of(bundle: &BundleResponse) -> Vec<BundleFile> {
    let mut files: Vec<BundleFile> = Vec::new();
    for row in &bundle.files {
        if files.last().is_none_or(|file| *file.path != *row.path) {
            files.push(BundleFile {
                path: row.path.as_str().into(),
                likely: row.likely,
                ..BundleFile::default()
            });
        }
        if let Some(file) = files.last_mut() {
            file.lines.push((row.line_range[0], row.line_range[1]));
            file.symbols.push(row.symbol.as_str().into());
        }
    }
    files
}

/// The index of a folder. Libraries of this machine do not belong to it: without an environment none is found.
fn index(tree: &Tree<'_>) -> Result<Index, String> {
    let database = ProjectDatabase::load(LoadOptions {
        threads: 1,
        variables: Some(BTreeMap::new()),
        on_demand: true,
        cache: Some(CacheOptions {
            folder: tree.cache.to_owned(),
            max_size: CACHE_SIZE,
        }),
        ..LoadOptions::new(tree.folder)
    });
    let database = database.map_err(|error| error.to_string())?;
    Ok(Index::build(read(database.db(), &|_| {})))
}
