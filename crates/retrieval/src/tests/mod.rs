//! The rules of retrieval, on small workspaces of their own.

mod bundles;
mod mentions;
mod ranking;
mod upkeep;

use std::sync::Arc;

use codeweft_db::{Names, lower_text};
use codeweft_graph::languages::of_path;

use crate::{
    FileLex, History, HistoryCommit, HistoryIndex, HistoryState, ImportTarget, Index, IndexedFile,
    RankedFile, Ranking, RetrievalQuery, Weights, rank,
};

/// Returns the files of a fixture. A line `== PATH` begins a file; what it imports may be behind the path, a folder with `/`
/// at its end.
pub(crate) fn files(fixture: &str) -> Vec<IndexedFile> {
    let mut files: Vec<(&str, Vec<ImportTarget>, String)> = Vec::new();
    for line in fixture.lines() {
        if let Some(head) = line.strip_prefix("== ") {
            let mut words = head.split_whitespace();
            let path = words.next().unwrap_or("");
            let imports = words.map(|word| match word.strip_suffix('/') {
                Some(folder) => ImportTarget::Folder(folder.into()),
                None => ImportTarget::File(word.into()),
            });
            files.push((path, imports.collect(), String::new()));
        } else if let Some((_, _, text)) = files.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    let indexed = files.into_iter().map(|(path, imports, text)| IndexedFile {
        path: path.into(),
        lex: lex(path, &text),
        imports: imports.into(),
    });
    indexed.collect()
}

/// Returns the words of a text.
pub(crate) fn lex(path: &str, text: &str) -> Arc<FileLex> {
    let names = Names::default();
    let parts = of_path(path).and_then(|lang| {
        let ir = lower_text(text, lang, &names, &|| false)?;
        Some(lang.spec().text_parts?(text, &ir.items, &ir.ranges, &names))
    });
    Arc::new(FileLex::of(text, &parts.unwrap_or_default()))
}

pub(crate) fn index(fixture: &str) -> Index {
    Index::build(files(fixture))
}

pub(crate) fn ask(index: &Index, text: &str) -> Ranking {
    let query = RetrievalQuery {
        text,
        explain: true,
        ..RetrievalQuery::default()
    };
    rank(index, None, &Weights::default(), &query)
}

pub(crate) fn paths(files: &[RankedFile]) -> Vec<&str> {
    files.iter().map(|file| &*file.path).collect()
}

/// Returns a history of commits, newest first: days before HEAD, message, files.
pub(crate) fn history(commits: &[(i64, &str, &[&str])]) -> HistoryIndex {
    const HEAD: i64 = 1_700_000_000;
    let commits = commits.iter().enumerate();
    let commits = commits.map(|(number, (days, message, files))| HistoryCommit {
        id: format!("{number:07}abc"),
        time: HEAD - days * 86_400,
        message: (*message).to_owned(),
        files: files.iter().map(|&file| file.into()).collect(),
    });
    HistoryIndex::new(&History {
        head_time: HEAD,
        commits: commits.collect(),
        state: HistoryState::Read,
    })
}
