//! The comparison of two answers to a question: the live engine's and that of SQL.

use std::path::Path;
use std::time::Duration;

use codeweft_db::RootDb;
use codeweft_graph::answer::{
    ApiError, CheckedRequest, ErrorType, GraphRequest, GraphResponse, GraphResult, Operation,
};
use codeweft_graph::{QueryOptions, RevisionCache, execute};
use codeweft_store::{EdgeType, ExportOptions, SqlFile, answer_from_file, format_named};
use serde_json::Value;

/// A database and its export.
pub struct Engines<'a> {
    db: &'a RootDb,
    cache: RevisionCache,
    threads: usize,
    file: SqlFile,
}

impl<'a> Engines<'a> {
    /// Exports a database below a folder.
    pub fn new(db: &'a RootDb, threads: usize, folder: &Path) -> Engines<'a> {
        let path = folder.join("graph.db");
        let options = ExportOptions {
            edges: EdgeType::ALL.to_vec(),
            ..ExportOptions::default()
        };
        let format = format_named("sqlite").expect("a format");
        format
            .write_file(db, &options, threads, &path)
            .expect("written");
        Engines {
            db,
            cache: RevisionCache::default(),
            threads,
            file: SqlFile::open(&path).expect("an export"),
        }
    }

    /// Returns the answer of the live engine.
    pub fn live(&self, request: &CheckedRequest) -> Result<GraphResponse, ApiError> {
        let options = QueryOptions::new(&self.cache, self.threads);
        execute(self.db, request, options)
    }

    /// Returns the answer of SQL.
    pub fn sql(&mut self, request: &CheckedRequest) -> Result<GraphResponse, ApiError> {
        answer_from_file(&mut self.file, request, Duration::from_secs(600))
    }

    /// Returns what differs between the two answers to a request.
    pub fn differences(&mut self, request: &GraphRequest) -> Vec<Difference> {
        let request = request.clone().check().expect("a request within bounds");
        let live = self.live(&request);
        let sql = self.sql(&request);
        match (live, sql) {
            (Ok(live), Ok(sql)) => of_responses(&live, &sql),
            (Err(live), Err(sql)) => {
                let is_beyond = sql.error_type == ErrorType::LimitExceeded;
                let same = live.error_type == sql.error_type && live.message == sql.message;
                // The nearest names may be of libraries, of which the file has those that are used.
                let nearest = live.error_type == ErrorType::TargetNotFound;
                let same = same && (nearest || live.candidates == sql.candidates);
                (!same && !is_beyond)
                    .then(|| Difference::new("error", live.message, sql.message))
                    .into_iter()
                    .collect()
            }
            (Ok(_), Err(sql)) if sql.error_type == ErrorType::LimitExceeded => Vec::new(),
            (Ok(live), Err(sql)) => vec![Difference::new("error", live.target, sql.message)],
            (Err(live), Ok(sql)) => {
                let is_ambiguous = live.error_type == ErrorType::AmbiguousTarget;
                let candidates = live.candidates.iter();
                let known = candidates.filter(|candidate| self.has(candidate)).count();
                // The others are of libraries that nothing of the workspace uses.
                let cause = if is_ambiguous && known == 1 {
                    LIBRARIES
                } else {
                    "error"
                };
                vec![Difference::new(cause, live.message, sql.target)]
            }
        }
    }

    /// Returns whether the file has a symbol of an id.
    fn has(&mut self, id: &str) -> bool {
        let request = GraphRequest::new(Operation::Definition, id).check();
        request.is_ok_and(|request| self.sql(&request).is_ok())
    }
}

/// The cause of differences that an answer says: the database has of libraries what the workspace uses.
pub const LIBRARIES: &str = "libraries";

/// A field in which two answers differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The name of the field.
    pub cause: String,
    pub live: String,
    pub sql: String,
}

impl Difference {
    fn new(cause: &str, live: impl ToString, sql: impl ToString) -> Difference {
        Difference {
            cause: cause.to_owned(),
            live: live.to_string(),
            sql: sql.to_string(),
        }
    }

    /// Returns whether no two answers may have it: other nodes or sites, or a claim to be complete that the live engine
    /// does not make.
    pub fn is_of_graph(&self) -> bool {
        const GRAPH: [&str; 6] = [
            "ids",
            "sites",
            "site_count",
            "total_found",
            "falsely complete",
            "error",
        ];
        GRAPH.contains(&self.cause.as_str())
    }
}

