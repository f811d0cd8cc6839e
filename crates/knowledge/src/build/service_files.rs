//! The files of services, and the documents that say something of services.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_documents::Format;

use crate::builder::GraphBuilder;
use crate::facts::Facts;
use crate::graph::{NodeData, Relation};
use crate::ids::{file_id, service_id};

/// Adds what services have of the code, and the documents that say something of services.
pub(super) fn add(graph: &mut GraphBuilder, facts: &Facts) {
    for file in &facts.code.files {
        let Some(service) = facts.services.of_path(&file.path) else {
            continue;
        };
        let id = service_id(&service.name);
        if let Some(NodeData::Service { estimated_loc, .. }) = graph.get_mut(&id) {
            *estimated_loc += file.code_lines;
        }
        graph.edge(&id, Relation::ContainsFile, &file_id(&file.path));
    }
    for (number, document) in facts.documents.iter().enumerate() {
        let mut contracts = facts.contracts.iter();
        let mut deployments = facts.deployments.iter();
        let is_contract = contracts.any(|contract| contract.document == number);
        if is_contract || deployments.any(|(path, _)| *path == document.path) {
            add_document(graph, facts, &document.path);
        }
    }
    complete_stacks(graph, facts);
}

/// Adds the file of a document.
fn add_document(graph: &mut GraphBuilder, facts: &Facts, path: &str) {
    let service = facts.services.of_path(path);
    let id = file_id(path);
    let data = NodeData::File {
        file_path: path.to_owned(),
        language: language_of(path).to_owned(),
        service_name: service.map_or_else(String::new, |service| service.name.clone()),
    };
    if graph.node(&id, data)
        && let Some(service) = service
    {
        graph.edge(&service_id(&service.name), Relation::ContainsFile, &id);
    }
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
