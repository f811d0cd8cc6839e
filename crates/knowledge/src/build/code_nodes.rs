//! Files and symbols with the edges between them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codeweft_documents::Format;
use rustc_hash::FxHashMap;

use crate::code::{CodeEdge, CodeEdgeType, CodeSymbol};
use crate::facts::Facts;
use crate::graph::{GraphBuilder, NodeData, Relation};
use crate::handlers::local_name;
use crate::ids::{file_id, service_id};

/// Adds the files and symbols of the workspace, and the documents that say something of services.
pub(super) fn add(graph: &mut GraphBuilder, facts: &Facts) {
    for file in &facts.code.files {
        add_file(graph, facts, &file.path, file.lang.wire_name());
        let Some(service) = facts.services.of_path(&file.path) else {
            continue;
        };
        if let Some(NodeData::Service { estimated_loc, .. }) =
            graph.get_mut(&service_id(&service.name))
        {
            *estimated_loc += file.code_lines;
        }
    }
    for (number, document) in facts.documents.iter().enumerate() {
        let is_contract = facts
            .contracts
            .iter()
            .any(|contract| contract.document == number);
        let is_deployment = facts
            .deployments
            .iter()
            .any(|(path, _)| *path == document.path);
        if is_contract || is_deployment {
            add_file(graph, facts, &document.path, language_of(&document.path));
        }
    }
    for symbol in &facts.code.symbols {
        add_symbol(graph, facts, symbol);
    }
    complete_stacks(graph, facts);
    for edge in facts.code.edges.iter().filter(|edge| !edge.is_test) {
        add_edge(graph, facts, edge);
    }
    add_imports(graph, facts);
}

/// Returns the id of a symbol of the workspace; `None` for packages and symbols of libraries.
pub(crate) fn symbol_id(symbol: &CodeSymbol) -> Option<String> {
    let is_own = !symbol.is_external && !symbol.file.is_empty() && symbol.kind != "package";
    is_own.then(|| format!("symbol::{}::{}", symbol.file, local_name(symbol)))
}

fn language_of(path: &str) -> &'static str {
    match Format::of_path(path) {
        Some(Format::Yaml) => "yaml",
        Some(Format::Json) => "json",
        Some(Format::Proto) => "protobuf",
        Some(Format::Dockerfile) => "dockerfile",
        Some(Format::Environment) => "env",
        None => "",
    }
}

fn add_file(graph: &mut GraphBuilder, facts: &Facts, path: &str, language: &str) {
    let service = facts
        .services
        .of_path(path)
        .map(|service| service.name.clone());
    let id = file_id(path);
    let data = NodeData::File {
        file_path: path.to_owned(),
        language: language.to_owned(),
        service_name: service.clone().unwrap_or_default(),
    };
    if graph.node(&id, data)
        && let Some(service) = service
    {
        graph.edge(&service_id(&service), Relation::ContainsFile, &id);
    }
}

fn add_symbol(graph: &mut GraphBuilder, facts: &Facts, symbol: &CodeSymbol) {
    let Some(id) = symbol_id(symbol) else { return };
    let file = file_id(&symbol.file);
    if graph.get(&file).is_none() {
        return;
    }
    let service = facts.services.of_path(&symbol.file);
    let data = NodeData::Symbol {
        symbol_name: symbol.name.clone(),
        kind: symbol.kind.clone(),
        language: symbol.lang.map_or("", |lang| lang.wire_name()).to_owned(),
        service_name: service
            .map(|service| service.name.clone())
            .unwrap_or_default(),
        file_path: symbol.file.to_string(),
        line_start: symbol.lines.0,
        line_end: symbol.lines.1,
        signature: symbol.signature.clone().unwrap_or_default(),
        is_exported: symbol.is_exported,
        graph_id: symbol.id.to_string(),
    };
    if graph.node(&id, data) {
        graph.edge(&file, Relation::DefinesSymbol, &id);
    }
}

