//! Modules, packages and build constraints: which files form which unit, and which packages their
//! imports name. Pure functions of the loaded files' headers, the settings and a file system;
//! independent of the rest of this crate.
//!
//! Sources of the rules: `go help modules`, `go help packages`, `go help buildconstraint`, `go help
//! importpath`, the Go Modules Reference, and the package `go/build`.
//!
//! [`layout()`] is the entry point:
//!
//! ```text
//! env, goroot       settings, environment, standard library
//! files, tags       build constraints       a_windows.go, //go:build linux && !cgo
//! folders           files -> units          package p, p_test
//! modules, context  folder -> module        go.mod, go.work, GOPATH, vendor
//! build_list        minimal version selection
//! resolve           import path -> folder
//! printed           package -> printed name, the prefix of ids
//! distributions     package -> module with its version, for exports
//! ```

mod build_list;
mod context;
mod distributions;
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

pub use distributions::distributions;
pub use env::configured;
pub use files::{Exclusion, excluded_by, file_matches};
pub use layout::layout;
pub use paths::holds_packages;
pub use tags::eval;
