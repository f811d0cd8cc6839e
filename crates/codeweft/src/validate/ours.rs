//! Our own graph as a comparison needs it: what is declared where, which edges stand where. Ids and
//! names of files are kept once, so that millions of edges fit.

use std::sync::Arc;

use codeweft_ide::export::{EdgeRow, EdgeType, Location, PackageRows};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a file's name, of a node.
pub type Number = u32;

/// Where a token begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TokenPosition {
    /// The number of the file.
    pub file: Number,
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
}

/// What is declared.
#[derive(Clone, Debug)]
pub struct Declared {
    pub id: Arc<str>,
    /// Where its name stands; `None`: in no file that is read.
    pub place: Option<TokenPosition>,
    /// Of a package: the number of its folder's name.
    pub folder: Option<Number>,
    pub is_interface: bool,
    pub is_package: bool,
    /// Whether it belongs to a library.
    pub external: bool,
}

/// What came of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The judge said nothing of its place.
    Silent,
    /// The judge spoke of its place.
    Spoken,
    /// The judge has it too.
    Agreed,
    /// What the judge said of its place is not compared.
    Skipped,
}

/// An edge with a place.
#[derive(Clone, Debug)]
pub struct Use {
    pub place: TokenPosition,
    pub from: Number,
    pub to: Number,
    pub verdict: Verdict,
}

/// Edges in order of their places.
#[derive(Default)]
pub struct Uses(pub Vec<Use>);

impl Uses {
    /// The edges at a place.
    pub fn at(&mut self, place: TokenPosition) -> &mut [Use] {
        let start = self.0.partition_point(|one| one.place < place);
        let length = self.0[start..].partition_point(|one| one.place == place);
        &mut self.0[start..start + length]
    }
}

/// A type, an interface, and whether only the type's pointer implements it.
pub type Pair = (Number, Number, bool);

/// Our graph of one workspace, of its Go.
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
    by_place: Vec<(TokenPosition, Number)>,
    /// The `exact` ones.
    pub calls: Uses,
    pub imports: Uses,
    pub references: Uses,
    /// With whether a pair holds in tests only, and whether the judge has it.
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
    /// A graph without edges, of a workspace at `root` with these Go files, relative to it.
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

    /// The number of a file or folder by its name. What lies below the root counts as relative,
    /// also where answers print the whole path: of packages that only an import led to.
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

    /// The name of a file or folder.
    pub fn file_name(&self, number: Number) -> &Arc<str> {
        &self.files[number as usize]
    }

    /// The number of a file that is known.
    pub fn known_file(&self, name: &str) -> Option<Number> {
        self.names.get(name).copied()
    }

    /// Adds a package. [`CodeweftGraph::finish`] follows the last one.
    pub fn add(&mut self, package: PackageRows) {
        let mut nodes = package.nodes.iter();
        if nodes.any(|node| node.language != "go") {
            return;
        }
        for node in package.nodes {
            let number = self.number(&node.id.into());
            let place = (node.name_line > 0 && !node.file.is_empty()).then(|| TokenPosition {
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
            declared.place = place;
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
            place: TokenPosition { file, line, column },
            from,
            to,
            verdict: Verdict::Silent,
        });
    }

    /// Sorts what was added.
    pub fn finish(&mut self) {
        for uses in [&mut self.calls, &mut self.imports, &mut self.references] {
            uses.0
                .sort_unstable_by_key(|one| (one.place, one.to, one.from));
            uses.0.dedup_by_key(|one| (one.place, one.to));
            uses.0.shrink_to_fit();
        }
        let declared = self.declared.iter().zip(0..);
        self.by_place = declared
            .filter_map(|(declared, number)| Some((declared.place?, number)))
            .collect();
        self.by_place.sort_unstable();
    }

    fn number(&mut self, id: &Arc<str>) -> Number {
        if let Some(&known) = self.by_id.get(id) {
            return known;
        }
        let number = self.declared.len() as Number;
        self.declared.push(Declared {
            id: id.clone(),
            place: None,
            folder: None,
            is_interface: false,
            is_package: false,
            external: true,
        });
        self.by_id.insert(id.clone(), number);
        number
    }

    /// What is declared at a place of the judge's, else what has its id.
    pub fn find(&self, definition: Option<TokenPosition>, id: &str) -> Vec<Number> {
        if let Some(place) = definition {
            let start = self.by_place.partition_point(|(at, _)| *at < place);
            let there = self.by_place[start..].iter();
            let found: Vec<Number> = there
                .take_while(|(at, _)| *at == place)
                .map(|&(_, number)| number)
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        self.by_id.get(&*plain(id)).copied().into_iter().collect()
    }
}

/// An id as ours are: `(*net/http.Server).Serve` is `net/http.Server.Serve`.
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
