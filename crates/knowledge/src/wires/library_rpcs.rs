//! Clients and servers of rpcs whose generated code is a library's: `NewOrdersClient(conn)` and `RegisterOrdersServer(s, impl)`,
//! `OrdersStub(channel)` and `add_OrdersServicer_to_server(impl, server)`, of one package or module.

use codeweft_db::{Db as _, WireValue};

use super::clients::client_service;
use super::facts::Composer;
use super::served::registered_service;
use super::text::Text;
use super::value::{Abstract, Around, CallAt};

/// A client that is made or a server that is registered, by the generated code of a library.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LibraryRpcFact {
    /// The path of the package of the generated code.
    pub(crate) package: String,
    /// The service of the rpcs, without its package.
    pub(crate) service: String,
    /// Whether it is a server.
    pub(crate) is_server: bool,
    /// The addresses of the connection that a client is made with, as far as they are known.
    pub(crate) addresses: Vec<Text>,
    /// The file, by number, and the code that makes or registers it.
    pub(crate) file: u32,
    pub(crate) around: Around,
}

/// The names of the libraries of rpcs that files mention which register a server.
const NAMES_OF_SERVERS: [&str; 4] = [
    "NewServer",
    "ServiceRegistrar",
    "add_insecure_port",
    "add_secure_port",
];

/// The services that each server has beside its own (gRPC Health Checking, Server Reflection, Channelz).
const SERVICES_OF_EACH: [&str; 3] = ["Channelz", "Health", "ServerReflection"];

impl Composer<'_> {
    /// Returns the clients and servers, in the order of files and texts.
    pub(super) fn library_rpcs(&self) -> Vec<LibraryRpcFact> {
        let mut files = self.relevant_files();
        for name in NAMES_OF_SERVERS {
            let name = self.db.shared().names.intern(name);
            for lang in self.languages() {
                files.extend(self.files_with(lang, name).iter());
            }
        }
        files.sort_unstable();
        files.dedup();
        let mut found = Vec::new();
        for file in files {
            let loaded = self.loaded(file);
            for (number, _) in (0..).zip(&loaded.wires.calls) {
                found.extend(self.library_rpc((file, number)));
            }
        }
        found
    }

    fn library_rpc(&self, at: CallAt) -> Option<LibraryRpcFact> {
        let (package, name) = self.of_library(at)?;
        let server = registered_service(&name).or_else(|| {
            let rest = name.strip_prefix("add_")?;
            rest.strip_suffix("Servicer_to_server")
        });
        let client = || client_service(&name, "function").or(client_service(&name, "class"));
        let service = server
            .or_else(client)
            .filter(|service| !service.is_empty())?;
        if SERVICES_OF_EACH.contains(&service) {
            return None;
        }
        let is_server = server.is_some();
        Some(LibraryRpcFact {
            service: service.to_owned(),
            is_server,
            addresses: if is_server {
                Vec::new()
            } else {
                self.connected_to(at)
            },
            file: at.0,
            around: self.around_call(at),
            package,
        })
    }

    /// Returns the package and the name of the function or class of a library that a call names.
    pub(super) fn of_library(&self, (file, number): CallAt) -> Option<(String, String)> {
        let callee = self.call((file, number))?.callee;
        let of_path = |path: &str| {
            let (package, name) = path.rsplit_once('.')?;
            Some((package.to_owned(), name.to_owned()))
        };
        match self.value(file, callee) {
            WireValue::Absent(path) => of_path(&path),
            WireValue::Declared(symbol)
            | WireValue::Member {
                symbol: Some(symbol),
                ..
            } => {
                let symbol = self.code.symbol(self.code.number_of(symbol)?)?;
                let is_of_package = symbol.is_external && symbol.container == symbol.package;
                is_of_package.then(|| (symbol.package.to_string(), symbol.name.clone()))
            }
            WireValue::Member {
                base,
                name,
                symbol: None,
            } => {
                let name = self.name(name);
                let is_of_rpcs = ["Client", "Server", "Stub", "_to_server"]
                    .iter()
                    .any(|end| name.ends_with(end));
                if !is_of_rpcs {
                    return None;
                }
                let values = self.evaluate(file, base, &None);
                let path = values.iter().find_map(|value| match value {
                    Abstract::Path(path) => Some(path.to_string()),
                    _ => None,
                });
                Some((path?, name.to_owned()))
            }
            _ => None,
        }
    }
}
