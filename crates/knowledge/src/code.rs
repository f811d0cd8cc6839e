//! The code of the workspace as the knowledge graph reads it: files, symbols and edges between them.

use std::ops::Range;
use std::sync::Arc;

use codeweft_db::{Db as _, Lang, RootDb, SymbolId};
use codeweft_graph::RevisionCache;
use codeweft_graph::answer::Node;
use codeweft_graph::export::{
    DetailedPackage, EdgeRow, EdgeType, ExportOptions, FileRow, GraphParts, NodeDetail,
    each_detailed_package_in, each_detailed_package_of,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code_stamp::CodeStamp;

/// The code of a workspace. Symbols are numbered in the order of packages and ids.
#[derive(PartialEq, Default)]
pub(crate) struct Code {
    /// By path.
    pub(crate) files: Vec<Arc<CodeFile>>,
    pub(crate) symbols: Vec<Arc<CodeSymbol>>,
    pub(crate) edges: Vec<CodeEdge>,
    packages: Arc<Vec<CodePackage>>,
    by_id: Arc<NumbersById>,
    by_symbol: Arc<FxHashMap<SymbolId, u32>>,
}

/// The numbers of symbols by language and id.
type NumbersById = FxHashMap<(Option<Lang>, Arc<str>), u32>;

/// A package with its symbols, by number.
#[derive(PartialEq)]
struct CodePackage {
    lang: Option<Lang>,
    name: Arc<str>,
    is_external: bool,
    symbols: Range<u32>,
}

/// How code differs from that of another revision.
pub(crate) enum CodeChange {
    /// Not at all.
    Nothing,
    /// The files and the symbols are the same but for their lines. These packages, ranges of numbers of symbols, may have other lines,
    /// and other edges from their symbols.
    Packages(Vec<Range<u32>>),
    /// Beyond that.
    Everything,
}

/// A file of the workspace.
#[derive(PartialEq, Eq)]
pub(crate) struct CodeFile {
    pub(crate) path: Arc<str>,
    pub(crate) lang: Lang,
    /// The id of its package.
    pub(crate) package: Arc<str>,
    pub(crate) is_test: bool,
    pub(crate) is_generated: bool,
    /// The lines that have code.
    pub(crate) code_lines: u32,
}

/// A declaration of the workspace, or one of a library that an edge touches.
#[derive(PartialEq, Eq)]
pub(crate) struct CodeSymbol {
    pub(crate) id: Arc<str>,
    pub(crate) lang: Option<Lang>,
    pub(crate) name: String,
    /// The kind on the wire: `function`, `class`, …
    pub(crate) kind: String,
    /// The id of its package.
    pub(crate) package: Arc<str>,
    /// The id of the enclosing type or function, else of the package.
    pub(crate) container: Arc<str>,
    /// Empty for packages of several files and for libraries.
    pub(crate) file: Arc<str>,
    /// 1-based, inclusive.
    pub(crate) lines: (u32, u32),
    pub(crate) signature: Option<String>,
    pub(crate) is_exported: bool,
    pub(crate) is_external: bool,
    pub(crate) is_test: bool,
    /// In the database that was read.
    pub(crate) symbol: Option<SymbolId>,
}

/// The types of edges between symbols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum CodeEdgeType {
    Calls,
    /// A Python class has a base, a Go type an embedded one.
    Inherits,
    Implements,
    Imports,
    /// Code that is no test's has a function or class of the workspace as a value.
    References,
}

/// An edge between symbols, by number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CodeEdge {
    pub(crate) edge_type: CodeEdgeType,
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// The file of the use; empty without one.
    pub(crate) file: Arc<str>,
    /// 1-based; 0 without a position.
    pub(crate) line: u32,
    /// Whether the target is possible, not certain.
    pub(crate) is_possible: bool,
    /// Whether only tests have it.
    pub(crate) is_test: bool,
}

impl Code {
    /// Returns the code of a database, what it is made of, and how it differs from `last`. What that has of equal parts is taken
    /// over.
    pub(crate) fn of(
        db: &RootDb,
        cache: &RevisionCache,
        threads: usize,
        last: Option<(&CodeStamp, &Arc<Code>)>,
    ) -> (CodeStamp, Arc<Code>, CodeChange) {
        let options = ExportOptions {
            edges: EdgeType::ALL.to_vec(),
            types: false,
            ..ExportOptions::default()
        };
        let mut packages = Vec::new();
        let parts = GraphParts::new(db, cache);
        // The threads of an export resolve what the stamp would resolve on one.
        let export = |packages: &mut Vec<DetailedPackage>| {
            each_detailed_package_in(db, cache, &options, threads, &mut |package| {
                packages.push(package);
            });
        };
        if last.is_none() {
            export(&mut packages);
        }
        let stamp = CodeStamp::of(db, &parts);
        if let Some((known, code)) = last {
            if let Some(changed) = stamp.changed_packages(db, known) {
                if changed.is_empty() {
                    return (stamp, code.clone(), CodeChange::Nothing);
                }
                each_detailed_package_of(db, cache, &options, threads, &changed, &mut |package| {
                    packages.push(package);
                });
                let files = stamp.files(db, &parts, last);
                if let Some((code, ranges)) = code.patched(files, std::mem::take(&mut packages)) {
                    return (stamp, Arc::new(code), CodeChange::Packages(ranges));
                }
            }
            export(&mut packages);
        }
        let mut code = Code {
            files: stamp.files(db, &parts, last),
            ..Code::default()
        };
        let mut numbered = Numbered::default();
        for package in &mut packages {
            db.unwind_if_cancelled();
            code.add_symbols(package, &mut numbered);
        }
        code.packages = Arc::new(numbered.packages);
        code.by_id = Arc::new(numbered.by_id);
        code.by_symbol = Arc::new(numbered.by_symbol);
        for package in packages {
            db.unwind_if_cancelled();
            let edges = code.edges_of(package, &mut |_| {});
            code.edges.extend(edges);
        }
        code.edges.sort_unstable();
        code.edges.dedup();
        (stamp, Arc::new(code), CodeChange::Everything)
    }

