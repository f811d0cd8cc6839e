//! The handlers of the operations of contracts, by what the code graph resolved.
//!
//! ```text
//! rpc Get of service Orders ── OrdersServer.Get (generated interface) <── implements ── server.Get
//!                           ── OrdersServicer.Get (generated class)   <── inherits ──── Servicer.Get
//! operationId getOrder      ── ServerInterface.GetOrder (generated)   <── implements ── api.GetOrder
//! operationId app.orders.get ─ app/orders.py, function get
//! ```

use std::collections::{BTreeMap, BTreeSet};

use codeweft_documents::contract::{Contract, Operation};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Code, CodeEdgeType, CodeSymbol};
use crate::services::parent;
use crate::wires::{ServedFact, registered_service};

/// How a handler was found, on the wire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum FoundBy {
    /// It implements the method of a generated server interface.
    ServerInterface,
    /// The contract names its module.
    ModulePath,
    /// It is the only function of the operation's name.
    Name,
    /// It is registered for the method and the path.
    Registration,
}

impl FoundBy {
    pub(crate) fn wire_name(self) -> &'static str {
        match self {
            FoundBy::ServerInterface => "server_interface",
            FoundBy::ModulePath => "module_path",
            FoundBy::Name => "name",
            FoundBy::Registration => "registration",
        }
    }
}

/// A handler: a symbol by number, and how it was found.
pub(crate) type Handler = (u32, FoundBy);

/// Finds handlers and stubs.
pub(crate) struct Handlers<'a> {
    code: &'a Code,
    generated: FxHashSet<&'a str>,
    /// The methods of a type, by the id of the type.
    members: FxHashMap<&'a str, Vec<u32>>,
    /// The methods that implement an interface's method, both by number.
    implementers: FxHashMap<u32, Vec<u32>>,
    /// The classes that have a class as a base, both by number.
    subclasses: FxHashMap<u32, Vec<u32>>,
    /// The functions of modules that are files, by the path without extension and their name in it.
    in_modules: FxHashMap<(&'a str, &'a str), u32>,
    /// The functions that may be handlers, by their compared name.
    by_name: FxHashMap<String, Vec<u32>>,
    /// The types whose values are registered, by the id of the generated interface of the server; of those whose registrations
    /// are all known.
    registered: FxHashMap<String, FxHashSet<&'a str>>,
    /// The bases and embedded types of a type, both by id.
    bases: FxHashMap<&'a str, Vec<&'a str>>,
    /// The generated interfaces and classes of servers, by number.
    servers: Vec<u32>,
}

/// What ends the names of the interfaces that grpc-go generates for servers, and of the classes that grpcio generates.
const SERVER_SUFFIXES: [&str; 2] = ["Server", "Servicer"];

/// The share of the methods of a server interface that are operations of its contract.
const MIN_SHARE: f64 = 0.9;

