//! The values that services get from environment files (Compose specification, `env_file`).

use codeweft_documents::deployment::DeployedService;
use codeweft_documents::{Reader, joined};

use super::Facts;
use crate::services::parent;

/// Returns the values in the environment files of a service; `path` is that of the document that names them. A variable of the
/// document itself wins over one of the same name in a file, and a later file over an earlier one.
pub(super) fn texts(facts: &Facts, path: &str, deployed: &DeployedService) -> Vec<String> {
    let mut values: Vec<(String, String)> = Vec::new();
    for file in &deployed.environment_files {
        let file = joined(parent(path), file);
        let Some(document) = facts.documents.iter().find(|one| *one.path == *file) else {
            continue;
        };
        let reader = Reader::new(&document.tree);
        for (name, value) in reader.roots().flat_map(|root| root.entries()) {
            let is_own = deployed.variables.iter().any(|own| own.name == name);
            if let (Some(text), false) = (value.text(), is_own) {
                values.retain(|(known, _)| known != name);
                values.push((name.to_owned(), text.to_owned()));
            }
        }
    }
    values.into_iter().map(|(_, text)| text).collect()
}
