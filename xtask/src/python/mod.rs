//! Python's judges: a trace of the calls that actually happen, and programs that read declarations
//! with CPython's own parser.

pub mod completeness;
pub mod cycles;
pub mod declared;
pub mod flow;
pub mod interpreter;
pub mod judge;
pub mod packages;
pub mod questions;
pub mod trace;

use std::path::PathBuf;

use crate::place;

/// Returns the folder of the judges' programs.
fn programs() -> PathBuf {
    place::root().join("xtask/judges/python")
}

/// Returns a hash of the parts, for the names of cached files.
fn key(parts: &[&[u8]]) -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut state = DefaultHasher::new();
    parts.hash(&mut state);
    format!("{:016x}", state.finish())
}
