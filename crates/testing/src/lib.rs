//! What the tests and benches of the house share: workspaces in one string, generated code and
//! edits, and the check that a World answers as a fresh one does.

pub mod doors;
pub mod events;
pub mod fixture;
pub mod generate;
pub mod inverse;
pub mod lot;
pub mod rows;
pub mod same;
pub mod script;

pub use fixture::{Fixture, Texts, Workspace};
pub use lot::SeededRng;
pub use script::Script;
