//! Collects the nodes and edges of a graph.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::code_layer::{CodeLayer, LayerEdge};
use crate::graph::{Edge, EdgeData, Graph, KnowledgeError, Node, NodeData, Relation};

/// Collects nodes and edges in any order, over those that the code alone makes.
pub(crate) struct GraphBuilder {
    code: Arc<CodeLayer>,
    nodes: BTreeMap<String, NodeData>,
    edges: BTreeMap<(String, Relation, String), EdgeData>,
    pub(crate) errors: Vec<KnowledgeError>,
}

impl GraphBuilder {
    /// Returns a builder that has the nodes and edges of code.
    pub(crate) fn new(code: Arc<CodeLayer>) -> GraphBuilder {
        GraphBuilder {
            code,
            nodes: BTreeMap::new(),
            edges: BTreeMap::new(),
            errors: Vec::new(),
        }
    }

    /// Adds a node. Returns whether there was none of its id.
    pub(crate) fn node(&mut self, id: &str, data: NodeData) -> bool {
        if self.get(id).is_some() {
            return false;
        }
        self.nodes.insert(id.to_owned(), data);
        true
    }

    /// Returns what is known of a node.
    pub(crate) fn get(&self, id: &str) -> Option<&NodeData> {
        self.nodes.get(id).or_else(|| self.code.get(id))
    }

    /// Returns what is known of a node that is not the code's, to complete it.
    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut NodeData> {
        self.nodes.get_mut(id)
    }

    /// Returns the attributes of an edge, which is added if there is none. Its type is none of the code's own.
    pub(crate) fn edge(&mut self, from: &str, relation: Relation, to: &str) -> &mut EdgeData {
        let key = (from.to_owned(), relation, to.to_owned());
        self.edges.entry(key).or_default()
    }

    /// Returns the targets of the edges of a type from a node, without the types of the code's own.
    pub(crate) fn targets(&self, from: &str, relation: Relation) -> impl Iterator<Item = &str> {
        let first = (from.to_owned(), relation, String::new());
        let edges = self.edges.range(first..);
        let own = edges.take_while(move |((node, of, _), _)| *of == relation && node == from);
        own.map(|((_, _, to), _)| to.as_str())
    }

    /// Returns the nodes that are not the code's, by id.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (&str, &NodeData)> {
        self.nodes.iter().map(|(id, data)| (id.as_str(), data))
    }

    /// Returns the ends of the edges of a type, without the types of the code's own.
    pub(crate) fn ends_of(&self, relation: Relation) -> impl Iterator<Item = (&str, &str)> {
        let edges = self.edges.keys().filter(move |(_, of, _)| *of == relation);
        edges.map(|(from, _, to)| (from.as_str(), to.as_str()))
    }

    /// Returns the imports between files: the ids of their nodes, and the attributes.
    pub(crate) fn imports(&self) -> impl Iterator<Item = (&str, &str, &EdgeData)> {
        self.code.imports()
    }

    /// Returns whether there is an edge of a type that is none of the code's own.
    pub(crate) fn has_edge(&self, from: &str, relation: Relation, to: &str) -> bool {
        let key = (from.to_owned(), relation, to.to_owned());
        self.edges.contains_key(&key)
    }

    /// Returns what is known of an edge of a type that is none of the code's own.
    pub(crate) fn edge_data(&self, from: &str, relation: Relation, to: &str) -> Option<&EdgeData> {
        self.edges.get(&(from.to_owned(), relation, to.to_owned()))
    }

    /// Removes an edge of a type that is none of the code's own.
    pub(crate) fn remove_edge(&mut self, from: &str, relation: Relation, to: &str) {
        self.edges
            .remove(&(from.to_owned(), relation, to.to_owned()));
    }

    /// Removes a node that is not the code's; its edges are dropped at the end.
    pub(crate) fn remove(&mut self, id: &str) {
        self.nodes.remove(id);
    }

    /// Reports what is wrong.
    pub(crate) fn error(&mut self, file: &str, line: u32, message: impl Into<String>) {
        self.errors.push(KnowledgeError {
            file: file.to_owned(),
            line,
            message: message.into(),
        });
    }

    /// Returns the graph without ranks. Edges whose ends are no nodes are dropped.
    pub(crate) fn finish(mut self) -> Graph {
        let code = self.code;
        let own = self.nodes.into_iter();
        let own: Vec<(Arc<str>, Arc<NodeData>)> =
            own.map(|(id, data)| (id.into(), Arc::new(data))).collect();
        let mut nodes: Vec<Node> = Vec::with_capacity(code.nodes.len() + own.len());
        let node = |(id, data): (Arc<str>, Arc<NodeData>)| Node {
            id,
            data,
            pagerank: 0.0,
            community_id: 0,
        };
        // The numbers of the code's nodes in the whole.
        let mut numbers: Vec<u32> = Vec::with_capacity(code.nodes.len());
        let mut rest = &*code.nodes;
        for own in own {
            let before = rest.partition_point(|(id, _)| *id < own.0);
            let (smaller, larger) = rest.split_at(before);
            numbers.extend((nodes.len() as u32..).take(before));
            nodes.extend(smaller.iter().cloned().map(node));
            nodes.push(node(own));
            rest = larger;
        }
        numbers.extend((nodes.len() as u32..).take(rest.len()));
        nodes.extend(rest.iter().cloned().map(node));
        let number = |id: &str| {
            let at = nodes.binary_search_by(|node| (*node.id).cmp(id));
            at.ok().map(|at| at as u32)
        };
        let edge = |of: &LayerEdge| {
            Some(Edge {
                from: *numbers.get(of.from as usize)?,
                to: *numbers.get(of.to as usize)?,
                relation: of.relation,
                data: of.data.clone(),
            })
        };
        let mut edges: Vec<Edge> = code.edges.iter().filter_map(edge).collect();
        edges.extend(
            self.edges
                .into_iter()
                .filter_map(|((from, relation, to), data)| {
                    Some(Edge {
                        from: number(&from)?,
                        to: number(&to)?,
                        relation,
                        data: Arc::new(data),
                    })
                }),
        );
        // Two runs that are in order each.
        edges.sort_by_key(|edge| (edge.from, edge.relation, edge.to));
        self.errors.sort();
        self.errors.dedup();
        Graph {
            nodes,
            edges,
            errors: self.errors,
            communities: 0,
        }
    }
}
