//! What a build of the knowledge graph reads.

use std::sync::Arc;

use codeweft_db::{Db as _, RootDb, has_secret};
use codeweft_documents::contract::Contract;
use codeweft_documents::{NodeId, Tree};
use codeweft_graph::RevisionCache;

use crate::code::{Code, CodeChange};
use crate::code_stamp::CodeStamp;
use crate::documents::{
    contracts as contracts_of, document_tree, documents as documents_of, filled_deployment,
};
use crate::services::{DeploymentAt, Services};
use crate::settings::KnowledgeSettings;

/// A document of the workspace.
#[derive(Clone)]
pub(crate) struct DocumentAt {
    pub(crate) path: Arc<str>,
    pub(crate) tree: Arc<Tree>,
    /// Whether it has a secret: none of its texts is visible then.
    pub(crate) has_secret: bool,
}

impl DocumentAt {
    /// Returns the 1-based line of a node.
    pub(crate) fn line(&self, node: NodeId) -> u32 {
        self.tree.line_column(self.tree.span(node).start).0
    }
}

/// A contract of a document.
#[derive(Clone)]
pub(crate) struct ContractAt {
    /// The number of the document.
    pub(crate) document: usize,
    pub(crate) contract: Arc<Contract>,
    /// The id on the wire: the path, with the number of the root behind it if there are several.
    pub(crate) id: String,
}

/// What a build reads.
pub(crate) struct Facts {
    pub(crate) settings: KnowledgeSettings,
    pub(crate) code: Arc<Code>,
    pub(crate) documents: Vec<DocumentAt>,
    pub(crate) contracts: Vec<ContractAt>,
    pub(crate) deployments: Vec<DeploymentAt>,
    /// The services that documents and code declare, before wires are evaluated.
    pub(crate) declared_services: Services,
    /// The services: those with the code that commands of programs lead to. A build completes it from the other facts.
    pub(crate) services: Services,
    /// What the code is made of.
    pub(crate) stamp: CodeStamp,
    /// How the code differs from that of the facts whose code was taken over.
    pub(crate) change: CodeChange,
}

impl Facts {
    /// Returns whether a graph of these facts is that of others. Results of queries are compared by address: they are the
    /// same as long as nothing that they read has changed.
    pub(crate) fn are_same(&self, other: &Facts) -> bool {
        // Named one by one: a fact that is added has to be compared.
        let Facts {
            settings,
            code,
            documents,
            contracts,
            deployments,
            declared_services,
            services: _,
            stamp,
            change: _,
        } = self;
        let same_documents = documents.len() == other.documents.len()
            && documents.iter().zip(&other.documents).all(|(own, others)| {
                own.path == others.path
                    && own.has_secret == others.has_secret
                    && Arc::ptr_eq(&own.tree, &others.tree)
            });
        let same_contracts = contracts.len() == other.contracts.len()
            && contracts.iter().zip(&other.contracts).all(|(own, others)| {
                own.document == others.document
                    && own.id == others.id
                    && Arc::ptr_eq(&own.contract, &others.contract)
            });
        let same_deployments = deployments.len() == other.deployments.len()
            && deployments
                .iter()
                .zip(&other.deployments)
                .all(|(own, others)| own.0 == others.0 && Arc::ptr_eq(&own.1, &others.1));
        *settings == other.settings
            && stamp.has_units_of(&other.stamp)
            && *declared_services == other.declared_services
            && same_documents
            && same_contracts
            && same_deployments
            && (Arc::ptr_eq(code, &other.code) || *code == other.code)
    }
}

/// The database of a revision, and how its graph is built.
#[derive(Clone, Copy)]
pub struct GraphSource<'a> {
    /// The database.
    pub db: &'a RootDb,
    /// What the requests of the revision share.
    pub cache: &'a RevisionCache,
    /// The root of the workspace, absolute; its last part names the service of a workspace that has no other.
    pub root: &'a str,
    /// The settings.
    pub settings: &'a KnowledgeSettings,
    /// How many threads may be used.
    pub threads: usize,
}

/// Returns what a build of a database reads. The code of `last` is taken over as far as it is the same.
pub(crate) fn read(source: &GraphSource<'_>, last: Option<&Facts>) -> Facts {
    let &GraphSource {
        db,
        cache,
        root,
        settings,
        threads,
    } = source;
    let known = last.map(|last| (&last.stamp, &last.code));
    let (stamp, code, change) = Code::of(db, cache, threads, known);
    let mut documents = Vec::new();
    let mut contracts = Vec::new();
    let mut deployments: Vec<DeploymentAt> = Vec::new();
    for &file in documents_of(db).iter() {
        db.unwind_if_cancelled();
        let path = file.path(db).clone();
        if let Some(deployment) = filled_deployment(db, file) {
            deployments.push((path.clone(), deployment));
        }
        let document = documents.len();
        let of_document = contracts_of(db, file);
        let several = of_document.len() > 1;
        for (number, contract) in (1..).zip(of_document.iter()) {
            contracts.push(ContractAt {
                document,
                contract: contract.clone(),
                id: if several {
                    format!("{path}#{number}")
                } else {
                    path.to_string()
                },
            });
        }
        documents.push(DocumentAt {
            path,
            tree: document_tree(db, file),
            has_secret: has_secret(db, file),
        });
    }
    let root_name = root
        .rsplit('/')
        .find(|part| !part.is_empty())
        .unwrap_or("workspace");
    let declared_services = Services::find(root_name, &settings.services, &code, &deployments);
    Facts {
        settings: settings.clone(),
        code,
        documents,
        contracts,
        deployments,
        services: declared_services.clone(),
        declared_services,
        stamp,
        change,
    }
}
