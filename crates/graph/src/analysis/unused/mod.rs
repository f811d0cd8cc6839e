//! The operation `unused_symbols`: the declarations that no code of the workspace reaches.
//!
//! ```text
//! find     what a search over all uses leaves, and why (see [`crate::reachability`])
//! doubts   the sites that could still use what is left
//! listing  the answer
//! ```

mod doubts;
mod find;
mod listing;
pub(crate) mod memo;

pub(super) use listing::unused_symbols;
