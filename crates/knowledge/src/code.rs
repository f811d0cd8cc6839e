//! The code of the workspace as the knowledge graph reads it: files, symbols and edges between them.

use std::sync::Arc;

use codeweft_db::{Db as _, Lang, RootDb, SymbolId};
use codeweft_graph::RevisionCache;
use codeweft_graph::export::{
    DetailedPackage, EdgeType, ExportOptions, FileRow, GraphParts, each_detailed_package_in,
};
use rustc_hash::FxHashMap;

use crate::code_stamp::CodeStamp;

/// The code of a workspace. Symbols are numbered in the order of language and id.
#[derive(PartialEq, Default)]
pub(crate) struct Code {
    /// By path.
    pub(crate) files: Vec<Arc<CodeFile>>,
    pub(crate) symbols: Vec<CodeSymbol>,
    pub(crate) edges: Vec<CodeEdge>,
    /// The functions and types that declarations mention without a call, by number: user and used.
    pub(crate) references: Vec<(u32, u32)>,
    by_id: FxHashMap<(Option<Lang>, Arc<str>), u32>,
    by_symbol: FxHashMap<SymbolId, u32>,
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
    /// Returns the code of a database, and what it is made of. What `last` has of equal parts is taken over: all of it, else
    /// the files that are the same.
    pub(crate) fn of(
        db: &RootDb,
        cache: &RevisionCache,
        threads: usize,
        last: Option<(&CodeStamp, &Arc<Code>)>,
    ) -> (CodeStamp, Arc<Code>) {
        let options = ExportOptions {
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
        if let Some((_, code)) = last.filter(|(last, _)| stamp.is_same(last)) {
            return (stamp, code.clone());
        }
        if last.is_some() {
            export(&mut packages);
        }
        let mut code = Code {
            files: stamp.files(db, &parts, last),
            ..Code::default()
        };
        for package in &mut packages {
            db.unwind_if_cancelled();
            code.add_symbols(package);
        }
        for package in packages {
            db.unwind_if_cancelled();
            code.add_edges(package);
        }
        code.edges.sort_unstable();
        code.edges.dedup();
        code.references.sort_unstable();
        code.references.dedup();
        (stamp, Arc::new(code))
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
        self.symbols.get(number as usize)
    }

    fn add_symbols(&mut self, package: &mut DetailedPackage) {
        let lang = package.lang;
        let nodes = std::mem::take(&mut package.rows.nodes).into_iter();
        for (node, detail) in nodes.zip(std::mem::take(&mut package.details)) {
            let id: Arc<str> = node.id.into();
            self.by_id
                .insert((lang, id.clone()), self.symbols.len() as u32);
            if let Some(symbol) = detail.symbol {
                self.by_symbol.insert(symbol, self.symbols.len() as u32);
            }
            self.symbols.push(CodeSymbol {
                id,
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
            });
        }
    }

    /// Adds a mention of a function or type of the workspace by code that is no test's.
    fn add_reference(&mut self, from: u32, to: u32, is_test: bool) {
        let is_code = |symbol: &CodeSymbol| {
            let is_value = matches!(&*symbol.kind, "variable" | "constant" | "field");
            !symbol.is_external && !is_value && symbol.kind != "package"
        };
        if !is_test && from != to && self.symbol(to).is_some_and(is_code) {
            self.references.push((from, to));
        }
    }

    fn add_edges(&mut self, package: DetailedPackage) {
        let lang = package.lang;
        for edge in package.rows.edges {
            let (Some(from), Some(to)) =
                (self.number(lang, &edge.from), self.number(lang, &edge.to))
            else {
                continue;
            };
            let is_class = self.symbol(from).is_some_and(|from| from.kind == "class");
            let edge_type = match edge.edge_type {
                EdgeType::Calls => CodeEdgeType::Calls,
                EdgeType::Embeds => CodeEdgeType::Inherits,
                // A Python class satisfies its bases by inheritance, which has an edge of its own.
                EdgeType::Implements if is_class && edge.location.is_some() => continue,
                EdgeType::Implements => CodeEdgeType::Implements,
                EdgeType::Imports => CodeEdgeType::Imports,
                EdgeType::References => {
                    self.add_reference(from, to, edge.test);
                    continue;
                }
            };
            let (file, line) = match edge.location {
                Some(location) => (location.file, location.line),
                None => (Arc::default(), 0),
            };
            self.edges.push(CodeEdge {
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
    }
}

impl CodeSymbol {
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