impl<'a> Handlers<'a> {
    /// Reads the code, and the registrations of servers in it.
    pub(crate) fn new(code: &'a Code, served: &[ServedFact]) -> Handlers<'a> {
        let generated = code.files.iter().filter(|file| file.is_generated);
        let generated: FxHashSet<&str> = generated.map(|file| &*file.path).collect();
        let mut members: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        let mut in_modules = FxHashMap::default();
        let mut by_name: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (number, symbol) in (0..).zip(&code.symbols) {
            if !matches!(&*symbol.kind, "function" | "method") {
                continue;
            }
            members.entry(&symbol.container).or_default().push(number);
            if symbol.is_external || symbol.is_test || generated.contains(&*symbol.file) {
                continue;
            }
            if symbol.lang.is_some_and(|lang| lang.packages_are_files) {
                in_modules.insert(
                    (without_extension(&symbol.file), local_name(symbol)),
                    number,
                );
            }
            by_name
                .entry(compared(&symbol.name))
                .or_default()
                .push(number);
        }
        let mut implementers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut subclasses: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for edge in code.edges.iter().filter(|edge| !edge.is_test) {
            let by = match edge.edge_type {
                CodeEdgeType::Implements => &mut implementers,
                CodeEdgeType::Inherits => &mut subclasses,
                CodeEdgeType::Calls | CodeEdgeType::Imports | CodeEdgeType::References => {
                    continue;
                }
            };
            by.entry(edge.to).or_default().push(edge.from);
        }
        let mut bases: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for (&base, heirs) in &subclasses {
            let base = code.symbol(base).map(|symbol| &*symbol.id);
            let heirs = heirs.iter().filter_map(|heir| code.symbol(*heir));
            for (heir, base) in heirs.zip(base.iter().cycle()) {
                bases.entry(&heir.id).or_default().push(base);
            }
        }
        let is_server = |symbol: &CodeSymbol| {
            let is_named = SERVER_SUFFIXES.iter().any(|end| symbol.name.ends_with(end));
            is_named
                && matches!(&*symbol.kind, "interface" | "class")
                && generated.contains(&*symbol.file)
        };
        let servers = (0..).zip(&code.symbols);
        let servers = servers.filter(|(_, symbol)| is_server(symbol));
        Handlers {
            code,
            servers: servers.map(|(number, _)| number).collect(),
            generated,
            registered: registered(code, served, &bases, &members),
            members,
            implementers,
            subclasses,
            in_modules,
            by_name,
            bases,
        }
    }

    /// Returns the handlers of the operations of a contract, by the number of the operation. `of_service` says whether a
    /// file may belong to the service of the contract. An rpc may have several: each service that serves it.
    pub(crate) fn of(
        &self,
        path: &str,
        contract: &Contract,
        of_service: &dyn Fn(&str) -> bool,
    ) -> BTreeMap<usize, Vec<Handler>> {
        let mut found: BTreeMap<usize, Vec<Handler>> = BTreeMap::new();
        let interface = self.server_interface(contract);
        for (at, operation) in contract.operations.iter().enumerate() {
            let mut handlers = match &operation.rpc_service {
                Some(service) => self.of_rpc(
                    service,
                    operation.operation_id.as_deref().unwrap_or_default(),
                ),
                None => self.of_operation(path, operation, interface.as_ref(), of_service),
            };
            handlers.sort_unstable();
            handlers.dedup();
            if !handlers.is_empty() {
                found.insert(at, handlers);
            }
        }
        found
    }

    /// Returns the calls of generated clients: the calling symbol, the service of the rpc without package, and the rpc;
    /// empty where the client is only made.
    pub(crate) fn stub_calls(&self) -> Vec<(u32, String, String)> {
        let mut calls = BTreeSet::new();
        for edge in &self.code.edges {
            if edge.edge_type != CodeEdgeType::Calls || edge.is_possible {
                continue;
            }
            let (Some(from), Some(to)) = (self.code.symbol(edge.from), self.code.symbol(edge.to))
            else {
                continue;
            };
            if from.is_test || from.is_external || self.generated.contains(&*from.file) {
                continue;
            }
            let container = to.container.rsplit(['.', '/']).next().unwrap_or_default();
            let (stub, rpc) = match &*to.kind {
                "method" => (container.strip_suffix("Client"), to.name.as_str()),
                "class" => (to.name.strip_suffix("Stub"), ""),
                // A gateway makes the client by itself (grpc-gateway).
                "function" => (gateway_service(&to.name), ""),
                _ => (None, ""),
            };
            let is_client = self.generated.contains(&*to.file)
                && (matches!(&*to.kind, "class" | "function")
                    || to
                        .signature
                        .as_deref()
                        .is_some_and(|signature| signature.contains("CallOption")));
            if let Some(service) = stub.filter(|_| is_client) {
                calls.insert((edge.from, service.to_owned(), rpc.to_owned()));
            }
        }
        calls.into_iter().collect()
    }

    /// Returns what serves an rpc: implementers of the generated interface of Go, overrides of the generated class of
    /// Python.
    pub(crate) fn of_rpc(&self, service: &str, rpc: &str) -> Vec<Handler> {
        let name = service.rsplit('.').next().unwrap_or(service);
        let (name_in_go, rpc_in_go) = (go_name(name), go_name(rpc));
        let mut found: Vec<u32> = Vec::new();
        let [of_interface, of_class] = SERVER_SUFFIXES;
        for &number in &self.servers {
            let Some(symbol) = self.code.symbol(number) else {
                continue;
            };
            let is_server =
                |suffix: &str, name: &str| symbol.name.strip_suffix(suffix) == Some(name);
            if symbol.kind == "interface" && is_server(of_interface, &name_in_go) {
                let methods = self.members.get(&*symbol.id).into_iter().flatten();
                let method = methods.filter(|method| self.name(**method) == rpc_in_go);
                let implementers = method
                    .filter_map(|method| self.implementers.get(method))
                    .flatten();
                let registered = self.registered.get(&*symbol.id);
                found.extend(implementers.filter(|method| {
                    self.is_handler(**method)
                        && registered.is_none_or(|types| self.is_of_any(**method, types))
                }));
            } else if symbol.kind == "class" && is_server(of_class, name) {
                let classes = self.subclasses.get(&number).into_iter().flatten();
                let ids = classes.filter_map(|class| self.code.symbol(*class));
                let methods = ids
                    .filter_map(|class| self.members.get(&*class.id))
                    .flatten();
                found.extend(
                    methods
                        .filter(|method| self.name(**method) == rpc && self.is_handler(**method)),
                );
            }
        }
        found
            .into_iter()
            .map(|method| (method, FoundBy::ServerInterface))
            .collect()
    }

    /// Returns the rpcs of the service whose servers a generated function registers, by name.
    pub(crate) fn rpcs_of(&self, function: u32) -> Vec<&'a str> {
        let interface = self.code.symbol(function).and_then(server_interface_id);
        let methods = interface.and_then(|id| self.members.get(&*id));
        let methods = methods.into_iter().flatten();
        let methods = methods.filter_map(|method| self.code.symbol(*method));
        // The generator adds methods of its own, which no other package can name.
        let rpcs = methods.filter(|method| method.is_exported);
        rpcs.map(|method| method.name.as_str()).collect()
    }

