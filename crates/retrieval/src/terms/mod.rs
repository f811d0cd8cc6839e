//! The terms of the formula, by what they read.

pub(crate) mod mentions;
pub(crate) mod structure;
pub(crate) mod text;
