//! Protocol buffers: rpcs as operations, messages as schemas.

use super::{Contract, ContractKind, METHODS, Operation, Schema, SchemaField, empty};
use crate::value::Value;

/// Reads a contract of the tree of a protocol buffers file. `None` if it has neither services nor messages.
pub(super) fn contract(root: Value<'_>) -> Option<Contract> {
    let mut contract = empty(ContractKind::Protobuf, "", root);
    let package = root.text_of("package").unwrap_or_default();
    contract.title = package.to_owned();
    let prefix = if package.is_empty() {
        String::new()
    } else {
        format!("{package}.")
    };
    for service in root.get("services").map(Value::items).unwrap_or_default() {
        let name = service.text_of("name").unwrap_or_default();
        let service_name = format!("{prefix}{name}");
        for rpc in service.get("rpcs").map(Value::items).unwrap_or_default() {
            let rpc_name = rpc.text_of("name").unwrap_or_default();
            let operation = |method, path: String| Operation {
                method,
                path,
                base_paths: vec![String::new()],
                operation_id: Some(rpc_name.to_owned()),
                controller: None,
                rpc_service: Some(service_name.clone()),
                summary: String::new(),
                deprecated: rpc.text_of("deprecated").is_some(),
                security: Vec::new(),
                tags: Vec::new(),
                schemas: messages(rpc),
                node: rpc.node(),
            };
            let path = format!("/{service_name}/{rpc_name}");
            contract.operations.push(operation("POST", path));
            for rule in rpc.get("http").map(Value::items).unwrap_or_default() {
                let written = rule.text_of("method").unwrap_or_default();
                let method = METHODS.iter().find(|method| **method == written);
                let path = rule.text_of("path").unwrap_or_default();
                if let Some(method) = method {
                    contract.operations.push(operation(method, path.to_owned()));
                }
            }
        }
    }
    for message in root.get("messages").map(Value::items).unwrap_or_default() {
        let fields = message.get("fields").map(Value::items).unwrap_or_default();
        contract.schemas.push(Schema {
            name: message.text_of("name").unwrap_or_default().to_owned(),
            description: String::new(),
            fields: fields.into_iter().map(field).collect(),
            node: message.node(),
        });
    }
    let is_empty = contract.operations.is_empty() && contract.schemas.is_empty();
    (!is_empty).then_some(contract)
}

/// Returns the names of the messages of an rpc without their package, sorted.
fn messages(rpc: Value<'_>) -> Vec<String> {
    let types = ["input", "output"]
        .iter()
        .filter_map(|key| rpc.text_of(key));
    let mut names: Vec<String> = types.map(message_name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the name of a message type: what is behind the package, whose parts are in lower case (protobuf style guide).
fn message_name(written: &str) -> String {
    let parts = written.split('.');
    let name = parts.skip_while(|part| !part.starts_with(|c: char| c.is_ascii_uppercase()));
    let name: Vec<&str> = name.collect();
    if name.is_empty() {
        written.rsplit('.').next().unwrap_or(written).to_owned()
    } else {
        name.join(".")
    }
}

fn field(field: Value<'_>) -> SchemaField {
    let written = field.text_of("type").unwrap_or_default();
    let value = written
        .strip_prefix("map<")
        .and_then(|map| map.trim_end_matches('>').split_once(", "));
    let element = value.map_or(written, |(_, value)| value);
    let is_message = element.contains('.') || element.starts_with(|c: char| c.is_ascii_uppercase());
    let repeated = field.text_of("repeated").is_some();
    let suffix = if repeated { "[]" } else { "" };
    SchemaField {
        name: field.text_of("name").unwrap_or_default().to_owned(),
        field_type: format!("{written}{suffix}"),
        required: field.text_of("required").is_some(),
        reference: is_message.then(|| message_name(element)),
        many: repeated || value.is_some(),
    }
}
