//! The comparisons, and the rules of the specification that let edges differ.
//!
//! - `callers` and `callees` are the two directions of the same edges (docs/graph.md §3). The
//!   export has those in the workspace: of libraries it holds only targets of edges (§1,
//!   "implements": "edges to externals too"). Matches by name alone are listed only on
//!   request, and never exported (§1, resolutions).
//! - `implementations` and `implements` are inverse by definition (§3), with receiver, type
//!   arguments and distance. The export has the pairs whose target is an interface; the other bases
//!   of nominal classes are its `embeds`, which are one step (§1).
//! - `dependents`, `dependencies` and the export's `imports` are the same import lines; a module's
//!   `references` have them as `import` (§3).
//! - `references` has every use of a symbol itself: the export's calls but those that only may run
//!   it ("calls through an interface are the interface's", §3), and its `references`. A call's
//!   source is the caller, a use's source is the declaration around it (§1): for calls the sites
//!   are compared. Names in import lines are in `references` alone: the export has no edge kind for
//!   them (§1). Uses in libraries are not exported.
//! - `impact` of a behaviour change has the callers of a function or method and what may run
//!   instead (§3, "impact"); `impact` of a signature change has at least these.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Edge, Edges, Sides};

/// An edge that one side has and another lacks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Difference {
    /// The side that lacks it.
    pub lacks: &'static str,
    /// The side that has it.
    pub has: &'static str,
    /// Whether one of its ends belongs to a library.
    pub outside: bool,
    /// Its label: a resolution, a kind.
    pub how: String,
    /// The id of its source.
    pub from: String,
    /// The id of its target.
    pub to: String,
    /// `file:line:column`; empty without a location.
    pub location: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            lacks,
            has,
            how,
            from,
            to,
            location,
            ..
        } = self;
        write!(out, "{lacks} lacks {from} -> {to} {how} {location} ({has})")
    }
}

impl Sides {
    /// Returns all differences, sorted, invalid answers first. Empty if all sides agree.
    pub fn differences(&self) -> Vec<Difference> {
        let mut judge = Judge {
            sides: self,
            own: FxHashSet::default(),
            nodes: FxHashSet::default(),
            found: Vec::new(),
        };
        for node in &self.nodes {
            judge.nodes.insert(node.id);
            if !node.external {
                judge.own.insert(node.id);
            }
        }
        judge.calls();
        judge.implements();
        judge.imports();
        judge.references();
        judge.impact();
        judge.both(
            ("a plain id", &self.of_redefinitions),
            ("each of its redefinitions", &self.of_each_redefinition()),
        );
        judge.found.sort();
        let broken = self.broken.iter().map(|line| Difference {
            lacks: "an answer",
            has: "asked",
            outside: false,
            how: line.clone(),
            from: String::new(),
            to: String::new(),
            location: String::new(),
        });
        broken.chain(judge.found).collect()
    }

    /// Returns the number of differences of each kind (side that lacks, side that has, label), with
    /// an example.
    pub fn by_kind(found: &[Difference]) -> Vec<(usize, &Difference)> {
        let mut kinds: FxHashMap<(&str, &str, bool, &str), (usize, &Difference)> =
            FxHashMap::default();
        for one in found {
            let key = (one.lacks, one.has, one.outside, one.how.as_str());
            kinds.entry(key).or_insert((0, one)).0 += 1;
        }
        let mut kinds: Vec<_> = kinds.into_values().collect();
        kinds.sort_by(|a, b| (b.0, a.1).cmp(&(a.0, b.1)));
        kinds
    }
}

struct Judge<'s> {
    sides: &'s Sides,
    /// Nodes of the workspace.
    own: FxHashSet<u32>,
    /// All nodes of the export.
    nodes: FxHashSet<u32>,
    found: Vec<Difference>,
}

/// A list of edges with the name of its side.
type NamedEdges<'l> = (&'static str, &'l Edges);

