//! The parts of an answer's making that need no database: what patterns and filters match, what an operation
//! takes, how a cut list is narrowed, how a verdict is worded. An engine that answers from other rows, as that
//! of SQL, uses these and makes the same answers.

pub use crate::completeness::groups::MAX_LISTED_GROUPS;
pub use crate::completeness::verdict::{MAX_LISTED_UNRESOLVED, VerdictWords, words};
pub use crate::operations::impact::{Impact, severity, strongest};
pub use crate::operations::result::MAX_COMPLETENESS_NODES;
pub use crate::operations::traversal::{MAX_CYCLES, MAX_NODES, in_smallest_rotation};
pub use crate::pattern::{Pattern, Wild, plain_path};
pub use crate::rendering::context::lines_of;
pub use crate::rendering::filtering::{Filter, FilteredNode, ResultLimits};
pub use crate::rendering::hidden::{FilterField, HiddenCounts};
pub use crate::rendering::line::code_of;
pub use crate::rendering::render::MAX_SITES;
pub use crate::rendering::suggestion::{Candidate, greater_list, suggestion};
pub use crate::symbols::ids::split_number;
pub use crate::symbols::redefinitions::{numbers_match, without_numbers};
pub use crate::targets::accepted::{TargetNode, refused, refused_kind};
pub use crate::targets::file::declarations_note;
pub use crate::targets::likeness::{may_hold, unlikeness};
pub use crate::targets::position::{numbered, words_around};
pub use crate::targets::resolved::MAX_CANDIDATES;
pub use crate::targets::suffix::{ends_in, without_first};
pub use crate::targets::{MAX_PATTERN_MATCHES, normalised, too_many};
