//! What an answer may lack.

pub(crate) mod callers;
pub(crate) mod escapes;
pub(crate) mod incomplete_files;
pub(crate) mod memo;
pub(crate) mod unresolved_sites;
pub(crate) mod verdict;
