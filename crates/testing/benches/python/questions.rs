//! Questions over all operations: what they leave in memory, and how long they take.

use codeweft_workspace::process_memory;

use crate::corpus::Corpus;
use crate::ingredients;
use crate::operations;
use crate::report::Report;

/// Indexes everything, asks, and measures.
pub fn measure(report: &mut Report, corpus: &Corpus, quick: bool) {
    let host = corpus.indexed();
    let count = if quick { 100 } else { 1000 };
    let asked = operations::ask_everything(&host, count);
    println!("  {asked} questions over all operations");
    let held = process_memory().rss_bytes as f64;
    let bytes = host.index_all(0, &|_| {}).source_bytes as f64;
    let bar = format!("{}-memory-asked", corpus.name);
    let words = "memory after index and questions, per byte of source";
    report.figure(&bar, held / bytes, "bytes", words);
    let prefix = format!("{}-", corpus.name);
    let near = operations::near(report, &host, count, &prefix);
    let deep = operations::deep(report, &host, count / 2, &prefix);
    operations::slowest(report, &prefix, near.max(deep));
    ingredients::print(host);
}
