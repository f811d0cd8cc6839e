//! A diagram of at most so many nodes: what is in a folder becomes one node, the deepest folders first.
//!
//! Of the folders of one depth, those with the most nodes go first, so that few are folded. Each fold is recorded
//! and named in every format: a diagram is never smaller in silence.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::diagram::{Diagram, Edge, Fact, Node};
use crate::numbers::counted;

/// The nodes of a drawing that can still be read.
pub const MAX_NODES: usize = 150;

/// A diagram after folding, and what was folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    /// The diagram that is left.
    pub diagram: Diagram,
    /// What was folded, by first node; empty if the diagram fitted.
    pub groups: Vec<FoldedGroup>,
    /// How many nodes there were.
    pub nodes_before: usize,
}

/// Nodes that became one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedGroup {
    /// The folder; empty for nodes that were too many although every folder was folded.
    pub group: String,
    /// The node that they became, as an index into the folded diagram.
    pub node: usize,
    /// The nodes, as indices into the diagram before.
    pub nodes: Vec<usize>,
    /// The sum of the counts of the edges between them, which are no longer drawn.
    pub inner_count: u64,
}

impl Folded {
    /// Returns the sentence that says what was folded; `None` if nothing was.
    pub fn note(&self) -> Option<String> {
        if self.groups.is_empty() {
            return None;
        }
        let within: usize = self.groups.iter().map(|group| group.nodes.len()).sum();
        let others = self.groups.iter().find(|group| group.group.is_empty());
        let folders = self.groups.len() - usize::from(others.is_some());
        let mut into = Vec::new();
        if folders > 0 {
            into.push(counted(folders, "folder"));
        }
        if let Some(others) = others {
            into.push(format!("one node for {} more", others.nodes.len()));
        }
        Some(format!(
            "Folded: {} of {} nodes are in {}; {} are drawn.",
            crate::numbers::grouped(within as u64),
            crate::numbers::grouped(self.nodes_before as u64),
            into.join(" and "),
            counted(self.diagram.nodes.len(), "node"),
        ))
    }
}

/// Returns the diagram with at most `max_nodes` nodes, of which there is always at least one.
pub fn fold(diagram: &Diagram, max_nodes: usize) -> Folded {
    let max_nodes = max_nodes.max(1);
    let folded = folded_folders(diagram, max_nodes);
    // The name of what each node becomes part of: a folder, or nothing.
    let mut parts: Vec<Option<&str>> = diagram
        .nodes
        .iter()
        .map(|node| outermost(&node.group, &folded))
        .collect();
    keep_most_tied(diagram, &mut parts, max_nodes);
    merge(diagram, &parts)
}

/// Returns the prefixes of a folder: `a`, `a/b`, `a/b/c`.
pub(crate) fn prefixes(group: &str) -> impl Iterator<Item = &str> {
    let ends = group.match_indices('/').map(|(at, _)| at);
    ends.chain(std::iter::once(group.len()))
        .map(|end| &group[..end])
        .filter(|prefix| !prefix.is_empty())
}

/// Returns the outermost folded folder of a folder.
fn outermost<'d>(group: &'d str, folded: &BTreeMap<&'d str, bool>) -> Option<&'d str> {
    prefixes(group).find(|prefix| folded.get(prefix).copied().unwrap_or(false))
}

/// Returns for every folder whether it is folded.
fn folded_folders(diagram: &Diagram, max_nodes: usize) -> BTreeMap<&str, bool> {
    // How many boxes each folder has.
    let mut boxes: BTreeMap<&str, usize> = BTreeMap::new();
    for node in &diagram.nodes {
        for prefix in prefixes(&node.group) {
            *boxes.entry(prefix).or_insert(0) += 1;
        }
    }
    let mut total = diagram.nodes.len();
    let depth = |folder: &str| folder.matches('/').count();
    let mut folders: Vec<&str> = boxes.keys().copied().collect();
    folders.sort_by_key(|folder| (Reverse(depth(folder)), Reverse(boxes[folder]), *folder));
    let mut folded: BTreeMap<&str, bool> = folders.iter().map(|folder| (*folder, false)).collect();
    for folder in folders {
        if total <= max_nodes {
            break;
        }
        let saved = boxes[folder] - 1;
        if saved == 0 {
            continue;
        }
        folded.insert(folder, true);
        total -= saved;
        for prefix in prefixes(folder) {
            *boxes.entry(prefix).or_insert(saved) -= saved;
        }
    }
    folded
}

