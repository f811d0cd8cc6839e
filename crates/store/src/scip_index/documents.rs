//! Documents, occurrences and symbols.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_graph::export::{EdgeType, FileRow, QualifiedFile};
use codeweft_graph::languages::language_of;
use rustc_hash::{FxHashMap, FxHashSet};
use scip::types::symbol_information::Kind;
use scip::types::{
    Document, Occurrence, PositionEncoding, Relationship, Signature, SymbolInformation, SymbolRole,
};

use super::name_ranges::{TextLines, Token};
use crate::monikers::{NamedEdge, NamedGraph, NamedSymbol, NamedUseKind};

/// The parts of an index but its metadata.
pub(crate) struct Index<'g> {
    graph: &'g NamedGraph,
    /// The SCIP symbols of the graph's symbols; empty for those that are in no index.
    names: Vec<Arc<str>>,
    relationships: FxHashMap<u32, Vec<Relationship>>,
    /// The edges with a position, by file.
    uses: FxHashMap<&'g str, Vec<&'g NamedEdge>>,
    /// The declarations, by file.
    declared: FxHashMap<&'g str, Vec<u32>>,
    named: FxHashMap<&'g str, &'g QualifiedFile>,
    /// The symbols that a document describes.
    described: FxHashSet<Arc<str>>,
    /// The other symbols that occur, in order.
    external: BTreeMap<Arc<str>, u32>,
}

/// The occurrences of a document that is being made.
struct DocumentParts<'t> {
    lines: TextLines<'t>,
    /// The roles that all occurrences have.
    roles: i32,
    occurrences: Vec<Occurrence>,
}

impl DocumentParts<'_> {
    fn add(&mut self, range: &[i32], symbol: &Arc<str>, role: SymbolRole, enclosing: &[i32]) {
        self.occurrences.push(Occurrence {
            range: range.to_vec(),
            symbol: symbol.to_string(),
            symbol_roles: role as i32 | self.roles,
            enclosing_range: enclosing.to_vec(),
            ..Occurrence::default()
        });
    }
}

