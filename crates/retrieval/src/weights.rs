//! The weights of the formula's terms.

/// The weights of the formula's terms, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {}