    /// Returns the code with some packages as they are now, and their symbols, by number; `None` if they have other symbols, or
    /// edges touch other libraries.
    fn patched(
        &self,
        files: Vec<Arc<CodeFile>>,
        packages: Vec<DetailedPackage>,
    ) -> Option<(Code, Vec<Range<u32>>)> {
        let mut pairs = files.iter().zip(&self.files);
        if files.len() != self.files.len() || !pairs.all(|(one, two)| one.is_same_file(two)) {
            return None;
        }
        let mut symbols = self.symbols.clone();
        let mut ranges = Vec::new();
        let mut edges = Vec::new();
        for mut package in packages {
            let known = self.packages.iter().find(|known| {
                !known.is_external && known.lang == package.lang && known.name == package.rows.name
            })?;
            let nodes = std::mem::take(&mut package.rows.nodes);
            if nodes.len() != known.symbols.len() {
                return None;
            }
            let own = nodes.into_iter().zip(std::mem::take(&mut package.details));
            for (number, (node, detail)) in known.symbols.clone().zip(own) {
                let symbol = CodeSymbol::new(package.lang, node, detail);
                let before = symbols.get_mut(number as usize)?;
                if !symbol.is_same_but_for_lines(before) {
                    return None;
                }
                if symbol.lines != before.lines {
                    *before = Arc::new(symbol);
                }
            }
            let mut is_known = true;
            edges.extend(self.edges_of(package, &mut |_| is_known = false));
            if !is_known {
                return None;
            }
            ranges.push(known.symbols.clone());
        }
        let is_changed = |edge: &CodeEdge| {
            edge.edge_type != CodeEdgeType::Implements
                && ranges.iter().any(|range| range.contains(&edge.from))
        };
        let external = |edge: &CodeEdge| {
            let is_external = self.symbol(edge.to).is_some_and(|to| to.is_external);
            is_external.then_some(edge.to)
        };
        // What no edge touches any more is no symbol.
        let (mut kept, mut dropped) = (Vec::with_capacity(self.edges.len()), Vec::new());
        for edge in &self.edges {
            if is_changed(edge) {
                dropped.extend(external(edge));
            } else {
                kept.push(edge.clone());
            }
        }
        kept.append(&mut edges);
        // Runs that are in order.
        kept.sort();
        kept.dedup();
        dropped.sort_unstable();
        dropped.dedup();
        let touched: FxHashSet<u32> = kept.iter().filter_map(external).collect();
        if dropped.iter().any(|symbol| !touched.contains(symbol)) {
            return None;
        }
        let code = Code {
            files,
            symbols,
            edges: kept,
            packages: self.packages.clone(),
            by_id: self.by_id.clone(),
            by_symbol: self.by_symbol.clone(),
        };
        Some((code, ranges))
    }

    /// Returns the number of a symbol by its id.
    pub(crate) fn number(&self, lang: Option<Lang>, id: &str) -> Option<u32> {
        self.by_id.get(&(lang, id.into())).copied()
    }

    /// Returns the number of a symbol of the database that was read.
    pub(crate) fn number_of(&self, symbol: SymbolId) -> Option<u32> {
        self.by_symbol.get(&symbol).copied()
    }

    /// Returns a symbol; the numbers of edges are always those of one.
    pub(crate) fn symbol(&self, number: u32) -> Option<&CodeSymbol> {
        self.symbols.get(number as usize).map(|symbol| &**symbol)
    }

    fn add_symbols(&mut self, package: &mut DetailedPackage, numbered: &mut Numbered) {
        let lang = package.lang;
        let first = self.symbols.len() as u32;
        let nodes = std::mem::take(&mut package.rows.nodes).into_iter();
        for (node, detail) in nodes.zip(std::mem::take(&mut package.details)) {
            let number = self.symbols.len() as u32;
            let symbol = CodeSymbol::new(lang, node, detail);
            numbered.by_id.insert((lang, symbol.id.clone()), number);
            if let Some(symbol) = symbol.symbol {
                numbered.by_symbol.insert(symbol, number);
            }
            self.symbols.push(Arc::new(symbol));
        }
        numbered.packages.push(CodePackage {
            lang,
            name: package.rows.name.clone(),
            is_external: package.rows.external,
            symbols: first..self.symbols.len() as u32,
        });
    }

