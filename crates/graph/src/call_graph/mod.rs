//! Who uses and who calls what.

pub(crate) mod indirect;
pub(crate) mod memo;
pub(crate) mod super_calls;
pub(crate) mod uses;
