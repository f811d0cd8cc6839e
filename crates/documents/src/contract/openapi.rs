//! OpenAPI 2 (Swagger), 3.0 and 3.1.

use super::reference::Trees;
use super::{Contract, ContractKind, METHODS, Operation, empty, schema};
use crate::value::Value;

/// The keys of a path that are no methods (OpenAPI 3.1, Path Item Object).
const PATH_KEYS: [&str; 5] = ["$ref", "summary", "description", "servers", "parameters"];

/// Reads a contract. Operations that cannot be read are reported, the others are there.
pub(super) fn contract(path: &str, root: Value<'_>, trees: &Trees<'_>) -> Contract {
    let version = root.text_of("openapi").or_else(|| root.text_of("swagger"));
    let mut contract = empty(ContractKind::OpenApi, version.unwrap_or_default(), root);
    let bases = match root.get("swagger") {
        // OpenAPI 2, basePath.
        Some(_) => vec![base_path(root.text_of("basePath").unwrap_or_default())],
        None => server_paths(root).unwrap_or_else(|| vec![String::new()]),
    };
    let security = security(root).unwrap_or_default();
    let paths = root.get("paths").map(Value::entries).unwrap_or_default();
    for (name, item) in paths {
        if name.starts_with("x-") {
            continue;
        }
        if !name.starts_with('/') {
            contract.error(
                item.node(),
                format!("the path `{name}` does not begin with `/`"),
            );
            continue;
        }
        let found = match trees.resolve(path, item) {
            Ok(found) => found,
            Err(message) => {
                contract.error(item.node(), message);
                continue;
            }
        };
        // A node of another document is none of this one's.
        let is_here = found.path == path;
        let bases = server_paths(found.value).unwrap_or_else(|| bases.clone());
        for (key, value) in found.value.entries() {
            let node = if is_here { value.node() } else { item.node() };
            let upper = key.to_ascii_uppercase();
            let method = METHODS.iter().find(|method| **method == upper);
            match method {
                Some(method) if value.is_mapping() => {
                    let mut operation = operation(method, name, value);
                    operation.node = node;
                    operation.base_paths = server_paths(value).unwrap_or_else(|| bases.clone());
                    operation.security = self::security(value).unwrap_or_else(|| security.clone());
                    let controller = controller(value).or_else(|| controller(found.value));
                    operation.controller = controller.map(str::to_owned);
                    let mut schemas = schema::names_in(value);
                    schemas.extend(
                        found
                            .value
                            .get("parameters")
                            .map(schema::names_in)
                            .unwrap_or_default(),
                    );
                    schemas.sort_unstable();
                    schemas.dedup();
                    operation.schemas = schemas;
                    contract.operations.push(operation);
                }
                Some(method) => contract.error(node, format!("{method} {name} is no mapping")),
                None if PATH_KEYS.contains(&key) || key.starts_with("x-") => {}
                None => contract.error(node, format!("`{key}` of {name} is no method")),
            }
        }
    }
    let components = root
        .get("components")
        .and_then(|components| components.get("schemas"));
    let schemas = components.or_else(|| root.get("definitions"));
    if let Some(schemas) = schemas {
        schema::add_all(&mut contract, path, schemas, trees);
    }
    contract.check_ids();
    contract
}

fn operation(method: &'static str, path: &str, value: Value<'_>) -> Operation {
    let tags = value.get("tags").map(Value::items).unwrap_or_default();
    let tags = tags.into_iter().filter_map(Value::text).map(str::to_owned);
    Operation {
        method,
        path: path.to_owned(),
        base_paths: Vec::new(),
        operation_id: value.text_of("operationId").map(str::to_owned),
        controller: None,
        rpc_service: None,
        summary: value
            .text_of("summary")
            .unwrap_or_default()
            .trim()
            .to_owned(),
        deprecated: value.get("deprecated").is_some_and(Value::is_true),
        security: Vec::new(),
        tags: tags.collect(),
        schemas: Vec::new(),
        node: value.node(),
    }
}

fn controller(value: Value<'_>) -> Option<&str> {
    let keys = ["x-openapi-router-controller", "x-swagger-router-controller"];
    keys.iter().find_map(|key| value.text_of(key))
}

/// Returns the names of the security schemes; `None` if the value does not say.
fn security(value: Value<'_>) -> Option<Vec<String>> {
    let requirements = value.get("security")?.items().into_iter();
    let schemes = requirements.flat_map(Value::entries);
    let mut names: Vec<String> = schemes.map(|(name, _)| name.to_owned()).collect();
    names.sort_unstable();
    names.dedup();
    Some(names)
}

/// Returns the paths of the servers of a contract, path or operation; `None` without servers.
fn server_paths(value: Value<'_>) -> Option<Vec<String>> {
    let servers = value.get("servers")?.items();
    let mut paths: Vec<String> = Vec::new();
    for server in servers {
        let mut url = server.text_of("url").unwrap_or_default().to_owned();
        // OpenAPI 3.1, Server Variable Object.
        let variables = server
            .get("variables")
            .map(Value::entries)
            .unwrap_or_default();
        for (name, variable) in variables {
            let value = variable.text_of("default").unwrap_or_default();
            url = url.replace(&format!("{{{name}}}"), value);
        }
        let path = base_path(&url);
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    (!paths.is_empty()).then_some(paths)
}

/// Returns the path of a URL, without a slash at the end.
fn base_path(url: &str) -> String {
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |at| &rest[at..]),
        // A URL without a scheme that has a host.
        None => match url.strip_prefix("//") {
            Some(rest) => rest.find('/').map_or("", |at| &rest[at..]),
            None => url,
        },
    };
    let path = path
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .trim_end_matches('/');
    if path.is_empty() || path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{path}")
    }
}
