//! A cold index of a whole corpus, against a bare tree-sitter parse of the same bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use codeweft_db::UnitGraph;
use codeweft_workspace::ProjectDatabase;

use crate::clock::Started;
use crate::corpus::Corpus;
use crate::report::Report;

/// Loads and indexes a corpus, and parses the same bytes.
pub fn measure(report: &mut Report, corpus: &Corpus, name: &str) -> ProjectDatabase {
    let started = Started::now();
    let host = ProjectDatabase::load(corpus.options()).expect("the corpus is a workspace");
    let index = host.index_all(0, &|_| {});
    let cold = started.elapsed();

    let texts = texts(&host);
    // The faster of two: the first parse warms the caches that the index found warm.
    let bare = (0..2).map(|_| bare_parse(&texts, host.threads())).min();
    let bare = bare.unwrap_or_default();
    let times = index.times;
    println!(
        "  {name:8}{} files and {} of libraries, {:.1} MB, {} units, {} symbols, {} threads",
        index.files,
        index.library_files,
        index.source_bytes as f64 / 1e6,
        index.units,
        index.symbols,
        host.threads()
    );
    println!(
        "  {:8}walk {} ms, read {}, lower {}, lay out {}, resolve {}, join {}; bare parse {:.0}",
        "",
        times.walk_ms,
        times.read_ms,
        times.lower_ms,
        times.layout_ms,
        times.resolve_ms,
        times.join_ms,
        bare.as_secs_f64() * 1e3
    );
    let bar = |stem: &str| match name {
        "" => stem.to_owned(),
        name => format!("{stem}-{name}"),
    };
    report.figure(
        &bar("cold-seconds"),
        cold.as_secs_f64(),
        "s",
        "cold index of everything",
    );
    let ratio = cold.as_secs_f64() / bare.as_secs_f64();
    report.figure(
        &bar("cold"),
        ratio,
        "times",
        "cold against the bare parse of the same bytes",
    );
    host
}

/// Returns the texts of all units, largest first.
fn texts(host: &ProjectDatabase) -> Vec<Arc<str>> {
    let db = host.db();
    let units = UnitGraph::get(db).units(db);
    let mut texts: Vec<Arc<str>> = units
        .iter()
        .flat_map(|unit| unit.files(db).iter())
        .map(|file| file.text(db).clone())
        .collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts
}

fn bare_parse(texts: &[Arc<str>], threads: usize) -> Duration {
    let next = AtomicUsize::new(0);
    let started = Started::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut parser = tree_sitter::Parser::new();
                parser
                    .set_language(&tree_sitter_go::LANGUAGE.into())
                    .expect("the grammar fits the library");
                while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    drop(parser.parse(text.as_bytes(), None));
                }
            });
        }
    });
    started.elapsed()
}
