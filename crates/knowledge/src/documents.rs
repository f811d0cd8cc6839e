//! The queries of documents: their trees, and what they declare.

use std::sync::Arc;

use codeweft_db::{Db, File, UnitGraph, text_queries};
use codeweft_documents::contract::{Contract, Trees, read_contracts, referenced_documents};
use codeweft_documents::deployment::{Deployment, read_deployment};
use codeweft_documents::{Format, Tree};
use rustc_hash::FxHashMap;

text_queries! {
    saved {
        /// Reads a document of the disk.
        #[salsa::tracked(returns(clone))]
        pub fn document_tree(db: &dyn Db, file: File) -> Arc<Tree> {
            Arc::new(read(file.path(db), file.saved_text(db)))
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
            Arc::new(read(file.path(db), text))
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
    }
    /// Returns the tree of a document.
    fn document_tree(File) -> Arc<Tree>;
    /// Returns what a document says of deployments; `None` if that is nothing.
    fn document_deployment(File) -> Option<Arc<Deployment>>;
    /// Returns the paths of the documents that a document refers to directly.
    fn document_references(File) -> Arc<[String]>;
}

fn read(path: &str, text: &str) -> Tree {
    Format::of_path(path).map_or_else(Tree::default, |format| format.read(text))
}

/// The documents of a workspace by path.
pub struct Documents {
    by_path: FxHashMap<Arc<str>, File>,
    /// Sorted by path.
    pub files: Arc<[File]>,
}

impl Documents {
    /// Returns the documents of a database.
    pub fn of(db: &dyn Db) -> Documents {
        let graph = UnitGraph::try_get(db);
        let files = graph.map(|graph| graph.documents(db).clone());
        let files = files.unwrap_or_default();
        Documents {
            by_path: files
                .iter()
                .map(|&file| (file.path(db).clone(), file))
                .collect(),
            files,
        }
    }

    /// Returns the contracts of a document. A plain function: it reads the trees of all documents that are referred to,
    /// which may refer to each other in a circle.
    pub fn contracts(&self, db: &dyn Db, file: File) -> Vec<Contract> {
        let path = file.path(db);
        let mut trees: FxHashMap<String, Arc<Tree>> = FxHashMap::default();
        let mut next = vec![(path.to_string(), file)];
        while let Some((path, file)) = next.pop() {
            if trees.contains_key(&path) {
                continue;
            }
            let referenced = document_references(db, file);
            let known = referenced.iter().filter_map(|path| {
                let file = self.by_path.get(path.as_str())?;
                Some((path.clone(), *file))
            });
            next.extend(known);
            trees.insert(path, document_tree(db, file));
        }
        let trees = Trees::new(trees.iter().map(|(path, tree)| (path.clone(), &**tree)));
        read_contracts(path, &trees)
    }
}