/// Completes services that do not declare what they are made with by the languages of their files.
fn complete_stacks(graph: &mut GraphBuilder, facts: &Facts) {
    let mut languages: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in &facts.code.files {
        if let Some(service) = facts.services.of_path(&file.path) {
            languages
                .entry(&service.name)
                .or_default()
                .insert(file.lang.wire_name());
        }
    }
    for (name, languages) in languages {
        if let Some(NodeData::Service { stack, .. }) = graph.get_mut(&service_id(name))
            && stack.is_empty()
        {
            *stack = languages.into_iter().collect::<Vec<_>>().join(", ");
        }
    }
}

fn add_edge(graph: &mut GraphBuilder, facts: &Facts, edge: &CodeEdge) {
    let relation = match edge.edge_type {
        CodeEdgeType::Calls => Relation::Calls,
        CodeEdgeType::Inherits => Relation::Inherits,
        CodeEdgeType::Implements => Relation::Implements,
        CodeEdgeType::Imports => return,
    };
    let id = |number| facts.code.symbol(number).and_then(symbol_id);
    let (Some(from), Some(to)) = (id(edge.from), id(edge.to)) else {
        return;
    };
    let is_new = !graph.has_edge(&from, relation, &to);
    let data = graph.edge(&from, relation, &to);
    if relation != Relation::Calls {
        return;
    }
    data.possible = edge.is_possible && (is_new || data.possible);
    if edge.line > 0 {
        let before = data.lines.last().copied().or(data.line);
        if before != Some(edge.line) {
            // One line is `line` alone, several are all in `lines`.
            match data.line {
                None => data.line = Some(edge.line),
                Some(first) if data.lines.is_empty() => data.lines = vec![first, edge.line],
                Some(_) => data.lines.push(edge.line),
            }
            data.lines.sort_unstable();
            data.line = data.lines.first().copied().or(data.line);
        }
    }
}

/// Adds the imports between files: to the files of the package that declare something that is called through it, else to its
/// first file.
fn add_imports(graph: &mut GraphBuilder, facts: &Facts) {
    let code = &facts.code;
    let mut first_files: FxHashMap<&str, &Arc<str>> = FxHashMap::default();
    for file in code.files.iter().filter(|file| !file.is_test) {
        first_files.entry(&file.package).or_insert(&file.path);
    }
    let mut called: FxHashMap<(&str, &str), BTreeSet<(&str, &str)>> = FxHashMap::default();
    for edge in code
        .edges
        .iter()
        .filter(|edge| edge.edge_type == CodeEdgeType::Calls && !edge.is_possible)
    {
        let Some(to) = code
            .symbol(edge.to)
            .filter(|to| !to.is_external && !to.file.is_empty())
        else {
            continue;
        };
        let of_file = called.entry((&edge.file, &to.package)).or_default();
        of_file.insert((&to.file, &to.name));
    }
    for edge in code
        .edges
        .iter()
        .filter(|edge| edge.edge_type == CodeEdgeType::Imports)
    {
        let Some(package) = code.symbol(edge.to).filter(|to| !to.is_external) else {
            continue;
        };
        let from = file_id(&edge.file);
        let targets = called.get(&(&*edge.file, &*package.id));
        let targets: BTreeSet<(&str, &str)> = match targets {
            Some(targets) => targets.clone(),
            None => {
                let first = first_files.get(&*package.id).map(|file| &***file);
                first
                    .or(Some(&*package.file))
                    .into_iter()
                    .map(|file| (file, ""))
                    .collect()
            }
        };
        for (file, name) in targets {
            let to = file_id(file);
            if to == from || graph.get(&to).is_none() || graph.get(&from).is_none() {
                continue;
            }
            let data = graph.edge(&from, Relation::Imports, &to);
            data.line = data.line.or((edge.line > 0).then_some(edge.line));
            if !name.is_empty() && !data.imported_names.iter().any(|known| known == name) {
                data.imported_names.push(name.to_owned());
            }
        }
    }
}
