//! The check that a World which lived through edits answers as a fresh one over the same texts.

use codeweft_db::{NodeKind, RootDb};
use codeweft_graph::answer::{
    ApiError, ChangeType, GraphRequest, GraphResponse, Metadata, Operation,
};
use codeweft_ide::ProjectDatabase;

use crate::rows::{declared, export, rows};
use crate::{Fixture, SeededRng, Texts};

/// What is asked at each check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckedQuestions {
    /// How many questions.
    pub questions: usize,
    /// On how many threads at once.
    pub threads: usize,
    /// Whether everything that the databases say is compared too.
    pub whole: bool,
}

/// Whether `live` answers as a fresh World over `texts` does: the first difference in words.
pub fn same_as_fresh(
    live: &ProjectDatabase,
    texts: &Texts,
    lot: &mut SeededRng,
    asked: CheckedQuestions,
) -> Result<(), String> {
    let fresh = Fixture::of(texts.clone()).load();
    let mut list = questions(fresh.host.db(), texts, lot, asked.questions);
    let expected = ask_all(fresh.host.db(), &list, 1);
    let mut order: Vec<usize> = (0..list.len()).collect();
    lot.shuffle(&mut order);
    list = order.iter().map(|&at| list[at].clone()).collect();
    let found = ask_all(live.db(), &list, asked.threads);
    for ((request, found), &at) in list.iter().zip(&found).zip(&order) {
        if *found != expected[at] {
            return Err(format!(
                "{:?} of {}:\n  live  {found}\n  fresh {}",
                request.operation, request.target, expected[at]
            ));
        }
    }
    // As doors ask: with what the World has joined and taken over from revision to revision.
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
    if !asked.whole {
        return Ok(());
    }
    let (found, expected) = (rows(live.db()), rows(fresh.host.db()));
    if found != expected {
        return Err(difference(&found, &expected));
    }
    let (found, _) = export(live.db(), asked.threads);
    let (expected, _) = export(fresh.host.db(), 1);
    if found != expected {
        return Err(format!("export: {}", difference(&found, &expected)));
    }
    Ok(())
}

/// Questions by lot about what a database declares: every operation, of symbols, packages and
/// places that fit it, and some that do not.
pub fn questions(
    db: &RootDb,
    texts: &Texts,
    lot: &mut SeededRng,
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
        let fitting: Vec<&String> = match lot.chance(1, 10) {
            true => Vec::new(),
            false => of_kinds(&declared, kinds(operation)),
        };
        let mut any = |fitting: &[&String]| match lot.one(fitting) {
            Some(&id) => id.clone(),
            None => declared[lot.below(declared.len())].0.clone(),
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
            request.change_type = changes[lot.below(changes.len())];
        }
        let of_place = matches!(operation, Operation::Definition | Operation::References);
        if of_place && lot.chance(2, 3) {
            let file = files[lot.below(files.len())];
            let lines = texts[file].lines().count();
            request.target = format!("{file}:{}:{}", 1 + lot.below(lines), 1 + lot.below(24));
        }
        if matches!(operation, Operation::Callers | Operation::Callees) {
            request.depth = 1 + lot.below(3) as u32;
            request.include_unresolved = lot.chance(1, 3);
        }
        request.include_context = lot.chance(1, 4);
        request.include_tests = lot.chance(3, 4);
        list.push(request);
    }
    list
}

fn is_source(path: &str) -> bool {
    [".go", ".py", ".pyi"].iter().any(|end| path.ends_with(end))
}

/// The kinds of symbols that an operation takes.
fn kinds(operation: Operation) -> &'static [NodeKind] {
    match operation {
        Operation::Callers | Operation::Callees | Operation::Path => {
            &[NodeKind::Function, NodeKind::Method]
        }
        Operation::Implementations => &[NodeKind::Interface, NodeKind::Class],
        Operation::Implements => &[NodeKind::Struct, NodeKind::Type, NodeKind::Class],
        Operation::TypeUsages => &[
            NodeKind::Class,
            NodeKind::Interface,
            NodeKind::Struct,
            NodeKind::Type,
        ],
        Operation::Dependencies | Operation::Dependents => &[NodeKind::Package],
        _ => &[],
    }
}

fn of_kinds<'a>(declared: &'a [(String, NodeKind)], kinds: &[NodeKind]) -> Vec<&'a String> {
    let fitting = declared.iter().filter(|(_, kind)| kinds.contains(kind));
    fitting.map(|(id, _)| id).collect()
}

/// The answers to questions, printed, in their order; with several threads they are asked at once
/// on handles of their own.
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

/// The answer to a question as it is printed, but for what differs between equal questions.
pub fn ask(db: &RootDb, request: &GraphRequest, threads: usize) -> String {
    printed(codeweft_graph::ask(db, request, threads))
}

/// An answer as it is printed, but for what differs between equal questions.
/// An answer or an error as a client reads it, without its metadata and without what tells that a
/// text is not saved: what must be equal in every database of the same texts.
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

/// As [`bare`], of an answer that was not sent.
pub fn bare_of(answer: Result<GraphResponse, ApiError>) -> String {
    let value = match answer {
        Ok(response) => serde_json::to_value(response),
        Err(error) => serde_json::to_value(error),
    };
    bare(value.unwrap_or_default())
}

/// An answer as JSON, without what differs from process to process.
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

/// The first lines that only one of two lists has.
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
    fn another_text_is_noticed() {
        let mut texts = workspace(1, Size::SMALL);
        let live = Fixture::of(texts.clone()).load();
        let text = texts.get_mut("p0/f0.go").expect("a generated file");
        text.push_str("\nfunc More() {}\n");
        let told = same_as_fresh(&live.host, &texts, &mut SeededRng::new(1), ALL);
        assert!(told.is_err_and(|words| words.contains("More")));
    }
}
