//! Types, classes and interfaces, and which methods run for each other.

pub(crate) mod classes;
pub(crate) mod conversions;
pub(crate) mod dispatch;
pub(crate) mod embedded;
pub(crate) mod implements;
pub(crate) mod memo;
pub(crate) mod overrides;
pub(crate) mod table;
