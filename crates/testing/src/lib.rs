//! Shared code of the tests and benches: fixtures in one string, generated code and edits, test
//! clients, and the check that an edited database answers as a fresh one.
//!
//! - [`Fixture`] loads files from a string.
//! - [`generate`] makes workspaces and edits from a seed.
//! - [`fresh_check`] compares an edited database with a fresh one.
//! - [`edge_consistency`] compares every edge from all sides that have it.
//! - [`clients`] are an editor and an agent, and the processes behind them.

pub mod clients;
pub mod edge_consistency;
pub mod events;
pub mod fixture;
pub mod fresh_check;
pub mod generate;
pub mod rows;
pub mod script;
pub mod seeded_rng;
pub mod shop;

pub use fixture::{Fixture, Texts, Workspace, texts};
pub use script::Script;
pub use seeded_rng::SeededRng;
pub use shop::SHOP;
