//! The nodes and edges that the code alone makes: files, symbols, and the edges between them.
//!
//! They are most of a graph, and an edit of a body changes few of them: those of its package. So they are a layer of their own,
//! which the next revision takes over ([`CodeLayer::patched`]) where the files, the services and the symbols are the same.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Code, CodeEdge, CodeEdgeType, CodeSymbol};
use crate::graph::{EdgeData, NodeData, Relation};
use crate::handlers::local_name;
use crate::ids::file_id;
use crate::services::Services;

/// A node with its id.
type LayerNode = (Arc<str>, Arc<NodeData>);

/// The nodes and edges of the code of a revision.
#[derive(Default)]
pub(crate) struct CodeLayer {
    /// By id.
    pub(crate) nodes: Vec<LayerNode>,
    /// By (from, relation, to); one of each.
    pub(crate) edges: Vec<LayerEdge>,
    /// The nodes of symbols by the number of the symbol; several may have one. [`NO_NODE`] for those that are none.
    of_symbols: Arc<[u32]>,
    /// The nodes of files, by the number of the file.
    of_files: Arc<[u32]>,
}

/// An edge between nodes of the layer, by number.
#[derive(Clone)]
pub(crate) struct LayerEdge {
    pub(crate) from: u32,
    pub(crate) relation: Relation,
    pub(crate) to: u32,
    pub(crate) data: Arc<EdgeData>,
}

/// The number of a symbol without a node.
const NO_NODE: u32 = u32::MAX;

/// Returns the id of a symbol of the workspace; `None` for packages and symbols of libraries.
pub(crate) fn symbol_id(symbol: &CodeSymbol) -> Option<String> {
    is_node(symbol).then(|| format!("symbol::{}::{}", symbol.file, local_name(symbol)))
}

fn is_node(symbol: &CodeSymbol) -> bool {
    !symbol.is_external && !symbol.file.is_empty() && symbol.kind != "package"
}

impl CodeLayer {
    /// Returns the layer of code.
    pub(crate) fn of(code: &Code, services: &Services) -> CodeLayer {
        let mut found: BTreeMap<Arc<str>, Arc<NodeData>> = BTreeMap::new();
        for file in &code.files {
            let service = services.of_path(&file.path);
            let data = NodeData::File {
                file_path: file.path.to_string(),
                language: file.lang.wire_name().to_owned(),
                service_name: service.map_or_else(String::new, |service| service.name.clone()),
            };
            found.insert(file_id(&file.path).into(), Arc::new(data));
        }
        let paths: FxHashSet<&str> = code.files.iter().map(|file| &*file.path).collect();
        let mut ids: Vec<Option<Arc<str>>> = Vec::with_capacity(code.symbols.len());
        for symbol in &code.symbols {
            let id = symbol_id(symbol).filter(|_| paths.contains(&*symbol.file));
            let id: Option<Arc<str>> = id.map(Into::into);
            if let Some(id) = &id {
                let entry = found.entry(id.clone());
                entry.or_insert_with(|| Arc::new(node_of(symbol, services)));
            }
            ids.push(id);
        }
        let nodes: Vec<LayerNode> = found.into_iter().collect();
        let numbers: FxHashMap<&str, u32> = nodes.iter().map(|(id, _)| &**id).zip(0..).collect();
        let number = |id: &str| numbers.get(id).copied().unwrap_or(NO_NODE);
        let of_symbols = ids.iter();
        let of_symbols: Arc<[u32]> = of_symbols
            .map(|id| id.as_deref().map_or(NO_NODE, number))
            .collect();
        let of_files = code.files.iter().map(|file| number(&file_id(&file.path)));
        let of_files = of_files.collect();
        drop(numbers);
        let mut layer = CodeLayer {
            nodes,
            edges: Vec::new(),
            of_symbols,
            of_files,
        };
        layer.edges = layer.edges_of(code, &code.edges.iter().collect::<Vec<_>>());
        layer.edges.extend(layer.definitions(code));
        layer.in_order();
        layer
    }