impl<'g> Index<'g> {
    /// Returns the index of a graph, whose documents are still to be made.
    pub(crate) fn new(graph: &'g NamedGraph) -> Index<'g> {
        let names = graph.symbols.iter().map(symbol_name).collect();
        let mut index = Index {
            graph,
            names,
            relationships: FxHashMap::default(),
            uses: FxHashMap::default(),
            declared: FxHashMap::default(),
            named: graph.files.iter().map(|file| (&*file.path, file)).collect(),
            described: FxHashSet::default(),
            external: BTreeMap::new(),
        };
        for (number, symbol) in (0..).zip(&graph.symbols) {
            if !symbol.node.external && !symbol.node.file.is_empty() {
                let declared = index.declared.entry(&symbol.node.file).or_default();
                declared.push(number);
            }
        }
        for edge in &graph.edges {
            if let Some(location) = &edge.location {
                index.uses.entry(&location.file).or_default().push(edge);
            }
            index.relate(edge);
        }
        index
    }

    /// Adds what an edge says of two declarations: that one implements the other, or is a subclass.
    fn relate(&mut self, edge: &NamedEdge) {
        let is_subclass = edge.edge_type == EdgeType::Embeds && self.is_of_modules(edge.from);
        if edge.edge_type != EdgeType::Implements && !is_subclass {
            return;
        }
        let (from, to) = (self.name(edge.from), self.name(edge.to));
        if from.is_empty() || to.is_empty() || from == to {
            return;
        }
        let is_method = self
            .graph
            .symbols
            .get(edge.from as usize)
            .is_some_and(|symbol| symbol.node.kind == "method");
        let related = self.relationships.entry(edge.from).or_default();
        if related.iter().all(|known| known.symbol != *to) {
            related.push(Relationship {
                symbol: to.to_string(),
                is_implementation: true,
                // A search for the interface's method finds those that may run.
                is_reference: is_method,
                ..Relationship::default()
            });
        }
    }

    fn is_of_modules(&self, symbol: u32) -> bool {
        let symbol = self.graph.symbols.get(symbol as usize);
        let lang = symbol.and_then(|symbol| symbol.lang);
        lang.is_some_and(|lang| lang.packages_are_files)
    }

    fn name(&self, symbol: u32) -> Arc<str> {
        let name = self.names.get(symbol as usize);
        name.cloned().unwrap_or_default()
    }

    /// Returns the document of a file that is built; `None` for others.
    pub(crate) fn document(&mut self, file: &FileRow) -> Option<Document> {
        if !file.built {
            return None;
        }
        let mut parts = DocumentParts {
            lines: TextLines::new(&file.text),
            roles: if file.test {
                SymbolRole::Test as i32
            } else {
                0
            },
            occurrences: Vec::new(),
        };
        let named = self.named.get(&*file.path).copied();
        let has_clause = named.is_some_and(|named| named.clause.is_some());
        let mut symbols = self.declarations(file, has_clause, &mut parts);
        if let Some(named) = named {
            self.packages(named, &mut parts);
        }
        for edge in self.uses.remove(&*file.path).unwrap_or_default() {
            self.target(edge, &mut parts);
        }
        let mut occurrences = parts.occurrences;
        let by_range = |one: &Occurrence| (one.range.clone(), one.symbol_roles, one.symbol.clone());
        occurrences.sort_by_cached_key(by_range);
        occurrences.dedup_by_key(|one| by_range(one));
        symbols.sort_by(|one, other| one.symbol.cmp(&other.symbol));
        Some(Document {
            language: file.lang.wire_name().to_owned(),
            relative_path: file.path.to_string(),
            occurrences,
            symbols,
            position_encoding: PositionEncoding::UTF8CodeUnitOffsetFromLineStart.into(),
            ..Document::default()
        })
    }

    /// Adds the declarations of a file; returns those that no document has described yet.
    fn declarations(
        &mut self,
        file: &FileRow,
        has_clause: bool,
        parts: &mut DocumentParts<'_>,
    ) -> Vec<SymbolInformation> {
        let mut symbols = Vec::new();
        for number in self.declared.remove(&*file.path).unwrap_or_default() {
            let (Some(symbol), name) = (self.graph.symbols.get(number as usize), self.name(number))
            else {
                continue;
            };
            if name.is_empty() {
                continue;
            }
            let node = &symbol.node;
            if node.kind != "package" {
                let token = Token::Name(&node.name);
                let range = parts.lines.range(node.name_line, node.name_column, token);
                let enclosing = parts.lines.span(node.start_pos, node.end_pos);
                parts.add(&range, &name, SymbolRole::Definition, &enclosing);
            } else if !has_clause {
                // A module has no name in its text.
                parts.add(&[0, 0, 0], &name, SymbolRole::Definition, &[]);
            }
            if self.described.insert(name.clone()) {
                symbols.push(self.information(number, symbol, &name));
            }
        }
        symbols
    }

    /// Adds the names of packages in a file: in its clause, in its imports, before dots.
    fn packages(&mut self, named: &QualifiedFile, parts: &mut DocumentParts<'_>) {
        let clause = named.clause.iter();
        let clause = clause.map(|(package, at)| (package, *at, SymbolRole::Definition));
        let imported = named.imported.iter();
        let imported = imported.map(|(package, at)| (package, *at, SymbolRole::Import));
        let qualifiers = named.names.iter();
        let qualifiers = qualifiers.map(|row| (&row.package, row.position, SymbolRole::ReadAccess));
        for (package, at, role) in clause.chain(imported).chain(qualifiers) {
            let Some(number) = self.graph.number(Some(named.lang), package) else {
                continue;
            };
            let name = self.name(number);
            if !name.is_empty() {
                let range = parts.lines.range(at.line, at.column, Token::Name(""));
                parts.add(&range, &name, role, &[]);
                self.refer(number, &name);
            }
        }
    }

    /// Adds the use that an edge is.
    fn target(&mut self, edge: &NamedEdge, parts: &mut DocumentParts<'_>) {
        let name = self.name(edge.to);
        let target = self.graph.symbols.get(edge.to as usize);
        let (Some(target), Some(location)) = (target, &edge.location) else {
            return;
        };
        if name.is_empty() {
            return;
        }
        let token = match edge.edge_type {
            EdgeType::Imports => Token::Package,
            _ => Token::Name(&target.node.name),
        };
        let range = parts.lines.range(location.line, location.column, token);
        parts.add(&range, &name, role(edge), &[]);
        self.refer(edge.to, &name);
    }

    /// Notes that a document mentions a symbol.
    fn refer(&mut self, number: u32, name: &Arc<str>) {
        if !self.external.contains_key(name) {
            self.external.insert(name.clone(), number);
        }
    }

    /// Returns the symbols that documents mention and none describes, and those that they are related to; in
    /// order. Called once all documents are made.
    pub(crate) fn external_symbols(&mut self) -> Vec<SymbolInformation> {
        let mut numbers: FxHashMap<Arc<str>, u32> = FxHashMap::default();
        for (number, name) in (0..).zip(&self.names) {
            numbers.entry(name.clone()).or_insert(number);
        }
        let mut related: Vec<(u32, Arc<str>)> = Vec::new();
        for (&from, relationships) in &self.relationships {
            related.push((from, self.name(from)));
            for relationship in relationships {
                if let Some((name, &number)) = numbers.get_key_value(relationship.symbol.as_str()) {
                    related.push((number, name.clone()));
                }
            }
        }
        for (number, name) in related {
            self.refer(number, &name);
        }
        let external = std::mem::take(&mut self.external);
        let others = external
            .into_iter()
            .filter(|(name, _)| !name.is_empty() && !self.described.contains(name));
        let information = others.filter_map(|(name, number)| {
            let symbol = self.graph.symbols.get(number as usize)?;
            Some(self.information(number, symbol, &name))
        });
        information.collect()
    }

    fn information(&self, number: u32, symbol: &NamedSymbol, name: &str) -> SymbolInformation {
        let mut relationships = self.relationships.get(&number).cloned().unwrap_or_default();
        relationships.sort_by(|one, other| one.symbol.cmp(&other.symbol));
        let signature = symbol.signature.as_ref().map(|text| Signature {
            language: symbol.node.language.clone(),
            text: text.clone(),
            ..Signature::default()
        });
        SymbolInformation {
            symbol: name.to_owned(),
            documentation: match symbol.doc.as_str() {
                "" => Vec::new(),
                doc => vec![doc.to_owned()],
            },
            relationships,
            kind: kind(symbol).into(),
            display_name: symbol.node.name.clone(),
            signature_documentation: signature.into(),
            ..SymbolInformation::default()
        }
    }
}

/// Returns the SCIP symbol; empty for what no index declares.
fn symbol_name(symbol: &NamedSymbol) -> Arc<str> {
    let language = symbol.lang.and_then(language_of);
    match language {
        Some(language) if symbol.is_named() && !symbol.is_builtin() => {
            symbol.moniker.scip_symbol(language.scip_scheme()).into()
        }
        _ => Arc::default(),
    }
}

fn role(edge: &NamedEdge) -> SymbolRole {
    match (edge.edge_type, edge.kind) {
        (EdgeType::Imports, _) => SymbolRole::Import,
        (_, NamedUseKind::Write) => SymbolRole::WriteAccess,
        _ => SymbolRole::ReadAccess,
    }
}

fn kind(symbol: &NamedSymbol) -> Kind {
    let is_module = symbol.lang.is_some_and(|lang| lang.packages_are_files);
    match symbol.node.kind.as_str() {
        "package" if is_module => Kind::Module,
        "package" => Kind::Package,
        "interface" => Kind::Interface,
        "struct" => Kind::Struct,
        "class" => Kind::Class,
        "type" => Kind::Type,
        "function" => Kind::Function,
        "method" if symbol.declares_no_body() => Kind::MethodSpecification,
        "method" => Kind::Method,
        "field" => Kind::Field,
        "constant" => Kind::Constant,
        "variable" => Kind::Variable,
        _ => Kind::UnspecifiedKind,
    }
}