    /// Returns whether a method is one of any of some types, or of what they embed.
    fn is_of_any(&self, method: u32, types: &FxHashSet<&'a str>) -> bool {
        let Some(of) = self.code.symbol(method).map(|symbol| &*symbol.container) else {
            return false;
        };
        with_bases(&self.bases, types.iter().copied()).contains(of)
    }

    fn of_operation(
        &self,
        path: &str,
        operation: &Operation,
        interface: Option<&FxHashMap<String, u32>>,
        of_service: &dyn Fn(&str) -> bool,
    ) -> Vec<Handler> {
        let Some(id) = &operation.operation_id else {
            return Vec::new();
        };
        let method = interface.and_then(|methods| methods.get(&compared(id)));
        if let Some(implementers) = method.and_then(|method| self.implementers.get(method)) {
            let all = implementers
                .iter()
                .copied()
                .filter(|&method| self.is_handler(method));
            let all: Vec<u32> = all.collect();
            let own = all
                .iter()
                .copied()
                .filter(|&method| of_service(self.file(method)));
            let own: Vec<u32> = own.collect();
            for candidates in [&own, &all] {
                if let [handler] = candidates[..] {
                    return vec![(handler, FoundBy::ServerInterface)];
                }
            }
        }
        if let Some(handler) = self.by_module_path(path, operation.controller.as_deref(), id) {
            return vec![(handler, FoundBy::ModulePath)];
        }
        let named = self.by_name.get(&compared(id)).into_iter().flatten();
        let named: Vec<u32> = named
            .copied()
            .filter(|&function| of_service(self.file(function)))
            .collect();
        match named[..] {
            [handler] => vec![(handler, FoundBy::Name)],
            _ => Vec::new(),
        }
    }

