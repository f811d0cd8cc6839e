//! What declarations of the workspace use, as one graph for searches: what is in use at all, and which
//! tests can see a change.
//!
//! ```text
//! edges         what each file's declarations use, kept while the file's uses are the same
//! declarations  the workspace's declarations, and what keeps them in use without a use
//! members       what is in use because its type, its base or its group is
//! search        reachability over all of these
//! unresolved    sites of unknown target that could use a declaration
//! ```

pub(crate) mod declarations;
pub(crate) mod edges;
pub(crate) mod members;
pub(crate) mod memo;
pub(crate) mod search;
pub(crate) mod unresolved;
