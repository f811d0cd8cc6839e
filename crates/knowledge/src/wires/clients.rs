//! Generated clients of rpcs, with the address of the connection that they are made with:
//! `NewOrdersClient(conn)`, `OrdersStub(channel)`.

use super::facts::Composer;
use super::text::Text;
use super::value::{Abstract, Around, CallAt, Site};

/// A client that is made.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ClientFact {
    /// The service of the rpcs, without its package.
    pub(crate) service: String,
    pub(crate) address: Text,
    /// The file, by number, and the code that makes it.
    pub(crate) file: u32,
    pub(crate) around: Around,
}

/// Returns the service whose client a generated declaration makes, without its package.
pub(super) fn client_service<'a>(name: &'a str, kind: &str) -> Option<&'a str> {
    match kind {
        "function" => name.strip_prefix("New")?.strip_suffix("Client"),
        "class" => name.strip_suffix("Stub"),
        _ => None,
    }
}

impl Composer<'_> {
    /// Returns the clients whose address is known, in part at least, in the order of declarations and calls.
    pub(super) fn clients(&self) -> Vec<ClientFact> {
        let mut clients = Vec::new();
        for symbol in &self.code.symbols {
            let service = client_service(&symbol.name, &symbol.kind);
            let (Some(service), Some(maker)) = (service, symbol.symbol) else {
                continue;
            };
            if symbol.is_external || !self.is_generated(&symbol.file) {
                continue;
            }
            for at in self.callers(maker) {
                for address in self.connected_to(at) {
                    clients.push(ClientFact {
                        service: service.to_owned(),
                        address,
                        file: at.0,
                        around: self.around_call(at),
                    });
                }
            }
        }
        clients
    }

    /// Returns the addresses of the connection that is the first argument of a call.
    pub(super) fn connected_to(&self, at: CallAt) -> Vec<Text> {
        let connection = self
            .call(at)
            .and_then(|call| call.arguments.first().copied());
        let Some(connection) = connection else {
            return Vec::new();
        };
        let mut all: Vec<Text> = Vec::new();
        for of in self.evaluate(at.0, connection.value, &None).iter() {
            let Abstract::Object(Site::Call(made), ..) = of else {
                continue;
            };
            for address in self.connection_texts(*made) {
                if !address.is_hole() && !all.contains(&address) {
                    all.push(address);
                }
            }
        }
        all
    }

    /// Returns the addresses of a connection, by the row of the call that makes it.
    fn connection_texts(&self, made: CallAt) -> Vec<Text> {
        let matches = self.matches(made);
        let mut rows = matches.iter().filter_map(|of| self.row(*of));
        let request = rows.find_map(|row| row.request.as_ref().filter(|one| one.connection));
        let url = request.and_then(|request| request.url.as_ref());
        let site = self.site(made);
        match (url, site) {
            (Some(url), Some(site)) => self.argument_texts(&site, url),
            _ => Vec::new(),
        }
    }
}
