//! Modules, packages and build constraints: which files make which unit, and what their imports
//! name. Pure functions of the loaded files' headers, the settings and a reader of the disk;
//! nothing here knows the rest of this room.
//!
//! Rules: `go help modules`, `go help packages`, `go help buildconstraint`,
//! `go help importpath`, the Go Modules Reference, and the package `go/build`.

mod build_list;
mod context;
mod env;
mod experiments;
mod files;
mod folders;
mod goroot;
mod layout;
mod modfile;
mod modules;
mod paths;
mod printed;
mod resolve;
mod standard;
mod tags;
mod tree;
mod versions;

#[cfg(test)]
mod tests;

pub use env::configured;
pub use files::{Exclusion, excluded_by, file_matches};
pub use layout::layout;
pub use paths::holds_packages;
pub use tags::eval;
