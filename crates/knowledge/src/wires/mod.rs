//! Wires: the routes, events and requests of the code, composed over all files.
//!
//! ```text
//! recognisers ─── Resolved ───┐
//! Language::wires(file) ──────┼── Evaluator ── Routes, Events, Requests
//! edges of the code graph ────┘
//! ```
//!
//! Plain functions over the results of queries: a file's wires are read when an evaluation reaches the file. What a value
//! is, is followed backward: a local variable to its assignments, a parameter to the arguments of the calls of its
//! function, a field to its writes, a result to the returns, with the call that it came from.

mod argument_texts;
mod arguments;
mod clients;
mod commands;
mod evaluate;
mod evaluated;
mod event_frames;
mod events;
mod facts;
mod frames;
mod handlers;
mod library_rpcs;
mod matching;
mod members;
mod mentions;
mod objects;
mod parameters;
mod program;
mod readers;
mod results;
mod routers;
mod served;
mod systems;
mod tasks;
mod text;
mod value;

pub(crate) use clients::ClientFact;
pub(crate) use commands::{CommandFact, Commands};
pub(crate) use evaluated::EvaluatedWires;
pub(crate) use facts::{ANY, BoundFact, EventFact, RequestFact, RouteFact, SettingFact, WireFacts};
pub(crate) use library_rpcs::LibraryRpcFact;
pub(crate) use mentions::MentionFact;
pub(crate) use program::Program;
pub(crate) use readers::{Reader, Readers};
pub(crate) use served::{ServedFact, registered_service};
pub(crate) use text::{FLAG, Text, setting_key};
pub(crate) use value::{Around, CallAt};
