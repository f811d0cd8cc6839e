//! Requests of editors as functions of a snapshot, and their data, without a type of a protocol.
//!
//! Positions and ranges are 0-based, in lines and in code units of the encoding that the client negotiated, of the
//! text of the snapshot's revision; the end of a range is exclusive. Paths are absolute and normalised.

mod call_hierarchy;
mod cursor;
mod data;
mod declarations;
mod definition;
mod hover;
mod id_at;
mod implementation;
mod outline;
mod query;
mod references;
mod search;
mod type_definition;
mod type_hierarchy;

#[cfg(test)]
mod tests;

pub use call_hierarchy::{call_items, incoming, outgoing};
pub use data::{Access, CallItem, Hover, Location, OutlineItem, SymbolItem, SymbolKindName};
pub use definition::{declaration, definition};
pub use hover::hover;
pub use id_at::id_at;
pub use implementation::implementation;
pub use outline::outline;
pub use references::{highlights, references};
pub use search::search;
pub use type_definition::type_definition;
pub use type_hierarchy::{subtypes, supertypes, type_items};
