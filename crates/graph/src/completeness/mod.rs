//! What an answer may lack.

pub(crate) mod callees;
pub(crate) mod callers;
mod calls_by_name;
pub(crate) mod declarations;
pub(crate) mod escapes;
pub(crate) mod groups;
mod hidden_callers;
pub(crate) mod incomplete_files;
mod memo;
pub(crate) mod unresolved_sites;
pub(crate) mod verdict;

pub(crate) use callees::{possible_callees, unresolved_callees};
pub(crate) use callers::{possible_users, unresolved_callers};
pub(crate) use calls_by_name::unresolved_calls_by_name;
pub(crate) use declarations::{
    possible_classes, possible_declarers, possible_importers, possible_imports,
};
pub(crate) use groups::line_column;
pub(crate) use hidden_callers::outside_callers;
pub(crate) use incomplete_files::IncompleteFileMemos;
pub(crate) use memo::UnresolvedMemos;
pub(crate) use verdict::{completeness, warnings};
