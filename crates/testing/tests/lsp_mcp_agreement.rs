//! Both frontends give the same answer to the same query: the editor's answer about a symbol equals
//! the agent's, and is never truncated.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_graph::answer::{GraphRequest, GraphResponse, Operation};
use codeweft_ide::editor::{self, CallItem, Location, SymbolItem};
use codeweft_testing::generate::{self, Size, python};
use codeweft_testing::{Fixture, SeededRng, Texts};
use codeweft_workspace::{Encoding, Position, RequestCancellation, Snapshot};

/// The encoding with columns in bytes, as answers have them.
const ENCODING: Encoding = Encoding::Utf8;

/// The number of symbols that are drawn.
const DRAWN: usize = 250;

/// Returns one workspace of both languages.
fn texts(seed: u64) -> Texts {
    let mut texts = generate::workspace(seed, Size::SMALL);
    for (path, text) in python::workspace(seed, Size::SMALL) {
        texts.entry(path).or_insert(text);
    }
    texts
}

/// Returns an agent's answer with the maximum limits; `None` if the operation does not accept such
/// a target, or if the answer is truncated.
fn asked(snapshot: &Snapshot<'_>, operation: Operation, id: &str) -> Option<GraphResponse> {
    let mut request = GraphRequest::new(operation, id);
    request.depth = 1;
    request.max_results = 500;
    request.include_context = false;
    let response = snapshot.graph(&request.check().ok()?).ok()?;
    (!response.truncated).then_some(response)
}

/// Returns an id as nodes have it.
fn plain(id: &str) -> &str {
    id.strip_prefix("go:")
        .or_else(|| id.strip_prefix("py:"))
        .unwrap_or(id)
}

/// Returns the absolute path of a file of an answer.
fn absolute(root: &str, file: &str) -> String {
    if file.starts_with('/') {
        file.to_owned()
    } else {
        format!("{root}/{file}")
    }
}

/// A file, a 1-based line, an id, and the number of sites.
type Rows = BTreeSet<(String, u32, String, u32)>;

/// Returns the rows of an answer that an editor can open. A package as a caller has no location.
fn wire_rows(root: &str, response: &GraphResponse) -> Rows {
    let results = response.results.iter().filter(|result| {
        let file = &result.node.file;
        !file.is_empty() && !file.starts_with('<')
    });
    let rows = results.map(|result| {
        let node = &result.node;
        let place = match node.kind.as_str() {
            "package" => (String::new(), 0),
            _ => (absolute(root, &node.file), node.name_line),
        };
        (place.0, place.1, node.id.clone(), result.site_count)
    });
    rows.collect()
}

fn call_rows(calls: &[CallItem]) -> Rows {
    let mut rows: BTreeMap<(String, u32, String), u32> = BTreeMap::new();
    for one in calls {
        let item = &one.item;
        let place = match item.kind.wire_name() {
            "package" => (String::new(), 0),
            _ => (item.path.clone(), item.selection.start.line + 1),
        };
        let key = (place.0, place.1, plain(&item.id).to_owned());
        *rows.entry(key).or_default() += one.sites.len() as u32;
    }
    let rows = rows.into_iter();
    rows.map(|((path, line, id), count)| (path, line, id, count))
        .collect()
}

/// A file, a 1-based line and a 1-based column.
type Places = BTreeSet<(String, u32, u32)>;

fn places(locations: &[Location]) -> Places {
    let places = locations.iter().map(|location| {
        let Position { line, character } = location.range.start;
        (location.path.clone(), line + 1, character + 1)
    });
    places.collect()
}

/// Returns the declarations of an answer's results.
fn declared(root: &str, response: &GraphResponse) -> Places {
    let nodes = response.results.iter().map(|result| &result.node);
    nodes
        .filter(|node| !node.file.is_empty() && !node.file.starts_with('<'))
        .map(|node| (absolute(root, &node.file), node.name_line, node.name_column))
        .collect()
}

/// Returns the sites of an answer; `None` if a result has more than it lists.
fn sites(root: &str, response: &GraphResponse) -> Option<Places> {
    let mut places = Places::new();
    for result in &response.results {
        if result.site_count as usize > result.sites.len() {
            return None;
        }
        let sites = result.sites.iter();
        places.extend(sites.map(|site| (absolute(root, &site.file), site.line, site.column)));
    }
    Some(places)
}

/// How often each comparison compared a non-empty answer.
#[derive(Default)]
struct Compared {
    incoming: usize,
    outgoing: usize,
    implementations: usize,
    references: usize,
    types: usize,
    elsewhere: usize,
}

