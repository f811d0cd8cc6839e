//! The domain of the evaluation: values (interned [`Shape`]s) and bounded sets of them
//! ([`Values`]).

mod set;
mod shape;
mod substitution;

pub use set::Values;
pub use shape::{Class, Shape, Value};
pub(crate) use shape::{shape, value};
pub(crate) use substitution::{Substitution, closed};
