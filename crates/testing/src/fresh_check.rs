//! The check that a database after edits answers as a freshly loaded one over the same texts.
//!
//! The law that it tests: incremental results never depend on the history of edits.

use codeweft_db::{NodeKind, RootDb};
use codeweft_graph::answer::{
    ApiError, ChangeType, GraphRequest, GraphResponse, Metadata, Operation, TargetKinds,
};
use codeweft_graph::{QueryOptions, RevisionCache};
use codeweft_workspace::ProjectDatabase;

use crate::rows::{declared, export, rows};
use crate::{Fixture, SeededRng, Texts};

/// The extent of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckedQuestions {
    /// The number of requests.
    pub questions: usize,
    /// The number of threads that send them.
    pub threads: usize,
    /// Whether all rows of the databases are compared as well.
    pub whole: bool,
}

/// Checks that `live` answers as a fresh database over `texts` does. The error describes the first
/// difference.
pub fn same_as_fresh(
    live: &ProjectDatabase,
    texts: &Texts,
    rng: &mut SeededRng,
    checked: CheckedQuestions,
) -> Result<(), String> {
    let fresh = Fixture::of(texts.clone()).load();
    let mut list = questions(fresh.host.db(), texts, rng, checked.questions);
    let expected = ask_all(fresh.host.db(), &list, 1);
    let mut order: Vec<usize> = (0..list.len()).collect();
    rng.shuffle(&mut order);
    list = order.iter().map(|&at| list[at].clone()).collect();
    let found = ask_all(live.db(), &list, checked.threads);
    for ((request, found), &at) in list.iter().zip(&found).zip(&order) {
        if *found != expected[at] {
            return Err(format!(
                "{:?} of {}:\n  live  {found}\n  fresh {}",
                request.operation, request.target, expected[at]
            ));
        }
    }
    // With the caches that the database has kept over its revisions, as for clients.
    for request in &list {
        let found = printed(live.ask(request));
        let expected = printed(fresh.host.ask(request));
        if found != expected {
            return Err(format!(
                "{:?} of {}, asked of the World:\n  live  {found}\n  fresh {expected}",
                request.operation, request.target
            ));
        }
    }
    if !checked.whole {
        return Ok(());
    }
    let (found, expected) = (rows(live.db()), rows(fresh.host.db()));
    if found != expected {
        return Err(difference(&found, &expected));
    }
    let (found, _) = export(live.db(), checked.threads);
    let (expected, _) = export(fresh.host.db(), 1);
    if found != expected {
        return Err(format!("export: {}", difference(&found, &expected)));
    }
    Ok(())
}

/// Returns random requests about what a database declares: every operation, on symbols, packages
/// and positions that it accepts, and on some that it refuses.
pub fn questions(
    db: &RootDb,
    texts: &Texts,
    rng: &mut SeededRng,
    count: usize,
) -> Vec<GraphRequest> {
    let declared = declared(db);
    let files: Vec<&String> = texts.keys().filter(|path| is_source(path)).collect();
    let mut list = Vec::with_capacity(count);
    if declared.is_empty() || files.is_empty() {
        return list;
    }
    while list.len() < count {
        let operation = Operation::ALL[list.len() % Operation::ALL.len()];
        let fitting: Vec<&String> = if rng.chance(1, 10) {
            Vec::new()
        } else {
            of_kinds(&declared, kinds(operation))
        };
        let mut any = |fitting: &[&String]| match rng.one(fitting) {
            Some(&id) => id.clone(),
            None => declared[rng.below(declared.len())].0.clone(),
        };
        let mut request = GraphRequest::new(operation, any(&fitting));
        if operation == Operation::Path {
            request.to = any(&fitting);
        }
        if operation == Operation::Impact {
            let changes = [
                ChangeType::Signature,
                ChangeType::Behavior,
                ChangeType::Removal,
            ];
            request.change_type = changes[rng.below(changes.len())];
        }
        if operation.targets() == TargetKinds::Text {
            let end = request.target.rsplit('.').next().unwrap_or_default();
            let letters = 1 + rng.below(end.chars().count().max(1));
            request.target = end.chars().take(letters).collect();
        }
        if operation == Operation::Outline && rng.chance(1, 2) {
            request.target = files[rng.below(files.len())].clone();
            request.depth = 1 + rng.below(3) as u32;
        }
        if operation.accepts_locals() && rng.chance(2, 3) {
            let file = files[rng.below(files.len())];
            let lines = texts[file].lines().count();
            request.target = format!("{file}:{}:{}", 1 + rng.below(lines), 1 + rng.below(24));
        }
        if matches!(operation, Operation::Callers | Operation::Callees) {
            request.depth = 1 + rng.below(3) as u32;
            request.include_unresolved = rng.chance(1, 3);
            request.include_literal_calls = rng.chance(1, 3);
        }
        request.include_context = rng.chance(1, 4);
        request.include_tests = rng.chance(3, 4);
        list.push(request);
    }
    list
}

fn is_source(path: &str) -> bool {
    [".go", ".py", ".pyi"].iter().any(|end| path.ends_with(end))
}