    /// Returns the layer of code of the same files, services and symbols, whose symbols have other lines in some packages, and
    /// other edges from them. `packages` are ranges of numbers of symbols.
    pub(crate) fn patched(
        &self,
        code: &Code,
        services: &Services,
        packages: &[Range<u32>],
    ) -> CodeLayer {
        let is_changed = |number: u32| packages.iter().any(|range| range.contains(&number));
        let mut layer = CodeLayer {
            nodes: self.nodes.clone(),
            edges: Vec::with_capacity(self.edges.len()),
            of_symbols: self.of_symbols.clone(),
            of_files: self.of_files.clone(),
        };
        let mut changed: FxHashSet<u32> = FxHashSet::default();
        let mut of_packages: FxHashSet<&str> = FxHashSet::default();
        for number in packages.iter().cloned().flatten() {
            let Some(symbol) = code.symbol(number) else {
                continue;
            };
            of_packages.insert(&symbol.package);
            // Of several symbols of one id the first is the node.
            if let Some(node) = self.of_symbol(number)
                && changed.insert(node)
                && let Some((_, data)) = layer.nodes.get_mut(node as usize)
            {
                let new = node_of(symbol, services);
                if **data != new {
                    *data = Arc::new(new);
                }
            }
        }
        let files = code.files.iter().zip(&*self.of_files);
        let files = files.filter(|(file, _)| of_packages.contains(&*file.package));
        let files: FxHashSet<u32> = files.map(|(_, node)| *node).collect();
        let is_kept = |edge: &&LayerEdge| match edge.relation {
            Relation::DefinesSymbol => true,
            Relation::Imports => !files.contains(&edge.from),
            _ => !changed.contains(&edge.from),
        };
        layer
            .edges
            .extend(self.edges.iter().filter(is_kept).cloned());
        let edges = code.edges.iter().filter(|edge| is_changed(edge.from));
        let new = layer.edges_of(code, &edges.collect::<Vec<_>>());
        layer.edges.extend(new);
        layer.in_order();
        layer
    }

    /// Returns what a node is.
    pub(crate) fn get(&self, id: &str) -> Option<&NodeData> {
        let at = self.nodes.binary_search_by(|(known, _)| (**known).cmp(id));
        self.nodes.get(at.ok()?).map(|(_, data)| &**data)
    }

    /// Returns the imports between files: the ids of their nodes, and the attributes.
    pub(crate) fn imports(&self) -> impl Iterator<Item = (&str, &str, &EdgeData)> {
        let edges = self.edges.iter();
        let imports = edges.filter(|edge| edge.relation == Relation::Imports);
        imports.filter_map(|edge| Some((self.id(edge.from)?, self.id(edge.to)?, &*edge.data)))
    }

    /// Returns the number of the node of a symbol.
    fn of_symbol(&self, number: u32) -> Option<u32> {
        let node = self.of_symbols.get(number as usize).copied();
        node.filter(|node| *node != NO_NODE)
    }

    fn id(&self, node: u32) -> Option<&str> {
        self.nodes.get(node as usize).map(|(id, _)| &**id)
    }

    fn in_order(&mut self) {
        self.edges
            .sort_by_key(|edge| (edge.from, edge.relation, edge.to));
    }

