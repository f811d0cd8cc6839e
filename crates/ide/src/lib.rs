//! The Host of a workspace and its answers: what both doors and the command line use, and nothing
//! below it.

pub mod api;
pub mod export;
mod parallel;
pub mod root;
pub mod world;

pub use world::{
    IndexReport, LeftOut, LoadError, LoadOptions, Memory, NotInFull, Phase, PhaseTimes, Progress,
    World, process_memory,
};
