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

pub use codeweft_db::{GoSettings, RequestCancellation};
pub use codeweft_vfs::{ClientId, Document, Edit, EditError, Encoding, Position, Range, normalise};
pub use host::{
    AnalysisHost, ChangeId, HostOptions, HostState, Priority, RequestError, RequestOptions,
    Response, Snapshot,
};
pub use world::{
    IndexReport, LoadError, LoadOptions, Memory, PartiallyReadFile, Phase, PhaseTimes, Progress,
    ProjectDatabase, UnreadFile, process_memory,
};
