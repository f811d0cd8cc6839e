//! What the tests and benches of the house share: workspaces in one string, generated code and
//! edits, and the check that a World answers as a fresh one does.

pub mod clients;
pub mod edge_consistency;
pub mod events;
pub mod fixture;
pub mod fresh_check;
pub mod generate;
pub mod rows;
pub mod script;
pub mod seeded_rng;

pub use fixture::{Fixture, Texts, Workspace};
pub use script::Script;
pub use seeded_rng::SeededRng;
