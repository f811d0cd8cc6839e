//! The Host of a workspace and its answers: what both doors and the command line use, and nothing
//! below it.

pub mod api;
pub mod editor;
pub mod export;
pub mod host;
mod parallel;
pub mod root;
pub mod settings;
pub mod socket;
pub mod world;

pub use codeweft_db::{CancellationToken, GoSettings};
pub use codeweft_vfs::{ClientId, Document, Edit, EditError, Encoding, Position, Range, normalise};
pub use host::{Answer, Ask, Class, Host, HostOptions, Snapshot, State, Stop, Ticket};
pub use world::{
    IndexReport, LeftOut, LoadError, LoadOptions, Memory, NotInFull, Phase, PhaseTimes, Progress,
    World, process_memory,
};
