//! Calls between services by HTTP: requests whose address is composed in the code.

use super::contracts::compared_path;
use super::deployed::{host_in, host_of};
use super::environment::Wired;
use super::service_calls::add_call;
use crate::builder::GraphBuilder;
use crate::graph::NodeData;
use crate::services::Service;
use crate::wires::RequestFact;

/// Adds the requests whose host names a service, by itself or by the deployed value of a variable.
pub(super) fn add(graph: &mut GraphBuilder, wired: &Wired<'_>, requests: &[RequestFact]) {
    for request in requests.iter().filter(|request| !request.is_rpc) {
        for from in wired.services(&request.url, request.file, request.around) {
            add_request(graph, wired, request, from);
        }
    }
}

/// Adds a request that a service makes.
fn add_request(graph: &mut GraphBuilder, wired: &Wired<'_>, request: &RequestFact, from: &Service) {
    for (url, is_open) in wired.deployed_texts(&from.name, &request.url) {
        if !is_open {
            add_url(graph, wired, request, (from, &url));
        }
    }
}

fn add_url(
    graph: &mut GraphBuilder,
    wired: &Wired<'_>,
    request: &RequestFact,
    (from, url): (&Service, &str),
) {
    let host = if request.is_connection {
        host_in(url)
    } else {
        host_of(url)
    };
    let Some(to) = host.and_then(|host| wired.facts.services.of_host(host)) else {
        return;
    };
    if request.is_connection {
        add_call(graph, &from.name, &to.name, "address", "", 0);
    } else {
        let endpoint = endpoint(graph, &to.name, &request.method, path_of(url));
        let endpoint = endpoint.unwrap_or_default();
        add_call(graph, &from.name, &to.name, "http", &endpoint, 0);
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
