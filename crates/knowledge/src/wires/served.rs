//! Servers of rpcs that the code registers, by the functions that are generated for it: `RegisterOrdersServer(s, impl)`.

use std::sync::Arc;

use codeweft_db::{SymbolId, WireValue};

use super::facts::Composer;
use super::value::{Abstract, CallAt, Class};
use crate::handlers::go_name;

/// A registration of a server.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ServedFact {
    /// The generated function that registers it, by number.
    pub(crate) function: u32,
    /// The types of what is registered; empty if they are not known.
    pub(crate) classes: Vec<SymbolId>,
    /// The name of the service with its package, as its generated description has it.
    pub(crate) service: Option<Arc<str>>,
    /// The file and the number of the call that registers it.
    pub(crate) file: u32,
    pub(crate) call: u32,
}

/// Returns the service that a generated function registers a server of, without its package.
pub(crate) fn registered_service(function: &str) -> Option<&str> {
    function.strip_prefix("Register")?.strip_suffix("Server")
}

/// The number of the argument that is the server.
const SERVER: usize = 1;

/// The types of tests: what takes one has only tests as callers (Go, package testing).
const TESTS: [&str; 4] = ["*testing.T", "*testing.B", "*testing.F", "testing.TB"];

/// The field of a generated description that has the name of the service (grpc-go, `ServiceDesc`).
const NAME_FIELD: &str = "ServiceName";

impl Composer<'_> {
    /// Returns the registrations, by function, file and text.
    pub(super) fn served(&self) -> Vec<ServedFact> {
        let mut served = Vec::new();
        for (number, symbol) in (0..).zip(&self.code.symbols) {
            let service = registered_service(&symbol.name);
            let service = service.filter(|_| symbol.kind == "function" && !symbol.is_external);
            let (Some(service), Some(function)) = (service, symbol.symbol) else {
                continue;
            };
            if !self.is_generated(&symbol.file) {
                continue;
            }
            let name = self.described_service(&symbol.file, service);
            for at in self.callers(function) {
                let classes = self.registered_classes(at);
                let is_known =
                    !classes.is_empty() && !classes.iter().any(|&one| self.is_interface(one));
                if !is_known && self.is_in_helper_of_tests(at) {
                    continue;
                }
                served.push(ServedFact {
                    function: number,
                    classes,
                    service: name.clone(),
                    file: at.0,
                    call: at.1,
                });
            }
        }
        served
    }

    fn is_interface(&self, class: SymbolId) -> bool {
        let number = self.code.number_of(class);
        let symbol = number.and_then(|number| self.code.symbol(number));
        symbol.is_some_and(|symbol| symbol.kind == "interface")
    }

    /// Returns whether a call is in a function that only tests call: one that takes a test.
    fn is_in_helper_of_tests(&self, at: CallAt) -> bool {
        let around = self.call(at).and_then(|call| {
            let functions = &self.loaded(at.0).wires.functions;
            Some(functions.get(call.function as usize)?.symbol)
        });
        let number = around.and_then(|symbol| self.code.number_of(symbol));
        let symbol = number.and_then(|number| self.code.symbol(number));
        let signature = symbol.and_then(|symbol| symbol.signature.as_deref());
        signature.is_some_and(|signature| TESTS.iter().any(|of| signature.contains(of)))
    }

    fn registered_classes(&self, at: CallAt) -> Vec<SymbolId> {
        let call = self.call(at);
        let server = call.and_then(|call| call.arguments.get(SERVER).copied());
        let Some(server) = server else {
            return Vec::new();
        };
        let values = self.evaluate(at.0, server.value, &None);
        let classes = values.iter().map(|value| self.class_of_value(value));
        // Of one whose type is not known nothing can be said.
        let Some(mut classes) = classes.collect::<Option<Vec<SymbolId>>>() else {
            return Vec::new();
        };
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    fn class_of_value(&self, value: &Abstract) -> Option<SymbolId> {
        match value {
            Abstract::Object(_, Class::Declared(symbol), _) => Some(*symbol),
            Abstract::Written(file, value, _) => match self.value(*file, *value) {
                WireValue::Object { class, .. } => match self.class_of_type(*file, class) {
                    Class::Declared(symbol) => Some(symbol),
                    Class::Unknown | Class::Path(_) => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the full name of a service from the description of it in a generated file.
    fn described_service(&self, file: &str, service: &str) -> Option<Arc<str>> {
        let wires = self.wires_of_generated(file)?;
        let objects = wires.values.iter().filter_map(|value| match value {
            WireValue::Object { fields, .. } => Some(fields),
            _ => None,
        });
        let mut names = objects.flatten().filter_map(|(name, _, value)| {
            match (self.name(*name), wires.value(*value)) {
                (NAME_FIELD, WireValue::Text(text)) => Some(text),
                _ => None,
            }
        });
        names
            .find(|text| {
                text.rsplit('.')
                    .next()
                    .is_some_and(|name| go_name(name) == service)
            })
            .cloned()
    }
}
