//! The messages of a SCIP index (<https://github.com/scip-code/scip>, `scip.proto`).

mod documents;
mod name_ranges;

pub(crate) use documents::Index;