    /// Returns the methods of the generated interface of a contract's server by their compared names: one of whose methods
    /// nine in ten are operations of the contract, and that is no client's.
    fn server_interface(&self, contract: &Contract) -> Option<FxHashMap<String, u32>> {
        let ids = contract
            .operations
            .iter()
            .filter(|operation| operation.rpc_service.is_none());
        let ids: FxHashSet<String> = ids
            .filter_map(|operation| Some(compared(operation.operation_id.as_ref()?)))
            .collect();
        let mut best: Option<(usize, FxHashMap<String, u32>)> = None;
        for symbol in &self.code.symbols {
            if symbol.kind != "interface" || !self.generated.contains(&*symbol.file) {
                continue;
            }
            let methods = self
                .members
                .get(&*symbol.id)
                .map_or(&[][..], |methods| methods);
            let is_client = methods.iter().any(|&method| {
                let signature = self
                    .code
                    .symbol(method)
                    .and_then(|method| method.signature.as_deref());
                signature.is_some_and(|signature| {
                    signature.contains("...RequestEditorFn")
                        || signature.contains("...grpc.CallOption")
                })
            });
            let matching = methods
                .iter()
                .filter(|method| ids.contains(&compared(self.name(**method))))
                .count();
            let is_server =
                !is_client && matching > 0 && matching as f64 >= MIN_SHARE * methods.len() as f64;
            // An interface without an implementation of ours is one of several that the generator can make.
            let is_implemented = methods.iter().any(|method| {
                let implementers = self.implementers.get(method).into_iter().flatten();
                implementers.copied().any(|method| self.is_handler(method))
            });
            let rank = matching + usize::from(is_implemented) * 1_000_000;
            if is_server && best.as_ref().is_none_or(|(known, _)| rank > *known) {
                let methods = methods
                    .iter()
                    .map(|&method| (compared(self.name(method)), method));
                best = Some((rank, methods.collect()));
            }
        }
        best.map(|(_, methods)| methods)
    }

    /// Returns the function that an operation names by its module: `app.orders.get`, below the folder of the contract
    /// or one above it.
    fn by_module_path(&self, path: &str, controller: Option<&str>, id: &str) -> Option<u32> {
        let full = match controller {
            Some(controller) => format!("{controller}.{id}"),
            None => id.to_owned(),
        };
        let parts: Vec<&str> = full.split('.').collect();
        let mut folder = parent(path);
        loop {
            // The module ends before the function, or before the class of a method.
            for module in (1..parts.len()).rev() {
                let (module, name) = parts.split_at(module);
                let module = module.join("/");
                let base = if folder.is_empty() {
                    module
                } else {
                    format!("{folder}/{module}")
                };
                let name = name.join(".");
                for file in [base.clone(), format!("{base}/__init__")] {
                    let key = (file.as_str(), name.as_str());
                    if let Some(&found) = self.in_modules.get(&key) {
                        return Some(found);
                    }
                }
            }
            if folder.is_empty() {
                return None;
            }
            folder = parent(folder);
        }
    }

    /// Returns whether a symbol may be a handler: code of the workspace that is neither generated nor a test's.
    fn is_handler(&self, number: u32) -> bool {
        self.code.symbol(number).is_some_and(|symbol| {
            !symbol.is_external && !symbol.is_test && !self.generated.contains(&*symbol.file)
        })
    }

    fn name(&self, number: u32) -> &str {
        self.code.symbol(number).map_or("", |symbol| &symbol.name)
    }

    fn file(&self, number: u32) -> &str {
        self.code.symbol(number).map_or("", |symbol| &symbol.file)
    }
}

/// Returns types with all that they embed or inherit.
fn with_bases<'a>(
    bases: &FxHashMap<&'a str, Vec<&'a str>>,
    types: impl Iterator<Item = &'a str>,
) -> FxHashSet<&'a str> {
    let mut all: FxHashSet<&str> = FxHashSet::default();
    let mut next: Vec<&str> = types.collect();
    while let Some(one) = next.pop() {
        if all.insert(one) {
            next.extend(bases.get(one).into_iter().flatten());
        }
    }
    all
}

