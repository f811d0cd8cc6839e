//! Our graph in the form that the comparison needs: declarations by position, and edges by
//! position. Ids and file names are interned, so that millions of edges fit in memory.

use std::sync::Arc;

use codeweft_graph::export::{EdgeRow, EdgeType, Location, PackageRows};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of an interned file name or node.
pub type Number = u32;

/// The position of a token's first byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TokenPosition {
    /// The number of the file.
    pub file: Number,
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Declared {
    pub id: Arc<str>,
    /// The position of its name; `None` if it is in no file that was read.
    pub position: Option<TokenPosition>,
    /// For a package, the number of its folder's name.
    pub folder: Option<Number>,
    pub is_interface: bool,
    pub is_package: bool,
    /// Whether it belongs to a library.
    pub external: bool,
}

/// The state of an edge in the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The judge says nothing about its position.
    Unjudged,
    /// The judge says something about its position.
    Judged,
    /// The judge has the same edge.
    Agreed,
    /// The judge's use at its position is not compared.
    Skipped,
}

/// An edge with a position.
#[derive(Clone, Debug)]
pub struct Use {
    pub position: TokenPosition,
    pub from: Number,
    pub to: Number,
    pub verdict: Verdict,
}

/// Edges sorted by position.
#[derive(Default)]
pub struct Uses(pub Vec<Use>);

impl Uses {
    /// Returns the edges at a position.
    pub fn at(&mut self, position: TokenPosition) -> &mut [Use] {
        let start = self.0.partition_point(|one| one.position < position);
        let length = self.0[start..].partition_point(|one| one.position == position);
        &mut self.0[start..start + length]
    }
}

/// A type, an interface, and whether only the pointer type implements it.
pub type Pair = (Number, Number, bool);

/// The Go part of our graph of one workspace.
#[derive(Default)]
pub struct CodeweftGraph {
    /// The root, with a final `/`.
    root: String,
    names: FxHashMap<Arc<str>, Number>,
    files: Vec<Arc<str>>,
    /// The files of the workspace that were read.
    pub sources: FxHashSet<Number>,
    pub declared: Vec<Declared>,
    by_id: FxHashMap<Arc<str>, Number>,
    by_position: Vec<(TokenPosition, Number)>,
    /// The `exact` calls.
    pub calls: Uses,
    pub imports: Uses,
    pub references: Uses,
    /// For each pair, whether it exists in tests only, and whether the judge has it.
    pub pairs: FxHashMap<Pair, (bool, bool)>,
}

/// The edges that are compared.
pub const EDGES: [EdgeType; 4] = [
    EdgeType::Calls,
    EdgeType::Implements,
    EdgeType::Imports,
    EdgeType::References,
];

impl CodeweftGraph {
    /// Returns a graph without edges, of a workspace at `root` with these Go files, relative to it.
    pub fn new(root: &str, sources: &[String]) -> CodeweftGraph {
        let mut ours = CodeweftGraph {
            root: format!("{}/", root.trim_end_matches('/')),
            ..CodeweftGraph::default()
        };
        for source in sources {
            let number = ours.file(source);
            ours.sources.insert(number);
        }
        ours
    }

    /// Interns a file or folder name. A path below the root counts as relative even where answers
    /// print it absolute, as for packages reached only through an import.
    pub fn file(&mut self, name: &str) -> Number {
        let name = match name.strip_prefix(&*self.root) {
            Some(below) => below.to_owned(),
            None => name.to_owned(),
        };
        let name = &*name;
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let (name, number): (Arc<str>, _) = (name.into(), self.files.len() as Number);
        self.files.push(name.clone());
        self.names.insert(name, number);
        number
    }

    /// Returns the name of a file or folder.
    pub fn file_name(&self, number: Number) -> &Arc<str> {
        &self.files[number as usize]
    }

    /// Returns the number of a file that is interned already.
    pub fn known_file(&self, name: &str) -> Option<Number> {
        self.names.get(name).copied()
    }

