//! The crate with the real `git`: repositories, what differs between two states, and patches.

mod files;
mod git_apply;
mod histories;
mod patches;
mod revisions;
mod sandbox;
