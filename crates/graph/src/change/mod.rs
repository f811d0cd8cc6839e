//! What a change of the workspace's texts touches, reaches and reconnects: the operation `impact` with
//! `diff`.
//!
//! The texts before and after the change are two states of one database, which it has one after the other.
//! Each is read where it holds; what is read holds symbols, which both states share:
//!
//! ```text
//! state 1   Side::read       facts of every unit, declarations of the files that differ
//! state 2   Side::read       ... Difference::of both: symbols that differ, units whose edges may
//!           Difference::read edges of these units, tests and users of these symbols
//! state 1   Difference::read the same there
//!           Difference::answer of both
//! ```

mod affected_tests;
mod answer;
mod difference;
mod reading;
mod side;
mod site_owners;
mod unresolved_owners;

pub use answer::ChangeEnds;
pub use difference::{Difference, End};
pub use reading::EndFacts;
pub use side::Side;
