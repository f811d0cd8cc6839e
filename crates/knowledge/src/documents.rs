//! The queries of documents: their trees, and what they declare.

use std::sync::Arc;

use codeweft_db::secret_rules::{Finding, masked};
use codeweft_db::{
    Db, File, UnitGraph, file_secrets, has_secret, saved_file_secrets, text_queries,
};
use codeweft_documents::contract::{Contract, Trees, read_contracts, referenced_documents};
use codeweft_documents::deployment::{Deployment, read_deployment};
use codeweft_documents::{Format, Reader, Tree};
use rustc_hash::FxHashMap;

text_queries! {
    saved {
        /// Reads a document of the disk.
        #[salsa::tracked(returns(clone))]
        pub fn document_tree(db: &dyn Db, file: File) -> Arc<Tree> {
            let secrets = saved_file_secrets(db, file);
            Arc::new(read(file.path(db), file.saved_text(db), &secrets))
        }
    }
    edited {
        /// Reads a document, opened or edited ones with their text in the editor.
        #[salsa::tracked(returns(clone))]
        pub fn document_tree(db: &dyn Db, file: File) -> Arc<Tree> {
            let text = if file.is_edited(db) {
                file.edited_text(db)
            } else {
                file.saved_text(db)
            };
            Arc::new(read(file.path(db), text, &file_secrets(db, file)))
        }
    }
    both {
        /// Returns what a document says of deployments.
        #[salsa::tracked(returns(clone))]
        pub fn document_deployment(db: &dyn Db, file: File) -> Option<Arc<Deployment>> {
            let tree = texts::document_tree(db, file);
            read_deployment(file.path(db), &tree).map(Arc::new)
        }

        /// Returns the paths of the documents that a document refers to directly.
        #[salsa::tracked(returns(clone))]
        pub fn document_references(db: &dyn Db, file: File) -> Arc<[String]> {
            let tree = texts::document_tree(db, file);
            referenced_documents(file.path(db), &tree).into()
        }

        /// Returns the contracts of a document by its own text.
        #[salsa::tracked(returns(clone))]
        pub fn own_contracts(db: &dyn Db, file: File) -> Contracts {
            let tree = texts::document_tree(db, file);
            let path = file.path(db).to_string();
            read_all(file.path(db), &Trees::new([(path, &*tree)]))
        }
    }
    /// Returns the tree of a document.
    fn document_tree(File) -> Arc<Tree>;
    /// Returns what a document says of deployments; `None` if that is nothing.
    fn document_deployment(File) -> Option<Arc<Deployment>>;
    /// Returns the paths of the documents that a document refers to directly.
    fn document_references(File) -> Arc<[String]>;
    /// Returns the contracts of a document by its own text: those of one that refers to no other.
    fn own_contracts(File) -> Contracts;
}

/// The contracts of a document, in text order.
pub type Contracts = Arc<[Arc<Contract>]>;

/// Returns the documents of the workspace by path.
#[salsa::tracked(returns(clone))]
pub fn documents_by_path(db: &dyn Db, graph: UnitGraph) -> Arc<FxHashMap<Arc<str>, File>> {
    let files = graph.documents(db).iter();
    Arc::new(files.map(|&file| (file.path(db).clone(), file)).collect())
}

/// Returns the contracts of a document with what it refers to, over any number of documents, which may refer to each other
/// in a circle: the query reads their trees, never their contracts.
///
/// It has no variant for saved texts, since another document may be edited.
#[salsa::tracked(returns(clone))]
pub fn joined_contracts(db: &dyn Db, file: File) -> Contracts {
    let by_path = UnitGraph::try_get(db).map(|graph| documents_by_path(db, graph));
    let by_path = by_path.unwrap_or_default();
    let path = file.path(db);
    let mut trees: FxHashMap<String, Arc<Tree>> = FxHashMap::default();
    let mut next = vec![(path.to_string(), file)];
    while let Some((path, file)) = next.pop() {
        if trees.contains_key(&path) {
            continue;
        }
        let referenced = document_references(db, file);
        let known = referenced.iter().filter_map(|path| {
            let file = by_path.get(path.as_str())?;
            Some((path.clone(), *file))
        });
        next.extend(known);
        trees.insert(path, document_tree(db, file));
    }
    let trees = Trees::new(trees.iter().map(|(path, tree)| (path.clone(), &**tree)));
    read_all(path, &trees)
}

/// Returns the contracts of a document.
pub fn contracts(db: &dyn Db, file: File) -> Contracts {
    if document_references(db, file).is_empty() {
        own_contracts(db, file)
    } else {
        joined_contracts(db, file)
    }
}

fn read_all(path: &str, trees: &Trees<'_>) -> Contracts {
    let contracts = read_contracts(path, trees).into_iter();
    contracts.map(Arc::new).collect()
}

/// Reads a document. The texts of its secrets are in no tree.
fn read(path: &str, text: &str, secrets: &[Finding]) -> Tree {
    let text = masked(text, secrets);
    Format::of_path(path).map_or_else(Tree::default, |format| format.read(&text))
}

/// Returns what a document says of deployments, compose files with the values of the environment files that they name.
///
/// It has no variant for saved texts, since another document may be edited.
#[salsa::tracked(returns(clone))]
pub fn filled_deployment(db: &dyn Db, file: File) -> Option<Arc<Deployment>> {
    let mut deployment = document_deployment(db, file)?;
    // No literal of a file with a secret is kept: others of its values may be secrets that no rule finds.
    if has_secret(db, file) {
        deployment = Arc::new(deployment.without_values());
    }
    if !deployment.is_compose {
        return Some(deployment);
    }
    let by_path = UnitGraph::try_get(db).map(|graph| documents_by_path(db, graph));
    let by_path = by_path.unwrap_or_default();
    let filled = deployment.filled(file.path(db), &|path| {
        let file = *by_path.get(path)?;
        let tree = document_tree(db, file);
        let is_hidden = has_secret(db, file);
        let reader = Reader::new(&tree);
        let values = reader.roots().flat_map(|root| root.entries());
        let values = values.filter_map(|(name, value)| {
            let value = value.text()?;
            let value = if is_hidden { "" } else { value };
            Some((name.to_owned(), value.to_owned()))
        });
        Some(values.collect())
    });
    Some(Arc::new(filled))
}

/// Returns the documents of a database, sorted by path.
pub fn documents(db: &dyn Db) -> Arc<[File]> {
    let graph = UnitGraph::try_get(db);
    graph
        .map(|graph| graph.documents(db).clone())
        .unwrap_or_default()
}
