//! Calls between services by HTTP: requests whose address is composed in the code.

use super::contracts::compared_path;
use super::deployed::host_of;
use super::environment::Wired;
use super::service_calls::add_call;
use crate::graph::{GraphBuilder, NodeData};
use crate::wires::RequestFact;

/// Adds the requests whose host names a service, by itself or by the deployed value of a variable.
pub(super) fn add(graph: &mut GraphBuilder, wired: &Wired<'_>, requests: &[RequestFact]) {
    for request in requests {
        let Some(from) = wired.service(request.url.file, request.file) else {
            continue;
        };
        let (url, is_open) = request.url.path(&|name| wired.variable(&from.name, name));
        let host = host_of(&url).filter(|_| !is_open);
        let Some(to) = host.and_then(|host| wired.facts.services.of_host(host)) else {
            continue;
        };
        let endpoint = endpoint(graph, &to.name, &request.method, path_of(&url));
        add_call(
            graph,
            &from.name,
            &to.name,
            "http",
            &endpoint.unwrap_or_default(),
            0,
        );
    }
}

/// Returns the path of an address, without its query.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest
        .find('/')
        .and_then(|slash| rest.get(slash..))
        .unwrap_or("/");
    path.split(['?', '#']).next().unwrap_or(path)
}

/// Returns whether a path is one of those that fit a path with parameters. Both are compared paths.
fn fits(path: &str, template: &str) -> bool {
    let (mut parts, mut of) = (path.split('/'), template.split('/'));
    loop {
        match (parts.next(), of.next()) {
            (None, None) => return true,
            (Some(part), Some(of)) if part == of || of == "{}" && !part.is_empty() => {}
            _ => return false,
        }
    }
}

/// Returns the endpoint of a service that a method and path reach: the same path, else the first that it fits, else the
/// only one that ends so.
fn endpoint(graph: &GraphBuilder, service: &str, method: &str, path: &str) -> Option<String> {
    let wanted = compared_path(path);
    let (mut same, mut fitting) = (None, None);
    let mut behind: Vec<&str> = Vec::new();
    for (id, node) in graph.nodes() {
        let NodeData::Endpoint {
            method: known_method,
            path,
            service_name,
            ..
        } = node
        else {
            continue;
        };
        let is_method =
            method.is_empty() || known_method == method || known_method == crate::wires::ANY;
        if service_name != service || !is_method {
            continue;
        }
        let path = compared_path(path);
        if path == wanted {
            same = same.or(Some(id));
        } else if fits(&wanted, &path) {
            fitting = fitting.or(Some(id));
        } else if wanted != "/" && path.ends_with(&wanted) {
            behind.push(id);
        }
    }
    let only = match behind[..] {
        [only] => Some(only),
        _ => None,
    };
    same.or(fitting).or(only).map(str::to_owned)
}
