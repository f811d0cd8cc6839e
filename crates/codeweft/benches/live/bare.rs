//! The bare tree-sitter parse of texts, which the times of a cold database are set against.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Returns the time to parse the texts of one language, by its wire name, on so many threads: the
/// faster of two, because the first warms the caches that the database found warm. The largest texts
/// should be first.
///
/// # Panics
/// There is no grammar of that name.
pub fn parse(lang: &str, texts: &[Arc<str>], threads: usize) -> Duration {
    let grammar: tree_sitter::Language = match lang {
        "go" => tree_sitter_go::LANGUAGE.into(),
        "python" => tree_sitter_python::LANGUAGE.into(),
        other => panic!("no grammar of {other}"),
    };
    let times = (0..2).map(|_| once(&grammar, texts, threads));
    times.min().unwrap_or_default()
}

fn once(grammar: &tree_sitter::Language, texts: &[Arc<str>], threads: usize) -> Duration {
    let next = AtomicUsize::new(0);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut parser = tree_sitter::Parser::new();
                parser
                    .set_language(grammar)
                    .expect("the grammar fits the library");
                while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    drop(parser.parse(text.as_bytes(), None));
                }
            });
        }
    });
    started.elapsed()
}
