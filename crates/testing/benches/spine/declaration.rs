//! The latency of a new declaration: a function that calls another one of its package is added
//! between two others, and removed again. Measured from the change of the database to the answer of
//! `callers` of the callee, depth 1, without context.

use std::path::Path;

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_workspace::ProjectDatabase;

use crate::clock::Started;
use crate::edits::{Drawn, sites};
use crate::report::Report;

/// Measures one new function a drawn place.
pub fn measure(report: &mut Report, mut host: ProjectDatabase, drawn: &[Drawn]) -> ProjectDatabase {
    let root = host.root().to_owned();
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    let mut lost = 0;
    for one in drawn {
        let path = Path::new(&root).join(&one.path);
        let mut request = GraphRequest::new(Operation::Callers, &one.id);
        request.include_context = false;
        request.max_results = 500;
        host.open(&path, &one.text);
        let before = host.ask(&request);

        let text = with_function(one);
        let started = Started::now();
        host.change(&path, &text);
        let after = host.ask(&request);
        added.push(started.elapsed());
        lost += usize::from(sites(after.ok()) != sites(before.ok()) + 1);

        let started = Started::now();
        host.change(&path, &one.text);
        let _ = host.ask(&request);
        removed.push(started.elapsed());
        host.close(&path);
        let _ = host.ask(&request);
    }
    println!(
        "  {} new functions, of which {lost} did not show one site more",
        drawn.len()
    );
    report.middle("new-declaration-median", &added, "a function added");
    report.spread("new-declaration", added, "a function added");
    report.spread("removed-declaration", removed, "and removed");
    host
}

/// Returns the text with a new function before the drawn one and its comment.
fn with_function(one: &Drawn) -> String {
    const END: &str = "\n}\n";
    let before = one.text.get(..one.at).unwrap_or_default();
    let at = before
        .rfind(END)
        .map_or(one.text.len(), |at| at + END.len());
    let (before, after) = one.text.split_at(at);
    let callee = &one.callee;
    format!("{before}\nfunc newlyDeclared() {{ {callee}() }}\n{after}")
}
