//! Ids of nodes.

/// Returns the id of a service.
pub(crate) fn service_id(name: &str) -> String {
    format!("service::{name}")
}

/// Returns the id of a file.
pub(crate) fn file_id(path: &str) -> String {
    format!("file::{path}")
}