/// Where folders are not enough, joins all boxes but those with the most edges into one, named by the empty folder.
fn keep_most_tied<'d>(diagram: &'d Diagram, parts: &mut [Option<&'d str>], max_nodes: usize) {
    let mut boxes: Vec<(Option<&str>, usize)> = Vec::new();
    let mut box_of_folder = BTreeMap::new();
    let mut box_of = vec![0; parts.len()];
    for (node, part) in parts.iter().enumerate() {
        box_of[node] = match part {
            Some(folder) => *box_of_folder.entry(*folder).or_insert(boxes.len()),
            None => boxes.len(),
        };
        if box_of[node] == boxes.len() {
            boxes.push((*part, 0));
        }
    }
    if boxes.len() <= max_nodes {
        return;
    }
    for edge in diagram.drawn_edges() {
        boxes[box_of[edge.from]].1 += 1;
        boxes[box_of[edge.to]].1 += 1;
    }
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by_key(|&at| (Reverse(boxes[at].1), at));
    let mut kept = vec![false; boxes.len()];
    for &at in &order[..max_nodes - 1] {
        kept[at] = true;
    }
    for (node, part) in parts.iter_mut().enumerate() {
        if !kept[box_of[node]] {
            *part = Some("");
        }
    }
}

/// Returns the diagram with the nodes of each part as one.
fn merge(diagram: &Diagram, parts: &[Option<&str>]) -> Folded {
    let mut merged = Diagram {
        title: diagram.title.clone(),
        direction: diagram.direction,
        meanings: diagram.meanings,
        ..Diagram::default()
    };
    let mut groups: Vec<FoldedGroup> = Vec::new();
    let mut group_of: BTreeMap<&str, usize> = BTreeMap::new();
    let mut node_of = vec![0; parts.len()];
    for (at, (node, part)) in diagram.nodes.iter().zip(parts).enumerate() {
        let Some(folder) = part else {
            node_of[at] = merged.nodes.len();
            merged.nodes.push(node.clone());
            continue;
        };
        let group = *group_of.entry(folder).or_insert_with(|| {
            groups.push(FoldedGroup {
                group: (*folder).to_owned(),
                node: merged.nodes.len(),
                nodes: Vec::new(),
                inner_count: 0,
            });
            merged.nodes.push(Node::default());
            groups.len() - 1
        });
        groups[group].nodes.push(at);
        node_of[at] = groups[group].node;
    }
    let of_node: BTreeMap<usize, usize> = groups
        .iter()
        .enumerate()
        .map(|(at, group)| (group.node, at))
        .collect();
    let mut edges: BTreeMap<(usize, usize), Edge> = BTreeMap::new();
    for edge in diagram.drawn_edges() {
        let (from, to) = (node_of[edge.from], node_of[edge.to]);
        if let (true, Some(group)) = (from == to, of_node.get(&from)) {
            groups[*group].inner_count += edge.count;
            continue;
        }
        let whole = Edge {
            from,
            to,
            ..edge.clone()
        };
        edges
            .entry((from, to))
            .and_modify(|sum| *sum = joined(sum, edge))
            .or_insert(whole);
    }
    // A diagram that fits keeps its parallel edges and their labels.
    merged.edges = if groups.is_empty() {
        diagram.drawn_edges().cloned().collect()
    } else {
        edges.into_values().collect()
    };
    let ids: std::collections::BTreeSet<&str> =
        diagram.nodes.iter().map(|node| node.id.as_str()).collect();
    for group in &groups {
        merged.nodes[group.node] = folder_node(diagram, group, &ids);
    }
    Folded {
        diagram: merged,
        groups,
        nodes_before: diagram.nodes.len(),
    }
}

/// Returns one edge for two between the same nodes: the strongest style, the label if both have it.
pub(crate) fn joined(one: &Edge, other: &Edge) -> Edge {
    let label = if one.label == other.label {
        one.label.clone()
    } else {
        String::new()
    };
    Edge {
        count: one.count + other.count,
        style: one.style.max(other.style),
        label,
        ..*one
    }
}

/// Returns the node that the nodes of a folder become.
fn folder_node(
    diagram: &Diagram,
    group: &FoldedGroup,
    ids: &std::collections::BTreeSet<&str>,
) -> Node {
    let mut id = format!("{}/", group.group);
    while ids.contains(id.as_str()) {
        id.push('/');
    }
    let (parent, name) = group.group.rsplit_once('/').unwrap_or(("", &group.group));
    let lines = group
        .nodes
        .iter()
        .filter_map(|&node| diagram.nodes[node].lines);
    let lines = lines.fold(None, |sum, lines| Some(sum.unwrap_or(0) + lines));
    let label = if group.group.is_empty() {
        format!("{} more", group.nodes.len())
    } else {
        format!("{name}/")
    };
    Node {
        id,
        label,
        group: parent.to_owned(),
        kind: FOLDER.to_owned(),
        lines,
        facts: vec![
            Fact::new("holds", counted(group.nodes.len(), "node")),
            Fact::new("edges inside", crate::numbers::grouped(group.inner_count)),
        ],
        holds: group.nodes.len(),
    }
}

/// The kind of a folded folder.
pub(crate) const FOLDER: &str = "folder";