    /// Returns whether to have a symbol as a value is a use of code: a function or class of the workspace.
    fn is_used(&self, number: u32) -> bool {
        let symbol = self.symbol(number);
        symbol.is_some_and(|symbol| {
            let is_value = matches!(&*symbol.kind, "variable" | "constant" | "field");
            !symbol.is_external && !is_value && symbol.kind != "package"
        })
    }

    /// Returns the edges of a package. Those with an end that is no symbol are visited instead.
    fn edges_of(
        &self,
        package: DetailedPackage,
        visit_unknown: &mut dyn FnMut(&EdgeRow),
    ) -> Vec<CodeEdge> {
        let lang = package.lang;
        let mut edges = Vec::new();
        for edge in package.rows.edges {
            let (Some(from), Some(to)) =
                (self.number(lang, &edge.from), self.number(lang, &edge.to))
            else {
                visit_unknown(&edge);
                continue;
            };
            let is_class = self.symbol(from).is_some_and(|from| from.kind == "class");
            let is_value = edge.kind.as_deref() == Some("value");
            let is_wanted = || is_value && from != to && !edge.test && self.is_used(to);
            let edge_type = match edge.edge_type {
                EdgeType::Calls => CodeEdgeType::Calls,
                EdgeType::Embeds => CodeEdgeType::Inherits,
                // A Python class satisfies its bases by inheritance, which has an edge of its own.
                EdgeType::Implements if is_class && edge.location.is_some() => continue,
                EdgeType::Implements => CodeEdgeType::Implements,
                EdgeType::Imports => CodeEdgeType::Imports,
                EdgeType::References if is_wanted() => CodeEdgeType::References,
                EdgeType::References => continue,
            };
            let (file, line) = match edge.location {
                Some(location) => (location.file, location.line),
                None => (Arc::default(), 0),
            };
            edges.push(CodeEdge {
                edge_type,
                from,
                to,
                file,
                line,
                is_possible: edge
                    .resolution
                    .is_some_and(|resolution| resolution != "exact"),
                is_test: edge.test,
            });
        }
        edges
    }
}

/// The numbers that the symbols of packages are given.
#[derive(Default)]
struct Numbered {
    packages: Vec<CodePackage>,
    by_id: NumbersById,
    by_symbol: FxHashMap<SymbolId, u32>,
}

impl CodeSymbol {
    fn new(lang: Option<Lang>, node: Node, detail: NodeDetail) -> CodeSymbol {
        CodeSymbol {
            id: node.id.into(),
            lang,
            name: node.name,
            kind: node.kind,
            package: node.package.into(),
            container: detail.container,
            file: node.file.into(),
            lines: (node.start_line, node.end_line),
            signature: detail.signature,
            is_exported: node.visibility == "public",
            is_external: node.external,
            is_test: detail.test,
            symbol: detail.symbol,
        }
    }

    /// Returns whether another is the same in another text.
    fn is_same_but_for_lines(&self, other: &CodeSymbol) -> bool {
        // Named one by one: what is added has to be compared.
        let CodeSymbol {
            id,
            lang,
            name,
            kind,
            package,
            container,
            file,
            lines: _,
            signature,
            is_exported,
            is_external,
            is_test,
            symbol,
        } = self;
        *id == other.id
            && *lang == other.lang
            && *name == other.name
            && *kind == other.kind
            && *package == other.package
            && *container == other.container
            && *file == other.file
            && *signature == other.signature
            && *is_exported == other.is_exported
            && *is_external == other.is_external
            && *is_test == other.is_test
            && *symbol == other.symbol
    }

    /// Returns whether it is the function that a program begins with (Go spec, Program execution).
    pub(crate) fn is_main(&self) -> bool {
        self.name == "main"
            && self.kind == "function"
            && self.container == self.package
            && self.lang.is_some_and(|lang| !lang.packages_are_files)
            && !self.is_test
    }
}

impl CodeFile {
    /// Returns whether another is the same file, however many lines it has.
    fn is_same_file(&self, other: &CodeFile) -> bool {
        let CodeFile {
            path,
            lang,
            package,
            is_test,
            is_generated,
            code_lines: _,
        } = self;
        *path == other.path
            && *lang == other.lang
            && *package == other.package
            && *is_test == other.is_test
            && *is_generated == other.is_generated
    }

    pub(crate) fn new(file: FileRow) -> CodeFile {
        CodeFile {
            is_generated: file.generated || is_made_by_protoc(&file.text),
            path: file.path,
            lang: file.lang,
            package: file.package,
            is_test: file.test,
            code_lines: file.lines.code,
        }
    }
}

/// Returns whether a text begins as protoc writes it for a language without a rule of its own for generated files.
fn is_made_by_protoc(text: &str) -> bool {
    let mut lines = text.lines().take(20);
    lines.any(|line| line.starts_with("# Generated by the ") && line.contains("DO NOT EDIT"))
}
