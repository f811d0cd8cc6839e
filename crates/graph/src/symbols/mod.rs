//! Printed ids, packages and declarations of symbols.

pub(crate) mod ids;
pub(crate) mod memo;
