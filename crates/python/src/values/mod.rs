//! What expressions may evaluate to: shapes by number, and small sets of them.

mod set;
mod shape;
mod substitution;

pub use set::Values;
pub use shape::{Class, Shape, Value};
pub(crate) use shape::{shape, value};
pub(crate) use substitution::{Substitution, closed};
