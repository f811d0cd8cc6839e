//! What facts of the code are read with: the services of files, the environment that services are deployed with.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_db::SymbolId;

use super::code_nodes::symbol_id;
use super::deployed::{ValueSets, deployed_services};
use crate::facts::Facts;
use crate::graph::{GraphBuilder, Relation};
use crate::services::Service;
use crate::wires::Program;

/// The facts of documents and code together, for those of wires.
pub(super) struct Wired<'a> {
    pub(super) facts: &'a Facts,
    program: &'a Program<'a>,
    /// The variables of each service by name.
    variables: BTreeMap<&'a str, BTreeMap<&'a str, &'a str>>,
    /// The services by files of none that only they import, over any number of steps.
    importing: BTreeMap<String, &'a Service>,
}

impl<'a> Wired<'a> {
    pub(super) fn new(
        facts: &'a Facts,
        program: &'a Program<'a>,
        graph: &GraphBuilder,
    ) -> Wired<'a> {
        let sets = ValueSets::of(facts);
        let mut variables: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
        for (service, deployed) in deployed_services(facts) {
            let of_service = variables.entry(&service.name).or_default();
            of_service.extend(sets.variables(deployed).map(|one| (one.name, one.value)));
        }
        Wired {
            facts,
            program,
            variables,
            importing: importing(facts, graph),
        }
    }

    /// Returns the value of a variable in the environment of a service.
    pub(super) fn variable(&self, service: &str, name: &str) -> Option<String> {
        self.variables
            .get(service)?
            .get(name)
            .map(|value| (*value).to_owned())
    }

    /// Returns the path of a file by its number.
    pub(super) fn path(&self, file: u32) -> &'a str {
        self.program.file(file).map_or("", |file| &file.path)
    }

    /// Returns the service of a fact: that of the file where its text becomes constant, else that of the file of its call.
    pub(super) fn service(&self, text: u32, call: u32) -> Option<&'a Service> {
        let of = |file| {
            let path = self.path(file);
            let around = self.facts.services.of_path(path);
            around.or_else(|| self.importing.get(path).copied())
        };
        of(text).or_else(|| of(call))
    }

    /// Returns the id of a symbol that is a node.
    pub(super) fn symbol(&self, symbol: SymbolId) -> Option<String> {
        let number = self.facts.code.number_of(symbol)?;
        self.facts.code.symbol(number).and_then(symbol_id)
    }
}

/// Returns the files of no service that the files of only one import, over any number of steps.
fn importing<'a>(facts: &'a Facts, graph: &GraphBuilder) -> BTreeMap<String, &'a Service> {
    let path = |id: &str| id.strip_prefix("file::").unwrap_or(id).to_owned();
    let mut imports: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (from, to) in graph.ends_of(Relation::Imports) {
        imports.entry(path(from)).or_default().push(path(to));
    }
    let mut found: BTreeMap<String, Option<&'a Service>> = BTreeMap::new();
    for service in &facts.services.list {
        let of_service = |path: &str| {
            let around = facts.services.of_path(path);
            around.is_some_and(|around| around.name == service.name)
        };
        let own = imports.keys().filter(|path| of_service(path)).cloned();
        let mut open: Vec<String> = own.collect();
        let mut seen: BTreeSet<String> = open.iter().cloned().collect();
        while let Some(file) = open.pop() {
            for to in imports.get(&file).into_iter().flatten() {
                if facts.services.of_path(to).is_none() && seen.insert(to.clone()) {
                    open.push(to.clone());
                }
            }
        }
        for file in seen.into_iter().filter(|file| !of_service(file)) {
            let known = found.entry(file).or_insert(Some(service));
            if known.is_some_and(|known| known.name != service.name) {
                *known = None;
            }
        }
    }
    let sure = found.into_iter();
    sure.filter_map(|(file, service)| Some((file, service?)))
        .collect()
}
