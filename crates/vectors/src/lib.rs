//! Vectors: what declarations mean, by a model that the user adds.
//!
//! ```text
//! a folder ── Models::add ── models/NAME ── Encoder::load ──┐
//! texts of declarations ── ContentHash ──────────────────────┼── KeptVectors ── one file a workspace and model
//! a query ───────────────────────────── Encoder::encode ────┘         └─ cosines: which texts are near
//! ```
//!
//! Nothing here is needed without a model, and no model comes with the program. A vector belongs to a text, not to a location:
//! it is kept by the text's hash, so that only changed texts are encoded again. Vectors of different models never meet:
//! each file names its model by the content of the model's files.
//!
//! The encoder itself is behind the feature `encoder`; without it everything else works, and [`Encoder::load`] says so.

mod encoder;
mod kept;
mod models;
mod nearest;

pub use encoder::{Encoder, MAX_TEXT_TOKENS};
pub use kept::{ContentHash, KeptVectors, VectorFileError};
pub use models::{ModelError, ModelId, Models};

/// How many numbers a vector has at most.
pub const MAX_DIMENSIONS: usize = 4_096;