    /// Returns the numbers of the nodes of files, by path.
    fn file_nodes<'c>(&self, code: &'c Code) -> FxHashMap<&'c str, u32> {
        let paths = code.files.iter().map(|file| &*file.path);
        paths.zip(self.of_files.iter().copied()).collect()
    }

    /// Returns the edges from files to their symbols.
    fn definitions(&self, code: &Code) -> Vec<LayerEdge> {
        let files = self.file_nodes(code);
        let data: Arc<EdgeData> = Arc::default();
        let mut defined: FxHashSet<u32> = FxHashSet::default();
        let defines = (0..).zip(&code.symbols).filter_map(|(number, symbol)| {
            let to = self.of_symbol(number).filter(|to| defined.insert(*to))?;
            Some(LayerEdge {
                from: *files.get(&*symbol.file)?,
                relation: Relation::DefinesSymbol,
                to,
                data: data.clone(),
            })
        });
        defines.collect()
    }

    /// Returns the edges between nodes that are made of some edges of the code, all from some packages.
    fn edges_of(&self, code: &Code, edges: &[&CodeEdge]) -> Vec<LayerEdge> {
        let mut ends: Vec<((u32, Relation, u32), &CodeEdge)> = Vec::new();
        for edge in edges.iter().copied().filter(|edge| !edge.is_test) {
            let relation = match edge.edge_type {
                CodeEdgeType::Calls => Relation::Calls,
                CodeEdgeType::Inherits => Relation::Inherits,
                CodeEdgeType::Implements => Relation::Implements,
                CodeEdgeType::Imports | CodeEdgeType::References => continue,
            };
            if let (Some(from), Some(to)) = (self.of_symbol(edge.from), self.of_symbol(edge.to)) {
                ends.push(((from, relation, to), edge));
            }
        }
        ends.sort_by_key(|(ends, _)| *ends);
        let none: Arc<EdgeData> = Arc::default();
        let mut found = Vec::new();
        for same in ends.chunk_by(|one, other| one.0 == other.0) {
            let Some(&((from, relation, to), _)) = same.first() else {
                continue;
            };
            let data = match relation {
                Relation::Calls => Arc::new(call_data(same.iter().map(|(_, edge)| *edge))),
                _ => none.clone(),
            };
            found.push(LayerEdge {
                from,
                relation,
                to,
                data,
            });
        }
        self.add_imports(&mut found, code, edges);
        found
    }

    /// Adds the imports between files: to the files of the package that declare something that is called through it, else to
    /// its first file.
    fn add_imports(&self, found: &mut Vec<LayerEdge>, code: &Code, edges: &[&CodeEdge]) {
        let mut first_files: FxHashMap<&str, &Arc<str>> = FxHashMap::default();
        for file in code.files.iter().filter(|file| !file.is_test) {
            first_files.entry(&file.package).or_insert(&file.path);
        }
        let numbers = self.file_nodes(code);
        let mut called: FxHashMap<(&str, &str), BTreeSet<(&str, &str)>> = FxHashMap::default();
        let calls = edges.iter();
        for edge in calls.filter(|edge| edge.edge_type == CodeEdgeType::Calls && !edge.is_possible)
        {
            let to = code.symbol(edge.to);
            let Some(to) = to.filter(|to| !to.is_external && !to.file.is_empty()) else {
                continue;
            };
            let of_file = called.entry((&edge.file, &to.package)).or_default();
            of_file.insert((&to.file, &to.name));
        }
        let mut imports: BTreeMap<(u32, u32), EdgeData> = BTreeMap::new();
        for edge in edges
            .iter()
            .filter(|edge| edge.edge_type == CodeEdgeType::Imports)
        {
            let Some(package) = code.symbol(edge.to).filter(|to| !to.is_external) else {
                continue;
            };
            let targets = called.get(&(&*edge.file, &*package.id));
            let targets: BTreeSet<(&str, &str)> = match targets {
                Some(targets) => targets.clone(),
                None => {
                    let first = first_files.get(&*package.id).map(|file| &***file);
                    let first = first.or(Some(&*package.file));
                    first.into_iter().map(|file| (file, "")).collect()
                }
            };
            for (file, name) in targets {
                let (Some(&from), Some(&to)) = (numbers.get(&*edge.file), numbers.get(file)) else {
                    continue;
                };
                if from == to {
                    continue;
                }
                let data = imports.entry((from, to)).or_default();
                data.line = data.line.or((edge.line > 0).then_some(edge.line));
                if !name.is_empty() && !data.imported_names.iter().any(|known| known == name) {
                    data.imported_names.push(name.to_owned());
                }
            }
        }
        found.extend(imports.into_iter().map(|((from, to), data)| LayerEdge {
            from,
            relation: Relation::Imports,
            to,
            data: Arc::new(data),
        }));
    }
}

fn node_of(symbol: &CodeSymbol, services: &Services) -> NodeData {
    let service = services.of_path(&symbol.file);
    NodeData::Symbol {
        symbol_name: symbol.name.clone(),
        kind: symbol.kind.clone(),
        language: symbol.lang.map_or("", |lang| lang.wire_name()).to_owned(),
        service_name: service.map_or_else(String::new, |service| service.name.clone()),
        file_path: symbol.file.to_string(),
        line_start: symbol.lines.0,
        line_end: symbol.lines.1,
        signature: symbol.signature.clone().unwrap_or_default(),
        is_exported: symbol.is_exported,
        graph_id: symbol.id.to_string(),
    }
}

/// Returns the attributes of a call that several calls in the text are.
fn call_data<'e>(calls: impl Iterator<Item = &'e CodeEdge>) -> EdgeData {
    let mut data = EdgeData {
        possible: true,
        ..EdgeData::default()
    };
    let mut lines = BTreeSet::new();
    for call in calls {
        data.possible &= call.is_possible;
        if call.line > 0 {
            lines.insert(call.line);
        }
    }
    data.line = lines.first().copied();
    // One line is `line` alone, several are all in `lines`.
    if lines.len() > 1 {
        data.lines = lines.into_iter().collect();
    }
    data
}
