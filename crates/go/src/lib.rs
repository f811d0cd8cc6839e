//! Go's rules: modules, packages, scopes, types, method sets, calls.

pub mod project;
