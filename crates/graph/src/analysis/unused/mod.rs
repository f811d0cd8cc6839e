//! The operation `unused_symbols`: the declarations that no code of the workspace reaches.
//!
//! ```text
//! edges         what each file's declarations use, kept while the file's uses are the same
//! declarations  the workspace's declarations, and what keeps them in use without a use
//! members       what is in use because its type, its base or its group is
//! search        reachability over all of these
//! find          what the search leaves, and why
//! doubts        the sites that could still use what is left
//! listing       the answer
//! ```

mod declarations;
mod doubts;
mod edges;
mod find;
mod listing;
mod members;
pub(crate) mod memo;
mod search;

pub(super) use listing::unused_symbols;
