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

use super::places::{TextLines, Token};
use crate::monikers::{NamedEdge, NamedGraph, NamedSymbol, UseKind};

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
        let lines = TextLines::new(&file.text);
        let mut occurrences: Vec<Occurrence> = Vec::new();
        let mut symbols: Vec<SymbolInformation> = Vec::new();
        let test = if file.test {
            SymbolRole::Test as i32
        } else {
            0
        };
        let mut add = |range: Vec<i32>, symbol: &Arc<str>, roles: i32, enclosing: Vec<i32>| {
            occurrences.push(Occurrence {
                range,
                symbol: symbol.to_string(),
                symbol_roles: roles | test,
                enclosing_range: enclosing,
                ..Occurrence::default()
            });
        };
        let declared = self.declared.remove(&*file.path).unwrap_or_default();
        let uses = self.uses.remove(&*file.path).unwrap_or_default();
        let named = self.named.get(&*file.path).copied();
        let definition = SymbolRole::Definition as i32;
        for number in declared {
            let (Some(symbol), name) = (self.graph.symbols.get(number as usize), self.name(number))
            else {
                continue;
            };
            if name.is_empty() {
                continue;
            }
            let node = &symbol.node;
            let is_package = node.kind == "package";
            if !is_package || named.is_none_or(|named| named.clause.is_none()) {
                if is_package {
                    // A module has no name in its text.
                    add(vec![0, 0, 0], &name, definition, Vec::new());
                } else {
                    let token = Token::Name(&node.name);
                    let range = lines.range(node.name_line, node.name_column, token);
                    let enclosing = lines.span(node.start_pos, node.end_pos);
                    add(range.into(), &name, definition, enclosing.into());
                }
            }
            if self.described.insert(name.clone()) {
                symbols.push(self.information(number, symbol, &name));
            }
        }
        let lang = Some(file.lang);
        if let Some(named) = named {
            let clause = named.clause.as_ref().and_then(|(package, position)| {
                let name = self.name(self.graph.number(lang, package)?);
                let range = lines.range(position.line, position.column, Token::Name(""));
                Some((range, name))
            });
            if let Some((range, name)) = clause.filter(|(_, name)| !name.is_empty()) {
                add(range.into(), &name, definition, Vec::new());
            }
            for row in &named.names {
                let Some(package) = self.graph.number(lang, &row.package) else {
                    continue;
                };
                let name = self.name(package);
                if !name.is_empty() {
                    let position = row.position;
                    let token = Token::Name("");
                    let range = lines.range(position.line, position.column, token);
                    add(
                        range.into(),
                        &name,
                        SymbolRole::ReadAccess as i32,
                        Vec::new(),
                    );
                    self.refer(package, &name);
                }
            }
        }
        for edge in uses {
            let (Some(target), Some(location)) =
                (self.graph.symbols.get(edge.to as usize), &edge.location)
            else {
                continue;
            };
            let name = self.name(edge.to);
            if name.is_empty() {
                continue;
            }
            let token = match target.node.kind.as_str() {
                "package" => Token::Package,
                _ => Token::Name(&target.node.name),
            };
            let range = lines.range(location.line, location.column, token);
            add(range.into(), &name, roles(edge), Vec::new());
            self.refer(edge.to, &name);
        }
        let by_place = |one: &Occurrence| (one.range.clone(), one.symbol_roles, one.symbol.clone());
        occurrences.sort_by_cached_key(by_place);
        occurrences.dedup_by_key(|one| by_place(one));
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

fn roles(edge: &NamedEdge) -> i32 {
    let role = match (edge.edge_type, edge.kind) {
        (EdgeType::Imports, _) => SymbolRole::Import,
        (_, UseKind::Write) => SymbolRole::WriteAccess,
        _ => SymbolRole::ReadAccess,
    };
    role as i32
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
