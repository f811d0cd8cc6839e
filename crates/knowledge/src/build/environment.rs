//! What facts of the code are read with: the services of files, the environment that services are deployed with.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use codeweft_db::SymbolId;

use crate::builder::GraphBuilder;
use crate::code_layer::symbol_id;
use super::deployed::{ValueSets, deployed_services};
use super::reach::Reach;
use super::settings::Settings;
use crate::facts::Facts;
use crate::graph::Relation;
use crate::handlers::compared;
use crate::services::{Service, is_below};
use crate::wires::{Program, SettingFact, Text};

/// The facts of documents and code together, for those of wires.
pub(super) struct Wired<'a> {
    pub(super) facts: &'a Facts,
    program: &'a Program<'a>,
    /// The variables of each service by name: what its deployments give them, in the order of documents.
    variables: BTreeMap<&'a str, BTreeMap<&'a str, Vec<&'a str>>>,
    /// The services by files of none that only they import, over any number of steps.
    importing: BTreeMap<String, &'a Service>,
    pub(super) reach: Reach<'a>,
    /// What the code says of settings, and the settings of services, once one is read.
    said: &'a [SettingFact],
    settings: OnceCell<Settings<'a>>,
}

impl<'a> Wired<'a> {
    pub(super) fn new(
        facts: &'a Facts,
        program: &'a Program<'a>,
        graph: &GraphBuilder,
        said: &'a [SettingFact],
    ) -> Wired<'a> {
        let sets = ValueSets::of(facts);
        let mut variables: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
        for (service, deployed) in deployed_services(facts) {
            let of_service = variables.entry(&service.name).or_default();
            for one in sets.variables(deployed) {
                let values = of_service.entry(one.name).or_default();
                if !values.contains(&one.value) {
                    values.push(one.value);
                }
            }
        }
        Wired {
            facts,
            program,
            variables,
            importing: importing(facts, graph),
            reach: Reach::new(facts, &handling(facts, graph)),
            said,
            settings: OnceCell::new(),
        }
    }

    /// Returns the value of a variable in the environment of a service; of several deployments the first.
    pub(super) fn variable(&self, service: &str, name: &str) -> Option<String> {
        self.values(service, name)
            .first()
            .map(|value| (*value).to_owned())
    }

    /// Returns the values of a variable in the environments of a service; of a setting, whose key begins with a dot, in its
    /// configurations.
    pub(super) fn values(&self, service: &str, name: &str) -> Vec<&str> {
        if name.starts_with('.') {
            let settings = self.settings.get_or_init(|| Settings::of(self, self.said));
            return settings.values(service, name);
        }
        let of_service = self.variables.get(service);
        let values = of_service.and_then(|variables| variables.get(name));
        values.cloned().unwrap_or_default()
    }

    /// Returns what a text is in the deployments of a service, and whether its beginning is not known; with the first
    /// values of its variables, with the second, and so on.
    pub(super) fn deployed_texts(&self, service: &str, text: &Text) -> Vec<(String, bool)> {
        let counts = text
            .variables()
            .map(|name| self.values(service, name).len());
        let count = counts.max().unwrap_or_default().max(1);
        let mut all: Vec<(String, bool)> = Vec::new();
        for number in 0..count {
            let value = |name: &str| {
                let values = self.values(service, name);
                let value = values.get(number).or_else(|| values.last());
                value.map(|value| (*value).to_owned())
            };
            let read = text.path(&value);
            if !all.contains(&read) {
                all.push(read);
            }
        }
        all
    }

    /// Returns the path of a file by its number.
    pub(super) fn path(&self, file: u32) -> &'a str {
        self.program.file(file).map_or("", |file| &file.path)
    }

    /// Returns the 1-based line of a call of a file, both by number.
    pub(super) fn line(&self, file: u32, call: u32) -> u32 {
        self.program.line((file, call))
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

    /// Returns the services that run a function of a file; without one those that run the file.
    pub(super) fn running(&self, file: u32, function: Option<SymbolId>) -> Vec<&'a Service> {
        let symbol = function.and_then(|function| self.facts.code.number_of(function));
        self.reach.services(self.path(file), symbol)
    }

    /// Returns the services of a fact: those that run the function of its call, and the files where its text becomes constant.
    pub(super) fn services(
        &self,
        text: &Text,
        call: u32,
        function: Option<SymbolId>,
    ) -> Vec<&'a Service> {
        let mut running = self.running(call, function);
        if running.is_empty() {
            // Of programs that share a folder none is known to run it.
            running = self.running(call, None);
            running.retain(|service| service.entries.is_empty());
        }
        for file in text.files().filter(|file| *file != call) {
            let path = self.path(file);
            running.retain(|service| self.reach.runs(service, path, None));
        }
        running
    }

    /// Returns whether a service may read a value of a set by its name: the code has no field for it, or the service runs code
    /// of a file that reads the field, beside that which declares it.
    pub(super) fn reads_value(&self, service: &str, name: &str) -> bool {
        let name = compared(name);
        let fields = self.facts.code.symbols.iter().filter(|symbol| {
            symbol.kind == "field" && !symbol.is_external && compared(&symbol.name) == name
        });
        let (mut has_field, mut is_read) = (false, false);
        for field in fields {
            has_field = true;
            let mentioning = self
                .program
                .files_reading(field.lang, &field.name, field.symbol);
            is_read |= mentioning
                .into_iter()
                .any(|path| path != &*field.file && self.reach.uses_file(service, path));
        }
        !has_field || is_read
    }

    /// Returns the services around a file that run tasks.
    pub(super) fn workers(&self, file: u32) -> Vec<&'a Service> {
        let path = self.path(file);
        let services = self.facts.services.list.iter();
        let workers = services.filter(|service| {
            service.is_worker && service.paths.iter().any(|folder| is_below(path, folder))
        });
        workers.collect()
    }

    /// Returns the id of a symbol that is a node.
    pub(super) fn symbol(&self, symbol: SymbolId) -> Option<String> {
        let number = self.facts.code.number_of(symbol)?;
        self.facts.code.symbol(number).and_then(symbol_id)
    }
}

/// Returns the functions that handle endpoints so far, by number.
fn handling(facts: &Facts, graph: &GraphBuilder) -> Vec<u32> {
    let handlers = graph.ends_of(Relation::HandlesEndpoint);
    let handlers: BTreeSet<&str> = handlers.map(|(handler, _)| handler).collect();
    let symbols = (0..).zip(&facts.code.symbols);
    let handling = symbols.filter(|(_, symbol)| {
        !handlers.is_empty() && symbol_id(symbol).is_some_and(|id| handlers.contains(&*id))
    });
    handling.map(|(number, _)| number).collect()
}

/// Returns the files of no service that the files of only one import, over any number of steps.
fn importing<'a>(facts: &'a Facts, graph: &GraphBuilder) -> BTreeMap<String, &'a Service> {
    let path = |id: &str| id.strip_prefix("file::").unwrap_or(id).to_owned();
    let mut imports: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (from, to, _) in graph.imports() {
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
