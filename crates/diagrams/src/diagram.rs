//! What a diagram is of: plain data.

/// A diagram: nodes and the edges between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The heading.
    pub title: String,
    /// The way of the edges.
    pub direction: Direction,
    /// Nodes; nodes of one folder beside each other give the clearest drawing.
    pub nodes: Vec<Node>,
    /// Edges between them.
    pub edges: Vec<Edge>,
    /// What the styles of its edges mean.
    pub meanings: Meanings,
}

/// What a legend says of the styles of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meanings {
    /// Of [`EdgeStyle::Solid`].
    pub solid: &'static str,
    /// Of [`EdgeStyle::Dashed`].
    pub dashed: &'static str,
    /// Of [`EdgeStyle::Highlighted`].
    pub highlighted: &'static str,
}

impl Default for Meanings {
    /// Those of calls and imports.
    fn default() -> Meanings {
        Meanings {
            solid: "direct",
            dashed: "by dispatch or for types only",
            highlighted: "closes a cycle",
        }
    }
}

impl Meanings {
    pub(crate) fn of(self, style: EdgeStyle) -> &'static str {
        match style {
            EdgeStyle::Solid => self.solid,
            EdgeStyle::Dashed => self.dashed,
            EdgeStyle::Highlighted => self.highlighted,
        }
    }
}

/// Where most edges of a drawing lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the top to the bottom.
    #[default]
    Down,
    /// From the left to the right.
    Right,
}

/// A box of a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The name that no other node of the diagram has, such as an id of the graph.
    pub id: String,
    /// The name on the box.
    pub label: String,
    /// The folder, with `/` between its parts: `internal/store`. Empty for none.
    pub group: String,
    /// What it is, in one word: `package`, `function`, `struct`. Kinds have colours.
    pub kind: String,
    /// Its size in lines of code, if it has one.
    pub lines: Option<u64>,
    /// What is listed of a selected node, in order.
    pub facts: Vec<Fact>,
    /// How many nodes this one was folded from; 0 for a node of the caller's.
    pub holds: usize,
}

/// A row of what is known of a node: `file`, `internal/store/store.go:12`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// What it is for this node.
    pub value: String,
}

impl Fact {
    /// Returns a fact.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Fact {
        Fact {
            name: name.into(),
            value: value.into(),
        }
    }
}

/// An arrow of a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// The index of a node in [`Diagram::nodes`].
    pub from: usize,
    /// The index of a node in [`Diagram::nodes`]; may be `from`.
    pub to: usize,
    /// How many calls, imports or uses it is drawn for, at least 1.
    pub count: u64,
    /// The words on it; empty for none.
    pub label: String,
    /// How it is drawn.
    pub style: EdgeStyle,
}

/// How an edge is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeStyle {
    /// An edge that exists only by dispatch, or only for the type checker.
    Dashed,
    /// Any other edge.
    #[default]
    Solid,
    /// An edge that closes a cycle.
    Highlighted,
}

impl EdgeStyle {
    /// Every style, the most common first.
    pub(crate) const ALL: [EdgeStyle; 3] =
        [EdgeStyle::Solid, EdgeStyle::Dashed, EdgeStyle::Highlighted];
}

impl Diagram {
    /// Returns the edges whose ends are nodes of the diagram: all, unless the caller made a mistake.
    pub(crate) fn drawn_edges(&self) -> impl Iterator<Item = &Edge> {
        let nodes = self.nodes.len();
        self.edges
            .iter()
            .filter(move |edge| edge.from < nodes && edge.to < nodes)
    }

    /// Returns the kinds of the nodes, the most common first.
    pub(crate) fn kinds(&self) -> Vec<&str> {
        let mut counts = std::collections::BTreeMap::new();
        for node in &self.nodes {
            *counts.entry(node.kind.as_str()).or_insert(0) += 1;
        }
        let mut kinds: Vec<_> = counts.into_iter().collect();
        kinds.sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), *kind));
        kinds.into_iter().map(|(kind, _)| kind).collect()
    }
}