/// Returns the id of the interface of the servers that a generated function registers.
fn server_interface_id(function: &CodeSymbol) -> Option<String> {
    let service = registered_service(&function.name)?;
    Some(format!("{}.{service}Server", function.package))
}

/// Returns the types that are registered, by the interface of the server. One of which a registration is not known has none; nor
/// has one of which a type embeds an interface with some of its methods: its value has them then (Go spec, Struct types,
/// promoted methods).
fn registered<'a>(
    code: &'a Code,
    served: &[ServedFact],
    bases: &FxHashMap<&'a str, Vec<&'a str>>,
    members: &FxHashMap<&'a str, Vec<u32>>,
) -> FxHashMap<String, FxHashSet<&'a str>> {
    let symbols = code.symbols.iter();
    let interfaces: FxHashSet<&str> = symbols
        .filter(|symbol| symbol.kind == "interface")
        .map(|symbol| &*symbol.id)
        .collect();
    let methods = |of: &str| {
        let numbers = members.get(of).into_iter().flatten();
        let symbols = numbers.filter_map(|number| code.symbol(*number));
        symbols.map(|symbol| &*symbol.name).collect::<Vec<&str>>()
    };
    let mut registered: FxHashMap<String, FxHashSet<&str>> = FxHashMap::default();
    let mut unknown: Vec<String> = Vec::new();
    for fact in served {
        let interface = code.symbol(fact.function).and_then(server_interface_id);
        let Some(interface) = interface else { continue };
        let types: Vec<&str> = fact
            .classes
            .iter()
            .filter_map(|class| code.symbol(code.number_of(*class)?))
            .map(|symbol| &*symbol.id)
            .collect();
        let wanted = methods(&interface);
        let mut embedded = with_bases(bases, types.iter().copied()).into_iter();
        let has_others = embedded.any(|one| {
            interfaces.contains(one) && methods(one).iter().any(|method| wanted.contains(method))
        });
        if types.is_empty() || has_others {
            unknown.push(interface);
        } else {
            registered.entry(interface).or_default().extend(types);
        }
    }
    registered.retain(|interface, _| !unknown.contains(interface));
    registered
}

/// Returns the service that a generated function hands requests of HTTP on to, as a client (grpc-gateway, generated functions).
fn gateway_service(function: &str) -> Option<&str> {
    let rest = function.strip_prefix("Register")?;
    let ends = ["HandlerFromEndpoint", "HandlerClient", "Handler"];
    ends.iter().find_map(|end| rest.strip_suffix(end))
}

fn without_extension(path: &str) -> &str {
    let file = path.rfind('/').map_or(0, |slash| slash + 1);
    let end = path[file..].rfind('.').map_or(path.len(), |dot| file + dot);
    &path[..end]
}

/// Returns the name of a symbol in its package: `Type.Method`.
pub(crate) fn local_name(symbol: &CodeSymbol) -> &str {
    let rest = symbol.id.strip_prefix(&*symbol.package);
    rest.map_or(&*symbol.id, |rest| rest.trim_start_matches(['.', ':']))
}

/// Returns a name of a contract as the generator of Go writes it: each word begins with a capital letter (protobuf-go,
/// `GoCamelCase`).
///
/// ```text
/// readerService ... ReaderService          get_order2go ... GetOrder2Go
/// ```
pub(crate) fn go_name(name: &str) -> String {
    let mut written = String::new();
    let mut is_start = true;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_separator = letter == '_' && letters.peek().is_some_and(char::is_ascii_lowercase);
        if is_separator && !written.is_empty() {
            is_start = true;
            continue;
        }
        if is_start {
            written.push(letter.to_ascii_uppercase());
        } else {
            written.push(letter);
        }
        is_start = !letter.is_ascii_alphabetic();
    }
    written
}

/// Returns a name as generators compare it: without case and `_`, `-`, `.`.
pub(crate) fn compared(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' '));
    letters.flat_map(char::to_lowercase).collect()
}
