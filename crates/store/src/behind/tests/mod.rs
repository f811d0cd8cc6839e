//! The store beside fresh exports.

mod fixture;
mod following;
