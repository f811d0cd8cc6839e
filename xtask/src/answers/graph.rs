//! The nodes and calls of a library's export, from which questions are drawn.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::BufRead;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// A node of the export. Lines and columns are 1-based; columns count bytes.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Node {
    pub id: String,
    pub kind: String,
    pub name: String,
    pub file: String,
    pub start_line: u32,
    #[serde(default)]
    pub end_line: u32,
    pub name_line: u32,
    pub name_column: u32,
    external: bool,
}

impl Node {
    /// Returns whether the node is declared in a file of the library.
    pub fn has_place(&self) -> bool {
        // The model of Python's builtins is in no file on disk.
        !self.external && self.name_column > 0 && !self.file.starts_with(['<', '/', '.'])
    }
}

/// The position of a call. Lines and columns are 1-based; columns count bytes.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// A call edge; nodes are indices.
pub struct Call {
    pub from: usize,
    pub to: usize,
    pub at: Place,
}

/// Nodes and calls, in the order of the export.
#[derive(Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub calls: Vec<Call>,
    /// The range of the calls of each caller; the export is sorted by `from`.
    leaving: BTreeMap<usize, (usize, usize)>,
}

#[derive(Deserialize)]
struct Edge<'a> {
    #[serde(borrow)]
    from: Cow<'a, str>,
    #[serde(borrow)]
    to: Cow<'a, str>,
    location: Option<Place>,
}

impl Graph {
    /// Reads an export of calls: JSON with one node or edge a line. Only nodes with a position in
    /// the library, and calls between them, are kept.
    pub fn read(export: impl BufRead) -> Result<Graph> {
        let mut graph = Graph::default();
        let mut by_id = BTreeMap::new();
        let mut in_edges = false;
        for line in export.lines() {
            let line = line?;
            let row = line.trim_end_matches(',');
            if row.starts_with("\"edges\"") {
                in_edges = true;
            } else if !row.starts_with("{\"id\"") && !row.starts_with("{\"from\"") {
                continue;
            } else if !in_edges {
                let node: Node = serde_json::from_str(row)
                    .with_context(|| format!("a node of another form: {row}"))?;
                if node.has_place() {
                    by_id.insert(node.id.clone(), graph.nodes.len());
                    graph.nodes.push(node);
                }
            } else {
                let edge: Edge<'_> = serde_json::from_str(row)
                    .with_context(|| format!("an edge of another form: {row}"))?;
                let ends = by_id.get(&*edge.from).zip(by_id.get(&*edge.to));
                if let (Some((&from, &to)), Some(at)) = (ends, edge.location) {
                    graph.add(Call { from, to, at });
                }
            }
        }
        if graph.nodes.is_empty() || graph.calls.is_empty() {
            bail!("the export has no nodes or no calls");
        }
        Ok(graph)
    }

    fn add(&mut self, call: Call) {
        let at = self.calls.len();
        let range = self.leaving.entry(call.from).or_insert((at, at));
        range.1 = at;
        self.calls.push(call);
    }

    /// Returns the calls of a caller.
    pub fn leaving(&self, node: usize) -> &[Call] {
        let range = self.leaving.get(&node);
        range.map_or(&[], |&(first, last)| &self.calls[first..=last])
    }
}

#[cfg(test)]
pub use tests::small;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_the_library_and_calls_between_them_are_read() {
        let graph = small();
        let ids: Vec<&str> = graph.nodes.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["p", "p.T", "p.T.m", "p.f"]);
        assert_eq!(graph.calls.len(), 2);
        let to: Vec<usize> = graph.leaving(3).iter().map(|one| one.to).collect();
        assert_eq!(to, [2, 3]);
        assert!(graph.leaving(0).is_empty());
        assert!(Graph::read("{}".as_bytes()).is_err());
    }

    /// Returns a library of one file.
    pub fn small() -> Graph {
        let node = |id: &str, kind: &str, name: &str, file: &str, line: u32| {
            format!(
                "{{\"id\":\"{id}\",\"kind\":\"{kind}\",\"name\":\"{name}\",\"file\":\"{file}\",\
                 \"start_line\":{line},\"name_line\":{line},\"name_column\":6,\"external\":{}}},\n",
                file.is_empty()
            )
        };
        let edge = |to: &str| {
            format!(
                "{{\"from\":\"p.f\",\"to\":\"{to}\",\"type\":\"calls\",\
                 \"location\":{{\"file\":\"p/a.go\",\"line\":8,\"column\":3}}}},\n"
            )
        };
        let text = [
            "{\"_metadata\":{},\n\"nodes\":[\n".to_owned(),
            node("error", "interface", "error", "", 0),
            node("p", "package", "p", "p/a.go", 1),
            node("p.T", "struct", "T", "p/a.go", 3),
            node("p.T.m", "method", "m", "p/a.go", 5),
            node("p.f", "function", "f", "p/a.go", 7),
            "],\n\"edges\":[\n".to_owned(),
            edge("p.T.m"),
            edge("error"),
            edge("p.f"),
            "]}\n".to_owned(),
        ];
        Graph::read(text.concat().as_bytes()).unwrap()
    }
}