fn compare(snapshot: &Snapshot<'_>, root: &str, item: &SymbolItem, compared: &mut Compared) {
    let id = item.id.as_str();
    let incoming = call_rows(&editor::incoming(snapshot, id, ENCODING));
    match asked(snapshot, Operation::Callers, id) {
        Some(response) => assert_eq!(incoming, wire_rows(root, &response), "callers of {id}"),
        None => assert!(incoming.is_empty(), "callers of {id}"),
    }
    compared.incoming += usize::from(!incoming.is_empty());
    let outgoing = call_rows(&editor::outgoing(snapshot, id, ENCODING));
    match asked(snapshot, Operation::Callees, id) {
        Some(response) => assert_eq!(outgoing, wire_rows(root, &response), "callees of {id}"),
        None => assert!(outgoing.is_empty(), "callees of {id}"),
    }
    compared.outgoing += usize::from(!outgoing.is_empty());

    let above = editor::supertypes(snapshot, id, ENCODING);
    let below = editor::subtypes(snapshot, id, ENCODING);
    for (operation, items) in [
        (Operation::Implements, above),
        (Operation::Implementations, below),
    ] {
        let ids: BTreeSet<&str> = items.iter().map(|item| plain(&item.id)).collect();
        if item.kind.is_type()
            && let Some(response) = asked(snapshot, operation, id)
        {
            let near = response
                .results
                .iter()
                .filter(|result| result.depth.is_none_or(|depth| depth == 1));
            let near = near.filter(|result| !result.node.file.is_empty());
            for result in near.filter(|result| !result.node.file.starts_with('<')) {
                assert!(
                    ids.contains(result.node.id.as_str()),
                    "{operation:?} of {id}"
                );
                compared.types += 1;
            }
        }
    }

    // Modules of Python have no clause to name them, and at an import that binds a name of its own
    // the definition is the import's target.
    let at = item.selection.start;
    let path = item.path.as_str();
    if editor::id_at(snapshot, path, at, ENCODING).as_deref() != Some(id) {
        compared.elsewhere += 1;
        return;
    }
    let definition = places(&editor::definition(snapshot, path, at, ENCODING));
    // At an embedded field's name the definition is its type's (Go spec, Struct types), so fields
    // are queried by position in both frontends.
    let relative = path
        .strip_prefix(root)
        .map(|rest| rest.trim_start_matches('/'));
    let target = match relative {
        Some(relative) if item.kind.wire_name() == "field" => {
            format!("{relative}:{}:{}", at.line + 1, at.character + 1)
        }
        _ => id.to_owned(),
    };
    if let Some(response) = asked(snapshot, Operation::Definition, &target) {
        assert_eq!(definition, declared(root, &response), "definition of {id}");
    }
    let below = asked(snapshot, Operation::Implementations, id);
    if let Some(response) = below.filter(|response| !response.results.is_empty()) {
        let found = places(&editor::implementation(snapshot, path, at, ENCODING));
        assert_eq!(found, declared(root, &response), "implementations of {id}");
        compared.implementations += 1;
    }
    let references = asked(snapshot, Operation::References, id);
    if let Some(mut wire) = references.and_then(|response| sites(root, &response)) {
        compared.references += usize::from(!wire.is_empty());
        let own = asked(snapshot, Operation::Definition, id);
        wire.extend(own.map_or(definition, |response| declared(root, &response)));
        let found = places(&editor::references(snapshot, path, at, ENCODING, true));
        assert_eq!(found, wire, "references of {id}");
    }
}

#[test]
fn the_editors_answers_equal_the_agents() {
    for seed in 0..3 {
        let workspace = Fixture::of(texts(seed)).load();
        let root = workspace.host.root().to_owned();
        let cancel = RequestCancellation::default();
        let snapshot = workspace.host.snapshot(&cancel);
        let mut items = editor::search(&snapshot, "", usize::MAX, ENCODING);
        items.retain(|item| item.path.starts_with(&root));
        assert!(items.len() > DRAWN, "{}", items.len());
        SeededRng::new(seed).shuffle(&mut items);
        let mut compared = Compared::default();
        for item in items.iter().take(DRAWN) {
            compare(&snapshot, &root, item, &mut compared);
        }
        assert!(compared.incoming > 20, "{}", compared.incoming);
        assert!(compared.outgoing > 20, "{}", compared.outgoing);
        assert!(compared.implementations > 3, "{}", compared.implementations);
        assert!(compared.references > 50, "{}", compared.references);
        assert!(compared.elsewhere < DRAWN / 10, "{}", compared.elsewhere);
        assert!(compared.types > 3, "{}", compared.types);
    }
}