fn of_responses(live: &GraphResponse, sql: &GraphResponse) -> Vec<Difference> {
    let mut found = Vec::new();
    if sql.completeness.complete && !live.completeness.complete {
        let words = |one: &GraphResponse| format!("{:?}", one.completeness.words);
        found.push(Difference::new("falsely complete", words(live), words(sql)));
    }
    let ids = |one: &GraphResponse| {
        let ids = one
            .results
            .iter()
            .map(|row| (row.depth, row.node.id.clone()));
        ids.collect::<Vec<_>>()
    };
    let (live_ids, sql_ids) = (ids(live), ids(sql));
    let words = sql.completeness.words.clone().unwrap_or_default();
    let lacks = words.contains("what libraries use of each other");
    if lacks && live_ids != sql_ids {
        let total = |one: &GraphResponse| one.total_found;
        found.push(Difference::new(LIBRARIES, total(live), total(sql)));
        return found;
    }
    if live_ids != sql_ids {
        let only = |one: &[(Option<u32>, String)], other: &[(Option<u32>, String)]| {
            let only = one.iter().filter(|row| !other.contains(row));
            format!("{:?} of {}", only.take(3).collect::<Vec<_>>(), one.len())
        };
        found.push(Difference::new(
            "ids",
            only(&live_ids, &sql_ids),
            only(&sql_ids, &live_ids),
        ));
        return found;
    }
    // What the database does not have of libraries makes an answer incomplete, and no more.
    if live.results.iter().any(is_listed_twice) {
        return found;
    }
    let (mut live, mut sql) = (value(live), value(sql));
    if lacks {
        sql["completeness"] = live["completeness"].clone();
    }
    for field in ["metadata"] {
        for one in [&mut live, &mut sql] {
            one.as_object_mut().expect("an object").remove(field);
        }
    }
    let empty = serde_json::Map::new();
    let (live, sql) = (
        live.as_object().unwrap_or(&empty),
        sql.as_object().unwrap_or(&empty),
    );
    let mut names: Vec<&String> = live.keys().chain(sql.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let (live, sql) = (live.get(name), sql.get(name));
        if live == sql {
            continue;
        }
        let rows = |one: Option<&Value>| one.and_then(Value::as_array).cloned();
        match (name.as_str(), rows(live), rows(sql)) {
            ("results", Some(live), Some(sql)) => {
                for (live, sql) in live.iter().zip(&sql) {
                    of_results(live, sql, &mut found);
                }
            }
            _ => {
                let (live, sql) = (parts(live, sql), parts(sql, live));
                found.push(Difference::new(name, live, sql));
            }
        }
    }
    found
}

/// Returns a value as a text, of an object the members that differ from another's.
fn parts(one: Option<&Value>, other: Option<&Value>) -> String {
    let members = one
        .and_then(Value::as_object)
        .zip(other.and_then(Value::as_object));
    match members {
        None => one.map(Value::to_string).unwrap_or_default(),
        Some((one, other)) => {
            let own = one
                .iter()
                .filter(|(name, value)| other.get(*name) != Some(*value));
            own.map(|(name, value)| format!("{name}: {value} "))
                .collect()
        }
    }
}

/// Returns whether a result has a site twice: the live engine counts the import of a package that is removed, and the
/// use of the package in it.
fn is_listed_twice(result: &GraphResult) -> bool {
    let mut sites = result.sites.iter().zip(result.sites.iter().skip(1));
    sites.any(|(one, next)| one == next)
}

fn of_results(live: &Value, sql: &Value, found: &mut Vec<Difference>) {
    for field in [
        "sites",
        "site_count",
        "node",
        "context",
        "receiver",
        "type_args",
        "impact_type",
        "severity",
    ] {
        if live[field] != sql[field] {
            let of = &live["node"]["id"];
            let (mut one, mut other) = (live[field].clone(), sql[field].clone());
            if let (Some(a), Some(b)) = (one.as_array().cloned(), other.as_array().cloned()) {
                one = a.iter().filter(|x| !b.contains(x)).cloned().collect();
                other = b.iter().filter(|x| !a.contains(x)).cloned().collect();
            }
            found.push(Difference::new(
                field,
                format!("{of}: {one}"),
                format!("{of}: {other}"),
            ));
        }
    }
}

/// Returns an answer without what the database does not have: the chains of values that lead to a call.
fn value(response: &GraphResponse) -> Value {
    let mut response = response.clone();
    for result in &mut response.results {
        // The texts of libraries are not in the database.
        if result.node.external {
            result.context = None;
        }
        for site in &mut result.sites {
            if site.reason.as_deref() != Some("class_hierarchy") {
                site.reason = None;
            }
        }
    }
    serde_json::to_value(&response).expect("plain data")
}
