//! Whoever asks for a name by its id is told what an editor is told at every place that declares it.

use std::collections::BTreeSet;

use codeweft_graph::answer::{GraphRequest, GraphResponse, Operation};
use codeweft_ide::{Encoding, RequestCancellation};
use codeweft_testing::{Fixture, fixture};

const ENCODING: Encoding = Encoding::Utf8;

/// A file, a line and a column from 1.
type Places = BTreeSet<(String, u32, u32)>;

/// The sites of an answer; `None` where they are cut.
fn sites(root: &str, response: &GraphResponse) -> Option<Places> {
    let mut places = Places::new();
    for result in &response.results {
        if response.truncated || result.site_count as usize > result.sites.len() {
            return None;
        }
        for site in &result.sites {
            let path = match site.file.starts_with('/') {
                true => site.file.clone(),
                false => format!("{root}/{}", site.file),
            };
            places.insert((path, site.line, site.column));
        }
    }
    Some(places)
}

#[test]
fn at_every_declaration_of_a_name_an_editor_is_told_what_its_id_tells() {
    let texts = fixture::texts(include_str!("inverse/kinds.txt"));
    let workspace = Fixture::of(texts).load();
    let root = workspace.host.root().to_owned();
    let cancel = RequestCancellation::default();
    let snapshot = workspace.host.snapshot(&cancel);
    let mut items = snapshot.search("", usize::MAX, ENCODING);
    items.retain(|item| item.path.starts_with(&root));
    let (mut compared, mut twins) = (0, 0);
    for item in &items {
        let (path, at) = (item.path.as_str(), item.selection.start);
        for called in snapshot.call_items(path, at, ENCODING) {
            let mut request = GraphRequest::new(Operation::Callers, called.id.as_str());
            request.include_context = false;
            let Ok(response) = snapshot.graph(&request) else {
                continue;
            };
            let Some(told) = sites(&root, &response) else {
                continue;
            };
            let mut found = Places::new();
            for calls in snapshot.incoming(&called.id, ENCODING) {
                for range in &calls.sites {
                    let start = range.start;
                    found.insert((calls.path.clone(), start.line + 1, start.character + 1));
                }
            }
            assert_eq!(found, told, "callers of {} at {path}:{at:?}", called.id);
            compared += usize::from(!found.is_empty());
            twins += usize::from(item.id.contains('#') && !found.is_empty());
        }
    }
    assert!(compared > 15, "{compared}");
    assert!(twins > 1, "{twins}");
}
