//! Entities of the domain: objects that contracts share.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_documents::contract::{ContractKind, Schema};

use super::contracts::contract_id;
use crate::builder::GraphBuilder;
use crate::code_layer::symbol_id;
use crate::facts::{DocumentAt, Facts};
use crate::graph::{EntityField, NodeData, Relation};
use crate::ids::service_id;

/// The ends of names of types that are taken off before they are compared with entities.
const SUFFIXES: [&str; 7] = [
    "Service",
    "Model",
    "Schema",
    "Entity",
    "Repository",
    "Controller",
    "Handler",
];

/// The kinds of symbols that may implement an entity.
const TYPE_KINDS: [&str; 4] = ["class", "interface", "struct", "type"];

/// A schema with its contract's service and the number of operations on it.
struct Found<'a> {
    document: &'a DocumentAt,
    schema: &'a Schema,
    service: String,
    operations: usize,
}

/// Adds the entities: those of the settings, and the objects of OpenAPI and JSON schemas.
pub(super) fn add(graph: &mut GraphBuilder, facts: &Facts) {
    let mut by_name: BTreeMap<&str, Vec<Found<'_>>> = BTreeMap::new();
    for contract in &facts.contracts {
        let kind = contract.contract.kind;
        let (ContractKind::OpenApi | ContractKind::JsonSchema, Some(document)) =
            (kind, facts.documents.get(contract.document))
        else {
            continue;
        };
        let Some(NodeData::Contract { service_name, .. }) = graph.get(&contract_id(contract))
        else {
            continue;
        };
        for schema in &contract.contract.schemas {
            let operations = contract.contract.operations.iter();
            let operations =
                operations.filter(|operation| operation.schemas.contains(&schema.name));
            by_name.entry(&schema.name).or_default().push(Found {
                document,
                schema,
                service: service_name.clone(),
                operations: operations.count(),
            });
        }
    }
    for name in facts.settings.entities.keys() {
        by_name.entry(name).or_default();
    }
    let names: BTreeSet<String> = by_name.keys().map(|name| (*name).to_owned()).collect();
    for (name, found) in &by_name {
        add_entity(graph, facts, name, found);
    }
    for (name, found) in &by_name {
        add_relationships(graph, name, found, &names);
    }
    add_implementations(graph, facts, &names);
}

fn entity_id(name: &str) -> String {
    format!("domain_entity::{name}")
}

fn add_entity(graph: &mut GraphBuilder, facts: &Facts, name: &str, found: &[Found<'_>]) {
    let declared = facts
        .settings
        .entities
        .get(name)
        .filter(|owner| !owner.is_empty());
    // The provider with most operations on it; of equal ones the first by path.
    let provider = found.iter().filter(|found| !found.service.is_empty());
    let provider = provider.reduce(|best, next| {
        if next.operations > best.operations {
            next
        } else {
            best
        }
    });
    let owner = declared
        .cloned()
        .or_else(|| Some(provider?.service.clone()));
    let first = provider.or(found.first());
    let fields = first.map_or(&[][..], |found| &found.schema.fields).iter();
    let fields = fields.map(|field| EntityField {
        name: field.name.clone(),
        field_type: field.field_type.clone(),
        required: field.required,
    });
    let data = NodeData::DomainEntity {
        entity_name: name.to_owned(),
        description: first
            .map(|found| found.schema.description.clone())
            .unwrap_or_default(),
        owning_service: owner.clone().unwrap_or_default(),
        fields: fields.collect(),
        file_path: first.map_or("codeweft.toml".to_owned(), |found| {
            found.document.path.to_string()
        }),
        line: first.map_or(1, |found| found.document.line(found.schema.node)),
    };
    let id = entity_id(name);
    graph.node(&id, data);
    if let Some(owner) = &owner {
        graph.edge(&service_id(owner), Relation::OwnsEntity, &id);
    }
    let others = found
        .iter()
        .filter(|found| !found.service.is_empty() && Some(&found.service) != owner.as_ref());
    for other in others {
        graph.edge(&service_id(&other.service), Relation::ReferencesEntity, &id);
    }
}

/// Adds the references of fields to other entities.
fn add_relationships(
    graph: &mut GraphBuilder,
    name: &str,
    found: &[Found<'_>],
    names: &BTreeSet<String>,
) {
    for field in found.iter().flat_map(|found| &found.schema.fields) {
        let Some(other) = field
            .reference
            .as_ref()
            .filter(|other| names.contains(*other))
        else {
            continue;
        };
        let data = graph.edge(
            &entity_id(name),
            Relation::DomainRelationship,
            &entity_id(other),
        );
        if data.relationship_type.is_none() {
            data.relationship_type = Some(field.name.clone());
            data.cardinality = Some(if field.many { "1:N" } else { "1:1" }.to_owned());
        }
    }
}

/// Adds the types of the code that have the name of an entity once a usual end is taken off.
fn add_implementations(graph: &mut GraphBuilder, facts: &Facts, names: &BTreeSet<String>) {
    for symbol in &facts.code.symbols {
        if !TYPE_KINDS.contains(&&*symbol.kind) || symbol.is_test {
            continue;
        }
        let base = SUFFIXES
            .iter()
            .find_map(|suffix| symbol.name.strip_suffix(suffix));
        let base = base.filter(|base| !base.is_empty()).unwrap_or(&symbol.name);
        let Some(id) = symbol_id(symbol).filter(|_| names.contains(base)) else {
            continue;
        };
        if graph.get(&id).is_some() {
            graph.edge(&id, Relation::ImplementsEntity, &entity_id(base));
        }
    }
}
