//! A cold index of a whole corpus, against a bare tree-sitter parse of the same bytes, and its
//! memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use codeweft_db::UnitGraph;
use codeweft_python_syntax::PYTHON;
use codeweft_workspace::{ProjectDatabase, process_memory};

use crate::corpus::Corpus;
use crate::report::Report;

/// Loads and indexes a corpus, and parses the same bytes.
pub fn measure(report: &mut Report, corpus: &Corpus) -> ProjectDatabase {
    let started = Instant::now();
    let host = ProjectDatabase::load(corpus.options()).expect("the corpus is a workspace");
    let index = host.index_all(0, &|_| {});
    let cold = started.elapsed();
    let memory = process_memory();

    let texts = texts(&host);
    // The faster of two: the first parse warms the caches that the index found warm.
    let bare = (0..2).map(|_| bare_parse(&texts, host.threads())).min();
    let bare = bare.unwrap_or_default();
    let times = index.times;
    println!(
        "  {} files and {} of libraries, {:.1} MB, {} units, {} symbols, {} threads",
        index.files,
        index.library_files,
        index.source_bytes as f64 / 1e6,
        index.units,
        index.symbols,
        host.threads()
    );
    println!(
        "  walk {} ms, read {}, lower {}, lay out {}, resolve {}, join {}; bare parse {:.0}",
        times.walk_ms,
        times.read_ms,
        times.lower_ms,
        times.layout_ms,
        times.resolve_ms,
        times.join_ms,
        bare.as_secs_f64() * 1e3
    );
    let bar = |stem: &str| format!("{}-{stem}", corpus.name);
    let seconds = cold.as_secs_f64();
    let words = "cold index of everything";
    report.figure(&bar("cold-seconds"), seconds, "s", words);
    let words = "cold against the bare parse of the same bytes";
    let ratio = seconds / bare.as_secs_f64();
    report.figure(&bar("cold"), ratio, "times", words);
    let held = memory.rss_bytes as f64;
    let words = "anonymous memory after the cold index";
    report.figure(&bar("memory-mb"), held / 1e6, "MB", words);
    let words = "of it per byte of source";
    let per_byte = held / index.source_bytes as f64;
    report.figure(&bar("memory-per-byte"), per_byte, "bytes", words);
    let words = "the most that was ever resident";
    let peak = memory.peak_rss_bytes as f64 / 1e6;
    report.figure(&bar("memory-peak-mb"), peak, "MB", words);
    host
}

/// Returns the texts of all Python files, largest first.
fn texts(host: &ProjectDatabase) -> Vec<Arc<str>> {
    let db = host.db();
    let mut texts: Vec<Arc<str>> = UnitGraph::get(db)
        .units(db)
        .iter()
        .filter(|unit| unit.lang(db) == PYTHON)
        .flat_map(|unit| unit.files(db).iter())
        .map(|file| file.text(db).clone())
        .collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts
}

fn bare_parse(texts: &[Arc<str>], threads: usize) -> Duration {
    let next = AtomicUsize::new(0);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut parser = tree_sitter::Parser::new();
                parser
                    .set_language(&tree_sitter_python::LANGUAGE.into())
                    .expect("the grammar fits the library");
                while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    drop(parser.parse(text.as_bytes(), None));
                }
            });
        }
    });
    started.elapsed()
}