    /// Adds a package. [`CodeweftGraph::finish`] must be called after the last one.
    pub fn add(&mut self, package: PackageRows) {
        let mut nodes = package.nodes.iter();
        if nodes.any(|node| node.language != "go") {
            return;
        }
        for node in package.nodes {
            let number = self.number(&node.id.into());
            let position = (node.name_line > 0 && !node.file.is_empty()).then(|| TokenPosition {
                file: self.file(&node.file),
                line: node.name_line,
                column: node.name_column,
            });
            let is_package = node.kind == "package";
            let folder = (is_package && !node.file.is_empty()).then(|| {
                let folder = node.file.rsplit_once('/').map_or("", |(folder, _)| folder);
                self.file(folder)
            });
            let declared = &mut self.declared[number as usize];
            declared.position = position;
            declared.folder = folder;
            declared.is_interface = node.kind == "interface";
            declared.is_package = is_package;
            declared.external = node.external;
        }
        for edge in package.edges {
            self.add_edge(edge);
        }
    }

    fn add_edge(&mut self, edge: EdgeRow) {
        let (from, to) = (self.number(&edge.from), self.number(&edge.to));
        let uses = match edge.edge_type {
            EdgeType::Calls if edge.resolution.as_deref() == Some("exact") => 0,
            EdgeType::Imports => 1,
            EdgeType::References => 2,
            EdgeType::Implements => {
                if let Some(receiver) = edge.receiver {
                    let pointer = receiver == codeweft_ide::api::ReceiverKind::Pointer;
                    let known = self
                        .pairs
                        .entry((from, to, pointer))
                        .or_insert((true, false));
                    known.0 &= edge.test;
                }
                return;
            }
            EdgeType::Calls | EdgeType::Embeds => return,
        };
        let Some(Location { file, line, column }) = edge.location else {
            return;
        };
        let file = self.file(&file);
        let uses = match uses {
            0 => &mut self.calls,
            1 => &mut self.imports,
            _ => &mut self.references,
        };
        uses.0.push(Use {
            position: TokenPosition { file, line, column },
            from,
            to,
            verdict: Verdict::Unjudged,
        });
    }

    /// Sorts what was added.
    pub fn finish(&mut self) {
        for uses in [&mut self.calls, &mut self.imports, &mut self.references] {
            uses.0
                .sort_unstable_by_key(|one| (one.position, one.to, one.from));
            uses.0.dedup_by_key(|one| (one.position, one.to));
            uses.0.shrink_to_fit();
        }
        let declared = self.declared.iter().zip(0..);
        self.by_position = declared
            .filter_map(|(declared, number)| Some((declared.position?, number)))
            .collect();
        self.by_position.sort_unstable();
    }

    fn number(&mut self, id: &Arc<str>) -> Number {
        if let Some(&known) = self.by_id.get(id) {
            return known;
        }
        let number = self.declared.len() as Number;
        self.declared.push(Declared {
            id: id.clone(),
            position: None,
            folder: None,
            is_interface: false,
            is_package: false,
            external: true,
        });
        self.by_id.insert(id.clone(), number);
        number
    }

    /// Returns the declarations at a position of the judge's, else those with this id.
    pub fn find(&self, definition: Option<TokenPosition>, id: &str) -> Vec<Number> {
        if let Some(position) = definition {
            let start = self.by_position.partition_point(|(at, _)| *at < position);
            let there = self.by_position[start..].iter();
            let found: Vec<Number> = there
                .take_while(|(at, _)| *at == position)
                .map(|&(_, number)| number)
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        self.by_id.get(&*plain(id)).copied().into_iter().collect()
    }
}

/// Converts the judge's id to our form: `(*net/http.Server).Serve` becomes `net/http.Server.Serve`.
pub fn plain(id: &str) -> String {
    let mut text = String::with_capacity(id.len());
    let mut before = ' ';
    for letter in id.chars() {
        match letter {
            '(' | ')' => {}
            '*' if before == '(' => {}
            letter => text.push(letter),
        }
        before = letter;
    }
    text
}
