//! JSON Schema documents.

use super::reference::Trees;
use super::{Contract, ContractKind, empty, schema};
use crate::value::Value;

/// Reads the schemas of a document: its root by its title, and its definitions. `None` if none has properties: the schema of
/// a configuration file that is a list is no contract.
pub(super) fn contract(path: &str, root: Value<'_>, trees: &Trees<'_>) -> Option<Contract> {
    let dialect = root.text_of("$schema").unwrap_or_default();
    let dialect = dialect.trim_end_matches('#').trim_end_matches("/schema");
    let dialect = dialect
        .rsplit_once("json-schema.org/")
        .map_or("", |(_, dialect)| dialect);
    let mut contract = empty(ContractKind::JsonSchema, dialect, root);
    contract.title = root.text_of("title").unwrap_or_default().to_owned();
    let file = path.rsplit('/').next().unwrap_or(path);
    let file = file.split('.').next().unwrap_or(file);
    let name = if contract.title.is_empty() || contract.title.contains(' ') {
        file
    } else {
        &contract.title
    };
    let name = name.to_owned();
    schema::add(&mut contract, path, &name, root, trees);
    for key in ["$defs", "definitions"] {
        if let Some(schemas) = root.get(key) {
            schema::add_all(&mut contract, path, schemas, trees);
        }
    }
    (!contract.schemas.is_empty()).then_some(contract)
}
