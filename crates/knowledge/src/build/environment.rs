//! What facts of the code are read with: the services of files, the environment that services are deployed with.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use codeweft_db::SymbolId;

use super::deployed::{ValueSets, deployed_services, options};
use super::reach::Reach;
use super::settings::Settings;
use super::variables::reading;
use crate::builder::GraphBuilder;
use crate::code_layer::symbol_id;
use crate::facts::Facts;
use crate::graph::Relation;
use crate::handlers::compared;
use crate::recognisers::One;
use crate::services::{Service, is_below};
use crate::wires::{Around, FLAG, MentionFact, Program, Readers, SettingFact, Text, WireFacts};

/// The facts of documents and code together, for those of wires.
pub(super) struct Wired<'a> {
    pub(super) facts: &'a Facts,
    program: &'a Program<'a>,
    /// The variables of each service by name: what its deployments give them, in the order of documents.
    variables: BTreeMap<&'a str, BTreeMap<&'a str, Vec<&'a str>>>,
    /// What the commands of each service give options, by name without hyphens.
    flags: BTreeMap<&'a str, BTreeMap<String, Vec<String>>>,
    /// The services by files of none that only they import, over any number of steps.
    importing: BTreeMap<String, &'a Service>,
    pub(super) reach: Reach<'a>,
    readers: &'a Readers,
    /// The names of the services that read a variable, by what was wanted so far.
    reading: RefCell<BTreeMap<SymbolId, Option<BTreeSet<&'a str>>>>,
    /// What the code says of settings, and the settings of services, once one is read.
    said: &'a [SettingFact],
    settings: OnceCell<Settings<'a>>,
}

impl<'a> Wired<'a> {
    pub(super) fn new(
        facts: &'a Facts,
        program: &'a Program<'a>,
        graph: &GraphBuilder,
        wires: &'a WireFacts,
    ) -> Wired<'a> {
        let sets = ValueSets::of(facts);
        let mut variables: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
        let mut flags: BTreeMap<&str, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        for (service, deployed) in deployed_services(facts) {
            let of_service = flags.entry(&service.name).or_default();
            for (name, value) in options(&deployed.command) {
                let values = of_service.entry(name).or_default();
                if !values.contains(&value) {
                    values.push(value);
                }
            }
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
            flags,
            importing: importing(facts, graph),
            reach: Reach::new(facts, &handling(facts, graph), &wires.commands),
            readers: &wires.readers,
            reading: RefCell::default(),
            said: &wires.settings,
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
    /// configurations; of an option in its commands.
    pub(super) fn values(&self, service: &str, name: &str) -> Vec<&str> {
        if name.starts_with('.') {
            let settings = self.settings.get_or_init(|| Settings::of(self, self.said));
            return settings.values(service, name);
        }
        if let Some(flag) = name.strip_prefix(FLAG) {
            let values = self.flags.get(service).and_then(|flags| flags.get(flag));
            let values = values.into_iter().flatten();
            return values.map(String::as_str).collect();
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

    /// Returns the variables that libraries read by themselves.
    pub(super) fn variables_of_libraries(&self) -> BTreeSet<&'a str> {
        let rows = self.program.resolved.rows.iter();
        let requests = rows.filter_map(|row| row.request.as_ref());
        let variables = requests.flat_map(|request| &request.variables);
        variables.map(String::as_str).collect()
    }

    /// Returns the variables that name the documents of which libraries give the code settings.
    pub(super) fn variables_of_settings(&self) -> BTreeSet<&'a str> {
        let rows = self.program.resolved.rows.iter();
        let texts = rows.filter_map(|row| row.text.as_ref().filter(|text| text.settings));
        let named = texts.filter_map(|text| match text.environment.as_ref()?.0.first()? {
            One::Text(name) => Some(name.as_str()),
            _ => None,
        });
        named.collect()
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

    /// Returns the services that run code of a file; without a function around it those that run the file.
    pub(super) fn running(&self, file: u32, around: Around) -> Vec<&'a Service> {
        let function = around.function;
        let symbol = function.and_then(|function| self.facts.code.number_of(function));
        let mut running = self.reach.services(self.path(file), symbol);
        running.retain(|service| self.reach.runs_command(service, around.command));
        running
    }

    /// Returns the services that run the code that mentions an address, and read the variable that holds it.
    pub(super) fn mentioning(&self, mention: &MentionFact) -> Vec<&'a Service> {
        let mut running = self.running(mention.file, mention.around);
        let mut known = self.reading.borrow_mut();
        let mut reading_it: Option<BTreeSet<&str>> = None;
        for &variable in &mention.held_by {
            let services = known
                .entry(variable)
                .or_insert_with(|| reading(self, self.readers, variable));
            if let Some(services) = services {
                reading_it.get_or_insert_default().extend(services.iter());
            }
        }
        if let Some(reading) = reading_it {
            running.retain(|service| reading.contains(&*service.name));
        }
        running
    }

    /// Returns the services of a fact: those that run the code around its call, and the files where its text becomes constant.
    pub(super) fn services(&self, text: &Text, call: u32, around: Around) -> Vec<&'a Service> {
        let mut running = self.running(call, around);
        if running.is_empty() {
            // Of programs that share a folder none is known to run it, nor is a command of a program that has several.
            let around = Around {
                function: None,
                ..around
            };
            running = self.running(call, around);
            running.retain(|service| service.entries.is_empty() && !self.reach.is_split(service));
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
        self.around(file, |service| service.is_worker)
    }

    /// Returns the services around a file that publish tasks at their times.
    pub(super) fn schedulers(&self, file: u32) -> Vec<&'a Service> {
        self.around(file, |service| service.is_scheduler)
    }

    fn around(&self, file: u32, has: impl Fn(&Service) -> bool) -> Vec<&'a Service> {
        let path = self.path(file);
        let services = self.facts.services.list.iter();
        let around = services.filter(|service| {
            has(service) && service.paths.iter().any(|folder| is_below(path, folder))
        });
        around.collect()
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