/// Returns kinds of symbols that an operation accepts; empty means any.
fn kinds(operation: Operation) -> &'static [NodeKind] {
    match operation.targets() {
        TargetKinds::Callable => &[NodeKind::Function, NodeKind::Method],
        TargetKinds::Implementable => &[NodeKind::Interface, NodeKind::Class],
        TargetKinds::Implementing => &[NodeKind::Struct, NodeKind::Type, NodeKind::Class],
        TargetKinds::Type => &[
            NodeKind::Class,
            NodeKind::Interface,
            NodeKind::Struct,
            NodeKind::Type,
        ],
        TargetKinds::Package => &[NodeKind::Package],
        TargetKinds::Container => &[
            NodeKind::Package,
            NodeKind::Class,
            NodeKind::Interface,
            NodeKind::Struct,
        ],
        TargetKinds::Any | TargetKinds::Text => &[],
    }
}

fn of_kinds<'a>(declared: &'a [(String, NodeKind)], kinds: &[NodeKind]) -> Vec<&'a String> {
    let fitting = declared.iter().filter(|(_, kind)| kinds.contains(kind));
    fitting.map(|(id, _)| id).collect()
}

/// Returns the printed answers to requests, in order; several threads use database handles of their
/// own.
pub fn ask_all(db: &RootDb, list: &[GraphRequest], threads: usize) -> Vec<String> {
    if threads < 2 || list.is_empty() {
        return list.iter().map(|request| ask(db, request, 1)).collect();
    }
    let part = list.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let threads: Vec<_> = list
            .chunks(part)
            .map(|part| {
                let db = db.clone();
                scope.spawn(move || {
                    let ask = |request| ask(&db, request, threads);
                    part.iter().map(ask).collect::<Vec<String>>()
                })
            })
            .collect();
        let answers = threads.into_iter().map(|thread| thread.join());
        answers
            .flat_map(|answers| answers.expect("no question breaks"))
            .collect()
    })
}

/// Returns the printed answer to a request, without the parts that differ between equal requests.
pub fn ask(db: &RootDb, request: &GraphRequest, threads: usize) -> String {
    let cache = RevisionCache::default();
    let options = QueryOptions::new(&cache, threads);
    let request = request.clone().check();
    printed(request.and_then(|request| codeweft_graph::execute(db, &request, options)))
}

/// Strips an answer or an error as a client reads it of its metadata and of the marks of unsaved
/// texts: the rest must be equal in every database over the same texts.
pub fn bare(mut answer: serde_json::Value) -> String {
    if let Some(answer) = answer.as_object_mut() {
        answer.remove("metadata");
    }
    let results = answer
        .get_mut("results")
        .and_then(|list| list.as_array_mut());
    for result in results.into_iter().flatten() {
        if let Some(node) = result["node"].as_object_mut() {
            node.remove("unsaved");
        }
    }
    answer.to_string()
}

/// Does the same as [`bare`] with an answer that was not serialized.
pub fn bare_of(answer: Result<GraphResponse, ApiError>) -> String {
    let value = match answer {
        Ok(response) => serde_json::to_value(response),
        Err(error) => serde_json::to_value(error),
    };
    bare(value.unwrap_or_default())
}

/// Returns an answer as JSON, without the parts that differ from process to process.
fn printed(answer: Result<GraphResponse, ApiError>) -> String {
    let answer = answer.map(|mut response| {
        response.metadata = Metadata::default();
        for result in &mut response.results {
            result.node.unsaved = false;
        }
        response
    });
    let printed = match answer {
        Ok(response) => serde_json::to_string(&response),
        Err(error) => serde_json::to_string(&error),
    };
    printed.expect("an answer has a JSON")
}

/// Returns the first lines that only one of two lists has.
fn difference(live: &[String], fresh: &[String]) -> String {
    let only = |some: &[String], other: &[String]| -> Vec<String> {
        let other: rustc_hash::FxHashSet<&String> = other.iter().collect();
        let only = some.iter().filter(|line| !other.contains(line));
        only.take(8).cloned().collect()
    };
    format!(
        "rows differ ({} and {}):\n  live only: {:#?}\n  fresh only: {:#?}",
        live.len(),
        fresh.len(),
        only(live, fresh),
        only(fresh, live)
    )
}

#[cfg(test)]
mod tests {
    use super::{CheckedQuestions, same_as_fresh};
    use crate::generate::{Size, workspace};
    use crate::{Fixture, SeededRng};

    const ALL: CheckedQuestions = CheckedQuestions {
        questions: 16,
        threads: 1,
        whole: true,
    };

    #[test]
    fn equal_texts_give_equal_answers() {
        let texts = workspace(1, Size::SMALL);
        let live = Fixture::of(texts.clone()).load();
        assert_eq!(
            same_as_fresh(&live.host, &texts, &mut SeededRng::new(1), ALL),
            Ok(())
        );
    }

    #[test]
    fn a_different_text_is_reported() {
        let mut texts = workspace(1, Size::SMALL);
        let live = Fixture::of(texts.clone()).load();
        let text = texts.get_mut("p0/f0.go").expect("a generated file");
        text.push_str("\nfunc More() {}\n");
        let difference = same_as_fresh(&live.host, &texts, &mut SeededRng::new(1), ALL);
        assert!(difference.is_err_and(|words| words.contains("More")));
    }
}