impl Judge<'_> {
    fn both(&mut self, a: NamedEdges<'_>, b: NamedEdges<'_>) {
        self.within(a, b);
        self.within(b, a);
    }

    /// Checks that the second side has every edge of the first.
    fn within(&mut self, (has, some): NamedEdges<'_>, (lacks, all): NamedEdges<'_>) {
        for edge in some.without(all) {
            self.lack(has, lacks, &edge);
        }
    }

    fn lack(&mut self, has: &'static str, lacks: &'static str, edge: &Edge) {
        let names = &self.sides.names;
        let outside = [edge.from, edge.to].iter().any(|id| !self.own.contains(id));
        let location = match edge.file {
            0 => String::new(),
            file => format!("{}:{}:{}", names.text(file), edge.line, edge.column),
        };
        self.found.push(Difference {
            lacks,
            has,
            outside,
            how: names.text(edge.how).to_owned(),
            from: names.text(edge.from).to_owned(),
            to: names.text(edge.to).to_owned(),
            location,
        });
    }

    fn is_python(&self, id: u32) -> bool {
        self.sides.names.text(id).starts_with("py:")
    }

    /// Returns the edges whose source is in the workspace.
    fn starting_in_workspace(&self, edges: &Edges) -> Edges {
        edges.mapped(|edge| self.own.contains(&edge.from).then_some(edge))
    }

    fn is_resolved(&self, edge: Edge) -> Option<Edge> {
        (self.sides.names.text(edge.how) != "name").then_some(edge)
    }

    fn calls(&mut self) {
        let sides = self.sides;
        let to_nodes =
            |edges: &Edges| edges.mapped(|edge| self.nodes.contains(&edge.to).then_some(edge));
        let (callers, callees) = (to_nodes(&sides.callers), to_nodes(&sides.callees));
        self.both(("callers", &callers), ("callees", &callees));
        let callees = self.starting_in_workspace(&sides.callees);
        let callees = callees.mapped(|edge| self.is_resolved(edge));
        self.both(
            ("callees", &callees),
            ("export of calls", &sides.exported_calls),
        );
    }

    fn implements(&mut self) {
        let sides = self.sides;
        // Of libraries, only nodes of the export were queried in both directions.
        let queried = |edges: &Edges| {
            edges.mapped(|edge| {
                let both = self.nodes.contains(&edge.from) && self.nodes.contains(&edge.to);
                both.then_some(edge)
            })
        };
        let (below, above) = (queried(&sides.implementations), queried(&sides.implements));
        self.both(("implementations", &below), ("implements", &above));
        // The export has no distance, and of classes only interfaces.
        let kinds: FxHashMap<u32, &str> = sides
            .nodes
            .iter()
            .map(|node| (node.id, sides.names.text(node.kind)))
            .collect();
        let of_interface = |to: u32| match kinds.get(&to) {
            Some(&"method") => {
                let id = sides.names.text(to);
                let parent = id.rsplit_once('.').map_or("", |(parent, _)| parent);
                let parent = sides.names.known(parent);
                parent.and_then(|parent| kinds.get(&parent)) == Some(&"interface")
            }
            kind => kind == Some(&"interface"),
        };
        let plain = |edge: Edge| {
            let own = self.own.contains(&edge.from) || self.own.contains(&edge.to);
            let how = sides.names.text(edge.how);
            let how = how.rsplit_once('@').map_or(how, |(how, _)| how);
            let how = sides.names.known(how)?;
            let listed = own && (!self.is_python(edge.to) || of_interface(edge.to));
            listed.then_some(Edge { how, ..edge })
        };
        let implements = sides.implements.mapped(plain);
        let exported = &sides.exported_implements;
        let touching = exported.mapped(|edge| {
            let own = self.own.contains(&edge.from) || self.own.contains(&edge.to);
            own.then_some(edge)
        });
        self.both(
            ("implements", &implements),
            ("export of implements", &touching),
        );
        // For a pair of types that touches the workspace, both methods may belong to libraries.
        let bare = |edge: Edge| Edge { how: 0, ..edge };
        let all = sides.implements.mapped(|edge| Some(bare(edge)));
        let exported = exported.mapped(|edge| Some(bare(edge)));
        self.within(("export of implements", &exported), ("implements", &all));
        // A base is one step above.
        let one_step = sides.implements.mapped(|edge| {
            let near = sides.names.text(edge.how).ends_with("@1");
            near.then_some(Edge { how: 0, ..edge })
        });
        let bases = sides.exported_embeds.mapped(|edge| {
            let other = edge.from != edge.to && self.is_python(edge.from);
            let (file, line, column) = (0, 0, 0);
            other.then_some(Edge {
                file,
                line,
                column,
                ..edge
            })
        });
        self.within(("export of embeds", &bases), ("implements", &one_step));
    }

    fn imports(&mut self) {
        let sides = self.sides;
        let queried = |edges: &Edges| {
            edges.mapped(|edge| {
                let both = self.nodes.contains(&edge.from) && self.nodes.contains(&edge.to);
                both.then_some(edge)
            })
        };
        let (dependents, dependencies) = (queried(&sides.dependents), queried(&sides.dependencies));
        self.both(("dependents", &dependents), ("dependencies", &dependencies));
        let dependencies = self.starting_in_workspace(&sides.dependencies);
        self.both(
            ("dependencies", &dependencies),
            ("export of imports", &sides.exported_imports),
        );
        let import = sides.names.known("import");
        let imports = sides.references.mapped(|edge| {
            let of_import = Some(edge.how) == import && self.own.contains(&edge.from);
            of_import.then_some(Edge { how: 0, ..edge })
        });
        self.within(
            ("export of imports", &sides.exported_imports),
            ("references", &imports),
        );
    }

    fn references(&mut self) {
        let sides = self.sides;
        let known = |text| sides.names.known(text);
        let (call, import) = (known("call"), known("import"));
        let uses = sides.references.mapped(|edge| {
            let other = Some(edge.how) != call && Some(edge.how) != import;
            (other && self.own.contains(&edge.from)).then_some(edge)
        });
        self.both(
            ("references", &uses),
            ("export of references", &sides.exported_references),
        );
        // The caller and the declaration around the call may be two nodes.
        let location = |edge: Edge| Edge {
            from: 0,
            how: 0,
            ..edge
        };
        let calls = sides.references.mapped(|edge| {
            let listed = Some(edge.how) == call && self.own.contains(&edge.from);
            listed.then_some(location(edge))
        });
        let exported = sides.exported_uses.mapped(|edge| Some(location(edge)));
        self.within(
            ("export of calls without a reason", &exported),
            ("references", &calls),
        );
        // What a use names may have its reason of the values that reach it.
        let all = sides.exported_calls.mapped(|edge| Some(location(edge)));
        self.within(("references", &calls), ("export of calls", &all));
        let references = sides
            .references
            .mapped(|edge| Some(Edge { how: 0, ..edge }));
        self.within(
            ("type_usages", &sides.type_usages),
            ("references", &references),
        );
    }

    fn impact(&mut self) {
        let sides = self.sides;
        let functions: FxHashSet<u32> = sides
            .nodes
            .iter()
            .filter(|node| matches!(sides.names.text(node.kind), "function" | "method"))
            .map(|node| node.id)
            .collect();
        let of_function = |edge: Edge| functions.contains(&edge.to).then_some(edge);
        let callers = sides.callers.mapped(|edge| {
            let edge = of_function(edge)?;
            self.is_resolved(edge)
        });
        self.both(
            ("callers", &callers),
            ("impact of a behaviour", &sides.impact),
        );
        let node = |edge: Edge| Edge {
            from: edge.from,
            to: edge.to,
            ..Edge::default()
        };
        // By impact type: what may run instead is labelled so, even if it also calls.
        let implementations = sides
            .implementations
            .mapped(|edge| of_function(edge).map(node));
        let reached = sides.impact_nodes.mapped(|edge| Some(node(edge)));
        self.within(
            ("implementations", &implementations),
            ("impact of a behaviour", &reached),
        );
        let known = callers.mapped(|edge| Some(node(edge)));
        let mut known = known.list;
        known.extend(&implementations.list);
        let mut known = Edges { list: known };
        known.sort();
        self.within(
            ("impact of a behaviour", &reached),
            ("callers and implementations", &known),
        );
        if sides.impact_signature.list.is_empty() {
            return;
        }
        let signature = sides
            .impact_signature
            .mapped(|edge| Some(Edge { how: 0, ..edge }));
        let callers = sides.callers.mapped(|edge| {
            let edge = self.is_resolved(edge)?;
            let kept = functions.contains(&edge.to);
            kept.then_some(Edge { how: 0, ..edge })
        });
        self.within(("callers", &callers), ("impact of a signature", &signature));
        let nodes = signature.mapped(|edge| Some(node(edge)));
        let queried: FxHashSet<u32> = nodes.list.iter().map(|edge| edge.to).collect();
        let implementations = sides
            .implementations
            .mapped(|edge| queried.contains(&edge.to).then_some(node(edge)));
        self.within(
            ("implementations", &implementations),
            ("impact of a signature", &nodes),
        );
    }
}
