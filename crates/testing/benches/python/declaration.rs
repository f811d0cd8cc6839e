//! The latency of a new declaration: a function that calls another one of its module is added before
//! it, and removed again. Measured from the change of the database to the answer of `callers` of the
//! callee, depth 1, without context.

use std::path::Path;
use std::time::Instant;

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_workspace::ProjectDatabase;

use crate::edits::{Drawn, ask_after, sites};
use crate::report::Report;

/// Measures one new function a drawn callee; the names of the figures begin with `bar`.
pub fn measure(report: &mut Report, host: &mut ProjectDatabase, drawn: &[Drawn<'_>], bar: &str) {
    let root = host.root().to_owned();
    let (mut added, mut removed, mut lost) = (Vec::new(), Vec::new(), 0);
    for Drawn { source, callee, .. } in drawn {
        let path = Path::new(&root).join(&source.path);
        let mut request = GraphRequest::new(Operation::Callers, source.id(callee));
        request.include_context = false;
        request.max_results = 500;
        host.open(&path, &source.text);
        let before = host.ask(&request);
        if let (Some(text), Ok(_)) = (source.with_function(callee), &before) {
            let (after, time) = ask_after(host, &path, &text, &request);
            added.push(time);
            lost += usize::from(sites(&after) != sites(&before) + 1);
            let started = Instant::now();
            host.change(&path, &source.text);
            let _ = host.ask(&request);
            removed.push(started.elapsed());
        }
        host.close(&path);
        let _ = host.ask(&request);
    }
    println!(
        "  {} new functions, of which {lost} did not show one site more",
        added.len()
    );
    report.middle(&format!("{bar}-median"), &added, "a function added");
    report.spread(bar, added, "a function added");
    report.spread(&format!("{bar}-removed"), removed, "and removed");
}
