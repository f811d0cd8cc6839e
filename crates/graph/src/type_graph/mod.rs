//! Types, classes and interfaces, and which methods run for each other.

pub(crate) mod classes;
pub(crate) mod conversions;
pub(crate) mod dispatch;
pub(crate) mod embedded;
pub(crate) mod implements;
pub(crate) mod memo;
pub(crate) mod overrides;
pub(crate) mod satisfaction;
pub(crate) mod table;

pub(crate) use conversions::{conversions, pairs_through};
pub(crate) use dispatch::{
    dispatch_targets, dispatched_from, implemented_methods, implementing_methods,
};
pub(crate) use embedded::embedded_at;
pub(crate) use implements::{all_pairs, pairs_of_interface, pairs_of_type, types};
pub(crate) use overrides::{class_method, classes, classes_of, overridden, overrides};
pub(crate) use satisfaction::{
    direct_targets, directly_dispatched_from, dispatched_from_by_rows, transitive_targets,
};
